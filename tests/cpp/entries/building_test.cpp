#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "cases.h"
#include "cuckoo/filters/filter.h"
#include "cuckoo/filters/merge.h"
#include "cuckoo/format/format.h"
#include "random.h"
#include "saved.h"

namespace cuckoo {

using namespace detail;
namespace {

std::vector<Hash> random_hashes(std::uint64_t count, std::uint64_t seed) {
  testing::Random random(seed);
  std::vector<Hash> hashes(count);
  std::ranges::generate(hashes, [&] { return Hash{random.next()}; });
  return hashes;
}

/// Whether both have the same parameters and bytes; a table is semi-sorted again once it is built.
void expect_same(const Filter& one, const Filter& other, const Params& params) {
  ASSERT_EQ(one.size(), other.size()) << testing::text_of(params);
  ASSERT_EQ(one.params().reserved_bits, other.params().reserved_bits) << testing::text_of(params);
  ASSERT_EQ(Access::entries(one).table().layout().is_semi_sorted(), params.storage == Storage::semi_sorted);
  ASSERT_TRUE(std::ranges::equal(Access::entries(one).table().bytes(), Access::entries(other).table().bytes()))
      << testing::text_of(params);
}

/// Calls `check(params)` for all tables of 64 slots or more, and for some that grow.
template <class Check>
void for_tables(Check check) {
  testing::for_all_params({1, 17, 64}, check);
  testing::for_all_growing_params(check);
}

TEST(Building, GivesTheBytesOfOneByOneAndStopsAtTheSameKey) {
  int built = 0;
  for_tables([&](const Params& params) {
    Filter one_by_one = std::move(*Filter::create(params));
    Filter at_once = std::move(*Filter::create(params));
    // More than there is room for, so that it stops in the middle.
    const std::vector<Hash> hashes = random_hashes(slot_count(grown(params)) + 5, params.seed);
    std::size_t done = 0;
    InsertOutcome outcome = InsertOutcome::inserted;
    for (const Hash hash : hashes) {
      outcome = one_by_one.insert(hash);
      if (outcome != InsertOutcome::inserted) break;
      ++done;
    }
    const BatchOutcome batch = at_once.insert_many(hashes);
    ASSERT_EQ(batch.done, done) << testing::text_of(params);
    ASSERT_EQ(batch.outcome, outcome) << testing::text_of(params);
    expect_same(at_once, one_by_one, params);

    Filter in_parts = std::move(*Filter::create(params));
    built += Access::entries(in_parts).begin_encoding(hashes.size()) ? 1 : 0;
    const std::span<const Hash> all = hashes;
    (void)in_parts.insert_many(all.first(done / 3));
    (void)in_parts.insert_many(all.subspan(done / 3));
    Access::entries(in_parts).finish_work();
    expect_same(in_parts, one_by_one, params);
  });
  EXPECT_GT(built, 100);
}

TEST(Building, AnswersAndErasesMeanwhile) {
  for_tables([](const Params& params) {
    Filter plain = std::move(*Filter::create(params));
    Filter built = std::move(*Filter::create(params));
    const std::vector<Hash> hashes = random_hashes(slot_count(params) / 2 + 1, params.seed);
    (void)Access::entries(built).begin_encoding(2 * hashes.size() + kMaxBucketSize * 64);
    testing::Random random(5);
    for (const Hash hash : hashes) {
      const Hash other = hashes[random.below(hashes.size())];
      ASSERT_EQ(built.insert(hash), plain.insert(hash));
      ASSERT_EQ(built.contains(other), plain.contains(other));
      ASSERT_EQ(built.count(other), plain.count(other));
      if (random.below(4) == 0) {
        ASSERT_EQ(built.erase(other), plain.erase(other));
      }
      if (random.below(4) == 0) {
        ASSERT_EQ(built.insert_if_absent(other), plain.insert_if_absent(other));
      }
    }
    Access::entries(built).finish_work();
    expect_same(built, plain, params);
    Access::entries(built).finish_work();
    expect_same(built, plain, params);
  });
}

/// A filter in the middle of a building, and its twin of the same keys that is not built. Empty where nothing is built.
struct Twins {
  std::optional<Filter> built;
  std::optional<Filter> plain;
  std::vector<Hash> hashes;

