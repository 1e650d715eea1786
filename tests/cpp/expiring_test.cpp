#include "cuckoo/variants/expiring.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "alike.h"
#include "cases.h"
#include "cuckoo/plan.h"
#include "random.h"

namespace cuckoo {
namespace {

using testing::Entry;
using testing::entry_of;
using testing::for_all_params;
using testing::params_of;
using testing::Random;
using testing::text_of;
using Expiring = ExpiringFilter<>;

Expiring created(const Params& params, std::uint32_t periods) { return std::move(*Expiring::create(params, periods)); }

std::vector<std::uint8_t> bytes_of(const Expiring& filter) {
  return {filter.table().bytes().begin(), filter.table().bytes().end()};
}

/// What a filter must answer: for each fingerprint with its candidate buckets, the period it was seen in last.
class Model {
 public:
  Model(const Params& params, std::uint32_t periods) : params_(params), periods_(periods) {}

  void see(Hash hash) { last_[entry_of(hash, params_)] = now_; }
  [[nodiscard]] bool contains(Hash hash) const { return last_.count(entry_of(hash, params_)) != 0; }
  std::uint64_t advance() {
    ++now_;
    return std::erase_if(last_, [&](const auto& entry) { return now_ - entry.second >= periods_; });
  }
  [[nodiscard]] std::uint64_t size() const { return last_.size(); }

 private:
  Params params_;
  std::uint32_t periods_;
  std::uint64_t now_ = 0;
  std::map<Entry, std::uint64_t> last_;
};

TEST(Expiring, AgreesWithTheModelForEveryShapeAndWindow) {
  std::uint64_t refused = 0;
  for_all_params({1, 3, 16}, [&](const Params& params) {
    for (const std::uint32_t periods : {1u, 2u, 3u, 7u, 256u}) {
      if (params.fingerprint_bits + static_cast<std::uint32_t>(std::bit_width(periods - 1)) > 32) continue;
      Random random(params.seed + periods);
      Expiring filter = created(params, periods);
      Model model(params, periods);
      const std::uint64_t slots = slot_count(params);
      for (std::uint64_t step = 0; step < 4 * slots + 40; ++step) {
        const Hash key = xxh64_of_integer(random.below(2 * slots), 0);
        ASSERT_EQ(filter.contains(key), model.contains(key)) << text_of(params) << " periods " << periods;
        const bool was_seen = model.contains(key);
        const auto before = bytes_of(filter);
        const InsertOutcome outcome = filter.insert_if_absent(key);
        if (outcome == InsertOutcome::full) {
          ++refused;
          ASSERT_FALSE(was_seen);
          ASSERT_EQ(bytes_of(filter), before) << text_of(params);
        } else {
          ASSERT_EQ(outcome == InsertOutcome::present, was_seen) << text_of(params) << " periods " << periods;
          model.see(key);
        }
        if (random.below(slots) == 0) {
          ASSERT_EQ(filter.advance(), model.advance());
        }
        ASSERT_EQ(filter.size(), model.size());
      }
      for (std::uint64_t id = 0; id < 2 * slots; ++id) {
        ASSERT_EQ(filter.contains(xxh64_of_integer(id, 0)), model.contains(xxh64_of_integer(id, 0))) << text_of(params);
      }
      for (std::uint32_t period = 0; period < periods; ++period) filter.advance();
      ASSERT_EQ(filter.size(), 0u);
      ASSERT_EQ(bytes_of(filter), bytes_of(created(params, periods))) << text_of(params);
    }
  });
  EXPECT_GT(refused, 1000u);
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
    EXPECT_EQ(bytes_of(filter), bytes_of(created(params_of(16, 4, 20), periods)));
  }
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
      ASSERT_LE(expected, rate);
      ASSERT_NEAR(static_cast<double>(found) / probes, expected, 5 * std::sqrt(expected / probes) + 0.02 * expected);
      filter.advance();
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
    EXPECT_EQ(filter.field(), Field::none);
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

}  // namespace
}  // namespace cuckoo
