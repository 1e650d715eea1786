#include "cuckoo/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cases.h"
#include "cuckoo/filter.h"
#include "random.h"

namespace cuckoo {
namespace {

using testing::Random;
using testing::text_of;
using Traced = Filter<TraceLog>;

Traced traced(const Params& params, TraceLevel level = TraceLevel::all, std::size_t capacity = 1 << 16) {
  Traced filter = std::move(*Traced::create(params));
  EXPECT_TRUE(filter.trace().open(level, capacity));
  return filter;
}

/// The table as a reader of the trace sees it. Applying an event checks that it is lawful.
class Reader {
 public:
  explicit Reader(const Params& params) : params_(params), slots_(slot_count(params)) {}

  void apply(const Event& event) {
    switch (event.kind) {
      case EventKind::locate:
        EXPECT_EQ(other(event.bucket, event.after), event.other_bucket);
        EXPECT_EQ(stored_fingerprint(event.before), event.after);
        EXPECT_EQ((event.flags & kHomesCoincide) != 0, event.bucket == event.other_bucket);
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
      if (table.get(i / params_.bucket_size, static_cast<std::uint32_t>(i % params_.bucket_size)) != slots_[i])
        return false;
    }
    return true;
  }

 private:
  std::uint32_t& at(const Event& event) { return slots_[std::size_t{event.bucket} * params_.bucket_size + event.slot]; }
  [[nodiscard]] std::uint64_t other(std::uint64_t bucket, std::uint32_t fingerprint) const {
    return alternate(bucket, fingerprint, params_.addressing, params_.bucket_count);
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
    EXPECT_LE(event.kick, params_.max_kicks);
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
      const Hash key = hash_integer(random.below(2 * slot_count(params)), 1);
      if (random.below(4) == 0) {
        filter.erase(key);
      } else {
        (void)filter.insert(key);
      }
      const std::span<const Event> events = filter.trace().events();
      for (const Event& event : events) reader.apply(event);
      ASSERT_TRUE(reader.shows(filter.table())) << text_of(params);
      for (std::size_t e = events.size(); e-- > 0;) reader.undo(events[e]);
      for (const Event& event : events) reader.apply(event);
      ASSERT_TRUE(reader.shows(filter.table())) << text_of(params);
      ASSERT_FALSE(filter.trace().has_overflowed());
      filter.trace().drain();
    }
  });
}

TEST(Trace, GivesTheSameBytesAsNoTrace) {
  testing::for_all_params({1, 13, 64}, [](const Params& params) {
    Random random(params.seed);
    Traced with = traced(params);
    Filter<> without = std::move(*Filter<>::create(params));
    for (std::uint64_t i = 0; i < slot_count(params) + 5; ++i) {
      const Hash key{random.next()};
      ASSERT_EQ(with.insert(key), without.insert(key));
      ASSERT_EQ(with.contains(key), without.contains(key));
      with.trace().drain();
    }
    ASSERT_TRUE(std::ranges::equal(with.table().bytes(), without.table().bytes())) << text_of(params);
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
      filter.erase(key);
    } else {
      (void)filter.insert(key);
    }
    for (const Event& event : filter.trace().events()) {
      if (event.kind != EventKind::encode) continue;
      EXPECT_EQ(event.before, codes[event.bucket]);
      codes[event.bucket] = event.after;
      ++encoded;
    }
    filter.trace().drain();
    for (std::uint32_t bucket = 0; bucket < 2; ++bucket) EXPECT_EQ(filter.table().code(bucket), codes[bucket]);
  }
  EXPECT_GE(encoded, 8);
}

TEST(Trace, AnOperationBeginsAndEnds) {
  Traced filter = traced(testing::params_of(8, 2, 8));
  (void)filter.insert(std::uint64_t{1});
  (void)filter.contains(std::uint64_t{1});
  (void)filter.count(std::uint64_t{1});
  (void)filter.erase(std::uint64_t{1});
  filter.clear();
  std::uint32_t operation = 0;
  for (const Event& event : filter.trace().events()) {
    if (event.kind == EventKind::begin) ++operation;
    EXPECT_EQ(event.operation, operation);
  }
  EXPECT_EQ(operation, 5u);
  const Event last = filter.trace().events().back();
  EXPECT_EQ(last.kind, EventKind::end);
  EXPECT_EQ(last.before, static_cast<std::uint32_t>(Operation::clear));
}

TEST(Trace, LevelEndsRecordsOnlyEnds) {
  Traced filter = traced(testing::params_of(8, 2, 8), TraceLevel::ends);
  for (std::uint64_t key = 0; key < 10; ++key) (void)filter.insert(key);
  EXPECT_EQ(filter.trace().events().size(), 10u);
  for (const Event& event : filter.trace().events()) EXPECT_EQ(event.kind, EventKind::end);
}

TEST(Trace, AFullBufferIsFlagged) {
  Traced filter = traced(testing::params_of(8, 2, 8), TraceLevel::all, 7);
  for (std::uint64_t key = 0; key < 10; ++key) (void)filter.insert(key);
  EXPECT_EQ(filter.trace().events().size(), 7u);
  EXPECT_TRUE(filter.trace().has_overflowed());
  filter.trace().drain();
  EXPECT_FALSE(filter.trace().has_overflowed());
}

TEST(Trace, IsOffUntilOpened) {
  Traced filter = std::move(*Traced::create(testing::params_of(8, 2, 8)));
  (void)filter.insert(std::uint64_t{1});
  EXPECT_TRUE(filter.trace().events().empty());
}

}  // namespace
}  // namespace cuckoo
