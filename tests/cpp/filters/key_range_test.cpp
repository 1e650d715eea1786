// Batches of any range of keys: every class takes containers, lists, views and hashes, with the answers of one call per
// key, over more keys than are hashed at a time.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "cuckoo/cuckoo.h"

namespace cuckoo {
namespace {

constexpr std::uint32_t kKeys = 1000;

std::list<std::string> words(std::uint32_t from) {
  std::list<std::string> words;
  for (std::uint32_t i = from; i < from + kKeys; ++i) words.push_back("word " + std::to_string(i));
  return words;
}

/// A view without a size, and whose `begin` is not const: every third number below 3000.
auto thirds() {
  return std::views::iota(0u, 3 * kKeys) | std::views::filter([](std::uint32_t number) { return number % 3 == 0; });
}

template <class AnyFilter>
std::vector<Hash> hashes_of(const AnyFilter& filter) {
  std::vector<Hash> hashes;
  for (const std::uint32_t key : thirds()) hashes.push_back(filter.hash(key));
  return hashes;
}

/// Whether `filter` has the `present` keys, asked one by one and together.
template <class AnyFilter>
void expect_found(const AnyFilter& filter, auto&& present) {
  std::vector<std::uint8_t> found(kKeys);
  filter.contains_many(present, found);
  EXPECT_EQ(found, std::vector<std::uint8_t>(kKeys, 1));
  for (const auto& key : present) EXPECT_TRUE(filter.contains(key));
}

/// What every filter of keys alone does with a range.
template <class AnyFilter>
void expect_ranges_taken(AnyFilter filter) {
  EXPECT_EQ(filter.insert_many(thirds()).done, kKeys);
  expect_found(filter, thirds());
  expect_found(filter, hashes_of(filter));
  expect_found(filter, thirds() | std::views::transform([&](std::uint32_t key) { return filter.hash(key); }));
  EXPECT_EQ(filter.insert_many(words(0)).done, kKeys);
  expect_found(filter, words(0));
  std::vector<std::uint8_t> is_new(kKeys);
  EXPECT_EQ(filter.insert_many_if_absent(words(500), is_new).done, kKeys);
  for (std::uint32_t i = 0; i < 500; ++i) EXPECT_EQ(is_new[i], 0);
  EXPECT_GT(std::ranges::count(is_new, 1), 490);
  EXPECT_EQ(filter.insert_many_if_absent(words(500), {}).done, kKeys);
  EXPECT_EQ(filter.erase_many(thirds()), kKeys);
  EXPECT_EQ(filter.erase_many(words(0)), kKeys);
}

TEST(KeyRange, EveryFilterOfKeysTakesAnyRange) {
  expect_ranges_taken(std::move(*Filter::create(4 * kKeys, 0.0001)));
  expect_ranges_taken(std::move(*ScalableFilter::create(100, 0.0001)));
  expect_ranges_taken(std::move(*ConcurrentFilter::create(4 * kKeys, 0.0001)));
}

TEST(KeyRange, ValuesAndCountsBelongToTheKeyOfTheirNumber) {
  std::vector<std::uint32_t> numbers(kKeys);
  for (std::uint32_t i = 0; i < kKeys; ++i) numbers[i] = i % 200 + 1;

  auto values = std::move(*ValueFilter::create(2 * kKeys, 0.0001, 8));
  ASSERT_EQ(values.insert_many(thirds(), numbers).done, kKeys);
  std::vector<std::uint8_t> counts(kKeys);
  std::vector<std::uint32_t> found(2 * kKeys);
  const ValueFilter::Batch batch = values.find_many(thirds(), counts, found);
  EXPECT_EQ(batch.done, kKeys);
  EXPECT_GE(batch.values, kKeys);
  const ValueFilter::Batch of_hashes = values.find_many(hashes_of(values), counts, found);
  EXPECT_EQ(of_hashes.done, batch.done);
  EXPECT_EQ(of_hashes.values, batch.values);
  // With room for the values of some keys, it ends before the first that may not fit.
  const std::size_t some = 300 + FoundValues::kMaxCount;
  const ValueFilter::Batch part = values.find_many(thirds(), counts, std::span(found).first(some));
  EXPECT_GT(part.done, 256u);
  EXPECT_LE(part.done, 301u);
  EXPECT_LE(part.values, some);
  expect_found(values, thirds());
  std::uint32_t i = 0;
  for (const std::uint32_t key : thirds()) {
    const FoundValues of_key = values.find(key);
    EXPECT_NE(std::ranges::find(of_key, numbers[i++]), of_key.end());
  }

  auto counter = std::move(*CountingFilter::create(2 * kKeys, 0.0001, 8));
  ASSERT_EQ(counter.insert_many(words(0), numbers).done, kKeys);
  std::vector<std::uint32_t> answers(kKeys);
  counter.count_many(words(0), answers);
  i = 0;
  for (const std::string& word : words(0)) {
    EXPECT_GE(answers[i], numbers[i]);
    EXPECT_EQ(answers[i++], counter.count(word));
  }
}

TEST(KeyRange, AnExpiringFilterMarksARange) {
  auto seen = std::move(*ExpiringFilter::create(4 * kKeys, 0.0001, 3));
  std::vector<std::uint8_t> is_new(kKeys);
  ASSERT_EQ(seen.insert_many_if_absent(thirds(), is_new).done, kKeys);
  EXPECT_GT(std::ranges::count(is_new, 1), 990);
  expect_found(seen, thirds());
  ASSERT_EQ(seen.insert_many_if_absent(thirds(), is_new).done, kKeys);
  EXPECT_EQ(std::ranges::count(is_new, 1), 0);
}

TEST(KeyRange, ABatchEndsAtTheFirstKeyThatIsRefused) {
  Params params;
  params.bucket_count = 75;  // 300 slots
  params.capacity = 280;
  auto filter = std::move(*Filter::create(params));
  const BatchOutcome batch = filter.insert_many(words(0));
  EXPECT_EQ(batch.outcome, InsertOutcome::full);
  EXPECT_GT(batch.done, 256u);
  EXPECT_EQ(filter.size(), batch.done);
}

/// Integers that also offer their memory as bytes: hashing as many bytes as there are integers would take two for one.
struct Integers : std::vector<int> {
  operator std::span<const std::byte>() const { return std::as_bytes(std::span(data(), size())); }
};

TEST(KeyRange, WhatIsNoKeyDoesNotCompile) {
  static_assert(!Key<bool> && !Key<volatile bool> && !Key<volatile char> && !Key<double> && !Key<char32_t>);
  static_assert(!Key<Integers> && !Key<std::vector<int>>);
  static_assert(Key<volatile int> && Key<std::vector<char>> && Key<std::vector<std::byte>>);
}

TEST(KeyRange, AKeyIsNoRangeOfKeys) {
  static_assert(!Keys<std::string> && !Keys<const char(&)[6]> && !Keys<std::vector<std::uint8_t>&>);
  static_assert(!Keys<std::vector<bool>> && !Keys<std::vector<double>&>);
  static_assert(Keys<std::vector<Hash>&> && Keys<std::vector<std::string>&> && Keys<const std::list<int>&>);
  static_assert(Keys<const char*(&)[2]>);
}

}  // namespace
}  // namespace cuckoo
