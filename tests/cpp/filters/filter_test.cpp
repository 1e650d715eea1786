#include "cuckoo/filters/filter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "cases.h"
#include "cuckoo/plan.h"
#include "multiset.h"
#include "random.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::for_all_params;
using testing::Multiset;
using testing::params_of;
using testing::Random;
using testing::text_of;

const std::vector<std::uint64_t> kBucketCounts = {1, 2, 3, 5, 16, 37, 97};

std::vector<std::uint8_t> bytes_of(const Filter& filter) {
  return {Access::entries(filter).table().bytes().begin(), Access::entries(filter).table().bytes().end()};
}

TEST(Filter, FindsEveryKeyUpToFullAndAFailedInsertChangesNoByte) {
  for_all_params(kBucketCounts, [](const Params& params) {
    Random random(params.seed);
    Filter filter = std::move(*Filter::create(params));
    std::vector<Hash> keys;
    for (int refused = 0; refused < 3;) {
      const Hash key{random.next()};
      const auto before = bytes_of(filter);
      if (filter.insert(key) == InsertOutcome::inserted) {
        keys.push_back(key);
        continue;
      }
      ++refused;
      ASSERT_EQ(bytes_of(filter), before) << text_of(params);
      ASSERT_EQ(filter.size(), keys.size());
    }
    for (const Hash key : keys) ASSERT_TRUE(filter.contains(key)) << text_of(params);
    ASSERT_DOUBLE_EQ(filter.load_factor(), static_cast<double>(keys.size()) / static_cast<double>(slot_count(params)));
  });
}

TEST(Filter, AgreesWithAMultisetUnderRandomOperations) {
  for_all_params({1, 2, 7, 16, 61}, [](const Params& params) {
    Random random(params.seed + 1);
    Filter filter = std::move(*Filter::create(params));
    Multiset model(params);
    const std::uint64_t distinct = slot_count(params) + 3;
    for (std::uint64_t i = 0; i < 6 * distinct + 50; ++i) {
      const Hash key = xxh64_of_integer(random.below(distinct), params.seed);
      const std::uint64_t action = random.below(8);
      if (action < 4) {
        if (filter.insert(key) == InsertOutcome::inserted) model.insert(key);
      } else if (action < 5) {
        const bool was_there = model.count(key) > 0;
        const InsertOutcome outcome = filter.insert_if_absent(key);
        ASSERT_EQ(outcome == InsertOutcome::present, was_there) << text_of(params);
        if (outcome == InsertOutcome::inserted) model.insert(key);
      } else if (action < 7) {
        ASSERT_EQ(filter.erase(key), model.erase(key)) << text_of(params);
      } else if (random.below(200) == 0) {
        filter.clear();
        model.clear();
      }
      ASSERT_EQ(filter.size(), model.size());
      ASSERT_EQ(filter.count(key), model.count(key)) << text_of(params);
      ASSERT_EQ(filter.contains(key), model.count(key) > 0);
    }
    for (std::uint64_t id = 0; id < distinct; ++id) {
      ASSERT_EQ(filter.count(xxh64_of_integer(id, params.seed)), model.count(xxh64_of_integer(id, params.seed)));
    }
  });
}

TEST(Filter, TakesAsManyCopiesAsTheHomesHaveSlotsAndThenSaysSo) {
  for_all_params({1, 2, 5, 64}, [](const Params& params) {
    Random random(params.seed);
    Filter filter = std::move(*Filter::create(params));
    const Hash key{random.next()};
    const Location at = locate(key, params);
    const std::uint32_t room = params.bucket_size * (at.primary.bucket == at.alternate.bucket ? 1 : 2);
    for (std::uint32_t copy = 0; copy < room; ++copy) {
      ASSERT_EQ(filter.insert(key), InsertOutcome::inserted) << text_of(params);
      ASSERT_EQ(filter.count(key), copy + 1);
    }
    const auto before = bytes_of(filter);
    ASSERT_EQ(filter.insert(key), InsertOutcome::too_many_copies);
    ASSERT_EQ(filter.insert_if_absent(key), InsertOutcome::present);
    ASSERT_EQ(bytes_of(filter), before);
    // One key with many copies takes nothing from the others.
    if (params.bucket_count == 64) {
      for (int others = 0; others < 10;) {
        const Hash other{random.next()};
        const Location there = locate(other, params);
        if (there.primary.bucket == at.primary.bucket || there.primary.bucket == at.alternate.bucket) continue;
        ASSERT_EQ(filter.insert(other), InsertOutcome::inserted) << text_of(params);
        ++others;
      }
    }
    for (std::uint32_t copy = 0; copy < room; ++copy) ASSERT_TRUE(filter.erase(key));
    ASSERT_FALSE(filter.erase(key));
  });
}

/// Fills `bucket`, a candidate bucket of the key at `at`, with keys that have no other bucket and no fingerprint in
/// common with that key.
void fill_with_others(Filter& filter, std::uint64_t bucket, const Location& at, Random& random) {
  while (Access::entries(filter).table().has_room(bucket)) {
    const Hash other{random.next()};
    const Location there = locate(other, filter.params());
    const auto leads_to = [&](Candidate candidate) { return there.alternate.bucket == candidate.bucket; };
    if (there.primary.bucket != bucket || leads_to(at.primary) || leads_to(at.alternate)) continue;
    ASSERT_EQ(filter.insert(other), InsertOutcome::inserted);
  }
}

