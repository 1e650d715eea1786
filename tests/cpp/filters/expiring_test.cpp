#include "cuckoo/filters/expiring.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "cases.h"
#include "cuckoo/filters/merge.h"
#include "cuckoo/format/format.h"
#include "cuckoo/plan.h"
#include "expiring_model.h"
#include "random.h"
#include "saved.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::created;
using testing::Expiring;
using testing::params_of;
using testing::Random;
using testing::saved;
using testing::text_of;

std::vector<std::uint8_t> bytes_of(Expiring&& filter) {
  return {Access::entries(filter).table().bytes().begin(), Access::entries(filter).table().bytes().end()};
}

TEST(Expiring, ForgetsAKeyWhenItWasNotSeenForAllPeriods) {
  for (std::uint32_t periods = 1; periods <= kMaxPeriods; ++periods) {
    Expiring filter = created(params_of(16, 4, 20), periods);
    EXPECT_EQ(filter.insert_if_absent(std::uint64_t{1}), InsertOutcome::inserted);
    EXPECT_EQ(filter.insert_if_absent(std::uint64_t{2}), InsertOutcome::inserted);
    for (std::uint32_t period = 1; period < periods; ++period) {
      EXPECT_EQ(filter.advance(), 0u);
      EXPECT_TRUE(filter.contains(std::uint64_t{1}));
      EXPECT_EQ(filter.insert_if_absent(std::uint64_t{2}), InsertOutcome::present);
    }
    EXPECT_EQ(filter.advance(), periods == 1 ? 2u : 1u);
    EXPECT_FALSE(filter.contains(std::uint64_t{1}));
    EXPECT_EQ(filter.contains(std::uint64_t{2}), periods > 1);
    filter.clear();
    EXPECT_EQ(filter.size(), 0u);
    EXPECT_FALSE(filter.contains(std::uint64_t{2}));
    EXPECT_EQ(bytes_of(std::move(*filter.clone())), bytes_of(created(params_of(16, 4, 20), periods)));
  }
}

TEST(Expiring, ForgetsThePeriodsOfATableThatIsToGrow) {
  Params params = params_of(64, 4, 12);
  params.reserved_bits = 3;
  params.capacity = 1500;
  Expiring filter = created(params, 5);
  for (std::uint64_t period = 0; period < 7; ++period, filter.advance()) {
    for (std::uint64_t key = 0; key < 20; ++key) {
      ASSERT_EQ(filter.insert_if_absent(100 * period + key), InsertOutcome::inserted) << period;
    }
  }
  EXPECT_EQ(filter.size(), 80u);
  for (std::uint64_t period = 0; period < 7; ++period) {
    for (std::uint64_t key = 0; key < 20; ++key) EXPECT_EQ(filter.contains(100 * period + key), period >= 3) << period;
  }
}

TEST(Expiring, FindsTheKeysOfOnePeriodWhateverPartOfADoublingItsTuningAllowsACall) {
  Params params = *plan({.capacity = 100, .max_capacity = 10000});
  params.tuning.buckets_per_call = 1;
  Expiring filter = created(params, 1);
  for (std::uint64_t key = 0; filter.params().bucket_count < 8 * params.bucket_count; ++key) {
    ASSERT_NE(filter.insert_if_absent(key), InsertOutcome::full);
    ASSERT_TRUE(filter.contains(key)) << key;
    ASSERT_TRUE(filter.contains(key / 2)) << key;
    ASSERT_EQ(filter.insert_if_absent(key / 2), InsertOutcome::present) << key;
  }
  EXPECT_FALSE(Access::entries(filter).has_work());
  filter.advance();
  EXPECT_EQ(saved(filter), saved(*load<Expiring>(saved(filter))));
}

