#include "cuckoo/params.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cases.h"

namespace cuckoo {
namespace {

TEST(FalsePositiveRate, IsTheMeanOverAllFingerprintsAndPlaces) {
  for (std::uint32_t f = 2; f <= 8; ++f) {
    for (const std::uint64_t m : {1, 2, 3, 50}) {
      for (const std::uint64_t size : {0, 1, 3, 20}) {
        double sum = 0;
        for (std::uint32_t raw = 0; raw < (1u << f); ++raw) {
          const double each = std::ldexp(raw <= 1 ? 2.0 : 1.0, -static_cast<int>(f));
          for (std::uint64_t bucket = 0; bucket < m; ++bucket) {
            const double homes = bucket == 0 ? 1 : 2;  // the two homes of one key in m coincide
            const double buckets = static_cast<double>(m);
            const double misses = std::pow(1 - each * homes / buckets, static_cast<double>(size));
            sum += std::ldexp(1 - misses, -static_cast<int>(f)) / buckets;
          }
        }
        const Params params = testing::params_of(m, 4, f);
        EXPECT_NEAR(false_positive_rate(params, size), sum, 1e-12) << testing::text_of(params) << " size=" << size;
      }
    }
  }
}

TEST(FalsePositiveRate, StaysBelowThePapersBound) {
  for (std::uint32_t b = 1; b <= kMaxBucketSize; ++b) {
    for (std::uint32_t f = 4; f <= kMaxFingerprintBits; ++f) {
      const Params params = testing::params_of(1000, b, f);
      EXPECT_LE(false_positive_rate(params, slot_count(params)), std::ldexp(2.0 * b, -static_cast<int>(f)) * 1.2);
    }
  }
}

}  // namespace
}  // namespace cuckoo
