#include "cuckoo/detail/entries/distinct.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "alike.h"
#include "cases.h"
#include "cuckoo/filters/counting.h"
#include "cuckoo/filters/expiring.h"
#include "cuckoo/filters/merge.h"
#include "cuckoo/filters/value.h"
#include "cuckoo/plan.h"
#include "random.h"
#include "saved.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::entry_of;
using testing::params_of;
using testing::Random;
using testing::saved;
using testing::text_of;

Filter created(const Params& params) { return std::move(*Filter::create(params)); }

/// A way to fill a filter with about `count` entries, or as many as go in.
using Fill = std::function<void(Filter&, std::uint64_t count, Random&)>;

void fill_by(Filter& filter, std::uint64_t count, Random& random, void (*insert)(Filter&, Hash)) {
  // Not for ever, as small tables may have no room, or no key left that is absent.
  for (std::uint64_t i = 0; filter.size() < count && i < 8 * count; ++i) insert(filter, Hash{random.next()});
}
void fill(Filter& filter, std::uint64_t count, Random& random) {
  fill_by(filter, count, random, [](Filter& it, Hash hash) { (void)it.insert(hash); });
}
void fill_if_absent(Filter& filter, std::uint64_t count, Random& random) {
  fill_by(filter, count, random, [](Filter& it, Hash hash) { (void)it.insert_if_absent(hash); });
}
void fill_twice(Filter& filter, std::uint64_t count, Random& random) {
  fill_by(filter, count, random, [](Filter& it, Hash hash) { (void)it.insert(hash), (void)it.insert(hash); });
}

const std::map<std::string, Fill> kWays = {
    {"insert", fill},
    {"insert_if_absent", fill_if_absent},
    {"each key twice", fill_twice},
    {"half and half",
     [](Filter& filter, std::uint64_t count, Random& random) {
       fill(filter, count / 2, random);
       fill_if_absent(filter, count, random);
     }},
    {"merged",
     [](Filter& filter, std::uint64_t count, Random& random) {
       Filter part = created(filter.params());
       fill_if_absent(filter, count / 2, random);
       fill_if_absent(part, count / 2, random);
       ASSERT_TRUE(merge(filter, part));
     }},
    {"merged if absent",
     [](Filter& filter, std::uint64_t count, Random& random) {
       Filter part = created(filter.params());
       fill(filter, count / 2, random);
       fill(part, count / 2, random);
       ASSERT_TRUE(merge(filter, part, true));
     }},
    {"insert, of which half are erased", [](Filter& filter, std::uint64_t count, Random& random) {
       const Random before = random;
       fill(filter, count, random);
       Random again = before;
       for (std::uint64_t i = 0; i < count / 2; ++i) (void)filter.erase(Hash{again.next()});
     }}};

/// Probes that are found, of so many.
std::uint64_t found_of(const Filter& filter, std::uint64_t probes, Random& random) {
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < probes; ++i) found += filter.contains(Hash{random.next()}) ? 1 : 0;
  return found;
}

/// Of 200,000 probes, of one filter or of several small ones.
void expect_rate_of(const Params& params, const std::string& way, const Fill& fill_it) {
  const std::uint64_t builds = std::max<std::uint64_t>(1, 1024 / slot_count(params));
  const std::uint64_t probes = 200'000 / builds;
  Random random(params.seed);
  double found = 0, expected = 0, variance = 0;
  for (std::uint64_t build = 0; build < builds; ++build) {
    Filter filter = created(params);
    fill_it(filter, slot_count(params) * (params.bucket_size == 1 ? 2 : 8) / 10, random);
    const double rate = filter.expected_false_positive_rate();
    const auto size = static_cast<double>(filter.size());
    // Of the probes; of the entries, whose fingerprints and buckets differ in weight and of which a random number is
    // alike; and of the slots looked at, if those are not all.
    const double of_entries =
        2 / static_cast<double>(fingerprint_count(params)) + 1 / static_cast<double>(grown_bucket_count(params)) + rate;
    const double of_slots = slot_count(params) > kSlotsLookedAt ? rate / kSlotsLookedAt : 0;
    expected += rate;
    found += static_cast<double>(found_of(filter, probes, random)) / static_cast<double>(probes);
    variance += rate * (1 - rate) / static_cast<double>(probes) + rate * rate * (of_entries / size + of_slots);
  }
  EXPECT_NEAR(found / expected, 1, 4.5 * std::sqrt(variance) / expected)
      << text_of(params) << " " << way << " " << found / static_cast<double>(builds);
}

