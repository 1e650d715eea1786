// Every interleaving of two or three threads that read and change a small shared filter: the real operations, an atomic
// operation a step. A failure names the scenario's seed.
#include "interleaving.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>

#include "cuckoo/cuckoo.h"
#include "long_run.h"
#include "random.h"
#include "raw_bucket.h"

namespace cuckoo {
namespace {

using namespace detail;
using testing::ExploredMachine;
using testing::Explorer;
using Explored = BasicConcurrentFilter<ExploredMachine>;

enum class Call { ask, ask_many, insert, insert_if_absent, erase, erase_too, erase_inserted, count, rate, snapshot };
struct Planned {
  Call call;
  Hash key;
};
using Thread = std::vector<Planned>;

struct Scenario {
  Params params;
  std::vector<Hash> begin;  ///< keys that are in when the threads begin
  std::vector<Thread> threads;
  Explorer::Faults faults{};
};

/// Runs a scenario in every order. Keys that are in at the beginning and that nobody erases must be found by every call
/// that asks, at every moment; and at the end all that was inserted and not erased must be there, and nothing else.
class Trial {
 public:
  explicit Trial(Scenario scenario) : scenario_(std::move(scenario)) {
    memory_.resize(static_cast<std::size_t>(Explored::memory_bytes(scenario_.params) / sizeof(PaddedWord) + 1));
    filter_.emplace(std::move(*Explored::create_in(bytes(), scenario_.params)));
    for (const Hash key : scenario_.begin) EXPECT_EQ(filter_->insert(key), InsertOutcome::inserted);
    begin_ = memory_;
    for (const Hash key : scenario_.begin) ++stays_[key];
    for (const Thread& thread : scenario_.threads) {
      for (const Planned& planned : thread) {
        if (planned.call == Call::erase || planned.call == Call::erase_too) --stays_[planned.key];
      }
    }
  }

  Explorer::Explored explore(std::size_t most_states) {
    std::vector<std::function<void()>> bodies;
    outcomes_.resize(scenario_.threads.size());
    for (std::size_t i = 0; i < scenario_.threads.size(); ++i) bodies.emplace_back([this, i] { body(i); });
    const auto all = bytes();
    const auto* state = reinterpret_cast<const SharedState*>(all.data());
    Explorer explorer(
        all, std::as_bytes(std::span(state->sizes)),
        [this] {
          memory_ = begin_;
          for (auto& outcomes : outcomes_) outcomes.clear();
        },
        std::move(bodies), [this] { return is_right(); }, scenario_.faults);
    return explorer.explore(most_states);
  }

  [[nodiscard]] std::uint32_t inserted(Hash key) const {
    std::uint32_t count = 0;
    each_outcome([&](const Planned& planned, int outcome) {
      const bool is_insert = planned.call == Call::insert || planned.call == Call::insert_if_absent;
      count += is_insert && planned.key == key && outcome == 0 ? 1u : 0u;
    });
    return count;
  }

  std::function<bool(const Trial&)> also;  ///< what must hold at the end besides

 private:
  std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(memory_)); }

  void body(std::size_t i) {
    for (const Planned& planned : scenario_.threads[i]) outcomes_[i].push_back(call(planned));
  }
  int call(const Planned& planned) {
    const auto expect = [](bool is_right) {
      if (!is_right) Explorer::fail();
      return is_right ? 1 : 0;
    };
    switch (planned.call) {
      case Call::ask:
        return expect(filter_->contains(planned.key));
      case Call::ask_many: {
        std::uint8_t found = 0;
        filter_->contains_many(std::span(&planned.key, 1), {&found, 1});
        return expect(found == 1);
      }
      case Call::insert:
        return static_cast<int>(filter_->insert(planned.key));
      case Call::insert_if_absent:
        return static_cast<int>(filter_->insert_if_absent(planned.key));
      case Call::erase:
        return expect(filter_->erase(planned.key));
      case Call::erase_too:
        return filter_->erase(planned.key) ? 1 : 0;  // another thread erases it as well
      case Call::erase_inserted: {
        // Only if this thread's insert was not refused.
        const bool is_in = outcomes_[Explorer::thread()].back() == 0;
        return is_in ? expect(filter_->erase(planned.key)) : 0;
      }
      case Call::count:
        return expect(filter_->count(planned.key) == std::optional(1u));
      case Call::rate: {
        const double rate = filter_->expected_false_positive_rate();
        return expect(rate >= 0 && rate < 1);
      }
      default:
        return expect(has_all());
    }
  }
  /// Whether a copy of the table has each key that stays. Without the memory that `snapshot` would allocate.
  bool has_all() {
    std::array<std::uint8_t, 256> table;
    std::optional<TableCopy<ExploredMachine>> copy;
    do {
      copy.emplace(Access::entries(*filter_));
      copy->next(copy->left(), table.data());
    } while (!copy->end());
    const BucketLayout layout(scenario_.params);
    for (const auto& [key, count] : stays_) {
      if (count <= 0) continue;
      const Location at = detail::locate(key, scenario_.params);
      const auto in = [&](Candidate here) {
        return testing::count_in_bucket(layout, table.data(), here.bucket * layout.bucket_bits, here.entry) != 0;
      };
      if (!in(at.primary) && !in(at.alternate)) return false;
    }
    return true;
  }

