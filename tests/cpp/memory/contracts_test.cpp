// What happens to calls that break a precondition. Built twice: with assertions, which stop the program, and as
// contracts_release_test without, where such a call must hurt nothing but its own answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "cases.h"
#include "cuckoo/concurrent/concurrent_filter.h"
#include "cuckoo/filters/counting.h"
#include "cuckoo/filters/expiring.h"
#include "cuckoo/filters/value.h"
#include "cuckoo/format/scalable_format.h"
#include "random.h"
#include "saved.h"

#ifdef NDEBUG
#define EXPECT_REFUSED(statement) statement
#else
#define EXPECT_REFUSED(statement) EXPECT_DEATH((void)(statement), "Assertion")
#endif

#if defined(__SANITIZE_ADDRESS__) && defined(NDEBUG) && !defined(CONTRACTS_RELEASE)
#error "tests under sanitizers run with assertions"
#endif

namespace cuckoo {

using namespace detail;
namespace {

using testing::saved;

/// Filters of the class with values, of every shape that has room for 3 bits.
template <class Valued, class Check>
void for_valued(Check check) {
  testing::for_all_params({3}, [&](const Params& params) {
    if (params.fingerprint_bits > kMaxFingerprintBits - 3) return;
#ifndef NDEBUG
    if (params.fingerprint_bits != 12 || params.bucket_size != 4) return;  // each death takes a process
#endif
    check(std::move(*Valued::create(params, 3)));
  });
}

TEST(Contracts, AValueThatIsTooWideHurtsNoOtherKey) {
  for_valued<ValueFilter>([](ValueFilter filter) {
    std::vector<std::uint64_t> keys;
    for (std::uint32_t key = 0; key < 6; ++key) {
      if (filter.insert(std::uint64_t{key}, key) == InsertOutcome::inserted) keys.push_back(key);
    }
    InsertOutcome outcome = InsertOutcome::full;
    EXPECT_REFUSED(outcome = filter.insert(std::uint64_t{99}, 0xFFFFFFF8u | 5u));
    for (const std::uint64_t key : keys) {
      const FoundValues found = filter.find(key);
      ASSERT_TRUE(std::ranges::count(found, key) != 0) << testing::text_of(filter.params());
    }
    if (outcome == InsertOutcome::inserted) {
      ASSERT_NE(std::ranges::count(filter.find(std::uint64_t{99}), 5u), 0);
    }
    ASSERT_TRUE(load<ValueFilter>(saved(filter)));
  });
}

TEST(Contracts, ACountOfZeroChangesNothing) {
  for_valued<CountingFilter>([](CountingFilter filter) {
    for (std::uint64_t key = 0; key < 4; ++key) (void)filter.insert(key, key + 1);
    const auto before = saved(filter);
    const std::vector<Hash> hashes = {filter.hash(std::uint64_t{1}), filter.hash(std::uint64_t{77})};
    const std::vector<std::uint32_t> none = {0, 0};
    ASSERT_EQ(filter.insert(std::uint64_t{77}, 0), InsertOutcome::inserted);
    ASSERT_EQ(filter.insert(std::uint64_t{1}, 0), InsertOutcome::inserted);
    const BatchOutcome batch = filter.insert_many(hashes, none);
    ASSERT_EQ(batch.done, 2u);
    ASSERT_EQ(batch.outcome, InsertOutcome::inserted);
    (void)filter.erase(std::uint64_t{1}, 0);
    (void)filter.erase(std::uint64_t{77}, 0);
    ASSERT_EQ(saved(filter), before) << testing::text_of(filter.params());
  });
}

/// Bytes between guards, of which a call must not change any.
struct Guarded {
  explicit Guarded(std::size_t count) : all(count + 64, 0xEE), length(count) {}
  [[nodiscard]] std::span<std::uint8_t> bytes() { return std::span(all).subspan(32, length); }
  [[nodiscard]] bool is_intact() const {
    const auto is_guard = [](std::uint8_t byte) { return byte == 0xEE; };
    return std::all_of(all.begin(), all.begin() + 32, is_guard) && std::all_of(all.end() - 32, all.end(), is_guard);
  }
  std::vector<std::uint8_t> all;
  std::size_t length;
};

template <class AnyFilter>
void expect_short_save_refused(AnyFilter& filter) {
  const auto enough = static_cast<std::size_t>(saved_bytes(filter));
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, enough / 2, enough - 1}) {
    Guarded room(length);
    [[maybe_unused]] bool is_saved = false;
    EXPECT_REFUSED(is_saved = save(filter, room.bytes()));
    EXPECT_FALSE(is_saved);
    EXPECT_TRUE(room.is_intact());
  }
  Guarded room(enough + 5);
  EXPECT_TRUE(save(filter, room.bytes()));
  EXPECT_TRUE(room.is_intact());
}

