// That no key is lost: lives of inserts and erases against the keys themselves, and chains of other kinds, which lose
// some.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "alike.h"
#include "cuckoo/filters/scalable.h"
#include "first_layers.h"
#include "long_run.h"
#include "random.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::Entry;
using testing::entry_of;
using testing::first_of;
using testing::for_all_first_layers;
using testing::Random;
using testing::text_of;

/// A chain beside the keys in it: inserts and erases at random, in lives that swell and shrink.
class Life {
 public:
  Life(const Params& first, std::uint64_t seed) : filter_(std::move(*ScalableFilter::create(first))), random_(seed) {}

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
  [[nodiscard]] const ScalableFilter& filter() const { return filter_; }

 private:
  std::size_t any() { return static_cast<std::size_t>(random_.below(keys_.size())); }

  ScalableFilter filter_;
  Random random_;
  std::vector<Hash> keys_;
  std::uint32_t most_layers_ = 1;
};

TEST(ScalableLoss, NoKeyIsLostByAnyOrderOfInsertsAndErasesForEveryShape) {
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
TEST(ScalableLoss, NoKeyIsLostInMillionsOfOperationsOnFingerprintsThatCollide) {
  for (const std::uint32_t f : {2u, 3u, 4u, 5u, 6u, 8u}) {
    for (const std::uint32_t doublings : {0u, 2u}) {
      Life life(first_of(4, 4, f, doublings), f);
      for (int turn = 0; turn < 12; ++turn) {
        const std::uint64_t inserts = turn % 4 == 0 ? 14 : turn % 4 == 1 ? 8 : turn % 4 == 2 ? 4 : 9;
        life.live(testing::runs(5'000, 25'000), inserts);
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
  [[nodiscard]] Entry seen(Hash key, std::size_t k) const {
    const Hash hash = has_a_hash_per_layer_ ? xxh64_of_integer(static_cast<std::uint64_t>(key), 77 + k) : key;
    return entry_of(hash, testing::params_of(std::uint64_t{1024} << k, 4, f_, Addressing::xor_power_of_two));
  }

  std::uint32_t f_;
  bool has_a_hash_per_layer_, takes_oldest_first_;
  std::vector<std::map<Entry, std::uint32_t>> layers_;
  std::vector<std::uint64_t> sizes_;
};

/// Inserts 200,000 keys, erases a random half of them, and counts those of the rest that are not found.
template <class Chain>
std::uint64_t lost_after_erasing_half(Chain& chain) {
  Random random(9);
  std::vector<Hash> keys(200'000);
  for (Hash& key : keys) {
    key = Hash{random.next()};
    (void)chain.insert(key);
  }
  for (std::size_t i = keys.size() - 1; i > 0; --i) std::swap(keys[i], keys[random.below(i + 1)]);
  const std::size_t half = keys.size() / 2;
  for (std::size_t i = 0; i < half; ++i) (void)chain.erase(keys[i]);
  std::uint64_t lost = 0;
  for (std::size_t i = half; i < keys.size(); ++i) lost += chain.contains(keys[i]) ? 0 : 1;
  return lost;
}

TEST(ScalableLoss, ChainsWithAHashPerLayerOrErasesFromTheOldestLoseKeysAndThisOneNone) {
  ChainModel hash_per_layer(8, true, false);
  ChainModel hash_per_layer_oldest(8, true, true);
  ChainModel oldest_first(8, false, true);
  ChainModel newest_first(8, false, false);
  const std::uint64_t lost[] = {lost_after_erasing_half(hash_per_layer), lost_after_erasing_half(hash_per_layer_oldest),
                                lost_after_erasing_half(oldest_first), lost_after_erasing_half(newest_first)};
  const Params first = *plan_scalable({.capacity = 4000, .max_capacity = 4000, .fingerprint_bits = 8});
  ScalableFilter filter = std::move(*ScalableFilter::create(first));
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

}  // namespace
}  // namespace cuckoo
