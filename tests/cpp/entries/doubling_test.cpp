// A table that is doubled little by little: at every moment, and whatever is called, it is as one that is doubled at
// once.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

#include "cases.h"
#include "clock.h"
#include "cuckoo/entries/statistics.h"
#include "cuckoo/filters/counting.h"
#include "cuckoo/filters/expiring.h"
#include "cuckoo/filters/merge.h"
#include "cuckoo/filters/traced.h"
#include "cuckoo/filters/value.h"
#include "cuckoo/format/format.h"
#include "random.h"
#include "saved.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::Random;
using testing::saved;
using testing::text_of;
using testing::ticks;

/// A filter that moves one group of buckets per call, and its twin that doubles at once. Every call is made of both.
struct FastAndSlow {
  Filter slow;
  Filter fast;

  static FastAndSlow of(Params params) {
    Params at_once = params;
    params.tuning.buckets_per_call = 1;
    return {std::move(*Filter::create(params)), std::move(*Filter::create(at_once))};
  }
  template <class Call>
  auto both(Call call) {
    const auto answer = call(slow);
    EXPECT_EQ(answer, call(fast));
    EXPECT_EQ(slow.size(), fast.size());
    return answer;
  }
};

/// Calls `check(params)` for every b, f, storage and addressing, with tables of some groups of buckets that double
/// twice.
template <class Check>
void for_all_doubling_params(Check check) {
  testing::for_all_params({500, 512}, [&](Params params) {
    if (params.fingerprint_bits > kMaxFingerprintBits - 2) return;
    params.reserved_bits = 2;
    params.capacity = std::max<std::uint64_t>(1, slot_count(grown(params)) * (params.bucket_size > 1 ? 8 : 4) / 10);
    check(params);
  });
}

TEST(Doubling, LittleByLittleEveryCallAnswersAndTheBytesAreAsAtOnce) {
  std::uint64_t calls_while_doubling = 0;
  for_all_doubling_params([&](const Params& params) {
    Random random(params.seed + 1);
    FastAndSlow twins = FastAndSlow::of(params);
    std::vector<Hash> keys;
    // The calls around each doubling, with few others.
    while (twins.fast.size() < params.capacity / 2 + 40) {
      const bool is_near = Access::entries(twins.slow).has_work() || random.below(128) == 0;
      const std::uint64_t due = present_capacity(twins.fast.params());
      if (!is_near && twins.fast.size() + 2 < due) {
        keys.push_back(Hash{random.next()});
        const InsertOutcome outcome = twins.fast.insert(keys.back());
        ASSERT_EQ(twins.slow.insert(keys.back()), outcome);
        if (outcome != InsertOutcome::inserted) keys.pop_back();
        if (outcome == InsertOutcome::full && random.below(4) == 0) break;
        continue;
      }
      calls_while_doubling += Access::entries(twins.slow).has_work() ? 1 : 0;
      const Hash key = keys.empty() || random.below(2) == 0 ? Hash{random.next()} : keys[random.below(keys.size())];
      const std::uint64_t action = random.below(12);
      if (action < 4) {
        const InsertOutcome outcome = twins.both([&](Filter& filter) { return filter.insert(key); });
        if (outcome == InsertOutcome::inserted) keys.push_back(key);
        if (outcome == InsertOutcome::full && random.below(4) == 0) break;
      } else if (action == 4) {
        const InsertOutcome outcome = twins.both([&](Filter& filter) { return filter.insert_if_absent(key); });
        if (outcome == InsertOutcome::inserted) keys.push_back(key);
      } else if (action == 5) {
        twins.both([&](Filter& filter) { return filter.erase(key); });
      } else if (action == 6) {
        const std::vector<Hash> some = {key, Hash{random.next()}, key};
        twins.both([&](Filter& filter) {
          const BatchOutcome batch = filter.insert_many(some);
          return std::pair(batch.done, batch.outcome);
        });
        twins.both([&](Filter& filter) { return filter.erase_many(std::span(some).first(2)); });
      } else if (action == 7) {
        const std::vector<Hash> some = {key, Hash{random.next()}, keys.empty() ? key : keys[0]};
        twins.both([&](Filter& filter) {
          std::vector<std::uint8_t> answers(some.size());
          const BatchOutcome batch = filter.insert_many_if_absent(some, answers);
          return std::pair(answers, batch.done);
        });
      }
      twins.both([&](Filter& filter) { return filter.count(key); });
      twins.both([&](Filter& filter) { return filter.contains(Hash{static_cast<std::uint64_t>(key) ^ 1}); });
      const std::span<const Hash> asked = std::span(keys).last(std::min<std::size_t>(keys.size(), 30));
      twins.both([&](Filter& filter) {
        std::vector<std::uint8_t> answers(asked.size());
        filter.contains_many(asked, answers);
        return answers;
      });
      if (::testing::Test::HasFailure()) FAIL() << text_of(params);
      const std::uint64_t rare = random.below(100);
      if (rare == 0) {
        ASSERT_EQ(saved(twins.slow), saved(twins.fast)) << text_of(params);
      } else if (rare == 1) {
        ASSERT_EQ(saved(*twins.slow.clone()), saved(twins.fast)) << text_of(params);
      } else if (rare == 2) {
        Filter moved = std::move(twins.slow);
        twins.slow = std::move(moved);
      }
    }
    ASSERT_EQ(saved(twins.slow), saved(twins.fast)) << text_of(params);
    ASSERT_EQ(saved(*load(saved(twins.slow))), saved(twins.slow)) << text_of(params);
  });
  EXPECT_GT(calls_while_doubling, 2500u);
}

