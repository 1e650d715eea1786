// What the trace tells of a walk of kicks: the slots that are read, in their order, with looking ahead and without.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "cases.h"
#include "cuckoo/filters/filter.h"
#include "random.h"
#include "traced.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::Random;
using testing::text_of;
using testing::Traced;
using testing::traced;

/// The probes of an insert's, a lookup's or an erase's walk, said once more from the table that the events tell of.
class ProbeReader {
 public:
  explicit ProbeReader(const Params& params) : params_(params), slots_(slot_count(params)) {}

  struct Probe {
    std::uint64_t bucket;
    std::uint32_t slot, content, sought;
    bool operator==(const Probe&) const = default;
  };

  /// The slots of `bucket` up to the first that holds `sought`; whether one does.
  bool probe(std::vector<Probe>& probes, std::uint64_t bucket, std::uint32_t sought) const {
    for (std::uint32_t slot = 0; slot < params_.bucket_size; ++slot) {
      probes.push_back({bucket, slot, at(bucket, slot), sought});
      if (at(bucket, slot) == sought) return true;
    }
    return false;
  }
  /// What is read before the fingerprint to leave `bucket` is chosen, after `kicks` kicks.
  [[nodiscard]] std::vector<Probe> look_ahead(std::uint64_t bucket, std::uint32_t kicks) const {
    std::vector<Probe> probes;
    bool is_room_near = false;
    for (std::uint32_t slot = 0; slot < params_.bucket_size; ++slot) {
      is_room_near |= probe(probes, other(bucket, slot), 0);
    }
    for (std::uint32_t slot = 0; !is_room_near && kicks >= 32 && slot < params_.bucket_size; ++slot) {
      const std::uint64_t destination = other(bucket, slot);
      for (std::uint32_t next = 0; next < params_.bucket_size; ++next) {
        if (probe(probes, other(destination, next), 0)) break;
      }
    }
    return probes;
  }
  /// What is read to know whether kicks from one of these buckets to the other can end.
  [[nodiscard]] std::vector<Probe> closed_set(std::uint64_t to, std::uint64_t from) const {
    std::vector<Probe> probes;
    std::vector<std::uint64_t> met{to};
    if (from != to) met.push_back(from);
    for (std::size_t i = 0; i < met.size(); ++i) {
      if (probe(probes, met[i], 0)) break;
      for (std::uint32_t slot = 0; slot < params_.bucket_size; ++slot) {
        const std::uint64_t next = other(met[i], slot);
        if (std::find(met.begin(), met.end(), next) != met.end()) continue;
        if (met.size() == kMostClosed) return probes;
        met.push_back(next);
      }
    }
    return probes;
  }
  [[nodiscard]] bool has_room(std::uint64_t bucket) const {
    std::vector<Probe> ignored;
    return probe(ignored, bucket, 0);
  }
  /// The bucket once what was put into `slot` lies at `settled`.
  void settle(std::uint64_t bucket, std::uint32_t slot, std::uint32_t settled) {
    const std::uint32_t entry = at(bucket, slot);
    const auto first = slots_.begin() + static_cast<std::ptrdiff_t>(bucket * params_.bucket_size);
    slots_.insert(slots_.erase(first + slot) - slot + settled, entry);
  }
  std::uint32_t& at(std::uint64_t bucket, std::uint32_t slot) { return slots_[bucket * params_.bucket_size + slot]; }
  [[nodiscard]] std::uint32_t at(std::uint64_t bucket, std::uint32_t slot) const {
    return slots_[bucket * params_.bucket_size + slot];
  }

 private:
  [[nodiscard]] std::uint64_t other(std::uint64_t bucket, std::uint32_t slot) const {
    return alternate_bucket(bucket, at(bucket, slot), params_.addressing, params_.bucket_count);
  }

  Params params_;
  std::vector<std::uint32_t> slots_;
};

