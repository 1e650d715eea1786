// The lab's filters that are tables: d-left, quotient and cuckoo, and cuckoo hash tables.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "lab/cuckoo.h"
#include "lab/cuckoo_hash_table.h"
#include "lab/cuckoo_table_set.h"
#include "lab/d_left.h"
#include "lab/quotient.h"
#include "lab_model.h"

namespace lab {
namespace {

static_assert(ErasingSet<DLeftCountingBloomFilter> && ErasingSet<QuotientFilter>);
static_assert(ErasingSet<CuckooFilter> && ErasingSet<CuckooTableSet>);

TEST(LabTables, ADLeftFilterIsSoundAndFillsToWhatThePaperSays) {
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
      EXPECT_GT(load, DLeftCountingBloomFilter::kMaxLoad) << text;  // 0.787 in 2^23 cells; small tables get fuller
      EXPECT_LT(load, 0.86) << text;
      expect_promised_rate(filter, 100'000, text);
    }
  }
}

TEST(LabTables, PermutationsAvoidFalseDeletesThatIndependentBucketsCause) {
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

TEST(LabTables, AQuotientFilterKeepsItsRulesAfterEveryOperation) {
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

TEST(LabTables, ACuckooHashTableIsExact) {
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

TEST(LabTables, CuckooHashTablesFillToTheKnownThresholds) {
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

TEST(LabTables, AFullFilterRefusesKeysAndStaysAsItWas) {
  cuckoo::Params params;
  params.bucket_count = 256;
  params.addressing = cuckoo::Addressing::xor_power_of_two;
  expect_full_to_change_nothing(*CuckooFilter::create(params), "cuckoo");
  params.storage = cuckoo::Storage::semi_sorted;
  expect_full_to_change_nothing(*CuckooFilter::create(params), "semi-sorted cuckoo");
  expect_full_to_change_nothing(*DLeftCountingBloomFilter::create(40, 16, 1), "d-left");
  expect_full_to_change_nothing(*QuotientFilter::create(9, 16), "quotient");
}

TEST(LabTables, CuckooFiltersAndTablesHoldTheirKeysAndCopies) {
  cuckoo::Params params;
  params.bucket_count = 64;
  params.addressing = cuckoo::Addressing::xor_power_of_two;
  churn(*CuckooFilter::create(params), 150, 20'000, 3, "cuckoo", kNoCheck);
  params.storage = cuckoo::Storage::semi_sorted;
  churn(*CuckooFilter::create(params), 150, 20'000, 3, "semi-sorted cuckoo", kNoCheck);
  churn(*CuckooTableSet::create(200), 200, 20'000, 1, "cuckoo table", kNoCheck);
}

TEST(LabTables, SizesOutOfRangeAreRefused) {
  EXPECT_EQ(DLeftCountingBloomFilter::create(0, 8).error(), Error::out_of_range);
  EXPECT_EQ(DLeftCountingBloomFilter::create(8, 31, 2).error(), Error::out_of_range);
  EXPECT_EQ(QuotientFilter::create(0, 8).error(), Error::out_of_range);
  EXPECT_EQ(QuotientFilter::create(8, 30).error(), Error::out_of_range);
  EXPECT_EQ(CuckooHashTable::create({.bucket_count = 9, .is_split = true}).error(), Error::out_of_range);
  EXPECT_EQ(CuckooTableSet::create(0).error(), Error::out_of_range);
}

}  // namespace
}  // namespace lab