TEST(Expiring, ClearsTheCountsOfItsPeriodsAndRemembersAllOfThemAgain) {
  Expiring filter = created(params_of(2, 4, 12), 3);
  filter.set_when_full(WhenFull::forget_oldest);
  for (std::uint64_t key = 0; filter.remembered() == 3; ++key) {
    (void)filter.insert_if_absent(key);
    if (key % 5 == 4) filter.advance();
  }
  filter.clear();
  EXPECT_EQ(filter.remembered(), 3u);
  ASSERT_EQ(filter.insert_if_absent(std::uint64_t{1} << 40), InsertOutcome::inserted);
  EXPECT_EQ(filter.advance(), 0u);
  EXPECT_EQ(filter.advance(), 0u);
  EXPECT_TRUE(filter.contains(std::uint64_t{1} << 40));
  EXPECT_EQ(filter.advance(), 1u);
  EXPECT_EQ(filter.size(), 0u);
}

TEST(Expiring, AMergeNamesTheFieldThatDiffers) {
  const auto field_of = [](const Expiring& from) {
    Expiring filter = created(params_of(16, 4, 12), 3);
    return merge(filter, from).field();
  };
  EXPECT_EQ(field_of(created(params_of(16, 4, 12), 4)), Field::periods);
  EXPECT_EQ(field_of(created(params_of(16, 4, 11), 3)), Field::fingerprint_bits);
  Expiring later = created(params_of(16, 4, 12), 3);
  later.advance();
  EXPECT_EQ(field_of(later), Field::current_period);
  Expiring earlier_of_others = created(params_of(16, 4, 11), 3);
  earlier_of_others.advance();
  EXPECT_EQ(field_of(earlier_of_others), Field::fingerprint_bits);
}

TEST(Expiring, AMergeKeepsThePeriodsThatBothRememberAndTheNewerTimeOfAKey) {
  Expiring into = created(params_of(64, 4, 12), 4);
  Expiring from = created(params_of(2, 4, 12), 4);
  from = std::move(*into.clone());
  for (std::uint64_t period = 0; period < 4; ++period) {
    if (period > 0) {
      into.advance();
      from.advance();
    }
    ASSERT_EQ(into.insert_if_absent(period), InsertOutcome::inserted);
    ASSERT_EQ(from.insert_if_absent(10 + period), InsertOutcome::inserted);
  }
  ASSERT_EQ(from.insert_if_absent(std::uint64_t{0}), InsertOutcome::inserted);  // the oldest there is the newest here
  ASSERT_EQ(*merge(into, from), InsertOutcome::inserted);
  EXPECT_EQ(into.remembered(), 4u);
  EXPECT_EQ(into.size(), 8u);
  EXPECT_EQ(into.advance(), 1u);  // key 10 alone: key 0 was seen since
  EXPECT_TRUE(into.contains(std::uint64_t{0}));
  EXPECT_FALSE(into.contains(std::uint64_t{10}));
}

TEST(Expiring, HoldsItsCapacityInEveryWindowAtThePlannedRate) {
  for (const double rate : {0.03, 0.001}) {
    const std::uint32_t periods = 4;
    const std::uint64_t capacity = 40000, each = capacity / periods;
    const Params params = *plan({.capacity = capacity, .false_positive_rate = rate});
    Expiring filter = created(params, periods);
    std::uint64_t next = 0;
    for (int period = 0; period < 20; ++period) {
      const std::vector<Hash> keys = [&] {
        std::vector<Hash> made;
        for (std::uint64_t i = 0; i < each; ++i) made.push_back(xxh64_of_integer(next++, params.seed));
        return made;
      }();
      std::vector<std::uint8_t> is_new(keys.size());
      ASSERT_EQ(filter.insert_many_if_absent(keys, is_new).done, each);
      for (std::uint64_t key = next - std::min(next, capacity); key < next; ++key) {
        ASSERT_TRUE(filter.contains(xxh64_of_integer(key, params.seed)));
      }
      const int probes = 100000;
      int found = 0;
      for (int i = 0; i < probes; ++i) found += filter.contains(xxh64_of_integer(~std::uint64_t{0} - i, params.seed));
      const double expected = filter.expected_false_positive_rate();
      // How many of the keys are alike varies: five standard deviations.
      ASSERT_LE(expected, rate * (1 + 5 * std::sqrt(rate / 2 / static_cast<double>(capacity))));
      ASSERT_NEAR(static_cast<double>(found) / probes, expected, 5 * std::sqrt(expected / probes) + 0.02 * expected);
      filter.advance();
    }
  }
}

