// Invariant tested: logarithms and powers are those of the standard library, to the last digits, over all magnitudes.
#include "cuckoo/detail/logarithm.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cuckoo::detail::portable {
namespace {

/// Calls `test` with numbers of both signs, 64 of each power of two from 2^-60 to 2^60.
template <class Test>
void for_all_magnitudes(Test test) {
  for (int exponent = -60; exponent <= 60; ++exponent) {
    for (int i = 0; i < 64; ++i) {
      const double x = std::ldexp(1 + i / 63.7, exponent);
      test(x);
      test(-x);
    }
  }
}

TEST(LogarithmTest, Log1pIsTheStandardLibrarys) {
  EXPECT_EQ(log1p(0), 0);
  for_all_magnitudes([](double x) {
    if (x <= -1) return;
    EXPECT_NEAR(log1p(x) / std::log1p(x), 1, 1e-15) << x;
  });
}

TEST(LogarithmTest, PowersAreTheStandardLibrarys) {
  EXPECT_EQ(expm1(0), 0);
  for_all_magnitudes([](double x) {
    if (std::abs(x) > 700) return;
    EXPECT_NEAR(expm1(x) / std::expm1(x), 1, 1e-15 * (1 + std::abs(x))) << x;
  });
}

TEST(LogarithmTest, PowersEndWhereTheyWouldBeInfiniteOrLoseDigits) {
  EXPECT_EQ(expm1(1e300), expm1(709));
  EXPECT_TRUE(std::isfinite(expm1(709)));
  EXPECT_EQ(expm1(-1e300), -1);
}

}  // namespace
}  // namespace cuckoo::detail::portable
