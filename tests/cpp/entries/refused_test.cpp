// A key that is refused leaves a growable filter as it was, of every class: the same bytes, the same buckets. It is
// known before the table doubles that no doubling helps, so a refused key costs none.
#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

#include "cases.h"
#include "cuckoo/entries/statistics.h"
#include "cuckoo/filters/counting.h"
#include "cuckoo/filters/expiring.h"
#include "cuckoo/filters/value.h"
#include "cuckoo/format/scalable_format.h"
#include "random.h"
#include "saved.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::Random;
using testing::saved;
using testing::text_of;

bool is_refusal(InsertOutcome outcome) {
  return outcome == InsertOutcome::full || outcome == InsertOutcome::too_many_copies;
}

/// Hashes of few keys among those of many, so that some find no room however large the table is: of few buckets, or of
/// few fingerprints and buckets.
Hash crowded(Random& random) {
  const std::uint64_t upper = random.below(3) == 0 ? random.next() >> 32 : 0x7000'0000 + random.below(3);
  return Hash{upper << 32 | (random.below(2) == 0 ? 5 + random.below(2) : random.next() & 0xFFFF'FFFF)};
}

/// Calls `insert(filter, hash)` until some keys were refused, and compares what they left with what was there.
template <class AnyFilter, class Insert>
int refused_by(AnyFilter filter, std::uint64_t seed, Insert insert) {
  Random random(seed);
  int refused = 0;
  for (int i = 0; i < 150 && refused < 12; ++i) {
    const auto before = saved(filter);
    const Hash hash = crowded(random);
    if (!is_refusal(insert(filter, hash))) continue;
    ++refused;
    EXPECT_EQ(saved(filter), before) << "at " << i;
    if (::testing::Test::HasFailure()) return refused;
  }
  return refused;
}

TEST(Refused, AKeyLeavesAFilterAsItWas) {
  int refused = 0;
  testing::for_all_growing_params([&](const Params& params) {
    refused += refused_by(std::move(*Filter::create(params)), params.seed,
                          [](auto& filter, Hash hash) { return filter.insert(hash); });
    refused += refused_by(std::move(*Filter::create(params)), params.seed, [](auto& filter, Hash hash) {
      const std::array<Hash, 2> batch = {hash, hash};
      const BatchOutcome outcome = filter.insert_many(std::span(batch).first(1));
      EXPECT_EQ(outcome.done, is_refusal(outcome.outcome) ? 0u : 1u);
      return outcome.outcome;
    });
    ASSERT_FALSE(::testing::Test::HasFailure()) << text_of(params);
  });
  EXPECT_GT(refused, 1000);
}

TEST(Refused, AKeyLeavesAFilterWithValuesAsItWas) {
  int refused = 0;
  testing::for_all_valued_params(8, [&](const Params& params, std::uint32_t bits) {
    if (params.reserved_bits == 0) return;
    refused += refused_by(std::move(*ValueFilter::create(params, bits)), params.seed,
                          [](auto& filter, Hash hash) { return filter.insert(hash, 1); });
    refused += refused_by(std::move(*CountingFilter::create(params, bits)), params.seed,
                          [](auto& filter, Hash hash) { return filter.insert(hash); });
    refused += refused_by(std::move(*ExpiringFilter::create(params, 1u << bits)), params.seed,
                          [](auto& filter, Hash hash) { return filter.insert_if_absent(hash); });
    ASSERT_FALSE(::testing::Test::HasFailure()) << text_of(params);
  });
  EXPECT_GT(refused, 1000);
}

TEST(Refused, AKeyLeavesAScalableFilterAsItWas) {
  int refused = 0;
  for (const std::uint32_t b : {1u, 2u, 4u, 8u}) {
    for (const std::uint32_t r : {0u, 2u, 4u}) {
      Params params = testing::params_of(4, b, 12, Addressing::xor_power_of_two);
      params.reserved_bits = r;
      params.capacity = planned_capacity(grown(params));
      refused += refused_by(std::move(*ScalableFilter::create(params)), b + r,
                            [](auto& filter, Hash hash) { return filter.insert(hash); });
    }
  }
  EXPECT_GT(refused, 10);
}

TEST(Refused, AKeyCostsNoDoubling) {
  for (const std::uint32_t bucket_size : {1u, 4u}) {
    Params params = testing::params_of(4000 / bucket_size, bucket_size, 12);
    params.reserved_bits = 4;
    params.capacity = slot_count(grown(params)) * 9 / 10;
    auto filter = std::move(*CountedFilter::create(params));
    for (std::uint64_t key = 0; key < 1500; ++key) (void)filter.insert(key);
    const Hash copied{0x1234'5678'9ABC'DEF0};
    while (filter.insert(copied) == InsertOutcome::inserted) {
    }
    const std::uint64_t size = filter.size();
    const std::uint64_t buckets = filter.params().bucket_count;
    const std::uint32_t doublings = filter.watch().statistics().doubling_count;
    for (int i = 0; i < 100; ++i) {
      EXPECT_TRUE(is_refusal(filter.insert(copied)));
      EXPECT_TRUE(is_refusal(filter.insert_many(std::array{copied}).outcome));
    }
    EXPECT_EQ(filter.size(), size);
    EXPECT_EQ(filter.watch().statistics().doubling_count, doublings);
    EXPECT_EQ(filter.params().bucket_count, buckets);
  }
}

TEST(Refused, AKeyThatDoublingHelpsStillMakesTheTableDouble) {
  Params params = testing::params_of(64, 1, 12);  // with one slot per bucket, no path is found early
  params.reserved_bits = 3;
  params.capacity = slot_count(grown(params)) * 9 / 10;
  int doubled_early = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    Filter filter = std::move(*Filter::create(params));
    while (filter.size() < present_capacity(params)) {
      ASSERT_EQ(filter.insert(Hash{random.next()}), InsertOutcome::inserted);
      if (filter.params().bucket_count == params.bucket_count) continue;
      ++doubled_early;
      break;
    }
  }
  EXPECT_GT(doubled_early, 10);
}

}  // namespace
}  // namespace cuckoo
