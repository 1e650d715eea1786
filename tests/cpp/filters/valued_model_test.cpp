// ValueFilter and CountingFilter against exact models, for every shape, and their batches beside single calls.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "alike.h"
#include "cases.h"
#include "cuckoo/filters/counting.h"
#include "cuckoo/filters/value.h"
#include "random.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::bytes_of;
using testing::Entry;
using testing::entry_of;
using testing::for_all_valued_params;
using testing::Random;
using testing::text_of;

TEST(Values, AgreeWithTheModelForEveryShape) {
  std::uint64_t refused = 0, grown_tables = 0;
  for_all_valued_params(kMaxValueBits, [&](const Params& params, std::uint32_t value_bits) {
    const std::string text = text_of(params) + " v=" + std::to_string(value_bits);
    Random random(params.seed + value_bits);
    ValueFilter filter = std::move(*ValueFilter::create(params, value_bits));
    std::map<Entry, std::multiset<std::uint32_t>> model;
    const auto model_of = [&](Hash key) -> auto& { return model[entry_of(key, grown(params))]; };
    const std::uint64_t slots = slot_count(grown(params));
    std::uint64_t size = 0;
    for (std::uint64_t step = 0; step < 2 * slots + 20; ++step) {
      const Hash key = xxh64_of_integer(random.below(slots), 0);
      const auto value = static_cast<std::uint32_t>(random.next() >> (64 - value_bits));
      auto& values = model_of(key);
      if (random.below(3) != 0) {
        const auto before = bytes_of(filter);
        const InsertOutcome outcome = filter.insert(key, value);
        if (outcome == InsertOutcome::inserted) {
          values.insert(value);
          ++size;
        } else {
          ++refused;
          ASSERT_TRUE(bytes_of(filter) == before || filter.params().reserved_bits < params.reserved_bits) << text;
          if (outcome == InsertOutcome::too_many_copies) {
            ASSERT_GE(values.size(), params.bucket_size) << text;
          }
        }
      } else if (random.below(2) != 0) {
        const auto found = values.find(value);
        ASSERT_EQ(filter.erase(key, value), found != values.end()) << text;
        if (found != values.end()) values.erase(found), --size;
      } else {
        ASSERT_EQ(filter.erase(key), !values.empty()) << text;
        if (!values.empty()) values.erase(values.begin()), --size;
      }
      const FoundValues found = filter.find(key);
      ASSERT_TRUE(std::ranges::equal(found, values)) << text;
      ASSERT_EQ(filter.contains(key), !values.empty()) << text;
      ASSERT_EQ(filter.size(), size) << text;
    }
    const ValueFilter copy = std::move(*filter.clone());
    for (std::uint64_t id = 0; id < slots; ++id) {
      const Hash key = xxh64_of_integer(id, 0);
      const FoundValues found = copy.find(key);
      const auto& values = model_of(key);
      ASSERT_TRUE(std::ranges::equal(found, values)) << text;
    }
    grown_tables += filter.params().reserved_bits < params.reserved_bits ? 1 : 0;
  });
  EXPECT_GT(refused, testing::runs(200u, 1000u));
  EXPECT_GT(grown_tables, testing::runs(200u, 1000u));
}

TEST(Counting, AgreesWithTheModelForEveryShape) {
  std::uint64_t refused = 0, saturated = 0;
  for_all_valued_params(kMaxCounterBits, [&](const Params& params, std::uint32_t counter_bits) {
    const std::string text = text_of(params) + " c=" + std::to_string(counter_bits);
    Random random(params.seed + counter_bits);
    CountingFilter filter = std::move(*CountingFilter::create(params, counter_bits));
    const std::uint64_t most = std::uint64_t{1} << counter_bits;
    ASSERT_EQ(filter.max_count(), most);
    std::map<Entry, std::uint64_t> model;
    const std::uint64_t slots = slot_count(grown(params));
    for (std::uint64_t step = 0; step < 2 * slots + 20; ++step) {
      const Hash key = xxh64_of_integer(random.below(slots), 0);
      const std::uint64_t copies = 1 + random.below(random.below(2) != 0 ? 3 : 2 * most);
      const Entry entry = entry_of(key, grown(params));
      if (random.below(3) != 0) {
        const auto before = bytes_of(filter);
        const InsertOutcome outcome = filter.insert(key, copies);
        if (outcome == InsertOutcome::inserted) {
          model[entry] = std::min(most, model[entry] + copies);
        } else {
          ++refused;
          ASSERT_EQ(outcome, InsertOutcome::full) << text;
          ASSERT_EQ(model.count(entry), 0u) << text;
          ASSERT_TRUE(bytes_of(filter) == before || filter.params().reserved_bits < params.reserved_bits) << text;
        }
      } else {
        const auto found = model.find(entry);
        const bool is_stuck = found != model.end() && found->second == most;
        const bool is_enough = found != model.end() && (is_stuck || found->second >= copies);
        ASSERT_EQ(filter.erase(key, copies), is_enough) << text;
        if (is_enough && !is_stuck && (found->second -= copies) == 0) model.erase(found);
      }
      const auto found = model.find(entry);
      ASSERT_EQ(filter.count(key), found == model.end() ? 0 : found->second) << text;
      ASSERT_EQ(filter.contains(key), found != model.end()) << text;
      ASSERT_EQ(filter.size(), model.size()) << text;
    }
    std::uint64_t stuck = 0;
    for (const auto& [entry, count] : model) stuck += count == most ? 1 : 0;
    ASSERT_EQ(filter.clone()->saturated(), stuck) << text;
    saturated += stuck;
  });
  EXPECT_GT(refused, testing::runs(200u, 1000u));
  EXPECT_GT(saturated, testing::runs(200u, 1000u));
}

