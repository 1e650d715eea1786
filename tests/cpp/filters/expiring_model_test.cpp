// ExpiringFilter against an exact model, for every shape and window, and what it does when full.
#include "expiring_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "cases.h"
#include "cuckoo/filters/merge.h"
#include "random.h"
#include "saved.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::created;
using testing::Expiring;
using testing::ExpiringModel;
using testing::for_all_growing_params;
using testing::for_all_params;
using testing::params_of;
using testing::Random;
using testing::saved;
using testing::text_of;

void expect_alike(const Expiring& filter, const ExpiringModel& model, std::uint64_t ids, const std::string& text) {
  ASSERT_EQ(filter.size(), model.size()) << text;
  ASSERT_EQ(filter.remembered(), model.remembered()) << text;
  for (std::uint64_t id = 0; id < ids; ++id) {
    const Hash key = xxh64_of_integer(id, 0);
    ASSERT_EQ(filter.contains(key), model.contains(key)) << text << " key " << id;
  }
}

struct Seen {
  std::uint64_t refused = 0, forgotten = 0, grown = 0, merged = 0, waiting = 0;
};

/// Random operations on a filter beside the model. A period takes so many steps on average; 0: as many as slots.
void compare_with_model(const Params& params, std::uint32_t periods, WhenFull when_full, Seen& seen,
                        std::uint64_t steps_of_period = 0) {
  const std::string text = text_of(params) + " periods " + std::to_string(periods);
  Random random(params.seed + periods);
  Expiring filter = created(params, periods);
  filter.set_when_full(when_full);
  ExpiringModel model(params, periods);
  const std::uint64_t slots = slot_count(grown(params));
  for (std::uint64_t step = 0; step < 4 * slots + 40; ++step) {
    const Hash key = xxh64_of_integer(random.below(2 * slots), 0);
    seen.waiting += Access::entries(filter).has_work() ? 1 : 0;
    ASSERT_EQ(filter.contains(key), model.contains(key)) << text;
    const bool was_seen = model.contains(key);
    const std::uint32_t remembered = filter.remembered();
    const InsertOutcome outcome = filter.insert_if_absent(key);
    ASSERT_NE(outcome, InsertOutcome::too_many_copies) << text;
    if (outcome == InsertOutcome::full) {
      ++seen.refused;
      ASSERT_FALSE(was_seen) << text;
      ASSERT_NO_FATAL_FAILURE(expect_alike(filter, model, slots < 100 ? 2 * slots : 0, text));
    } else {
      ASSERT_EQ(outcome == InsertOutcome::present, was_seen) << text;
      if (filter.remembered() != remembered) {
        ++seen.forgotten;
        ASSERT_FALSE(was_seen) << text;
        ASSERT_GT(model.remember(filter.remembered()), 0u) << text;
      }
      model.see(key);
    }
    if (random.below(steps_of_period == 0 ? slots : steps_of_period) == 0) {
      const std::uint64_t passed = random.below(4) == 0 ? random.below(periods + 2) : 1;
      ASSERT_EQ(filter.advance(passed), model.advance(static_cast<std::int64_t>(passed))) << text;
    }
    ASSERT_EQ(filter.size(), model.size()) << text;
    ASSERT_EQ(filter.remembered(), model.remembered()) << text;
    if (random.below(6 * slots) == 0) filter = std::move(*filter.clone());
  }
  ASSERT_NO_FATAL_FAILURE(expect_alike(filter, model, 2 * slots, text));
  seen.grown += filter.params().reserved_bits < params.reserved_bits ? 1 : 0;

  // Saved and loaded, with the same bytes and answers.
  if (random.below(2) == 0) filter.set_clock(random.below(3) * random.next());
  const auto bytes = saved(filter);
  filter = std::move(*load<Expiring>(bytes));
  ASSERT_EQ(saved(filter), bytes) << text;
  ASSERT_NO_FATAL_FAILURE(expect_alike(filter, model, 2 * slots, text));

  // Merged into a filter that has seen other keys.
  const bool has_clock = filter.has_clock();
  Expiring other = created(params, periods);
  ExpiringModel others(params, periods);
  for (std::uint64_t step = 0; step < slots / 2; ++step) {
    const Hash key = xxh64_of_integer(random.below(2 * slots), 0);
    if (other.insert_if_absent(key) != InsertOutcome::full) others.see(key);
    if (random.below(slots) < 3) other.advance(), others.advance();
  }
  filter.set_when_full(WhenFull::refuse);
  if (has_clock) {
    ASSERT_EQ(merge(filter, other).field(), Field::current_period) << text;
    other.set_clock(filter.clock() + 1);
    ASSERT_EQ(merge(filter, other).field(), Field::current_period) << text;
    other.set_clock(filter.clock());
  }
  for (; filter.clock() < other.clock(); filter.advance()) model.advance();
  for (; other.clock() < filter.clock(); other.advance(), others.advance()) {
    ASSERT_EQ(merge(filter, other).field(), Field::current_period) << text;
  }
  const auto outcome = merge(filter, other);
  ASSERT_TRUE(outcome) << text;
  if (*outcome == InsertOutcome::inserted) {
    ++seen.merged;
    model.take(others);
  }
  ASSERT_NO_FATAL_FAILURE(expect_alike(filter, model, 2 * slots, text));
  ASSERT_NO_FATAL_FAILURE(expect_alike(other, others, 2 * slots, text));

  filter.advance(periods);
  ASSERT_EQ(filter.size(), 0u) << text;
  Access::entries(filter).finish_work();
  const auto& swept = Access::entries(filter).table().bytes();
  ASSERT_TRUE(std::all_of(swept.begin(), swept.end(), [](std::uint8_t byte) { return byte == 0; })) << text;
}

