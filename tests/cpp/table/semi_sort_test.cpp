#include "cuckoo/detail/table/semi_sort.h"

#include <gtest/gtest.h>

#include "cuckoo/params.h"

namespace cuckoo {

using namespace detail;
namespace {

TEST(SemiSort, RanksCountTheSortedQuadruplesInOrder) {
  // The first are computed before the others.
  const SemiSortCodes& codes = SemiSortCodes::below(low_values(0));
  EXPECT_EQ(codes.encode(0, 0, 0, kWholeLowValues), 0u);
  ASSERT_EQ(&SemiSortCodes::below(kMaxLowValues), &codes);
  std::uint32_t rank = 0;
  for (std::uint32_t d = 0; d < kMaxLowValues; ++d) {
    for (std::uint32_t c = 0; c <= d; ++c) {
      for (std::uint32_t b = 0; b <= c; ++b) {
        for (std::uint32_t a = 0; a <= b; ++a, ++rank) {
          ASSERT_EQ(codes.encode(a, b, c, d), rank);
          ASSERT_EQ(codes.decode(rank), a | b << 5 | c << 10 | d << 15);
          ASSERT_EQ(codes.ties(rank), (a == b ? 1u : 0) + (b == c ? 2 : 0) + (c == d ? 4 : 0) + (a == 0 ? 8 : 0));
        }
      }
    }
    ASSERT_EQ(rank, quadruple_count(d + 1));
  }
}

TEST(SemiSort, LowPartsHaveAsManyValuesAsTheirCodeHasRoomFor) {
  EXPECT_EQ(quadruple_count(16), 3876u);  // Fan et al. 2014, section 5.2
  for (std::uint32_t quarters = 0; quarters < 4; ++quarters) {
    const std::uint32_t bits = quarters == 0 ? 12 : 16 - quarters;
    EXPECT_LE(quadruple_count(low_values(quarters)), 1u << bits);
    if (quarters != 0) {
      EXPECT_GT(quadruple_count(low_values(quarters) + 1), 1u << bits);
    }
  }
}

}  // namespace
}  // namespace cuckoo
