#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cases.h"
#include "cuckoo/filters/filter.h"
#include "cuckoo/filters/merge.h"
#include "cuckoo/filters/traced.h"
#include "random.h"
#include "traced.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::Random;
using testing::text_of;
using testing::Traced;
using testing::traced;

/// The table as a reader of the trace sees it. Applying an event checks that it is lawful.
class Reader {
 public:
  explicit Reader(const Params& params) : params_(params), slots_(slot_count(params)) {}

  void apply(const Event& event) {
    switch (event.kind) {
      case EventKind::locate:
        EXPECT_EQ(other(event.bucket, event.after), event.other_bucket);
        EXPECT_EQ(stored_fingerprint(event.before), event.after);
        EXPECT_EQ((event.flags & kBucketsCoincide) != 0, event.bucket == event.other_bucket);
        break;
      case EventKind::probe:
        EXPECT_EQ(at(event), event.before);
        EXPECT_EQ((event.flags & kEmpty) != 0, event.before == 0);
        EXPECT_EQ((event.flags & kMatches) != 0, event.before == event.detail);
        break;
      case EventKind::place:
      case EventKind::kick:
      case EventKind::undo:
      case EventKind::remove:
        change(event);
        break;
      case EventKind::encode:
        move(event, event.slot, event.detail);
        break;
      case EventKind::reset:
        slots_.assign(slots_.size(), 0);
        break;
      default:
        break;
    }
  }
  void undo(const Event& event) {
    if (event.kind == EventKind::encode) return move(event, event.detail, event.slot);
    if (event.before == event.after || event.kind == EventKind::locate || event.kind == EventKind::begin) return;
    if (event.kind == EventKind::end || event.kind == EventKind::reset) return;
    EXPECT_EQ(at(event), event.after);
    at(event) = event.before;
  }
  [[nodiscard]] bool shows(const Table& table) const {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (table.read(i / params_.bucket_size)[i % params_.bucket_size] != slots_[i]) return false;
    }
    return true;
  }

 private:
  std::uint32_t& at(const Event& event) { return slots_[std::size_t{event.bucket} * params_.bucket_size + event.slot]; }
  [[nodiscard]] std::uint64_t other(std::uint32_t bucket, std::uint32_t fingerprint) const {
    return alternate_bucket(bucket, fingerprint, params_.addressing, params_.bucket_count);
  }
  void move(const Event& event, std::uint32_t from, std::uint32_t to) {
    const auto bucket = slots_.begin() + static_cast<std::ptrdiff_t>(std::size_t{event.bucket} * params_.bucket_size);
    if (from < to) std::rotate(bucket + from, bucket + from + 1, bucket + to + 1);
    if (from > to) std::rotate(bucket + to, bucket + from, bucket + from + 1);
  }
  void change(const Event& event) {
    EXPECT_EQ(at(event), event.before);
    EXPECT_EQ(event.kind == EventKind::place, event.before == 0);
    EXPECT_EQ(event.kind == EventKind::remove, event.after == 0);
    const std::uint32_t moves =
        event.kind == EventKind::kick || event.kind == EventKind::remove ? event.before : event.after;
    EXPECT_EQ(other(event.bucket, moves), event.other_bucket);
    at(event) = event.after;
  }

  Params params_;
  std::vector<std::uint32_t> slots_;
};

TEST(Trace, FoldsToTheTableForwardAndBack) {
  testing::for_all_params({1, 2, 7, 32}, [](const Params& params) {
    Random random(params.seed);
    Traced filter = traced(params);
    Reader reader(params);
    for (std::uint64_t i = 0; i < slot_count(params) + 6; ++i) {
      const Hash key = xxh64_of_integer(random.below(2 * slot_count(params)), 1);
      if (random.below(4) == 0) {
        (void)filter.erase(key);
      } else {
        (void)filter.insert(key);
      }
      const std::span<const Event> events = filter.watch().events();
      for (const Event& event : events) reader.apply(event);
      ASSERT_TRUE(reader.shows(Access::entries(filter).table())) << text_of(params);
      for (std::size_t e = events.size(); e-- > 0;) reader.undo(events[e]);
      for (const Event& event : events) reader.apply(event);
      ASSERT_TRUE(reader.shows(Access::entries(filter).table())) << text_of(params);
      ASSERT_FALSE(filter.watch().has_overflowed());
      filter.watch().drain();
    }
  });
}

