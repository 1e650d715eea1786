// Threads hammer one shared filter: all of them look up all keys that are known to be present, while they insert until
// it is full, erase their own keys, and add the same keys at once, one by one and in batches. `hammer SECONDS SEED
// [THREADS]`; prints what was done. The exit code is 1 if a key was not found, if a key was new to two threads, or if
// the table holds anything else at the end.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "../cpp/support/random.h"
#include "cuckoo/cuckoo.h"

namespace {

using namespace cuckoo;
using cuckoo::testing::Random;
using Clock = std::chrono::steady_clock;

struct Totals {
  std::atomic<std::uint64_t> lookups = 0, inserts = 0, refused = 0, erases = 0, misses = 0, faults = 0, snapshots = 0;
};

/// What one thread does in a round: its keys are those whose number modulo the threads is its own.
class Hammer {
 public:
  Hammer(ConcurrentFilter& filter, const std::vector<std::uint64_t>& permanent, std::uint64_t first_key,
         std::uint64_t seed, Totals& totals)
      : filter_(filter), permanent_(permanent), next_(first_key), random_(seed), totals_(totals) {}

  void run(std::uint64_t calls) {
    for (std::uint64_t i = 0; i < calls; ++i) {
      ask(permanent_[random_.below(permanent_.size())]);
      const std::uint64_t what = random_.below(8);
      if (what < 4) insert();
      if (what >= 4 && what < 7 && !own_.empty()) erase();
      if (!own_.empty()) ask(own_[random_.below(own_.size())]);
      if (i % 64 == 0) {
        for (Hash& hash : hashes_of(300)) hash = filter_.hash(permanent_[random_.below(permanent_.size())]);
        ask_many();
        check(filter_.count(permanent_[random_.below(permanent_.size())]) != 0u);
        const double rate = filter_.expected_false_positive_rate();
        if (!(rate >= 0 && rate <= 1)) ++totals_.faults;
        if (own_.size() < permanent_.size() / 4) insert_and_erase_many();
      }
    }
  }
  [[nodiscard]] std::uint64_t own() const { return own_.size(); }

 private:
  void check(bool is_found) {
    ++totals_.lookups;
    if (!is_found) ++totals_.misses;
  }
  void ask(std::uint64_t key) { check(filter_.contains(key)); }
  std::vector<Hash>& hashes_of(std::size_t count) {
    hashes_.resize(count);
    return hashes_;
  }
  void ask_many() {
    found_.assign(hashes_.size(), 0);
    filter_.contains_many(hashes_, found_);
    for (const std::uint8_t it : found_) check(it != 0);
  }
  void insert_and_erase_many() {
    for (Hash& hash : hashes_of(1 + random_.below(permanent_.size()))) hash = filter_.hash(next_++);
    const std::size_t done = filter_.insert_many(hashes_).done;
    if (done < hashes_.size()) ++totals_.refused;
    hashes_.resize(done);
    ask_many();
    if (filter_.erase_many(hashes_) != done) ++totals_.misses;
    totals_.inserts += done;
    totals_.erases += done;
  }
  void insert() {
    const std::uint64_t key = next_++;
    const InsertOutcome outcome = filter_.insert(key);
    if (outcome == InsertOutcome::inserted) {
      own_.push_back(key);
      ++totals_.inserts;
    } else {
      ++totals_.refused;
      for (int i = 0; i < 20 && !own_.empty(); ++i) erase();
    }
  }
  void erase() {
    std::swap(own_[random_.below(own_.size())], own_.back());
    if (!filter_.erase(own_.back())) ++totals_.misses;
    own_.pop_back();
    ++totals_.erases;
  }

