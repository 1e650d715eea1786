// What the tests of the lab's filters share: keys drawn at random, the rate that a formula promises, and a churn
// against an exact multiset of keys.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "lab/filter.h"
#include "random.h"

namespace lab {

using cuckoo::testing::Random;

inline Hash hash_of(Random& random) { return Hash{random.next()}; }

/// The share of absent keys that are found lies within 3.3 standard deviations, 99.9 %, of the formula, and half a
/// hundredth more, as a filter's own rate varies with its keys.
template <class F>
void expect_promised_rate(const F& filter, std::uint64_t asked, const std::string& text) {
  Random random(0xABCDEF);
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < asked; ++i) found += filter.contains(hash_of(random)) ? 1 : 0;
  const double rate = filter.expected_rate();
  const double mean = rate * static_cast<double>(asked);
  EXPECT_NEAR(static_cast<double>(found), mean, 3.3 * std::sqrt(mean) + 0.005 * mean + 1) << text << ", rate " << rate;
}

/// Fills a filter, all of whose keys are found at every step that is looked at, and asks for absent ones.
template <class F>
void expect_a_sound_set(F filter, std::uint64_t asked, const std::string& text) {
  Random random(7);
  std::vector<Hash> keys;
  EXPECT_EQ(filter.expected_rate(), 0) << text;
  EXPECT_FALSE(filter.contains(Hash{1})) << text;
  for (std::uint64_t i = 0; i < filter.capacity(); ++i) {
    keys.push_back(hash_of(random));
    ASSERT_TRUE(filter.insert(keys.back())) << text << " key " << i << " of " << filter.capacity();
    ASSERT_TRUE(filter.contains(keys.back())) << text;
  }
  for (const Hash key : keys) ASSERT_TRUE(filter.contains(key)) << text;
  EXPECT_EQ(filter.size(), keys.size()) << text;
  expect_promised_rate(filter, asked, text);
}

/// Random inserts and erases against an exact multiset of keys: no key that is in is denied, no legitimate erase fails.
template <class F, class Check>
void churn(F filter, std::uint64_t distinct, std::uint64_t steps, std::uint64_t max_copies, const std::string& text,
           Check check) {
  Random random(distinct + steps);
  std::vector<Hash> keys;
  for (std::uint64_t i = 0; i < distinct; ++i) keys.push_back(hash_of(random));
  std::map<std::uint64_t, std::uint64_t> copies;
  std::uint64_t size = 0;
  for (std::uint64_t step = 0; step < steps; ++step) {
    const std::uint64_t which = random.below(distinct);
    const Hash key = keys[which];
    std::uint64_t& here = copies[which];
    if (random.below(2) == 0 && here < max_copies) {
      if (filter.insert(key)) ++here, ++size;
    } else if (here > 0) {
      ASSERT_TRUE(filter.erase(key)) << text << " step " << step;
      --here, --size;
    }
    ASSERT_EQ(filter.size(), size) << text;
    if (here > 0) {
      ASSERT_TRUE(filter.contains(key)) << text << " step " << step;
    }
    if (step % 97 == 0) {
      ASSERT_TRUE(check(filter)) << text << " step " << step;
      for (const auto& [other, count] : copies) {
        if (count > 0) {
          ASSERT_TRUE(filter.contains(keys[other])) << text << " step " << step;
        }
      }
    }
  }
}

inline constexpr auto kNoCheck = [](const auto&) { return true; };

}  // namespace lab
