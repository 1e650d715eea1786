#include "cuckoo/detail/entries/growth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "alike.h"
#include "cases.h"
#include "cuckoo/format/format.h"
#include "cuckoo/plan.h"
#include "multiset.h"
#include "random.h"
#include "saved.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::bytes_of;
using testing::for_all_growing_params;
using testing::Multiset;
using testing::Random;
using testing::saved;
using testing::text_of;

// A filter of the largest size holds a multiset of fingerprints with two candidate buckets each, and nothing else can
// be seen of it. So this compares every stage with the filter that was made large at once: no key is lost, and none is
// taken for another that would not be taken for it there.
TEST(Growth, AtEveryStageAFilterHoldsWhatTheFullyGrownOneWould) {
  for_all_growing_params([](const Params& params) {
    Random random(params.seed + params.reserved_bits);
    Filter filter = std::move(*Filter::create(params));
    Multiset model(grown(params));
    std::vector<Hash> keys;
    for (std::uint64_t i = 0; i < 3 * params.capacity + 20; ++i) {
      const Hash key{random.next()};
      const std::uint64_t action = random.below(16);
      if (action < 11) {
        if (filter.insert(key) != InsertOutcome::inserted) continue;
        model.insert(key);
        keys.push_back(key);
      } else if (action < 12) {
        const bool was_there = model.count(key) > 0;
        const InsertOutcome outcome = filter.insert_if_absent(key);
        ASSERT_EQ(outcome == InsertOutcome::present, was_there) << text_of(params);
        if (outcome != InsertOutcome::inserted) continue;
        model.insert(key);
        keys.push_back(key);
      } else if (action < 14) {
        ASSERT_EQ(filter.erase(key), model.erase(key)) << text_of(params);  // taken for another, at most
      } else if (!keys.empty()) {
        std::swap(keys[random.below(keys.size())], keys.back());
        ASSERT_EQ(filter.erase(keys.back()), model.erase(keys.back())) << text_of(params);
        keys.pop_back();
      }
      ASSERT_EQ(filter.size(), model.size());
      ASSERT_EQ(filter.count(key), model.count(key)) << text_of(params);
    }
    for (const Hash key : keys) ASSERT_EQ(filter.count(key), model.count(key)) << text_of(params);
    if (params.fingerprint_bits >= 8) {
      ASSERT_EQ(filter.params().reserved_bits, 0u) << text_of(params);
    }
  });
}

TEST(Growth, NoKeyIsLostAtAnyStageNorAfterDeletingHalfAndEveryDeleteIsExact) {
  for_all_growing_params([](const Params& params) {
    Random random(params.seed);
    Filter filter = std::move(*Filter::create(params));
    std::vector<Hash> keys;
    for (std::uint32_t refused = 0; refused < 3;) {
      const Hash key{random.next()};
      const std::uint32_t stage = filter.params().reserved_bits;
      if (filter.insert(key) == InsertOutcome::inserted) {
        keys.push_back(key);
      } else {
        ++refused;
      }
      if (filter.params().reserved_bits == stage && refused < 3) continue;
      std::vector<std::uint8_t> found(keys.size());
      filter.contains_many(keys, found);
      for (std::size_t i = 0; i < keys.size(); ++i)
        ASSERT_TRUE(found[i] && filter.contains(keys[i])) << text_of(params);
      ASSERT_EQ(filter.size(), keys.size());
    }
    for (std::size_t i = 0; i < keys.size(); i += 2) ASSERT_TRUE(filter.erase(keys[i])) << text_of(params);
    for (std::size_t i = 1; i < keys.size(); i += 2) ASSERT_TRUE(filter.contains(keys[i])) << text_of(params);
    for (std::size_t i = 1; i < keys.size(); i += 2) ASSERT_TRUE(filter.erase(keys[i])) << text_of(params);
    ASSERT_EQ(filter.size(), 0u);
    for (const std::uint8_t byte : Access::entries(filter).table().bytes()) ASSERT_EQ(byte, 0) << text_of(params);
  });
}

