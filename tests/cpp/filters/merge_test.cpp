#include "cuckoo/filters/merge.h"

#include <gtest/gtest.h>

#include <vector>

#include "cases.h"
#include "cuckoo/entries/statistics.h"
#include "cuckoo/filters/traced.h"
#include "cuckoo/format/format.h"
#include "cuckoo/plan.h"
#include "multiset.h"
#include "random.h"
#include "saved.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::for_all_growing_params;
using testing::for_all_params;
using testing::Multiset;
using testing::params_of;
using testing::Random;
using testing::saved;
using testing::text_of;

const std::vector<std::uint64_t> kMergedBucketCounts = {1, 2, 3, 16, 37};

Filter created(const Params& params) { return std::move(*Filter::create(params)); }

/// A filter, what was inserted into it, and its model.
struct Filled {
  Filter filter;
  std::vector<Hash> keys;

  /// As many of `count` keys below `distinct` as go in.
  Filled(const Params& params, Random& random, std::uint64_t count, std::uint64_t distinct) : filter(created(params)) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const Hash key = xxh64_of_integer(random.below(distinct), params.seed);
      if (filter.insert(key) == InsertOutcome::inserted) keys.push_back(key);
    }
  }
};

TEST(Merge, HoldsWhatBothHeldAndEachCanBeErasedOrNoByteChanges) {
  std::uint64_t merged = 0, refused = 0;
  for_all_params(kMergedBucketCounts, [&](const Params& params) {
    Random random(params.seed + 5);
    const std::uint64_t slots = slot_count(params);
    for (const std::uint64_t quarters : {1, 2, 3}) {
      Filled into(params, random, slots * quarters / 4, 2 * slots + 3);
      const Filled from(params, random, slots / 3, 2 * slots + 3);
      const auto before = saved(into.filter);
      const auto source = saved(from.filter);
      const Result<InsertOutcome> outcome = merge(into.filter, from.filter);
      ASSERT_TRUE(outcome);
      ASSERT_EQ(saved(from.filter), source);
      if (*outcome != InsertOutcome::inserted) {
        ASSERT_EQ(saved(into.filter), before) << text_of(params);
        ++refused;
        continue;
      }
      ++merged;
      Multiset model(params);
      for (const Hash key : into.keys) model.insert(key);
      for (const Hash key : from.keys) model.insert(key);
      ASSERT_EQ(into.filter.size(), model.size());
      for (std::uint64_t id = 0; id < 2 * slots + 3; ++id) {
        const Hash key = xxh64_of_integer(id, params.seed);
        ASSERT_EQ(into.filter.count(key), model.count(key)) << text_of(params);
        ASSERT_EQ(into.filter.contains(key), model.count(key) > 0) << text_of(params);
      }
      ASSERT_TRUE(load(saved(into.filter))) << text_of(params);
      for (const Hash key : from.keys) ASSERT_TRUE(into.filter.erase(key)) << text_of(params);
      for (const Hash key : into.keys) ASSERT_TRUE(into.filter.contains(key)) << text_of(params);
      for (const Hash key : into.keys) ASSERT_TRUE(into.filter.erase(key)) << text_of(params);
      ASSERT_EQ(saved(into.filter), saved(created(params))) << text_of(params);
    }
  });
  EXPECT_GT(merged, 1000u);
  EXPECT_GT(refused, 100u);
}

TEST(Merge, OfWhatIsAbsentAnswersAsEitherDidAndStoresNoFingerprintTwice) {
  for_all_params(kMergedBucketCounts, [](const Params& params) {
    Random random(params.seed + 6);
    const std::uint64_t slots = slot_count(params);
    Filled into(params, random, slots / 2, 2 * slots + 3);
    const Filled from(params, random, slots / 2, 2 * slots + 3);
    const auto before = saved(into.filter);
    Multiset model(params);
    for (const Hash key : into.keys) model.insert(key);
    for (const Hash key : from.keys) {
      if (model.count(key) == 0) model.insert(key);
    }
    const InsertOutcome outcome = *merge(into.filter, from.filter, true);
    if (outcome != InsertOutcome::inserted) {
      ASSERT_EQ(outcome, InsertOutcome::full) << text_of(params);
      ASSERT_EQ(saved(into.filter), before) << text_of(params);
      return;
    }
    ASSERT_EQ(into.filter.size(), model.size()) << text_of(params);
    for (std::uint64_t id = 0; id < 2 * slots + 3; ++id) {
      const Hash key = xxh64_of_integer(id, params.seed);
      ASSERT_EQ(into.filter.count(key), model.count(key)) << text_of(params);
    }
    // Once more, it finds all there.
    const auto after = saved(into.filter);
    ASSERT_EQ(*merge(into.filter, from.filter, true), InsertOutcome::inserted);
    ASSERT_EQ(*merge(into.filter, into.filter, true), InsertOutcome::inserted);
    ASSERT_EQ(saved(into.filter), after) << text_of(params);
  });
}