TEST(Values, BatchesAnswerAsSinglesDo) {
  for_all_valued_params(kMaxValueBits, [&](const Params& params, std::uint32_t value_bits) {
    const std::string text = text_of(params) + " v=" + std::to_string(value_bits);
    Random random(params.seed + value_bits);
    ValueFilter one = std::move(*ValueFilter::create(params, value_bits));
    ValueFilter many = std::move(*one.clone());
    const std::uint64_t slots = slot_count(grown(params));
    std::vector<Hash> keys;
    std::vector<std::uint32_t> values;
    for (std::uint64_t i = 0; i < slots + 20; ++i) {
      keys.push_back(xxh64_of_integer(random.below(slots), 0));
      values.push_back(static_cast<std::uint32_t>(random.next() >> (64 - value_bits)));
    }
    BatchOutcome single;
    for (; single.done < keys.size(); ++single.done) {
      single.outcome = one.insert(keys[single.done], values[single.done]);
      if (single.outcome != InsertOutcome::inserted) break;
    }
    const BatchOutcome batch = many.insert_many(keys, values);
    ASSERT_EQ(batch.done, single.done) << text;
    ASSERT_EQ(batch.outcome, single.outcome) << text;
    ASSERT_EQ(bytes_of(many), bytes_of(one)) << text;
    // With little room for values, in several steps.
    std::vector<std::uint32_t> room(2 * kMaxBucketSize + random.below(40));
    std::vector<std::uint8_t> counts(keys.size()), found(keys.size());
    many.contains_many(keys, found);
    for (std::size_t first = 0; first < keys.size();) {
      const auto step = many.find_many(std::span(keys).subspan(first), counts, room);
      ASSERT_GT(step.done, 0u) << text;
      std::size_t at = 0;
      for (std::size_t i = 0; i < step.done; ++i) {
        const FoundValues expected = one.find(keys[first + i]);
        const std::span<const std::uint32_t> told(&room[at], counts[i]);
        ASSERT_TRUE(std::ranges::equal(told, expected)) << text;
        ASSERT_EQ(found[first + i], counts[i] != 0 ? 1 : 0) << text;
        at += counts[i];
      }
      ASSERT_EQ(at, step.values) << text;
      first += step.done;
    }
  });
}

TEST(Counting, BatchesAnswerAsSinglesDo) {
  for_all_valued_params(kMaxCounterBits, [&](const Params& params, std::uint32_t counter_bits) {
    const std::string text = text_of(params) + " c=" + std::to_string(counter_bits);
    Random random(params.seed + counter_bits);
    CountingFilter one = std::move(*CountingFilter::create(params, counter_bits));
    CountingFilter many = std::move(*one.clone());
    const std::uint64_t slots = slot_count(grown(params));
    std::vector<Hash> keys;
    std::vector<std::uint32_t> copies;
    for (std::uint64_t i = 0; i < slots + 20; ++i) {
      keys.push_back(xxh64_of_integer(random.below(slots), 0));
      copies.push_back(1 + static_cast<std::uint32_t>(random.below(3)));
    }
    std::size_t done = 0;
    while (done < keys.size() && one.insert(keys[done], copies[done]) == InsertOutcome::inserted) ++done;
    ASSERT_EQ(many.insert_many(keys, copies).done, done) << text;
    ASSERT_EQ(bytes_of(many), bytes_of(one)) << text;
    std::vector<std::uint32_t> counts(keys.size());
    std::vector<std::uint8_t> found(keys.size());
    many.count_many(keys, counts);
    many.contains_many(keys, found);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(counts[i], one.count(keys[i])) << text;
      ASSERT_EQ(found[i], counts[i] != 0 ? 1 : 0) << text;
    }
  });
}

}  // namespace
}  // namespace cuckoo
