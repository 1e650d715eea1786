// Which periods an expiring filter forgets to make room, and in a merge: no more than necessary.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "cases.h"
#include "cuckoo/filters/expiring.h"
#include "cuckoo/filters/merge.h"
#include "expiring_model.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::created;
using testing::Expiring;
using testing::params_of;

/// Sees `count` keys from `first` on.
void see(Expiring& filter, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t key = first; key < first + count; ++key)
    ASSERT_NE(filter.insert_if_absent(key), InsertOutcome::full);
}

TEST(ExpiringForgets, NothingToMakeRoomUnlessItMay) {
  Expiring filter = created(params_of(4, 4, 16), 3);
  see(filter, 0, 8);
  filter.advance();
  std::uint64_t next = 100;
  while (filter.insert_if_absent(next) == InsertOutcome::inserted) ++next;
  EXPECT_EQ(filter.remembered(), 3u);
  EXPECT_FALSE(filter.contains(next));
  for (std::uint64_t key = 0; key < 8; ++key) EXPECT_TRUE(filter.contains(key)) << key;
  const std::vector<Hash> rest{filter.hash(next)};
  EXPECT_EQ(filter.insert_many_if_absent(rest, {}).outcome, InsertOutcome::full);
}

TEST(ExpiringForgets, OnePeriodWhereThatMakesRoomAlsoBesideAnEmptyOne) {
  for (const bool is_second_empty : {false, true}) {
    for (const bool is_batch : {false, true}) {
      Expiring filter = created(params_of(8, 4, 20), 5);
      filter.set_when_full(WhenFull::forget_oldest);
      see(filter, 0, 12);
      filter.advance();
      if (!is_second_empty) see(filter, 100, 4);
      filter.advance();
      std::uint64_t next = 200;
      while (filter.remembered() == 5) {
        const Hash hash = filter.hash(next++);
        if (is_batch) {
          ASSERT_EQ(filter.insert_many_if_absent(std::vector<Hash>{hash}, {}).done, 1u);
        } else {
          ASSERT_EQ(filter.insert_if_absent(hash), InsertOutcome::inserted);
        }
        // Without a clock, periods before the first advance are empty, and are forgotten with the first that is not.
        if (filter.remembered() < 5) {
          EXPECT_EQ(filter.remembered(), 2u);
        }
      }
      EXPECT_TRUE(filter.contains(next - 1));
      std::uint32_t found = 0;
      for (std::uint64_t key = 100; key < 104; ++key) found += filter.contains(key) ? 1u : 0u;
      EXPECT_EQ(found, is_second_empty ? 0u : 4u);
      EXPECT_EQ(filter.size(), next - 200 + found);
    }
  }
}

TEST(ExpiringForgets, TheNextPeriodTooWhereTheOldestMakesNoRoom) {
  std::uint32_t at_once = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Params params = params_of(8, 4, 20);
    params.seed = seed;
    Expiring filter = created(params, 6);
    filter.set_when_full(WhenFull::forget_oldest);
    for (std::uint64_t key = 0; key < 300; ++key) {
      const std::uint32_t remembered = filter.remembered();
      const InsertOutcome outcome = filter.insert_if_absent(key);
      if (outcome == InsertOutcome::inserted) {
        ASSERT_TRUE(filter.contains(key));
      } else {
        ASSERT_EQ(outcome, InsertOutcome::full);
        ASSERT_EQ(filter.remembered(), remembered) << "a refused key changes nothing";
      }
      at_once += remembered - filter.remembered() > 1 ? 1u : 0u;
      if (key % 5 == 4) filter.advance();
    }
  }
  EXPECT_GT(at_once, 0u);
}

TEST(ExpiringForgets, InAMergeWhatTheOtherHasForgotten) {
  Expiring into = created(params_of(8, 4, 20), 3);
  see(into, 1'000'000, 2);
  Expiring from = created(params_of(8, 4, 20), 3);
  from.set_when_full(WhenFull::forget_oldest);
  see(from, 0, 12);
  into.advance(), from.advance();
  see(into, 2'000'000, 2);
  for (std::uint64_t key = 100; from.remembered() == 3; ++key)
    ASSERT_NE(from.insert_if_absent(key), InsertOutcome::full);
  into.advance(), from.advance();
  ASSERT_LT(from.remembered(), 3u);
  const std::uint32_t remembered = from.remembered();
  const std::uint64_t size = from.size();
  into.set_when_full(WhenFull::forget_oldest);
  ASSERT_EQ(*merge(into, from), InsertOutcome::inserted);
  EXPECT_EQ(into.remembered(), remembered);
  EXPECT_FALSE(into.contains(std::uint64_t{1'000'000}));
  EXPECT_LE(into.size(), size + 2);
}

TEST(ExpiringForgets, NoPeriodThatTheOtherOfAMergeRemembersLonger) {
  Expiring into = created(params_of(64, 4, 20), 4);
  Expiring from = created(params_of(64, 4, 20), 4);
  see(from, 7, 1);
  into.advance(), from.advance();
  see(into, 7, 1);
  ASSERT_EQ(*merge(into, from), InsertOutcome::inserted);
  EXPECT_EQ(into.advance(3), 0u) << "the newer time counts";
  EXPECT_TRUE(into.contains(std::uint64_t{7}));
  EXPECT_EQ(into.advance(), 1u);
}

TEST(ExpiringForgets, NotTheCurrentPeriodOfAMerge) {
  Expiring into = created(params_of(4, 4, 20), 3);
  Expiring from = created(params_of(4, 4, 20), 3);
  into.set_when_full(WhenFull::forget_oldest);
  see(into, 0, 10);
  into.advance(), from.advance();
  see(into, 100, 9);
  see(from, 200, 9);
  const std::uint64_t size = into.size();
  EXPECT_EQ(*merge(into, from), InsertOutcome::full);
  EXPECT_EQ(into.size(), size);
  EXPECT_GE(into.remembered(), 1u);
}

TEST(ExpiringForgets, MoreThan256PeriodsAreRefusedForACapacity) {
  EXPECT_EQ(Expiring::create(100, 0.01, kMaxPeriods + 1).field(), Field::periods);
  EXPECT_EQ(Expiring::create(100, 0.01, 0).field(), Field::periods);
  EXPECT_TRUE(Expiring::create(100, 0.01, kMaxPeriods));
}

}  // namespace
}  // namespace cuckoo
