// Batches on a filter of layers do what single calls do, also where a layer refuses early or has room again.
#include <gtest/gtest.h>

#include <vector>

#include "first_layers.h"
#include "random.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::first_of;
using testing::layered;
using testing::Random;

TEST(Scalable, BatchesDoWhatSinglesDoAcrossLayers) {
  for (const std::uint32_t f : {4u, 9u, 14u}) {
    for (const std::uint32_t doublings : {0u, 1u, 3u}) {
      const Params first = first_of(16, 4, f, doublings);
      Random random(f + doublings);
      std::vector<Hash> keys(5000);
      for (Hash& key : keys) key = xxh64_of_integer(random.below(4000), 0);
      const auto expect_equal = [&](const ScalableFilter& one, const ScalableFilter& other) {
        ASSERT_EQ(one.layer_count(), other.layer_count());
        for (std::uint32_t k = 0; k < one.layer_count(); ++k) {
          const auto mine = Access::entries(one.layer(k)).table().bytes(),
                     others = Access::entries(other.layer(k)).table().bytes();
          ASSERT_TRUE(std::equal(mine.begin(), mine.end(), others.begin(), others.end())) << k;
        }
      };
      ScalableFilter one = layered(first), many = layered(first);
      std::size_t done = 0;
      while (done < keys.size() && one.insert(keys[done]) == InsertOutcome::inserted) ++done;
      ASSERT_EQ(many.insert_many(keys).done, done);
      expect_equal(one, many);
      std::vector<std::uint8_t> found(keys.size());
      many.contains_many(keys, found);
      for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(found[i] == 1, one.contains(keys[i]));
      std::size_t erased = 0;
      for (const Hash key : keys) erased += one.erase(key) ? 1 : 0;
      ASSERT_EQ(many.erase_many(keys), erased);
      ASSERT_EQ(many.size(), one.size());
      expect_equal(one, many);
      one = layered(first), many = layered(first);
      const BatchOutcome outcome = many.insert_many_if_absent(keys, found);
      for (std::size_t i = 0; i < outcome.done; ++i) {
        ASSERT_EQ(one.insert_if_absent(keys[i]) == InsertOutcome::inserted, found[i] == 1) << i;
      }
      ASSERT_TRUE(outcome.done == keys.size() || one.insert_if_absent(keys[outcome.done]) == outcome.outcome);
      expect_equal(one, many);
      EXPECT_GE(many.layer_count(), 2u) << f << " " << doublings;
    }
  }
}

/// What both hold, layer by layer.
void expect_equal(const ScalableFilter& one, const ScalableFilter& other) {
  ASSERT_EQ(one.layer_count(), other.layer_count());
  for (std::uint32_t k = 0; k < one.layer_count(); ++k) {
    ASSERT_EQ(one.layer(k).size(), other.layer(k).size()) << k;
    const auto mine = Access::entries(one.layer(k)).table().bytes(),
               others = Access::entries(other.layer(k)).table().bytes();
    ASSERT_TRUE(std::equal(mine.begin(), mine.end(), others.begin(), others.end())) << k;
  }
}

/// A first layer that is to hold a key in every slot, so it refuses some before it has those it is for.
Params overfull(std::uint32_t b, std::uint64_t seed) {
  Params first = first_of(64 / b, b, 9, static_cast<std::uint32_t>(seed % 3));
  first.capacity = slot_count(grown(first));
  return first;
}