TEST(Filter, MakesRoomForACopyWhereOnlyOneBucketIsFullOfCopies) {
  for_all_params({64}, [](const Params& params) {
    Random random(params.seed);
    Hash key{random.next()};
    while (locate(key, params).primary.bucket == locate(key, params).alternate.bucket) key = Hash{random.next()};
    const Location at = locate(key, params);
    for (const bool is_primary_full_of_others : {false, true}) {
      Filter filter = std::move(*Filter::create(params));
      if (is_primary_full_of_others) fill_with_others(filter, at.primary.bucket, at, random);
      for (std::uint32_t copy = 0; copy < params.bucket_size; ++copy) (void)filter.insert(key);
      if (!is_primary_full_of_others) fill_with_others(filter, at.alternate.bucket, at, random);
      ASSERT_EQ(filter.size(), 2 * params.bucket_size);
      ASSERT_EQ(filter.count(key), params.bucket_size);
      ASSERT_EQ(filter.insert(key), InsertOutcome::inserted) << text_of(params);
      ASSERT_EQ(filter.count(key), params.bucket_size + 1);
    }
  });
}

TEST(Filter, ErringRateLiesWithinItsBound) {
  for_all_params({1009}, [](const Params& params) {
    if (params.fingerprint_bits < 4 || params.fingerprint_bits > 14) return;
    Random random(params.seed);
    Filter filter = std::move(*Filter::create(params));
    const auto load = 0.45 + (params.bucket_size > 1 ? 0.3 : 0);
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(load * static_cast<double>(slot_count(params))); ++i) {
      (void)filter.insert(Hash{random.next()});
    }
    const int probes = 100000;
    int found = 0;
    for (int i = 0; i < probes; ++i) found += filter.contains(Hash{random.next()});
    const double expected = filter.expected_false_positive_rate();
    // Five standard deviations, and 2 % as the slots in use differ from bucket to bucket, which the formula
    // averages.
    const double slack = 5 * std::sqrt(expected * (1 - expected) / probes) + 0.02 * expected;
    ASSERT_NEAR(static_cast<double>(found) / probes, expected, slack) << text_of(params);
  });
}

TEST(Filter, BatchesDoWhatSinglesDo) {
  for_all_params({97}, [](const Params& params) {
    Random random(params.seed);
    std::vector<Hash> keys(slot_count(params) * 9 / 10);
    for (Hash& key : keys) key = xxh64_of_integer(random.below(keys.size()), 0);
    Filter one = std::move(*Filter::create(params));
    Filter many = std::move(*Filter::create(params));
    std::size_t done = 0;
    while (done < keys.size() && one.insert(keys[done]) == InsertOutcome::inserted) ++done;
    ASSERT_EQ(many.insert_many(keys).done, done) << text_of(params);
    ASSERT_EQ(bytes_of(one), bytes_of(many));
    std::vector<std::uint8_t> found(keys.size());
    many.contains_many(keys, found);
    for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(found[i], one.contains(keys[i]));
    one.clear();
    many.clear();
    std::vector<std::uint8_t> is_new(keys.size());
    const BatchOutcome outcome = many.insert_many_if_absent(keys, is_new);
    for (std::size_t i = 0; i < outcome.done; ++i) {
      ASSERT_EQ(one.insert_if_absent(keys[i]) == InsertOutcome::inserted, is_new[i] == 1) << text_of(params);
    }
    std::size_t erased = 0;
    for (const Hash key : keys) erased += one.erase(key);
    ASSERT_EQ(many.erase_many(keys), erased);
    ASSERT_EQ(bytes_of(one), bytes_of(many));
  });
}

TEST(Filter, ARangeOfKeysEndsAtTheFirstThatIsRefused) {
  std::vector<std::uint64_t> keys(1000);
  for (std::uint64_t i = 0; i < keys.size(); ++i) keys[i] = i < 100 ? i : 1;
  Filter filter = std::move(*Filter::create(params_of(500, 4, 16)));
  const BatchOutcome batch = filter.insert_many(keys);
  EXPECT_EQ(batch.outcome, InsertOutcome::too_many_copies);
  EXPECT_EQ(batch.done, filter.size());
  EXPECT_EQ(batch.done, 107u);  // eight copies of key 1, of which one was among the first hundred
  EXPECT_EQ(filter.count(std::uint64_t{1}), 8u);
  std::vector<std::uint8_t> is_new(keys.size());
  std::iota(keys.begin(), keys.end(), 1 << 20);
  const BatchOutcome all = filter.insert_many_if_absent(keys, is_new);
  EXPECT_EQ(all.done, keys.size());
  const BatchOutcome again = filter.insert_many_if_absent(keys, {});
  EXPECT_EQ(again.done, keys.size());
  EXPECT_EQ(again.outcome, InsertOutcome::inserted) << "as no key failed, though each is present";
  std::vector<std::uint8_t> found(keys.size());
  filter.contains_many(keys, found);
  EXPECT_EQ(std::ranges::count(found, 1), 1000);
  EXPECT_EQ(filter.erase_many(keys), filter.size() - 107 + std::ranges::count(is_new, 0));
}