TEST(Growth, ADoublingMovesEveryFingerprintToAHomeAndLeavesTheBucketsInOrder) {
  for_all_growing_params([](const Params& params) {
    Random random(params.seed);
    Filter filter = std::move(*Filter::create(params));
    Multiset model(grown(params));
    for (std::uint64_t i = 0; i < slot_count(params); ++i) {
      const Hash key{random.next()};
      if (filter.params().reserved_bits == params.reserved_bits && filter.insert(key) == InsertOutcome::inserted) {
        model.insert(key);
      }
    }
    while (filter.grow()) {
      ASSERT_EQ(saved(*load(saved(filter))), saved(filter)) << text_of(params);
    }
    ASSERT_EQ(filter.size(), model.size());
    ASSERT_EQ(table_bytes(filter.params()), table_bytes(grown(params)));
    ASSERT_EQ(filter.params().bucket_count, grown_bucket_count(params));
    for (std::uint64_t bucket = 0; bucket < filter.params().bucket_count; ++bucket) {
      const Slots slots = Access::entries(filter).table().read(bucket);
      for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
        if (slots[slot] == 0) continue;
        // A hash that leads here, made from the place alone.
        const Candidate here = {static_cast<std::uint32_t>(bucket), slots[slot]};
        ASSERT_EQ(other(other(here, filter.params()), filter.params()), here);
        ASSERT_EQ(fingerprint_of(slots[slot], params), slots[slot]);
      }
    }
    ASSERT_FALSE(filter.grow());
  });
}

TEST(Growth, BatchesThatGrowInTheirMiddleDoWhatSinglesDo) {
  for_all_growing_params([](const Params& params) {
    Random random(params.seed);
    std::vector<Hash> keys(slot_count(grown(params)) + 10);
    for (Hash& key : keys) key = xxh64_of_integer(random.below(keys.size()), 0);
    Filter one = std::move(*Filter::create(params));
    Filter many = std::move(*Filter::create(params));
    std::size_t done = 0;
    while (done < keys.size() && one.insert(keys[done]) == InsertOutcome::inserted) ++done;
    ASSERT_EQ(many.insert_many(keys).done, done) << text_of(params);
    ASSERT_EQ(bytes_of(one), bytes_of(many)) << text_of(params);
    Filter fresh = std::move(*Filter::create(params));
    one = std::move(*Filter::create(params));
    std::vector<std::uint8_t> is_new(keys.size());
    const BatchOutcome outcome = fresh.insert_many_if_absent(keys, is_new);
    for (std::size_t i = 0; i < outcome.done; ++i) {
      ASSERT_EQ(one.insert_if_absent(keys[i]) == InsertOutcome::inserted, is_new[i] == 1) << text_of(params) << i;
    }
    ASSERT_EQ(fresh.size(), one.size());
    std::size_t erased = 0;
    for (const Hash key : keys) erased += one.erase(key);
    ASSERT_EQ(fresh.erase_many(keys), erased);
  });
}

TEST(Growth, AFailedInsertChangesNoByteAndCopiesNeverMakeATableGrow) {
  for_all_growing_params([](const Params& params) {
    Random random(params.seed);
    Filter filter = std::move(*Filter::create(params));
    const Hash key{random.next()};
    while (filter.insert(key) == InsertOutcome::inserted) {
    }
    const auto before = bytes_of(filter);
    const std::uint64_t buckets = filter.params().bucket_count;
    ASSERT_EQ(filter.insert(key), InsertOutcome::too_many_copies) << text_of(params);
    ASSERT_EQ(filter.insert_if_absent(key), InsertOutcome::present);
    ASSERT_EQ(bytes_of(filter), before);
    ASSERT_EQ(filter.params().bucket_count, buckets);
    const Location at = locate(key, filter.params());
    ASSERT_EQ(filter.size(), params.bucket_size * (at.primary.bucket == at.alternate.bucket ? 1 : 2))
        << text_of(params);
  });
}

TEST(Growth, WhatIsTakenOutLeavesEmptySlotsFirstAndTheRestInItsOrder) {
  const Forgotten sevens{.value_at = 0, .periods = 16, .oldest = 7, .count = 1};
  Slots slots = {0, 5, 7, 9};
  EXPECT_TRUE(sevens.take_out_of(slots, 4));
  EXPECT_EQ(slots, (Slots{0, 0, 5, 9}));
  EXPECT_FALSE(sevens.take_out_of(slots, 4));
  EXPECT_EQ(slots, (Slots{0, 0, 5, 9}));
  slots = {7, 7, 7};
  EXPECT_TRUE(sevens.take_out_of(slots, 3));
  EXPECT_EQ(slots, Slots{});
}