TEST(Scalable, BatchesDoWhatSinglesDoWhereALayerRefusesEarly) {
  std::uint64_t refused_early = 0;
  for (const std::uint32_t b : {1u, 2u, 4u}) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const Params first = overfull(b, seed);
      ScalableFilter one = layered(first), many = layered(first);
      Random random(seed);
      std::vector<Hash> keys(700);
      for (Hash& key : keys) key = xxh64_of_integer(random.below(600), seed);
      std::vector<std::uint8_t> is_new(keys.size());
      for (std::size_t begin = 0; begin < keys.size(); begin += 100) {
        const auto batch = std::span(keys).subspan(begin, 100);
        const BatchOutcome outcome = many.insert_many_if_absent(batch, is_new);
        std::size_t done = 0;
        InsertOutcome last = InsertOutcome::inserted;
        for (; done < batch.size(); ++done) {
          last = one.insert_if_absent(batch[done]);
          if (last != InsertOutcome::inserted && last != InsertOutcome::present) break;
          ASSERT_EQ(is_new[done], last == InsertOutcome::inserted ? 1 : 0) << b << " " << seed << " " << done;
        }
        ASSERT_EQ(outcome.done, done) << b << " " << seed;
        if (done < batch.size()) {
          ASSERT_EQ(outcome.outcome, last);
        }
        expect_equal(one, many);
        for (std::uint32_t k = 0; k + 1 < one.layer_count(); ++k) {
          refused_early += one.layer(k).size() < layer_capacity(one.layer(k).params(), k) ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(refused_early, 10u);
}

// Erases leave room in older layers, which are filled first.
TEST(Scalable, BatchesFillTheSameLayersAsSinglesAfterErases) {
  for (const bool only_if_absent : {false, true}) {
    const Params first = first_of(16, 4, 14, 1);
    ScalableFilter one = layered(first), many = layered(first);
    std::uint64_t next = 0;
    const auto insert = [&](std::uint64_t count) {
      std::vector<Hash> keys;
      for (; count > 0; --count) keys.push_back(xxh64_of_integer(next++, 0));
      std::vector<std::uint8_t> is_new(keys.size());
      const BatchOutcome outcome = only_if_absent ? many.insert_many_if_absent(keys, is_new) : many.insert_many(keys);
      ASSERT_EQ(outcome.done, keys.size());
      for (const Hash key : keys) {
        const InsertOutcome single = only_if_absent ? one.insert_if_absent(key) : one.insert(key);
        ASSERT_TRUE(single == InsertOutcome::inserted || only_if_absent);
      }
      expect_equal(one, many);
    };
    while (one.layer_count() < 3) insert(50);
    const std::uint64_t oldest = one.layer(0).size();
    for (std::uint64_t key = 0; key < oldest / 2; ++key) {
      ASSERT_EQ(one.erase(xxh64_of_integer(key, 0)), many.erase(xxh64_of_integer(key, 0)));
    }
    ASSERT_EQ(one.layer_count(), 3u);
    ASSERT_LT(one.layer(0).size(), oldest);
    insert(oldest);
    EXPECT_EQ(one.layer(0).size(), oldest);
  }
}

TEST(Scalable, InsertsInABatchGoOnInTheNextLayerWhereOneRefusesEarly) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Params first = overfull(1, seed);
    ScalableFilter one = layered(first), many = layered(first);
    Random random(seed);
    std::vector<Hash> keys(150);
    for (Hash& key : keys) key = Hash{random.next()};
    std::size_t done = 0;
    while (done < keys.size() && one.insert(keys[done]) == InsertOutcome::inserted) ++done;
    ASSERT_EQ(many.insert_many(keys).done, done) << seed;
    expect_equal(one, many);
  }
}

TEST(Scalable, ABatchEndsWithTheCopyThatIsRefused) {
  ScalableFilter filter = layered(first_of(64, 4, 12, 1));
  std::vector<Hash> hashes(20, xxh64_of_integer(7, 0));
  for (std::uint64_t key = 100; key < 200; ++key) hashes.push_back(xxh64_of_integer(key, 0));
  const BatchOutcome batch = filter.insert_many(hashes);
  EXPECT_EQ(batch.outcome, InsertOutcome::too_many_copies);
  EXPECT_TRUE(batch.done == 8 || batch.done == 4);
  EXPECT_EQ(filter.size(), batch.done);
}

}  // namespace
}  // namespace cuckoo