TEST(Trace, ProbesAreTheSlotsReadInTheirOrderUpToTheFirstThatMatchesOrHasRoom) {
  std::uint64_t late_kicks = 0, late_with_room = 0, found = 0, refused_early = 0;
  for (const Params& params :
       {testing::params_of(90, 3, 9), testing::params_of(16, 4, 8), testing::params_of(61, 2, 12),
        testing::params_of(32, 3, 7, Addressing::xor_power_of_two)}) {
    Random random(params.seed);
    Traced filter = traced(params);
    ProbeReader reader(params);
    for (std::uint64_t i = 0; i < 6 * slot_count(params); ++i) {
      const Hash key = xxh64_of_integer(random.below(2 * slot_count(params)), 1);
      const Location at = locate(key, params);
      const std::uint64_t action = random.below(8);
      std::vector<ProbeReader::Probe> expected, seen;
      const auto probe_both = [&](std::uint32_t sought) {
        return reader.probe(expected, at.primary.bucket, sought) || reader.probe(expected, at.alternate.bucket, sought);
      };
      if (action == 0) {
        found += probe_both(at.primary.entry) ? 1 : 0;
        (void)filter.erase(key);
      } else if (action == 1) {
        reader.probe(expected, at.primary.bucket, at.primary.entry);
        reader.probe(expected, at.alternate.bucket, at.primary.entry);
        (void)filter.contains(key);
      } else {
        probe_both(0);
        (void)filter.insert(key);
      }
      Event last;
      for (const Event& event : filter.watch().events()) {
        const bool is_late = last.kind == EventKind::kick && last.kick == 32;
        if (is_late && (event.kind == EventKind::kick || event.kind == EventKind::undo)) {
          const auto read = reader.closed_set(last.other_bucket, last.bucket);
          expected.insert(expected.end(), read.begin(), read.end());
          refused_early += event.kind == EventKind::undo ? 1 : 0;
        }
        if (event.kind != EventKind::probe) last = event;
        if (event.kind == EventKind::probe) seen.push_back({event.bucket, event.slot, event.before, event.detail});
        if (event.kind == EventKind::kick) {
          const auto ahead = reader.look_ahead(event.bucket, event.kick - 1);
          expected.insert(expected.end(), ahead.begin(), ahead.end());
          EXPECT_EQ((event.flags & kHasRoom) != 0, reader.has_room(event.other_bucket));
          EXPECT_TRUE(event.kick > 32 || (event.flags & kLeadsToRoom) == 0);
          EXPECT_EQ(event.flags & ~(kHasRoom | kLeadsToRoom), 0);
          late_kicks += event.kick > 32 ? 1 : 0;
          late_with_room += (event.flags & kLeadsToRoom) != 0 ? 1 : 0;
          EXPECT_NE(event.detail & 1, 0u);
        }
        const bool is_change = event.kind == EventKind::place || event.kind == EventKind::kick ||
                               event.kind == EventKind::undo || event.kind == EventKind::remove;
        if (!is_change) continue;
        if (event.kind == EventKind::place && event.kick > 0) reader.probe(expected, event.bucket, 0);
        reader.at(event.bucket, event.slot) = event.after;
      }
      ASSERT_TRUE(seen == expected) << text_of(params) << " operation " << i;
      ASSERT_FALSE(filter.watch().has_overflowed());
      filter.watch().drain();
    }
  }
  EXPECT_GT(late_kicks, 100u);
  EXPECT_GT(late_with_room, 2u);
  EXPECT_GT(found, 20u);
  EXPECT_GT(refused_early, 10u);
}

/// Walks of more than one kick, and inserts refused.
struct Walks {
  std::uint64_t longer = 0, refused = 0;
};

void expect_algorithm_one(const Params& params, Walks& walks) {
  Random random(params.seed);
  Traced filter = traced(params);
  ASSERT_TRUE(filter.watch().open(TraceLevel::all, 1 << 16, false));
  ProbeReader reader(params);
  std::vector<Hash> stored;
  for (std::uint64_t i = 0; i < slot_count(params) + 4; ++i) {
    const Hash key{random.next()};
    const Location at = locate(key, params);
    const std::vector<std::uint8_t> before(Access::entries(filter).table().bytes().begin(),
                                           Access::entries(filter).table().bytes().end());
    std::vector<ProbeReader::Probe> expected, seen;
    if (!reader.probe(expected, at.primary.bucket, 0)) reader.probe(expected, at.alternate.bucket, 0);
    const InsertOutcome outcome = filter.insert(key);
    std::optional<std::uint32_t> next_read;
    for (const Event& event : filter.watch().events()) {
      if (next_read && event.kind != EventKind::encode) {
        reader.probe(expected, *next_read, 0);
        next_read.reset();
      }
      if (event.kind == EventKind::probe) seen.push_back({event.bucket, event.slot, event.before, event.detail});
      if (event.kind == EventKind::kick) {
        // The highest lot in the bucket, whether or not that entry would find room.
        for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
          EXPECT_GE(event.before * event.detail, reader.at(event.bucket, slot) * event.detail);
        }
        EXPECT_EQ((event.flags & kHasRoom) != 0, reader.has_room(event.other_bucket));
        EXPECT_EQ(event.flags & ~kHasRoom, 0);
        walks.longer += event.kick > 1 ? 1 : 0;
        next_read = event.other_bucket;
      }
      if (event.kind == EventKind::encode) reader.settle(event.bucket, event.slot, event.detail);
      const bool is_change =
          event.kind == EventKind::place || event.kind == EventKind::kick || event.kind == EventKind::undo;
      if (is_change) reader.at(event.bucket, event.slot) = event.after;
    }
    ASSERT_TRUE(seen == expected) << text_of(params) << " operation " << i;
    ASSERT_FALSE(filter.watch().has_overflowed());
    if (outcome == InsertOutcome::inserted) {
      stored.push_back(key);
    } else {
      ++walks.refused;
      ASSERT_TRUE(std::ranges::equal(Access::entries(filter).table().bytes(), before)) << text_of(params);
    }
    filter.watch().drain();
  }
  for (const Hash key : stored) ASSERT_TRUE(filter.contains(key)) << text_of(params);
}

TEST(Trace, WithoutLookingAheadAWalkIsAlgorithmOneAndARefusalStillChangesNothing) {
  Walks walks;
  testing::for_all_params({2, 7, 32}, [&](const Params& params) { expect_algorithm_one(params, walks); });
  EXPECT_GT(walks.longer, 100u);
  EXPECT_GT(walks.refused, 100u);
}

// Some of these shapes, because the test above takes too long to be asked about each mutant.
TEST(Trace, WithoutLookingAheadAWalkIsAlgorithmOneInSomeShapes) {
  Walks walks;
  testing::for_all_storages(testing::params_of(7, 4, 8),
                            [&](const Params& params) { expect_algorithm_one(params, walks); });
  expect_algorithm_one(testing::params_of(32, 2, 12), walks);
  expect_algorithm_one(testing::params_of(32, 3, 7, Addressing::xor_power_of_two), walks);
  EXPECT_GT(walks.longer, 10u);
  EXPECT_GT(walks.refused, 5u);
}

}  // namespace
}  // namespace cuckoo
