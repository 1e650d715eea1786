#include "cuckoo/entries/statistics.h"

#include <gtest/gtest.h>

#include <vector>

#include "cases.h"
#include "clock.h"
#include "cuckoo/filters/filter.h"
#include "cuckoo/filters/traced.h"
#include "random.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::ticks;

/// A clock that goes faster and faster, so that each pause is longer than those before it.
double faster() {
  static double reads = 0;
  ++reads;
  return reads * reads;
}

using Counted = BasicFilter<detail::TracedEntries<Watched<TraceLog, ticks>>>;

TEST(Statistics, CountsInsertsByTheirKicksAndTheOnesRefused) {
  Params params = testing::params_of(64, 1, 10);  // with one slot per bucket, paths are long
  Counted filter = std::move(*Counted::create(params));
  testing::Random random(6);
  std::vector<std::uint64_t> kicks(Statistics::kKickCounts);
  std::uint64_t full = 0, copies = 0;
  ASSERT_TRUE(filter.watch().open(TraceLevel::ends, 16));
  for (int i = 0; i < 400; ++i) {
    const Hash key{i < 10 ? 1 : random.next()};
    const bool only_if_absent = i % 3 == 0;
    const InsertOutcome outcome = only_if_absent ? filter.insert_if_absent(key) : filter.insert(key);
    full += outcome == InsertOutcome::full ? 1 : 0;
    copies += outcome == InsertOutcome::too_many_copies ? 1 : 0;
    std::size_t digits = 0;
    while (filter.watch().events().back().kick >> digits != 0) ++digits;
    kicks[digits] += outcome == InsertOutcome::inserted ? 1 : 0;
    (void)filter.contains(key);
    filter.watch().drain();
  }
  const Statistics& told = filter.watch().statistics();
  EXPECT_EQ(told.full, full);
  EXPECT_EQ(told.too_many_copies, copies);
  for (std::size_t i = 0; i < kicks.size(); ++i) EXPECT_EQ(told.kicks[i], kicks[i]) << i;
  EXPECT_GT(kicks[3], 0u);
  EXPECT_GT(copies, 2u);
  EXPECT_GT(full, 10u);
  EXPECT_EQ(told.doubling_count, 0u);
}

TEST(Statistics, TellsEachDoublingWithItsKeysAndItsPauseAndNoneThatFailed) {
  Params params = testing::params_of(16, 4, 12);
  params.reserved_bits = 2;
  params.capacity = 150;
  Counted filter = std::move(*Counted::create(params));
  for (std::uint64_t key = 0; key < 150; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  EXPECT_FALSE(filter.grow());
  // As a doubling for which there is no memory.
  filter.watch().begin_resize(Operation::grow, filter.size());
  filter.watch().end_resize(Operation::grow, false, filter.params().bucket_count, filter.size());
  const Statistics& told = filter.watch().statistics();
  ASSERT_EQ(told.doubling_count, 2u);
  EXPECT_EQ(told.doublings[0].size, 38u);
  EXPECT_EQ(told.doublings[1].size, 76u);
  for (std::uint64_t i = 0; i < 2; ++i) {
    EXPECT_EQ(told.doublings[i].pause, 1);
    EXPECT_EQ(told.doublings[i].bucket_count, std::uint64_t{32} << i);
  }
}

TEST(Statistics, KeepsTheLastDoublingsOfATableThatIsHalvedAsWell) {
  Params params = testing::params_of(16, 4, 12);
  params.reserved_bits = 2;
  params.capacity = 250;
  Counted filter = std::move(*Counted::create(params));
  const Statistics& told = filter.watch().statistics();
  for (std::uint64_t turn = 0; turn < 40; ++turn) {
    ASSERT_EQ(filter.insert(turn), InsertOutcome::inserted);
    ASSERT_TRUE(filter.grow());
    ASSERT_TRUE(filter.shrink());
    EXPECT_EQ(told.doubling_count, turn + 1);
    EXPECT_EQ(told.doublings[turn % Statistics::kDoublings].size, turn + 1);
  }
  EXPECT_EQ(told.doublings[Statistics::kDoublings - 1].size, Statistics::kDoublings);
}

TEST(Statistics, TheClockIsReadForDoublingsOnly) {
  Counted filter = std::move(*Counted::create(testing::params_of(32, 4, 12)));
  const double before = ticks();
  for (std::uint64_t key = 0; key < 100; ++key) {
    ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
    ASSERT_TRUE(filter.contains(key));
  }
  ASSERT_TRUE(filter.erase(std::uint64_t{5}));
  filter.clear();
  EXPECT_EQ(ticks(), before + 1);
}

TEST(Statistics, ThePauseOfADoublingIsTheLongestOfTheCallsThatMoveForIt) {
  Params params = testing::params_of(1024, 4, 12);
  params.reserved_bits = 1;
  params.capacity = 6000;
  params.tuning.buckets_per_call = 1;
  auto filter = std::move(*BasicFilter<detail::Entries<Watched<NoWatch, faster>>>::create(params));
  const Statistics& told = filter.watch().statistics();
  std::uint64_t key = 0;
  while (told.doubling_count == 0) ASSERT_EQ(filter.insert(key++), InsertOutcome::inserted);
  for (int calls = 0; Access::entries(filter).has_work(); ++calls) {
    const double before = told.doublings[0].pause;
    ASSERT_EQ(filter.insert(key++), InsertOutcome::inserted);
    ASSERT_GT(told.doublings[0].pause, before) << calls;
  }
  EXPECT_EQ(told.doubling_count, 1u);
}

}  // namespace
}  // namespace cuckoo
