#include "cuckoo/entries/path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "cases.h"
#include "cuckoo/filters/filter.h"
#include "random.h"

namespace cuckoo {

using namespace detail;
namespace {

TEST(Kick, TheVictimDoesNotDependOnTheOrderOfTheSlots) {
  testing::Random random(7);
  for (int round = 0; round < 2000; ++round) {
    const Params params = testing::params_of(8 + random.below(9), static_cast<std::uint32_t>(1 + random.below(8)),
                                             static_cast<std::uint32_t>(2 + random.below(31)));
    Buckets buckets(std::move(*Table::create(params)));
    Table& table = buckets.table();
    for (std::uint64_t i = 0; i < slot_count(params); ++i) {
      const auto content = static_cast<std::uint32_t>(random.next() & testing::all_ones(table.layout()));
      const bool is_kicked_bucket = i < params.bucket_size;
      table.set(i / params.bucket_size, static_cast<std::uint32_t>(i % params.bucket_size),
                is_kicked_bucket && content == 0 ? 1 : content);
    }
    std::vector<std::uint32_t> slots(params.bucket_size);
    for (std::uint32_t j = 0; j < params.bucket_size; ++j) slots[j] = table.read(0)[j];
    std::sort(slots.begin(), slots.end());
    const std::uint32_t draw = static_cast<std::uint32_t>(random.next()) | 1;
    const Choice first = choose_kick(buckets, params, 0, draw, 0);
    EXPECT_EQ(table.read(0)[first.slot], first.victim);
    EXPECT_EQ(first.destination.bucket, alternate_bucket(0, first.victim, params.addressing, params.bucket_count));
    EXPECT_EQ(first.reach, table.has_room(first.destination.bucket) ? Reach::room : Reach::far);
    const Choice late = choose_kick(buckets, params, 0, draw, kNearKicks);
    EXPECT_EQ(late.reach == Reach::room, first.reach == Reach::room);
    if (late.reach == Reach::one_kick) {
      EXPECT_TRUE(leads_to_room(buckets, params, late.destination.bucket));
    }
    if (late.reach == Reach::far) {
      EXPECT_FALSE(leads_to_room(buckets, params, late.destination.bucket));
    }
    for (std::uint32_t j = 0; j < params.bucket_size; ++j) table.set(0, j, slots[j]);
    EXPECT_EQ(choose_kick(buckets, params, 0, draw, 0).victim, first.victim) << testing::text_of(params);
    EXPECT_EQ(choose_kick(buckets, params, 0, draw, kNearKicks).victim, late.victim) << testing::text_of(params);
  }
}

TEST(Kick, ThePathOfANewEntryDoesNotDependOnItsValue) {
  Params params = testing::params_of(64, 4, 12);
  params.value_bits = 4;
  params.max_kicks = 100;
  testing::Random random(11);
  int short_paths = 0;
  for (int round = 0; round < 50; ++round) {
    Buckets first(std::move(*Table::create(params)));
    Buckets second(std::move(*Table::create(params)));
    for (std::uint32_t i = 0; i < slot_count(params); ++i) {
      const std::uint32_t entry = i % 23 == 22 ? 0 : static_cast<std::uint32_t>(1 + random.below(4095));
      for (Buckets* one : {&first, &second}) one->table().set(i / 4, i % 4, entry);
    }
    const auto bucket = static_cast<std::uint32_t>(random.below(64));
    const auto fingerprint = static_cast<std::uint32_t>(1 + random.below(4095));
    const auto walk = [&](Buckets& buckets, std::uint32_t entry) {
      const Candidate primary{bucket, entry};
      const Stored stored = store_by_kicks(buckets, params, {primary, other(primary, params)});
      EXPECT_EQ(stored.outcome, InsertOutcome::inserted);
      return stored.kicks;
    };
    const std::uint32_t kicks = walk(first, fingerprint);
    // Longer paths may come back to the entry, whose lot depends on its value.
    if (kicks > 2) continue;
    ++short_paths;
    EXPECT_EQ(walk(second, with_value(fingerprint, 5, params)), kicks);
    for (std::uint32_t i = 0; i < slot_count(params); ++i) {
      EXPECT_EQ(first.table().read(i / 4)[i % 4], without_value(second.table().read(i / 4)[i % 4], params))
          << round << " " << i;
    }
  }
  EXPECT_GT(short_paths, 20);
}

TEST(Kick, AVictimWhoseOtherHomeHasRoomGoesFirst) {
  const Params params = testing::params_of(16, 4, 12);
  Buckets buckets(std::move(*Table::create(params)));
  Table& table = buckets.table();
  for (std::uint64_t bucket = 0; bucket < 16; ++bucket) {
    for (std::uint32_t slot = 0; slot < 4; ++slot)
      table.set(bucket, slot, static_cast<std::uint32_t>(37 * bucket + slot + 1));
  }
  for (std::uint32_t slot = 0; slot < 4; ++slot) {
    const std::uint64_t other = alternate_bucket(5, table.read(5)[slot], params.addressing, 16);
    if (other == 5) continue;
    const std::uint32_t kept = table.read(other)[0];
    table.set(other, 0, 0);
    for (std::uint32_t draw = 1; draw < 2000; draw += 2) {
      const Choice kick = choose_kick(buckets, params, 5, draw, 0);
      EXPECT_EQ(kick.reach, Reach::room);
      EXPECT_EQ(kick.destination.bucket, other);
    }
    table.set(other, 0, kept);
  }
}

TEST(Kick, AfterManyKicksAVictimThatIsOneKickFromRoomGoesFirst) {
  const Params params = testing::params_of(64, 4, 12);
  Buckets buckets(std::move(*Table::create(params)));
  Table& table = buckets.table();
  testing::Random random(9);
  for (std::uint32_t bucket = 0; bucket < 64; ++bucket) {
    for (std::uint32_t slot = 0; slot < 4; ++slot) {
      table.set(bucket, slot, static_cast<std::uint32_t>(random.below(4095) + 1));
    }
  }
  const auto other = [&](std::uint32_t bucket, std::uint32_t slot) {
    return static_cast<std::uint32_t>(alternate_bucket(bucket, table.read(bucket)[slot], params.addressing, 64));
  };
  int found = 0;
  for (std::uint32_t bucket = 0; bucket < 64; ++bucket) {
    const auto next = other(bucket, 1);
    const auto room = other(next, 2);
    const std::uint32_t kept = table.read(room)[0];
    table.set(room, 0, 0);
    if (choose_kick(buckets, params, bucket, 1, 0).reach == Reach::far) {
      EXPECT_EQ(choose_kick(buckets, params, bucket, 1, kNearKicks).reach, Reach::one_kick);
      ++found;
    }
    table.set(room, 0, kept);
  }
  EXPECT_GT(found, 50);
}

TEST(Kick, EverySlotIsChosenAboutEquallyOften) {
  const Params params = testing::params_of(1, 4, 16);
  Buckets buckets(std::move(*Table::create(params)));
  Table& table = buckets.table();
  testing::Random random(8);
  int chosen[4] = {};
  for (int round = 0; round < 40000; ++round) {
    for (std::uint32_t slot = 0; slot < 4; ++slot) {
      table.set(0, slot, static_cast<std::uint32_t>(random.below(65535) + 1));
    }
    KickLots choice({0, static_cast<std::uint32_t>(random.below(65535) + 1)});
    ++chosen[choose_kick(buckets, params, 0, choice.next_draw(), 0).slot];
  }
  for (const int count : chosen) EXPECT_NEAR(count, 10000, 500);
}

/// The buckets that entries can reach from the candidate buckets of `incoming`.
std::set<std::uint32_t> reached(const Table& table, const Params& params, Candidate incoming) {
  std::set<std::uint32_t> all;
  std::vector<std::uint32_t> next{incoming.bucket, other(incoming, params).bucket};
  while (!next.empty()) {
    const std::uint32_t bucket = next.back();
    next.pop_back();
    if (!all.insert(bucket).second) continue;
    for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
      const std::uint32_t entry = table.read(bucket)[slot];
      if (entry != 0) next.push_back(other({bucket, entry}, params).bucket);
    }
  }
  return all;
}

/// Whether that is a closed set of full buckets that are few enough to be found.
bool is_closed_by_model(const Table& table, const Params& params, Candidate incoming) {
  const std::set<std::uint32_t> all = reached(table, params, incoming);
  return all.size() <= kMostClosed &&
         std::none_of(all.begin(), all.end(), [&](std::uint32_t bucket) { return table.has_room(bucket); });
}

TEST(Kick, ASetOfBucketsIsClosedExactlyIfNoEntryInItReachesRoomAndItHasAtMostSixtyFour) {
  testing::Random random(12);
  int closed = 0, open = 0;
  const auto check = [&](const Params& params) {
    Buckets buckets(std::move(*Table::create(params)));
    Table& table = buckets.table();
    for (std::uint64_t bucket = 0; bucket < params.bucket_count; ++bucket) {
      Slots slots{};
      std::generate_n(slots.begin(), params.bucket_size,
                      [&] { return locate(Hash{random.next()}, params).primary.entry; });
      if (random.below(2 * params.bucket_count) == 0) slots[random.below(params.bucket_size)] = 0;
      for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) table.set(bucket, slot, slots[slot]);
    }
    const Candidate incoming{static_cast<std::uint32_t>(random.below(params.bucket_count)), 1};
    const bool is_model_closed = is_closed_by_model(table, params, incoming);
    ASSERT_EQ(is_closed(buckets, params, incoming), is_model_closed) << testing::text_of(params);
    ++(is_model_closed ? closed : open);
  };
  testing::for_all_params({1, 2, 3, 16, 64, 65, 131}, check);
  testing::for_all_growing_params(check);
  EXPECT_GT(closed, testing::runs(400, 1000));
  EXPECT_GT(open, testing::runs(400, 1000));
}