TEST(Expiring, AgreesWithTheModelForEveryShapeAndWindow) {
  Seen seen;
  std::uint32_t turn = 0;
  const auto check = [&](const Params& params) {
    // Windows and what happens when it is full: in turn, because there are many shapes.
    const std::uint32_t periods = std::array{1u, 2u, 3u, 7u, 256u}[turn % 5];
    const auto value_bits = static_cast<std::uint32_t>(std::bit_width(periods - 1));
    if (params.fingerprint_bits + params.reserved_bits + value_bits > 32) return;
    const WhenFull when_full = turn / 5 % 2 == 0 ? WhenFull::refuse : WhenFull::forget_oldest;
    ASSERT_NO_FATAL_FAILURE(compare_with_model(params, periods, when_full, seen));
  };
  const auto check_twice = [&](const Params& params) {
    for (int i = 0; i < testing::runs(1, 2); ++i, turn += 7) ASSERT_NO_FATAL_FAILURE(check(params));
  };
  for_all_params({1, 3, 16}, check_twice);
  for_all_growing_params([&](const Params& params) {
    check(params);
    turn += 7;
  });
  EXPECT_GT(seen.refused, testing::runs(200u, 1000u));
  EXPECT_GT(seen.forgotten, testing::runs(200u, 1000u));
  EXPECT_GT(seen.grown, testing::runs(200u, 1000u));
  EXPECT_GT(seen.merged, testing::runs(200u, 1000u));
}

// Some of these shapes, because the test above takes too long to be asked about each mutant.
TEST(Expiring, AgreesWithTheModelForSomeShapesAndWindows) {
  Seen seen;
  const auto check = [&](const Params& params) {
    for (const WhenFull when_full : {WhenFull::refuse, WhenFull::forget_oldest}) {
      ASSERT_NO_FATAL_FAILURE(compare_with_model(params, 5, when_full, seen));
    }
  };
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Params params = params_of(16, 4, 10);
    params.seed = seed;
    testing::for_all_storages(params, check);
    params = params_of(3, 2, 9);
    params.seed = seed;
    params.reserved_bits = 2;
    params.capacity = 20;
    check(params);
  }
  EXPECT_GT(seen.refused, 100u);
  EXPECT_GT(seen.forgotten, 100u);
  EXPECT_GT(seen.grown, 2u);
  EXPECT_GT(seen.merged, 10u);
}

// In smaller tables, all forgotten entries are swept at once.
TEST(Expiring, AgreesWithTheModelWhereBlocksWaitToBeSwept) {
  Seen seen;
  const auto check = [&](const Params& params, WhenFull when_full, std::uint64_t steps_of_period) {
    ASSERT_NO_FATAL_FAILURE(compare_with_model(params, 5, when_full, seen, steps_of_period));
  };
  Params params = params_of(18 << kSweptBlockBits, 4, 10);
  check(params, WhenFull::refuse, 2000);
  params.storage = Storage::semi_sorted;
  check(params, WhenFull::forget_oldest, 2000);
  params = params_of((60 << kSweptBlockBits) + 1, 1, 11);
  check(params, WhenFull::refuse, 300);
  check(params, WhenFull::forget_oldest, 700);
  EXPECT_GT(seen.refused, 100u);
  EXPECT_GT(seen.forgotten, 5u);
  EXPECT_GT(seen.merged, 0u);
  EXPECT_GT(seen.waiting, 500u);
}

}  // namespace
}  // namespace cuckoo
