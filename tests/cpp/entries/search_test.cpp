#include "cuckoo/detail/entries/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "cases.h"
#include "cuckoo/detail/entries/later_table.h"
#include "cuckoo/filters/filter.h"
#include "random.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::Random;
using testing::text_of;

/// Full buckets of random entries, but for a slot in about every `rarity`-th bucket.
Buckets nearly_full(const Params& params, std::uint64_t rarity, Random& random) {
  Buckets buckets(std::move(*Table::create(params)));
  for (std::uint64_t bucket = 0; bucket < params.bucket_count; ++bucket) {
    const bool has_room = random.below(rarity) == 0;
    for (std::uint32_t slot = has_room ? 1 : 0; slot < params.bucket_size; ++slot) {
      const std::uint32_t entry = locate(Hash{random.next()}, params).primary.entry;
      (void)buckets.table().insert(bucket, with_value(entry, random.below(1u << params.value_bits), params));
    }
  }
  return buckets;
}
Location somewhere(const Params& params, Random& random) { return locate(Hash{random.next()}, params); }
bool has_room(const Table& table, const Location& at) {
  return table.has_room(at.primary.bucket) || table.has_room(at.alternate.bucket);
}
std::vector<std::uint8_t> bytes_of(const Buckets& buckets) {
  return {buckets.table().bytes().begin(), buckets.table().bytes().end()};
}

/// The kicks of a path from its near end, and where it ends.
struct Found {
  std::vector<Kick> kicks;
  Candidate end{};
  std::uint32_t read_count = 0;
};
template <class AnyTable>
std::optional<Found> found(const AnyTable& table, const Params& params, const Location& at) {
  Search search(table, params);
  if (!search.find(at)) return std::nullopt;
  Found found{{}, search.end(), search.read_count()};
  search.each_kick([&](const Kick& kick) { return found.kicks.insert(found.kicks.begin(), kick), true; });
  EXPECT_EQ(search.size(), found.kicks.size());
  // The bucket that was read last is the one from which the path leads to room.
  EXPECT_EQ(search.bucket_read(search.read_count() - 1), found.kicks.back().bucket) << text_of(params);
  return found;
}
/// The buckets that entries can reach from the candidate buckets of `at`, and after how many kicks at least.
std::map<std::uint32_t, std::uint32_t> reached(const Table& table, const Params& params, const Location& at) {
  std::map<std::uint32_t, std::uint32_t> all{{at.primary.bucket, 0}, {at.alternate.bucket, 0}};
  std::vector<std::uint32_t> queue{at.primary.bucket, at.alternate.bucket};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
      const std::uint32_t entry = table.read(queue[i])[slot];
      if (entry == 0) continue;
      const std::uint32_t next = other({queue[i], entry}, params).bucket;
      if (all.emplace(next, all[queue[i]] + 1).second) queue.push_back(next);
    }
  }
  return all;
}

template <class Check>
void for_many_params(Check check) {
  testing::for_all_params({1, 2, 3, 16, 64, 65, 131}, check);
  testing::for_all_growing_params(check);
}

TEST(Search, FindsTheFewestKicksToRoomExactlyIfAnyLeadThere) {
  Random random(12);
  int none = 0, some = 0;
  std::uint32_t longest = 0;
  for_many_params([&](const Params& params) {
    const Buckets buckets = nearly_full(params, 1 + random.below(2 * params.bucket_count), random);
    const Location at = somewhere(params, random);
    if (has_room(buckets.table(), at)) return;
    std::optional<std::uint32_t> least;
    const auto all = reached(buckets.table(), params, at);
    for (const auto& [bucket, kicks] : all) {
      if (buckets.table().has_room(bucket)) least = std::min(least.value_or(kicks), kicks);
    }
    const std::optional<Found> path = found(buckets, params, at);
    ASSERT_EQ(path.has_value(), least.has_value()) << text_of(params);
    ++(path ? some : none);
    if (path) longest = std::max(longest, *least);
    if (path) {
      ASSERT_EQ(path->kicks.size(), *least) << text_of(params);
    }
    Search search(buckets, params);
    if (!search.find(at)) {
      ASSERT_EQ(search.read_count(), all.size()) << text_of(params);
    }
  });
  EXPECT_GT(none, testing::runs(300, 800));
  EXPECT_GT(some, testing::runs(200, 800));
  EXPECT_GT(longest, 3u);
}

