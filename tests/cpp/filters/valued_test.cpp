// ValueFilter and CountingFilter: how they merge, what they hold, erase and refuse.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "alike.h"
#include "cases.h"
#include "cuckoo/entries/statistics.h"
#include "cuckoo/filters/counting.h"
#include "cuckoo/filters/expiring.h"
#include "cuckoo/filters/filter.h"
#include "cuckoo/filters/merge.h"
#include "cuckoo/filters/value.h"
#include "cuckoo/plan.h"
#include "random.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::bytes_of;
using testing::Entry;
using testing::entry_of;
using testing::for_all_valued_params;
using testing::params_of;
using testing::Random;
using testing::text_of;

template <class AnyFilter, class Model>
struct Made {
  AnyFilter filter;
  Model model{};
};

/// The filter that `step(filter, model, random)` makes step by step, with its model.
template <class AnyFilter, class Model, class Step>
Made<AnyFilter, Model> made(const Params& params, std::uint32_t value_bits, std::uint64_t steps, Random& random,
                            Step step) {
  Made<AnyFilter, Model> both{std::move(*AnyFilter::create(params, value_bits))};
  for (std::uint64_t i = 0; i < steps; ++i) step(both.filter, both.model, random);
  return both;
}

TEST(Values, WhateverIsPlannedCanBeMade) {
  std::uint64_t planned = 0;
  for (std::uint32_t b = 1; b <= kMaxBucketSize; ++b) {
    for (std::uint32_t v = 1; v <= kMaxValueBits; v += testing::runs(9u, 1u)) {
      for (const double rate : {0.3, 1e-4, 2e-6}) {
        for (const std::uint64_t capacity : {1, 765, 20'000}) {
          for (const std::uint64_t times : {0, 100}) {
            Request request{.capacity = capacity, .false_positive_rate = rate, .bucket_size = b, .value_bits = v};
            if (times > 0) request.max_capacity = times * capacity;
            const Result<Params> params = plan(request);
            if (!params) continue;
            ASSERT_EQ(params->value_bits, v);
            ASSERT_TRUE(ValueFilter::create(*params, v)) << text_of(*params) << " v=" << v;
            ++planned;
          }
        }
      }
    }
  }
  EXPECT_GT(planned, 200u);
}

TEST(Values, RangesOfKeysAreLookedUpWhateverValuesAre) {
  const std::vector<int> keys = {1, 2, 3};
  const auto found_in = [&](const auto& filter) {
    std::vector<std::uint8_t> found(keys.size(), 7);
    filter.contains_many(keys, found);
    return found;
  };
  const Params params = params_of(300, 4, 20);
  ValueFilter values = std::move(*ValueFilter::create(params, 3));
  CountingFilter counter = std::move(*CountingFilter::create(params, 3));
  ExpiringFilter expiring = std::move(*ExpiringFilter::create(params, 3));
  EXPECT_EQ(values.insert(2, 5), InsertOutcome::inserted);
  EXPECT_EQ(counter.insert(2, 5), InsertOutcome::inserted);
  EXPECT_EQ(expiring.insert_if_absent(2), InsertOutcome::inserted);
  const std::vector<std::uint8_t> second = {0, 1, 0};
  EXPECT_EQ(found_in(values), second);
  EXPECT_EQ(found_in(counter), second);
  EXPECT_EQ(found_in(expiring), second);
}

TEST(Values, AMergedFilterHasTheValuesOfBothOrNoByteChanges) {
  std::uint64_t merged = 0, refused = 0;
  for_all_valued_params(kMaxValueBits, [&](const Params& params, std::uint32_t value_bits) {
    const std::string text = text_of(params) + " v=" + std::to_string(value_bits);
    Random random(params.seed + value_bits);
    using Model = std::map<Entry, std::multiset<std::uint32_t>>;
    const std::uint64_t slots = slot_count(grown(params));
    const auto set = [&](ValueFilter& filter, Model& model, Random& any) {
      const Hash key = xxh64_of_integer(any.below(slots), 0);
      const auto value = static_cast<std::uint32_t>(any.next() >> (64 - value_bits));
      if (filter.insert(key, value) == InsertOutcome::inserted) model[entry_of(key, grown(params))].insert(value);
    };
    auto [into, into_model] = made<ValueFilter, Model>(params, value_bits, random.below(slots), random, set);
    const auto [from, from_model] = made<ValueFilter, Model>(params, value_bits, random.below(slots), random, set);
    const auto before = bytes_of(into);
    const auto outcome = merge(into, from);
    ASSERT_TRUE(outcome) << text;
    if (*outcome != InsertOutcome::inserted) {
      ++refused;
      ASSERT_EQ(bytes_of(into), before) << text;
      return;
    }
    ++merged;
    for (const auto& [entry, values] : from_model) into_model[entry].insert(values.begin(), values.end());
    for (std::uint64_t id = 0; id < slots; ++id) {
      const Hash key = xxh64_of_integer(id, 0);
      const FoundValues found = into.find(key);
      const auto& values = into_model[entry_of(key, grown(params))];
      ASSERT_TRUE(std::ranges::equal(found, values)) << text;
    }
  });
  EXPECT_GT(merged, testing::runs(200u, 1000u));
  EXPECT_GT(refused, testing::runs(60u, 300u));
}

TEST(Counting, AMergedFilterCountsTheCopiesOfBothOrNoByteChanges) {
  std::uint64_t merged = 0, refused = 0;
  for_all_valued_params(kMaxCounterBits, [&](const Params& params, std::uint32_t counter_bits) {
    const std::string text = text_of(params) + " c=" + std::to_string(counter_bits);
    Random random(params.seed + counter_bits);
    using Model = std::map<Entry, std::uint64_t>;
    const std::uint64_t slots = slot_count(grown(params)), most = std::uint64_t{1} << counter_bits;
    const auto add = [&](CountingFilter& filter, Model& model, Random& any) {
      const Hash key = xxh64_of_integer(any.below(slots), 0);
      const std::uint64_t copies = 1 + any.below(most);
      if (filter.insert(key, copies) == InsertOutcome::inserted) {
        auto& count = model[entry_of(key, grown(params))];
        count = std::min(most, count + copies);
      }
    };
    auto [into, into_model] = made<CountingFilter, Model>(params, counter_bits, random.below(slots), random, add);
    const auto [from, from_model] = made<CountingFilter, Model>(params, counter_bits, random.below(slots), random, add);
    const auto before = bytes_of(into);
    const auto outcome = merge(into, from);
    ASSERT_TRUE(outcome) << text;
    if (*outcome != InsertOutcome::inserted) {
      ++refused;
      ASSERT_EQ(bytes_of(into), before) << text;
      return;
    }
    ++merged;
    for (const auto& [entry, count] : from_model) into_model[entry] = std::min(most, into_model[entry] + count);
    std::uint64_t size = 0;
    for (const auto& [entry, count] : into_model) size += count != 0 ? 1 : 0;
    ASSERT_EQ(into.size(), size) << text;
    for (std::uint64_t id = 0; id < slots; ++id) {
      const Hash key = xxh64_of_integer(id, 0);
      ASSERT_EQ(into.count(key), into_model[entry_of(key, grown(params))]) << text;
    }
  });
  EXPECT_GT(merged, testing::runs(200u, 1000u));
  EXPECT_GT(refused, testing::runs(10u, 50u));
}

TEST(Valued, AMergeNamesTheFieldThatDiffersAndTakesTheFilterItself) {
  ValueFilter filter = std::move(*ValueFilter::create(params_of(16, 4, 12), 4));
  const ValueFilter wider = std::move(*ValueFilter::create(params_of(16, 4, 12), 5));
  EXPECT_EQ(merge(filter, wider).field(), Field::value_bits);
  EXPECT_EQ(merge(filter, *ValueFilter::create(params_of(17, 4, 12), 4)).field(), Field::bucket_count);
  ASSERT_EQ(filter.insert(std::uint64_t{1}, 9), InsertOutcome::inserted);
  ASSERT_EQ(*merge(filter, filter), InsertOutcome::inserted);
  EXPECT_EQ(filter.find(std::uint64_t{1}).count, 2u);
  EXPECT_EQ(filter.size(), 2u);
}

TEST(Values, TooManyOfOneKeyAreCountedAsSuch) {
  using Counted = BasicValueFilter<detail::Entries<Watched<>>>;
  Counted filter = std::move(*Counted::create(params_of(97, 4, 12), 8));
  std::uint32_t set = 0;
  while (filter.insert(std::uint64_t{1}, set) == InsertOutcome::inserted) ++set;
  EXPECT_EQ(set, 8u);
  EXPECT_EQ(filter.insert(std::uint64_t{1}, 99), InsertOutcome::too_many_copies);
  EXPECT_EQ(filter.watch().statistics().too_many_copies, 2u);
  EXPECT_EQ(filter.watch().statistics().full, 0u);
  EXPECT_EQ(filter.watch().statistics().kicks[0], 8u);
}

TEST(Values, OfAnAbsentKeyAreAsManyAsTheRate) {
  const std::uint64_t capacity = 50000, asked = 2000000;
  const Params params = *plan({.capacity = capacity, .false_positive_rate = 0.01});
  ValueFilter filter = std::move(*ValueFilter::create(params, 8));
  std::uint64_t others = 0;
  for (std::uint64_t key = 0; key < capacity; ++key) {
    ASSERT_EQ(filter.insert(key, static_cast<std::uint32_t>(key & 255)), InsertOutcome::inserted);
  }
  for (std::uint64_t key = 0; key < capacity; ++key) others += filter.find(key).count - 1;
  std::uint64_t found = 0;
  for (std::uint64_t key = capacity; key < capacity + asked; ++key) found += filter.find(key).count;
  const double rate = filter.expected_false_positive_rate();
  EXPECT_NEAR(static_cast<double>(found) / static_cast<double>(asked), rate, 0.05 * rate);
  EXPECT_NEAR(static_cast<double>(others) / static_cast<double>(capacity), rate, 0.3 * rate);
}

/// `create(capacity, rate, bits)` of a class whose numbers have `bits` bits, or stand for them.
template <class AnyFilter>
void expect_made_in_one_call(std::uint32_t bits, std::uint32_t value_bits) {
  const Result<AnyFilter> filter = AnyFilter::create(1000, 0.001, bits);
  ASSERT_TRUE(filter);
  EXPECT_EQ(filter->params().value_bits, value_bits);
  EXPECT_EQ(filter->capacity(), 1000u);
  EXPECT_FALSE(filter->hasher().is_keyed());
  EXPECT_LE(false_positive_rate(filter->params(), 1000), 0.001);
  const SecretKey secret{1, 2};
  EXPECT_TRUE(AnyFilter::create(1000, 0.001, bits, &secret)->hasher().is_keyed());
  EXPECT_EQ(AnyFilter::create(0, 0.001, bits).field(), Field::capacity);
  EXPECT_EQ(AnyFilter::create(1000, 2, bits).field(), Field::false_positive_rate);
  EXPECT_EQ(AnyFilter::create(1000, 2, bits).error(), Error::out_of_range);
}

TEST(Valued, IsMadeInOneCall) {
  expect_made_in_one_call<ValueFilter>(5, 5);
  expect_made_in_one_call<CountingFilter>(5, 5);
  expect_made_in_one_call<ExpiringFilter>(24, 5);
  EXPECT_EQ(ExpiringFilter::create(1000, 0.001, 0).field(), Field::periods);
  EXPECT_TRUE(ExpiringFilter::create(1000, 0.001, 1));
  EXPECT_TRUE(ExpiringFilter::create(1000, 0.001, kMaxPeriods));
  EXPECT_EQ(ExpiringFilter::create(1000, 0.001, kMaxPeriods + 1).field(), Field::periods);
}

TEST(Values, ErasesTheValueThatIsAskedForOrTheSmallest) {
  ValueFilter filter = std::move(*ValueFilter::create(1000, 0.001, 4));
  for (const std::uint32_t value : {5u, 3u, 9u, 7u}) ASSERT_EQ(filter.insert(1, value), InsertOutcome::inserted);
  const auto values = [&] {
    const FoundValues found = filter.find(1);
    return std::multiset<std::uint32_t>(found.values.begin(), found.values.begin() + found.count);
  };
  EXPECT_FALSE(filter.erase(1, 4));
  EXPECT_EQ(filter.size(), 4u);
  EXPECT_TRUE(filter.erase(1, 9));
  EXPECT_EQ(values(), (std::multiset<std::uint32_t>{3, 5, 7}));
  EXPECT_TRUE(filter.erase(1));
  EXPECT_EQ(values(), (std::multiset<std::uint32_t>{5, 7}));
  EXPECT_TRUE(filter.erase(1));
  EXPECT_TRUE(filter.erase(1));
  EXPECT_FALSE(filter.erase(1));
  EXPECT_EQ(filter.size(), 0u);
}

TEST(Counting, ErasesOneCopyUnlessToldHowMany) {
  CountingFilter filter = std::move(*CountingFilter::create(1000, 0.001, 4));
  EXPECT_EQ(filter.insert(7, 3), InsertOutcome::inserted);
  EXPECT_EQ(filter.insert(7), InsertOutcome::inserted);
  EXPECT_TRUE(filter.erase(7));
  EXPECT_EQ(filter.count(7), 3u);
  EXPECT_TRUE(filter.erase(7, 2));
  EXPECT_EQ(filter.count(7), 1u);
}

TEST(Valued, RefusesWhatDoesNotFit) {
  EXPECT_EQ(ValueFilter::create(params_of(4, 4, 12), 0).error(), Error::out_of_range);
  EXPECT_EQ(ValueFilter::create(params_of(4, 4, 2), kMaxValueBits + 1).error(), Error::out_of_range);
  EXPECT_EQ(CountingFilter::create(params_of(4, 4, 12), 0).error(), Error::out_of_range);
  EXPECT_EQ(CountingFilter::create(params_of(4, 4, 2), kMaxCounterBits + 1).error(), Error::out_of_range);
  EXPECT_TRUE(ValueFilter::create(params_of(4, 4, 8), 24));
  EXPECT_EQ(ValueFilter::create(params_of(4, 4, 9), 24).field(), Field::fingerprint_bits);
  EXPECT_EQ(ValueFilter::create(params_of(4, 9, 9), 4).field(), Field::bucket_size);
  EXPECT_EQ(ValueFilter::create(params_of(4, 4, 12), 0).field(), Field::value_bits);
  Params planned = params_of(4, 4, 12);
  planned.value_bits = 5;
  EXPECT_TRUE(ValueFilter::create(planned, 5));
  EXPECT_EQ(ValueFilter::create(planned, 6).field(), Field::value_bits);
  const SecretKey secret{1, 2};
  EXPECT_EQ(ValueFilter::create(params_of(4, 4, 12), 4, &secret).error(), Error::wrong_key);
}

TEST(Valued, ACopyTooManyIsToldWhereCandidateBucketsCoincide) {
  Params params = testing::params_of(1, 4, 12);
  params.reserved_bits = 4;
  params.capacity = 64;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Hash hash{testing::Random(seed).next()};
    ValueFilter values = std::move(*ValueFilter::create(params, 3));
    Filter filter = std::move(*Filter::create(params));
    for (std::uint32_t value = 0; value < 4; ++value) {
      ASSERT_EQ(values.insert(hash, value), InsertOutcome::inserted);
      ASSERT_EQ(filter.insert(hash), InsertOutcome::inserted);
    }
    ASSERT_EQ(values.insert(hash, 4), InsertOutcome::too_many_copies) << seed;
    ASSERT_EQ(filter.insert(hash),
              values.params().bucket_count == 1 ? InsertOutcome::too_many_copies : InsertOutcome::inserted);
    ASSERT_EQ(values.params().bucket_count, 1u);
  }
}

