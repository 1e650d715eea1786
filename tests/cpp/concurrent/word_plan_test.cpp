#include "cuckoo/concurrent/word_plan.h"

#include <gtest/gtest.h>

#include <vector>

#include "cuckoo/detail/table/bucket_layout.h"

namespace cuckoo {
namespace {

TEST(PlanShared, MeetsTheRateWithTheFewestWords) {
  for (const double rate : {0.2, 0.05, 0.02, 0.01, 0.003, 0.001, 0.0001, 1e-6, 1e-8}) {
    for (const std::uint64_t capacity : {1u, 10u, 1000u, 1'000'000u}) {
      const Result<Params> params = plan_shared({.capacity = capacity, .false_positive_rate = rate});
      ASSERT_TRUE(params) << rate << " " << capacity;
      EXPECT_EQ(invalid_field(*params), Field::none);
      EXPECT_EQ(unshareable_field(*params), Field::none);
      EXPECT_LE(false_positive_rate(*params, capacity), rate);
      EXPECT_TRUE(detail::holds_capacity(*params));
      EXPECT_TRUE(detail::BucketLayout(*params).is_one_word);
    }
  }
  const Params planned = *plan_shared({.capacity = 1'000'000, .false_positive_rate = 0.001});
  EXPECT_EQ(planned.bucket_size, 4u);
  EXPECT_NEAR(64.0 * static_cast<double>(planned.bucket_count) / 1e6, 16.736, 0.01);
}

TEST(PlanShared, RefusesWhatCannotBeShared) {
  EXPECT_EQ(plan_shared({.semi_sort = true}).field(), Field::semi_sort);
  EXPECT_EQ(plan_shared({.capacity = 10, .max_capacity = 20}).field(), Field::max_capacity);
  EXPECT_TRUE(plan_shared({.capacity = 10, .max_capacity = 10}));
  EXPECT_EQ(plan_shared({.bucket_size = 3}).field(), Field::bucket_size);
  EXPECT_EQ(plan_shared({.bucket_size = 4, .fingerprint_bits = 12}).field(), Field::fingerprint_bits);
  EXPECT_EQ(plan_shared({.value_bits = 1}).field(), Field::value_bits);
  EXPECT_EQ(plan_shared({.false_positive_rate = 2}).field(), Field::false_positive_rate);
  EXPECT_EQ(plan_shared({.capacity = 0}).field(), Field::capacity);
  EXPECT_EQ(plan_shared({.capacity = 100, .fingerprint_bits = 12})->bucket_size, 5u);
}

TEST(PlanShared, RefusesARateThatWouldTakeANearlyEmptyTable) {
  const auto planned = [](double rate, std::uint32_t bucket_size, Addressing addressing) {
    return plan_shared(
        {.capacity = 18'607, .false_positive_rate = rate, .bucket_size = bucket_size, .addressing = addressing});
  };
  for (const Addressing addressing : {Addressing::reflect, Addressing::xor_power_of_two}) {
    for (const std::uint32_t bucket_size : {2u, 4u, 5u, 6u, 8u}) {
      EXPECT_TRUE(planned(0.001, bucket_size, addressing)) << bucket_size;
      for (const double rate : {1e-4, 1e-5, 1e-6, 1e-8, 1e-10, 1e-12}) {
        const Result<Params> params = planned(rate, bucket_size, addressing);
        if (params) {
          EXPECT_LE(slot_count(*params), 128 * params->capacity);
          EXPECT_LE(false_positive_rate(*params, params->capacity), rate);
        } else {
          EXPECT_EQ(params.field(), Field::false_positive_rate);
        }
      }
    }
  }
  EXPECT_FALSE(planned(1e-6, 5, Addressing::reflect));
  EXPECT_EQ(plan_shared({.false_positive_rate = 1e-6, .fingerprint_bits = 12}).field(), Field::false_positive_rate);
  EXPECT_EQ(plan_shared({.false_positive_rate = 1e-12}).field(), Field::false_positive_rate);
}

TEST(PlanShared, TakesTheSizeOfBucketsThatNeedsTheFewestOfThem) {
  EXPECT_EQ(plan_shared({.capacity = 100, .bucket_count = 50})->bucket_count, 50u);
  std::vector<std::uint32_t> sizes;
  for (const double rate : {0.2, 0.02, 0.003, 0.001, 1e-8}) {
    const Params best = *plan_shared({.capacity = 1'000'000, .false_positive_rate = rate});
    sizes.push_back(best.bucket_size);
    for (const std::uint32_t bucket_size : {2u, 4u, 5u, 6u, 8u}) {
      const auto other = plan_shared({.capacity = 1'000'000, .false_positive_rate = rate, .bucket_size = bucket_size});
      if (!other) continue;
      EXPECT_EQ(other->bucket_size, bucket_size);
      EXPECT_LE(best.bucket_count, other->bucket_count) << rate << " " << bucket_size;
    }
  }
  EXPECT_EQ(sizes, (std::vector<std::uint32_t>{8, 6, 5, 4, 2}));
  EXPECT_EQ(plan_shared({.capacity = 1'000'000, .false_positive_rate = 1e-9, .bucket_size = 8}).field(),
            Field::false_positive_rate);
}

}  // namespace
}  // namespace cuckoo
