// The room of planned tables: that they hold the keys they are planned for, small ones and those that grow.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cases.h"
#include "cuckoo/filters/filter.h"
#include "cuckoo/plan.h"
#include "random.h"
#include "requests.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::request_of;

/// ln(n choose k).
double log_choices(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

/// Expected number of groups of k of the m buckets that are both candidate buckets of more keys than they have slots,
/// for n keys: of each k, m choose k times the chance that a binomial variable of n trials with (k / m)^2 exceeds k b.
/// Where there is none, by Hall's theorem, a placement of all keys exists.
double overfull_groups(const Params& params, std::uint64_t capacity) {
  const auto m = static_cast<double>(params.bucket_count);
  const auto n = static_cast<double>(capacity);
  double expected = 0;
  for (double k = 1; k < m; ++k) {
    const double first = k * params.bucket_size + 1;
    if (first > n) break;
    const double share = (k / m) * (k / m);
    for (double keys = first; keys <= n; ++keys) {
      expected +=
          std::exp(log_choices(m, k) + log_choices(n, keys) + keys * std::log(share) + (n - keys) * std::log1p(-share));
    }
  }
  return expected;
}

TEST(Plan, HoldsWhatSmallTablesCanPlace) {
  for (std::uint32_t b = 2; b <= kMaxBucketSize; ++b) {
    for (std::uint64_t m = 2; m <= 32; ++m) {
      Params params;
      params.bucket_size = b;
      params.bucket_count = m;
      params.capacity = 1;
      while (params.capacity < slot_count(params) && holds_capacity(params)) ++params.capacity;
      --params.capacity;
      EXPECT_LT(overfull_groups(params, params.capacity), most_failures(params)) << testing::text_of(params);
    }
  }
}

TEST(Plan, AlmostNoTableForFewKeysRefusesOne) {
  for (const double rate : {0.5, 0.1, 0.03, 0.01, 0.003, 0.001, 1e-4, 1e-6}) {
    for (const std::uint32_t value_bits : {0u, 8u}) {
      for (std::uint64_t capacity = 1; capacity <= 128; ++capacity) {
        Request request = request_of(capacity, rate);
        request.value_bits = value_bits;
        const Params params = *plan(request);
        if (fits_one_bucket(params)) continue;
        const double times = std::max(1.0, static_cast<double>(capacity) / 32);
        const double most = std::min(1e-6, 1e-8 * std::pow(times, 4) * (1 + 1e-12));
        EXPECT_LT(expected_obstructions(params), most) << testing::text_of(params);
      }
    }
  }
}

TEST(Plan, CountsKeysOfOneFingerprintHoweverRareTheyAre) {
  Params params;
  params.capacity = 800'000'000;
  params.bucket_count = 210'000'000;
  params.fingerprint_bits = 7;
  // t keys with one of 126 fingerprints of probability 1 / 128, or with that of 2 / 128.
  const auto groups = [](int t) {
    double choices = 1;
    for (int i = 0; i < t; ++i) choices *= (8e8 - i) / (t - i);
    return choices * (126 * std::pow(128.0, -t) + std::pow(64.0, -t));
  };
  // 2 b + 1 = 9 of them with one pair of candidate buckets, or b + 1 = 5 with one bucket for both.
  const double in_two = groups(9) * std::pow(2 / 2.1e8, 8);
  const double in_one = groups(5) * std::pow(1 / 2.1e8, 5) * kUnluckyOffsets;
  EXPECT_NEAR(expected_obstructions(params) / (in_two + in_one), 1, 0.01);
}

/// As `crowds_among`, summed over all buckets or pairs of buckets, where raw fingerprints have these offsets.
double crowds_by_offsets(const Params& params, const std::vector<std::uint64_t>& offsets, std::uint32_t k,
                         std::uint32_t t) {
  const std::uint64_t m = params.bucket_count;
  std::vector<int> links(m * m);
  for (const std::uint64_t offset : offsets) {
    for (std::uint64_t bucket = 0; bucket < m; ++bucket) ++links[bucket * m + (offset + m - bucket) % m];
  }
  const auto all = static_cast<double>(m * offsets.size());
  double sum = 0;
  for (std::uint64_t one = 0; one < m; ++one) {
    const int in_one = links[one * m + one];
    if (k == 1) sum += std::pow(in_one / all, t);
    for (std::uint64_t other = one + 1; k == 2 && other < m; ++other) {
      sum += std::pow((2 * links[one * m + other] + in_one + links[other * m + other]) / all, t);
    }
  }
  return sum * std::exp(log_choices(static_cast<double>(params.capacity), t));
}

TEST(Plan, CountsCrowdsInPairsOfBucketsAsRandomOffsetsMakeThem) {
  testing::Random random(7);
  for (const std::uint32_t b : {1u, 2u}) {
    const Params params = testing::params_of(101, b, 7);
    const int tables = 500;
    double by_offsets = 0;
    for (int table = 0; table < tables; ++table) {
      std::vector<std::uint64_t> offsets(fingerprint_count(params));
      for (std::uint64_t& offset : offsets) offset = random.below(params.bucket_count);
      offsets[0] = offsets[1];  // 0 becomes 1
      by_offsets += crowds_by_offsets(params, offsets, 2, 2 * b + 1) / tables;
    }
    const double pairs = 101.0 * 100 / 2;
    EXPECT_NEAR(pairs * crowds_among(params, 2, 2 * b + 1) / by_offsets, 1, 0.05) << b;
  }
}

TEST(Plan, CountsCrowdsInOneBucketForTheOffsetsOfNearlyEveryBucketCount) {
  int above = 0;
  for (std::uint64_t m = 50; m <= 400; ++m) {
    const Params params = testing::params_of(m, 4, 5);
    std::vector<std::uint64_t> offsets;
    for (std::uint32_t raw = 0; raw < fingerprint_count(params); ++raw) {
      offsets.push_back(alternate_offset(stored_fingerprint(raw), m));
    }
    const double by_offsets = crowds_by_offsets(params, offsets, 1, 5);
    const double expected = static_cast<double>(m) * crowds_among(params, 1, 5);
    EXPECT_LE(by_offsets, 1.5 * expected) << m;
    above += by_offsets > expected;
  }
  EXPECT_LE(above, 10);
}

/// Builds filters of `params` with `capacity` distinct random keys each, and returns how many refused one.
int failed_builds(const Params& params, int builds, testing::Random& random) {
  auto filter = Filter::create(params);
  int failures = 0;
  for (int build = 0; build < builds; ++build) {
    filter->clear();
    for (std::uint64_t i = 0; i < params.capacity; ++i) {
      if (filter->insert(Hash{random.next()}) == InsertOutcome::inserted) continue;
      ++failures;
      break;
    }
  }
  return failures;
}

class Builds : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(Builds, TenThousandTakeAllKeysTheyAreMadeFor) {
  testing::Random random(GetParam());
  const int builds = GetParam() < 1000 ? 10000 : testing::runs(500, 10000);
  EXPECT_EQ(failed_builds(*plan(request_of(GetParam())), builds, random), 0);
}
INSTANTIATE_TEST_SUITE_P(Plan, Builds, ::testing::Values(1, 2, 3, 5, 10, 30, 100, 1000, 10000));

TEST(Plan, AHundredBuildsTakeAllKeysAtEveryRateAndBucketSize) {
  testing::Random random(8);
  for (const double rate : {0.3, 0.03, 0.01, 1e-5}) {
    for (std::uint32_t b = 1; b <= kMaxBucketSize; ++b) {
      for (const std::uint64_t capacity : {1, 2, 3, 7, 8, 9, 20, 50, 200, 1000}) {
        Request request = request_of(capacity, rate);
        request.bucket_size = b;
        const auto params = plan(request);
        EXPECT_EQ(failed_builds(*params, 100, random), 0) << testing::text_of(*params);
      }
    }
  }
}

TEST(Plan, ShortFingerprintsMakeALargerTableThatHolds) {
  testing::Random random(6);
  for (const std::uint32_t f : {4u, 5u, 8u, 32u}) {
    for (const std::uint32_t b : {2u, 4u, 8u}) {
      Request request = request_of(2000);
      request.fingerprint_bits = f;
      request.bucket_size = b;
      const auto params = plan(request);
      ASSERT_TRUE(params);
      EXPECT_EQ(failed_builds(*params, 50, random), 0) << testing::text_of(*params);
    }
  }
}

TEST(Plan, ATableThatGrowsIsAtLastAsSmallAsOneMadeForItAndBeginsNearItsCapacity) {
  for (const double rate : {0.03, 0.001, 1e-6}) {
    for (const std::uint64_t most : {1u, 10u, 1000u, 54321u, 1000000u, 20000000u}) {
      for (const std::uint64_t capacity : {1u, 7u, 500u, 1000u, 54320u, 1000000u}) {
        if (capacity > most) continue;
        for (const Addressing addressing : {Addressing::reflect, Addressing::xor_power_of_two}) {
          Request request = request_of(capacity, rate);
          request.max_capacity = most;
          request.addressing = addressing;
          const auto first = plan(request);
          ASSERT_TRUE(first) << capacity << " " << most;
          ASSERT_EQ(invalid_field(*first), Field::none);
          const Params last = grown(*first);
          request.max_capacity.reset();
          request.capacity = most;
          const auto direct = plan(request);
          EXPECT_EQ(last.capacity, most);
          EXPECT_EQ(last.fingerprint_bits, direct->fingerprint_bits);
          EXPECT_EQ(last.storage, direct->storage);
          EXPECT_LE(static_cast<double>(last.bucket_count),
                    static_cast<double>(direct->bucket_count) * (1 + 1.0 / 128));
          EXPECT_LE(false_positive_rate(*first, most), rate);
          EXPECT_EQ(false_positive_rate(*first, most / 2), false_positive_rate(last, most / 2));
          EXPECT_GE(present_capacity(*first), capacity);
          // The first table is no more than about twice what its capacity needs, or as small as doublings are allowed.
          Params half = *first;
          half.bucket_count = (first->bucket_count + 1) / 2;
          half.capacity = capacity;
          const bool is_smallest = first->bucket_count < 256 || entry_bits(*first) == kMaxFingerprintBits;
          half.reserved_bits = 0;
          EXPECT_TRUE(is_smallest || present_capacity(*first) / 2 < capacity || !holds_capacity(half))
              << capacity << " of " << most << ": " << testing::text_of(*first);
        }
      }
    }
  }
}

TEST(Plan, ATableThatGrowsBeginsAsSmallAsOneIn128BucketsTooManyAllows) {
  for (std::uint64_t most = 1000; most < 300'000; most += 997) {
    Request request = request_of(most);
    const std::uint64_t direct = plan(request)->bucket_count;
    request.capacity = 1;
    request.max_capacity = most;
    const Params first = *plan(request);
    const std::uint64_t excess = grown_bucket_count(first) - direct;
    EXPECT_LE(128 * excess, direct) << most;
    if (entry_bits(first) == kMaxFingerprintBits) continue;
    const std::uint64_t half = (first.bucket_count + 1) / 2;
    EXPECT_GT(128 * ((half << (first.reserved_bits + 1)) - direct), direct) << most;
  }
}

TEST(Plan, AGivenBucketCountIsTheFirstTables) {
  Request request = request_of(5);
  request.bucket_count = 3;
  request.max_capacity = 1000;
  const auto params = plan(request);
  ASSERT_TRUE(params);
  EXPECT_EQ(params->bucket_count, 3u);
  EXPECT_TRUE(holds_capacity(grown(*params)));
  Params half = grown(*params);
  half.bucket_count /= 2;
  EXPECT_FALSE(holds_capacity(half));
  request.capacity = 3 * 8 + 1;
  EXPECT_EQ(plan(request).field(), Field::capacity);
}

}  // namespace
}  // namespace cuckoo
