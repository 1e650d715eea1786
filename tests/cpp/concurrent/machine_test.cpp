// The shared filter on a machine that does as the test says. All orders of two threads are in interleaving_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cuckoo/cuckoo.h"
#include "saved.h"
#include "shared_made.h"
#include "told_machine.h"

namespace cuckoo {
namespace {

using testing::fill;
using testing::shared_params;
using testing::told;
using testing::ToldMachine;
using Lock = detail::WritersLock<ToldMachine>;
using Shared = BasicConcurrentFilter<ToldMachine>;
using Machines = testing::ToldTest;

detail::SharedState& state_of(Shared& filter) { return detail::Access::entries(filter).state(); }
Shared make(std::uint64_t bucket_count) { return std::move(*Shared::create(shared_params(bucket_count))); }

TEST_F(Machines, ThatMayNotWaitChangeNothingWhereTheyMust) {
  Shared filter = make(64);
  const std::vector<std::uint64_t> keys = fill(filter, 20);
  const Lock lock(state_of(filter).lock.word);
  const std::uint64_t size = filter.size();
  EXPECT_EQ(filter.insert(1'000'000u), InsertOutcome::busy);
  EXPECT_EQ(told.outcome, InsertOutcome::busy);
  EXPECT_EQ(filter.count(keys[0]), std::nullopt);
  EXPECT_FALSE(filter.clear());
  EXPECT_EQ(filter.snapshot().error(), Error::busy);
  EXPECT_EQ(save(filter).error(), Error::busy);
  EXPECT_EQ(filter.size(), size);
  for (const std::uint64_t key : keys) ASSERT_TRUE(filter.contains(key));
  EXPECT_TRUE(filter.erase(keys[0])) << "that waits for nobody";
}

TEST_F(Machines, SearchAPathBeforeTheyTakeTheLock) {
  Shared filter = make(64);
  (void)fill(filter, 20);
  const Lock lock(state_of(filter).lock.word);
  const std::uint64_t* const table = detail::Access::entries(filter).words_for_loading();
  int reads = 0;
  told.on_load = [&](const std::uint64_t& word) { reads += &word >= table && &word < table + 64; };
  EXPECT_EQ(filter.insert(1'000'000u), InsertOutcome::busy);
  EXPECT_GT(reads, 64) << "without the search, only the two candidate buckets";
}

TEST_F(Machines, SearchNoFurtherIfNobodyHasChangedThePath) {
  Shared filter = make(1000);
  (void)fill(filter, 1);
  const std::uint64_t* const table = detail::Access::entries(filter).words_for_loading();
  std::uint32_t reads = 0;
  std::uint32_t longest = 0;
  told.on_load = [&](const std::uint64_t& word) { reads += &word >= table && &word < table + 1000 ? 1u : 0u; };
  for (std::uint64_t key = 0; key < 200; ++key) {
    ASSERT_TRUE(filter.erase(key));
    told.before_exchange = [&](const std::uint64_t&) { reads = 0; };  // when the lock is taken, if it is
    if (filter.insert(key + 1'000'000) != InsertOutcome::inserted || told.kicks == 0) continue;
    longest = std::max(longest, told.kicks);
    // The candidate buckets and the last, and each victim's bucket, which is looked at before any is moved.
    ASSERT_EQ(reads, 3 + 2 * told.kicks);
  }
  EXPECT_GT(longest, 2u);
}

TEST_F(Machines, MakeNoKickOfAPathWhoseVictimsAreGone) {
  Shared filter = make(1000);
  (void)fill(filter, 1);
  auto& entries = detail::Access::entries(filter);
  const Params& params = filter.params();
  std::uint32_t longest = 0;
  for (std::uint64_t key = 0; key < 200; ++key) {
    (void)filter.erase(key);
    const Hash hash = filter.hash(key + 1'000'000);
    const detail::Location at = detail::locate(hash, params);
    if (entries.has_room(at.primary.bucket) || entries.has_room(at.alternate.bucket)) continue;
    detail::Search search(entries, params);
    if (!search.find(at) || search.size() < 2) continue;
    longest = std::max(longest, search.size());
    detail::Kick last{};
    search.each_kick([&](const detail::Kick& kick) { return last = kick, false; });
    told.before_exchange = [&](const std::uint64_t&) {  // when the lock is taken
      ASSERT_TRUE(filter.erase(detail::hash_at({last.bucket, last.victim}, params)));
    };
    const std::uint64_t before = state_of(filter).kicks.word;
    ASSERT_EQ(filter.insert(hash), InsertOutcome::inserted);
    ASSERT_EQ(told.kicks, search.size() - 1) << "to the bucket of the victim that is gone";
    ASSERT_EQ(state_of(filter).kicks.word - before, told.kicks);
  }
  EXPECT_GT(longest, 2u);
}

TEST_F(Machines, SearchAnotherPathIfTheLastBucketOfOneIsFilled) {
  Shared filter = make(1000);
  (void)fill(filter, 1);
  auto& entries = detail::Access::entries(filter);
  const Params& params = filter.params();
  int filled = 0;
  for (std::uint64_t key = 0; key < 400; ++key) {
    (void)filter.erase(key);
    if (key % 4 != 3) continue;
    const Hash hash = filter.hash(key + 1'000'000);
    detail::Search search(entries, params);
    const detail::Location at = detail::locate(hash, params);
    if (entries.has_room(at.primary.bucket) || entries.has_room(at.alternate.bucket) || !search.find(at)) continue;
    const std::uint32_t last = search.end().bucket;
    told.before_exchange = [&](const std::uint64_t&) {  // when the lock is taken
      for (std::uint32_t entry = 1; entries.has_room(last); ++entry)
        ASSERT_EQ(filter.insert(detail::hash_at({last, entry}, params)), InsertOutcome::inserted);
    };
    ASSERT_EQ(filter.insert(hash), InsertOutcome::inserted);
    ASSERT_TRUE(filter.contains(hash));
    ++filled;
  }
  EXPECT_GT(filled, 50);
}

TEST_F(Machines, AreToldWhatBecameOfEachInsert) {
  Shared filter = make(64);
  std::uint32_t kicks = 0;
  for (std::uint64_t key = 0; key < 400; ++key) {
    told.outcome = InsertOutcome::busy;
    const InsertOutcome outcome = key % 2 == 0 ? filter.insert(key) : filter.insert_if_absent(key);
    ASSERT_EQ(told.outcome, outcome);
    kicks = std::max(kicks, outcome == InsertOutcome::inserted ? told.kicks : 0);
    if (kicks == 0) {
      ASSERT_EQ(told.kicks, 0u);
    }
  }
  EXPECT_GT(kicks, 1u);
  EXPECT_EQ(filter.insert_if_absent(0u), InsertOutcome::present);
  EXPECT_EQ(told.outcome, InsertOutcome::present);
}

TEST_F(Machines, CountWhatABatchHasDoneGroupByGroup) {
  Shared filter = make(1000);
  std::vector<Hash> hashes;
  for (std::uint64_t key = 0; key < 600; ++key) hashes.push_back(filter.hash(key));
  std::vector<std::uint8_t> is_new(hashes.size());
  const std::vector<std::uint64_t> rising{256, 256, 88};
  const auto changes = [&](const auto& action) {
    told.added.clear();
    action();
    std::erase_if(told.added, [](std::uint64_t number) { return number == 1; });  // versions
    return told.added;
  };
  EXPECT_EQ(changes([&] { EXPECT_EQ(filter.insert_many(hashes).done, 600u); }), rising);
  std::vector<std::uint64_t> falling;
  for (const std::uint64_t number : rising) falling.push_back(0 - number);
  EXPECT_EQ(changes([&] { EXPECT_EQ(filter.erase_many(hashes), 600u); }), falling);
  EXPECT_EQ(changes([&] { EXPECT_EQ(filter.insert_many_if_absent(hashes, is_new).done, 600u); }), rising);
  EXPECT_EQ(std::count(is_new.begin(), is_new.end(), 1), 600);
  EXPECT_EQ(changes([&] { (void)filter.insert_many_if_absent(hashes, is_new); }),
            (std::vector<std::uint64_t>{0, 0, 0}));
  EXPECT_EQ(std::count(is_new.begin(), is_new.end(), 0), 600);
}

TEST_F(Machines, TellThatALongCallIsAlive) {
  Shared filter = make(10'000);
  const std::uint64_t& word = state_of(filter).lock.word;
  const auto times = [&](const auto& action) {
    const std::uint64_t before = word >> 1;
    action();
    return (word >> 1) - before;
  };
  // Once when the lock is taken, and again after the buckets 0, 4096 and 8192.
  EXPECT_EQ(times([&] { EXPECT_TRUE(filter.clear()); }), 4u);
  EXPECT_EQ(times([&] { EXPECT_TRUE(filter.snapshot()); }), 4u);
}

TEST_F(Machines, LeaveASnapshotOnceMoreIfTheLockWasTakenOver) {
  Shared filter = make(5000);
  const std::vector<std::uint64_t> keys = fill(filter, 20);
  told.waited = Waited::take_over;
  int turns = 0;
  told.before_exchange = [&](const std::uint64_t&) {  // takes the lock; the next is the renewal after bucket 0
    told.before_exchange = [&](const std::uint64_t& word) {
      ++turns;
      const Lock thief(const_cast<std::uint64_t&>(word));
    };
  };
  const Result<Filter> snapshot = filter.snapshot();
  ASSERT_TRUE(snapshot);
  EXPECT_EQ(turns, 1);
  EXPECT_EQ(snapshot->size(), keys.size());
}

TEST_F(Machines, GiveASnapshotUpIfEveryAttemptIsSpoiled) {
  Shared filter = make(64);
  const std::vector<std::uint64_t> keys = fill(filter, 20);
  told.waited = Waited::take_over;
  std::uint32_t turns = 0;
  std::function<void(const std::uint64_t&)> steal = [&](const std::uint64_t& word) {
    if (Lock::is_taken(word)) {
      const Lock thief(const_cast<std::uint64_t&>(word));
      ++turns;
    }
    told.before_exchange = steal;
  };
  told.before_exchange = steal;
  EXPECT_EQ(filter.snapshot().error(), Error::spoiled);
  EXPECT_EQ(turns, detail::kMaxCopyAttempts);
  told.before_exchange = {};
  EXPECT_EQ(filter.snapshot()->size(), keys.size());
}

TEST_F(Machines, GiveTheMostThatTheyCountedIfAlikeEntriesAreErasedAllTheTime) {
  Shared filter = make(1);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(filter.insert(7u), InsertOutcome::inserted);
  told.on_load = [&](const std::uint64_t& word) {
    if (&word == &state_of(filter).alike_erases.word) ++state_of(filter).alike_erases.word;
  };
  EXPECT_EQ(filter.count(7u), 2u);
}

TEST_F(Machines, NeverCountLessThanNothingNorMoreThanFits) {
  Shared filter = make(10);
  state_of(filter).sizes[3].word = 0 - std::uint64_t{5};
  EXPECT_EQ(filter.size(), 0u);
  state_of(filter).sizes[5].word = 5 + 39;
  EXPECT_EQ(filter.size(), 39u);
  EXPECT_FALSE(filter.empty());
  EXPECT_DOUBLE_EQ(filter.load_factor(), 39.0 / 40);
  state_of(filter).sizes[5].word = 1000;
  EXPECT_EQ(filter.size(), 40u);
}

TEST_F(Machines, ClearTheTableAndNothingElse) {
  const Params params = shared_params(100);
  const auto bytes = static_cast<std::size_t>(Shared::memory_bytes(params));
  EXPECT_EQ(bytes, sizeof(detail::SharedState) + 800);
  std::vector<detail::PaddedWord> memory(bytes / 64 + 2, detail::PaddedWord{77});
  const std::span<std::byte> all = std::as_writable_bytes(std::span(memory));
  const std::vector<std::byte> behind(all.begin() + static_cast<std::ptrdiff_t>(bytes), all.end());
  Shared filter = std::move(*Shared::create_in(all, params));
  for (std::uint64_t key = 0; key < 350; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  EXPECT_TRUE(filter.clear());
  EXPECT_EQ(filter.size(), 0u);
  std::uint32_t found = 0;
  for (std::uint64_t key = 0; key < 350; ++key) found += filter.contains(key) ? 1u : 0u;
  EXPECT_EQ(found, 0u);
  for (std::uint64_t key = 0; key < 10; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  EXPECT_EQ(filter.size(), 10u);
  EXPECT_TRUE(std::equal(behind.begin(), behind.end(), all.begin() + static_cast<std::ptrdiff_t>(bytes)));
}

TEST_F(Machines, KnowWhetherAPathStillHolds) {
  Shared filter = make(64);
  const std::vector<std::uint64_t> keys = fill(filter, 20);
  auto& entries = detail::Access::entries(filter);
  std::uint64_t* const table = entries.words_for_loading();
  std::uint32_t longest = 0;
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(filter.erase(keys[static_cast<std::size_t>(i) * 20]));
  for (std::uint64_t key = 1'000'000; key < 1'000'300; ++key) {
    const detail::Location at = detail::locate(filter.hash(key), filter.params());
    detail::Search search(entries, filter.params());
    if (!search.find(at)) continue;
    ASSERT_TRUE(detail::holds(entries, search));
    longest = std::max(longest, search.size());
    search.each_kick([&](const detail::Kick& kick) {
      const std::uint64_t before = table[kick.bucket];
      const detail::Slots slots = entries.read(kick.bucket);
      const auto slot = static_cast<std::uint32_t>(std::ranges::find(slots, kick.victim) - slots.begin());
      table[kick.bucket] ^= std::uint64_t{1} << slot * entries.layout().lane_bits;  // another entry than the victim
      EXPECT_FALSE(detail::holds(entries, search));
      table[kick.bucket] = before;
      return true;
    });
    ASSERT_TRUE(detail::holds(entries, search));
  }
  EXPECT_GT(longest, 2u);
}

TEST_F(Machines, EndAPathWhereAnotherThreadEmptiesASlot) {
  int ended = 0;
  for (std::uint64_t key = 1'000'000; key < 1'000'100; ++key) {
    Shared filter = make(64);
    (void)fill(filter, 3);
    auto& entries = detail::Access::entries(filter);
    const detail::Location at = detail::locate(filter.hash(key), filter.params());
    int loads = 0;
    told.on_load = [&](const std::uint64_t& word) {
      // Seen to be full, and not yet read for its entries.
      if (++loads == 30) const_cast<std::uint64_t&>(word) &= ~entries.layout().lane_mask;
    };
    detail::Search search(entries, filter.params());
    const bool is_found = search.find(at);
    told.on_load = {};
    if (!is_found || loads < 30) continue;
    ++ended;
    EXPECT_TRUE(detail::make(entries, search));
    EXPECT_TRUE(entries.contains(filter.hash(key)));
  }
  EXPECT_GT(ended, 50);
}

TEST_F(Machines, HaveTheBytesOfThePlainFilterIfThereIsOneThread) {
  for (const std::uint32_t bucket_size : {2u, 4u, 5u, 6u, 8u}) {
    for (const Addressing addressing : {Addressing::reflect, Addressing::xor_power_of_two}) {
      for (const std::uint64_t bucket_count : {1u, 2u, 64u, 256u, 100u}) {
        Params params = shared_params(bucket_count, bucket_size);
        params.addressing = addressing;
        if (invalid_field(params) != Field::none) continue;
        Shared shared = std::move(*Shared::create(params));
        Filter plain = std::move(*Filter::create(params));
        for (std::uint64_t key = 0; key < 2 * slot_count(params); ++key) {
          ASSERT_EQ(shared.insert(key), plain.insert(key));
          if (key % 5 != 0) continue;
          ASSERT_EQ(shared.erase(key / 2), plain.erase(key / 2));
          ASSERT_EQ(shared.insert_if_absent(key), plain.insert_if_absent(key));
        }
        ASSERT_EQ(testing::saved(*shared.snapshot()), testing::saved(plain)) << bucket_size << " " << bucket_count;
      }
    }
  }
}

TEST_F(Machines, RepeatAnExchangeThatAnotherThreadCameBefore) {
  Shared filter = make(1);
  for (std::uint64_t key = 0; key < 3; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  const auto other = [&](std::uint64_t key, bool erases) {
    told.before_exchange = [&filter, key, erases](const std::uint64_t&) {
      if (erases) {
        EXPECT_TRUE(filter.erase(key));
      } else {
        EXPECT_EQ(filter.insert(key), InsertOutcome::inserted);
      }
    };
  };
  other(3, false);  // takes the last slot
  EXPECT_EQ(filter.insert(4u), InsertOutcome::full);
  other(3, true);  // the bucket changes under an erase
  EXPECT_TRUE(filter.erase(2u));
  EXPECT_FALSE(filter.contains(2u) || filter.contains(3u));
  other(1, true);  // what was to be erased is gone
  EXPECT_FALSE(filter.erase(1u));
  other(7, false);  // another thread stores the same key
  EXPECT_EQ(filter.insert_if_absent(7u), InsertOutcome::present);
  EXPECT_EQ(filter.count(7u), 1u);
  EXPECT_EQ(filter.size(), 2u);
}

TEST_F(Machines, FindInABatchWhatMovedMeanwhile) {
  Shared filter = make(100);
  std::vector<Hash> hashes;
  for (std::uint64_t key = 0; key < 700; ++key) hashes.push_back(filter.hash(key));
  for (std::uint64_t key = 0; key < 350; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  std::vector<std::uint8_t> found(hashes.size(), 9);
  filter.contains_many(hashes, found);
  for (std::size_t i = 0; i < hashes.size(); ++i) ASSERT_EQ(found[i], filter.contains(hashes[i]) ? 1 : 0);
  EXPECT_LT(std::count(found.begin(), found.end(), 1), 380);
}

TEST_F(Machines, StoreAKeyOnceIfAbsent) {
  Shared filter = make(100);
  for (std::uint64_t key = 0; key < 350; ++key) {
    const bool was_there = filter.contains(key);
    const InsertOutcome outcome = filter.insert_if_absent(key);
    ASSERT_EQ(outcome, was_there ? InsertOutcome::present : InsertOutcome::inserted);
    ASSERT_EQ(filter.insert_if_absent(key), InsertOutcome::present);
  }
  EXPECT_GT(filter.size(), 340u);
}

}  // namespace
}  // namespace cuckoo
