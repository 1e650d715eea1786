#include <gtest/gtest.h>

#include <cmath>

#include "alike.h"
#include "cuckoo/filters/layers.h"
#include "first_layers.h"
#include "random.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::entry_of;
using testing::for_all_first_layers;
using testing::Random;
using testing::text_of;

TEST(Layers, WhatIsAlikeInALayerIsAlikeInEveryOlderOne) {
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
        Hash twin = hash_at(i % 2 == 0 ? at.primary : at.alternate, newer);
        const std::uint64_t untold = ~std::uint64_t{0} >> grown_bucket_bits(first, k) & ~std::uint64_t{0xFFFFFFFF};
        twin = Hash{static_cast<std::uint64_t>(twin) | (random.next() & untold)};
        ASSERT_EQ(entry_of(twin, grown(newer)), entry_of(key, grown(newer))) << text_of(newer);
        ASSERT_EQ(entry_of(twin, grown(older)), entry_of(key, grown(older))) << text_of(newer);
        ++pairs;
      }
    }
  });
  EXPECT_GT(pairs, 10'000u);
}

TEST(Layers, EveryLayerTakesMoreKeysAtHalfTheRateAndAllTogetherErrNoMoreThanAskedFor) {
  for (const double rate : {0.2, 0.03, 0.01, 0.001, 1e-4, 1e-6}) {
    for (const std::uint64_t capacity : {1, 7, 100, 1000, 54'321, 5'000'000}) {
      for (const std::uint64_t times : {0, 1, 3, 16, 1000}) {
        if (times * capacity > 1'000'000'000) continue;
        Request request{.capacity = capacity, .false_positive_rate = rate};
        if (times > 0) request.max_capacity = times * capacity;
        const Result<Params> first = plan_scalable(request);
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
                      static_cast<double>(keys) <= safe_load(full) * static_cast<double>(slot_count(full)))
              << text_of(full);
        }
        ASSERT_LE(sum, rate);
        if (times == 0 || times >= 16) {
          ASSERT_GE(scalable_capacity(*first), rate < 0.1 ? 100'000'000u : 60'000'000u) << text_of(*first);
        }
      }
    }
  }
}

TEST(Layers, ATableIsPlannedForTheMostKeysThatItHolds) {
  for (const std::uint64_t m : {1u, 4u, 1u << 10, 1u << 20}) {
    Params params = testing::params_of(m, 4, 12, Addressing::xor_power_of_two);
    params.capacity = planned_capacity(params);
    EXPECT_TRUE(holds_capacity(params)) << m;
  }
  // Half of the slots, where the load is no limit.
  EXPECT_EQ(planned_capacity(testing::params_of(kMaxBucketCount, 8, 16, Addressing::xor_power_of_two)), kMaxCapacity);
}

TEST(Layers, TheKeysThatATableIsPlannedForDoNotDependOnTheCapacityItHas) {
  for (const std::uint32_t b : {1u, 2u, 4u}) {
    Params params = testing::params_of(1 << 12, b, 12, Addressing::xor_power_of_two);
    const std::uint64_t planned = planned_capacity(params);
    params.capacity = 1;
    EXPECT_EQ(planned_capacity(params), planned) << text_of(params);
  }
}