  template <class Act>
  void each_outcome(Act act) const {
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      for (std::size_t j = 0; j < outcomes_[i].size(); ++j) act(scenario_.threads[i][j], outcomes_[i][j]);
    }
  }
  bool is_right() {
    std::map<Hash, int> expected = stays_;
    std::uint64_t open = 0;  // calls that a killed thread did not end
    for (std::size_t i = 0; i < outcomes_.size(); ++i) open += scenario_.threads[i].size() - outcomes_[i].size();
    each_outcome([&](const Planned& planned, int outcome) {
      const bool is_insert = planned.call == Call::insert || planned.call == Call::insert_if_absent;
      if (is_insert && outcome == 0) ++expected[planned.key];
      if (planned.call == Call::erase_inserted) expected[planned.key] -= outcome;
    });
    std::uint64_t size = 0;
    for (const auto& [key, count] : expected) {
      size += static_cast<std::uint64_t>(std::max(count, 0));
      if (count > 0 && !filter_->contains(key)) return false;
    }
    std::uint64_t used = 0;
    const auto& entries = Access::entries(*filter_);
    for (std::uint64_t bucket = 0; bucket < scenario_.params.bucket_count; ++bucket) {
      used += scenario_.params.bucket_size - entries.count(bucket, 0);
    }
    // A thread that ended in the middle may have inserted or not, and leaves at most one entry twice.
    const bool is_size_right = open == 0 ? used == size && filter_->size() == size : used >= size && used <= size + 2;
    return is_size_right && (also == nullptr || also(*this));
  }

  Scenario scenario_;
  std::vector<PaddedWord> memory_;
  std::vector<PaddedWord> begin_;
  std::optional<Explored> filter_;
  std::map<Hash, int> stays_;
  std::vector<std::vector<int>> outcomes_;
};

Params small(std::uint64_t bucket_count, std::uint32_t bucket_size) {
  Params params;
  params.bucket_count = bucket_count;
  params.bucket_size = bucket_size;
  params.fingerprint_bits = 64 / bucket_size;
  params.capacity = slot_count(params);
  return params;
}

/// Keys that fill a table until only `room` slots are left, or no more can be filled.
std::vector<Hash> filling(const Params& params, std::uint64_t room, testing::Random& random) {
  Filter filter = std::move(*Filter::create(params));
  std::vector<Hash> keys;
  for (int tries = 0; tries < 200 && filter.size() + room < slot_count(params); ++tries) {
    const Hash key{random.next()};
    if (filter.insert(key) == InsertOutcome::inserted) keys.push_back(key);
  }
  return keys;
}

/// A key whose insert into a filter with these keys takes from `least` kicks on; none if none was found.
std::optional<Hash> kicking(const Params& params, const std::vector<Hash>& keys, std::uint32_t least,
                            testing::Random& random) {
  for (int tries = 0; tries < 500; ++tries) {
    CountedFilter filter = std::move(*CountedFilter::create(params));
    for (const Hash key : keys) (void)filter.insert(key);
    const Hash key{random.next()};
    const Statistics before = filter.watch().statistics();
    if (filter.insert(key) != InsertOutcome::inserted) continue;
    const Statistics after = filter.watch().statistics();
    std::uint32_t kicks = 0;
    for (std::uint32_t i = 0; i < Statistics::kKickCounts; ++i) {
      if (after.kicks[i] != before.kicks[i]) kicks = i;
    }
    if (kicks >= least) return key;
  }
  return std::nullopt;
}

class Interleaving : public ::testing::Test {
 protected:
  /// Of a scenario: what takes some seconds under AddressSanitizer.
  static constexpr std::size_t kMaxStates = 30'000;