TEST(Trace, GivesTheSameBytesAsNoTrace) {
  testing::for_all_params({1, 13, 64}, [](const Params& params) {
    Random random(params.seed);
    Traced with = traced(params);
    Filter without = std::move(*Filter::create(params));
    for (std::uint64_t i = 0; i < slot_count(params) + 5; ++i) {
      const Hash key{random.next()};
      ASSERT_EQ(with.insert(key), without.insert(key));
      ASSERT_EQ(with.contains(key), without.contains(key));
      with.watch().drain();
    }
    ASSERT_TRUE(std::ranges::equal(Access::entries(with).table().bytes(), Access::entries(without).table().bytes()))
        << text_of(params);
  });
}

TEST(Trace, EncodeTellsTheCodesBeforeAndAfter) {
  Params params = testing::params_of(2, 4, 8);
  params.storage = Storage::semi_sorted;
  Traced filter = traced(params);
  Random random(3);
  std::uint32_t codes[2] = {0, 0};
  int encoded = 0;
  for (int i = 0; i < 20; ++i) {
    const Hash key{random.next()};
    if (i % 5 == 4) {
      (void)filter.erase(key);
    } else {
      (void)filter.insert(key);
    }
    for (const Event& event : filter.watch().events()) {
      if (event.kind != EventKind::encode) continue;
      EXPECT_EQ(event.before, codes[event.bucket]);
      codes[event.bucket] = event.after;
      ++encoded;
    }
    filter.watch().drain();
    const Table& table = Access::entries(filter).table();
    for (std::uint32_t bucket = 0; bucket < 2; ++bucket) {
      EXPECT_EQ(code_of(table.layout(), table.read(bucket)), codes[bucket]);
    }
  }
  EXPECT_GE(encoded, 8);
}

TEST(Trace, LocateTellsTheOffsetAmongTheBucketsThereWillBeAndBeginTheWholeHash) {
  Params params = testing::params_of(8, 4, 8);
  params.reserved_bits = 3;
  Traced filter = traced(params);
  Random random(5);
  std::uint32_t replaced = 0;
  for (int i = 0; i < 600; ++i) {
    const Hash key{random.next()};
    (void)filter.contains(key);
    const Event begin = filter.watch().events()[0], located = filter.watch().events()[1];
    ASSERT_EQ(std::uint64_t{begin.after} << 32 | begin.before, static_cast<std::uint64_t>(key));
    ASSERT_EQ(located.kind, EventKind::locate);
    const std::uint32_t fingerprint = stored_fingerprint(raw_fingerprint(key, params));
    ASSERT_EQ(located.detail, alternate_offset(fingerprint, 64));
    ASSERT_EQ((located.flags & kZeroReplaced) != 0, raw_fingerprint(key, params) == 0);
    replaced += located.flags & kZeroReplaced;
    filter.watch().drain();
  }
  EXPECT_GT(replaced, 0u);
}

TEST(Trace, CountTellsTheCopiesAndOperationsCountFromOneOnceItIsOpened) {
  Traced filter = traced(testing::params_of(8, 2, 8));
  for (int i = 0; i < 3; ++i) ASSERT_EQ(filter.insert(std::uint64_t{1}), InsertOutcome::inserted);
  filter.watch().drain();
  EXPECT_TRUE(filter.watch().events().empty());
  EXPECT_EQ(filter.count(std::uint64_t{1}), 3u);
  EXPECT_EQ(filter.watch().events().back().detail, 3u);
  EXPECT_EQ(filter.watch().events().back().code, 1);
  EXPECT_EQ(filter.watch().events().back().operation, 4u);
  ASSERT_TRUE(filter.watch().open(TraceLevel::all, 100));
  EXPECT_EQ(filter.count(std::uint64_t{2}), 0u);
  EXPECT_EQ(filter.watch().events().back().operation, 1u);
}

