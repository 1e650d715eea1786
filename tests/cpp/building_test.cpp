#include "cuckoo/table/building.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cases.h"
#include "cuckoo/filter/filter.h"
#include "random.h"

namespace cuckoo {
namespace {

std::vector<Hash> random_hashes(std::uint64_t count, std::uint64_t seed) {
  testing::Random random(seed);
  std::vector<Hash> hashes(count);
  std::ranges::generate(hashes, [&] { return Hash{random.next()}; });
  return hashes;
}

/// Whether both have the same parameters and bytes; a table is semi-sorted again once it is built.
void expect_same(const Filter<>& one, const Filter<>& other, const Params& params) {
  ASSERT_EQ(one.size(), other.size()) << testing::text_of(params);
  ASSERT_EQ(one.params().reserved_bits, other.params().reserved_bits) << testing::text_of(params);
  ASSERT_EQ(one.table().layout().is_semi_sorted(), params.storage == Storage::semi_sorted);
  ASSERT_TRUE(std::ranges::equal(one.table().bytes(), other.table().bytes())) << testing::text_of(params);
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
    Filter<> one_by_one = std::move(*Filter<>::create(params));
    Filter<> at_once = std::move(*Filter<>::create(params));
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

    Filter<> in_parts = std::move(*Filter<>::create(params));
    built += in_parts.begin_building(hashes.size()) ? 1 : 0;
    const std::span<const Hash> all = hashes;
    (void)in_parts.insert_many(all.first(done / 3));
    (void)in_parts.insert_many(all.subspan(done / 3));
    in_parts.finish_building();
    expect_same(in_parts, one_by_one, params);
  });
  EXPECT_GT(built, 100);
}

TEST(Building, AnswersAndErasesMeanwhile) {
  for_tables([](const Params& params) {
    Filter<> plain = std::move(*Filter<>::create(params));
    Filter<> built = std::move(*Filter<>::create(params));
    const std::vector<Hash> hashes = random_hashes(slot_count(params) / 2 + 1, params.seed);
    (void)built.begin_building(2 * hashes.size() + kMaxBucketSize * 64);
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
    built.finish_building();
    expect_same(built, plain, params);
    built.finish_building();
    expect_same(built, plain, params);
  });
}

TEST(Building, BeginsOnlyWhereManyKeysGoIntoAnEmptySemiSortedFilter) {
  Params params = testing::params_of(100, 4, 12);
  Filter<> plain = std::move(*Filter<>::create(params));
  EXPECT_FALSE(plain.begin_building(400));
  params.storage = Storage::semi_sorted;
  Filter<> filter = std::move(*Filter<>::create(params));
  EXPECT_FALSE(filter.begin_building(199));
  EXPECT_TRUE(filter.begin_building(200));
  EXPECT_FALSE(filter.begin_building(400));
  filter.finish_building();
  ASSERT_EQ(filter.insert(Hash{1}), InsertOutcome::inserted);
  EXPECT_FALSE(filter.begin_building(400));
  filter.clear();
  EXPECT_TRUE(filter.begin_building(400));
  filter.clear();
  filter.finish_building();
  EXPECT_EQ(std::ranges::count(filter.table().bytes(), 0), static_cast<std::ptrdiff_t>(filter.table().byte_count()));
  params.bucket_count = 15;
  params.capacity = 60;
  Filter<> small = std::move(*Filter<>::create(params));
  EXPECT_FALSE(small.begin_building(63));
  EXPECT_TRUE(small.begin_building(64));
}

}  // namespace
}  // namespace cuckoo
