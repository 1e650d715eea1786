#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lab/binary_fuse.h"
#include "lab/blocked_bloom.h"
#include "lab/bloom.h"
#include "lab/counting_bloom.h"
#include "lab/cuckoo.h"
#include "lab/cuckoo_hash_table.h"
#include "lab/cuckoo_table_set.h"
#include "lab/d_left.h"
#include "lab/filter.h"
#include "lab/quotient.h"
#include "random.h"

namespace lab {
namespace {

using cuckoo::testing::Random;

static_assert(GrowingSet<BloomFilter> && GrowingSet<BlockedBloomFilter> && GrowingSet<SplitBlockBloomFilter>);
static_assert(ErasingSet<CountingBloomFilter> && ErasingSet<DLeftCountingBloomFilter> && ErasingSet<QuotientFilter>);
static_assert(ErasingSet<CuckooFilter> && ErasingSet<CuckooTableSet>);
static_assert(Filter<BinaryFuseFilter> && !GrowingSet<BinaryFuseFilter>);

Hash hash_of(Random& random) { return Hash{random.next()}; }

/// The share of absent keys that are found lies within 3.3 standard deviations, 99.9 %, of the formula, and half a
/// hundredth more, as a filter's own rate varies with its keys.
template <class F>
void expect_promised_rate(const F& filter, std::uint64_t asked, const std::string& text) {
  Random random(0xABCDEF);
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < asked; ++i) found += filter.contains(hash_of(random)) ? 1 : 0;
  const double rate = filter.expected_rate();
  const double mean = rate * static_cast<double>(asked);
  EXPECT_NEAR(static_cast<double>(found), mean, 3.3 * std::sqrt(mean) + 0.005 * mean + 1) << text << ", rate " << rate;
}

/// Fills a filter, all of whose keys are found at every step that is looked at, and asks for absent ones.
template <class F>
void expect_a_sound_set(F filter, std::uint64_t asked, const std::string& text) {
  Random random(7);
  std::vector<Hash> keys;
  EXPECT_EQ(filter.expected_rate(), 0) << text;
  EXPECT_FALSE(filter.contains(Hash{1})) << text;
  for (std::uint64_t i = 0; i < filter.capacity(); ++i) {
    keys.push_back(hash_of(random));
    ASSERT_TRUE(filter.insert(keys.back())) << text << " key " << i << " of " << filter.capacity();
    ASSERT_TRUE(filter.contains(keys.back())) << text;
  }
  for (const Hash key : keys) ASSERT_TRUE(filter.contains(key)) << text;
  EXPECT_EQ(filter.size(), keys.size()) << text;
  expect_promised_rate(filter, asked, text);
}

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

/// Random inserts and erases against an exact multiset of keys: no key that is in is denied, no legitimate erase fails.
template <class F, class Check>
void churn(F filter, std::uint64_t distinct, std::uint64_t steps, std::uint64_t max_copies, const std::string& text,
           Check check) {
  Random random(distinct + steps);
  std::vector<Hash> keys;
  for (std::uint64_t i = 0; i < distinct; ++i) keys.push_back(hash_of(random));
  std::map<std::uint64_t, std::uint64_t> copies;
  std::uint64_t size = 0;
  for (std::uint64_t step = 0; step < steps; ++step) {
    const std::uint64_t which = random.below(distinct);
    const Hash key = keys[which];
    std::uint64_t& here = copies[which];
    if (random.below(2) == 0 && here < max_copies) {
      if (filter.insert(key)) ++here, ++size;
    } else if (here > 0) {
      ASSERT_TRUE(filter.erase(key)) << text << " step " << step;
      --here, --size;
    }
    ASSERT_EQ(filter.size(), size) << text;
    if (here > 0) {
      ASSERT_TRUE(filter.contains(key)) << text << " step " << step;
    }
    if (step % 97 == 0) {
      ASSERT_TRUE(check(filter)) << text << " step " << step;
      for (const auto& [other, count] : copies) {
        if (count > 0) {
          ASSERT_TRUE(filter.contains(keys[other])) << text << " step " << step;
        }
      }
    }
  }
}

constexpr auto kNoCheck = [](const auto&) { return true; };

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

TEST(Lab, ADLeftFilterIsSoundAndFillsToWhatThePaperSays) {
  for (const std::uint32_t counter_bits : {1u, 2u, 3u}) {
    const std::string text = "d-left with " + std::to_string(counter_bits) + " counter bits";
    churn(*DLeftCountingBloomFilter::create(20, 9, counter_bits), 200, 30'000, counter_bits == 1 ? 4 : 9, text,
          kNoCheck);
    for (const Placement placement : {Placement::permuted, Placement::independent}) {
      DLeftCountingBloomFilter filter = *DLeftCountingBloomFilter::create(5'000, 11, counter_bits, placement);
      Random random(5);
      std::vector<Hash> keys{hash_of(random)};
      while (filter.insert(keys.back())) keys.push_back(hash_of(random));
      EXPECT_FALSE(keys.empty());
      keys.pop_back();
      for (const Hash key : keys) ASSERT_TRUE(filter.contains(key)) << text;
      const double load = static_cast<double>(filter.size()) / static_cast<double>(filter.cell_count());
      EXPECT_GT(load, 0.72) << text;  // about 0.78; less here, because the table is small
      EXPECT_LT(load, 0.85) << text;
      expect_promised_rate(filter, 100'000, text);
    }
  }
}

TEST(Lab, PermutationsAvoidFalseDeletesThatIndependentBucketsCause) {
  std::uint64_t lost[2] = {0, 0};
  for (const Placement placement : {Placement::permuted, Placement::independent}) {
    for (std::uint64_t round = 0; round < 50; ++round) {
      DLeftCountingBloomFilter filter = *DLeftCountingBloomFilter::create(16, 4, 1, placement);
      Random random(round);
      std::vector<Hash> keys;
      while (keys.size() < 150) {
        const Hash key = hash_of(random);
        if (!filter.insert(key)) break;
        keys.push_back(key);
      }
      // Erases one half; every key of the other half must be found.
      const std::size_t half = keys.size() / 2;
      for (std::size_t i = 0; i < half; ++i) (void)filter.erase(keys[i]);
      for (std::size_t i = half; i < keys.size(); ++i) {
        lost[static_cast<int>(placement)] += filter.contains(keys[i]) ? 0 : 1;
      }
    }
  }
  EXPECT_EQ(lost[static_cast<int>(Placement::permuted)], 0u);
  EXPECT_GT(lost[static_cast<int>(Placement::independent)], 0u);
}

TEST(Lab, AQuotientFilterKeepsItsRulesAfterEveryOperation) {
  for (const std::uint32_t quotient_bits : {1u, 2u, 3u, 5u, 7u}) {
    for (const std::uint32_t remainder_bits : {1u, 2u, 9u, 29u}) {
      const std::string text = std::to_string(quotient_bits) + " + " + std::to_string(remainder_bits);
      QuotientFilter filter = *QuotientFilter::create(quotient_bits, remainder_bits);
      // The model is the multiset of fingerprints, which the filter holds exactly.
      const auto fingerprint = [=](Hash hash) {
        const auto word = static_cast<std::uint64_t>(hash);
        return (word >> (64 - quotient_bits)) << 32 | (word & ((1u << remainder_bits) - 1));
      };
      std::multiset<std::uint64_t> model;
      std::vector<Hash> keys;
      Random random(quotient_bits * 100 + remainder_bits);
      for (int i = 0; i < 300; ++i) keys.push_back(hash_of(random));
      for (int step = 0; step < 3'000; ++step) {
        const Hash key = keys[random.below(keys.size())];
        if (random.below(step % 1'000 < 500 ? 3 : 2) != 0) {
          const bool has_room = model.size() < filter.capacity();
          ASSERT_EQ(filter.insert(key), has_room) << text << " step " << step;
          if (has_room) model.insert(fingerprint(key));
        } else {
          const auto found = model.find(fingerprint(key));
          ASSERT_EQ(filter.erase(key), found != model.end()) << text << " step " << step;
          if (found != model.end()) model.erase(found);
        }
        ASSERT_TRUE(filter.check()) << text << " step " << step;
        ASSERT_EQ(filter.size(), model.size()) << text;
        if (step % 10 != 0) continue;
        for (const Hash each : keys) {
          ASSERT_EQ(filter.contains(each), model.contains(fingerprint(each))) << text << " step " << step;
        }
      }
    }
  }
  expect_a_sound_set(*QuotientFilter::create(14, 9), 200'000, "quotient 14 + 9");
}

TEST(Lab, ACuckooHashTableIsExact) {
  for (const Search search : {Search::random_walk, Search::breadth_first}) {
    for (const bool is_split : {false, true}) {
      for (std::uint32_t k = 2; k <= 4; ++k) {
        for (const std::uint32_t b : {1u, 2u, 4u, 8u}) {
          CuckooHashTable table = *CuckooHashTable::create(
              {.bucket_count = 12 * k, .function_count = k, .bucket_size = b, .is_split = is_split, .search = search});
          std::set<std::uint64_t> model;
          Random random(k * 10 + b);
          for (int step = 0; step < 4'000; ++step) {
            const std::uint64_t key = 1 + random.below(12 * k * b * 3 / 2);
            if (random.below(3) != 0) {
              bool is_in = table.insert(key);
              if (is_in) {
                model.insert(key);
              } else if (random.below(8) == 0 && table.rehash(key, 3)) {
                model.insert(key);
              }
            } else {
              ASSERT_EQ(table.erase(key), model.erase(key) == 1);
            }
            ASSERT_EQ(table.size(), model.size());
            if (step % 50 != 0) continue;
            for (std::uint64_t each = 1; each <= 12 * k * b * 3 / 2; ++each) {
              ASSERT_EQ(table.contains(each), model.contains(each)) << "k " << k << " b " << b << " step " << step;
            }
          }
        }
      }
    }
  }
}

TEST(Lab, CuckooHashTablesFillToTheKnownThresholds) {
  // The articles' values, which the formula gives.
  EXPECT_EQ(load_threshold(2, 1), 0.5);
  EXPECT_NEAR(load_threshold(2, 2), 0.897, 0.0005);
  EXPECT_NEAR(load_threshold(2, 4), 0.980, 0.0005);
  EXPECT_NEAR(load_threshold(3, 1), 0.918, 0.0005);
  EXPECT_NEAR(load_threshold(4, 1), 0.977, 0.0005);
  for (std::uint32_t k = 2; k <= 4; ++k) {
    for (const std::uint32_t b : {1u, 2u, 4u, 8u}) {
      for (const Search search : {Search::random_walk, Search::breadth_first}) {
        const std::uint64_t slots = 16'000;
        CuckooHashTable table = *CuckooHashTable::create({.bucket_count = slots / b,
                                                          .function_count = k,
                                                          .bucket_size = b,
                                                          .search = search,
                                                          .max_moves = 1'000,
                                                          .seed = 1});
        for (std::uint64_t key = 1; table.insert(key);) ++key;
        EXPECT_GT(table.load_factor(), load_threshold(k, b) - 0.05) << "k " << k << " b " << b;
        EXPECT_LT(table.load_factor(), load_threshold(k, b) + 0.03) << "k " << k << " b " << b;
      }
    }
  }
}

/// Inserts until a key is refused, and then once more for each of many keys: all that went in stay, and no other answer
/// changes.
template <class F>
void expect_full_to_change_nothing(F filter, const std::string& text) {
  Random random(11);
  std::vector<Hash> keys{hash_of(random)};
  while (filter.insert(keys.back())) keys.push_back(hash_of(random));
  keys.pop_back();
  std::vector<Hash> others;
  for (int i = 0; i < 2'000; ++i) others.push_back(hash_of(random));
  std::vector<bool> before;
  for (const Hash other : others) before.push_back(filter.contains(other));
  for (std::size_t i = 0; i < others.size(); ++i) {
    const std::uint64_t size = filter.size();
    if (filter.insert(others[i])) {
      ASSERT_EQ(filter.size(), size + 1) << text;
      ASSERT_TRUE(filter.erase(others[i])) << text;
    }
    ASSERT_EQ(filter.size(), size) << text;
  }
  for (std::size_t i = 0; i < others.size(); ++i) ASSERT_EQ(filter.contains(others[i]), before[i]) << text;
  for (const Hash key : keys) ASSERT_TRUE(filter.contains(key)) << text;
}

TEST(Lab, AFullFilterRefusesKeysAndStaysAsItWas) {
  cuckoo::Params params;
  params.bucket_count = 256;
  params.addressing = cuckoo::Addressing::xor_power_of_two;
  expect_full_to_change_nothing(*CuckooFilter::create(params), "cuckoo");
  params.storage = cuckoo::Storage::semi_sorted;
  expect_full_to_change_nothing(*CuckooFilter::create(params), "semi-sorted cuckoo");
  expect_full_to_change_nothing(*DLeftCountingBloomFilter::create(40, 16, 1), "d-left");
  expect_full_to_change_nothing(*QuotientFilter::create(9, 16), "quotient");
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

TEST(Lab, CuckooFiltersAndTablesHoldTheirKeysAndCopies) {
  cuckoo::Params params;
  params.bucket_count = 64;
  params.addressing = cuckoo::Addressing::xor_power_of_two;
  churn(*CuckooFilter::create(params), 150, 20'000, 3, "cuckoo", kNoCheck);
  params.storage = cuckoo::Storage::semi_sorted;
  churn(*CuckooFilter::create(params), 150, 20'000, 3, "semi-sorted cuckoo", kNoCheck);
  churn(*CuckooTableSet::create(200), 200, 20'000, 1, "cuckoo table", kNoCheck);
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
  EXPECT_EQ(DLeftCountingBloomFilter::create(0, 8).error(), Error::out_of_range);
  EXPECT_EQ(DLeftCountingBloomFilter::create(8, 31, 2).error(), Error::out_of_range);
  EXPECT_EQ(QuotientFilter::create(0, 8).error(), Error::out_of_range);
  EXPECT_EQ(QuotientFilter::create(8, 30).error(), Error::out_of_range);
  EXPECT_EQ(CuckooHashTable::create({.bucket_count = 9, .is_split = true}).error(), Error::out_of_range);
  EXPECT_EQ(BinaryFuseFilter::build({}, 0).error(), Error::out_of_range);
}

}  // namespace
}  // namespace lab