TEST(Filter, TheSameOperationsGiveTheSameBytes) {
  const Params params = params_of(301, 4, 12);
  Filter first = std::move(*Filter::create(params));
  Filter second = std::move(*Filter::create(params));
  for (Filter* filter : {&first, &second}) {
    Random random(9);
    for (int i = 0; i < 3000; ++i) {
      const Hash key{random.next()};
      (void)filter->insert(key);
      if (i % 3 == 0) (void)filter->erase(key);
    }
  }
  EXPECT_EQ(bytes_of(first), bytes_of(second));
}

TEST(Filter, KeysAreTextsBytesAndIntegers) {
  Filter filter = std::move(*Filter::create(*plan({.capacity = 100})));
  EXPECT_EQ(filter.insert(std::string_view("alice")), InsertOutcome::inserted);
  EXPECT_EQ(filter.insert(std::uint64_t{5}), InsertOutcome::inserted);
  EXPECT_EQ(filter.insert(std::string_view("")), InsertOutcome::inserted);
  const std::vector<std::uint8_t> alice = {'a', 'l', 'i', 'c', 'e'};
  const std::vector<std::uint8_t> five = {5, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_TRUE(filter.contains(std::span(alice)));
  EXPECT_TRUE(filter.contains(std::span(five)));
  EXPECT_TRUE(filter.contains(std::span(five).first(0)));
  EXPECT_FALSE(filter.contains(std::string_view("bob")));
}

TEST(Filter, ACloneGoesOnAlone) {
  Filter filter = std::move(*Filter::create(params_of(50, 4, 10)));
  EXPECT_EQ(filter.insert(std::uint64_t{1}), InsertOutcome::inserted);
  Filter copy = std::move(*filter.clone());
  EXPECT_TRUE(copy.erase(std::uint64_t{1}));
  EXPECT_EQ(copy.size(), 0u);
  EXPECT_EQ(filter.size(), 1u);
  EXPECT_TRUE(filter.contains(std::uint64_t{1}));
}

TEST(Filter, RefusesInvalidParameters) {
  Params params = params_of(3, 4, 12, Addressing::xor_power_of_two);
  const auto filter = Filter::create(params);
  EXPECT_FALSE(filter);
  EXPECT_EQ(filter.error(), Error::out_of_range);
  EXPECT_EQ(filter.field(), Field::bucket_count);
}

TEST(Filter, NamesTheFieldForWhichThereIsNoPlan) {
  EXPECT_EQ(Filter::create(10, 2.0).field(), Field::false_positive_rate);
  EXPECT_EQ(Filter::create(0, 0.01).field(), Field::capacity);
  EXPECT_EQ(Filter::create(kMaxCapacity + 1, 0.01).error(), Error::out_of_range);
}

TEST(Filter, RangesOfKeysAreTakenAsTheirHashes) {
  for (const std::size_t count : {0u, 1u, 255u, 256u, 257u, 600u}) {
    std::vector<std::uint64_t> keys(count);
    std::iota(keys.begin(), keys.end(), 0);
    Filter filter = std::move(*Filter::create(1000, 1e-6));
    std::vector<std::uint8_t> answers(count, 7);
    ASSERT_EQ(filter.insert_many(keys).done, count);
    filter.contains_many(keys, answers);
    ASSERT_TRUE(std::ranges::all_of(answers, [](std::uint8_t answer) { return answer == 1; }));
    ASSERT_EQ(filter.insert_many_if_absent(keys, answers).done, count);
    ASSERT_TRUE(std::ranges::all_of(answers, [](std::uint8_t answer) { return answer == 0; }));
    ASSERT_EQ(filter.erase_many(keys), count);
    ASSERT_TRUE(filter.empty());
  }
  Filter full = std::move(*Filter::create(300, 0.001));
  std::vector<int> many(2000);
  std::iota(many.begin(), many.end(), 0);
  const BatchOutcome batch = full.insert_many(many);
  EXPECT_EQ(batch.outcome, InsertOutcome::full);
  EXPECT_EQ(batch.done, full.size());
  EXPECT_FALSE(Filter::create(10, 2.0));
}

TEST(Filter, ARangeEndsWithTheKeyThatIsRefused) {
  Filter filter = std::move(*Filter::create(10000, 0.001));
  std::vector<std::uint64_t> keys(20, 7);
  for (std::uint64_t key = 100; key < 1000; ++key) keys.push_back(key);
  const BatchOutcome batch = filter.insert_many(keys);
  EXPECT_EQ(batch.outcome, InsertOutcome::too_many_copies);
  EXPECT_TRUE(batch.done == 8 || batch.done == 4);
  EXPECT_EQ(filter.size(), batch.done);
  EXPECT_EQ(filter.count(std::uint64_t{7}), batch.done);
}

}  // namespace
}  // namespace cuckoo