TEST(Search, APathGoesFromBucketToBucketEachOnce) {
  Random random(13);
  std::size_t longest = 0;
  for_many_params([&](const Params& params) {
    const Buckets buckets = nearly_full(params, params.bucket_count, random);
    const Location at = somewhere(params, random);
    const std::optional<Found> path = has_room(buckets.table(), at) ? std::nullopt : found(buckets, params, at);
    if (!path) return;
    longest = std::max(longest, path->kicks.size());
    ASSERT_TRUE(buckets.table().has_room(path->end.bucket));
    std::set<std::uint32_t> seen{path->end.bucket};
    Candidate here{path->kicks[0].bucket, path->kicks[0].incoming};
    ASSERT_TRUE(here == at.primary || here == at.alternate);
    for (const Kick& kick : path->kicks) {
      ASSERT_EQ(Candidate(kick.bucket, kick.incoming), here);
      ASSERT_TRUE(seen.insert(kick.bucket).second) << text_of(params);
      ASSERT_NE(buckets.table().count(kick.bucket, kick.victim), 0u);
      here = other({kick.bucket, kick.victim}, params);
      ASSERT_EQ(here, kick.destination);
    }
    ASSERT_EQ(here, path->end);
  });
  EXPECT_GT(longest, 3u);
}

TEST(Search, DoesNotDependOnTheOrderOfTheSlotsAndChangesNoByte) {
  Random random(7);
  int compared = 0;
  for_many_params([&](Params params) {
    params.storage = Storage::plain;
    params.spared_quarters = 0;
    Buckets buckets = nearly_full(params, params.bucket_count, random);
    const std::vector<std::uint8_t> before = bytes_of(buckets);
    const Location at = somewhere(params, random);
    if (has_room(buckets.table(), at)) return;
    const std::optional<Found> first = found(buckets, params, at);
    ASSERT_EQ(bytes_of(buckets), before) << text_of(params);
    for (std::uint64_t bucket = 0; bucket < params.bucket_count; ++bucket) {
      Slots slots = buckets.table().read(bucket);
      for (std::uint32_t i = params.bucket_size; i > 1; --i) std::swap(slots[i - 1], slots[random.below(i)]);
      buckets.table().write(bucket, slots);
    }
    const std::optional<Found> second = found(buckets, params, at);
    ASSERT_EQ(first.has_value(), second.has_value());
    if (!first) return;
    ++compared;
    ASSERT_TRUE(first->kicks == second->kicks && first->end == second->end) << text_of(params);
  });
  EXPECT_GT(compared, testing::runs(200, 800));
}

TEST(Search, ThePathOfANewEntryDoesNotDependOnItsValue) {
  Params params = testing::params_of(64, 4, 12);
  params.value_bits = 4;
  Random random(11);
  int compared = 0;
  for (int round = 0; round < 200; ++round) {
    const Buckets buckets = nearly_full(params, 40, random);
    const Location at = somewhere(params, random);
    if (has_room(buckets.table(), at)) continue;
    Location valued = at;
    for (Candidate* here : {&valued.primary, &valued.alternate}) here->entry = with_value(here->entry, 5, params);
    const std::optional<Found> first = found(buckets, params, at);
    const std::optional<Found> second = found(buckets, params, valued);
    ASSERT_EQ(first.has_value(), second.has_value());
    if (!first) continue;
    ++compared;
    ASSERT_EQ(first->kicks.size(), second->kicks.size());
    for (std::size_t i = 0; i < first->kicks.size(); ++i) EXPECT_EQ(first->kicks[i].victim, second->kicks[i].victim);
  }
  EXPECT_GT(compared, 50);
}

TEST(Search, ReadsTwoThousandBucketsAtMost) {
  for (const auto& [m, b] : {std::pair(5000u, 4u), std::pair(9000u, 1u), std::pair(3000u, 8u)}) {
    const Params params = testing::params_of(m, b, 16);
    Random random(3);
    const Buckets buckets = nearly_full(params, ~std::uint64_t{0}, random);
    std::uint32_t most = 0;
    Search search(buckets, params);
    for (int i = 0; i < 50; ++i) {
      ASSERT_FALSE(search.find(somewhere(params, random)));
      most = std::max(most, search.read_count());
    }
    EXPECT_LE(most, 2000u);
    EXPECT_EQ(most == 2000, b > 1);
  }
  static_assert(sizeof(Search<Buckets>) <= 32 << 10, "WebAssembly has a stack of 64 kB");
}