TEST(Trace, AnOperationBeginsAndEnds) {
  Traced filter = traced(testing::params_of(8, 2, 8));
  (void)filter.insert(std::uint64_t{1});
  (void)filter.contains(std::uint64_t{1});
  (void)filter.count(std::uint64_t{1});
  (void)filter.erase(std::uint64_t{1});
  filter.clear();
  std::uint32_t operation = 0;
  for (const Event& event : filter.watch().events()) {
    if (event.kind == EventKind::begin) ++operation;
    EXPECT_EQ(event.operation, operation);
  }
  EXPECT_EQ(operation, 5u);
  const Event last = filter.watch().events().back();
  EXPECT_EQ(last.kind, EventKind::end);
  EXPECT_EQ(last.before, static_cast<std::uint32_t>(Operation::clear));
}

TEST(Trace, EveryEventLiesBetweenTheBeginAndTheEndOfItsOperation) {
  Params params = testing::params_of(64, 1, 12);  // with one slot per bucket, no path is found early
  params.reserved_bits = 4;
  params.capacity = 1000;
  Traced filter = traced(params);
  Random random(6);
  bool is_under_way = false;
  int doublings_for_room = 0;
  Event last;
  for (int i = 0; i < 500; ++i) {
    (void)filter.insert(Hash{random.next()});
    for (const Event& event : filter.watch().events()) {
      ASSERT_NE(event.kind == EventKind::begin, is_under_way) << i;
      is_under_way = event.kind != EventKind::end;
      const bool is_doubling = event.kind == EventKind::begin && event.code == static_cast<int>(Operation::grow);
      doublings_for_room += is_doubling && last.code == static_cast<int>(InsertOutcome::full) ? 1 : 0;
      last = event;
    }
    ASSERT_FALSE(filter.watch().has_overflowed());
    filter.watch().drain();
  }
  EXPECT_GT(doublings_for_room, 0);
}

/// The last operation of `filter`: its end, with nothing in the fields that only other operations have.
Event end_of_last(const Traced& filter, Operation operation) {
  const Event last = filter.watch().events().back();
  EXPECT_EQ(last.kind, EventKind::end);
  EXPECT_EQ(last.before, static_cast<std::uint32_t>(operation));
  EXPECT_EQ(last.kick, 0u);
  EXPECT_EQ(last.bucket, filter.size());
  const auto is_begin = [](const Event& event) { return event.kind == EventKind::begin; };
  const auto all = filter.watch().events();
  const auto begin = std::find_if(all.rbegin(), all.rend(), is_begin);
  EXPECT_EQ(begin->code, static_cast<std::uint8_t>(operation));
  return last;
}

TEST(Trace, AnEndTellsTheAnswerAndTheSize) {
  Params params = testing::params_of(256, 4, 12);
  params.reserved_bits = 2;
  params.capacity = 2000;
  Traced filter = traced(params);
  const auto expect = [&](Operation operation, std::uint8_t code, std::uint32_t copies = 0) {
    const Event end = end_of_last(filter, operation);
    EXPECT_EQ(end.code, code) << static_cast<int>(operation);
    EXPECT_EQ(end.detail, copies) << static_cast<int>(operation);
  };
  const auto inserted = static_cast<std::uint8_t>(InsertOutcome::inserted);
  EXPECT_EQ(filter.insert(1), InsertOutcome::inserted);
  expect(Operation::insert, inserted);
  EXPECT_EQ(filter.insert_if_absent(1), InsertOutcome::present);
  expect(Operation::insert_if_absent, static_cast<std::uint8_t>(InsertOutcome::present));
  EXPECT_TRUE(filter.contains(1));
  expect(Operation::contains, 1);
  EXPECT_FALSE(filter.contains(2));
  expect(Operation::contains, 0);
  EXPECT_EQ(filter.count(1), 1u);
  expect(Operation::count, 1, 1);
  EXPECT_EQ(filter.count(2), 0u);
  expect(Operation::count, 0);
  EXPECT_TRUE(filter.grow());
  expect(Operation::grow, 1);
  EXPECT_TRUE(filter.shrink());
  expect(Operation::shrink, 1);
  const Traced other = traced(params);
  EXPECT_EQ(*merge(filter, other), InsertOutcome::inserted);
  expect(Operation::merge, 1);
  EXPECT_FALSE(filter.erase(2));
  expect(Operation::erase, 0);
  EXPECT_TRUE(filter.erase(1));
  expect(Operation::erase, 1);
  filter.clear();
  expect(Operation::clear, 1);
}

