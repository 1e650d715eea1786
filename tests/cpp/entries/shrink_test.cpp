// Halving a table that has grown: `Filter::shrink`, and what scalable filters do with it.
#include <gtest/gtest.h>

#include <vector>

#include "cases.h"
#include "cuckoo/filters/traced.h"
#include "cuckoo/format/format.h"
#include "cuckoo/format/scalable_format.h"
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

/// Everything that answers depend on, as sorted hashes that lead to where each entry lies.
std::vector<testing::Entry> content_of(const Filter& filter) {
  std::vector<testing::Entry> entries;
  for (std::uint64_t bucket = 0; bucket < filter.params().bucket_count; ++bucket) {
    const Slots slots = Access::entries(filter).table().read(bucket);
    for (std::uint32_t slot = 0; slot < filter.params().bucket_size; ++slot) {
      if (slots[slot] == 0) continue;
      const Candidate here = {static_cast<std::uint32_t>(bucket), slots[slot]};
      entries.push_back(testing::entry_of(hash_at(here, filter.params()), grown(filter.params())));
    }
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

TEST(Shrink, ATableThatDoublesAndIsHalvedHasTheSameBytesAtEveryStage) {
  for_all_growing_params([](const Params& params) {
    Random random(params.seed);
    Filter filter = std::move(*Filter::create(params));
    for (std::uint64_t i = 0; i < present_capacity(params); ++i) {
      if (filter.insert(Hash{random.next()}) == InsertOutcome::inserted) continue;
    }
    std::vector<std::vector<std::uint8_t>> stages = {saved(filter)};
    while (filter.size() <= present_capacity(filter.params()) && filter.grow()) stages.push_back(saved(filter));
    for (; stages.size() > 1; stages.pop_back()) {
      ASSERT_EQ(saved(filter), stages.back()) << text_of(params);
      ASSERT_TRUE(filter.shrink()) << text_of(params);
    }
    ASSERT_EQ(saved(filter), stages.back()) << text_of(params);
  });
}

TEST(Shrink, AfterDeletesAFilterHoldsWhatOneThatNeverGrewDoes) {
  for_all_growing_params([](const Params& params) {
    Random random(params.seed);
    Filter filter = std::move(*Filter::create(params));
    Filter small = std::move(*Filter::create(params));
    std::vector<Hash> kept;
    std::vector<Hash> deleted;
    for (std::uint64_t i = 0; i < present_capacity(params) / 2; ++i) {
      const Hash key{random.next()};
      if (small.insert(key) != InsertOutcome::inserted) continue;
      ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
      kept.push_back(key);
    }
    for (std::uint32_t refused = 0; refused < 2;) {
      deleted.push_back(Hash{random.next()});
      if (filter.insert(deleted.back()) == InsertOutcome::inserted) continue;
      deleted.pop_back();
      ++refused;
    }
    for (const Hash key : deleted) ASSERT_TRUE(filter.erase(key));
    while (filter.shrink()) {
      for (const Hash key : kept) ASSERT_TRUE(filter.contains(key)) << text_of(params);
      ASSERT_EQ(saved(*load(saved(filter))), saved(filter)) << text_of(params);
    }
    // With few kicks or slots, the last halvings may fail for lack of room. Otherwise the table ends at its first size.
    if (params.bucket_size >= 3 && params.fingerprint_bits >= 8) {
      ASSERT_EQ(filter.params().bucket_count, params.bucket_count) << text_of(params);
      ASSERT_EQ(filter.params().reserved_bits, params.reserved_bits);
      ASSERT_EQ(saved(filter).size(), saved(small).size());
    }
    ASSERT_EQ(content_of(filter), content_of(small)) << text_of(params);
    ASSERT_EQ(filter.expected_false_positive_rate(), small.expected_false_positive_rate());
  });
}

TEST(Shrink, AmidInsertsAndErasesAFilterHoldsWhatAModelDoes) {
  int halved_tables = 0;
  for_all_growing_params([&](const Params& params) {
    Random random(params.seed + 9);
    Filter filter = std::move(*Filter::create(params));
    Multiset model(grown(params));
    std::vector<Hash> keys;
    for (int turn = 0; turn < 6; ++turn) {
      const bool grows = turn % 2 == 0;
      for (std::uint64_t i = 0; i < params.capacity; ++i) {
        if ((random.below(4) != 0) == grows) {
          const Hash key{random.next()};
          if (filter.insert(key) != InsertOutcome::inserted) continue;
          model.insert(key);
          keys.push_back(key);
        } else if (!keys.empty()) {
          std::swap(keys[random.below(keys.size())], keys.back());
          ASSERT_EQ(filter.erase(keys.back()), model.erase(keys.back()));
          keys.pop_back();
        }
        if (random.below(40) != 0) continue;
        const auto before = saved(filter);
        Filter loaded = std::move(*load(before));
        const std::uint64_t buckets = filter.params().bucket_count;
        const bool is_halved = filter.shrink();
        halved_tables += is_halved ? 1 : 0;
        ASSERT_EQ(filter.params().bucket_count, is_halved ? buckets / 2 : buckets);
        if (!is_halved) {
          ASSERT_EQ(saved(filter), before) << text_of(params);
        } else if (loaded.params().reserved_bits != 0) {
          ASSERT_TRUE(loaded.shrink()) << text_of(params);
          ASSERT_EQ(saved(loaded), saved(filter)) << text_of(params);
        }
      }
      ASSERT_EQ(filter.size(), model.size());
      for (const Hash key : keys) ASSERT_EQ(filter.count(key), model.count(key)) << text_of(params);
      const Hash absent{random.next()};
      ASSERT_EQ(filter.count(absent), model.count(absent));
    }
  });
  EXPECT_GT(halved_tables, 1000);
}

TEST(Shrink, ATableIsNotHalvedBelowWhatItBeganWithNorForMoreKeysThanHalfOfItIsMadeFor) {
  Params params = *plan({.capacity = 500, .max_capacity = 20'000});
  Filter filter = std::move(*Filter::create(params));
  EXPECT_FALSE(filter.shrink());
  ASSERT_TRUE(filter.grow());
  ASSERT_TRUE(filter.clone()->shrink());
  const std::uint64_t half = present_capacity(params);
  for (std::uint64_t key = 0; key <= half; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  EXPECT_FALSE(filter.shrink());
  ASSERT_TRUE(filter.erase(std::uint64_t{0}));
  EXPECT_TRUE(filter.shrink());
  EXPECT_EQ(filter.params().bucket_count, params.bucket_count);
  EXPECT_FALSE(filter.shrink());
  // It doubles again when it is full.
  EXPECT_EQ(filter.insert(std::uint64_t{0}), InsertOutcome::inserted);
  EXPECT_EQ(filter.params().bucket_count, 2 * params.bucket_count);
  EXPECT_FALSE(Filter::create(*plan({.capacity = 500}))->shrink());
}

TEST(Shrink, ALoadedTableIsHalvedIfItMayGrowAndHasAnEvenNumberOfBuckets) {
  Params params = testing::params_of(3, 4, 12);
  params.reserved_bits = 2;
  params.capacity = 40;
  Filter filter = std::move(*Filter::create(params));
  ASSERT_TRUE(filter.grow());
  Filter growable = std::move(*load(saved(filter)));
  EXPECT_TRUE(growable.shrink());
  EXPECT_FALSE(growable.shrink());
  ASSERT_TRUE(filter.grow());
  Filter fixed = std::move(*load(saved(filter)));
  EXPECT_FALSE(fixed.shrink());
  EXPECT_TRUE(filter.shrink());
  EXPECT_TRUE(filter.shrink());
  // Slots have no more than 32 bits.
  params.fingerprint_bits = 28;
  params.reserved_bits = 3;
  params.bucket_count = 64;
  Filter wide = std::move(*load(saved(*Filter::create(params))));
  EXPECT_TRUE(wide.shrink());
  EXPECT_FALSE(wide.shrink());
}

TEST(Shrink, ATableWhoseHalfFindsNoRoomForAKeyStaysAsItIs) {
  Params params = testing::params_of(8, 2, 12);
  params.reserved_bits = 1;
  params.capacity = 32;
  Random random(2);
  int refused = 0;
  for (int build = 0; build < 50; ++build) {
    Filter filter = std::move(*Filter::create(params));
    ASSERT_TRUE(filter.grow());
    while (filter.size() < present_capacity(params)) (void)filter.insert(Hash{random.next()});
    const auto before = saved(filter);
    if (filter.shrink()) continue;
    ++refused;
    ASSERT_EQ(saved(filter), before);
  }
  EXPECT_GT(refused, 10);
}

TEST(Shrink, AScalableFilterHalvesItsNewestTableAsKeysAreErased) {
  const Params first = *plan_scalable({.capacity = 100});
  ScalableFilter filter = std::move(*ScalableFilter::create(first));
  EXPECT_FALSE(filter.shrink());
  constexpr std::uint64_t kKeys = 40'000;
  for (std::uint64_t key = 0; key < kKeys; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  ASSERT_GT(filter.layer_count(), 1u);
  for (std::uint64_t key = 0; key < kKeys; ++key) {
    if (key == kKeys / 2) filter = std::move(*load_scalable(saved(filter)));
    ASSERT_TRUE(filter.erase(key));
    const Params& newest = filter.layer(filter.layer_count() - 1).params();
    const std::uint32_t doublings = layer_params(first, filter.layer_count() - 1)->reserved_bits - newest.reserved_bits;
    ASSERT_TRUE(doublings == 0 || 2 * filter.layer(filter.layer_count() - 1).size() > present_capacity(halved(newest)));
    if (key % 1000 != 0) continue;
    for (std::uint64_t left = key + 1; left < kKeys; ++left) ASSERT_TRUE(filter.contains(left));
  }
  EXPECT_EQ(saved(filter), saved(*ScalableFilter::create(first)));
  EXPECT_FALSE(filter.shrink());
  const std::uint64_t most = present_capacity(first);
  for (std::uint64_t key = 0; key <= most; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  for (std::uint64_t key = 0; key < most / 4; ++key) ASSERT_TRUE(filter.erase(key));
  EXPECT_EQ(filter.layer(0).params().bucket_count, 2 * first.bucket_count);
  EXPECT_TRUE(filter.shrink());  // which a caller may ask for sooner
}

TEST(Shrink, IsTracedAsAResetOnly) {
  Params params = testing::params_of(16, 4, 12);
  params.reserved_bits = 2;
  params.capacity = 150;
  TracedFilter filter = std::move(*TracedFilter::create(params));
  for (std::uint64_t key = 0; key < 38; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  ASSERT_TRUE(filter.grow());
  ASSERT_TRUE(filter.watch().open(TraceLevel::all, 100));
  ASSERT_TRUE(filter.shrink());
  const std::span<const Event> events = filter.watch().events();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].kind, EventKind::begin);
  EXPECT_EQ(events[1].kind, EventKind::reset);
  EXPECT_EQ(events[1].code, static_cast<std::uint8_t>(Operation::shrink));
  EXPECT_EQ(events[2].kind, EventKind::end);
  EXPECT_EQ(events[2].code, 1);
  EXPECT_EQ(events[2].bucket, 38u);
}

}  // namespace
}  // namespace cuckoo
