#include "cuckoo/scalable.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "cases.h"
#include "random.h"

namespace cuckoo {
namespace {

using testing::for_all_params;
using testing::Random;
using testing::text_of;

Params first_of(std::uint64_t m, std::uint32_t b, std::uint32_t f, std::uint32_t doublings) {
  Params params = testing::params_of(m, b, f, Addressing::xor_power_of_two);
  params.reserved_bits = std::min(doublings, kMaxFingerprintBits - f);
  params.capacity = planned_capacity(grown(params));
  return params;
}

ScalableFilter<> created(const Params& first) { return std::move(*ScalableFilter<>::create(first)); }

/// What a table with these parameters sees of a hash: its fingerprint and its homes, in no order.
using Class = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>;
Class class_of(Hash hash, const Params& params) {
  const Location at = locate(hash, grown(params));
  return {at.fingerprint, std::min(at.primary, at.alternate), std::max(at.primary, at.alternate)};
}

/// Calls `check(first)` for the first layers of every b, f and storage, small and larger, with and without growth.
template <class Check>
void for_all_first_layers(Check check) {
  for_all_params({1, 4, 64}, [&](Params params) {
    if (params.addressing != Addressing::xor_power_of_two) return;
    for (const std::uint32_t doublings : {0u, 1u, 3u}) {
      if (doublings > kMaxFingerprintBits - params.fingerprint_bits) return;
      params.reserved_bits = doublings;
      params.capacity = planned_capacity(grown(params));
      check(params);
    }
  });
}

TEST(Scalable, WhatIsAlikeInALayerIsAlikeInEveryOlderOne) {
  std::uint64_t pairs = 0;
  for_all_first_layers([&](const Params& first) {
    Random random(first.seed + first.reserved_bits);
    for (std::uint32_t k = 1; layer_params(first, k); ++k) {
      const Params newer = *layer_params(first, k), older = *layer_params(first, k - 1);
      ASSERT_EQ(invalid_field(newer), Field::none) << text_of(newer);
      for (int i = 0; i < 8; ++i) {
        const Hash key{random.next()};
        const Location at = locate(key, newer);
        // What an entry tells of its key, with other bits where it tells nothing.
        Hash twin =
            i % 2 == 0 ? hash_at(at.primary, at.fingerprint, newer) : hash_at(at.alternate, at.in_alternate, newer);
        const std::uint64_t untold = ~std::uint64_t{0} >> home_bits(first, k) & ~std::uint64_t{0xFFFFFFFF};
        twin = Hash{static_cast<std::uint64_t>(twin) | (random.next() & untold)};
        ASSERT_EQ(class_of(twin, newer), class_of(key, newer)) << text_of(newer);
        ASSERT_EQ(class_of(twin, older), class_of(key, older)) << text_of(newer);
        ++pairs;
      }
    }
  });
  EXPECT_GT(pairs, 10'000u);
}

TEST(Scalable, EveryLayerTakesMoreKeysAtHalfTheRateAndAllTogetherErrNoMoreThanAskedFor) {
  for (const double rate : {0.2, 0.03, 0.01, 0.001, 1e-4, 1e-6}) {
    for (const std::uint64_t capacity : {1, 7, 100, 1000, 54'321, 5'000'000}) {
      for (const std::uint64_t times : {0, 1, 3, 16, 1000}) {
        if (times * capacity > 1'000'000'000) continue;
        Request request{.capacity = capacity, .false_positive_rate = rate};
        if (times > 0) request.max_capacity = times * capacity;
        const Result<Params> first = plan_layers(request);
        ASSERT_TRUE(first) << rate << " " << capacity << " " << times << " " << static_cast<int>(first.field());
        ASSERT_GE(first->capacity, std::max<std::uint64_t>(times, 1) * capacity);
        if (rate < 0.1) {  // the shortest fingerprints fill large tables less
          ASSERT_GE(first->capacity >> first->reserved_bits, capacity * 97 / 100);
        }
        double sum = 0;
        std::uint64_t last = 0;
        for (std::uint32_t k = 0; const auto params = layer_params(*first, k); ++k) {
          const std::uint64_t keys = layer_capacity(*params, k);
          ASSERT_GT(keys, last);
          last = keys;
          const double of_layer = false_positive_rate(*params, keys);
          ASSERT_LE(of_layer, rate_bound(*params, keys)) << text_of(*params);
          ASSERT_LE(rate_bound(*params, keys), rate / std::ldexp(2, static_cast<int>(k))) << text_of(*params);
          sum += of_layer;
          // Its table, when the keys are in, is as full as the first one then.
          Params full = *params;
          for (; full.reserved_bits > k; full = doubled(full)) {
          }
          full.capacity = keys;
          ASSERT_TRUE(capacity < 100 ||
                      static_cast<double>(keys) <= plan_detail::safe_load(full) * static_cast<double>(slot_count(full)))
              << text_of(full);
        }
        ASSERT_LE(sum, rate);
        if (times == 0 || times >= 16) {
          ASSERT_GE(capacity_of_layers(*first), 100'000'000u) << text_of(*first);
        }
      }
    }
  }
}

TEST(Scalable, APlanThatCannotBeSaysWhichFieldIsOutOfRange) {
  const auto field = [](const Request& request) { return plan_layers(request).field(); };
  EXPECT_EQ(field({.capacity = 0}), Field::capacity);
  EXPECT_EQ(field({.capacity = 10, .false_positive_rate = 0}), Field::false_positive_rate);
  EXPECT_EQ(field({.capacity = 10, .false_positive_rate = 1}), Field::false_positive_rate);
  EXPECT_EQ(field({.capacity = 10, .false_positive_rate = 1.5}), Field::false_positive_rate);
  EXPECT_EQ(field({.capacity = 10, .false_positive_rate = std::nan("")}), Field::false_positive_rate);
  EXPECT_EQ(field({.capacity = 10, .max_capacity = 9}), Field::max_capacity);
  EXPECT_EQ(field({.capacity = 10, .max_capacity = kMaxCapacity + 1}), Field::max_capacity);
  EXPECT_EQ(field({.capacity = 10, .max_capacity = 10'000, .fingerprint_bits = 31, .bucket_count = 4}),
            Field::max_capacity);
  EXPECT_EQ(field({.capacity = 10, .bucket_count = 3}), Field::bucket_count);
  EXPECT_EQ(field({.capacity = 10, .bucket_size = 9}), Field::bucket_size);
  EXPECT_EQ(field({.capacity = kMaxCapacity}), Field::capacity);
  EXPECT_EQ(field({.capacity = 10, .false_positive_rate = 1e-300}), Field::false_positive_rate);
  EXPECT_EQ(plan_layers({.capacity = 10, .fingerprint_bits = 32})->reserved_bits, 0u);
  EXPECT_EQ(ScalableFilter<>::create(testing::params_of(4, 4, 8)).field(), Field::addressing);
}

/// A chain beside the keys in it: inserts and erases at random, in lives that swell and shrink.
class Life {
 public:
  Life(const Params& first, std::uint64_t seed) : filter_(created(first)), random_(seed) {}

  /// `steps` operations, of which this share of 16 are inserts.
  void live(int steps, std::uint64_t inserts) {
    for (int i = 0; i < steps; ++i) {
      const Hash fresh{random_.next()};
      if (random_.below(16) < inserts) {
        const Hash key = random_.below(32) == 0 && !keys_.empty() ? keys_[any()] : fresh;
        const std::uint64_t size = filter_.size();
        if (filter_.insert(key) == InsertOutcome::inserted) keys_.push_back(key);
        ASSERT_EQ(filter_.size(), keys_.size()) << size;
      } else if (!keys_.empty()) {
        std::swap(keys_[any()], keys_.back());
        ASSERT_TRUE(filter_.erase(keys_.back())) << "a key is lost";
        keys_.pop_back();
        ASSERT_EQ(filter_.size(), keys_.size());
      }
      most_layers_ = std::max(most_layers_, filter_.layer_count());
    }
  }
  void expect_all_found() const {
    for (const Hash key : keys_) ASSERT_TRUE(filter_.contains(key));
    std::vector<std::uint8_t> found(keys_.size());
    filter_.contains_many(keys_, found);
    for (const std::uint8_t each : found) ASSERT_EQ(each, 1);
  }
  void end() {
    while (!keys_.empty()) {
      ASSERT_TRUE(filter_.erase(keys_.back()));
      keys_.pop_back();
    }
    ASSERT_EQ(filter_.size(), 0u);
    ASSERT_EQ(filter_.layer_count(), 1u);
  }

  [[nodiscard]] std::uint32_t most_layers() const { return most_layers_; }
  [[nodiscard]] const ScalableFilter<>& filter() const { return filter_; }

 private:
  std::size_t any() { return static_cast<std::size_t>(random_.below(keys_.size())); }

  ScalableFilter<> filter_;
  Random random_;
  std::vector<Hash> keys_;
  std::uint32_t most_layers_ = 1;
};

TEST(Scalable, NoKeyIsLostByAnyOrderOfInsertsAndErasesForEveryShape) {
  std::uint64_t layers = 0, lives = 0;
  for_all_first_layers([&](const Params& first) {
    if (first.bucket_count > 4) return;
    SCOPED_TRACE(text_of(first));
    Life life(first, first.seed);
    for (const std::uint64_t inserts : {13, 6, 12, 3, 14, 2}) {
      life.live(150, inserts);
      if (::testing::Test::HasFatalFailure()) return;
    }
    life.expect_all_found();
    life.end();
    layers += life.most_layers();
    ++lives;
  });
  EXPECT_GT(layers, 2 * lives);
}

// Short fingerprints make most keys meet others that are alike in one layer and not in another.
TEST(Scalable, NoKeyIsLostInMillionsOfOperationsOnFingerprintsThatCollide) {
  for (const std::uint32_t f : {2u, 3u, 4u, 5u, 6u, 8u}) {
    for (const std::uint32_t doublings : {0u, 2u}) {
      Life life(first_of(4, 4, f, doublings), f);
      for (int turn = 0; turn < 12; ++turn) {
        const std::uint64_t inserts = turn % 4 == 0 ? 14 : turn % 4 == 1 ? 8 : turn % 4 == 2 ? 4 : 9;
        life.live(25'000, inserts);
        ASSERT_FALSE(::testing::Test::HasFatalFailure()) << f;
        life.expect_all_found();
      }
      EXPECT_GE(life.most_layers(), 3u) << f << " " << doublings;
      life.end();
    }
  }
}

/// Chains of the three kinds that are in use, as multisets of what their layers see of keys. Layers hold 4 2^k times
/// 1,000 keys, those of the first with 1,024 buckets and `f` bits.
class ChainModel {
 public:
  ChainModel(std::uint32_t f, bool has_a_hash_per_layer, bool takes_oldest_first)
      : f_(f), has_a_hash_per_layer_(has_a_hash_per_layer), takes_oldest_first_(takes_oldest_first) {}

  void insert(Hash key) {
    if (layers_.empty() || sizes_.back() == 4000 * (std::uint64_t{1} << (layers_.size() - 1))) {
      layers_.emplace_back();
      sizes_.push_back(0);
    }
    ++layers_.back()[seen(key, layers_.size() - 1)];
    ++sizes_.back();
  }
  [[nodiscard]] bool contains(Hash key) const {
    for (std::size_t k = 0; k < layers_.size(); ++k) {
      if (layers_[k].contains(seen(key, k))) return true;
    }
    return false;
  }
  bool erase(Hash key) {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const std::size_t k = takes_oldest_first_ ? i : layers_.size() - 1 - i;
      const auto found = layers_[k].find(seen(key, k));
      if (found == layers_[k].end()) continue;
      if (--found->second == 0) layers_[k].erase(found);
      return true;
    }
    return false;
  }

 private:
  /// What layer k, of twice the buckets of the one before, sees of a key.
  [[nodiscard]] Class seen(Hash key, std::size_t k) const {
    const Hash hash = has_a_hash_per_layer_ ? hash_integer(static_cast<std::uint64_t>(key), 77 + k) : key;
    return class_of(hash, testing::params_of(std::uint64_t{1024} << k, 4, f_, Addressing::xor_power_of_two));
  }

  std::uint32_t f_;
  bool has_a_hash_per_layer_, takes_oldest_first_;
  std::vector<std::map<Class, std::uint32_t>> layers_;
  std::vector<std::uint64_t> sizes_;
};

/// Inserts 200,000 keys, erases a random half of them, and counts those of the rest that are not found.
template <class Chain>
std::uint64_t lost_after_erasing_half(Chain& chain) {
  Random random(9);
  std::vector<Hash> keys(200'000);
  for (Hash& key : keys) {
    key = Hash{random.next()};
    chain.insert(key);
  }
  for (std::size_t i = keys.size() - 1; i > 0; --i) std::swap(keys[i], keys[random.below(i + 1)]);
  const std::size_t half = keys.size() / 2;
  for (std::size_t i = 0; i < half; ++i) chain.erase(keys[i]);
  std::uint64_t lost = 0;
  for (std::size_t i = half; i < keys.size(); ++i) lost += chain.contains(keys[i]) ? 0 : 1;
  return lost;
}

TEST(Scalable, ChainsWithAHashPerLayerOrErasesFromTheOldestLoseKeysAndThisOneNone) {
  ChainModel hash_per_layer(8, true, false);
  ChainModel hash_per_layer_oldest(8, true, true);
  ChainModel oldest_first(8, false, true);
  ChainModel newest_first(8, false, false);
  const std::uint64_t lost[] = {lost_after_erasing_half(hash_per_layer), lost_after_erasing_half(hash_per_layer_oldest),
                                lost_after_erasing_half(oldest_first), lost_after_erasing_half(newest_first)};
  const Params first = *plan_layers({.capacity = 4000, .max_capacity = 4000, .fingerprint_bits = 8});
  ScalableFilter<> filter = created(first);
  const std::uint64_t here = lost_after_erasing_half(filter);
  std::printf(
      "lost of 100,000 keys: a hash per layer %llu, the same and oldest first %llu, nested and oldest first %llu, "
      "nested and newest first %llu; here, with %u layers, %llu\n",
      static_cast<unsigned long long>(lost[0]), static_cast<unsigned long long>(lost[1]),
      static_cast<unsigned long long>(lost[2]), static_cast<unsigned long long>(lost[3]), filter.layer_count(),
      static_cast<unsigned long long>(here));
  EXPECT_GT(lost[0], 500u);
  EXPECT_GT(lost[1], 500u);
  EXPECT_GT(lost[2], 500u);
  EXPECT_EQ(lost[3], 0u);
  EXPECT_EQ(here, 0u);
  EXPECT_EQ(filter.size(), 100'000u);
}

TEST(Scalable, BatchesDoWhatSinglesDoAcrossLayers) {
  for (const std::uint32_t f : {4u, 9u, 14u}) {
    for (const std::uint32_t doublings : {0u, 1u, 3u}) {
      const Params first = first_of(16, 4, f, doublings);
      Random random(f + doublings);
      std::vector<Hash> keys(5000);
      for (Hash& key : keys) key = hash_integer(random.below(4000), 0);
      const auto expect_equal = [&](const ScalableFilter<>& one, const ScalableFilter<>& other) {
        ASSERT_EQ(one.layer_count(), other.layer_count());
        for (std::uint32_t k = 0; k < one.layer_count(); ++k) {
          const auto mine = one.layer(k).table().bytes(), others = other.layer(k).table().bytes();
          ASSERT_TRUE(std::equal(mine.begin(), mine.end(), others.begin(), others.end())) << k;
        }
      };
      ScalableFilter<> one = created(first), many = created(first);
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
      one = created(first), many = created(first);
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

TEST(Scalable, TheMeasuredRateIsTheSumOfTheLayersRatesAndAtMostTheOneAskedFor) {
  for (const double rate : {0.05, 0.01}) {
    for (const std::uint64_t most : {1000u, 4000u, 16'000u}) {
      const Params first = *plan_layers({.capacity = 1000, .false_positive_rate = rate, .max_capacity = most});
      ScalableFilter<> filter = created(first);
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

TEST(Scalable, LayersMergeBackAsTheyEmptyAndGrowAgain) {
  const Params first = *plan_layers({.capacity = 1000, .max_capacity = 4000});
  ScalableFilter<> filter = created(first);
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
  const Params first = *plan_layers({.capacity = 1000, .max_capacity = 4000});
  ScalableFilter<> filter = created(first);
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
  const Params first = *plan_layers({.capacity = 1000});
  ScalableFilter<> filter = created(first);
  for (int i = 0; i < 8; ++i) ASSERT_EQ(filter.insert(std::uint64_t{1}), InsertOutcome::inserted);
  EXPECT_EQ(filter.insert(std::uint64_t{1}), InsertOutcome::too_many_copies);
  EXPECT_EQ(filter.insert_if_absent(std::uint64_t{1}), InsertOutcome::present);
  Random random(3);
  const Location at = locate(Hash{random.next()}, first);
  std::size_t refused = 0;
  for (int found = 0; found < 40;) {
    const Hash key{random.next()};
    const Location there = locate(key, first);
    if (std::minmax(there.primary, there.alternate) != std::minmax(at.primary, at.alternate)) continue;
    ++found;
    refused += filter.insert(key) == InsertOutcome::full;
  }
  EXPECT_GE(refused, 10u);
  EXPECT_EQ(filter.layer_count(), 1u);
}

TEST(Scalable, WithoutBitsForAnotherLayerItIsFullAndUnchanged) {
  Params first = first_of(4, 4, 32, 0);
  ASSERT_FALSE(layer_params(first, 1));
  ScalableFilter<> filter = created(first);
  std::vector<Hash> keys;
  Random random(4);
  for (;;) {
    const Hash key{random.next()};
    if (filter.insert(key) != InsertOutcome::inserted) break;
    keys.push_back(key);
  }
  EXPECT_EQ(keys.size(), capacity_of_layers(first));
  EXPECT_EQ(filter.insert(Hash{random.next()}), InsertOutcome::full);
  for (const Hash key : keys) EXPECT_TRUE(filter.contains(key));
}

TEST(Scalable, AClearedChainIsOneLayerAndAClonedOneLivesOnItsOwn) {
  const Params first = *plan_layers({.capacity = 100, .max_capacity = 200});
  ScalableFilter<> filter = created(first);
  for (std::uint64_t key = 0; key < 5000; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  ScalableFilter<> copy = std::move(*filter.clone());
  const std::uint32_t layers = filter.layer_count();
  filter.clear();
  EXPECT_EQ(filter.size(), 0u);
  EXPECT_EQ(filter.layer_count(), 1u);
  EXPECT_EQ(copy.layer_count(), layers);
  for (std::uint64_t key = 0; key < 5000; ++key) ASSERT_TRUE(copy.contains(key));
  for (std::uint64_t key = 0; key < 5000; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  EXPECT_EQ(filter.layer_count(), layers);
}

}  // namespace
}  // namespace cuckoo
