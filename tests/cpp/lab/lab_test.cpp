// The lab's filters that are bits or cells without buckets: Bloom filters of all sorts and the binary fuse filter.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "lab/binary_fuse.h"
#include "lab/blocked_bloom.h"
#include "lab/bloom.h"
#include "lab/counting_bloom.h"
#include "lab_model.h"

namespace lab {
namespace {

static_assert(GrowingSet<BloomFilter> && GrowingSet<BlockedBloomFilter> && GrowingSet<SplitBlockBloomFilter>);
static_assert(ErasingSet<CountingBloomFilter> && !ErasingSet<BloomFilter>);
static_assert(Filter<BinaryFuseFilter> && !GrowingSet<BinaryFuseFilter>);

TEST(Lab, BloomFiltersFindTheirKeysAndErrAsTheirFormulasSay) {
  for (const double bits : {3.0, 8.0, 13.0}) {
    for (const std::uint64_t capacity : {1, 100, 400'000}) {
      const std::string text = std::to_string(capacity) + " keys of " + std::to_string(bits) + " bits";
      const std::uint64_t asked = capacity < 400'000 ? 0 : 200'000;  // a small filter's own rate varies too much
      expect_a_sound_set(*BloomFilter::create(capacity, bits), asked, "Bloom, " + text);
      expect_a_sound_set(*BlockedBloomFilter::create(capacity, bits), asked, "blocked Bloom, " + text);
      expect_a_sound_set(*SplitBlockBloomFilter::create(capacity, bits), asked, "split block Bloom, " + text);
      expect_a_sound_set(*CountingBloomFilter::create(capacity, 4 * bits), asked, "counting Bloom, " + text);
    }
  }
  EXPECT_EQ(BloomFilter::create(1'000, 13)->hash_count(), 9u);  // as in Fan et al. 2014, section 7.1
}

TEST(Lab, EveryBitOfALargeBloomFilterIsAsLikely) {
  // Of 2^32 numbers, 3 * 2^30 bits would get 1 or 2 each: those of one residue mod 3 half of all.
  constexpr std::uint64_t kBits = std::uint64_t{3} << 30;
  Random random(11);
  constexpr int kKeys = 100'000;
  int in_first = 0;
  for (int i = 0; i < kKeys; ++i) {
    (void)each_position(Hash{random.next()}, 9, kBits, [&](std::uint64_t bit) {
      EXPECT_LT(bit, kBits);
      in_first += bit % 3 == 0 ? 1 : 0;
      return true;
    });
  }
  EXPECT_NEAR(in_first, 3 * kKeys, 5 * std::sqrt(9.0 * kKeys * 2 / 9));
}

TEST(Lab, ALookupOfABlockedFilterTouchesOneCacheLine) {
  BlockedBloomFilter blocked = *BlockedBloomFilter::create(10'000, 13);
  SplitBlockBloomFilter split = *SplitBlockBloomFilter::create(10'000, 13);
  Random random(3);
  for (int i = 0; i < 10'000; ++i) {
    const Hash key = hash_of(random);
    blocked.insert(key);
    split.insert(key);
    std::set<std::uint64_t> lines[2];
    (void)blocked.look_up(key, [&](std::uint64_t byte, std::uint32_t) { lines[0].insert(byte / 64); });
    (void)split.look_up(key, [&](std::uint64_t byte, std::uint32_t bytes) {
      lines[1].insert(byte / 64);
      lines[1].insert((byte + bytes - 1) / 64);
    });
    ASSERT_EQ(lines[0].size(), 1u);
    ASSERT_EQ(lines[1].size(), 1u);
  }
}

TEST(Lab, ASplitBlockIsThatOfParquet) {
  // The block of a key as the specification computes it, bit by bit.
  SplitBlockBloomFilter filter = *SplitBlockBloomFilter::create(1, 256);
  ASSERT_EQ(filter.byte_count(), 32u);
  const std::uint64_t key = 0x0123456789ABCDEF;
  filter.insert(Hash{key});
  const std::uint32_t salts[] = {0x47b6137bu, 0x44974d91u, 0x8824ad5bu, 0xa2b7289du,
                                 0x705495c7u, 0x2df1424bu, 0x9efc4947u, 0x5c6bfb31u};
  for (std::uint32_t word = 0; word < 8; ++word) {
    const std::uint32_t bit = static_cast<std::uint32_t>(key) * salts[word] >> 27;
    std::uint32_t stored = 0;
    for (std::uint32_t byte = 0; byte < 4; ++byte) stored |= std::uint32_t{filter.bytes()[4 * word + byte]} << 8 * byte;
    EXPECT_EQ(stored, 1u << bit);
  }
}

TEST(Lab, CountersOfABloomFilterLoseNoKey) {
  for (const double bits : {8.0, 20.0, 52.0}) {
    churn(*CountingBloomFilter::create(200, bits), 400, 20'000, 3, "counting Bloom", kNoCheck);
  }
}

TEST(Lab, ASaturatedCounterStays) {
  CountingBloomFilter filter = *CountingBloomFilter::create(1'000, 40);
  for (int copies = 0; copies < 20; ++copies) filter.insert(Hash{12345});
  EXPECT_GT(filter.saturated(), 0u);
  for (int copies = 0; copies < 20; ++copies) EXPECT_TRUE(filter.erase(Hash{12345}));
  EXPECT_EQ(filter.size(), 0u);
  EXPECT_TRUE(filter.contains(Hash{12345}));  // what saturation loses: the counters are not freed
}

TEST(Lab, BloomFiltersRefuseNoKeyAndErrAsTheirFormulasSayPastTheirCapacity) {
  const auto overfilled = [](auto filter, const std::string& text) {
    Random random(3);
    std::vector<Hash> keys;
    for (int i = 0; i < 600'000; ++i) keys.push_back(hash_of(random));
    for (const Hash key : keys) ASSERT_TRUE(filter.insert(key)) << text;
    for (const Hash key : keys) ASSERT_TRUE(filter.contains(key)) << text;
    expect_promised_rate(filter, 200'000, text);
  };
  overfilled(*BloomFilter::create(300'000, 8), "Bloom");
  overfilled(*BlockedBloomFilter::create(300'000, 8), "blocked Bloom");
  overfilled(*SplitBlockBloomFilter::create(300'000, 8), "split block Bloom");
  overfilled(*CountingBloomFilter::create(300'000, 32), "counting Bloom");
}

TEST(Lab, SaturationLosesTheShareOfCountersThatReachedFifteen) {
  // Twelve counts on each counter, where one is usual: all keys are erased, and what is found then is found for ever.
  CountingBloomFilter filter = *CountingBloomFilter::create(20'000, 4 * 8, 6);
  Random random(21);
  std::vector<Hash> keys;
  for (int i = 0; i < 320'000; ++i) keys.push_back(hash_of(random));
  for (const Hash key : keys) filter.insert(key);
  for (const Hash key : keys) ASSERT_TRUE(filter.erase(key));
  EXPECT_EQ(filter.size(), 0u);
  const double share = static_cast<double>(filter.saturated()) / (20'000 * 8);
  EXPECT_GT(share, 0.1);
  EXPECT_LT(share, 0.4);  // 0.23 of Poisson's law reach 15 at a mean of 12
  std::uint64_t found = 0;
  constexpr std::uint64_t kAsked = 400'000;
  for (std::uint64_t i = 0; i < kAsked; ++i) found += filter.contains(hash_of(random)) ? 1 : 0;
  const double mean = std::pow(share, 6) * kAsked;
  EXPECT_NEAR(static_cast<double>(found), mean, 3.3 * std::sqrt(mean) + 0.05 * mean + 1);
  // At the usual nine of thirteen no counter gets there.
  CountingBloomFilter usual = *CountingBloomFilter::create(300'000, 4 * 13);
  for (int i = 0; i < 300'000; ++i) usual.insert(hash_of(random));
  EXPECT_EQ(usual.saturated(), 0u);
}

TEST(Lab, ABinaryFuseFilterHasItsKeysAndFewBits) {
  for (const std::uint32_t bits : {1u, 8u, 12u, 16u, 32u}) {
    for (const std::uint64_t count : {0, 1, 2, 3, 10, 100, 1'000, 100'000}) {
      Random random(count + bits);
      std::vector<Hash> keys;
      for (std::uint64_t i = 0; i < count; ++i) keys.push_back(hash_of(random));
      if (count > 2) keys.push_back(keys[1]);  // twice
      Result<BinaryFuseFilter> filter = BinaryFuseFilter::build(keys, bits);
      ASSERT_TRUE(filter) << count;
      for (const Hash key : keys) ASSERT_TRUE(filter->contains(key)) << count << " keys of " << bits;
      EXPECT_EQ(filter->size(), count);
      if (count < 100'000) continue;
      EXPECT_LT(8 * static_cast<double>(filter->byte_count()) / static_cast<double>(count), 1.2 * bits);
      expect_promised_rate(*filter, 100'000, "binary fuse of " + std::to_string(bits));
    }
  }
}

TEST(Lab, SizesOutOfRangeAreRefused) {
  EXPECT_EQ(BloomFilter::create(0, 8).error(), Error::out_of_range);
  EXPECT_EQ(BloomFilter::create(std::uint64_t{1} << 40, 8).error(), Error::out_of_range);
  EXPECT_EQ(BloomFilter::create(8, NAN).error(), Error::out_of_range);
  EXPECT_EQ(BinaryFuseFilter::build({}, 0).error(), Error::out_of_range);
}

}  // namespace
}  // namespace lab
