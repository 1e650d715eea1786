// What the trace tells of a walk of kicks: the slots that are read, in their order, with looking ahead and without.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
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
  [[nodiscard]] std::uint64_t other(std::uint64_t bucket, std::uint32_t slot) const {
    return alternate_bucket(bucket, at(bucket, slot), params_.addressing, params_.bucket_count);
  }

 private:
  Params params_;
  std::vector<std::uint32_t> slots_;
};

TEST(Trace, ProbesAreTheSlotsReadInTheirOrderUpToTheFirstThatMatchesOrHasRoom) {
  std::uint64_t kicks = 0, found = 0;
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
      for (const Event& event : filter.watch().events()) {
        if (event.kind == EventKind::probe) seen.push_back({event.bucket, event.slot, event.before, event.detail});
        if (event.kind == EventKind::kick) {
          EXPECT_EQ(event.flags, reader.has_room(event.other_bucket) ? kHasRoom : 0);
          EXPECT_EQ(event.detail, 0u);
          ++kicks;
        }
        EXPECT_NE(event.kind, EventKind::undo);
        const bool is_change =
            event.kind == EventKind::place || event.kind == EventKind::kick || event.kind == EventKind::remove;
        if (!is_change) continue;
        if (event.kind == EventKind::place && event.kick > 0) reader.probe(expected, event.bucket, 0);
        reader.at(event.bucket, event.slot) = event.after;
      }
      ASSERT_TRUE(seen == expected) << text_of(params) << " operation " << i;
      ASSERT_FALSE(filter.watch().has_overflowed());
      filter.watch().drain();
    }
  }
  EXPECT_GT(kicks, 100u);
  EXPECT_GT(found, 20u);
}

/// The looks of one search, checked against the table before it.
struct LookReader {
  const ProbeReader& reader;
  const Params& params;
  std::map<std::uint64_t, std::uint32_t> kicks_to;  ///< of each bucket that was reached
  std::uint32_t told = 0;
  bool has_more = false;

  void apply(const Event& look) {
    ASSERT_FALSE(has_more);
    ++told;
    has_more = (look.flags & kMoreLooks) != 0;
    ASSERT_EQ(has_more && told != kMaxLooks, false);
    const auto from = kicks_to.find(look.other_bucket);
    ASSERT_NE(from, kicks_to.end()) << "from a bucket that was reached";
    ASSERT_EQ(look.kick, from->second + 1);
    ASSERT_EQ(look.before, reader.at(look.other_bucket, look.slot));
    ASSERT_EQ(look.after, look.before);
    ASSERT_EQ(look.bucket, reader.other(look.other_bucket, look.slot));
    ASSERT_EQ((look.flags & kHasRoom) != 0, reader.has_room(look.bucket));
    kicks_to.emplace(look.bucket, look.kick);
  }
};

TEST(Trace, LooksLeadFromTheCandidateBucketsToTheEndOfThePathAndNoFurtherThanCanBeDrawn) {
  std::uint64_t cut_short = 0, searched = 0, refused = 0;
  testing::for_all_params({3, 16, 64, 151}, [&](const Params& params) {
    Random random(params.seed);
    Traced filter = traced(params);
    ProbeReader reader(params);
    for (std::uint64_t i = 0; i < slot_count(params) + 3; ++i) {
      const Hash key{random.next()};
      const Location at = locate(key, params);
      LookReader looks{reader, params, {{at.primary.bucket, 0}, {at.alternate.bucket, 0}}};
      const InsertOutcome outcome = filter.insert(key);
      Event last, last_kick;
      for (const Event& event : filter.watch().events()) {
        if (event.kind == EventKind::look) looks.apply(last = event);
        if (event.kind == EventKind::kick) last_kick = event;
        if (event.kind == EventKind::encode) reader.settle(event.bucket, event.slot, event.detail);
        if (event.kind == EventKind::place || event.kind == EventKind::kick) {
          reader.at(event.bucket, event.slot) = event.after;
        }
      }
      ASSERT_FALSE(::testing::Test::HasFailure()) << text_of(params) << " insert " << i;
      searched += looks.told > 0 ? 1 : 0;
      cut_short += looks.has_more ? 1 : 0;
      refused += outcome == InsertOutcome::full ? 1 : 0;
      if (last_kick.kick > 0 && !looks.has_more) {
        ASSERT_EQ(last.other_bucket, last_kick.bucket) << "the last bucket that is read has the last kick";
        ASSERT_EQ(last.kick, last_kick.kick);
      }
      ASSERT_EQ(outcome == InsertOutcome::too_many_copies && looks.told > 0, false);
      filter.watch().drain();
    }
  });
  EXPECT_GT(searched, 1000u);
  EXPECT_GT(cut_short, testing::runs(10, 50));
  EXPECT_GT(refused, 100u);
}

/// Walks of more than one kick, and inserts refused.
struct Walks {
  std::uint64_t longer = 0, refused = 0;
};

constexpr std::uint32_t kMaxOfWalk = 40;

void expect_algorithm_one(const Params& params, Walks& walks) {
  Random random(params.seed);
  Traced filter = traced(params);
  ASSERT_TRUE(filter.watch().open(TraceLevel::all, 1 << 16, Kicking::random_walk, kMaxOfWalk));
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
      EXPECT_NE(event.kind, EventKind::look);
      EXPECT_LE(event.kick, kMaxOfWalk);
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

TEST(Trace, ARandomWalkIsAlgorithmOneAndARefusalStillChangesNothing) {
  Walks walks;
  testing::for_all_params({2, 7, 32}, [&](const Params& params) { expect_algorithm_one(params, walks); });
  EXPECT_GT(walks.longer, 100u);
  EXPECT_GT(walks.refused, 100u);
}

// Some of these shapes, because the test above takes too long to be asked about each mutant.
TEST(Trace, ARandomWalkIsAlgorithmOneInSomeShapes) {
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