TEST(Doubling, EveryKeyIsFoundAfterEveryCallOfTheMove) {
  for (const auto& [b, f, storage] : {std::tuple{4u, 12u, Storage::plain},
                                      {4u, 13u, Storage::semi_sorted},
                                      {2u, 20u, Storage::plain},
                                      {8u, 9u, Storage::plain}}) {
    Params params = testing::params_of(3000, b, f);
    params.storage = storage;
    params.reserved_bits = 1;
    params.capacity = slot_count(params) * 2 * 9 / 10;
    FastAndSlow twins = FastAndSlow::of(params);
    Random random(b + f);
    std::vector<Hash> keys;
    std::uint64_t calls = 0;
    while (keys.size() <= present_capacity(params) || Access::entries(twins.slow).has_work()) {
      keys.push_back(Hash{random.next()});
      ASSERT_EQ(twins.both([&](Filter& filter) { return filter.insert(keys.back()); }), InsertOutcome::inserted);
      if (!Access::entries(twins.slow).has_work()) continue;
      ++calls;
      for (const Hash key : keys) ASSERT_TRUE(twins.slow.contains(key)) << text_of(params);
      std::vector<std::uint8_t> found(keys.size());
      twins.slow.contains_many(keys, found);
      ASSERT_EQ(std::count(found.begin(), found.end(), 1), static_cast<std::ptrdiff_t>(keys.size()));
      ASSERT_EQ(twins.slow.params().bucket_count, 2 * params.bucket_count);
    }
    // 47 groups: those that a call needs are moved besides its own.
    EXPECT_GT(calls, 8u);
    EXPECT_LT(calls, 47u);
    EXPECT_EQ(saved(twins.slow), saved(twins.fast));
  }
}

Params params_to_double() {
  Params params = testing::params_of(1000, 4, 12);
  params.reserved_bits = 2;
  params.capacity = 15'000;
  params.tuning.buckets_per_call = 64;
  return params;
}

/// A filter amid its first doubling, and how many keys it has.
std::uint64_t fill_until_doubling(Filter& filter) {
  std::uint64_t keys = 0;
  for (; !Access::entries(filter).has_work(); ++keys) EXPECT_EQ(filter.insert(keys), InsertOutcome::inserted);
  return keys;
}

