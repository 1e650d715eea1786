// Out of memory at any allocation: the allocators fail at the n-th call, for every n, in all that allocates.
// Invariant: what fails says out_of_memory, leaves nothing behind (AddressSanitizer counts), and no other filter is
// touched. The bindings' own allocations, which need no JavaScript, are tested here as well. calloc is wrapped by the
// linker.
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

#include "../../../bindings/filter.h"
#include "cases.h"
#include "cuckoo/filters/counting.h"
#include "cuckoo/filters/expiring.h"
#include "cuckoo/filters/merge.h"
#include "cuckoo/filters/scalable.h"
#include "cuckoo/format/scalable_format.h"
#include "saved.h"

double milliseconds() { return 0; }

namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
std::uint64_t calls_left = kNever;  ///< allocations that succeed before all fail
std::uint64_t largest_bytes = 0;    ///< asked for at once
std::uint64_t most_bytes = kNever;  ///< granted at once

bool may_allocate(std::uint64_t bytes) {
  largest_bytes = std::max(largest_bytes, bytes);
  if (bytes > most_bytes) return false;
  if (calls_left == kNever) return true;
  if (calls_left == 0) return false;
  --calls_left;
  return true;
}

}  // namespace

extern "C" {
void* __real_calloc(std::size_t count, std::size_t size);
void* __wrap_calloc(std::size_t count, std::size_t size) {
  return may_allocate(count * size) ? __real_calloc(count, size) : nullptr;
}
void* __real_malloc(std::size_t size);
void* __wrap_malloc(std::size_t size) { return may_allocate(size) ? __real_malloc(size) : nullptr; }
}
// Only the forms that cannot throw are the library's; tests allocate with the others, which never fail here.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return may_allocate(size) ? ::operator new(size) : nullptr;
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return may_allocate(size) ? ::operator new[](size) : nullptr;
}