  ConcurrentFilter& filter_;
  const std::vector<std::uint64_t>& permanent_;
  std::uint64_t next_;
  std::vector<std::uint64_t> own_;
  std::vector<Hash> hashes_;
  std::vector<std::uint8_t> found_;
  Random random_;
  Totals& totals_;
};

/// Entries in the table, counted.
std::uint64_t used(const ConcurrentFilter& filter) { return (*filter.snapshot()).size(); }

/// One filter, from empty to full, hammered by so many threads.
void round(const Params& params, std::uint64_t calls, std::uint64_t seed, std::uint32_t threads, Totals& totals) {
  ConcurrentFilter filter = std::move(*ConcurrentFilter::create(params));
  Random random(seed);
  std::vector<std::uint64_t> permanent;
  // All threads add the same keys, each of which is new to one of them.
  const std::uint64_t shared = slot_count(params) / 2;
  std::atomic<std::uint64_t> news = 0;
  const auto in_threads = [&](auto body) {
    std::vector<std::thread> all;
    for (std::uint32_t i = 0; i < threads; ++i) all.emplace_back(body, i);
    for (std::thread& thread : all) thread.join();
  };
  const std::uint64_t base = random.next() >> 8;
  in_threads([&](std::uint32_t i) {
    for (std::uint64_t key = 0; key < shared; ++key) {
      if (i % 2 != 0) {
        // The same keys in batches.
        const Hash hashes[] = {filter.hash(base + key), filter.hash(base + (key + 1) % shared)};
        std::uint8_t is_new[2] = {};
        const std::size_t done = filter.insert_many_if_absent(hashes, is_new).done;
        news += is_new[0] + is_new[1];
        for (std::size_t j = 0; j < done; ++j) totals.misses += filter.contains(hashes[j]) ? 0u : 1u;
        continue;
      }
      const InsertOutcome outcome = filter.insert_if_absent(base + key);
      if (outcome == InsertOutcome::inserted) ++news;
      if (outcome != InsertOutcome::full && !filter.contains(base + key)) ++totals.misses;
    }
  });
  if (news != filter.size() || news != used(filter)) ++totals.faults;
  filter.clear();
  if (filter.size() != 0 || used(filter) != 0) ++totals.faults;
  for (std::uint64_t key = 0; key < shared; ++key) {
    if (filter.insert(base + key) == InsertOutcome::inserted) permanent.push_back(base + key);
  }

  std::vector<Hammer> hammers;
  for (std::uint32_t i = 0; i < threads; ++i) {
    hammers.emplace_back(filter, permanent, base + shared + (std::uint64_t{i + 1} << 40), random.next(), totals);
  }
  std::atomic<std::uint32_t> working = threads;
  std::thread saver([&] {
    while (working != 0) {
      const Filter copy = std::move(*filter.snapshot());
      ++totals.snapshots;
      for (const std::uint64_t key : permanent) {
        if (!copy.contains(key)) ++totals.misses;
      }
    }
  });
  in_threads([&](std::uint32_t i) {
    hammers[i].run(calls);
    --working;
  });
  saver.join();
  std::uint64_t expected = permanent.size();
  for (const Hammer& hammer : hammers) expected += hammer.own();
  if (filter.size() != expected || used(filter) != expected) ++totals.faults;
}

}  // namespace

int main(int count, char** words) {
  const double seconds = count > 1 ? std::atof(words[1]) : 2;
  const std::uint64_t seed = count > 2 ? std::strtoull(words[2], nullptr, 10) : 1;
  const auto threads = static_cast<std::uint32_t>(count > 3 ? std::atoi(words[3]) : 4);
  Totals totals;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  std::uint64_t rounds = 0;
  Random random(seed);
  constexpr std::uint32_t kSizes[] = {4, 5, 6, 8, 2};
  do {
    Params params;
    params.bucket_size = kSizes[rounds % 5];
    params.fingerprint_bits = 64 / params.bucket_size;
    params.bucket_count = 2 + random.below(rounds % 2 == 0 ? 30 : 3000);
    params.capacity = slot_count(params);
    round(params, 2000, random.next(), threads, totals);
    ++rounds;
  } while (Clock::now() < end && totals.misses + totals.faults == 0);
  std::printf(
      "seed %llu: %llu rounds of %u threads, %llu lookups, %llu inserts, %llu refused, %llu erases, %llu copies; "
      "%llu keys not found, %llu faults\n",
      static_cast<unsigned long long>(seed), static_cast<unsigned long long>(rounds), threads,
      static_cast<unsigned long long>(totals.lookups), static_cast<unsigned long long>(totals.inserts),
      static_cast<unsigned long long>(totals.refused), static_cast<unsigned long long>(totals.erases),
      static_cast<unsigned long long>(totals.snapshots), static_cast<unsigned long long>(totals.misses),
      static_cast<unsigned long long>(totals.faults));
  return totals.misses + totals.faults == 0 ? 0 : 1;
}