TEST(Merge, IntoItselfDoublesEveryCopy) {
  for_all_params({1, 5, 16, 61}, [](const Params& params) {
    Random random(params.seed + 7);
    const std::uint64_t slots = slot_count(params);
    Filled it(params, random, slots / 3, 4 * slots);
    const auto before = saved(it.filter);
    std::vector<std::uint32_t> copies;
    for (const Hash key : it.keys) copies.push_back(it.filter.count(key));
    const std::uint64_t size = it.filter.size();
    if (*merge(it.filter, it.filter) != InsertOutcome::inserted) {
      ASSERT_EQ(saved(it.filter), before) << text_of(params);
      return;
    }
    ASSERT_EQ(it.filter.size(), 2 * size);
    for (std::size_t i = 0; i < copies.size(); ++i) ASSERT_EQ(it.filter.count(it.keys[i]), 2 * copies[i]);
  });
}

TEST(Merge, OfGrowingFiltersAtAnyTwoStagesHoldsWhatBothHeldOrNoByteChanges) {
  std::uint64_t merged = 0, refused = 0, apart = 0, grew = 0;
  for_all_growing_params([&](const Params& params) {
    Random random(params.seed + params.reserved_bits);
    for (int round = 0; round < 4; ++round) {
      const std::uint64_t most = params.capacity, distinct = 2 * most + 3;
      Filled into(params, random, random.below(most + 1), distinct);
      // Made larger from the start, half of the time: where keys lie once both have grown is the same.
      const Filled from(round % 2 == 0 ? params : doubled(params), random, random.below(most + 1), distinct);
      const std::uint32_t stage = into.filter.params().reserved_bits;
      const auto before = saved(into.filter), source = saved(from.filter);
      ASSERT_EQ(Access::field_that_differs(into.filter, from.filter), Field::none);
      const Result<InsertOutcome> outcome = merge(into.filter, from.filter);
      ASSERT_TRUE(outcome);
      ASSERT_EQ(saved(from.filter), source);
      if (*outcome != InsertOutcome::inserted) {
        ASSERT_EQ(saved(into.filter), before) << text_of(params);
        ++refused;
        continue;
      }
      ++merged;
      apart += stage != from.filter.params().reserved_bits ? 1 : 0;
      grew += stage != into.filter.params().reserved_bits ? 1 : 0;
      Multiset model(grown(params));
      for (const Hash key : into.keys) model.insert(key);
      for (const Hash key : from.keys) model.insert(key);
      ASSERT_EQ(into.filter.size(), model.size());
      for (std::uint64_t id = 0; id < distinct; ++id) {
        const Hash key = xxh64_of_integer(id, params.seed);
        ASSERT_EQ(into.filter.count(key), model.count(key)) << text_of(params);
      }
      const auto after = saved(into.filter);
      ASSERT_EQ(saved(std::move(*load(after))), after) << text_of(params);
      ASSERT_EQ(*merge(into.filter, from.filter, true), InsertOutcome::inserted);  // finds all there
      ASSERT_EQ(saved(into.filter), after) << text_of(params);
      for (const Hash key : from.keys) ASSERT_TRUE(into.filter.erase(key)) << text_of(params);
      for (const Hash key : into.keys) ASSERT_TRUE(into.filter.contains(key)) << text_of(params);
      for (const Hash key : into.keys) ASSERT_TRUE(into.filter.erase(key)) << text_of(params);
      ASSERT_EQ(into.filter.size(), 0u);
    }
  });
  EXPECT_GT(merged, 1000u);
  EXPECT_GT(refused, 100u);
  EXPECT_GT(apart, 500u);
  EXPECT_GT(grew, 500u);
}

