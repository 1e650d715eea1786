#include "cuckoo/filters/scalable.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cuckoo/filters/traced.h"
#include "cuckoo/format/scalable_format.h"
#include "first_layers.h"
#include "random.h"
#include "saved.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::first_of;
using testing::layered;
using testing::Random;

TEST(Scalable, NeedsTheAddressingByXor) {
  EXPECT_EQ(ScalableFilter::create(testing::params_of(4, 4, 8)).field(), Field::addressing);
}

TEST(Scalable, CountsAndErasesTheCopiesOfAllLayers) {
  ScalableFilter filter = layered(first_of(16, 4, 14, 0));
  ASSERT_EQ(filter.insert(1), InsertOutcome::inserted);
  for (int key = 100; filter.layer_count() < 3; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  ASSERT_EQ(filter.insert(1), InsertOutcome::inserted);
  EXPECT_EQ(filter.count(1), 2u);
  EXPECT_EQ(filter.count(2), 0u);
  EXPECT_FALSE(filter.erase(2));
  const auto size = filter.size();
  std::uint64_t slots = 0;
  for (std::uint32_t k = 0; k < filter.layer_count(); ++k) slots += slot_count(filter.layer(k).params());
  EXPECT_DOUBLE_EQ(filter.load_factor(), static_cast<double>(size) / static_cast<double>(slots));
  std::vector<Hash> hashes;
  for (const int key : {1, 2, 1, 100, 3}) hashes.push_back(filter.hash(key));
  std::vector<std::uint8_t> found(hashes.size(), 7);
  filter.contains_many(hashes, found);
  EXPECT_EQ(found, (std::vector<std::uint8_t>{1, 0, 1, 1, 0}));
  EXPECT_EQ(filter.erase_many(hashes), 3u);
  EXPECT_EQ(filter.size(), size - 3);
  EXPECT_EQ(filter.count(1), 0u);
}

TEST(Scalable, TheMeasuredRateIsTheSumOfTheLayersRatesAndAtMostTheOneAskedFor) {
  for (const double rate : {0.05, 0.01}) {
    for (const std::uint64_t most : {1000u, 4000u, 16'000u}) {
      const Params first = *plan_scalable({.capacity = 1000, .false_positive_rate = rate, .max_capacity = most});
      ScalableFilter filter = layered(first);
      Random random(5);
      for (std::uint64_t n = 1; n <= 120'000; ++n) {
        ASSERT_EQ(filter.insert(Hash{random.next()}), InsertOutcome::inserted);
        if (n != 3000 && n != 20'000 && n != 120'000) continue;
        const int probes = 200'000;
        int found = 0;
        for (int i = 0; i < probes; ++i) found += filter.contains(Hash{random.next()});
        const double expected = filter.expected_false_positive_rate();
        const double measured = static_cast<double>(found) / probes;
        EXPECT_NEAR(measured, expected, 5 * std::sqrt(expected / probes) + 0.03 * expected) << n;
        EXPECT_LE(expected, rate) << n;
        EXPECT_GE(filter.capacity(), filter.size());
      }
      EXPECT_GE(filter.layer_count(), 2u);
    }
  }
}

TEST(Scalable, TheNewestLayerIsMergedBackOnceBothHoldHalfOfTheOldersKeysAndNotBefore) {
  const Params first = first_of(64, 4, 16, 0);
  ScalableFilter filter = layered(first);
  const std::uint64_t most = layer_capacity(first, 0);
  std::uint64_t keys = 0;
  while (filter.layer_count() < 2) ASSERT_EQ(filter.insert(keys++), InsertOutcome::inserted);
  ASSERT_EQ(filter.size(), most + 1);
  while (filter.size() > most / 2 + 1) ASSERT_TRUE(filter.erase(--keys));
  EXPECT_EQ(filter.layer_count(), 2u);
  ASSERT_TRUE(filter.erase(--keys));
  EXPECT_EQ(filter.layer_count(), 1u);
  for (std::uint64_t key = 0; key < keys; ++key) EXPECT_TRUE(filter.contains(key));
}

TEST(Scalable, ALayerIsBegunOnlyWhereTheNewestIsHalfFull) {
  Params first = first_of(64, 4, 16, 0);
  ScalableFilter filter = layered(first);
  const std::uint64_t most = layer_capacity(first, 0);
  Random random(7);
  const Location crowded = locate(Hash{random.next()}, first);
  const auto next = [&](bool is_crowded) {
    for (;;) {
      const Hash key{random.next()};
      const Location at = locate(key, first);
      const bool is_of_these = std::minmax(at.primary.bucket, at.alternate.bucket) ==
                               std::minmax(crowded.primary.bucket, crowded.alternate.bucket);
      if (is_of_these == is_crowded) return key;
    }
  };
  for (int i = 0; i < 8; ++i) ASSERT_EQ(filter.insert(next(true)), InsertOutcome::inserted);
  while (filter.size() < (most - 1) / 2) (void)filter.insert(next(false));
  ASSERT_EQ(filter.layer_count(), 1u);
  EXPECT_EQ(filter.insert(next(true)), InsertOutcome::full);
  while (filter.size() < (most + 1) / 2) (void)filter.insert(next(false));
  ASSERT_EQ(filter.layer_count(), 1u);
  EXPECT_EQ(filter.insert(next(true)), InsertOutcome::inserted);
  EXPECT_EQ(filter.layer_count(), 2u);
}

TEST(Scalable, TheCapacityIsWhatGoesInBeforeALayerGrowsOrIsAdded) {
  ScalableFilter filter = layered(first_of(16, 4, 12, 2));
  for (std::uint64_t key = 0; key < 3000; ++key) {
    const std::uint64_t capacity = filter.capacity(), buckets = filter.bucket_count();
    const bool is_full = filter.size() == capacity;
    ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
    ASSERT_EQ(filter.bucket_count() != buckets, is_full) << key;
  }
  EXPECT_GE(filter.layer_count(), 2u);
}

// One-slot tables are never half full, so it is the layer's keys that end it, not its slots.
TEST(Scalable, TheCapacityIsNoMoreThanTheKeysOfTheLayers) {
  const Params first = first_of(256, 1, 12, 0);
  ScalableFilter filter = layered(first);
  for (std::uint64_t key = 0; filter.layer_count() < 2; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  EXPECT_EQ(filter.capacity(), layer_capacity(first, 0) + layer_capacity(*layer_params(first, 1), 1));
}

TEST(Scalable, TheExpectedRateIsAProbability) {
  ScalableFilter filter = layered(first_of(1, 4, 2, 0));
  for (std::uint64_t key = 0; key < 5000 && filter.insert(key) == InsertOutcome::inserted; ++key) {
    ASSERT_LE(filter.expected_false_positive_rate(), 1.0);
  }
  EXPECT_GE(filter.layer_count(), 2u);
}

TEST(Scalable, LayersMergeBackAsTheyEmptyAndGrowAgain) {
  const Params first = *plan_scalable({.capacity = 1000, .max_capacity = 4000});
  ScalableFilter filter = layered(first);
  for (int turn = 0; turn < 3; ++turn) {
    for (std::uint64_t key = 0; key < 300'000; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
    const std::uint32_t layers = filter.layer_count();
    ASSERT_GE(layers, 4u);
    // The oldest first, the newest first, and at random.
    std::uint32_t last = layers;
    for (std::uint64_t i = 0; i < 299'000; ++i) {
      ASSERT_TRUE(filter.erase(turn == 0 ? i : turn == 1 ? 299'999 - i : i * 7919 % 300'000)) << i;
      ASSERT_LE(filter.layer_count(), last);
      last = filter.layer_count();
    }
    EXPECT_EQ(filter.size(), 1000u);
    EXPECT_EQ(last, 1u);
    for (std::uint64_t i = 299'000; i < 300'000; ++i) {
      const std::uint64_t key = turn == 0 ? i : turn == 1 ? 299'999 - i : i * 7919 % 300'000;
      ASSERT_TRUE(filter.contains(key));
      ASSERT_TRUE(filter.erase(key));
    }
    EXPECT_EQ(filter.size(), 0u);
  }
}

TEST(Scalable, KeysThatComeAndGoReuseTheRoomOfOlderLayers) {
  const Params first = *plan_scalable({.capacity = 1000, .max_capacity = 4000});
  ScalableFilter filter = layered(first);
  const std::uint64_t window = 20'000;
  std::uint32_t layers = 0;
  for (std::uint64_t key = 0; key < 20 * window; ++key) {
    ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
    if (key >= window) {
      ASSERT_TRUE(filter.erase(key - window));
    }
    if (key == window) layers = filter.layer_count();
  }
  EXPECT_EQ(filter.layer_count(), layers);
  EXPECT_EQ(filter.size(), window);
  for (std::uint64_t key = 19 * window; key < 20 * window; ++key) ASSERT_TRUE(filter.contains(key));
}

TEST(Scalable, CopiesAndKeysOfTheSameHomesAddNoLayer) {
  const Params first = *plan_scalable({.capacity = 1000});
  ScalableFilter filter = layered(first);
  for (int i = 0; i < 8; ++i) ASSERT_EQ(filter.insert(std::uint64_t{1}), InsertOutcome::inserted);
  EXPECT_EQ(filter.insert(std::uint64_t{1}), InsertOutcome::too_many_copies);
  EXPECT_EQ(filter.insert_if_absent(std::uint64_t{1}), InsertOutcome::present);
  Random random(3);
  const Location at = locate(Hash{random.next()}, first);
  std::size_t refused = 0;
  for (int found = 0; found < 40;) {
    const Hash key{random.next()};
    const Location there = locate(key, first);
    if (std::minmax(there.primary.bucket, there.alternate.bucket) !=
        std::minmax(at.primary.bucket, at.alternate.bucket))
      continue;
    ++found;
    refused += filter.insert(key) == InsertOutcome::full;
  }
  EXPECT_GE(refused, 10u);
  EXPECT_EQ(filter.layer_count(), 1u);
}

TEST(Scalable, WithoutBitsForAnotherLayerItIsFullAndUnchanged) {
  Params first = first_of(4, 4, 32, 0);
  ASSERT_FALSE(layer_params(first, 1));
  ScalableFilter filter = layered(first);
  std::vector<Hash> keys;
  Random random(4);
  for (;;) {
    const Hash key{random.next()};
    if (filter.insert(key) != InsertOutcome::inserted) break;
    keys.push_back(key);
  }
  EXPECT_EQ(keys.size(), scalable_capacity(first));
  EXPECT_EQ(filter.insert(Hash{random.next()}), InsertOutcome::full);
  for (const Hash key : keys) EXPECT_TRUE(filter.contains(key));
}

TEST(Scalable, AClearedChainIsOneLayerAndAClonedOneLivesOnItsOwn) {
  const Params first = *plan_scalable({.capacity = 100, .max_capacity = 200});
  ScalableFilter filter = layered(first);
  for (std::uint64_t key = 0; key < 5000; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  ScalableFilter copy = std::move(*filter.clone());
  const std::uint32_t layers = filter.layer_count();
  filter.clear();
  EXPECT_EQ(filter.size(), 0u);
  EXPECT_EQ(filter.layer_count(), 1u);
  EXPECT_EQ(copy.layer_count(), layers);
  for (std::uint64_t key = 0; key < 5000; ++key) ASSERT_TRUE(copy.contains(key));
  for (std::uint64_t key = 0; key < 5000; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  EXPECT_EQ(filter.layer_count(), layers);
}

TEST(Scalable, AClonedOrLoadedFilterGoesOnAsItsOriginalWhateverFailedBefore) {
  int apart = 0;
  for (const std::uint32_t b : {1u, 2u, 4u}) {
    for (const std::uint64_t share : {4u, 7u, 10u}) {
      for (std::uint64_t seed = 0; seed < 6; ++seed) {
        Params first = testing::params_of(8, b, 12, Addressing::xor_power_of_two);
        first.reserved_bits = 2;
        first.capacity = slot_count(grown(first)) * share / 10;
        ScalableFilter filter = std::move(*ScalableFilter::create(first));
        testing::Random random(seed);
        std::vector<Hash> keys;
        for (int i = 0; i < 600; ++i) {
          keys.push_back(Hash{random.next()});
          if (filter.insert(keys.back()) != InsertOutcome::inserted) keys.pop_back();
        }
        ScalableFilter cloned = std::move(*filter.clone());
        ScalableFilter loaded = std::move(*load_scalable(testing::saved(filter)));
        for (int i = 0; i < 900 && !keys.empty(); ++i) {
          if (i % 60 == 0) (i % 120 == 0 ? cloned : loaded) = std::move(*load_scalable(testing::saved(filter)));
          const bool is_erase = random.below(10) != 0;
          const Hash key = is_erase ? keys[random.below(keys.size())] : Hash{random.next()};
          if (is_erase) {
            ASSERT_TRUE(filter.erase(key) && cloned.erase(key) && loaded.erase(key));
            keys.erase(std::find(keys.begin(), keys.end(), key));
          } else {
            const InsertOutcome outcome = filter.insert(key);
            ASSERT_EQ(cloned.insert(key), outcome);
            ASSERT_EQ(loaded.insert(key), outcome);
            if (outcome == InsertOutcome::inserted) keys.push_back(key);
          }
          ASSERT_EQ(testing::saved(cloned), testing::saved(filter)) << b << " " << share << " " << seed;
          ASSERT_EQ(testing::saved(loaded), testing::saved(filter)) << b << " " << share << " " << seed;
          const Params& newest = filter.layer(filter.layer_count() - 1).params();
          apart += 4 * filter.layer(filter.layer_count() - 1).size() < present_capacity(halved(newest)) ? 1 : 0;
        }
        for (const Hash key : keys) ASSERT_TRUE(filter.contains(key));
      }
    }
  }
  EXPECT_GT(apart, 100);  // where a halving failed, and is tried again later
}

TEST(Scalable, ACapacityAndARateAreEnough) {
  const SecretKey secret{1, 2};
  for (const SecretKey* given : {static_cast<const SecretKey*>(nullptr), &secret}) {
    auto filter = std::move(ScalableFilter::create(100, 0.01, given).value());
    EXPECT_EQ(filter.hasher().is_keyed(), given != nullptr);
    for (std::uint64_t key = 0; key < 20'000; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
    EXPECT_GT(filter.layer_count(), 1u);
    EXPECT_LT(filter.expected_false_positive_rate(), 0.01);
    std::uint32_t found = 0;
    for (std::uint64_t key = 20'000; key < 40'000; ++key) found += filter.contains(key) ? 1u : 0u;
    EXPECT_LT(found, 240u);
  }
  EXPECT_EQ(ScalableFilter::create(100, 1.5).field(), Field::false_positive_rate);
  EXPECT_EQ(ScalableFilter::create(0, 0.01).field(), Field::capacity);
}

TEST(Scalable, ALayerThatTakesTheNewestOneInKeepsItsTraceAndTellsOfTheMerge) {
  auto filter = std::move(*BasicScalableFilter<detail::TracedEntries<>>::create(first_of(64, 4, 16, 0)));
  std::uint64_t keys = 0;
  while (filter.layer_count() < 2) ASSERT_EQ(filter.insert(keys++), InsertOutcome::inserted);
  auto& oldest = const_cast<BasicFilter<detail::TracedEntries<>>&>(filter.layer(0));  // which are handed out to be read
  ASSERT_TRUE(oldest.watch().open(TraceLevel::ends, 10'000));
  while (filter.layer_count() > 1) ASSERT_TRUE(filter.erase(--keys));
  const std::span<const Event> events = oldest.watch().events();
  const auto of = [&](Operation operation) {
    return std::ranges::count(events, static_cast<std::uint32_t>(operation), &Event::before);
  };
  EXPECT_EQ(of(Operation::merge), 1);
  EXPECT_GT(of(Operation::erase), 1);
}

}  // namespace
}  // namespace cuckoo