TEST(Search, IsAsGoodTheSecondTime) {
  Random random(21);
  int compared = 0;
  for_many_params([&](const Params& params) {
    const Buckets buckets = nearly_full(params, 2 * params.bucket_count, random);
    const Location first = somewhere(params, random), second = somewhere(params, random);
    if (has_room(buckets.table(), first) || has_room(buckets.table(), second)) return;
    Search fresh(buckets, params), used(buckets, params);
    (void)used.find(first);
    const bool is_found = fresh.find(second);
    ASSERT_EQ(used.find(second), is_found) << text_of(params);
    ASSERT_EQ(used.read_count(), fresh.read_count()) << text_of(params);
    if (!is_found) return;
    ++compared;
    ASSERT_TRUE(used.end() == fresh.end() && used.size() == fresh.size()) << text_of(params);
  });
  EXPECT_GT(compared, testing::runs(50, 200));
}

/// A table that other threads change: a slot is found empty only when its bucket is read.
struct ChangingBuckets {
  static constexpr bool kIsShared = true;
  const Buckets& buckets;
  [[nodiscard]] Slots read(std::uint64_t bucket) const { return buckets.read(bucket); }
  [[nodiscard]] static bool has_room(std::uint64_t) { return false; }
};

TEST(Search, EndsAtABucketThatAnotherThreadHasEmptiedASlotOf) {
  Random random(22);
  std::uint32_t longest = 0;
  for (std::uint32_t bucket_size = 2; bucket_size <= kMaxBucketSize; ++bucket_size) {
    const Params params = testing::params_of(64, bucket_size, 12);
    for (int round = 0; round < 20; ++round) {
      Buckets buckets = nearly_full(params, ~std::uint64_t{0}, random);
      const Location at = somewhere(params, random);
      const auto all = reached(buckets.table(), params, at);
      const auto [emptied, kicks] = *std::next(all.begin(), static_cast<int>(random.below(all.size())));
      buckets.table().set(emptied, static_cast<std::uint32_t>(random.below(bucket_size)), 0);
      const ChangingBuckets changing{buckets};
      Search search(changing, params);
      ASSERT_TRUE(search.find(at));
      EXPECT_EQ(search.end().bucket, emptied);
      EXPECT_EQ(search.size(), kicks);
      longest = std::max(longest, kicks);
    }
  }
  EXPECT_GT(longest, 2u);
}

TEST(Search, ARefusedEntryHasTooManyCopiesOnlyIfTheyFillBothBuckets) {
  const Params params = testing::params_of(64, 4, 12);
  Random random(23);
  Buckets buckets = nearly_full(params, ~std::uint64_t{0}, random);
  Location at = somewhere(params, random);
  while (at.primary.bucket == at.alternate.bucket) at = somewhere(params, random);
  const auto refused = [&] { return insert(buckets, params, Operation::insert, at).outcome; };
  const auto fill = [&](Candidate here) {
    for (std::uint32_t slot = 0; slot < 4; ++slot) buckets.table().set(here.bucket, slot, here.entry);
  };
  fill(at.primary);
  EXPECT_EQ(refused(), InsertOutcome::full);
  fill(at.alternate);
  EXPECT_EQ(refused(), InsertOutcome::too_many_copies);

  // One bucket holds the entry in two forms, until the table has grown.
  Params growing = params;
  growing.bucket_count = 1;
  growing.reserved_bits = 4;
  while (at.primary.entry == at.alternate.entry) at = somewhere(growing, random);
  Buckets one(std::move(*Table::create(growing)));
  for (const Candidate here : {at.primary, at.primary, at.alternate, at.alternate}) one.insert(here);
  EXPECT_EQ(insert(one, growing, Operation::insert, at).outcome, InsertOutcome::too_many_copies);
}

TEST(Search, OfATableThatMovesFindsTheSamePathAndMovesNothing) {
  Random random(5);
  int compared = 0;
  testing::for_all_growing_params([&](const Params& params) {
    if (params.bucket_count < 3) return;
    Buckets buckets = nearly_full(params, 5, random);
    if (!buckets.begin_moving(params)) return;
    const Params after = doubled(params);
    const Buckets settled(std::move(*buckets.finished_copy(after)));
    for (int i = 0; i < 50; ++i) {
      const Location at = somewhere(after, random);
      if (has_room(settled.table(), at)) continue;
      ++compared;
      const std::optional<Found> moving = found(buckets, after, at);
      const std::optional<Found> moved = found(settled, after, at);
      ASSERT_EQ(moving.has_value(), moved.has_value());
      if (!moving) continue;
      ASSERT_TRUE(moving->kicks == moved->kicks && moving->end == moved->end) << text_of(params);
    }
    ASSERT_TRUE(buckets.has(Work::moving));
  });
  EXPECT_GT(compared, testing::runs(20, 200));
}

