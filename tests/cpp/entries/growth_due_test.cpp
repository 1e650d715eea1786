// When a table doubles: with its keys, for room, and how far at most.
#include <gtest/gtest.h>

#include <vector>

#include "cases.h"
#include "cuckoo/detail/entries/growth.h"
#include "cuckoo/format/format.h"
#include "cuckoo/plan.h"
#include "random.h"
#include "saved.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::Random;
using testing::saved;
using testing::text_of;

TEST(Growth, KeysOfTheSameHomesMakeATableDoubleNoFurtherThanItsKeysAllow) {
  Params params = testing::params_of(64, 4, 12);
  params.reserved_bits = 10;
  params.capacity = 200'000;
  Filter filter = std::move(*Filter::create(params));
  Random random(3);
  // Different fingerprints whose candidate buckets are, in the grown table, within the same pair of buckets of the
  // first one.
  std::vector<Hash> keys;
  const Location at = locate(Hash{random.next()}, params);
  while (keys.size() < 30) {
    const Hash key{random.next()};
    const Location there = locate(key, params);
    if (std::minmax(there.primary.bucket, there.alternate.bucket) ==
        std::minmax(at.primary.bucket, at.alternate.bucket))
      keys.push_back(key);
  }
  std::size_t refused = 0;
  for (const Hash key : keys) refused += filter.insert(key) == InsertOutcome::full;
  EXPECT_GE(refused, 20u);
  EXPECT_EQ(filter.params().bucket_count, 64u);
}

TEST(Growth, ATableDoublesForRoomFromAQuarterOfItsSlotsOn) {
  Params params = testing::params_of(16, 4, 12);
  params.reserved_bits = 4;
  params.capacity = 600;
  const std::uint64_t quarter = slot_count(params) / 4;
  const auto candidates_of = [&](Hash key) {
    const Location at = locate(key, params);
    return std::minmax({at.primary.bucket, at.alternate.bucket});
  };
  for (const std::uint64_t size : {quarter - 1, quarter}) {
    Filter filter = std::move(*Filter::create(params));
    Random random(4);
    const auto crowded = candidates_of(Hash{random.next()});
    ASSERT_NE(crowded.first, crowded.second);
    // Keys of two buckets, which fill them, and others of none of these.
    const auto next = [&](bool is_of_these) {
      for (;;) {
        const Hash key{random.next()};
        const auto at = candidates_of(key);
        const auto is_crowded = [&](std::uint64_t bucket) {
          return bucket == crowded.first || bucket == crowded.second;
        };
        if (is_of_these ? at == crowded : !is_crowded(at.first) && !is_crowded(at.second)) return key;
      }
    };
    for (int i = 0; i < 8; ++i) ASSERT_EQ(filter.insert(next(true)), InsertOutcome::inserted);
    while (filter.size() < size) ASSERT_EQ(filter.insert(next(false)), InsertOutcome::inserted);
    const InsertOutcome outcome = filter.insert(next(true));
    EXPECT_EQ(filter.params().bucket_count, size < quarter ? 16u : 32u) << size;
    EXPECT_TRUE(size == quarter || outcome == InsertOutcome::full);
  }
}

TEST(Growth, ATableDoublesWithTheKeyPastItsShareAndALoadedOneThatIsFullerWithItsNext) {
  Params params = testing::params_of(16, 4, 12);
  params.reserved_bits = 3;
  params.capacity = 64;
  ASSERT_EQ(present_capacity(params), 32u);
  Filter filter = std::move(*Filter::create(params));
  for (std::uint64_t key = 0; key < 32; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  EXPECT_EQ(filter.params().bucket_count, 16u);
  EXPECT_EQ(filter.insert(std::uint64_t{32}), InsertOutcome::inserted);
  EXPECT_EQ(filter.params().bucket_count, 32u);
  // Bytes may hold a table that had no memory to double.
  Table table = std::move(*Table::create(params));
  for (std::uint64_t bucket = 0; bucket < 10; ++bucket) {
    for (std::uint32_t slot = 0; slot < 4; ++slot) table.set(bucket, slot, 1 + static_cast<std::uint32_t>(bucket));
  }
  Entries<> entries(params, std::move(table), 40, 16);
  Filter loaded = std::move(*Access::adopt<Filter>(std::move(entries), Hasher(params.seed)));
  EXPECT_EQ(loaded.insert(std::uint64_t{1}), InsertOutcome::inserted);
  EXPECT_EQ(loaded.params().bucket_count, 32u);
}

TEST(Growth, ForRoomATableDoublesFromAQuarterFullOrFromHalfOfAFewKeysShareOn) {
  Params params = testing::params_of(256, 4, 12);
  params.capacity = 1 << 20;  // its share is never reached
  EXPECT_FALSE(may_double_for_room(params, 255));
  EXPECT_TRUE(may_double_for_room(params, 256));
  params.capacity = 110;
  params.reserved_bits = 1;
  EXPECT_FALSE(may_double_for_room(params, 27));
  EXPECT_TRUE(may_double_for_room(params, 28));
  EXPECT_TRUE(may_double_for_room(params, 109));
  EXPECT_FALSE(may_double_for_room(params, 110));
  params = testing::params_of(2048, 4, 12);
  params.capacity = 160;  // fewer than a key in 64 slots
  EXPECT_FALSE(may_double_for_room(params, 127));
  EXPECT_TRUE(may_double_for_room(params, 128));
}

TEST(Growth, ATablePlannedToBeNearlyEmptyDoublesForRoomUpToItsCapacity) {
  Random random(3);
  for (const Addressing addressing : {Addressing::reflect, Addressing::xor_power_of_two}) {
    const Request request{.capacity = 10, .max_capacity = 1000, .bucket_size = 1, .addressing = addressing};
    const Params params = *plan(request);
    ASSERT_LT(4 * params.capacity, slot_count(grown(params)));
    for (int build = 0; build < 1000; ++build) {
      Filter filter = std::move(*Filter::create(params));
      for (std::uint64_t i = 0; i < params.capacity; ++i) {
        ASSERT_EQ(filter.insert(Hash{random.next()}), InsertOutcome::inserted) << text_of(params) << " " << i;
      }
    }
  }
}

// As bytes from anywhere may say, but with a capacity for which the table may be emptier.
TEST(Growth, ATableMadeForFewOfItsSlotsGrowsToNoMoreThan128AKey) {
  for (const std::uint32_t b : {1u, 2u, 4u, 8u}) {
    Params params = testing::params_of(1, b, 2);
    params.reserved_bits = 30;
    params.capacity = 1'000'000;
    Filter filter = std::move(*Filter::create(params));
    Random random(b);
    for (int i = 0; i < 2000; ++i) {
      (void)filter.insert(Hash{random.next()});
      ASSERT_LE(slot_count(filter.params()), 128 * std::max<std::uint64_t>(filter.size(), b));
    }
  }
}

// As bytes from anywhere may say.
TEST(Growth, ATableMadeForLessThanItsSlotsGrowsAsSlowlyAsItsKeysDo) {
  for (const std::uint32_t b : {1u, 2u, 4u, 8u}) {
    Params params = testing::params_of(1, b, 2);
    params.reserved_bits = 30;
    params.capacity = 1;
    Filter filter = std::move(*Filter::create(params));
    Random random(b);
    for (int i = 0; i < 2000; ++i) {
      (void)filter.insert(Hash{random.next()});
      ASSERT_LE(slot_count(filter.params()), 8 * std::max<std::uint64_t>(filter.size(), b));
    }
  }
}

}  // namespace
}  // namespace cuckoo
