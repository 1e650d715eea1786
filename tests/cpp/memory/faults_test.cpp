// Out of memory at any allocation: the allocators fail at the n-th call, for every n, in all that allocates. Growth and
// layers are in faults_growth_test.cpp. The bindings' own allocations, which need no JavaScript, are tested here as
// well.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "../../../bindings/filter.h"
#include "cuckoo/filters/counting.h"
#include "cuckoo/filters/expiring.h"
#include "cuckoo/filters/merge.h"
#include "failing_memory.h"

double milliseconds() { return 0; }

namespace cuckoo {

using namespace detail;
namespace {

using testing::calls_left;
using testing::failures;
using testing::filled;
using testing::kNever;
using testing::largest_bytes;
using testing::most_bytes;
using testing::params_of;
using testing::params_to_grow;
using testing::saved;

TEST(Faults, EveryAllocationOfCreateCloneMergeAndLoadMayFail) {
  Filter filter = filled();
  const auto bytes = saved(filter);
  const auto create = [&] { return Filter::create(filter.params()).error(); };
  const auto clone = [&] { return filter.clone().error(); };
  const auto read = [&] { return load(bytes).error(); };
  const Filter other = std::move(*filter.clone());
  const auto join = [&] {
    const Error error = merge(filter, other, true).error();
    EXPECT_EQ(saved(other), bytes);
    return error;
  };
  EXPECT_EQ(failures(filter, create), 1);  // the table
  EXPECT_EQ(failures(filter, clone), 1);
  EXPECT_EQ(failures(filter, join), 1);
  EXPECT_EQ(failures(filter, read), 1);
}

TEST(Faults, AnExpiringFilterNeedsMemoryOnlyForItsTable) {
  Filter other = filled();
  const Params& params = other.params();
  // The table and the counts of each period.
  EXPECT_EQ(failures(other, [&] { return ExpiringFilter::create(params, 4).error(); }), 2);
  ExpiringFilter filter = std::move(*ExpiringFilter::create(params, 4));
  for (std::uint64_t key = 0; key < 20; ++key) (void)filter.insert_if_absent(key);
  EXPECT_EQ(failures(other, [&] { return filter.clone().error(); }), 2);
  EXPECT_EQ(failures(other, [&] { return merge(filter, filter).error(); }), 2);
  const std::vector<std::uint8_t> bytes = saved(filter);
  EXPECT_EQ(failures(other, [&] { return load<ExpiringFilter>(bytes).error(); }), 2);
}

TEST(Faults, AnExpiringFilterWithoutMemoryForMarksSweepsItsTableAsAWhole) {
  const Params params = params_of((kBlocksSweptAtOnce + 1) << kSweptBlockBits, 1, 12);
  for (const std::uint64_t calls : {std::uint64_t{3}, std::uint64_t{4}, kNever}) {  // the fourth call is for the marks
    calls_left = calls;
    ExpiringFilter filter = std::move(*ExpiringFilter::create(params, 4));
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
  CountingFilter filter = std::move(*CountingFilter::create(params_of(67, 4, 13), 4));
  for (std::uint64_t key = 0; key < 200; ++key) EXPECT_EQ(filter.insert(key), InsertOutcome::inserted);
  const CountingFilter other = std::move(*filter.clone());
  for (std::uint64_t n = 0;; ++n) {
    calls_left = n;
    const auto outcome = merge(filter, other);
    calls_left = kNever;
    EXPECT_EQ(filter.count(std::uint64_t{7}), outcome ? 2u : 1u);
    if (outcome) {
      EXPECT_EQ(n, 1u);  // the table
      break;
    }
    EXPECT_EQ(outcome.error(), Error::out_of_memory);
  }
}

TEST(Faults, EveryOtherOperationNeedsNoMemory) {
  Filter filter = filled();
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
  EXPECT_TRUE(save(filter, bytes));
  filter.clear();
  calls_left = kNever;
  EXPECT_EQ(filter.size(), 0u);
}

/// Fails at every allocation of a merge that makes the table grow: it is then refused, or without memory, with no byte
/// changed; or it goes in where the table is fuller than planned. Returns how many failed.
template <class AnyFilter>
int failures_of_growing_merge() {
  AnyFilter into = std::move(*AnyFilter::create(params_to_grow()));
  AnyFilter from = std::move(*AnyFilter::create(params_to_grow()));
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
  EXPECT_EQ(failures_of_growing_merge<Filter>(), 10);  // a copy, and three doublings of three
  EXPECT_GT(failures_of_growing_merge<bound::Traced>(), 5);
}

TEST(Faults, ATraceThatCannotBeOpenedLeavesTheOneThatIsOpen) {
  TracedFilter filter = filled<TracedFilter>();
  ASSERT_TRUE(filter.watch().open(TraceLevel::all, 100));
  EXPECT_TRUE(filter.contains(std::uint64_t{5}));
  const std::size_t events = filter.watch().events().size();
  calls_left = 0;
  EXPECT_FALSE(filter.watch().open(TraceLevel::all, 1000));
  EXPECT_FALSE(filter.watch().open(TraceLevel::all, std::numeric_limits<std::size_t>::max()));
  calls_left = kNever;
  EXPECT_EQ(filter.watch().events().size(), events);
  EXPECT_TRUE(filter.contains(std::uint64_t{5}));
  EXPECT_GT(filter.watch().events().size(), events);
}

TEST(Faults, ATableThatNoMachineHoldsIsOutOfMemory) {
  Params params = params_of(kMaxBucketCount, 8, 32);
  params.capacity = 1;
  calls_left = 0;
  EXPECT_EQ(Filter::create(params).error(), Error::out_of_memory);
  calls_left = kNever;
}

TEST(Faults, BytesThatAreRefusedForTheirHeaderAllocateNothingAndOthersTheirTable) {
  const auto bytes = saved(filled());
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
  bound::Traced filter = filled<bound::Traced>();
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
  put_results(Wanted{.capacity = 1000, .false_positive_rate = 0.01});
  EXPECT_TRUE(objects::make_plan<objects::plan_table>());
  EXPECT_EQ(failures(filter, [] { return told(objects::create<bound::Traced>(false)); }), 2);
  EXPECT_EQ(failures(filter, [&] { return told(objects::clone<bound::Traced>(objects::address_of(&filter))); }), 2);
  EXPECT_EQ(failures(filter, read), 2);
  EXPECT_EQ(failures(filter, [&] { return merge(filter, filter, true).error(); }), 1);
}

TEST(Faults, WithoutMemoryForAPlainTableASemiSortedOneIsFilledAsItIs) {
  Params params = params_of(100, 4, 12);
  params.storage = Storage::semi_sorted;
  std::vector<Hash> hashes;
  for (std::uint64_t i = 0; i < 300; ++i) hashes.push_back(xxh64_of_integer(i, 0));
  Filter built = std::move(*Filter::create(params));
  Filter filled = std::move(*Filter::create(params));
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