/// Says how many kicks each insert took or tried.
struct LastKicks : NoWatch {
  void end_insert(InsertOutcome, std::uint32_t kicks) { last = kicks; }
  std::uint32_t last = 0;
};
using Kicking = BasicFilter<Entries<LastKicks>>;

TEST(Kick, AnInsertThatNoKicksCanEndIsRefusedAfterAFewAndOthersAfterTheMost) {
  int early = 0, late = 0;
  testing::for_all_params({1, 2, 5, 64, 67, 150}, [&](Params params) {
    if (params.fingerprint_bits % 3 != 0) return;  // a third of the widths, as each fills a table
    params.max_kicks = 50;
    Kicking filter = std::move(*Kicking::create(params));
    testing::Random random(13);
    for (int refused = 0, tried = 0; refused < 3 && tried < 3000; ++tried) {
      const Hash hash{random.next()};
      const Kicking before = std::move(*filter.clone());
      if (filter.insert(hash) != InsertOutcome::full) continue;
      ++refused;
      const bool is_model_closed =
          is_closed_by_model(Access::entries(before).table(), params, locate(hash, params).primary);
      ASSERT_EQ(filter.watch().last, is_model_closed ? kNearKicks : params.max_kicks) << testing::text_of(params);
      ASSERT_TRUE(std::ranges::equal(Access::entries(filter).table().bytes(), Access::entries(before).table().bytes()));
      ++(is_model_closed ? early : late);
    }
  });
  EXPECT_GT(early, testing::runs(50, 100));
  EXPECT_GT(late, testing::runs(50, 100));
}