TEST(Search, KnowsBeforeATableDoublesWhetherAnEntryFindsRoomAfterwards) {
  Random random(6);
  int yes = 0, no = 0;
  testing::for_all_growing_params([&](const Params& params) {
    Buckets now(std::move(*Table::create(params)));
    std::vector<Hash> hashes(2 + random.below(3));  // few, so that doublings help little
    for (Hash& hash : hashes) hash = Hash{random.next()};
    for (std::uint64_t i = 0; i < slot_count(params); ++i) {
      (void)insert(now, params, Operation::insert, locate(hashes[random.below(hashes.size())], params));
    }
    const Buckets before(std::move(*now.finished_copy(params)));
    Params then = params;
    for (std::uint32_t r = 0; r < params.reserved_bits; ++r) {
      ASSERT_TRUE(now.begin_moving(then));
      now.work_some(~std::uint64_t{0});
      then = doubled(then);
      for (const Hash hash : {hashes[0], Hash{random.next()}}) {
        const Location at = locate(hash, then);
        Buckets copy(std::move(*now.finished_copy(then)));
        const bool fits = insert(copy, then, Operation::insert, at).outcome == InsertOutcome::inserted;
        ASSERT_EQ(finds_room(before, params, then, hash), fits) << text_of(params);
        ++(fits ? yes : no);
      }
    }
  });
  EXPECT_GT(yes, testing::runs(100, 400));
  EXPECT_GT(no, testing::runs(20, 80));
}

/// Says how many kicks the last insert took.
struct LastKicks : NoWatch {
  void end_insert(InsertOutcome, std::uint32_t kicks) { last = kicks; }
  std::uint32_t last = 0;
};

TEST(Search, AnInsertMakesThePathAndARefusedOneChangesNoByte) {
  std::uint64_t refused = 0, kicked = 0;
  testing::for_all_params({1, 2, 5, 64, 67, 150}, [&](const Params& params) {
    if (params.fingerprint_bits % 3 != 0) return;  // a third of the widths, as each fills a table
    auto filter = std::move(*BasicFilter<Entries<LastKicks>>::create(params));
    Random random(13);
    for (int left = 3, tried = 0; left > 0 && tried < 1000; ++tried) {
      const Hash hash{random.next()};
      const Buckets before(std::move(*Access::entries(filter).buckets().finished_copy(params)));
      const Location at = locate(hash, params);
      const bool is_direct = has_room(before.table(), at);
      const std::optional<Found> path = is_direct ? std::nullopt : found(before, params, at);
      const InsertOutcome outcome = filter.insert(hash);
      ASSERT_EQ(outcome == InsertOutcome::inserted, is_direct || path) << text_of(params);
      const Table& table = Access::entries(filter).table();
      if (outcome != InsertOutcome::inserted) {
        --left;
        ++refused;
        ASSERT_TRUE(std::ranges::equal(table.bytes(), before.table().bytes())) << text_of(params);
      } else if (path) {
        ++kicked;
        ASSERT_EQ(filter.watch().last, path->kicks.size());
        for (const Kick& kick : path->kicks) ASSERT_NE(table.count(kick.bucket, kick.incoming), 0u);
        ASSERT_NE(table.count(path->end.bucket, path->end.entry), 0u);
      }
    }
  });
  EXPECT_GT(refused, testing::runs(100, 200));
  EXPECT_GT(kicked, testing::runs(300, 600));
}

/// The hash of a table's bytes after random keys until three were refused.
std::uint64_t filled_until_refused(Params params) {
  params.seed = 0;
  Filter filter = std::move(*Filter::create(params));
  Random random(11);
  for (int refused = 0; refused < 3;) refused += filter.insert(Hash{random.next()}) != InsertOutcome::inserted ? 1 : 0;
  return static_cast<std::uint64_t>(xxh64(Access::entries(filter).table().bytes(), 0));
}

// Which kicks are made decides the content. At 32 bits every bit of an entry counts.
TEST(Search, GivesThePinnedContentAtTheWidestFingerprints) {
  Params params = testing::params_of(97, 4, 32);
  EXPECT_EQ(filled_until_refused(params), 0x4AC3350B56482F44u);
  params = testing::params_of(1009, 2, 32);
  EXPECT_EQ(filled_until_refused(params), 0x8C68330BAB931204u);
  params = testing::params_of(256, 8, 32, Addressing::xor_power_of_two);
  EXPECT_EQ(filled_until_refused(params), 0x16C4D09075810721u);
  params = testing::params_of(97, 4, 32);
  params.storage = Storage::semi_sorted;
  EXPECT_EQ(filled_until_refused(params), 0x6A6B81A6750B90CEu);
  params = testing::params_of(37, 4, 28);
  params.reserved_bits = 4;
  EXPECT_EQ(filled_until_refused(params), 0x8258B9F36015E19Bu);
}

}  // namespace
}  // namespace cuckoo