TEST(Expiring, WithoutRenewingAKeyIsNewOnceInAllPeriodsHoweverOftenItOccurs) {
  for (const std::uint32_t periods : {1u, 2u, 5u, kMaxPeriods}) {
    Expiring filter = created(params_of(16, 4, 20), periods);
    EXPECT_TRUE(filter.renews());
    filter.set_renews(false);
    Expiring copy = std::move(*filter.clone());
    EXPECT_FALSE(copy.renews());
    for (std::uint32_t period = 0; period < 2 * periods + 1; ++period) {
      const InsertOutcome expected = period % periods == 0 ? InsertOutcome::inserted : InsertOutcome::present;
      EXPECT_EQ(filter.insert_if_absent(std::uint64_t{1}), expected) << period;
      EXPECT_EQ(filter.insert_if_absent(std::uint64_t{1}), InsertOutcome::present);
      const Hash hash = copy.hash(std::uint64_t{1});
      std::uint8_t is_new[] = {2, 2};
      EXPECT_EQ(copy.insert_many_if_absent(std::array{hash, hash}, is_new).done, 2u);
      EXPECT_EQ(is_new[0], expected == InsertOutcome::inserted ? 1 : 0);
      EXPECT_EQ(is_new[1], 0);
      EXPECT_EQ(filter.size(), 1u);
      (void)filter.advance();
      (void)copy.advance();
    }
  }
}

TEST(Expiring, ABatchTellsWhichKeysAreNew) {
  Expiring one = created(params_of(97, 4, 12), 3);
  Expiring many = created(params_of(97, 4, 12), 3);
  std::vector<Hash> keys;
  for (std::uint64_t i = 0; i < 300; ++i) keys.push_back(one.hash(i % 200));
  std::vector<std::uint8_t> is_new(keys.size());
  ASSERT_EQ(many.insert_many_if_absent(keys, is_new).done, keys.size());
  std::size_t known = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool is_inserted = one.insert_if_absent(keys[i]) == InsertOutcome::inserted;
    EXPECT_EQ(is_new[i], is_inserted ? 1 : 0) << i;
    known += is_inserted ? 0 : 1;
  }
  EXPECT_GE(known, 100u);
}

TEST(Expiring, RefusesWhatDoesNotFit) {
  for (const std::uint32_t periods : {0u, kMaxPeriods + 1}) {
    const auto filter = Expiring::create(params_of(4, 4, 12), periods);
    EXPECT_EQ(filter.error(), Error::out_of_range);
    EXPECT_EQ(filter.field(), Field::periods);
  }
  EXPECT_EQ(Expiring::create(params_of(4, 4, 31), 3).field(), Field::fingerprint_bits);
  EXPECT_EQ(Expiring::create(params_of(4, 9, 12), 3).field(), Field::bucket_size);
  const SecretKey secret{1, 2};
  EXPECT_EQ(Expiring::create(params_of(4, 4, 12), 3, &secret).error(), Error::wrong_key);
  EXPECT_TRUE(Expiring::create(params_of(4, 4, 32), 1));
  Expiring full = created(params_of(1, 2, 12), 2);
  std::vector<Hash> keys;
  for (std::uint64_t key = 0; key < 5; ++key) keys.push_back(full.hash(key));
  std::vector<std::uint8_t> is_new(keys.size());
  const BatchOutcome batch = full.insert_many_if_absent(keys, is_new);
  EXPECT_EQ(batch.done, 2u);
  EXPECT_EQ(batch.outcome, InsertOutcome::full);
}