  explicit Twins(const Params& params) : hashes(random_hashes(slot_count(params) / 2 + 1, params.seed)) {
    Filter filter = std::move(*Filter::create(params));
    if (!Access::entries(filter).begin_encoding(2 * hashes.size() + kMaxBucketSize * 64)) return;
    plain.emplace(std::move(*Filter::create(params)));
    for (const Hash hash : hashes) EXPECT_EQ(filter.insert(hash), plain->insert(hash));
    built.emplace(std::move(filter));
    const std::vector<Hash> absent = random_hashes(hashes.size(), params.seed + 1);
    hashes.insert(hashes.end(), absent.begin(), absent.end());
  }
};

TEST(Building, EveryLookupAnswersInTheMiddle) {
  int built = 0;
  for_tables([&](const Params& params) {
    const Twins twins(params);
    if (!twins.built) return;
    ++built;
    std::vector<std::uint8_t> expected(twins.hashes.size()), found(twins.hashes.size());
    twins.plain->contains_many(twins.hashes, expected);
    twins.built->contains_many(twins.hashes, found);
    ASSERT_EQ(found, expected) << testing::text_of(params);
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(twins.built->contains(twins.hashes[i]), expected[i] == 1);
      ASSERT_EQ(twins.built->count(twins.hashes[i]), twins.plain->count(twins.hashes[i]));
    }
  });
  EXPECT_GT(built, 100);
}

TEST(Building, WhatReadsAWholeFilterSeesTheEncodedOneInTheMiddle) {
  for_tables([](const Params& params) {
    const Twins twins(params);
    if (!twins.built) return;
    const std::vector<std::uint8_t> expected = testing::saved(*twins.plain);
    const Filter& built = *twins.built;
    ASSERT_EQ(testing::saved(built), expected) << testing::text_of(params);
    ASSERT_TRUE(built == *twins.plain);
    ASSERT_EQ(testing::saved(*built.clone()), expected) << testing::text_of(params);
    Filter into = std::move(*Filter::create(params));
    Filter expected_into = std::move(*Filter::create(params));
    ASSERT_EQ(*merge(into, built), *merge(expected_into, *twins.plain));
    ASSERT_EQ(testing::saved(into), testing::saved(expected_into)) << testing::text_of(params);
    ASSERT_EQ(testing::saved(built), expected);
  });
}

TEST(Building, AFilterIsMergedIntoShrunkMovedAndErasedInTheMiddle) {
  for_tables([](const Params& params) {
    Twins twins(params);
    if (!twins.built) return;
    Filter half = std::move(*Filter::create(params));
    for (std::size_t i = 0; i < twins.hashes.size() / 8; ++i) (void)half.insert(twins.hashes[i]);
    ASSERT_EQ(*merge(*twins.built, half), *merge(*twins.plain, half)) << testing::text_of(params);
    Filter moved = std::move(*twins.built);
    ASSERT_EQ(moved.erase_many(twins.hashes), twins.plain->erase_many(twins.hashes));
    ASSERT_EQ(testing::saved(moved), testing::saved(*twins.plain)) << testing::text_of(params);
    ASSERT_EQ(moved.shrink(), twins.plain->shrink());
    Access::entries(moved).finish_work();
    expect_same(moved, *twins.plain, params);
  });
}

TEST(Building, ASettledCopyOfATableIsIndependent) {
  const Params params = testing::params_of(9, 4, 13);
  Buckets buckets(std::move(*Table::create(params)));
  Table& table = buckets.table();
  table.set(3, 2, 77);
  Table copy = std::move(*buckets.finished_copy(params));
  table.set(3, 2, 78);
  EXPECT_EQ(copy.read(3)[2], 77u);
  copy.clear();
  EXPECT_EQ(copy.read(3)[2], 0u);
  EXPECT_EQ(table.read(3)[2], 78u);
}

TEST(Building, AFilterClearedInTheMiddleIsAnEmptyOne) {
  Params params = testing::params_of(100, 4, 12);
  params.storage = Storage::semi_sorted;
  Filter filter = std::move(*Filter::create(params));
  const Filter empty = std::move(*Filter::create(params));
  ASSERT_TRUE(Access::entries(filter).begin_encoding(400));
  for (std::uint64_t key = 0; key < 100; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  filter.clear();
  EXPECT_FALSE(Access::entries(filter).has_work());
  EXPECT_TRUE(Access::entries(filter).table().layout().is_semi_sorted());
  EXPECT_EQ(testing::saved(filter), testing::saved(empty));
}

TEST(Building, BeginsOnlyWhereManyKeysGoIntoAnEmptySemiSortedFilter) {
  Params params = testing::params_of(100, 4, 12);
  Filter plain = std::move(*Filter::create(params));
  EXPECT_FALSE(Access::entries(plain).begin_encoding(400));
  params.storage = Storage::semi_sorted;
  Filter filter = std::move(*Filter::create(params));
  EXPECT_FALSE(Access::entries(filter).begin_encoding(199));
  EXPECT_TRUE(Access::entries(filter).begin_encoding(200));
  EXPECT_FALSE(Access::entries(filter).begin_encoding(400));
  Access::entries(filter).finish_work();
  ASSERT_EQ(filter.insert(Hash{1}), InsertOutcome::inserted);
  EXPECT_FALSE(Access::entries(filter).begin_encoding(400));
  filter.clear();
  EXPECT_TRUE(Access::entries(filter).begin_encoding(std::uint64_t{1} << 63));
  filter.clear();
  Access::entries(filter).finish_work();
  EXPECT_EQ(std::ranges::count(Access::entries(filter).table().bytes(), 0),
            static_cast<std::ptrdiff_t>(Access::entries(filter).table().byte_count()));
  params.bucket_count = 15;
  params.capacity = 60;
  Filter small = std::move(*Filter::create(params));
  EXPECT_FALSE(Access::entries(small).begin_encoding(63));
  EXPECT_TRUE(Access::entries(small).begin_encoding(64));
}

}  // namespace
}  // namespace cuckoo