TEST(Trace, OnlyAnOperationOnOneKeyBeginsWithAHash) {
  Traced filter = traced(testing::params_of(256, 4, 12));
  filter.clear();
  EXPECT_EQ(filter.watch().events()[0].before, 0u);
  EXPECT_EQ(filter.watch().events()[0].after, 0u);
}

TEST(Trace, ACountReadsBothBuckets) {
  Traced filter = traced(testing::params_of(256, 4, 12));
  EXPECT_EQ(filter.count(1), 0u);
  std::uint64_t probes = 0;
  for (const Event& event : filter.watch().events()) probes += event.kind == EventKind::probe ? 1u : 0u;
  EXPECT_EQ(probes, 8u);
}

TEST(Trace, AClearResetsTheTableBetweenItsBeginAndItsEnd) {
  Traced filter = traced(testing::params_of(8, 2, 8));
  (void)filter.insert(std::uint64_t{1});
  filter.watch().drain();
  filter.clear();
  const std::span<const Event> events = filter.watch().events();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].kind, EventKind::begin);
  EXPECT_EQ(events[1].kind, EventKind::reset);
  EXPECT_EQ(events[1].code, static_cast<int>(Operation::clear));
  EXPECT_EQ(events[2].kind, EventKind::end);
}

TEST(Trace, IsEmptyWhenItIsOpenedAgain) {
  Traced filter = traced(testing::params_of(8, 2, 8), TraceLevel::all, 3);
  (void)filter.insert(std::uint64_t{1});
  ASSERT_TRUE(filter.watch().has_overflowed());
  ASSERT_TRUE(filter.watch().open(TraceLevel::all, 100));
  EXPECT_TRUE(filter.watch().events().empty());
  EXPECT_FALSE(filter.watch().has_overflowed());
}

TEST(Trace, ASizeHasBothHalvesOf64Bits) {
  TraceLog log;
  ASSERT_TRUE(log.open(TraceLevel::all, 2));
  const std::uint64_t size = (std::uint64_t{5} << 32) + 3;
  log.begin(Operation::insert, size);
  log.end(Operation::insert, 0, size + 1);
  ASSERT_EQ(log.events().size(), 2u);
  EXPECT_EQ(log.events()[0].bucket, 3u);
  EXPECT_EQ(log.events()[0].other_bucket, 5u);
  EXPECT_EQ(log.events()[1].bucket, 4u);
  EXPECT_EQ(log.events()[1].other_bucket, 5u);
}

TEST(Trace, LevelEndsRecordsOnlyEnds) {
  Traced filter = traced(testing::params_of(8, 2, 8), TraceLevel::ends);
  for (std::uint64_t key = 0; key < 10; ++key) (void)filter.insert(key);
  EXPECT_EQ(filter.watch().events().size(), 10u);
  for (const Event& event : filter.watch().events()) EXPECT_EQ(event.kind, EventKind::end);
}

TEST(Trace, AFullBufferIsFlagged) {
  Traced filter = traced(testing::params_of(8, 2, 8), TraceLevel::all, 7);
  for (std::uint64_t key = 0; key < 10; ++key) (void)filter.insert(key);
  EXPECT_EQ(filter.watch().events().size(), 7u);
  EXPECT_TRUE(filter.watch().has_overflowed());
  filter.watch().drain();
  EXPECT_FALSE(filter.watch().has_overflowed());
}

TEST(Trace, IsOffUntilOpened) {
  Traced filter = std::move(*Traced::create(testing::params_of(8, 2, 8)));
  (void)filter.insert(std::uint64_t{1});
  EXPECT_TRUE(filter.watch().events().empty());
}

}  // namespace
}  // namespace cuckoo