TEST(Doubling, MovesAsManyGroupsAtEachCallAsItsTuningSays) {
  constexpr std::uint64_t kGroups = 64;
  for (const std::uint64_t groups_a_call : {1, 2, 4}) {
    Params params = testing::params_of(kGroups << 6, 4, 12);
    params.reserved_bits = 1;
    params.capacity = 200;
    params.tuning.buckets_per_call = groups_a_call << 6;
    Filter filter = std::move(*Filter::create(params));
    for (std::uint64_t key = 0; !Access::entries(filter).has_work(); ++key) (void)filter.insert(key);
    std::uint64_t calls = 1;  // the one that began it
    for (; Access::entries(filter).has_work(); ++calls) (void)filter.erase(std::uint64_t{1});
    // And two groups that the erased key belongs to; the last call finds none left.
    EXPECT_LE(calls, kGroups / groups_a_call + 1);
    EXPECT_GE(calls + 3, kGroups / groups_a_call);
  }
}

/// Doubles a filter with values that is asked to do it little by little.
template <class AnyFilter>
void expect_doubling_at_once(AnyFilter filter) {
  const std::uint64_t before = filter.params().bucket_count;
  for (std::uint64_t key = 0; filter.params().bucket_count == before; ++key) {
    if constexpr (AnyFilter::kKind == ValueKind::periods) {
      (void)filter.insert_if_absent(key);
    } else {
      (void)filter.insert(key, 1);
    }
  }
  EXPECT_FALSE(Access::entries(filter).has_work());
}

TEST(Doubling, IsAtOnceWhereEntriesHaveValues) {
  Params params = testing::params_of(512, 4, 12);
  params.reserved_bits = 1;
  params.capacity = 200;
  params.tuning.buckets_per_call = 64;
  expect_doubling_at_once(std::move(*ValueFilter::create(params, 4)));
  expect_doubling_at_once(std::move(*CountingFilter::create(params, 4)));
  expect_doubling_at_once(std::move(*ExpiringFilter::create(params, 4)));
}

TEST(Doubling, ThatIsUnderWayIsCleared) {
  Filter filter = std::move(*Filter::create(params_to_double()));
  Filter whole = std::move(*Filter::create(params_to_double()));
  const std::uint64_t keys = fill_until_doubling(filter);
  fill_until_doubling(whole);
  Access::entries(whole).finish_work();
  EXPECT_FALSE(Access::entries(whole).has_work());
  filter.clear();
  whole.clear();
  EXPECT_FALSE(Access::entries(filter).has_work());
  for (std::uint64_t key = 0; key < keys; ++key) ASSERT_EQ(filter.count(key), 0u);
  for (std::uint64_t key = 7; key < 1000; ++key) {
    ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
    ASSERT_EQ(whole.insert(key), InsertOutcome::inserted);
  }
  EXPECT_EQ(saved(filter), saved(whole));
}

TEST(Doubling, ThatIsUnderWayLetsABatchOfErasesCountWhatItErases) {
  Filter filter = std::move(*Filter::create(params_to_double()));
  const std::uint64_t keys = fill_until_doubling(filter);
  std::vector<Hash> hashes;
  for (std::uint64_t key = keys - 3; key < keys + 3; ++key) hashes.push_back(filter.hash(key));
  EXPECT_EQ(filter.erase_many(hashes), 3u);
  EXPECT_EQ(filter.size(), keys - 3);
}

TEST(Doubling, ThatIsUnderWayEndsBeforeAHalving) {
  Params params = params_to_double();
  params.tuning.buckets_per_call = 1;
  Filter filter = std::move(*Filter::create(params));
  const std::uint64_t keys = fill_until_doubling(filter);
  ASSERT_TRUE(filter.erase(std::uint64_t{0}));
  ASSERT_TRUE(Access::entries(filter).has_work());
  ASSERT_TRUE(filter.shrink());
  for (std::uint64_t key = 1; key < keys; ++key) ASSERT_TRUE(filter.contains(key));
}