TEST(Distinct, TheRateIsTheMeasuredOneHoweverAFilterWasFilled) {
  for (const auto& [way, fill_it] : kWays) {
    for (const std::uint64_t m : {3, 15, 97, 255, 1009, 4096}) {
      for (const std::uint32_t b : {2u, 4u, 7u}) {
        for (const std::uint32_t f : {4u, 6u, 9u, 13u}) {
          expect_rate_of(params_of(m, b, f, m == 4096 ? Addressing::xor_power_of_two : Addressing::reflect), way,
                         fill_it);
        }
      }
    }
    Params semi_sorted = params_of(1009, 4, 8);
    semi_sorted.storage = Storage::semi_sorted;
    semi_sorted.spared_quarters = 1;
    expect_rate_of(semi_sorted, way, fill_it);
  }
}

TEST(Distinct, TheRateOfRandomKeysWouldBeTooLowWhereNoEntriesAreAlike) {
  for (const auto& [f, taken, is] : {std::array{4.0, 0.428, 0.555}, {6.0, 0.103, 0.109}}) {
    const Params params = params_of(10007, f == 4 ? 5 : 4, static_cast<std::uint32_t>(f));
    Filter filter = created(params);
    Random random(1);
    fill_if_absent(filter, static_cast<std::uint64_t>((f == 4 ? 4.06 : 3.38) * 10007), random);
    EXPECT_NEAR(false_positive_rate(params, filter.size()), taken, 0.002);
    const double measured = static_cast<double>(found_of(filter, 1'000'000, random)) / 1e6;
    EXPECT_NEAR(measured, is, 0.004);
    EXPECT_NEAR(filter.expected_false_positive_rate(), measured, 0.002);
  }
}

/// How many entries of `hashes` differ.
double distinct(const std::vector<Hash>& hashes, const Params& params) {
  std::set<testing::Entry> all;
  for (const Hash hash : hashes) all.insert(entry_of(hash, params));
  return static_cast<double>(all.size());
}

TEST(Distinct, EntriesOfASmallTableAreCounted) {
  testing::for_all_params({1, 2, 15, 64}, [](const Params& params) {
    Random random(params.seed);
    std::vector<Hash> hashes;
    Filter filter = created(params);
    for (std::uint64_t i = 0; i < slot_count(params) / 2; ++i) {
      const bool is_known = !hashes.empty() && random.below(4) == 0;
      const Hash hash = is_known ? hashes[random.below(hashes.size())] : Hash{random.next()};
      if (filter.insert(hash) == InsertOutcome::inserted) hashes.push_back(hash);
    }
    const LookedAt seen = look_at_entries(Access::entries(filter).buckets(), params);
    ASSERT_TRUE(seen.is_all);
    ASSERT_EQ(seen.entries, filter.size());
    ASSERT_EQ(static_cast<double>(seen.distinct), distinct(hashes, params) * LookedAt::kOne) << text_of(params);
  });
}

TEST(Distinct, TheRateOfAsManyAsRandomKeysLeaveIsTheirs) {
  testing::for_all_params({1, 2, 3, 97, 1 << 20}, [](const Params& params) {
    for (const double load : {0.0, 0.01, 0.5, 1.0}) {
      const double keys = std::floor(load * static_cast<double>(slot_count(params)));
      const double rate = rate_of_random(params, keys);
      const double count = distinct_of(params, keys).count;
      ASSERT_LE(count, keys * (1 + 1e-14));
      ASSERT_NEAR(rate_of_distinct(params, count), rate, 1e-9 * rate) << text_of(params) << " " << keys;
    }
  });
}

TEST(Distinct, NoMoreIsFoundThanAllKeys) {
  for (const std::uint64_t m : {1, 3, 16}) {
    const Params params = params_of(m, 8, 2);
    double last = 0;
    for (int count = 0; count <= 1000; ++count) {
      const double rate = rate_of_distinct(params, count);
      ASSERT_GE(rate, last) << m << " " << count;
      ASSERT_LE(rate, 1);
      last = rate;
    }
    EXPECT_GT(last, 1 - 1e-9);
  }
}

TEST(Distinct, APlannedFilterOfKeysInsertedOnceErrsAsPlanned) {
  for (const double rate : {0.3, 0.03, 0.01, 0.001}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Params params = *plan({.capacity = 5000, .false_positive_rate = rate, .seed = seed});
      Filter filter = created(params);
      for (std::uint64_t key = 0; key < params.capacity; ++key) (void)filter.insert(key);
      EXPECT_EQ(filter.expected_false_positive_rate(), false_positive_rate(params, params.capacity)) << rate;
    }
  }
}