TEST(Contracts, ASaveIntoTooFewBytesIsRefused) {
  Filter filter = std::move(*Filter::create(testing::params_of(300, 8, 32)));
  CountingFilter counter = std::move(*CountingFilter::create(testing::params_of(30, 4, 12), 3));
  ScalableFilter scalable = std::move(*ScalableFilter::create(*plan_scalable({.capacity = 100})));
  expect_short_save_refused(filter);
  expect_short_save_refused(counter);
  expect_short_save_refused(scalable);
  std::vector<std::uint8_t> small(PieceRoom::kLeast - 1);
  EXPECT_FALSE(PieceRoom::of(small));
}

template <class AnyFilter>
void expect_short_answers_refused(AnyFilter& filter) {
  const std::vector<Hash> hashes(300, Hash{7});
  Guarded found(100);
  EXPECT_REFUSED(filter.contains_many(hashes, found.bytes()));
  EXPECT_TRUE(found.is_intact());
  if constexpr (requires { filter.insert_many_if_absent(hashes, found.bytes()); }) {
    [[maybe_unused]] BatchOutcome batch;
    EXPECT_REFUSED(batch = filter.insert_many_if_absent(hashes, found.bytes()));
    EXPECT_TRUE(found.is_intact());
#ifdef NDEBUG
    EXPECT_EQ(batch.done, 100u);
#endif
    EXPECT_EQ(filter.insert_many_if_absent(hashes, {}).done, 300u);
    EXPECT_EQ(filter.size(), 1u);
  }
}

TEST(Contracts, AnswersHaveRoomOrAreNotWritten) {
  for (const std::uint32_t f : {12u, 24u}) {
    for (const std::uint32_t r : {0u, 2u}) {
      Params params = testing::params_of(64, 4, f, Addressing::xor_power_of_two);
      params.reserved_bits = r;
      Filter filter = std::move(*Filter::create(params));
      ScalableFilter scalable = std::move(*ScalableFilter::create(params));
      ExpiringFilter expiring = std::move(*ExpiringFilter::create(params, 4));
      ValueFilter values = std::move(*ValueFilter::create(params, 3));
      expect_short_answers_refused(filter);
      expect_short_answers_refused(scalable);
      expect_short_answers_refused(expiring);
      expect_short_answers_refused(values);
    }
  }
  ConcurrentFilter shared = std::move(*ConcurrentFilter::create(1000, 0.001));
  expect_short_answers_refused(shared);
}

TEST(Contracts, ARangeOfKeysIsStoredAsFarAsTheAnswersHaveRoom) {
  for (const std::size_t room : {1u, 100u, 256u, 512u, 513u}) {
    Filter filter = std::move(*Filter::create(10000, 0.001));
    std::vector<std::uint64_t> keys(600);
    std::iota(keys.begin(), keys.end(), 0);
    std::vector<std::uint8_t> is_new(room);
    [[maybe_unused]] BatchOutcome batch;
    EXPECT_REFUSED(batch = filter.insert_many_if_absent(keys, is_new));
#ifdef NDEBUG
    EXPECT_EQ(batch.done, room);
    EXPECT_EQ(filter.size(), static_cast<std::uint64_t>(std::ranges::count(is_new, 1)));
#endif
    EXPECT_EQ(filter.insert_many_if_absent(keys, {}).done, 600u);
  }
}

TEST(Contracts, ValuesAndCountsHaveRoomOrAreNotDone) {
  ValueFilter values = std::move(*ValueFilter::create(testing::params_of(64, 8, 12), 3));
  CountingFilter counter = std::move(*CountingFilter::create(testing::params_of(64, 8, 12), 3));
  for (std::uint32_t i = 0; i < 16; ++i) ASSERT_EQ(values.insert(Hash{7}, i % 8), InsertOutcome::inserted);
  const std::vector<Hash> hashes(40, Hash{7});
  for (const std::size_t room : {0u, 15u, 16u, 31u, 32u}) {
    std::vector<std::uint32_t> found(room + 1, 99);
    std::vector<std::uint8_t> counts(40);
    ValueFilter::Batch batch;
    if (room < FoundValues::kMaxCount) {
      EXPECT_REFUSED(batch = values.find_many(hashes, counts, std::span(found).first(room)));
    } else {
      batch = values.find_many(hashes, counts, std::span(found).first(room));
    }
    EXPECT_EQ(batch.done, room / 16);
    EXPECT_EQ(found[room], 99u);
  }
  std::vector<std::uint32_t> numbers(11, 1);
  const std::span<std::uint32_t> ten = std::span(numbers).first(10);
  Guarded counts(10);
  std::vector<std::uint32_t> all(1000);
  EXPECT_REFUSED((void)values.find_many(hashes, counts.bytes(), all));
  EXPECT_TRUE(counts.is_intact());
  EXPECT_REFUSED((void)counter.insert_many(hashes, ten));
  EXPECT_REFUSED((void)values.insert_many(hashes, ten));
  EXPECT_REFUSED(counter.count_many(hashes, ten));
  EXPECT_EQ(numbers[10], 1u);
}

