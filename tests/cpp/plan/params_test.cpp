#include "cuckoo/params.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cases.h"
#include "cuckoo/detail/entries/location.h"
#include "cuckoo/filters/expiring.h"
#include "cuckoo/filters/filter.h"
#include "cuckoo/rate.h"

namespace cuckoo {

using namespace detail;
namespace {

TEST(Params, ATableThatIsToGrowHoldsItsShareOfAllKeysOrHalfOfItsSlotsRoundedUp) {
  Params params = testing::params_of(3, 1, 8);
  params.capacity = 1;
  EXPECT_EQ(present_capacity(params), 1u);
  params.reserved_bits = 1;
  EXPECT_EQ(present_capacity(params), 2u);
  params.capacity = 5;
  EXPECT_EQ(present_capacity(params), 2u);
  params.capacity = 6;
  EXPECT_EQ(present_capacity(params), 3u);
  params.reserved_bits = 2;
  params.capacity = 12;
  EXPECT_EQ(present_capacity(params), 3u);
}

TEST(Params, EveryParameterHasItsRange) {
  const auto field_of = [](auto change) {
    Params params = testing::params_of(16, 4, 12);
    change(params);
    return invalid_field(params);
  };
  const auto none = Field::none;
  EXPECT_EQ(field_of([](Params&) {}), none);
  EXPECT_EQ(field_of([](Params& p) { p.bucket_size = 0; }), Field::bucket_size);
  EXPECT_EQ(field_of([](Params& p) { p.bucket_size = 8; }), none);
  EXPECT_EQ(field_of([](Params& p) { p.bucket_size = 9; }), Field::bucket_size);
  EXPECT_EQ(field_of([](Params& p) { p.fingerprint_bits = 1; }), Field::fingerprint_bits);
  EXPECT_EQ(field_of([](Params& p) { p.fingerprint_bits = 2; }), none);
  EXPECT_EQ(field_of([](Params& p) { p.fingerprint_bits = 32; }), none);
  EXPECT_EQ(field_of([](Params& p) { p.fingerprint_bits = 33; }), Field::fingerprint_bits);
  EXPECT_EQ(field_of([](Params& p) { p.storage = static_cast<Storage>(2); }), Field::semi_sort);
  EXPECT_EQ(field_of([](Params& p) { p.addressing = static_cast<Addressing>(2); }), Field::addressing);
  EXPECT_EQ(field_of([](Params& p) { p.hash = static_cast<HashAlgorithm>(0); }), Field::hash);
  EXPECT_EQ(field_of([](Params& p) { p.hash = HashAlgorithm::siphash_1_3, p.seed = 0; }), none);
  EXPECT_EQ(field_of([](Params& p) { p.hash = static_cast<HashAlgorithm>(3), p.seed = 0; }), Field::hash);
  const auto sorted = [&](std::uint32_t bucket_size, std::uint32_t bits, std::uint32_t quarters) {
    return field_of([=](Params& p) {
      p.storage = Storage::semi_sorted;
      p.bucket_size = bucket_size;
      p.fingerprint_bits = bits;
      p.spared_quarters = quarters;
      p.capacity = 1;
    });
  };
  EXPECT_EQ(sorted(3, 12, 0), Field::semi_sort);
  EXPECT_EQ(sorted(4, 4, 0), Field::semi_sort);
  EXPECT_EQ(sorted(4, 5, 0), none);
  EXPECT_EQ(sorted(4, 32, 0), none);
  EXPECT_EQ(sorted(4, 5, 1), Field::fingerprint_bits);
  EXPECT_EQ(sorted(4, 6, 3), none);
  EXPECT_EQ(sorted(4, 24, 1), none);
  EXPECT_EQ(sorted(4, 25, 1), Field::fingerprint_bits);
  EXPECT_EQ(sorted(4, 12, 4), Field::fingerprint_bits);
  EXPECT_EQ(field_of([](Params& p) { p.spared_quarters = 1; }), Field::fingerprint_bits);  // plain
  EXPECT_EQ(field_of([](Params& p) { p.bucket_count = 0; }), Field::bucket_count);
  EXPECT_EQ(field_of([](Params& p) { p.bucket_count = kMaxBucketCount; }), none);
  EXPECT_EQ(field_of([](Params& p) { p.bucket_count = kMaxBucketCount + 1; }), Field::bucket_count);
  EXPECT_EQ(field_of([](Params& p) { p.bucket_count = 17, p.addressing = Addressing::xor_power_of_two; }),
            Field::bucket_count);
  EXPECT_EQ(field_of([](Params& p) { p.reserved_bits = 20; }), none);
  EXPECT_EQ(field_of([](Params& p) { p.reserved_bits = 21; }), Field::max_capacity);
  EXPECT_EQ(field_of([](Params& p) { p.fingerprint_bits = 2, p.reserved_bits = 28; }), none);
  EXPECT_EQ(field_of([](Params& p) { p.fingerprint_bits = 2, p.reserved_bits = 29; }), Field::max_capacity);
  EXPECT_EQ(field_of([](Params& p) { p.capacity = 0; }), Field::capacity);
  EXPECT_EQ(field_of([](Params& p) { p.capacity = 64; }), none);
  EXPECT_EQ(field_of([](Params& p) { p.capacity = 65; }), Field::capacity);
  EXPECT_EQ(field_of([](Params& p) { p.capacity = 65, p.reserved_bits = 1; }), none);
  const auto largest = [&](std::uint64_t capacity) {
    return field_of([=](Params& p) { p.bucket_size = 8, p.bucket_count = kMaxBucketCount, p.capacity = capacity; });
  };
  EXPECT_EQ(largest(kMaxCapacity), none);
  EXPECT_EQ(largest(kMaxCapacity + 1), Field::capacity);
  EXPECT_EQ(field_of([](Params& p) { p.hash = HashAlgorithm::siphash_1_3; }), Field::seed);
  EXPECT_EQ(field_of([](Params& p) { p.hash = HashAlgorithm::siphash_1_3, p.seed = 0; }), none);
}

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
            const double buckets_to_read = bucket == 0 ? 1 : 2;  // the two candidate buckets of one key in m coincide
            const double misses = std::pow(1 - each * buckets_to_read / buckets, static_cast<double>(size));
            sum += (1 - misses) / fingerprints / buckets;
          }
        }
        EXPECT_NEAR(false_positive_rate(params, size), sum, 1e-12) << testing::text_of(params) << " size=" << size;
      }
    });
  }
}

