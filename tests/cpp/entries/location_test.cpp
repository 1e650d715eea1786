#include "cuckoo/detail/entries/location.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "cases.h"
#include "cuckoo/detail/entries/batch.h"
#include "random.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::for_all_params;
using testing::text_of;

TEST(Location, AlternateIsItsOwnInverseForEveryBucketAndFingerprintOfSmallTables) {
  for (std::uint64_t m = 1; m <= 70; ++m) {
    for (std::uint32_t fingerprint = 1; fingerprint < 300; ++fingerprint) {
      for (std::uint32_t bucket = 0; bucket < m; ++bucket) {
        for (const Addressing addressing : {Addressing::reflect, Addressing::xor_power_of_two}) {
          if (addressing == Addressing::xor_power_of_two && !std::has_single_bit(m)) continue;
          const std::uint64_t other = alternate_bucket(bucket, fingerprint, addressing, m);
          ASSERT_LT(other, m);
          ASSERT_EQ(alternate_bucket(other, fingerprint, addressing, m), bucket) << m << " " << fingerprint;
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
          ASSERT_GT(at.primary.entry, 0u);
          ASSERT_EQ(at.primary.entry >> (params.fingerprint_bits - 1) >> 1, 0u) << text_of(params);
          ASSERT_LT(at.primary.bucket, params.bucket_count);
          ASSERT_LT(at.alternate.bucket, params.bucket_count);
          ASSERT_EQ(alternate_bucket(at.alternate.bucket, at.primary.entry, params.addressing, params.bucket_count),
                    at.primary.bucket)
              << text_of(params);
        }
      });
}

TEST(Location, AHashIsKnownForWhatLiesInABucket) {
  testing::Random random(3);
  for_all_params({1, 2, 3, 97, 4096, 1000003, kMaxBucketCount - 1, kMaxBucketCount}, [&](const Params& params) {
    for (int i = 0; i < 50; ++i) {
      const Location at = locate(Hash{random.next()}, params);
      const Location turned = {at.alternate, at.primary};
      ASSERT_EQ(locate(hash_at(at.primary, params), params), at) << text_of(params);
      ASSERT_EQ(locate(hash_at(at.alternate, params), params), turned) << text_of(params);
      ASSERT_EQ(other(at.primary, params), at.alternate) << text_of(params);
      ASSERT_EQ(other(at.alternate, params), at.primary) << text_of(params);
    }
  });
}

// Candidate buckets of a growable table are those of the grown one, whose lowest bits stand in the slots.
TEST(Location, AGrowableTableKnowsTheBucketsThatItWillHave) {
  testing::Random random(4);
  for_all_params({1, 3, 64, 1000003}, [&](Params params) {
    for (const std::uint32_t reserved : {1u, 7u, kMaxFingerprintBits - params.fingerprint_bits}) {
      params.reserved_bits = reserved;
      if (reserved == 0 || invalid_field(params) != Field::none) continue;
      for (int i = 0; i < 20; ++i) {
        const Hash hash{random.next()};
        const Location at = locate(hash, params);
        const Location last = locate(hash, grown(params));
        const auto grown_bucket = [&](Candidate here) {
          return std::uint64_t{here.bucket} << reserved | std::uint64_t{here.entry} >> params.fingerprint_bits;
        };
        ASSERT_EQ(grown_bucket(at.primary), last.primary.bucket) << text_of(params);
        ASSERT_EQ(grown_bucket(at.alternate), last.alternate.bucket) << text_of(params);
        ASSERT_EQ(fingerprint_of(at.primary.entry, params), last.primary.entry);
        ASSERT_EQ(fingerprint_of(at.alternate.entry, params), last.primary.entry);
        ASSERT_EQ(other(at.primary, params), at.alternate) << text_of(params);
        ASSERT_EQ(other(at.alternate, params), at.primary) << text_of(params);
        ASSERT_EQ(locate(hash_at(at.primary, params), params), at) << text_of(params);
        const Location turned = {at.alternate, at.primary};
        ASSERT_EQ(locate(hash_at(at.alternate, params), params), turned) << text_of(params);
      }
    }
  });
}

TEST(Location, AValueGoesAlongAndDecidesNothing) {
  testing::Random random(5);
  for_all_params({1, 3, 64, 1000003}, [&](Params params) {
    for (const std::uint32_t reserved : {0u, 3u}) {
      params.reserved_bits = reserved;
      params.value_bits = 0;
      if (invalid_field(params) != Field::none) continue;
      const Location at = locate(Hash{random.next()}, params);
      params.value_bits = kMaxFingerprintBits - params.fingerprint_bits - params.reserved_bits;
      const auto value = static_cast<std::uint32_t>(random.next() & ((std::uint64_t{1} << params.value_bits) - 1));
      const auto with = [&](Candidate here) { return Candidate{here.bucket, with_value(here.entry, value, params)}; };
      ASSERT_EQ(other(with(at.primary), params), with(at.alternate)) << text_of(params);
      ASSERT_EQ(other(with(at.alternate), params), with(at.primary)) << text_of(params);
      ASSERT_EQ(hash_at(with(at.primary), params), hash_at(at.primary, params)) << text_of(params);
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
      ++primaries[at.primary.bucket];
      ++alternates[at.alternate.bucket];
    }
    for (std::uint64_t bucket = 0; bucket < m; ++bucket) {
      EXPECT_NEAR(primaries[bucket], 1000, 170) << bucket << " of " << m;
      EXPECT_NEAR(alternates[bucket], 1000, 170) << bucket << " of " << m;
    }
  }
}

TEST(Location, AGroupIsLocatedUpToItsLastHashAndNoFurther) {
  testing::Random random(4);
  for (const std::uint32_t reserved_bits : {0u, 2u}) {
    Params params = testing::params_of(97, 4, 12);
    params.reserved_bits = reserved_bits;
    std::vector<Hash> hashes(5);
    for (Hash& hash : hashes) hash = Hash{random.next()};
    const Location untouched{{7, 7}, {7, 7}};
    std::vector<Location> locations(hashes.size(), untouched);
    locate_chunk(params, std::span(hashes).first(4), locations.data());
    for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(locations[i] == locate(hashes[i], params)) << i;
    EXPECT_TRUE(locations[4] == untouched);
  }
}

}  // namespace
}  // namespace cuckoo
