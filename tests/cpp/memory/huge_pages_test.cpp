// Invariant tested: every way to a large table asks for huge pages unless its parameters say not to, and no way does
// then.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "cuckoo/cuckoo.h"

static int wishes = 0;
static const std::uint8_t* first_byte = nullptr;  ///< of the last wish
static std::size_t wished_bytes = 0;
/// In place of the system's, by way of the linker.
extern "C" int __wrap_madvise(void* bytes, std::size_t length, int) {
  ++wishes;
  first_byte = static_cast<const std::uint8_t*>(bytes);
  wished_bytes = length;
  return 0;
}

namespace cuckoo {

using namespace detail;
namespace {

/// Wishes that `make` expresses.
template <class Make>
int wishes_of(Make make) {
  wishes = 0;
  make();
  return wishes;
}

/// Asks for a table of 4 MB or more in every way there is.
void expect_wishes(bool wants_huge_pages, int each) {
  constexpr std::uint64_t kMost = ~std::uint64_t{0};
  Params params = *plan({.capacity = 4'000'000, .max_capacity = 16'000'000});
  params.tuning.wants_huge_pages = wants_huge_pages;
  auto filter = *Filter::create(params);
  EXPECT_EQ(wishes_of([&] { (void)Filter::create(params); }), each);
  EXPECT_EQ(wishes_of([&] { (void)filter.clone(); }), each);
  std::vector<std::uint8_t> bytes = save(filter);
  EXPECT_EQ(wishes_of([&] { EXPECT_TRUE(load(bytes, kMost, nullptr, {.wants_huge_pages = wants_huge_pages})); }), each);
  EXPECT_EQ(wishes_of([&] { EXPECT_TRUE(filter.grow()); }), each);
  EXPECT_EQ(wishes_of([&] { (void)load(bytes, kMost, nullptr, {.wants_huge_pages = wants_huge_pages})->grow(); }),
            2 * each);

  Params first = *plan_scalable({.capacity = 4'000'000});
  first.tuning.wants_huge_pages = wants_huge_pages;
  EXPECT_EQ(wishes_of([&] { (void)ScalableFilter::create(first); }), each);
  const auto scalable = *ScalableFilter::create(first);
  bytes = save(scalable);
  EXPECT_EQ(wishes_of([&] {
              auto loaded = *load_scalable(bytes, kMost, nullptr, {.wants_huge_pages = wants_huge_pages});
              EXPECT_EQ(loaded.first().tuning.wants_huge_pages, wants_huge_pages);
            }),
            each);
  params = *plan({.capacity = 8'000'000});
  params.tuning.wants_huge_pages = wants_huge_pages;
  EXPECT_EQ(wishes_of([&] { (void)ExpiringFilter::create(params, 7); }), each);

  params = *plan_shared({.capacity = 4'000'000});
  params.tuning.wants_huge_pages = wants_huge_pages;
  EXPECT_EQ(wishes_of([&] { (void)ConcurrentFilter::create(params); }), each);
  const auto plain = *Filter::create(params);
  EXPECT_EQ(wishes_of([&] { (void)ConcurrentFilter::create(plain); }), each);
}

TEST(HugePages, AreAskedForUnlessTheParametersSayNotTo) {
#ifdef __linux__
  expect_wishes(true, 1);
#endif
  expect_wishes(false, 0);
}

#ifdef __linux__
TEST(HugePages, AreAskedForWholeWithinTheTableIfThatIsLargeEnoughForOne) {
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  for (const std::size_t least : {kHugePage / 2, kHugePage, 2 * kHugePage, 3 * kHugePage, 5 * kHugePage}) {
    for (const std::size_t bytes : {least - 1, least, least + 1}) {
      Params params;  // a byte per bucket, and the table's padding
      params.bucket_count = bytes - kTablePadding;
      params.bucket_size = 1;
      params.fingerprint_bits = 8;
      std::optional<Table> table;
      const int asked = wishes_of([&] { table = std::move(*Table::create(params)); });
      ASSERT_EQ(asked, bytes < 2 * kHugePage ? 0 : 1) << bytes;
      if (asked == 0) continue;
      const std::uint8_t* const first = table->bytes().data();
      EXPECT_GE(first_byte, first);
      EXPECT_LE(first_byte + wished_bytes, first + bytes);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first_byte) % kHugePage, 0u);
      EXPECT_EQ(wished_bytes % kHugePage, 0u);
      EXPECT_GT(wished_bytes, bytes - 2 * kHugePage);
    }
  }
}
#endif

}  // namespace
}  // namespace cuckoo