  /// Explores the scenarios that `make` makes of different seeds. Every interleaving must be right, also of those
  /// scenarios that have too many to try all of them, which are not counted.
  template <class Make>
  void explore(Make make, int few, int many, std::size_t most_states = kMaxStates) {
    std::size_t states = 0;
    int explored = 0;
    for (int seed = 1; explored < testing::runs(few, many) && seed < 300 * many; ++seed) {
      testing::Random random(static_cast<std::uint64_t>(seed));
      std::optional<Scenario> scenario = make(random);
      if (!scenario) continue;
      Trial trial(*scenario);
      trial.also = also;
      const Explorer::Explored result = trial.explore(most_states);
      ASSERT_TRUE(result.is_right) << "seed " << seed;
      states += result.states;
      explored += result.is_complete ? 1 : 0;
    }
    EXPECT_GE(explored, testing::runs(few, many));
    RecordProperty("states", static_cast<int>(states));
    std::printf("%d scenarios, %zu states\n", explored, states);
  }
  std::function<bool(const Trial&)> also;
};

/// A nearly full small table, and a key that must kick others.
struct Crowded {
  Params params;
  std::vector<Hash> keys;
  Hash key;
};
std::optional<Crowded> crowded(testing::Random& random, std::uint64_t room = 1, std::uint32_t least_kicks = 1) {
  const std::uint32_t bucket_size = random.next() % 2 == 0 ? 2 : 4;
  Crowded made{small(2 + random.next() % 3, bucket_size), {}, {}};
  made.keys = filling(made.params, room, random);
  const std::optional<Hash> key = kicking(made.params, made.keys, least_kicks, random);
  if (!key) return std::nullopt;
  made.key = *key;
  return made;
}
/// The same, and another key that must kick.
struct CrowdedByTwo : Crowded {
  Hash other;
};
std::optional<CrowdedByTwo> crowded_by_two(testing::Random& random) {
  const std::optional<Crowded> it = crowded(random, 2);
  if (!it) return std::nullopt;
  const std::optional<Hash> other = kicking(it->params, it->keys, 1, random);
  if (!other) return std::nullopt;
  return CrowdedByTwo{*it, *other};
}
Hash any_of(const std::vector<Hash>& keys, testing::Random& random) { return keys[random.next() % keys.size()]; }

/// A plain filter with these keys: what a single thread makes of them.
Filter plain_of(const Params& params, const std::vector<Hash>& keys) {
  Filter filter = std::move(*Filter::create(params));
  for (const Hash key : keys) (void)filter.insert(key);
  return filter;
}
bool is_in(const Filter& filter, Candidate here) {
  return Access::entries(filter).table().count(here.bucket, here.entry) != 0;
}
/// A key that the insert of `it.key` moves from its alternate bucket, which is read last, to its primary one.
std::optional<Hash> moved_to_primary(const Crowded& it) {
  std::vector<Hash> all = it.keys;
  const Filter before = plain_of(it.params, all);
  all.push_back(it.key);
  const Filter after = plain_of(it.params, all);
  for (const Hash key : it.keys) {
    const Location at = detail::locate(key, it.params);
    if (!is_in(before, at.primary) && !is_in(after, at.alternate)) return key;
  }
  return std::nullopt;
}

/// Scenarios in which an insert moves another key, for which a second thread makes these calls meanwhile.
auto calls_for_moved_key(std::vector<Call> calls) {
  return [calls = std::move(calls)](testing::Random& random) -> std::optional<Scenario> {
    const std::optional<Crowded> it = crowded(random);
    const std::optional<Hash> moved = it ? moved_to_primary(*it) : std::nullopt;
    if (!moved) return std::nullopt;
    Thread other;
    for (const Call call : calls) other.push_back({call, *moved});
    return Scenario{it->params, it->keys, {{{Call::insert, it->key}}, other}};
  };
}

TEST_F(Interleaving, AReaderFindsAKeyThatMovesBetweenItsReads) {
  explore(calls_for_moved_key({Call::ask, Call::ask_many}), 10, 200);
}

TEST_F(Interleaving, OnlyOneThreadAddsAKeyThatMovesMeanwhile) {
  explore(calls_for_moved_key({Call::insert_if_absent, Call::ask}), 10, 200);
}

TEST_F(Interleaving, AReaderFindsEveryKeyWhileOthersAreKicked) {
  explore(
      [](testing::Random& random) -> std::optional<Scenario> {
        const std::optional<Crowded> it = crowded(random, 1, 2);
        if (!it) return std::nullopt;
        Thread reader;
        for (int i = 0; i < 3; ++i) reader.push_back({Call::ask, any_of(it->keys, random)});
        return Scenario{it->params, it->keys, {{{Call::insert, it->key}}, reader}};
      },
      4, 100);
}

