// Out of memory where tables grow and shrink, and where layers come and go: the filter stays in use, and goes on with
// memory again.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cuckoo/filters/merge.h"
#include "cuckoo/filters/scalable.h"
#include "cuckoo/format/scalable_format.h"
#include "failing_memory.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::calls_left;
using testing::failures;
using testing::kNever;
using testing::kUnwritten;
using testing::params_of;
using testing::params_to_grow;
using testing::saved;

TEST(Faults, ATableThatCannotDoubleForWantOfMemoryStaysInUseUntilItIsFull) {
  Filter filter = std::move(*Filter::create(params_to_grow()));
  std::vector<Hash> keys;
  calls_left = 0;
  EXPECT_FALSE(filter.grow());
  for (std::uint64_t key = 0;; ++key) {
    if (filter.insert(key) != InsertOutcome::inserted) break;
    keys.push_back(filter.hash(key));
  }
  // Past its 250 keys it goes on as a table that never grows does, and is full when that would be.
  EXPECT_EQ(filter.params().bucket_count, 67u);
  EXPECT_GT(keys.size(), 250u);
  const auto before = saved(filter);
  EXPECT_EQ(filter.insert(std::uint64_t{keys.size()}), InsertOutcome::full);
  EXPECT_EQ(saved(filter), before);
  for (const Hash key : keys) EXPECT_TRUE(filter.contains(key));
  // With memory again, the insert that finds no room makes it double.
  calls_left = kNever;
  EXPECT_EQ(filter.insert(std::uint64_t{keys.size()}), InsertOutcome::inserted);
  EXPECT_EQ(filter.params().bucket_count, 134u);
  for (const Hash key : keys) EXPECT_TRUE(filter.contains(key));
}

