// Invariant tested: every way to a large table asks for huge pages unless its parameters say not to, and no way does
// then.
#include <gtest/gtest.h>

#include <vector>

#include "cuckoo/cuckoo.h"

static int wishes = 0;
/// In place of the system's, by way of the linker.
extern "C" int __wrap_madvise(void*, std::size_t, int) {
  ++wishes;
  return 0;
}

namespace cuckoo {
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
  params.wants_huge_pages = wants_huge_pages;
  auto filter = *Filter<>::create(params);
  EXPECT_EQ(wishes_of([&] { (void)Filter<>::create(params); }), each);
  EXPECT_EQ(wishes_of([&] { (void)filter.clone(); }), each);
  std::vector<std::uint8_t> bytes(saved_bytes(filter));
  save(filter, bytes);
  EXPECT_EQ(wishes_of([&] { EXPECT_TRUE(load(bytes, kMost, nullptr, wants_huge_pages)); }), each);
  EXPECT_EQ(wishes_of([&] { EXPECT_TRUE(filter.grow()); }), each);
  EXPECT_EQ(wishes_of([&] { (void)load(bytes, kMost, nullptr, wants_huge_pages)->grow(); }), 2 * each);

  Params first = *plan_scalable({.capacity = 4'000'000});
  first.wants_huge_pages = wants_huge_pages;
  EXPECT_EQ(wishes_of([&] { (void)ScalableFilter<>::create(first); }), each);
  const auto scalable = *ScalableFilter<>::create(first);
  bytes.resize(saved_bytes(scalable));
  save(scalable, bytes);
  EXPECT_EQ(wishes_of([&] {
              auto loaded = *load_scalable(bytes, kMost, nullptr, wants_huge_pages);
              EXPECT_EQ(loaded.first().wants_huge_pages, wants_huge_pages);
            }),
            each);
  params = *plan({.capacity = 8'000'000});
  params.wants_huge_pages = wants_huge_pages;
  EXPECT_EQ(wishes_of([&] { (void)ExpiringFilter<>::create(params, 7); }), each);
}

TEST(HugePages, AreAskedForUnlessTheParametersSayNotTo) {
#ifdef __linux__
  expect_wishes(true, 1);
#endif
  expect_wishes(false, 0);
}

}  // namespace
}  // namespace cuckoo
