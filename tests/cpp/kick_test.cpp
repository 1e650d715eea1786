#include "cuckoo/kick.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cases.h"
#include "random.h"

namespace cuckoo {
namespace {

TEST(Kick, TheVictimDoesNotDependOnTheOrderOfTheSlots) {
  testing::Random random(7);
  for (int round = 0; round < 2000; ++round) {
    const Params params = testing::params_of(8 + random.below(9), static_cast<std::uint32_t>(1 + random.below(8)),
                                             static_cast<std::uint32_t>(2 + random.below(31)));
    Table table = std::move(*Table::create(params));
    for (std::uint64_t i = 0; i < slot_count(params); ++i) {
      const auto content = static_cast<std::uint32_t>(random.next() & table.layout().fingerprint_mask());
      const bool is_kicked_bucket = i < params.bucket_size;
      table.set(i / params.bucket_size, static_cast<std::uint32_t>(i % params.bucket_size),
                is_kicked_bucket && content == 0 ? 1 : content);
    }
    std::vector<std::uint32_t> slots(params.bucket_size);
    for (std::uint32_t j = 0; j < params.bucket_size; ++j) slots[j] = table.get(0, j);
    std::sort(slots.begin(), slots.end());
    const std::uint32_t draw = static_cast<std::uint32_t>(random.next()) | 1;
    const Kick first = choose_kick(table, params, 0, draw, 0);
    EXPECT_EQ(table.get(0, first.slot), first.victim);
    EXPECT_EQ(first.destination, alternate(0, first.victim, params.addressing, params.bucket_count));
    EXPECT_EQ(first.reach, table.has_room(first.destination) ? Reach::room : Reach::far);
    const Kick late = choose_kick(table, params, 0, draw, kNearKicks);
    EXPECT_EQ(late.reach == Reach::room, first.reach == Reach::room);
    if (late.reach == Reach::one_kick) {
      EXPECT_TRUE(leads_to_room(table, params, late.destination));
    }
    if (late.reach == Reach::far) {
      EXPECT_FALSE(leads_to_room(table, params, late.destination));
    }
    for (std::uint32_t j = 0; j < params.bucket_size; ++j) table.set(0, j, slots[j]);
    EXPECT_EQ(choose_kick(table, params, 0, draw, 0).victim, first.victim) << testing::text_of(params);
    EXPECT_EQ(choose_kick(table, params, 0, draw, kNearKicks).victim, late.victim) << testing::text_of(params);
  }
}

TEST(Kick, AVictimWhoseOtherHomeHasRoomGoesFirst) {
  const Params params = testing::params_of(16, 4, 12);
  Table table = std::move(*Table::create(params));
  for (std::uint64_t bucket = 0; bucket < 16; ++bucket) {
    for (std::uint32_t slot = 0; slot < 4; ++slot)
      table.set(bucket, slot, static_cast<std::uint32_t>(37 * bucket + slot + 1));
  }
  for (std::uint32_t slot = 0; slot < 4; ++slot) {
    const std::uint64_t other = alternate(5, table.get(5, slot), params.addressing, 16);
    if (other == 5) continue;
    const std::uint32_t kept = table.get(other, 0);
    table.set(other, 0, 0);
    for (std::uint32_t draw = 1; draw < 2000; draw += 2) {
      const Kick kick = choose_kick(table, params, 5, draw, 0);
      EXPECT_EQ(kick.reach, Reach::room);
      EXPECT_EQ(kick.destination, other);
    }
    table.set(other, 0, kept);
  }
}

TEST(Kick, AfterManyKicksAVictimThatIsOneKickFromRoomGoesFirst) {
  const Params params = testing::params_of(64, 4, 12);
  Table table = std::move(*Table::create(params));
  testing::Random random(9);
  for (std::uint64_t bucket = 0; bucket < 64; ++bucket) {
    for (std::uint32_t slot = 0; slot < 4; ++slot) {
      table.set(bucket, slot, static_cast<std::uint32_t>(random.below(4095) + 1));
    }
  }
  const auto other = [&](std::uint64_t bucket, std::uint32_t slot) {
    return alternate(bucket, table.get(bucket, slot), params.addressing, 64);
  };
  int found = 0;
  for (std::uint64_t bucket = 0; bucket < 64; ++bucket) {
    const std::uint64_t next = other(bucket, 1);
    const std::uint64_t room = other(next, 2);
    const std::uint32_t kept = table.get(room, 0);
    table.set(room, 0, 0);
    if (choose_kick(table, params, bucket, 1, 0).reach == Reach::far) {
      EXPECT_EQ(choose_kick(table, params, bucket, 1, kNearKicks).reach, Reach::one_kick);
      ++found;
    }
    table.set(room, 0, kept);
  }
  EXPECT_GT(found, 50);
}

TEST(Kick, EverySlotIsChosenAboutEquallyOften) {
  const Params params = testing::params_of(1, 4, 16);
  Table table = std::move(*Table::create(params));
  testing::Random random(8);
  int chosen[4] = {};
  for (int round = 0; round < 40000; ++round) {
    for (std::uint32_t slot = 0; slot < 4; ++slot) {
      table.set(0, slot, static_cast<std::uint32_t>(random.below(65535) + 1));
    }
    KickChoice choice({static_cast<std::uint32_t>(random.below(65535) + 1), 0, 0});
    ++chosen[choose_kick(table, params, 0, choice.next_draw(), 0).slot];
  }
  for (const int count : chosen) EXPECT_NEAR(count, 10000, 500);
}

}  // namespace
}  // namespace cuckoo