TEST(Expiring, AMergeForgetsNoMorePeriodsThanMakeRoom) {
  const Params params = params_of(64, 4, 16);
  Expiring into = created(params, 4);
  Expiring from = created(params, 4);
  into.set_when_full(WhenFull::forget_oldest);
  std::uint64_t next = 0;
  const auto see = [&](Expiring& filter, int keys) {
    for (int i = 0; i < keys; ++i)
      ASSERT_EQ(filter.insert_if_absent(xxh64_of_integer(next++, 0)), InsertOutcome::inserted);
  };
  see(into, 200);
  into.advance(), from.advance();
  see(into, 20);
  into.advance(), from.advance();
  see(into, 10);
  see(from, 60);
  into.advance(), from.advance();
  ASSERT_EQ(*merge(into, from), InsertOutcome::inserted);
  EXPECT_EQ(into.remembered(), 3u);
  EXPECT_EQ(into.size(), 90u);
}

TEST(Expiring, AMergeThatFindsNoRoomIsRefusedUnlessTheOldestMayBeForgotten) {
  const Params params = params_of(16, 4, 16);
  Expiring into = created(params, 2);
  Expiring from = created(params, 2);
  for (std::uint64_t key = 0; key < 50; ++key) ASSERT_EQ(into.insert_if_absent(key), InsertOutcome::inserted);
  into.advance(), from.advance();
  for (std::uint64_t key = 50; key < 90; ++key) ASSERT_EQ(from.insert_if_absent(key), InsertOutcome::inserted);
  EXPECT_EQ(*merge(into, from), InsertOutcome::full);
  EXPECT_EQ(into.remembered(), 2u);
  EXPECT_EQ(into.size(), 50u);
  into.set_when_full(WhenFull::forget_oldest);
  EXPECT_EQ(*merge(into, from), InsertOutcome::inserted);
  EXPECT_EQ(into.remembered(), 1u);
  EXPECT_EQ(into.size(), 40u);
}

TEST(Expiring, TakesOfABatchNoMoreThanItHolds) {
  Expiring into = created(params_of(16, 4, 16), 2);
  Expiring from = created(params_of(16, 4, 16), 2);
  for (std::uint64_t key = 0; key < 2; ++key) ASSERT_EQ(from.insert_if_absent(key), InsertOutcome::inserted);
  HashBatch some;
  (void)some.take(Access::entries(from).buckets(), from.params(), 0);
  ASSERT_EQ(some.count, 2u);
  some.count = 1;
  ASSERT_EQ(Access::absorb(into, from, some), InsertOutcome::inserted);
  EXPECT_EQ(into.size(), 1u);
}

TEST(Expiring, ABatchForgetsTheOldestAsSinglesDo) {
  Expiring one = created(params_of(16, 4, 16), 4);
  Expiring many = created(params_of(16, 4, 16), 4);
  std::uint64_t next = 0;
  for (Expiring* filter : {&one, &many}) filter->set_when_full(WhenFull::forget_oldest);
  for (int period = 0; period < 8; ++period, one.advance(), many.advance()) {
    std::vector<Hash> keys;
    for (int i = 0; i < 30; ++i) keys.push_back(one.hash(next++));
    std::vector<std::uint8_t> is_new(keys.size());
    const BatchOutcome batch = many.insert_many_if_absent(keys, is_new);
    EXPECT_EQ(batch.done, keys.size());
    EXPECT_EQ(batch.outcome, InsertOutcome::inserted);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(one.insert_if_absent(keys[i]) == InsertOutcome::inserted, is_new[i] == 1) << period << " " << i;
    }
    ASSERT_EQ(many.size(), one.size());
    ASSERT_EQ(many.remembered(), one.remembered());
  }
  EXPECT_LT(one.remembered(), 4u);
}

