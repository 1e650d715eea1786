#include "cuckoo/entries/growth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cases.h"
#include "cuckoo/format/format.h"
#include "cuckoo/plan.h"
#include "multiset.h"
#include "random.h"
#include "saved.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::for_all_growing_params;
using testing::Multiset;
using testing::Random;
using testing::saved;
using testing::text_of;

std::vector<std::uint8_t> bytes_of(const Filter<>& filter) {
  return {Access::entries(filter).table().bytes().begin(), Access::entries(filter).table().bytes().end()};
}

// A filter of the largest size holds a multiset of fingerprints with two candidate buckets each, and nothing else can
// be seen of it. So this compares every stage with the filter that was made large at once: no key is lost, and none is
// taken for another that would not be taken for it there.
TEST(Growth, AtEveryStageAFilterHoldsWhatTheFullyGrownOneWould) {
  for_all_growing_params([](const Params& params) {
    Random random(params.seed + params.reserved_bits);
    Filter<> filter = std::move(*Filter<>::create(params));
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
    Filter<> filter = std::move(*Filter<>::create(params));
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
    Filter<> filter = std::move(*Filter<>::create(params));
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
    Filter<> one = std::move(*Filter<>::create(params));
    Filter<> many = std::move(*Filter<>::create(params));
    std::size_t done = 0;
    while (done < keys.size() && one.insert(keys[done]) == InsertOutcome::inserted) ++done;
    ASSERT_EQ(many.insert_many(keys).done, done) << text_of(params);
    ASSERT_EQ(bytes_of(one), bytes_of(many)) << text_of(params);
    Filter<> fresh = std::move(*Filter<>::create(params));
    one = std::move(*Filter<>::create(params));
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
    Filter<> filter = std::move(*Filter<>::create(params));
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

TEST(Growth, KeysOfTheSameHomesMakeATableDoubleNoFurtherThanItsKeysAllow) {
  Params params = testing::params_of(64, 4, 12);
  params.reserved_bits = 10;
  params.capacity = 200'000;
  Filter<> filter = std::move(*Filter<>::create(params));
  Random random(3);
  // Different fingerprints whose candidate buckets are, in the grown table, within the same pair of buckets of the
  // first one.
  std::vector<Hash> keys;
  const Location at = locate(Hash{random.next()}, params);
  while (keys.size() < 30) {
    const Hash key{random.next()};
    const Location there = locate(key, params);
    if (std::minmax(there.primary.bucket, there.alternate.bucket) ==
        std::minmax(at.primary.bucket, at.alternate.bucket))
      keys.push_back(key);
  }
  std::size_t refused = 0;
  for (const Hash key : keys) refused += filter.insert(key) == InsertOutcome::full;
  EXPECT_GE(refused, 20u);
  EXPECT_EQ(filter.params().bucket_count, 64u);
}

TEST(Growth, ATableDoublesForRoomFromAQuarterOfItsSlotsOn) {
  Params params = testing::params_of(16, 4, 12);
  params.reserved_bits = 4;
  params.capacity = 600;
  const std::uint64_t quarter = slot_count(params) / 4;
  const auto candidates_of = [&](Hash key) {
    const Location at = locate(key, params);
    return std::minmax({at.primary.bucket, at.alternate.bucket});
  };
  for (const std::uint64_t size : {quarter - 1, quarter}) {
    Filter<> filter = std::move(*Filter<>::create(params));
    Random random(4);
    const auto crowded = candidates_of(Hash{random.next()});
    ASSERT_NE(crowded.first, crowded.second);
    // Keys of two buckets, which fill them, and others of none of these.
    const auto next = [&](bool is_of_these) {
      for (;;) {
        const Hash key{random.next()};
        const auto at = candidates_of(key);
        const auto is_crowded = [&](std::uint64_t bucket) {
          return bucket == crowded.first || bucket == crowded.second;
        };
        if (is_of_these ? at == crowded : !is_crowded(at.first) && !is_crowded(at.second)) return key;
      }
    };
    for (int i = 0; i < 8; ++i) ASSERT_EQ(filter.insert(next(true)), InsertOutcome::inserted);
    while (filter.size() < size) ASSERT_EQ(filter.insert(next(false)), InsertOutcome::inserted);
    const InsertOutcome outcome = filter.insert(next(true));
    EXPECT_EQ(filter.params().bucket_count, size < quarter ? 16u : 32u) << size;
    EXPECT_TRUE(size == quarter || outcome == InsertOutcome::full);
  }
}

TEST(Growth, ATableDoublesWithTheKeyPastItsShareAndALoadedOneThatIsFullerWithItsNext) {
  Params params = testing::params_of(16, 4, 12);
  params.reserved_bits = 3;
  params.capacity = 64;
  ASSERT_EQ(present_capacity(params), 32u);
  Filter<> filter = std::move(*Filter<>::create(params));
  for (std::uint64_t key = 0; key < 32; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  EXPECT_EQ(filter.params().bucket_count, 16u);
  EXPECT_EQ(filter.insert(std::uint64_t{32}), InsertOutcome::inserted);
  EXPECT_EQ(filter.params().bucket_count, 32u);
  // Bytes may hold a table that had no memory to double.
  Table table = std::move(*Table::create(params));
  for (std::uint64_t bucket = 0; bucket < 10; ++bucket) {
    for (std::uint32_t slot = 0; slot < 4; ++slot) table.set(bucket, slot, 1 + static_cast<std::uint32_t>(bucket));
  }
  Result<Entries<>> entries = Entries<>::adopt(params, std::move(table), 40, 16);
  Filter<> loaded = std::move(*Access::adopt<Filter<>>(std::move(entries), Hasher(params.seed)));
  EXPECT_EQ(loaded.insert(std::uint64_t{1}), InsertOutcome::inserted);
  EXPECT_EQ(loaded.params().bucket_count, 32u);
}

TEST(Growth, WhatIsTakenOutLeavesEmptySlotsFirstAndTheRestInItsOrder) {
  const auto is_seven = [](std::uint32_t entry) { return entry == 7; };
  Slots slots = {0, 5, 7, 9};
  EXPECT_TRUE(take_out(slots, 4, is_seven));
  EXPECT_EQ(slots, (Slots{0, 0, 5, 9}));
  EXPECT_FALSE(take_out(slots, 4, is_seven));
  EXPECT_EQ(slots, (Slots{0, 0, 5, 9}));
  slots = {7, 7, 7};
  EXPECT_TRUE(take_out(slots, 3, is_seven));
  EXPECT_EQ(slots, Slots{});
}

TEST(Growth, ForRoomATableDoublesFromAQuarterFullOrFromHalfOfAFewKeysShareOn) {
  Params params = testing::params_of(256, 4, 12);
  params.capacity = 1 << 20;  // its share is never reached
  EXPECT_FALSE(may_double_for_room(params, 255));
  EXPECT_TRUE(may_double_for_room(params, 256));
  params.capacity = 110;
  params.reserved_bits = 1;
  EXPECT_FALSE(may_double_for_room(params, 27));
  EXPECT_TRUE(may_double_for_room(params, 28));
  EXPECT_TRUE(may_double_for_room(params, 109));
  EXPECT_FALSE(may_double_for_room(params, 110));
  params = testing::params_of(2048, 4, 12);
  params.capacity = 160;  // fewer than a key in 64 slots
  EXPECT_FALSE(may_double_for_room(params, 127));
  EXPECT_TRUE(may_double_for_room(params, 128));
}

TEST(Growth, ATablePlannedToBeNearlyEmptyDoublesForRoomUpToItsCapacity) {
  Random random(3);
  for (const std::uint32_t kicks : {0u, kDefaultMaxKicks}) {
    for (const Addressing addressing : {Addressing::reflect, Addressing::xor_power_of_two}) {
      Request request{.capacity = 10, .max_capacity = 1000, .bucket_size = 1, .addressing = addressing};
      if (kicks == 0) request.bucket_size = 8, request.max_kicks = 0;
      const Params params = *plan(request);
      ASSERT_LT(4 * params.capacity, slot_count(grown(params)));
      for (int build = 0; build < 1000; ++build) {
        Filter<> filter = std::move(*Filter<>::create(params));
        for (std::uint64_t i = 0; i < params.capacity; ++i) {
          ASSERT_EQ(filter.insert(Hash{random.next()}), InsertOutcome::inserted) << text_of(params) << " " << i;
        }
      }
    }
  }
}

// As bytes from anywhere may say, but with a capacity for which the table may be emptier.
TEST(Growth, ATableMadeForFewOfItsSlotsGrowsToNoMoreThan128AKey) {
  for (const std::uint32_t b : {1u, 2u, 4u, 8u}) {
    Params params = testing::params_of(1, b, 2);
    params.reserved_bits = 30;
    params.capacity = 1'000'000;
    Filter<> filter = std::move(*Filter<>::create(params));
    Random random(b);
    for (int i = 0; i < 2000; ++i) {
      (void)filter.insert(Hash{random.next()});
      ASSERT_LE(slot_count(filter.params()), 128 * std::max<std::uint64_t>(filter.size(), b));
    }
  }
}

// As bytes from anywhere may say.
TEST(Growth, ATableMadeForLessThanItsSlotsGrowsAsSlowlyAsItsKeysDo) {
  for (const std::uint32_t b : {1u, 2u, 4u, 8u}) {
    Params params = testing::params_of(1, b, 2);
    params.reserved_bits = 30;
    params.capacity = 1;
    Filter<> filter = std::move(*Filter<>::create(params));
    Random random(b);
    for (int i = 0; i < 2000; ++i) {
      (void)filter.insert(Hash{random.next()});
      ASSERT_LE(slot_count(filter.params()), 8 * std::max<std::uint64_t>(filter.size(), b));
    }
  }
}

TEST(Growth, AClearedTableStaysAsLargeAndAClonedOneGoesOnToGrow) {
  Params params = *plan({.capacity = 500, .max_capacity = 20'000});
  Filter<> filter = std::move(*Filter<>::create(params));
  for (std::uint64_t key = 0; key < 3000; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  const Params stage = filter.params();
  EXPECT_GT(stage.bucket_count, params.bucket_count);
  EXPECT_GT(stage.reserved_bits, 0u);
  Filter<> copy = std::move(*filter.clone());
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
    Filter<> filter = std::move(*Filter<>::create(params));
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
    Filter<> filter = std::move(*Filter<>::create(params));
    Filter<> loaded = std::move(*load(saved(filter)));
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
