#include "cuckoo/params.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cases.h"

namespace cuckoo {
namespace {

TEST(FalsePositiveRate, IsTheMeanOverAllFingerprintsAndPlaces) {
  for (std::uint32_t f = 2; f <= 8; ++f) {
    testing::for_all_params({1, 2, 3, 50}, [&](const Params& params) {
      if (params.bucket_size != 4 || params.fingerprint_bits != f) return;
      const auto fingerprints = static_cast<double>(fingerprint_count(params));
      const auto buckets = static_cast<double>(params.bucket_count);
      for (const std::uint64_t size : {0, 1, 3, 20}) {
        double sum = 0;
        for (std::uint32_t raw = 0; raw < fingerprint_count(params); ++raw) {
          const double each = (raw <= 1 ? 2 : 1) / fingerprints;
          for (std::uint64_t bucket = 0; bucket < params.bucket_count; ++bucket) {
            const double homes = bucket == 0 ? 1 : 2;  // the two homes of one key in m coincide
            const double misses = std::pow(1 - each * homes / buckets, static_cast<double>(size));
            sum += (1 - misses) / fingerprints / buckets;
          }
        }
        EXPECT_NEAR(false_positive_rate(params, size), sum, 1e-12) << testing::text_of(params) << " size=" << size;
      }
    });
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