// Where pairs are rare, the one that is met by chance says nothing.
TEST(Distinct, AFilterOfKeysInsertedOnceErrsAsTheFormulaSaysAtEveryWidth) {
  for (std::uint32_t f = 7; f <= 32; ++f) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Params params = params_of(1009, 4, f);
      Filter filter = created(params);
      Random random(seed);
      fill(filter, 3200, random);
      EXPECT_EQ(filter.expected_false_positive_rate(), false_positive_rate(params, filter.size())) << f << " " << seed;
    }
  }
}

TEST(Distinct, ALoadedCopyHasTheRateAndSoHasAFilterWhoseTableIsDoubling) {
  for (const auto& [way, fill_it] : kWays) {
    for (const Storage storage : {Storage::plain, Storage::semi_sorted}) {
      Params params = params_of(512, 4, 6);
      params.storage = storage;
      params.reserved_bits = 2;
      params.capacity = 4 * slot_count(params) * 9 / 10;
      Filter whole = created(params);
      params.tuning.buckets_per_call = 1;
      Filter filter = created(params);
      Random random(3), again(3), more(4);
      fill_it(filter, 1700, random);
      fill_it(whole, 1700, again);
      int doubling = 0;
      for (int i = 0; i < 300; ++i) {
        const Hash hash{more.next()};
        ASSERT_EQ(filter.insert_if_absent(hash), whole.insert_if_absent(hash));
        doubling += Access::entries(filter).has_work() ? 1 : 0;
        ASSERT_EQ(filter.expected_false_positive_rate(), whole.expected_false_positive_rate()) << way;
      }
      if (way == "insert" || way == "insert_if_absent") {
        EXPECT_GE(doubling, 3) << way;
      }
      ASSERT_EQ(load(saved(whole))->expected_false_positive_rate(), filter.expected_false_positive_rate()) << way;
    }
  }
}

template <class AnyFilter>
void expect_measured(const AnyFilter& filter) {
  Random random(9);
  std::uint64_t found = 0;
  for (int i = 0; i < 1'000'000; ++i) found += filter.contains(Hash{random.next()}) ? 1 : 0;
  const double rate = filter.expected_false_positive_rate();
  EXPECT_NEAR(static_cast<double>(found) / 1e6, rate, 0.02 * rate) << text_of(filter.params());
}

TEST(Distinct, CountersPeriodsAndValuesErrAsTheySay) {
  for (const std::uint64_t m : {255, 20011}) {
    for (const std::uint32_t f : {4u, 6u}) {
      const Params params = params_of(m, 4, f);
      const std::uint64_t count = slot_count(params) * 8 / 10;
      Random random(f);
      CountingFilter counters = std::move(*CountingFilter::create(params, 3));
      ExpiringFilter periods = std::move(*ExpiringFilter::create(params, 4));
      ValueFilter values = std::move(*ValueFilter::create(params, 3));
      for (std::uint64_t i = 0; counters.size() < count; ++i) (void)counters.insert(Hash{random.next()}, i % 9 + 1);
      for (int period = 0; period < 6; ++period) {
        for (std::uint64_t i = 0; i < count / 4; ++i) (void)periods.insert_if_absent(Hash{random.next()});
        periods.advance();
      }
      for (std::uint32_t i = 0; values.size() < count; ++i) {
        const Hash hash{random.next()};
        for (std::uint32_t each = 0; each <= i % 3; ++each) (void)values.insert(hash, each);
      }
      expect_measured(counters);
      expect_measured(periods);
      expect_measured(values);
    }
  }
}

TEST(Distinct, WhatIsFoundInALargeTableCountsFromThreeStandardDeviationsOn) {
  const Params params = params_of(1009, 4, 5);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Filter filter = created(params);
    Random random(seed);
    fill(filter, 2500, random);
    bool counts = false;
    for (std::uint32_t bucket = 0; !counts && bucket < params.bucket_count; ++bucket) {
      const std::uint32_t entry = Access::entries(filter).table().read(bucket)[0];
      if (entry != 0) (void)filter.insert(hash_at({bucket, entry}, params));  // a copy
      const LookedAt seen = look_at_entries(Access::entries(filter).buckets(), params);
      const auto entries = static_cast<double>(seen.entries);
      const auto size = static_cast<double>(filter.size());
      const double expected = entries * (1 - distinct_of(params, size).count / size);
      const double found = entries - static_cast<double>(seen.distinct) / LookedAt::kOne;
      counts = filter.expected_false_positive_rate() != false_positive_rate(params, filter.size());
      ASSERT_EQ(counts, std::abs(found - expected - 1) > 3 * std::sqrt(expected)) << seed << " " << bucket;
    }
    EXPECT_TRUE(counts) << seed;
  }
}

}  // namespace
}  // namespace cuckoo
