// The shared filter on a machine that does as the test says: which thread it is, who waits how long, and what another
// thread does between two operations. All orders of two threads are in interleaving_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "cuckoo/cuckoo.h"

namespace cuckoo {
namespace {

/// What the machine below does and has seen.
struct Told {
  std::uint32_t thread = 1;
  Waited waited = Waited::give_up;
  std::function<void(const std::uint64_t&)> before_exchange;  ///< another thread's turn
  std::vector<std::uint64_t> added;
  InsertOutcome outcome = InsertOutcome::inserted;
  std::uint32_t kicks = 0;
};
Told told;

struct ToldMachine : NativeMachine {
  static bool compare_exchange(std::uint64_t& word, std::uint64_t& seen, std::uint64_t wanted) {
    if (told.before_exchange) std::exchange(told.before_exchange, {})(word);
    return NativeMachine::compare_exchange(word, seen, wanted);
  }
  static void add(std::uint64_t& word, std::uint64_t number) {
    told.added.push_back(number);
    NativeMachine::add(word, number);
  }
  static std::uint32_t thread() { return told.thread; }
  static void end_insert(InsertOutcome outcome, std::uint32_t kicks) {
    told.outcome = outcome;
    told.kicks = kicks;
  }
  struct Patience {
    Waited operator()(const std::uint64_t&, std::uint64_t) { return told.waited; }
  };
};

using Lock = detail::WritersLock<ToldMachine>;
using Shared = ConcurrentFilter<ToldMachine>;

class ToldTest : public ::testing::Test {
 protected:
  void SetUp() override { told = {}; }
};
using WritersLock = ToldTest;
using Machines = ToldTest;

Params shared_params(std::uint64_t bucket_count, std::uint32_t bucket_size = 4) {
  Params params;
  params.bucket_count = bucket_count;
  params.bucket_size = bucket_size;
  params.fingerprint_bits = 64 / bucket_size;
  params.capacity = slot_count(params);
  return params;
}
template <class Machine>
detail::SharedState& state_of(ConcurrentFilter<Machine>& filter) {
  return detail::Access::entries(filter).state();
}
/// A filter that is full, and its keys.
std::pair<Shared, std::vector<std::uint64_t>> full(std::uint64_t bucket_count) {
  Shared filter = std::move(*Shared::create(shared_params(bucket_count)));
  std::vector<std::uint64_t> keys;
  for (std::uint64_t key = 0, refused = 0; refused < 20; ++key) {
    if (filter.insert(key) == InsertOutcome::inserted) {
      keys.push_back(key);
    } else {
      ++refused;
    }
  }
  return {std::move(filter), std::move(keys)};
}

TEST_F(WritersLock, IsOfOneThreadAtATime) {
  std::uint64_t word = 0;
  {
    Lock first(word);
    EXPECT_TRUE(first.is_held() && Lock::is_taken(word));
    told.thread = 2;
    Lock second(word);
    EXPECT_FALSE(second.is_held());
    EXPECT_FALSE(second.release());
    EXPECT_TRUE(Lock::is_taken(word));
    EXPECT_TRUE(first.release());
    EXPECT_FALSE(Lock::is_taken(word) || first.is_held());
    EXPECT_FALSE(first.release());
    Lock third(word);
    EXPECT_TRUE(third.is_held());
  }
  EXPECT_FALSE(Lock::is_taken(word));
}

TEST_F(WritersLock, IsTakenOverFromAThreadThatIsGone) {
  std::uint64_t word = 0;
  Lock first(word);
  told.thread = 2;
  told.waited = Waited::is_gone;
  Lock second(word);
  EXPECT_TRUE(second.is_held());
  const std::uint64_t held = word;
  first.renew();
  EXPECT_EQ(word, held) << "a renewal takes nothing back";
  EXPECT_FALSE(first.release());
  EXPECT_EQ(word, held);
  second.renew();
  EXPECT_NE(word, held);
  EXPECT_TRUE(second.release());
}

TEST_F(WritersLock, IsFreedForAThreadThatHasEnded) {
  for (const std::uint32_t owner : {0u, 1u, 2u, 3u, 0x7FFFu, 0xFFFFu}) {
    told.thread = owner;
    std::uint64_t word = 0;
    Lock lock(word);
    for (const std::uint32_t other : {owner + 1, owner ^ 1, owner ^ 0x8000}) Lock::release_of(word, other);
    EXPECT_TRUE(Lock::is_taken(word)) << owner;
    Lock::release_of(word, owner);
    EXPECT_FALSE(Lock::is_taken(word)) << owner;
    const std::uint64_t freed = word;
    Lock::release_of(word, owner);
    EXPECT_EQ(word, freed);
    EXPECT_FALSE(lock.release());
  }
}

TEST_F(WritersLock, HasAnotherWordEachTime) {
  std::uint64_t word = 0;
  std::vector<std::uint64_t> words;
  for (std::uint32_t i = 0; i < 300; ++i) {
    told.thread = i % 3 == 0 ? 0xFFFF : i % 5;
    Lock lock(word);
    words.push_back(word);
    lock.renew();
    words.push_back(word);
  }
  EXPECT_TRUE(std::is_sorted(words.begin(), words.end())) << "it counts up above the owner's bits";
  EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
  EXPECT_EQ(words.back() >> 17, words.size()) << "by one";
}

TEST_F(WritersLock, TellsOfTheTimeAThreadIsWaitedFor) {
  NativeMachine::Patience patience;
  const std::uint64_t word = 0;
  const auto most = [&](std::uint64_t seen) {
    Waited waited = Waited::again;
    for (int i = 0; i < 64; ++i) {
      EXPECT_EQ(waited, Waited::again);
      waited = patience(word, seen);
    }
    return waited;
  };
  EXPECT_EQ(most(5), Waited::again);
  std::this_thread::sleep_for(NativeMachine::Patience::kMost);
  EXPECT_EQ(most(6), Waited::again) << "the word has changed, so its owner lives";
  std::this_thread::sleep_for(NativeMachine::Patience::kMost);
  EXPECT_EQ(most(6), Waited::is_gone);
}

TEST_F(Machines, ThatMayNotWaitChangeNothingWhereTheyMust) {
  auto [filter, keys] = full(64);
  const Lock lock(state_of(filter).lock.word);
  const std::uint64_t size = filter.size();
  EXPECT_EQ(filter.insert(1'000'000u), InsertOutcome::busy);
  EXPECT_EQ(told.outcome, InsertOutcome::busy);
  EXPECT_EQ(filter.count(keys[0]), std::nullopt);
  EXPECT_FALSE(filter.clear());
  EXPECT_EQ(filter.snapshot().error(), Error::out_of_memory);
  EXPECT_EQ(filter.size(), size);
  for (const std::uint64_t key : keys) ASSERT_TRUE(filter.contains(key));
  EXPECT_TRUE(filter.erase(keys[0])) << "that waits for nobody";
}

TEST_F(Machines, AreToldWhatBecameOfEachInsert) {
  Shared filter = std::move(*Shared::create(shared_params(64)));
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
  Shared filter = std::move(*Shared::create(shared_params(1000)));
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
  Shared filter = std::move(*Shared::create(shared_params(10'000)));
  const std::uint64_t& word = state_of(filter).lock.word;
  const auto times = [&](const auto& action) {
    const std::uint64_t before = word >> 17;
    action();
    return (word >> 17) - before;
  };
  // Once when the lock is taken, and again after the buckets 0, 4096 and 8192.
  EXPECT_EQ(times([&] { EXPECT_TRUE(filter.clear()); }), 4u);
  EXPECT_EQ(times([&] { EXPECT_TRUE(filter.snapshot()); }), 4u);
}

TEST_F(Machines, LeaveASnapshotOnceMoreIfTheLockWasTakenOver) {
  auto [filter, keys] = full(5000);
  told.waited = Waited::is_gone;
  int turns = 0;
  told.before_exchange = [&](const std::uint64_t&) {  // takes the lock; the next is the renewal after bucket 0
    told.before_exchange = [&](const std::uint64_t& word) {
      ++turns;
      const Lock thief(const_cast<std::uint64_t&>(word));
    };
  };
  const Result<Filter<>> snapshot = filter.snapshot();
  ASSERT_TRUE(snapshot);
  EXPECT_EQ(turns, 1);
  EXPECT_EQ(snapshot->size(), keys.size());
}

TEST_F(Machines, NeverCountLessThanNothingNorMoreThanFits) {
  Shared filter = std::move(*Shared::create(shared_params(10)));
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
  std::vector<detail::Lone> memory(bytes / 64 + 2, detail::Lone{77});
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

TEST_F(Machines, KnowWhetherAPlannedPathStillHolds) {
  auto [filter, keys] = full(64);
  const auto& entries = detail::Access::entries(filter);
  const detail::WordBuckets<ToldMachine> words = entries.words();
  std::uint64_t* const table = entries.words_for_loading();
  std::uint32_t longest = 0;
  for (int i = 0; i < 12; ++i) ASSERT_TRUE(filter.erase(keys[static_cast<std::size_t>(i) * 7]));
  for (std::uint64_t key = 1'000'000; key < 1'000'300; ++key) {
    const detail::Location at = entries.locate(filter.hash(key));
    if (words.has_room(at.primary.bucket) || words.has_room(at.alternate.bucket)) continue;
    detail::PlannedPath<ToldMachine> path(words, filter.params());
    if (!path.walk(at)) continue;
    ASSERT_TRUE(path.holds());
    longest = std::max(longest, path.size());
    for (std::uint32_t i = 0; i < path.size(); ++i) {
      const std::uint64_t before = table[path[i].bucket];
      table[path[i].bucket] = detail::with_lane(entries.layout(), before, path[i].slot, path[i].victim ^ 1);
      EXPECT_FALSE(path.holds()) << i << " of " << path.size();
      table[path[i].bucket] = before;
    }
    std::uint64_t& end = table[path.end().bucket];
    const std::uint64_t before = end;
    while (detail::with_one_more(entries.layout(), end, 1) != end)
      end = detail::with_one_more(entries.layout(), end, 1);
    EXPECT_FALSE(path.holds());
    end = before;
    ASSERT_TRUE(path.holds());
  }
  EXPECT_GT(longest, 2u);
}

TEST_F(Machines, KickAsOftenAsThePlainFilterMay) {
  for (const std::uint32_t bucket_size : {4u, 8u}) {
    for (std::uint32_t max_kicks = 0; max_kicks < 3; ++max_kicks) {
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Params params = shared_params(64, bucket_size);
        params.max_kicks = max_kicks;
        params.seed = seed;
        Shared shared = std::move(*Shared::create(params));
        Filter<> plain = std::move(*Filter<>::create(params));
        for (std::uint64_t key = 0; key < 64 * bucket_size; ++key) ASSERT_EQ(shared.insert(key), plain.insert(key));
        EXPECT_EQ(shared.size(), plain.size());
      }
    }
  }
}

TEST_F(Machines, RepeatAnExchangeThatAnotherThreadCameBefore) {
  Shared filter = std::move(*Shared::create(shared_params(1)));
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
  Shared filter = std::move(*Shared::create(shared_params(100)));
  std::vector<Hash> hashes;
  for (std::uint64_t key = 0; key < 700; ++key) hashes.push_back(filter.hash(key));
  for (std::uint64_t key = 0; key < 350; ++key) ASSERT_EQ(filter.insert(key), InsertOutcome::inserted);
  std::vector<std::uint8_t> found(hashes.size(), 9);
  filter.contains_many(hashes, found);
  for (std::size_t i = 0; i < hashes.size(); ++i) ASSERT_EQ(found[i], filter.contains(hashes[i]) ? 1 : 0);
  EXPECT_LT(std::count(found.begin(), found.end(), 1), 380);
}

TEST_F(Machines, StoreAKeyOnceIfAbsent) {
  Shared filter = std::move(*Shared::create(shared_params(100)));
  for (std::uint64_t key = 0; key < 350; ++key) {
    const bool was_there = filter.contains(key);
    const InsertOutcome outcome = filter.insert_if_absent(key);
    ASSERT_EQ(outcome, was_there ? InsertOutcome::present : InsertOutcome::inserted);
    ASSERT_EQ(filter.insert_if_absent(key), InsertOutcome::present);
  }
  EXPECT_GT(filter.size(), 340u);
}

TEST_F(Machines, MakeFiltersOnlyOfWhatTheyMayHold) {
  EXPECT_TRUE(ConcurrentFilter<>::create(100, 0.001));
  const auto refused = ConcurrentFilter<>::create(0, 0.001);
  EXPECT_EQ(refused.error(), Error::out_of_range);
  EXPECT_EQ(refused.field(), Field::capacity);
  Params params = shared_params(10);
  params.capacity = 0;
  EXPECT_EQ(ConcurrentFilter<>::create(params).field(), Field::capacity);
  std::vector<detail::Lone> memory(static_cast<std::size_t>(ConcurrentFilter<>::memory_bytes(params)) / 64 + 2);
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(memory));
  EXPECT_EQ(ConcurrentFilter<>::create_in(bytes, params).field(), Field::capacity);
  EXPECT_EQ(ConcurrentFilter<>::attach(bytes.first(100)).error(), Error::cut_short);
  EXPECT_EQ(ConcurrentFilter<>::attach(bytes.subspan(1)).error(), Error::cut_short);
  EXPECT_EQ(ConcurrentFilter<>::attach(bytes.first(sizeof(detail::SharedState))).error(), Error::not_a_filter);
  params = shared_params(8);
  params.max_kicks = kMaxSharedKicks;
  const auto whole = bytes.first(static_cast<std::size_t>(ConcurrentFilter<>::memory_bytes(params)));
  EXPECT_TRUE(ConcurrentFilter<>::create_in(whole, params));
  EXPECT_TRUE(ConcurrentFilter<>::attach(whole));
  EXPECT_EQ(ConcurrentFilter<>::attach(whole.first(whole.size() - 8)).error(), Error::cut_short);
}

TEST_F(Machines, PlanTheWordsThatTakeLeast) {
  EXPECT_TRUE(plan_shared({.max_kicks = kMaxSharedKicks}));
  EXPECT_EQ(plan_shared({.capacity = 100, .bucket_count = 50})->bucket_count, 50u);
  std::vector<std::uint32_t> sizes;
  for (const double rate : {0.2, 0.02, 0.003, 0.001, 1e-8}) {
    const Params best = *plan_shared({.capacity = 1'000'000, .false_positive_rate = rate});
    sizes.push_back(best.bucket_size);
    for (const std::uint32_t bucket_size : {2u, 4u, 5u, 6u, 8u}) {
      const auto other = plan_shared({.capacity = 1'000'000, .false_positive_rate = rate, .bucket_size = bucket_size});
      if (!other) continue;
      EXPECT_EQ(other->bucket_size, bucket_size);
      EXPECT_LE(best.bucket_count, other->bucket_count) << rate << " " << bucket_size;
    }
  }
  EXPECT_EQ(sizes, (std::vector<std::uint32_t>{8, 6, 5, 4, 2}));
  EXPECT_EQ(plan_shared({.capacity = 1'000'000, .false_positive_rate = 1e-9, .bucket_size = 8}).field(),
            Field::false_positive_rate);
}

}  // namespace
}  // namespace cuckoo
