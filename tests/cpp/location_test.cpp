#include "cuckoo/location.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "cases.h"
#include "random.h"

namespace cuckoo {
namespace {

using testing::for_all_params;
using testing::text_of;

TEST(Location, AlternateIsItsOwnInverseForEveryBucketAndFingerprintOfSmallTables) {
  for (std::uint64_t m = 1; m <= 70; ++m) {
    for (std::uint32_t fingerprint = 1; fingerprint < 300; ++fingerprint) {
      for (std::uint64_t bucket = 0; bucket < m; ++bucket) {
        for (const Addressing addressing : {Addressing::reflect, Addressing::xor_power_of_two}) {
          if (addressing == Addressing::xor_power_of_two && !std::has_single_bit(m)) continue;
          const std::uint64_t other = alternate(bucket, fingerprint, addressing, m);
          ASSERT_LT(other, m);
          ASSERT_EQ(alternate(other, fingerprint, addressing, m), bucket) << m << " " << fingerprint;
        }
      }
    }
  }
}

TEST(Location, AlternateIsItsOwnInverseUpToTheLargestTable) {
  testing::Random random(2);
  for_all_params(
      {1, 2, 3, 97, 4096, 1000003, std::uint64_t{1} << 31, kMaxBucketCount - 1, kMaxBucketCount},
      [&](const Params& params) {
        for (int i = 0; i < 50; ++i) {
          const Location at = locate(Hash{random.next()}, params);
          ASSERT_GT(at.fingerprint, 0u);
          ASSERT_EQ(at.fingerprint >> (params.fingerprint_bits - 1) >> 1, 0u) << text_of(params);
          ASSERT_LT(at.primary, params.bucket_count);
          ASSERT_LT(at.alternate, params.bucket_count);
          ASSERT_EQ(alternate(at.alternate, at.fingerprint, params.addressing, params.bucket_count), at.primary)
              << text_of(params);
        }
      });
}

TEST(Location, AHashIsKnownForWhatLiesInABucket) {
  testing::Random random(3);
  for_all_params({1, 2, 3, 97, 4096, 1000003, kMaxBucketCount - 1, kMaxBucketCount}, [&](const Params& params) {
    for (int i = 0; i < 50; ++i) {
      const Location at = locate(Hash{random.next()}, params);
      for (const std::uint64_t bucket : {at.primary, at.alternate}) {
        const Location again = locate(hash_at(bucket, at.fingerprint, params), params);
        ASSERT_EQ(again.fingerprint, at.fingerprint) << text_of(params);
        ASSERT_EQ(again.primary, bucket) << text_of(params);
        ASSERT_EQ(again.alternate, at.primary + at.alternate - bucket) << text_of(params);
      }
    }
  });
}

// The homes of a table that is still to grow are those of the grown one, whose lowest bits stand in the slots.
TEST(Location, AGrowingTableKeepsTheHomesThatItWillHave) {
  testing::Random random(4);
  for_all_params({1, 3, 64, 1000003}, [&](Params params) {
    for (const std::uint32_t reserved : {1u, 7u, kMaxFingerprintBits - params.fingerprint_bits}) {
      params.reserved_bits = reserved;
      if (reserved == 0 || invalid_field(params) != Field::none) continue;
      for (int i = 0; i < 20; ++i) {
        const Hash hash{random.next()};
        const Location at = locate(hash, params);
        const Location last = locate(hash, grown(params));
        const auto home = [&](std::uint64_t bucket, std::uint32_t content) {
          return bucket << reserved | std::uint64_t{content} >> params.fingerprint_bits;
        };
        ASSERT_EQ(home(at.primary, at.fingerprint), last.primary) << text_of(params);
        ASSERT_EQ(home(at.alternate, at.in_alternate), last.alternate) << text_of(params);
        ASSERT_EQ(fingerprint_in(at.fingerprint, params), last.fingerprint);
        ASSERT_EQ(fingerprint_in(at.in_alternate, params), last.fingerprint);
        ASSERT_EQ(other_bucket(at.primary, at.fingerprint, params), at.alternate);
        ASSERT_EQ(other_content(at.primary, at.fingerprint, params), at.in_alternate);
        ASSERT_EQ(other_bucket(at.alternate, at.in_alternate, params), at.primary) << text_of(params);
        ASSERT_EQ(other_content(at.alternate, at.in_alternate, params), at.fingerprint) << text_of(params);
        ASSERT_EQ(locate(hash_at(at.primary, at.fingerprint, params), params), at) << text_of(params);
        const Location turned = {at.in_alternate, at.fingerprint, at.alternate, at.primary};
        ASSERT_EQ(locate(hash_at(at.alternate, at.in_alternate, params), params), turned) << text_of(params);
      }
    }
  });
}

TEST(Location, OnlyAZeroFingerprintIsReplaced) {
  EXPECT_EQ(stored_fingerprint(0), 1u);
  for (std::uint32_t raw = 1; raw < 1000; ++raw) EXPECT_EQ(stored_fingerprint(raw), raw);
  EXPECT_EQ(raw_fingerprint(Hash{0xFFFFFFFFFFFFFF00u}, testing::params_of(1, 4, 8)), 0u);
  EXPECT_EQ(raw_fingerprint(Hash{0x123456789ABCDEF0u}, testing::params_of(1, 4, 32)), 0x9ABCDEF0u);
}

// Every fingerprint comes from as many of the 2^32 low halves as any other, but for one.
TEST(Location, FingerprintsWithQuartersAreAsFrequentAsEachOther) {
  for (std::uint32_t quarters = 1; quarters < 4; ++quarters) {
    Params params = testing::params_of(1, 4, 8);
    params.storage = Storage::semi_sorted;
    params.spared_quarters = quarters;
    std::map<std::uint32_t, int> counts;
    const std::uint64_t step = 1 << 12;
    for (std::uint64_t low = 0; low < std::uint64_t{1} << 32; low += step) ++counts[raw_fingerprint(Hash{low}, params)];
    EXPECT_EQ(counts.size(), fingerprint_count(params));
    const double expected = std::ldexp(1.0, 20) / static_cast<double>(fingerprint_count(params));
    for (const auto& [fingerprint, count] : counts) {
      EXPECT_LT(fingerprint & 31, low_values(quarters));
      EXPECT_NEAR(count, expected, 1) << fingerprint;
    }
  }
}

// Expected count 1,000 a bucket: five standard deviations are 158.
TEST(Location, BothHomesAreSpreadEvenly) {
  for (const std::uint64_t m : {std::uint64_t{7}, std::uint64_t{64}, std::uint64_t{1000}}) {
    testing::Random random(3);
    const Params params = testing::params_of(m, 4, 16);
    std::vector<int> primaries(m), alternates(m);
    for (std::uint64_t i = 0; i < 1000 * m; ++i) {
      const Location at = locate(Hash{random.next()}, params);
      ++primaries[at.primary];
      ++alternates[at.alternate];
    }
    for (std::uint64_t bucket = 0; bucket < m; ++bucket) {
      EXPECT_NEAR(primaries[bucket], 1000, 170) << bucket << " of " << m;
      EXPECT_NEAR(alternates[bucket], 1000, 170) << bucket << " of " << m;
    }
  }
}

}  // namespace
}  // namespace cuckoo