TEST_F(Interleaving, TwoMoversAndAReaderLoseNothing) {
  explore(
      [](testing::Random& random) -> std::optional<Scenario> {
        const std::optional<CrowdedByTwo> it = crowded_by_two(random);
        if (!it) return std::nullopt;
        return Scenario{
            it->params,
            it->keys,
            {{{Call::insert, it->key}}, {{Call::insert, it->other}}, {{Call::ask, any_of(it->keys, random)}}}};
      },
      3, 20);
}

TEST_F(Interleaving, ErasesOnAPathOfKicksTakeExactlyOneEntry) {
  explore(
      [](testing::Random& random) -> std::optional<Scenario> {
        const std::optional<Crowded> it = crowded(random);
        if (!it) return std::nullopt;
        const Hash erased = any_of(it->keys, random);
        Hash asked = any_of(it->keys, random);
        if (asked == erased) return std::nullopt;
        return Scenario{
            it->params, it->keys, {{{Call::insert, it->key}}, {{Call::erase, erased}}, {{Call::ask, asked}}}};
      },
      8, 100);
}

TEST_F(Interleaving, TheSizeIsRightAfterTwoThreadsEraseAKeyThatMoves) {
  explore(
      [](testing::Random& random) -> std::optional<Scenario> {
        const std::optional<Crowded> it = crowded(random);
        const std::optional<Hash> moved = it ? moved_to_primary(*it) : std::nullopt;
        if (!moved || it->params.bucket_size != 2 || plain_of(it->params, it->keys).count(*moved) != 1)
          return std::nullopt;
        return Scenario{it->params,
                        it->keys,
                        {{{Call::insert, it->key}}, {{Call::erase_too, *moved}}, {{Call::erase_too, *moved}}}};
      },
      1, 2, 200'000);
}

TEST_F(Interleaving, AKeyIsFoundWhileAlikeOnesComeAndGo) {
  explore(
      [](testing::Random& random) -> std::optional<Scenario> {
        const Params params = small(2 + random.next() % 2, 2);
        const std::vector<Hash> keys = filling(params, 1 + random.next() % 2, random);
        const Hash alike = any_of(keys, random);
        return Scenario{
            params,
            keys,
            {{{Call::insert, alike}, {Call::ask, alike}}, {{Call::ask, alike}}, {{Call::insert, Hash{random.next()}}}}};
      },
      1, 5);
  // With a copy that is erased: the last one must be found at every moment.
  explore(
      [](testing::Random& random) -> std::optional<Scenario> {
        const Params params = small(2 + random.next() % 2, 2);
        std::vector<Hash> keys = filling(params, 2, random);
        const Hash alike = any_of(keys, random);
        if (plain_of(params, keys).insert(alike) != InsertOutcome::inserted) return std::nullopt;
        keys.push_back(alike);
        const std::optional<Hash> other = kicking(params, keys, 1, random);
        if (!other) return std::nullopt;
        return Scenario{params, keys, {{{Call::erase, alike}}, {{Call::ask, alike}}, {{Call::insert, *other}}}};
      },
      4, 20);
}

TEST_F(Interleaving, OfThreadsThatAddOneKeyUnlessItIsThereOneDoes) {
  for (const bool is_kicking : {false, true}) {
    explore(
        [&](testing::Random& random) -> std::optional<Scenario> {
          const std::optional<Crowded> it = crowded(random, 2);
          if (!it) return std::nullopt;
          const Hash key = is_kicking ? it->key : Hash{random.next()};
          also = [key](const Trial& trial) { return trial.inserted(key) <= 1; };
          return Scenario{it->params,
                          it->keys,
                          {{{Call::insert_if_absent, key}, {Call::ask, any_of(it->keys, random)}},
                           {{Call::insert_if_absent, key}}}};
        },
        5, 20);
  }
  explore(
      [&](testing::Random& random) -> std::optional<Scenario> {
        const std::optional<Crowded> it = crowded(random, 3);
        if (!it) return std::nullopt;
        const Hash key{random.next()};
        also = [key](const Trial& trial) { return trial.inserted(key) <= 1; };
        return Scenario{
            it->params,
            it->keys,
            {{{Call::insert_if_absent, key}}, {{Call::insert_if_absent, key}}, {{Call::insert_if_absent, it->key}}}};
      },
      1, 3);
}

TEST_F(Interleaving, AThreadThatEndsAnywhereLosesNoKeyAndBlocksNobody) {
  explore(
      [](testing::Random& random) -> std::optional<Scenario> {
        const std::optional<CrowdedByTwo> it = crowded_by_two(random);
        if (!it) return std::nullopt;
        Thread second{{Call::insert, it->other}};
        for (int i = 0; i < 2; ++i) second.push_back({Call::ask, any_of(it->keys, random)});
        return Scenario{it->params, it->keys, {{{Call::insert, it->key}}, second}, {.kills_first = true}};
      },
      3, 20);
  // What it has copied, and not yet moved, is erased.
  explore(
      [](testing::Random& random) -> std::optional<Scenario> {
        const std::optional<Crowded> it = crowded(random);
        const std::optional<Hash> moved = it ? moved_to_primary(*it) : std::nullopt;
        if (!moved) return std::nullopt;
        const Planned ask{Call::ask, any_of(it->keys, random)};
        if (ask.key == *moved) return std::nullopt;
        return Scenario{
            it->params, it->keys, {{{Call::insert, it->key}}, {{Call::erase, *moved}, ask}}, {.kills_first = true}};
      },
      3, 50);
}

TEST_F(Interleaving, ALockTakenFromALivingThreadLosesNoKey) {
  explore(
      [](testing::Random& random) -> std::optional<Scenario> {
        const std::optional<CrowdedByTwo> it = crowded_by_two(random);
        if (!it) return std::nullopt;
        const Planned ask{Call::ask, any_of(it->keys, random)};
        return Scenario{it->params,
                        it->keys,
                        {{{Call::insert, it->key}}, {{Call::insert, it->other}, ask}},
                        {.gives_up_waiting = true}};
      },
      1, 4);
}

TEST_F(Interleaving, ACopyHasAKeyWhoseAlikeIsErased) {
  explore(
      [](testing::Random& random) -> std::optional<Scenario> {
        const Params params = small(2 + random.next() % 2, 2);
        const std::vector<Hash> keys = filling(params, 1 + random.next() % 3, random);
        if (keys.empty()) return std::nullopt;
        const Hash alike = any_of(keys, random);
        const Location at = detail::locate(alike, params);
        const Filter filter = plain_of(params, keys);
        const Table& table = Access::entries(filter).table();
        // The copy reads the alternate bucket first, where another entry comes; then the one in the primary goes.
        const bool is_the_way = at.alternate.bucket < at.primary.bucket && is_in(filter, at.primary) &&
                                !table.has_room(at.primary.bucket) && table.has_room(at.alternate.bucket);
        if (!is_the_way) return std::nullopt;
        return Scenario{
            params,
            keys,
            {{{Call::insert, alike}, {Call::erase_inserted, alike}, {Call::ask, alike}}, {{Call::snapshot, Hash{0}}}}};
      },
      5, 100);
  // While another thread erases one as well.
  explore(
      [](testing::Random& random) -> std::optional<Scenario> {
        const Params params = small(2, 2);
        std::vector<Hash> keys = filling(params, 3, random);
        const Hash alike = any_of(keys, random);
        const Location at = detail::locate(alike, params);
        if (at.primary == at.alternate) return std::nullopt;
        keys.push_back(alike);
        return Scenario{params,
                        keys,
                        {{{Call::insert, alike}, {Call::erase_inserted, alike}},
                         {{Call::erase, alike}},
                         {{Call::snapshot, Hash{0}}}}};
      },
      2, 10);
}

TEST_F(Interleaving, ACopyOfTheTableHasEveryKey) {
  for (const bool gives_up : {false, true}) {
    explore(
        [=](testing::Random& random) -> std::optional<Scenario> {
          const std::optional<Crowded> it = crowded(random, 1, 1);
          if (!it) return std::nullopt;
          return Scenario{it->params,
                          it->keys,
                          {{{Call::insert, it->key}}, {{Call::snapshot, Hash{0}}}},
                          {.gives_up_waiting = gives_up}};
        },
        2, 100);
  }
}

TEST_F(Interleaving, CountsSeeNoEntryTwice) {
  explore(
      [](testing::Random& random) -> std::optional<Scenario> {
        const std::optional<Crowded> it = crowded(random, 1, 1);
        if (!it) return std::nullopt;
        return Scenario{it->params, it->keys, {{{Call::insert, it->key}}, {{Call::count, any_of(it->keys, random)}}}};
      },
      8, 100);
}

TEST_F(Interleaving, ARateIsANumberWhileEntriesGo) {
  explore(
      [](testing::Random& random) -> std::optional<Scenario> {
        const Params params = small(2, 2);
        const std::vector<Hash> keys = filling(params, 2 + random.next() % 2, random);
        if (keys.empty()) return std::nullopt;
        return Scenario{params, keys, {{{Call::erase, any_of(keys, random)}}, {{Call::rate, Hash{0}}}}};
      },
      5, 50);
}

}  // namespace
}  // namespace cuckoo