TEST(Merge, ThatMakesATableGrowCountsItsDoublingsAndKeepsTheCountsBefore) {
  using Counted = CountedFilter;
  const Params params = *plan({.capacity = 100, .max_capacity = 12'800});
  Counted into = std::move(*Counted::create(params)), from = std::move(*Counted::create(params));
  for (std::uint64_t key = 0; key < 300; ++key) ASSERT_EQ(into.insert(key), InsertOutcome::inserted);
  for (std::uint64_t key = 300; key < 5000; ++key) ASSERT_EQ(from.insert(key), InsertOutcome::inserted);
  const Statistics before = into.watch().statistics();
  ASSERT_EQ(before.doubling_count, params.reserved_bits - into.params().reserved_bits);
  ASSERT_EQ(*merge(into, from), InsertOutcome::inserted);
  const Statistics& after = into.watch().statistics();
  EXPECT_GT(after.doubling_count, before.doubling_count);
  EXPECT_EQ(after.doubling_count, params.reserved_bits - into.params().reserved_bits);
  std::uint64_t inserts = 0, last = 0;
  for (const std::uint64_t count : after.kicks) inserts += count;
  EXPECT_EQ(inserts, 5000u);
  for (std::uint32_t i = 0; i < after.doubling_count; ++i) {
    EXPECT_GE(after.doublings[i].size, last);
    last = after.doublings[i].size;
  }
  // What fails leaves the counts as they were, too.
  Counted same = std::move(*Counted::create(params));
  for (int i = 0; i < 8; ++i) ASSERT_EQ(same.insert(std::uint64_t{1}), InsertOutcome::inserted);
  ASSERT_EQ(*merge(into, same), InsertOutcome::too_many_copies);
  EXPECT_EQ(into.watch().statistics().too_many_copies, 0u);
}

TEST(Merge, OfALargeFilterIntoASmallOneGrowsThat) {
  const Params params = *plan({.capacity = 10, .max_capacity = 200000});
  Filter large = created(params);
  for (std::uint64_t key = 0; key < 99000; ++key) ASSERT_EQ(large.insert(key), InsertOutcome::inserted);
  for (const bool only_if_absent : {false, true}) {
    Filter small = created(params);
    ASSERT_EQ(small.insert(std::uint64_t{1} << 40), InsertOutcome::inserted);
    EXPECT_EQ(*merge(small, large, only_if_absent), InsertOutcome::inserted);
    EXPECT_GT(small.size(), 98900u);
    EXPECT_EQ(small.params().bucket_count, large.params().bucket_count);
    for (std::uint64_t key = 0; key < 99000; ++key) ASSERT_TRUE(small.contains(key));
    EXPECT_TRUE(small.contains(std::uint64_t{1} << 40));
  }
}

// The first entries that come have a candidate bucket in common in a far smaller table.
TEST(Merge, OfALargeFilterWithFewSlotsPerBucketIntoASmallOneFindsRoom) {
  for (const std::uint32_t b : {1u, 2u, 3u}) {
    Params params = params_of(64, b, 14);
    params.reserved_bits = 8;
    params.capacity = slot_count(grown(params)) * (b == 1 ? 3 : 7) / 10;
    Random random(b);
    const Filled from(params, random, params.capacity / 2, ~std::uint64_t{0});
    Filled into(params, random, 1, ~std::uint64_t{0});
    ASSERT_EQ(*merge(into.filter, from.filter), InsertOutcome::inserted) << b;
    for (const Hash key : from.keys) ASSERT_TRUE(into.filter.contains(key)) << b;
  }
}

TEST(Merge, SaysThatACopyTooManyIsOne) {
  const Params params = params_of(50, 4, 12);
  Filter into = created(params);
  Filter from = created(params);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(into.insert(std::uint64_t{1}), InsertOutcome::inserted);
    EXPECT_EQ(from.insert(std::uint64_t{1}), InsertOutcome::inserted);
  }
  EXPECT_EQ(from.insert(std::uint64_t{2}), InsertOutcome::inserted);
  const auto before = saved(into);
  EXPECT_EQ(*merge(into, from), InsertOutcome::too_many_copies);
  EXPECT_EQ(saved(into), before);
  EXPECT_EQ(*merge(into, from, true), InsertOutcome::inserted);
  EXPECT_EQ(into.size(), 6u);
}

TEST(Merge, ShardsOfOnePlanGoTogetherAtItsCapacity) {
  for (const std::uint64_t capacity : {1, 8, 50, 999, 20000}) {
    for (const double rate : {0.03, 0.001, 0.0001}) {
      for (std::uint64_t shards = 2; shards <= 8; ++shards) {
        const Params params = *plan({.capacity = capacity, .false_positive_rate = rate});
        Filter all = created(params);
        for (std::uint64_t shard = 0; shard < shards; ++shard) {
          Filter part = created(params);
          for (std::uint64_t key = shard; key < capacity; key += shards) {
            ASSERT_EQ(part.insert(key), InsertOutcome::inserted);
          }
          ASSERT_EQ(*merge(all, part), InsertOutcome::inserted) << text_of(params) << " shard " << shard;
        }
        ASSERT_EQ(all.size(), capacity);
        for (std::uint64_t key = 0; key < capacity; ++key) ASSERT_TRUE(all.contains(key)) << text_of(params);
      }
    }
  }
}

TEST(Merge, RefusesFiltersThatDifferInWhereAKeyLies) {
  const Params params = params_of(16, 4, 12);
  const SecretKey secret{1, 2}, other_secret{1, 3};
  Params keyed = params;
  keyed.hash = HashAlgorithm::siphash_1_3;
  keyed.seed = 0;
  Filter into = created(params);
  EXPECT_EQ(into.insert(std::uint64_t{1}), InsertOutcome::inserted);
  const auto before = saved(into);
  const auto refused = [&](auto change) {
    Params others = params;
    change(others);
    others.capacity = 1;
    const Result<InsertOutcome> outcome = merge(into, created(others));
    EXPECT_EQ(outcome.error(), Error::different);
    EXPECT_EQ(saved(into), before);
    return outcome.field();
  };
  EXPECT_EQ(refused([](Params& p) { p.bucket_count = 32; }), Field::bucket_count);
  EXPECT_EQ(refused([](Params& p) { p.bucket_size = 3; }), Field::bucket_size);
  EXPECT_EQ(refused([](Params& p) { p.fingerprint_bits = 13; }), Field::fingerprint_bits);
  EXPECT_EQ(refused([](Params& p) { p.storage = Storage::semi_sorted, p.spared_quarters = 1; }),
            Field::fingerprint_bits);
  EXPECT_EQ(refused([](Params& p) { p.addressing = Addressing::xor_power_of_two; }), Field::addressing);
  EXPECT_EQ(refused([](Params& p) { ++p.seed; }), Field::seed);
  EXPECT_EQ(refused([](Params& p) { p.reserved_bits = 1; }), Field::bucket_count);
  const Filter foreign = std::move(*Filter::create(keyed, &secret));
  EXPECT_EQ(merge(into, foreign).field(), Field::hash);
  Filter same = std::move(*Filter::create(keyed, &secret));
  EXPECT_EQ(same.insert(std::uint64_t{1}), InsertOutcome::inserted);
  EXPECT_EQ(merge(same, std::move(*Filter::create(keyed, &other_secret))).field(), Field::hash);
  EXPECT_EQ(*merge(same, foreign), InsertOutcome::inserted);
}

TEST(Merge, TakesFiltersThatDifferInStorageAndCapacity) {
  Params params = params_of(64, 4, 12);
  Params sorted = params;
  sorted.storage = Storage::semi_sorted;
  sorted.capacity = 3;
  Filter into = created(params);
  Filter from = created(sorted);
  for (std::uint64_t key = 0; key < 100; ++key) {
    EXPECT_EQ(into.insert(key), InsertOutcome::inserted);
    EXPECT_EQ(from.insert(key + 100), InsertOutcome::inserted);
  }
  EXPECT_EQ(*merge(into, from), InsertOutcome::inserted);
  for (std::uint64_t key = 0; key < 200; ++key) EXPECT_TRUE(into.contains(key));
  EXPECT_EQ(into.params().capacity, params.capacity);
}

TEST(Merge, IsTracedAsOneChangeOfTheTableAndNotAtAllWhereItFails) {
  for_all_params({7, 16}, [](const Params& params) {
    Random random(params.seed + 8);
    TracedFilter traced = std::move(*TracedFilter::create(params));
    TracedFilter from = std::move(*TracedFilter::create(params));
    Filter plain = created(params), plain_from = created(params);
    for (std::uint64_t i = 0; i < slot_count(params) / 2; ++i) {
      const Hash one{random.next()}, other{random.next()};
      ASSERT_EQ(traced.insert(one), plain.insert(one));
      ASSERT_EQ(from.insert(other), plain_from.insert(other));
    }
    ASSERT_TRUE(traced.watch().open(TraceLevel::all, 1000));
    for (const bool is_own : {false, true}) {
      const std::size_t told = traced.watch().events().size();
      const std::uint64_t size = traced.size();
      const InsertOutcome outcome = *merge(traced, is_own ? traced : from);
      ASSERT_EQ(*merge(plain, is_own ? plain : plain_from), outcome) << text_of(params);
      ASSERT_EQ(saved(traced), saved(plain)) << text_of(params);
      const std::span<const Event> events = traced.watch().events().subspan(told);
      ASSERT_EQ(events.size(), outcome == InsertOutcome::inserted ? 3u : 0u) << text_of(params);
      if (events.empty()) continue;
      const auto merge = static_cast<std::uint8_t>(Operation::merge);
      ASSERT_TRUE(events[0].kind == EventKind::begin && events[0].code == merge && events[0].bucket == size);
      ASSERT_TRUE(events[1].kind == EventKind::reset && events[1].code == merge);
      ASSERT_TRUE(events[2].kind == EventKind::end && events[2].before == merge && events[2].bucket == traced.size());
    }
  });
}

}  // namespace
}  // namespace cuckoo