namespace cuckoo {

using namespace detail;
namespace {

using testing::params_of;
using testing::saved;
using Tracing = Watched<TraceLog, milliseconds>;

template <class Trace>
Filter<Trace> filled() {
  Filter<Trace> filter = std::move(*Filter<Trace>::create(params_of(67, 4, 13)));
  for (std::uint64_t key = 0; key < 200; ++key) EXPECT_EQ(filter.insert(key), InsertOutcome::inserted);
  return filter;
}

/// Calls `attempt` with every number of allocations before the first that fails, until none fails; returns how many
/// failed. `attempt` returns the error. After each, `filter` must be as it was, and go on.
template <class Trace, class Attempt>
int failures(Filter<Trace>& filter, Attempt attempt) {
  const auto before = saved(filter);
  for (int n = 0;; ++n) {
    calls_left = static_cast<std::uint64_t>(n);
    const Error error = attempt();
    calls_left = kNever;
    EXPECT_EQ(saved(filter), before);
    EXPECT_TRUE(filter.contains(std::uint64_t{7}));
    EXPECT_EQ(filter.insert(std::uint64_t{7777}), InsertOutcome::inserted);
    EXPECT_TRUE(filter.erase(std::uint64_t{7777}));
    if (error == Error::none) return n;
    EXPECT_EQ(error, Error::out_of_memory) << "at allocation " << n;
  }
}

TEST(Faults, EveryAllocationOfCreateCloneMergeAndLoadMayFail) {
  Filter<> filter = filled<NoTrace>();
  const auto bytes = saved(filter);
  const auto create = [&] { return Filter<>::create(filter.params()).error(); };
  const auto clone = [&] { return filter.clone().error(); };
  const auto read = [&] { return load(bytes).error(); };
  const Filter<> other = std::move(*filter.clone());
  const auto join = [&] {
    const Error error = merge(filter, other, true).error();
    EXPECT_EQ(saved(other), bytes);
    return error;
  };
  EXPECT_EQ(failures(filter, create), 2);  // the table and the kick path
  EXPECT_EQ(failures(filter, clone), 2);
  EXPECT_EQ(failures(filter, join), 2);
  EXPECT_EQ(failures(filter, read), 2);
}

TEST(Faults, AnExpiringFilterNeedsMemoryOnlyForItsTable) {
  Filter<> other = filled<NoTrace>();
  const Params& params = other.params();
  // The table, the kick path and the counts of each period.
  EXPECT_EQ(failures(other, [&] { return ExpiringFilter<>::create(params, 4).error(); }), 3);
  ExpiringFilter<> filter = std::move(*ExpiringFilter<>::create(params, 4));
  for (std::uint64_t key = 0; key < 20; ++key) (void)filter.insert_if_absent(key);
  EXPECT_EQ(failures(other, [&] { return filter.clone().error(); }), 3);
  EXPECT_EQ(failures(other, [&] { return merge(filter, filter).error(); }), 3);
  const std::vector<std::uint8_t> bytes = saved(filter);
  EXPECT_EQ(failures(other, [&] { return load<ExpiringFilter<>>(bytes).error(); }), 3);
}

TEST(Faults, AnExpiringFilterWithoutMemoryForMarksSweepsItsTableAsAWhole) {
  const Params params = params_of(40, 4, 12);
  for (const std::uint64_t calls : {std::uint64_t{3}, std::uint64_t{4}, kNever}) {  // the fourth call is for the marks
    calls_left = calls;
    ExpiringFilter<> filter = std::move(*make<ExpiringFilter<>>(params, period_bits(4), nullptr, Periods(4).extension(),
                                                                SweepPace{.group_bits = 0, .groups_at_once = 1}));
    calls_left = 0;
    for (int round = 0; round < 3; ++round) {
      for (std::uint64_t key = 0; filter.insert_if_absent(key) != InsertOutcome::full; ++key)
        EXPECT_TRUE(filter.contains(key));
      const std::uint64_t size = filter.size();
      std::uint64_t dropped = 0;
      for (int period = 0; period < 4; ++period) dropped += filter.advance();
      EXPECT_EQ(dropped, size);
      EXPECT_EQ(filter.size(), 0u);
      for (std::uint64_t key = 0; key < 160; ++key) EXPECT_FALSE(filter.contains(key));
    }
    calls_left = kNever;
  }
}

TEST(Faults, AFilterWithValuesIsUnchangedWhereAMergeFindsNoMemory) {
  CountingFilter<> filter = std::move(*CountingFilter<>::create(params_of(67, 4, 13), 4));
  for (std::uint64_t key = 0; key < 200; ++key) EXPECT_EQ(filter.insert(key), InsertOutcome::inserted);
  const CountingFilter<> other = std::move(*filter.clone());
  for (std::uint64_t n = 0;; ++n) {
    calls_left = n;
    const auto outcome = merge(filter, other);
    calls_left = kNever;
    EXPECT_EQ(filter.count(std::uint64_t{7}), outcome ? 2u : 1u);
    if (outcome) {
      EXPECT_EQ(n, 2u);  // the table and the kick path
      break;
    }
    EXPECT_EQ(outcome.error(), Error::out_of_memory);
  }
}

TEST(Faults, EveryOtherOperationNeedsNoMemory) {
  Filter<> filter = filled<NoTrace>();
  std::vector<std::uint8_t> bytes(saved_bytes(filter)), answers(100);
  const std::vector<Hash> keys(100, filter.hash(std::uint64_t{9}));
  calls_left = 0;
  Request request;
  request.capacity = 1000;
  EXPECT_TRUE(plan(request));
  for (std::uint64_t key = 1000; filter.insert(key) == InsertOutcome::inserted; ++key) {
  }
  filter.contains_many(keys, answers);
  EXPECT_NE(filter.insert_many(keys).outcome, InsertOutcome::inserted);
  EXPECT_GE(filter.erase_many(keys), 1u);
  save(filter, bytes);
  filter.clear();
  calls_left = kNever;
  EXPECT_EQ(filter.size(), 0u);
}

Params params_to_grow() {
  Params params = params_of(67, 4, 13);
  params.reserved_bits = 3;
  params.capacity = 2000;
  return params;
}

TEST(Faults, ATableThatCannotDoubleForWantOfMemoryStaysInUseUntilItIsFull) {
  Filter<> filter = std::move(*Filter<>::create(params_to_grow()));
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

TEST(Faults, ATableThatCannotBeHalvedForWantOfMemoryStaysAsItIs) {
  Filter<> filter = std::move(*Filter<>::create(params_to_grow()));
  for (std::uint64_t key = 0; key < 200; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  ASSERT_TRUE(filter.grow());
  const auto shrink_copy = [&] {
    Result<Filter<>> copy = filter.clone();
    return copy && copy->shrink() ? Error::none : Error::out_of_memory;
  };
  EXPECT_EQ(failures(filter, shrink_copy), 3);
  const auto before = saved(filter);
  calls_left = 0;
  EXPECT_FALSE(filter.shrink());
  calls_left = kNever;
  EXPECT_EQ(saved(filter), before);
  EXPECT_TRUE(filter.shrink());
}

TEST(Faults, AKeyThatIsRefusedEndsWithoutMemoryToHalveTheTableThatDoubledForIt) {
  Params params = params_of(32, 1, 10);
  params.reserved_bits = 2;
  params.capacity = 64;
  params.max_kicks = 1;
  int left_doubled = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Filter<> filter = std::move(*Filter<>::create(params));
    std::uint64_t key = 1000 * seed;
    while (filter.insert(key) == InsertOutcome::inserted) ++key;
    for (std::uint64_t calls = 0; calls < 12; ++calls) {
      Filter<> copy = std::move(*filter.clone());
      calls_left = calls;
      const InsertOutcome outcome = copy.insert(key);
      calls_left = kNever;
      ASSERT_NE(outcome, InsertOutcome::inserted);
      left_doubled += copy.params().bucket_count > filter.params().bucket_count ? 1 : 0;
      for (std::uint64_t each = 1000 * seed; each < key; ++each) ASSERT_TRUE(copy.contains(each));
    }
  }
  EXPECT_GT(left_doubled, 0);
}

TEST(Faults, ACloneOfATableThatIsDoublingMayFindNoMemory) {
  Params params = params_of(1024, 4, 12);
  params.reserved_bits = 1;
  params.capacity = 7000;
  params.tuning.buckets_per_call = 1;
  Filter<> filter = std::move(*Filter<>::create(params));
  std::uint64_t key = 0;
  while (!Access::entries(filter).has_work()) ASSERT_EQ(filter.insert(key++), InsertOutcome::inserted);
  for (const std::uint64_t calls : {0, 1}) {
    calls_left = calls;
    EXPECT_EQ(filter.clone().error(), Error::out_of_memory);
    calls_left = kNever;
  }
  EXPECT_TRUE(Access::entries(filter).has_work());
  for (std::uint64_t each = 0; each < key; ++each) EXPECT_TRUE(filter.contains(each));
}

TEST(Faults, ALayerThatCannotBeHalvedForWantOfMemoryIsTriedAgainWithHalfOfItsKeys) {
  const Params first = *plan_scalable({.capacity = 1000});
  ScalableFilter<> filter = std::move(*ScalableFilter<>::create(first));
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
  Filter<> one = std::move(*Filter<>::create(params_to_grow()));
  Filter<> many = std::move(*Filter<>::create(params_to_grow()));
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
    Filter<> filter = std::move(*Filter<>::create(params_to_grow()));
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
  Filter<> filter = std::move(*Filter<>::create(params_to_grow()));
  Filter<> fresh = std::move(*Filter<>::create(params_to_grow()));
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

/// Fails at every allocation of a merge that makes the table grow: it is then refused, or without memory, with no byte
/// changed; or it goes in where the table is fuller than planned. Returns how many failed.
template <class Trace>
int failures_of_growing_merge() {
  Filter<Trace> into = std::move(*Filter<Trace>::create(params_to_grow()));
  Filter<Trace> from = std::move(*Filter<Trace>::create(params_to_grow()));
  for (std::uint64_t key = 0; key < 240; ++key) EXPECT_EQ(into.insert(key), InsertOutcome::inserted);
  for (std::uint64_t key = 240; key < 1200; ++key) EXPECT_EQ(from.insert(key), InsertOutcome::inserted);
  const auto before = saved(into), source = saved(from);
  const std::uint64_t buckets = from.params().bucket_count;
  for (int n = 0;; ++n) {
    calls_left = static_cast<std::uint64_t>(n);
    const Result<InsertOutcome> outcome = merge(into, from);
    calls_left = kNever;
    EXPECT_EQ(saved(from), source);
    if (outcome && *outcome == InsertOutcome::inserted) {
      for (std::uint64_t key = 0; key < 1200; ++key) EXPECT_TRUE(into.contains(key)) << key << " of " << n;
      EXPECT_EQ(into.size(), 1200u);
      EXPECT_GE(into.params().bucket_count, buckets);
      return n;
    }
    EXPECT_EQ(outcome ? Error::out_of_memory : outcome.error(), Error::out_of_memory);
    EXPECT_TRUE(!outcome || *outcome == InsertOutcome::full);
    EXPECT_EQ(saved(into), before) << "at allocation " << n;
  }
}

TEST(Faults, AMergeThatCannotGrowChangesNothing) {
  EXPECT_EQ(failures_of_growing_merge<NoTrace>(), 11);  // a copy of two parts, and three doublings of three
  EXPECT_GT(failures_of_growing_merge<Tracing>(), 5);
}

Params first_layer() { return *plan_scalable({.capacity = 200, .max_capacity = 400}); }

TEST(Faults, AChainThatFindsNoMemoryForALayerIsFullAndGoesOnWithMemoryAgain) {
  ScalableFilter<> filter = std::move(*ScalableFilter<>::create(first_layer()));
  std::uint64_t key = 0;
  while (filter.size() < layer_capacity(first_layer(), 0)) ASSERT_EQ(filter.insert(key++), InsertOutcome::inserted);
  for (std::uint64_t n = 0;; ++n) {  // the table, the kick path, and the layer itself
    calls_left = n;
    const InsertOutcome outcome = filter.insert(key);
    calls_left = kNever;
    EXPECT_EQ(filter.layer_count(), outcome == InsertOutcome::full ? 1u : 2u);
    for (std::uint64_t each = 0; each < key; ++each) ASSERT_TRUE(filter.contains(each));
    if (outcome == InsertOutcome::inserted) {
      EXPECT_EQ(n, 3u);
      break;
    }
    EXPECT_EQ(outcome, InsertOutcome::full);
    EXPECT_EQ(filter.size(), key);
    EXPECT_EQ(filter.clone()->size(), key);
  }
  for (const std::uint64_t n : {0, 1, 2, 3, 4, 5}) {
    calls_left = n;
    EXPECT_EQ(filter.clone().error(), Error::out_of_memory);
    calls_left = kNever;
  }
  for (const std::uint64_t n : {0, 1, 2}) {
    calls_left = n;
    EXPECT_EQ(ScalableFilter<>::create(first_layer()).error(), Error::out_of_memory);
    calls_left = kNever;
  }
}

TEST(Faults, ALoaderThatFindsNoMemoryForALayerGivesNoFilter) {
  ScalableFilter<> filter = std::move(*ScalableFilter<>::create(first_layer()));
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
  EXPECT_EQ(failures, 3u);  // no kick path, no layer, and then all there is
}

TEST(Faults, LayersThatFindNoMemoryToMergeBothStayAndMergeLater) {
  ScalableFilter<> filter = std::move(*ScalableFilter<>::create(first_layer()));
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
  ScalableFilter<> filter = std::move(*ScalableFilter<>::create(first));
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

TEST(Faults, ATraceThatCannotBeOpenedLeavesTheOneThatIsOpen) {
  Filter<TraceLog> filter = filled<TraceLog>();
  ASSERT_TRUE(filter.trace().open(TraceLevel::all, 100));
  EXPECT_TRUE(filter.contains(std::uint64_t{5}));
  const std::size_t events = filter.trace().events().size();
  calls_left = 0;
  EXPECT_FALSE(filter.trace().open(TraceLevel::all, 1000));
  EXPECT_FALSE(filter.trace().open(TraceLevel::all, std::numeric_limits<std::size_t>::max()));
  calls_left = kNever;
  EXPECT_EQ(filter.trace().events().size(), events);
  EXPECT_TRUE(filter.contains(std::uint64_t{5}));
  EXPECT_GT(filter.trace().events().size(), events);
}

TEST(Faults, ATableThatNoMachineHoldsIsOutOfMemory) {
  Params params = params_of(kMaxBucketCount, 8, 32);
  params.capacity = 1;
  calls_left = 0;
  EXPECT_EQ(Filter<>::create(params).error(), Error::out_of_memory);
  calls_left = kNever;
}

TEST(Faults, BytesThatAreRefusedForTheirHeaderAllocateNothingAndOthersTheirTable) {
  const auto bytes = saved(filled<NoTrace>());
  calls_left = 0;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_NE(load(std::span(bytes).first(length)).error(), Error::out_of_memory);
  }
  EXPECT_EQ(load(bytes, 10).error(), Error::too_large);
  calls_left = kNever;
  largest_bytes = 0;
  EXPECT_TRUE(load(bytes));
  EXPECT_LE(largest_bytes, bytes.size());
}

/// What a call of the bindings that returns a filter says: `Error::none` if it gave one, which is then freed.
Error told(objects::Address filter) {
  if (filter == 0) return static_cast<Error>(objects::last_error());
  objects::destroy<bound::Traced>(filter);
  return Error::none;
}

TEST(Faults, EveryAllocationOfTheBindingsMayFail) {
  bound::Traced filter = filled<Tracing>();
  const auto bytes = saved(filter);
  const auto put = [](std::span<const std::uint8_t> from) {
    std::copy(from.begin(), from.end(), scratch.bytes);
    return static_cast<std::uint32_t>(from.size());
  };
  const auto read = [&] {
    const auto length = static_cast<double>(bytes.size());
    const auto head = put(std::span(bytes).first(kHeaderBytes));
    const objects::Address table = objects::begin_load<bound::Traced>(head, length, length, false);
    if (table == 0) return static_cast<Error>(objects::last_error());
    const std::size_t end = bytes.size() - kTrailerBytes;
    std::memcpy(reinterpret_cast<void*>(table), &bytes[kHeaderBytes], end - kHeaderBytes);
    put(std::span(bytes).subspan(end));
    return told(objects::finish_load<bound::Traced>());
  };
  EXPECT_TRUE(objects::make_plan<objects::plan_table>(1000, -1, 0.01, -1, -1, -1, -1, false, -1, false, 0, 0, 0));
  EXPECT_EQ(failures(filter, [] { return told(objects::create<bound::Traced>(false)); }), 3);
  EXPECT_EQ(failures(filter, [&] { return told(objects::clone<bound::Traced>(objects::address_of(&filter))); }), 3);
  EXPECT_EQ(failures(filter, read), 3);
  EXPECT_EQ(failures(filter, [&] { return merge(filter, filter, true).error(); }), 2);
}

TEST(Faults, WithoutMemoryForAPlainTableASemiSortedOneIsFilledAsItIs) {
  Params params = params_of(100, 4, 12);
  params.storage = Storage::semi_sorted;
  std::vector<Hash> hashes;
  for (std::uint64_t i = 0; i < 300; ++i) hashes.push_back(xxh64_of_integer(i, 0));
  Filter<> built = std::move(*Filter<>::create(params));
  Filter<> filled = std::move(*Filter<>::create(params));
  EXPECT_EQ(built.insert_many(hashes).done, 300u);
  calls_left = 0;
  EXPECT_FALSE(Access::entries(filled).begin_encoding(300));
  EXPECT_EQ(filled.insert_many(hashes).done, 300u);
  calls_left = kNever;
  EXPECT_EQ(saved(filled), saved(built));
  // Nor where memory is refused for the plain table alone.
  filled.clear();
  ASSERT_GT(table_bytes(params), sizeof(Pending));
  most_bytes = sizeof(Pending);
  EXPECT_FALSE(Access::entries(filled).begin_encoding(300));
  most_bytes = kNever;
  EXPECT_EQ(filled.insert_many(hashes).done, 300u);
  EXPECT_EQ(saved(filled), saved(built));
}

}  // namespace
}  // namespace cuckoo
