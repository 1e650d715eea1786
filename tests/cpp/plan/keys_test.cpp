// Invariant tested: what a filter takes as a key, and that anything else does not compile; own hashes are keys.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cuckoo/cuckoo.h"

namespace cuckoo {

using namespace detail;
namespace {

template <class Set, class T>
constexpr bool takes = requires(Set& filter, const T& key) {
  filter.insert_if_absent(key);
  filter.contains(key);
  filter.hash(key);
};
template <class T>
constexpr bool all_take = takes<Filter, T>&& takes<ScalableFilter, T>&& takes<ExpiringFilter, T>;
template <class T>
constexpr bool none_takes = !takes<Filter, T> && !takes<ScalableFilter, T> && !takes<ExpiringFilter, T> &&
                            !requires(Filter & filter, const T& key) {
  filter.insert(key);
}
&&!requires(Filter & filter, const T& key) { filter.erase(key); }
&&!requires(Filter & filter, const T& key) { filter.count(key); }
&&!requires(const Filter& filter, const T& key) { filter.hash(key); }
&&!requires(const Hasher& hasher, const T& key) { hasher(key); };

static_assert(all_take<int> && all_take<std::int8_t> && all_take<std::uint8_t> && all_take<unsigned long long>);
static_assert(all_take<std::string> && all_take<std::string_view> && all_take<const char*> && all_take<char[6]>);
static_assert(all_take<std::vector<std::uint8_t>> && all_take<std::array<std::uint8_t, 4>>);
static_assert(all_take<std::span<const std::uint8_t>> && all_take<std::span<std::uint8_t>> && all_take<Hash>);

enum class Color : std::uint8_t { red };
static_assert(none_takes<double> && none_takes<float> && none_takes<bool> && none_takes<char> && none_takes<char8_t>);
static_assert(none_takes<std::nullptr_t> && none_takes<void*> && none_takes<Color> && none_takes<std::vector<int>>);

struct ConvertsToBytes {
  std::array<std::uint8_t, 4> bytes;
  operator std::span<const std::uint8_t>() const { return bytes; }
};
static_assert(none_takes<ConvertsToBytes>);  // it has neither begin nor end

/// What `hash` of a filter computes otherwise; the finalizer of SplitMix64.
Hash own_hash(std::uint64_t key) {
  key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9u;
  key = (key ^ key >> 27) * 0x94D049BB133111EBu;
  return Hash{key ^ key >> 31};
}

TEST(Keys, AnOwnHashGoesWhereverAKeyGoes) {
  constexpr std::uint64_t kKeys = 20'000;
  auto filter = *Filter::create(*plan({.capacity = kKeys, .false_positive_rate = 0.01}));
  for (std::uint64_t key = 1; key <= kKeys; ++key) ASSERT_EQ(filter.insert(own_hash(key)), InsertOutcome::inserted);
  for (std::uint64_t key = 1; key <= kKeys; ++key) ASSERT_TRUE(filter.contains(own_hash(key)));
  std::uint64_t found = 0;
  for (std::uint64_t key = kKeys + 1; key <= 11 * kKeys; ++key) found += filter.contains(own_hash(key)) ? 1 : 0;
  EXPECT_LT(static_cast<double>(found), 0.011 * 10 * kKeys);
  for (std::uint64_t key = 1; key <= kKeys; ++key) ASSERT_TRUE(filter.erase(own_hash(key)));
  EXPECT_EQ(filter.size(), 0u);
}

TEST(Keys, TextBytesAndIntegersOfEveryTypeHaveTheHashOfTheirBytes) {
  const auto filter = *Filter::create(*plan({.capacity = 10, .seed = 3}));
  const std::vector<std::uint8_t> bytes = {'a', 'b'};
  for (const Hash hash : {filter.hash("ab"), filter.hash(std::string("ab")), filter.hash(std::string_view("ab"))}) {
    EXPECT_EQ(hash, filter.hash(bytes));
  }
  const struct {
    char text[2] = {'a', 'b'};  // no terminating zero
    char next[2] = {'c', 0};
  } packed;
  EXPECT_EQ(filter.hash(packed.text), filter.hash(bytes));
  EXPECT_EQ(filter.hash(packed.next), filter.hash("c"));
  const std::array<std::uint8_t, 8> five = {5, 0, 0, 0, 0, 0, 0, 0};
  for (const Hash hash : {filter.hash(5), filter.hash(std::int8_t{5}), filter.hash(std::uint8_t{5}), filter.hash(5ull)})
    EXPECT_EQ(hash, filter.hash(five));
  EXPECT_EQ(filter.hash(-1), filter.hash(~std::uint64_t{0}));
}

}  // namespace
}  // namespace cuckoo