/// The rate with the candidate buckets that each fingerprint has, where `false_positive_rate` takes those of one key in
/// m to coincide.
double rate_of_homes(const Params& params, std::uint64_t size) {
  const auto fingerprints = static_cast<double>(fingerprint_count(params));
  const auto buckets = static_cast<double>(params.bucket_count);
  double sum = 0;
  for (std::uint32_t raw = 0; raw < fingerprint_count(params); ++raw) {
    const double each = (raw <= 1 ? 2 : 1) / fingerprints;
    for (std::uint64_t bucket = 0; bucket < params.bucket_count; ++bucket) {
      const std::uint64_t other =
          alternate_bucket(bucket, stored_fingerprint(raw), params.addressing, params.bucket_count);
      const double buckets_to_read = bucket == other ? 1 : 2;
      sum += (1 - std::pow(1 - each * buckets_to_read / buckets, static_cast<double>(size))) / fingerprints / buckets;
    }
  }
  return sum;
}

TEST(FalsePositiveRate, IsExactForAnOddBucketCountAndOffByAShareOfOneInTwiceTheBucketsAtMostForAnEvenOne) {
  for (const std::uint64_t m : {1, 3, 15, 97, 501, 2, 4, 16, 50, 64, 256, 1000}) {
    for (std::uint32_t f = 2; f <= 10; ++f) {
      const Params params = testing::params_of(m, 4, f);
      const std::uint64_t size = slot_count(params) * 9 / 10;
      const double share = rate_of_homes(params, size) / false_positive_rate(params, size) - 1;
      EXPECT_LE(std::abs(share), m % 2 == 1 ? 1e-10 : 1 / (2.0 * static_cast<double>(m))) << m << " x " << f;
    }
  }
  const Params params = testing::params_of(16, 7, 5);
  EXPECT_NEAR(rate_of_homes(params, 100) / false_positive_rate(params, 100), 1.0096, 0.0005);
}

TEST(FalsePositiveRate, IsOffByXorsFewOffsetsAsMuchAsTheDocumentSays) {
  struct Bound {
    std::uint64_t bucket_count;
    double share;
  };
  for (const auto& [m, most] : {Bound{16, 0.0255}, {64, 0.008}, {1024, 0.0006}}) {
    double largest = 0;
    for (std::uint32_t f = 2; f <= 10; ++f) {
      const Params params = testing::params_of(m, 4, f, Addressing::xor_power_of_two);
      const std::uint64_t size = slot_count(params) * 9 / 10;
      largest = std::max(largest, std::abs(rate_of_homes(params, size) / false_positive_rate(params, size) - 1));
    }
    EXPECT_LE(largest, most) << m;
    EXPECT_GE(largest, most / 2) << m;
  }
}

TEST(Params, ValuesAndReservedBitsShareWhatTheFingerprintLeaves) {
  Params params = testing::params_of(16, 4, 20);
  params.value_bits = 8;
  params.reserved_bits = 4;
  EXPECT_EQ(invalid_field(params), Field::none);
  params.reserved_bits = 5;
  EXPECT_EQ(invalid_field(params), Field::max_capacity);
}

// What has values of its own decides their width; a plain filter has none.
TEST(Params, FiltersRefuseValuesThatTheyDoNotHave) {
  Params params = testing::params_of(16, 4, 20);
  params.value_bits = 1;
  EXPECT_EQ(Filter::create(params).error(), Error::out_of_range);
  EXPECT_TRUE(ExpiringFilter::create(params, 2));
  EXPECT_EQ(ExpiringFilter::create(params, 3).field(), Field::value_bits);
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