TEST(Expiring, NeverForgetsTheCurrentPeriod) {
  Expiring filter = created(params_of(4, 4, 16), 3);
  filter.set_when_full(WhenFull::forget_oldest);
  for (std::uint64_t key = 100; key < 104; ++key) ASSERT_EQ(filter.insert_if_absent(key), InsertOutcome::inserted);
  filter.advance();
  std::uint64_t keys = 0;
  while (filter.insert_if_absent(keys) != InsertOutcome::full) ++keys;
  EXPECT_EQ(filter.remembered(), 1u);
  EXPECT_EQ(filter.size(), keys);
  for (std::uint64_t key = 0; key < keys; ++key) EXPECT_TRUE(filter.contains(key)) << key;
}

TEST(Expiring, HasAClockFromWhenItIsSetToTheEndOfThePeriod) {
  Expiring filter = created(params_of(4, 4, 16), 3);
  EXPECT_FALSE(filter.has_clock());
  filter.set_clock(70);
  EXPECT_TRUE(filter.has_clock());
  EXPECT_EQ(filter.clock(), 70u);
  filter.advance(0);
  EXPECT_TRUE(filter.has_clock());
  filter.advance(2);
  EXPECT_FALSE(filter.has_clock());
  EXPECT_EQ(filter.clock(), 72u);
}

TEST(Expiring, AdvanceSweepsSixteenBlocksAtOnce) {
  for (const std::uint64_t blocks : {16u, 17u, 18u}) {
    Expiring filter = created(params_of(blocks << kSweptBlockBits, 4, 16), 1);
    ASSERT_EQ(filter.insert_if_absent(std::uint64_t{1}), InsertOutcome::inserted);
    EXPECT_EQ(filter.advance(), 1u);
    EXPECT_EQ(Access::entries(filter).has_work(), blocks > 16) << blocks;
  }
}

TEST(Expiring, WhatIsForgottenWhileASweepIsUnderWayStaysForgotten) {
  for (int calls = 0; calls < 40; calls += 5) {
    Expiring filter = created(params_of(50 << kSweptBlockBits, 1, 20), 3);
    for (std::uint64_t key = 0; key < 900; ++key) {
      if (key % 300 == 0) filter.advance();
      ASSERT_EQ(filter.insert_if_absent(key), InsertOutcome::inserted);
    }
    filter.advance();
    for (int i = 0; i < calls; ++i) (void)filter.insert_if_absent(std::uint64_t{1000});
    filter.advance();
    do {
      for (std::uint64_t key = 0; key < 900; ++key) ASSERT_EQ(filter.contains(key), key >= 600) << calls << " " << key;
      (void)filter.insert_if_absent(std::uint64_t{1000});
    } while (Access::entries(filter).has_work());
    for (std::uint64_t key = 0; key < 900; ++key) ASSERT_EQ(filter.contains(key), key >= 600) << calls << " " << key;
  }
}

TEST(Expiring, RemembersTheSameInBothStorages) {
  std::uint64_t forgotten = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Params params = params_of(37, 4, 10);
    Expiring plain = created(params, 4);
    params.storage = Storage::semi_sorted;
    Expiring semi_sorted = created(params, 4);
    for (Expiring* filter : {&plain, &semi_sorted}) filter->set_when_full(WhenFull::forget_oldest);
    Random random(seed);
    for (int i = 0; i < 1000; ++i) {
      const Hash key{random.next()};
      ASSERT_EQ(plain.insert_if_absent(key), semi_sorted.insert_if_absent(key)) << seed << " " << i;
      ASSERT_EQ(plain.remembered(), semi_sorted.remembered()) << seed << " " << i;
      if (i % 60 == 59) {
        ASSERT_EQ(plain.advance(), semi_sorted.advance());
      }
      forgotten += plain.remembered() < 4 ? 1 : 0;
    }
  }
  EXPECT_GT(forgotten, 1000u);
}

}  // namespace
}  // namespace cuckoo