TEST(Kick, AnInsertTriesAThousandKicksAtMostWhateverTheParametersSay) {
  Params params = testing::params_of(1009, 4, 12);
  params.max_kicks = kMaxKicksLimit;
  Kicking filter = std::move(*Kicking::create(params));
  testing::Random random(3);
  InsertOutcome outcome = InsertOutcome::inserted;
  while (outcome != InsertOutcome::full) outcome = filter.insert(Hash{random.next()});
  EXPECT_EQ(filter.watch().last, kMostKicks);
  EXPECT_EQ(filter.params().max_kicks, kMaxKicksLimit) << "what is saved stays";
}

TEST(Kick, APathThatFindsNoRoomHasChangedNothingWhileItWasPlanned) {
  testing::for_all_params({5, 64}, [](Params params) {
    params.max_kicks = 40;
    Filter filter = std::move(*Filter::create(params));
    testing::Random random(4);
    while (filter.insert(Hash{random.next()}) == InsertOutcome::inserted) {
    }
    Buckets buckets(std::move(*Access::entries(filter).buckets().settled_copy(params)));
    const std::vector<std::uint8_t> before(buckets.table().bytes().begin(), buckets.table().bytes().end());
    for (int i = 0; i < 20; ++i) {
      const Location at = locate(Hash{random.next()}, params);
      if (buckets.has_room(at.primary.bucket) || buckets.has_room(at.alternate.bucket)) continue;
      Path path(buckets, params);
      (void)path.plan(at);
      ASSERT_TRUE(std::ranges::equal(buckets.table().bytes(), before)) << testing::text_of(params);
    }
  });
}

/// The hash of a table's bytes after random keys until three were refused.
std::uint64_t filled_until_refused(Params params) {
  params.seed = 0;
  params.max_kicks = 500;
  Filter filter = std::move(*Filter::create(params));
  testing::Random random(11);
  for (int refused = 0; refused < 3;) refused += filter.insert(Hash{random.next()}) != InsertOutcome::inserted ? 1 : 0;
  return static_cast<std::uint64_t>(xxh64(Access::entries(filter).table().bytes(), 0));
}

// Which kicks are made decides the content. At 32 bits every bit of a lot counts.
TEST(Kick, ManyKicksGiveThePinnedContentAtTheWidestFingerprints) {
  Params params = testing::params_of(97, 4, 32);
  EXPECT_EQ(filled_until_refused(params), 0x34A641D353CBD43Au);
  params = testing::params_of(1009, 2, 32);
  EXPECT_EQ(filled_until_refused(params), 0x01B9B35B00856EFBu);
  params = testing::params_of(256, 8, 32, Addressing::xor_power_of_two);
  EXPECT_EQ(filled_until_refused(params), 0xE24574C36BD406E0u);
  params = testing::params_of(97, 4, 32);
  params.storage = Storage::semi_sorted;
  EXPECT_EQ(filled_until_refused(params), 0xC40CE2F5410DD795u);
  params = testing::params_of(37, 4, 28);
  params.reserved_bits = 4;
  EXPECT_EQ(filled_until_refused(params), 0x7C740C4D82F2EC02u);
}

}  // namespace
}  // namespace cuckoo