TEST(Faults, ADoublingThatFoundNoMemoryIsNotTriedAgainWhileKeysFindRoom) {
  Filter filter = std::move(*Filter::create(params_to_grow()));
  const std::uint64_t due = present_capacity(filter.params()) + 1;
  calls_left = 0;
  for (std::uint64_t key = 0; key < due; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  calls_left = kNever;
  ASSERT_EQ(filter.insert_if_absent(std::uint64_t{0}), InsertOutcome::present);
  EXPECT_EQ(filter.params().bucket_count, 67u);
}

// A bucket is read with up to 7 bytes after it, which may belong to a group of buckets that is not moved yet.
TEST(Faults, NoBucketOfAHalfMovedTableIsReadTogetherWithBytesThatNobodyWrote) {
  std::uint64_t borders = 0;
  for (std::uint32_t b = 1; b <= kMaxBucketSize; ++b) {
    for (const std::uint32_t f : {5u, 12u, 19u}) {
      Params params = params_of(512, b, f);
      params.reserved_bits = 1;
      params.tuning.buckets_per_call = 1;
      Filter filter = std::move(*Filter::create(params));
      const Buckets& buckets = Access::entries(filter).buckets();
      for (std::uint64_t key = 0; !buckets.has_work(); ++key) (void)filter.insert(key);
      const std::uint64_t group_bytes = ((f * b) << kMovedBlockBits) / 8;
      const auto holds = [&](std::uint64_t from, std::uint8_t byte) {
        const auto word = buckets.table().bytes().subspan(from, 8);
        return std::ranges::all_of(word, [=](std::uint8_t each) { return each == byte; });
      };
      for (std::uint64_t key = 0; buckets.has_work(); ++key) {
        for (std::uint64_t at = group_bytes; at < buckets.table().byte_count(); at += group_bytes) {
          const bool is_moved = !holds(at - 8, kUnwritten), is_next_moved = !holds(at + group_bytes - 8, kUnwritten);
          if (!is_moved || is_next_moved) continue;
          ASSERT_TRUE(holds(at, 0)) << testing::text_of(filter.params()) << " at " << at;
          ++borders;
        }
        (void)filter.erase(filter.hash(key));
      }
    }
  }
  EXPECT_GT(borders, 20u);
}

TEST(Faults, ATableThatCannotBeHalvedForWantOfMemoryStaysAsItIs) {
  Filter filter = std::move(*Filter::create(params_to_grow()));
  for (std::uint64_t key = 0; key < 200; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  ASSERT_TRUE(filter.grow());
  const auto shrink_copy = [&] {
    Result<Filter> copy = filter.clone();
    return copy && copy->shrink() ? Error::none : Error::out_of_memory;
  };
  EXPECT_EQ(failures(filter, shrink_copy), 2);
  const auto before = saved(filter);
  calls_left = 0;
  EXPECT_FALSE(filter.shrink());
  calls_left = kNever;
  EXPECT_EQ(saved(filter), before);
  EXPECT_TRUE(filter.shrink());
}

TEST(Faults, AKeyThatNeedsTwoDoublingsAndGetsMemoryForOneLosesNoOther) {
  Params params = params_of(4, 1, 10);
  params.reserved_bits = 3;
  params.capacity = 32;
  int left_doubled = 0, halved_again = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Filter filter = std::move(*Filter::create(params));
    for (std::uint64_t key = 1000 * seed;; ++key) {
      const Filter before = std::move(*filter.clone());
      if (filter.insert(key) != InsertOutcome::inserted) break;
      if (filter.params().bucket_count < 4 * before.params().bucket_count) continue;
      for (std::uint64_t calls = 0; calls < 12; ++calls) {
        Filter copy = std::move(*before.clone());
        calls_left = calls;
        const InsertOutcome outcome = copy.insert(key);
        calls_left = kNever;
        for (std::uint64_t each = 1000 * seed; each < key; ++each) ASSERT_TRUE(copy.contains(each));
        if (outcome == InsertOutcome::inserted) continue;
        const bool is_doubled = copy.params().bucket_count > before.params().bucket_count;
        ++(is_doubled ? left_doubled : halved_again);
        ASSERT_EQ(saved(copy) == saved(before), !is_doubled);
      }
    }
  }
  EXPECT_GT(left_doubled, 0);
  EXPECT_GT(halved_again, 0);
}

TEST(Faults, ACloneOfATableThatIsDoublingMayFindNoMemory) {
  Params params = params_of(1024, 4, 12);
  params.reserved_bits = 1;
  params.capacity = 7000;
  params.tuning.buckets_per_call = 1;
  Filter filter = std::move(*Filter::create(params));
  std::uint64_t key = 0;
  while (!Access::entries(filter).has_work()) ASSERT_EQ(filter.insert(key++), InsertOutcome::inserted);
  calls_left = 0;
  EXPECT_EQ(filter.clone().error(), Error::out_of_memory);
  calls_left = kNever;
  EXPECT_TRUE(Access::entries(filter).has_work());
  for (std::uint64_t each = 0; each < key; ++each) EXPECT_TRUE(filter.contains(each));
}

TEST(Faults, ALayerThatCannotBeHalvedForWantOfMemoryIsTriedAgainWithHalfOfItsKeys) {
  const Params first = *plan_scalable({.capacity = 1000});
  ScalableFilter filter = std::move(*ScalableFilter::create(first));
  const std::uint64_t keys = 2 * present_capacity(first);
  for (std::uint64_t key = 0; key < keys; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  ASSERT_EQ(filter.layer(0).params().bucket_count, 2 * first.bucket_count);
  calls_left = 0;
  std::uint64_t key = 0;
  for (; filter.size() > present_capacity(first) / 2 - 1; ++key) ASSERT_TRUE(filter.erase(key));
  calls_left = kNever;
  for (; filter.size() > (present_capacity(first) / 2) / 2; ++key) {
    ASSERT_EQ(filter.layer(0).params().bucket_count, 2 * first.bucket_count);
    ASSERT_TRUE(filter.erase(key));
  }
  EXPECT_EQ(filter.layer(0).params().bucket_count, first.bucket_count);
  for (; key < keys; ++key) ASSERT_TRUE(filter.contains(key));
}

TEST(Faults, ABatchThatCannotGrowDoesWhatSinglesDo) {
  std::vector<Hash> keys;
  for (std::uint64_t key = 0; key < 2000; ++key) keys.push_back(xxh64_of_integer(key, 1));
  Filter one = std::move(*Filter::create(params_to_grow()));
  Filter many = std::move(*Filter::create(params_to_grow()));
  calls_left = 0;
  std::size_t done = 0;
  while (one.insert(keys[done]) == InsertOutcome::inserted) ++done;
  const BatchOutcome batch = many.insert_many(keys);
  calls_left = kNever;
  EXPECT_EQ(batch.outcome, InsertOutcome::full);
  EXPECT_EQ(batch.done, done);
  EXPECT_EQ(saved(one), saved(many));
}

// Growth comes due with the last key of the batch, and there is no memory for it.
TEST(Faults, ABatchWhoseLastKeyMakesGrowthDueEndsWithoutMemory) {
  const std::uint64_t due = present_capacity(params_to_grow()) + 1;
  std::vector<Hash> keys;
  for (std::uint64_t key = 0; key < due; ++key) keys.push_back(xxh64_of_integer(key, 1));
  std::vector<std::uint8_t> is_new(keys.size());
  for (const bool only_if_absent : {false, true}) {
    Filter filter = std::move(*Filter::create(params_to_grow()));
    calls_left = 0;
    const BatchOutcome batch = only_if_absent ? filter.insert_many_if_absent(keys, is_new) : filter.insert_many(keys);
    calls_left = kNever;
    EXPECT_EQ(batch.outcome, InsertOutcome::inserted);
    EXPECT_EQ(batch.done, due);
    EXPECT_EQ(filter.params().bucket_count, 67u);
    for (const Hash key : keys) EXPECT_TRUE(filter.contains(key));
  }
}

TEST(Faults, ATableThatCouldNotGrowGrowsAsANewOneOnceItIsCleared) {
  Filter filter = std::move(*Filter::create(params_to_grow()));
  Filter fresh = std::move(*Filter::create(params_to_grow()));
  const std::uint64_t due = present_capacity(params_to_grow()) + 1;
  calls_left = 0;
  for (std::uint64_t key = 0; key < due; ++key) EXPECT_EQ(filter.insert(key), InsertOutcome::inserted);
  calls_left = kNever;
  ASSERT_EQ(filter.params().bucket_count, 67u);
  filter.clear();
  EXPECT_EQ(filter.size(), 0u);
  for (std::uint64_t key = 0; key < due; ++key) {
    EXPECT_EQ(filter.insert(key), InsertOutcome::inserted);
    EXPECT_EQ(fresh.insert(key), InsertOutcome::inserted);
    EXPECT_EQ(filter.params().bucket_count, fresh.params().bucket_count) << key;
  }
  EXPECT_EQ(fresh.params().bucket_count, 134u);
  EXPECT_EQ(saved(filter), saved(fresh));
}

Params first_layer() { return *plan_scalable({.capacity = 200, .max_capacity = 400}); }

TEST(Faults, AChainThatFindsNoMemoryForALayerIsFullAndGoesOnWithMemoryAgain) {
  ScalableFilter filter = std::move(*ScalableFilter::create(first_layer()));
  std::uint64_t key = 0;
  while (filter.size() < layer_capacity(first_layer(), 0)) ASSERT_EQ(filter.insert(key++), InsertOutcome::inserted);
  for (std::uint64_t n = 0;; ++n) {  // the table, and the layer itself
    calls_left = n;
    const InsertOutcome outcome = filter.insert(key);
    calls_left = kNever;
    EXPECT_EQ(filter.layer_count(), outcome == InsertOutcome::full ? 1u : 2u);
    for (std::uint64_t each = 0; each < key; ++each) ASSERT_TRUE(filter.contains(each));
    if (outcome == InsertOutcome::inserted) {
      EXPECT_EQ(n, 2u);
      break;
    }
    EXPECT_EQ(outcome, InsertOutcome::full);
    EXPECT_EQ(filter.size(), key);
    EXPECT_EQ(filter.clone()->size(), key);
  }
  for (const std::uint64_t n : {0, 1, 2, 3}) {
    calls_left = n;
    EXPECT_EQ(filter.clone().error(), Error::out_of_memory);
    calls_left = kNever;
  }
  for (const std::uint64_t n : {0, 1}) {
    calls_left = n;
    EXPECT_EQ(ScalableFilter::create(first_layer()).error(), Error::out_of_memory);
    calls_left = kNever;
  }
}

TEST(Faults, ALoaderThatFindsNoMemoryForALayerGivesNoFilter) {
  ScalableFilter filter = std::move(*ScalableFilter::create(first_layer()));
  for (std::uint64_t key = 0; filter.layer_count() < 2; ++key) (void)filter.insert(key);
  std::vector<std::uint8_t> bytes(saved_bytes(filter));
  ASSERT_TRUE(save(filter, bytes));
  std::uint64_t failures = 0;
  for (Error error = Error::out_of_memory; error != Error::none; ++failures) {
    std::span<const std::uint8_t> left(bytes);
    auto loader = ScalableLoader<>::begin(left.first(kScalableHeaderBytes), left.size());
    left = left.subspan(kScalableHeaderBytes);
    while (loader->has_more()) {
      ASSERT_EQ(loader->begin_layer(left.first(kHeaderBytes)), Error::none);
      left = left.subspan(kHeaderBytes);
      const std::size_t length = loader->table().size();
      std::copy_n(left.begin(), length, loader->table().begin());
      const std::uint64_t checksum = load_word(left.subspan(length).data());
      left = left.subspan(length + kTrailerBytes);
      if (left.size() == kTrailerBytes) calls_left = failures;  // the last layer
      error = loader->finish_layer(checksum);
      calls_left = kNever;
      if (error != Error::none) break;
    }
    const auto loaded = loader->finish(load_word(&bytes[bytes.size() - kTrailerBytes]));
    EXPECT_EQ(loaded.error(), error == Error::none ? Error::none : Error::cut_short);
  }
  EXPECT_EQ(failures, 2u);  // no layer, and then all there is
}

TEST(Faults, LayersThatFindNoMemoryToMergeBothStayAndMergeLater) {
  ScalableFilter filter = std::move(*ScalableFilter::create(first_layer()));
  const std::uint64_t keys = 2 * layer_capacity(first_layer(), 0);
  for (std::uint64_t key = 0; key < keys; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  ASSERT_EQ(filter.layer_count(), 2u);
  calls_left = 0;
  const std::uint64_t left = keys / 8;  // fewer than the layers would merge at
  for (std::uint64_t key = left; key < keys; ++key) ASSERT_TRUE(filter.erase(key)) << key;
  EXPECT_EQ(filter.layer_count(), 2u);
  EXPECT_EQ(filter.size(), left);
  for (std::uint64_t key = 0; key < left; ++key) EXPECT_TRUE(filter.contains(key));
  calls_left = kNever;
  for (std::uint64_t key = 1; key < left; ++key) ASSERT_TRUE(filter.erase(key)) << key;
  EXPECT_EQ(filter.layer_count(), 1u);
  EXPECT_TRUE(filter.contains(std::uint64_t{0}));
  EXPECT_EQ(filter.size(), 1u);
}

TEST(Faults, LayersThatFoundNoMemoryToMergeAllMergeAtOnceAndTheirTableIsHalved) {
  const Params first = first_layer();
  ASSERT_EQ(first.reserved_bits, 1u);
  ScalableFilter filter = std::move(*ScalableFilter::create(first));
  std::uint64_t key = 0;
  while (filter.layer_count() < 3 || filter.layer(2).size() < 64) {
    ASSERT_EQ(filter.insert(key++), InsertOutcome::inserted);
  }
  const std::uint64_t keys = key;
  calls_left = 0;
  for (key = 0; key < keys - 60; ++key) ASSERT_TRUE(filter.erase(key));
  calls_left = kNever;
  ASSERT_EQ(filter.layer_count(), 3u);
  while (filter.layer_count() == 3) ASSERT_TRUE(filter.erase(key++));
  EXPECT_EQ(filter.layer_count(), 1u);
  EXPECT_EQ(filter.layer(0).params().bucket_count, first.bucket_count);
  EXPECT_EQ(filter.size(), keys - key);
  EXPECT_GT(filter.size(), 0u);
  for (; key < keys; ++key) EXPECT_TRUE(filter.contains(key));
}

}  // namespace
}  // namespace cuckoo
