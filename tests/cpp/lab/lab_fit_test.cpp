// The lab's filters made to measure, and what is told of them.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "lab/comparison.h"
#include "long_run.h"

namespace lab {
namespace {

constexpr std::size_t kKinds = kNames.size();

double no_clock() { return 0; }

std::string text_of(std::size_t kind, const Goal& goal) {
  return std::string(kNames[kind]) + " at rate " + std::to_string(goal.rate) + ", bits " +
         std::to_string(goal.bits_per_key);
}

TEST(LabFit, AFilterTakesItsKeysInTheBytesAndAtTheRateOfItsForm) {
  constexpr std::uint64_t kCount = 30'000;
  const Keys keys;
  std::vector<Goal> goals;
  for (const double rate : {0.3, 0.03, 0.001, 1e-5}) goals.push_back({.rate = rate});
  for (const double bits : {4.0, 8.0, 13.0, 20.0, 75.0}) goals.push_back({.bits_per_key = bits});
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    std::uint64_t made = 0;
    for (const Goal& goal : goals) {
      const std::string text = text_of(kind, goal);
      const Fit its = fit(static_cast<Kind>(kind), kCount, goal);
      if (its.refusal != Refusal::none) continue;
      ++made;
      const std::unique_ptr<Contender> filter = make_form(static_cast<Kind>(kind), kCount, its.form);
      ASSERT_NE(filter, nullptr) << text;
      std::vector<std::uint64_t> all;
      for (std::uint64_t i = 0; i < kCount; ++i) all.push_back(keys.present(i));
      ASSERT_EQ(filter->insert(all), kCount) << text;
      EXPECT_EQ(filter->find(all), kCount) << text;
      // A page of slots more or less where a table is rounded up.
      EXPECT_NEAR(static_cast<double>(filter->byte_count()), static_cast<double>(its.form.bytes), 64) << text;
      EXPECT_NEAR(filter->expected_rate(), its.form.rate, 0.02 * its.form.rate) << text;
      if (goal.rate > 0) {
        EXPECT_LE(its.form.rate, goal.rate) << text;
      } else {
        EXPECT_LE(8.0 * static_cast<double>(its.form.bytes), goal.bits_per_key * kCount) << text;
      }
      // 99.9 %, and 3 in a hundred, as a filter's own rate varies with its keys.
      constexpr std::uint64_t kTried = 200'000;
      const std::uint64_t found = found_absent(*filter, keys, kTried, [](std::uint64_t, std::uint64_t) {});
      const double mean = its.form.rate * kTried;
      EXPECT_NEAR(static_cast<double>(found), mean, 3.3 * std::sqrt(mean) + 0.03 * mean + 1) << text;
    }
    EXPECT_GT(made, 0u) << kNames[kind];
  }
}

TEST(LabFit, AFilterThatIsNotThereSaysWhy) {
  // More bits than it may have, fingerprints that are too long for the rate, and bits that it cannot do with.
  const Fit split = fit(Kind::split_block_bloom, 1'000'000, {.rate = 1e-7});
  EXPECT_EQ(split.refusal, Refusal::rate_too_low);
  EXPECT_GT(split.value, 1e-7);
  for (const Kind kind : {Kind::cuckoo, Kind::semi_sorted}) {
    const Fit lax = fit(kind, 1'000'000, {.rate = 0.6});
    EXPECT_EQ(lax.refusal, Refusal::rate_too_high);
    EXPECT_LT(lax.value, 0.3);
    EXPECT_EQ(fit(kind, 1'000'000, {.rate = 1e-9}).refusal, Refusal::rate_too_low);
  }
  const Fit table = fit(Kind::cuckoo_table, 1'000'000, {.bits_per_key = 32});
  EXPECT_EQ(table.refusal, Refusal::too_few_bits);
  EXPECT_NEAR(table.value, 67.4, 0.1);
  EXPECT_EQ(fit(Kind::cuckoo_table, 1'000'000, {.rate = 0.6}).refusal, Refusal::none);
  EXPECT_EQ(fit(Kind::d_left, 1'000'000, {.rate = 0.3}).refusal, Refusal::rate_too_high);
}

TEST(LabFit, TheSmallestFormOfARateIsChosenAndTheMostExactOneOfTheBits) {
  for (std::size_t i = 0; i < kKinds; ++i) {
    const auto kind = static_cast<Kind>(i);
    const Fit by_rate = fit(kind, 10'000, {.rate = 0.01});
    const Fit by_bits = fit(kind, 10'000, {.bits_per_key = 70});
    ASSERT_EQ(by_rate.refusal, Refusal::none) << kNames[i];
    ASSERT_EQ(by_bits.refusal, Refusal::none) << kNames[i];
    for (std::uint32_t step = 1; step <= 512; ++step) {
      const std::optional<Form> form = form_of(kind, 10'000, step);
      if (!form) continue;
      EXPECT_FALSE(form->rate <= 0.01 && form->bytes < by_rate.form.bytes) << kNames[i] << " step " << step;
      EXPECT_FALSE(8 * form->bytes <= 700'000 && form->rate < by_bits.form.rate) << kNames[i] << " step " << step;
    }
  }
}

TEST(LabFit, WhatIsToldOfAFilterIsWhatItDoes) {
  const std::uint64_t kCount = cuckoo::testing::runs(1'000, 5'000);
  const Keys keys;
  for (std::size_t i = 0; i < kKinds; ++i) {
    const auto kind = static_cast<Kind>(i);
    std::map<Figure, double> told;
    double before = 0;
    const std::unique_ptr<Contender> filter = compare(kind, fit(kind, kCount, {.rate = 0.01}).form, keys, {kCount, 0.5},
                                                      no_clock, [&](Figure figure, double value) {
                                                        told[figure] = value;
                                                        if (figure != Figure::progress) return;
                                                        EXPECT_GE(value, before) << kNames[i];
                                                        before = value;
                                                      });
    ASSERT_NE(filter, nullptr) << kNames[i];
    EXPECT_EQ(told[Figure::progress], 1) << kNames[i];
    EXPECT_EQ(told[Figure::wanted], kCount);
    EXPECT_EQ(told[Figure::inserted], kCount) << kNames[i];
    EXPECT_EQ(told[Figure::lost], 0) << kNames[i];
    EXPECT_EQ(told[Figure::bytes], static_cast<double>(filter->byte_count()));
    EXPECT_NEAR(told[Figure::bits_per_key],
                8.0 * static_cast<double>(filter->byte_count()) / static_cast<double>(kCount), 1e-9);
    EXPECT_EQ(told[Figure::expected_rate], filter->expected_rate());
    EXPECT_EQ(told.count(Figure::erase_speed), filter->can_erase() ? 1u : 0u) << kNames[i];
    // It is full, to be looked into.
    EXPECT_EQ(filter->size(), kCount) << kNames[i];
    const auto asked = static_cast<std::uint64_t>(told[Figure::asked]);
    EXPECT_EQ(told[Figure::found], static_cast<double>(found_absent(*filter, keys, asked, [](auto, auto) {})));
  }
}

TEST(LabFit, KeysGivenAreThoseAsked) {
  std::vector<std::uint64_t> given;
  for (std::uint64_t i = 0; i < 3'000; ++i) given.push_back(mix(i));
  const Keys keys(given, 2'000);
  EXPECT_EQ(keys.present_count(), 2'000u);
  EXPECT_EQ(keys.absent_count(), 1'000u);
  EXPECT_EQ(keys.present(1'999), given[1'999]);
  EXPECT_EQ(keys.absent(0), given[2'000]);
  EXPECT_EQ(keys.absent(1'001), given[2'001]);
  std::map<Figure, double> told;
  const std::unique_ptr<Contender> filter =
      compare(Kind::bloom, fit(Kind::bloom, 2'000, {.rate = 0.1}).form, keys, {2'000, 0.5}, no_clock,
              [&](Figure figure, double value) { told[figure] = value; });
  EXPECT_EQ(told[Figure::asked], 1'000);
  EXPECT_EQ(told[Figure::found], static_cast<double>(filter->find({given.data() + 2'000, 1'000})));
  EXPECT_EQ(Keys().absent_count(), 0u);
  // Where all keys go in, numbers are asked.
  EXPECT_EQ(Keys(given, 3'000).absent(5), Keys().absent(5));
}

TEST(LabFit, TheEvaluationTellsWhatIsWantedAndNoMore) {
  class Heard : public Listener {
   public:
    explicit Heard(int wanted) : wanted_(wanted) {}
    void hear(const Point& point) override { ++points[point.figure]; }
    void hear(const Row& row) override { rows.push_back(row); }
    void hear_fault(const char* what) override { ADD_FAILURE() << what; }
    [[nodiscard]] bool wants(int figure) const override { return wanted_ == 0 || figure == wanted_; }
    std::map<int, int> points;
    std::vector<Row> rows;

   private:
    int wanted_;
  };
  for (const Kind kind : {Kind::cuckoo, Kind::bloom, Kind::binary_fuse}) {
    const char* const name = kNames[static_cast<std::size_t>(kind)];
    Heard row(3);
    EXPECT_TRUE(evaluate(kind, 10, 1, no_clock, row)) << name;
    EXPECT_TRUE(row.points[5] == 0 && row.points[6] == 0 && row.points[8] == 0) << name;
    ASSERT_EQ(row.rows.size(), 1u) << name;
    EXPECT_NEAR(row.rows[0].rate, row.rows[0].expected, 0.3 * row.rows[0].expected) << name;
    Heard lookups(5);
    EXPECT_TRUE(evaluate(kind, 10, 1, no_clock, lookups));
    EXPECT_TRUE(lookups.rows.empty() && lookups.points[6] == 0 && lookups.points[8] == 0) << name;
    EXPECT_EQ(lookups.points[5], 5) << name;
    Heard erases(8);
    EXPECT_TRUE(evaluate(kind, 10, 1, no_clock, erases));
    EXPECT_EQ(erases.points[8], kind == Kind::cuckoo ? 20 : 0) << name;
  }
  Heard nothing(3);
  EXPECT_FALSE(evaluate(Kind::cuckoo_table, 10, 1, no_clock, nothing));
  EXPECT_TRUE(nothing.rows.empty());
}

}  // namespace
}  // namespace lab