template <class AnyFilter, class Create>
void expect_assignable(Create create) {
  AnyFilter filter = create();
  const auto empty = saved(filter);
  AnyFilter other = std::move(filter);
  EXPECT_EQ(saved(other), empty);
  filter = create();
  EXPECT_EQ(saved(filter), empty);
  AnyFilter third = std::move(filter);
  filter = std::move(third);
  EXPECT_EQ(saved(filter), empty);
#ifndef NDEBUG
  EXPECT_DEATH(third.clear(), "");
#endif
}

TEST(Contracts, ALoaderMakesOnlyAFilterOfTheKindThatItBegan) {
  ExpiringFilter expiring = std::move(*ExpiringFilter::create(1000, 0.001, 200));
  for (std::uint64_t key = 0; key < 500; ++key) (void)expiring.insert_if_absent(key);
  const auto bytes = saved(expiring);
  const std::span all(bytes);
  Result<Loader> loader =
      Loader::begin(all.first(kExtendedHeaderBytes), all.size(), ~std::uint64_t{0}, nullptr, {}, ValueKind::periods);
  ASSERT_TRUE(loader);
  std::ranges::copy(all.subspan(kExtendedHeaderBytes, loader->table().size()), loader->table().begin());
  const std::uint64_t checksum = load_word(&bytes[bytes.size() - kTrailerBytes]);
  [[maybe_unused]] Error error = Error::none;
  EXPECT_REFUSED(error = loader->finish<Filter>(checksum).error());
#ifdef NDEBUG
  EXPECT_EQ(error, Error::inconsistent);
#endif
  EXPECT_EQ(loader->finish<ExpiringFilter>(checksum)->size(), expiring.size());
}

#ifndef NDEBUG
TEST(Contracts, AnErrorIsReadAsNoValue) {
  Result<Filter> result = Filter::create(0, 0.001);
  ASSERT_FALSE(result);
  EXPECT_REFUSED(*result);
  EXPECT_REFUSED((void)result.value());
  EXPECT_REFUSED((void)std::as_const(result).value());
  EXPECT_REFUSED(result->size());
  EXPECT_REFUSED(std::as_const(result)->size());
  EXPECT_REFUSED(*std::move(result));
}

TEST(Contracts, NothingOutsideOfATableIsReadOrWritten) {
  Params params = testing::params_of(9, 4, 12);
  Table table = std::move(*Table::create(params));
  EXPECT_REFUSED(table.read(9));
  EXPECT_REFUSED(table.set(9, 0, 1));
  EXPECT_REFUSED(table.set(8, 0, 1 << 12));
  params.fingerprint_bits = 33;
  EXPECT_REFUSED(Entries<>::create(params));
}

TEST(Contracts, AHasherHasASecretOnlyWhereItsParametersSaySo) {
  Params params = testing::params_of(9, 4, 12);
  const SecretKey secret{1, 2};
  EXPECT_REFUSED(Hasher(params, &secret));
  params.hash = HashAlgorithm::siphash_1_3;
  EXPECT_REFUSED(Hasher(params, nullptr));
}
#endif

TEST(Contracts, AFilterThatWasMovedFromMayBeAssignedTo) {
  const Params params = testing::params_of(9, 4, 12);
  expect_assignable<Filter>([&] { return std::move(*Filter::create(params)); });
  expect_assignable<ValueFilter>([&] { return std::move(*ValueFilter::create(params, 3)); });
  expect_assignable<CountingFilter>([&] { return std::move(*CountingFilter::create(params, 3)); });
  expect_assignable<ExpiringFilter>([&] { return std::move(*ExpiringFilter::create(params, 3)); });
  const Params first = *plan_scalable({.capacity = 100});
  expect_assignable<ScalableFilter>([&] { return std::move(*ScalableFilter::create(first)); });
  static_assert(!std::is_constructible_v<ScalableFilter, const Params&>, "it would have no layer");
}

TEST(Contracts, AScalableFilterTakesNoMoreThanItsLayers) {
  const Params first = testing::params_of(1, 4, 12, Addressing::xor_power_of_two);
  ScalableFilter filter = std::move(*ScalableFilter::create(first));
  while (filter.layer_count() < kMaxLayers) ASSERT_TRUE(Access::push(filter, std::move(*Filter::create(first))));
  EXPECT_FALSE(Access::push(filter, std::move(*Filter::create(first))));
  EXPECT_EQ(filter.layer_count(), kMaxLayers);
}

}  // namespace
}  // namespace cuckoo