TEST(Doubling, ThatIsUnderWayEndsBeforeTheNextAndBeforeAHalving) {
  Filter filter = std::move(*Filter::create(params_to_double()));
  const std::uint64_t keys = fill_until_doubling(filter);
  ASSERT_TRUE(filter.grow());
  EXPECT_FALSE(Access::entries(filter).has_work());
  EXPECT_EQ(filter.params().bucket_count, 4000u);
  for (std::uint64_t key = 0; key < keys; ++key) ASSERT_TRUE(filter.contains(key));
  Filter other = std::move(*Filter::create(params_to_double()));
  fill_until_doubling(other);
  for (std::uint64_t key = 0; key < keys / 2; ++key) ASSERT_TRUE(other.erase(key));
  ASSERT_TRUE(other.shrink());
  for (std::uint64_t key = keys / 2; key < keys; ++key) ASSERT_TRUE(other.contains(key));
}

TEST(Doubling, ThatIsUnderWayInEitherFilterEndsBeforeAMerge) {
  Filter into = std::move(*Filter::create(params_to_double()));
  Filter from = std::move(*Filter::create(params_to_double()));
  const std::uint64_t keys = fill_until_doubling(into);
  fill_until_doubling(from);
  ASSERT_EQ(*merge(into, from), InsertOutcome::inserted);
  for (std::uint64_t key = 0; key < keys; ++key) ASSERT_GE(into.count(key), 2u);
  EXPECT_EQ(into.size(), 2 * keys);
}

TEST(Doubling, LittleByLittleIsToldOnceWithTheLongestOfItsPauses) {
  BasicFilter<detail::Entries<Watched<NoWatch, ticks>>> filter =
      std::move(*BasicFilter<detail::Entries<Watched<NoWatch, ticks>>>::create(params_to_double()));
  std::uint64_t key = 0;
  for (; !Access::entries(filter).has_work(); ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  const Statistics& told = filter.watch().statistics();
  EXPECT_EQ(told.doubling_count, 1u);
  EXPECT_EQ(told.doublings[0].size, key);
  EXPECT_EQ(told.doublings[0].bucket_count, 2000u);
  for (; Access::entries(filter).has_work(); ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  EXPECT_EQ(told.doubling_count, 1u);
  EXPECT_EQ(told.doublings[0].pause, 1);
}

TEST(Doubling, IsAtOnceWhereEveryLookupIsTraced) {
  TracedFilter filter = std::move(*TracedFilter::create(params_to_double()));
  for (std::uint64_t key = 0; key < 5000; ++key) {
    ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
    ASSERT_FALSE(Access::entries(filter).has_work());
  }
}

TEST(Doubling, IsTracedEntryByEntryWhereThereIsRoomForAll) {
  for_all_doubling_params([](const Params& params) {
    const std::uint32_t top = params.fingerprint_bits + params.reserved_bits - 1;
    for (const std::size_t capacity : {1u << 16, 64u}) {
      TracedFilter filter = std::move(*TracedFilter::create(params));
      ASSERT_TRUE(filter.watch().open(TraceLevel::all, capacity));
      Random random(params.seed);
      while (filter.params().bucket_count == params.bucket_count) {
        filter.watch().drain();
        (void)filter.insert(Hash{random.next()});
      }
      const std::span<const Event> events = filter.watch().events();
      // A key that found no room comes in afterwards, and may kick what was just moved.
      const bool has_kicked = std::ranges::any_of(events, [](const Event& e) { return e.kind == EventKind::kick; });
      std::uint64_t count = 0;
      for (const Event& event : events) {
        if (event.kind != EventKind::split) continue;
        ++count;
        const std::uint32_t side = event.before >> top & 1;
        ASSERT_EQ(event.other_bucket, 2 * event.bucket + side);
        ASSERT_EQ(event.after, event.before - (side << top));
        if (!has_kicked) {
          ASSERT_GT(Access::entries(filter).table().count(event.other_bucket, event.after), 0u) << text_of(params);
        }
      }
      if (capacity == 64) {
        ASSERT_EQ(count, 0u);
      } else {
        ASSERT_GE(count + 1, filter.size());
        ASSERT_LE(count, filter.size());
      }
    }
  });
}

}  // namespace
}  // namespace cuckoo