TEST(Growth, AClearedTableStaysAsLargeAndAClonedOneGoesOnToGrow) {
  Params params = *plan({.capacity = 500, .max_capacity = 20'000});
  Filter filter = std::move(*Filter::create(params));
  for (std::uint64_t key = 0; key < 3000; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  const Params stage = filter.params();
  EXPECT_GT(stage.bucket_count, params.bucket_count);
  EXPECT_GT(stage.reserved_bits, 0u);
  Filter copy = std::move(*filter.clone());
  filter.clear();
  EXPECT_EQ(filter.params().bucket_count, stage.bucket_count);
  EXPECT_EQ(filter.size(), 0u);
  for (std::uint64_t key = 3000; key < 20'000; ++key) ASSERT_EQ(copy.insert(key), InsertOutcome::inserted);
  for (std::uint64_t key = 0; key < 20'000; ++key) ASSERT_TRUE(copy.contains(key));
  EXPECT_EQ(copy.params().reserved_bits, 0u);
  EXPECT_LE(copy.expected_false_positive_rate(), 0.001);
  EXPECT_EQ(filter.params().bucket_count, stage.bucket_count);
}

TEST(Growth, TheMeasuredRateLiesInItsIntervalAtEveryStage) {
  struct Case {
    double rate;
    std::uint32_t bucket_size;
    Addressing addressing;
  };
  for (const auto& [rate, bucket_size, addressing] : {Case{0.03, 4, Addressing::reflect},
                                                      {0.01, 4, Addressing::reflect},
                                                      {0.01, 2, Addressing::reflect},
                                                      {0.003, 3, Addressing::reflect},
                                                      {0.02, 8, Addressing::xor_power_of_two}}) {
    const Params params = *plan({.capacity = 2000,
                                 .false_positive_rate = rate,
                                 .max_capacity = 64'000,
                                 .bucket_size = bucket_size,
                                 .addressing = addressing});
    Filter filter = std::move(*Filter::create(params));
    Random random(5);
    const std::uint64_t most = grown(params).capacity;
    for (std::uint64_t n = 1; n <= most; ++n) {
      ASSERT_EQ(filter.insert(Hash{random.next()}), InsertOutcome::inserted);
      const bool is_full = n == present_capacity(filter.params());
      if (!is_full) continue;
      const int probes = 400'000;
      int found = 0;
      for (int i = 0; i < probes; ++i) found += filter.contains(Hash{random.next()});
      const double expected = filter.expected_false_positive_rate();
      const double measured = static_cast<double>(found) / probes;
      const double kinds = static_cast<double>(grown_bucket_count(params)) *
                           static_cast<double>(fingerprint_count(params)) / 2;  // see tests/bench/tables/sizes.cpp
      const double slack = 4.4 * std::sqrt(expected * (1 - expected) * (1.0 / probes + 1 / kinds)) + 1.0 / probes;
      EXPECT_NEAR(measured, expected, slack) << text_of(filter.params());
      EXPECT_LE(expected, rate);
    }
    EXPECT_EQ(filter.params().reserved_bits, 0u);
    EXPECT_EQ(filter.size(), 64'000u);
  }
}

TEST(Growth, AGrowingFilterGoesOnFromItsSavedBytesAtAnyStage) {
  for_all_growing_params([](const Params& params) {
    Random random(params.seed);
    Filter filter = std::move(*Filter::create(params));
    Filter loaded = std::move(*load(saved(filter)));
    for (std::uint64_t i = 0; i < slot_count(grown(params)); ++i) {
      const Hash key{random.next()};
      ASSERT_EQ(filter.insert(key), loaded.insert(key)) << text_of(params);
      if (i % 16 != 0) continue;
      const auto bytes = saved(filter);
      ASSERT_EQ(saved(loaded), bytes) << text_of(params);
      auto again = load(bytes);
      ASSERT_TRUE(again) << text_of(params) << static_cast<int>(again.error());
      loaded = std::move(*again);
    }
    ASSERT_EQ(saved(loaded), saved(filter)) << text_of(params);
  });
}

}  // namespace
}  // namespace cuckoo