TEST(Values, ATableDoublesOnlyForAKeyThatThenFindsRoom) {
  std::uint64_t refused = 0, doubled = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Params params = params_of(32, 1, 10);
    params.reserved_bits = 2;
    params.capacity = 64;
    auto filter = std::move(*BasicValueFilter<detail::Entries<Watched<>>>::create(params, 5));
    Random random(seed);
    std::uint64_t doublings = 0;
    for (int i = 0; i < 80; ++i) {
      const auto before = bytes_of(filter);
      const InsertOutcome outcome = filter.insert(Hash{random.next()}, static_cast<std::uint32_t>(random.below(32)));
      const std::uint64_t last = std::exchange(doublings, filter.watch().statistics().doubling_count);
      if (outcome == InsertOutcome::inserted) {
        doubled += doublings - last;
        continue;
      }
      ++refused;
      ASSERT_EQ(doublings, last) << seed << " " << i;
      ASSERT_EQ(bytes_of(filter), before) << seed << " " << i;
    }
  }
  EXPECT_GT(doubled, 300u);
  EXPECT_GT(refused, 300u);
}

TEST(Values, EraseWithoutAValueTakesTheSmallest) {
  for (std::uint64_t key = 0; key < 50; ++key) {
    ValueFilter filter = std::move(*ValueFilter::create(testing::params_of(64, 4, 20), 3));
    std::uint32_t count = 0;
    for (std::uint32_t value = 8; value-- > 0;) count += filter.insert(key, value) == InsertOutcome::inserted ? 1u : 0u;
    for (std::uint32_t value = 8 - count; value < 8; ++value) {
      ASSERT_EQ(*filter.find(key).begin(), value);
      ASSERT_TRUE(filter.erase(key));
    }
    ASSERT_TRUE(filter.empty());
  }
}

}  // namespace
}  // namespace cuckoo