TEST(Layers, WithAGivenWidthThePlanForAsManyKeysAsAPlanTakesIsTheSame) {
  for (const std::uint64_t most : {1000, 5000, 40'000, 1'000'000}) {
    const Params first = *plan_scalable({.capacity = 1000, .max_capacity = most, .fingerprint_bits = 14});
    const Params again = *plan_scalable({.capacity = 1000, .max_capacity = first.capacity, .fingerprint_bits = 14});
    EXPECT_EQ(text_of(again), text_of(first));
    EXPECT_EQ(again.capacity, first.capacity);
  }
}

TEST(Layers, APlanWithALongerFingerprintHasNoDoublingTooMany) {
  const auto doublings = [](double rate, std::uint64_t most) {
    return plan_scalable({.false_positive_rate = rate, .max_capacity = most})->reserved_bits;
  };
  EXPECT_EQ(doublings(0.001, 40'000), 14u);
  EXPECT_EQ(doublings(0.001, 63'454), 14u);
  EXPECT_EQ(doublings(0.001, 63'455), 15u);
  for (const std::uint64_t most : {1'911, 17'311, 32'492, 1'036'823}) {
    const Params first = *plan_scalable({.false_positive_rate = 0.1, .max_capacity = most});
    EXPECT_GE(first.capacity, most);
    EXPECT_LT(first.capacity, 2 * most + most / 10) << "half of the buckets would do";
  }
}

TEST(Layers, TheBoundOfTheRateIsTheRateOfTheFirstKey) {
  for (std::uint32_t f = kMinFingerprintBits; f <= 16; ++f) {
    const Params params = testing::params_of(1 << 20, 4, f, Addressing::xor_power_of_two);
    EXPECT_NEAR(rate_bound(params, 1) / false_positive_rate(params, 1), 1, 1e-5) << f;
  }
}

TEST(Layers, WhateverIsPlannedCanBeMadeAndNoLayerIsPlannedWithValues) {
  std::uint64_t planned = 0;
  for (std::uint32_t b = 1; b <= kMaxBucketSize; ++b) {
    for (std::uint32_t v = 0; v <= kMaxValueBits; v += testing::runs(5u, 1u)) {
      for (const double rate : {0.3, 0.01, 1e-4, 2e-6, 1e-8}) {
        for (const std::uint64_t capacity : {1, 765, 20'000}) {
          for (const std::uint64_t times : {0, 1, 100}) {
            Request request{.capacity = capacity, .false_positive_rate = rate, .bucket_size = b, .value_bits = v};
            if (times > 0) request.max_capacity = times * capacity;
            const Result<Params> first = plan_scalable(request);
            if (v > 0) {
              ASSERT_EQ(first.field(), Field::value_bits) << b << " " << v << " " << rate << " " << capacity;
            } else if (first) {
              ASSERT_TRUE(ScalableFilter::create(*first)) << text_of(*first);
              ++planned;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(planned, 300u);
}

TEST(Layers, APlanThatCannotBeSaysWhichFieldIsOutOfRange) {
  const auto field = [](const Request& request) { return plan_scalable(request).field(); };
  EXPECT_EQ(field({.capacity = 0}), Field::capacity);
  EXPECT_EQ(field({.capacity = 10, .false_positive_rate = 0}), Field::false_positive_rate);
  EXPECT_EQ(field({.capacity = 10, .false_positive_rate = 1}), Field::false_positive_rate);
  EXPECT_EQ(field({.capacity = 10, .false_positive_rate = 1.5}), Field::false_positive_rate);
  EXPECT_EQ(field({.capacity = 10, .false_positive_rate = std::nan("")}), Field::false_positive_rate);
  EXPECT_EQ(field({.capacity = 10, .max_capacity = 9}), Field::max_capacity);
  EXPECT_EQ(field({.capacity = 10, .max_capacity = kMaxCapacity + 1}), Field::max_capacity);
  EXPECT_EQ(field({.capacity = 10, .max_capacity = kMaxCapacity + 1, .bucket_size = 9}), Field::max_capacity);
  EXPECT_EQ(field({.capacity = 10, .max_capacity = 10'000, .fingerprint_bits = 31, .bucket_count = 4}),
            Field::max_capacity);
  EXPECT_EQ(field({.capacity = 10, .max_capacity = kMaxCapacity, .bucket_size = 1}), Field::max_capacity);
  EXPECT_EQ(field({.capacity = 10, .bucket_count = 3}), Field::bucket_count);
  EXPECT_EQ(field({.capacity = 10, .bucket_size = 9}), Field::bucket_size);
  EXPECT_EQ(field({.capacity = kMaxCapacity}), Field::capacity);
  EXPECT_EQ(field({.capacity = 10, .false_positive_rate = 1e-300}), Field::false_positive_rate);
  EXPECT_EQ(plan_scalable({.capacity = 10, .fingerprint_bits = 32})->reserved_bits, 0u);
}

}  // namespace
}  // namespace cuckoo
