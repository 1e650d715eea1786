// A filter that threads share, natively: lookups and inserts of one, two and more threads, beside a plain filter of the
// same width without and under one lock, and, where CMake was told of a checkout of them (CUCKOO_LIBCUCKOO,
// CUCKOO_PAPER), beside libcuckoo's map and the paper's own code under one lock. `shared [keys] [threads] [turns]`.
// Invariant: all contenders take the same keys, in tables of the same buckets, by turns; the best turn counts, and
// every result is used.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "cuckoo/cuckoo.h"
#ifdef CUCKOO_LIBCUCKOO
#include <libcuckoo/cuckoohash_map.hh>
#endif
#ifdef CUCKOO_PAPER
#include "cuckoofilter.h"
#endif

namespace {

using namespace cuckoo;

/// Keys that are hashes: what is compared is tables.
Hash key_of(std::uint64_t i) { return Hash{(i + 1) * 0x9E3779B97F4A7C15u ^ (i << 40)}; }

struct Shared {
  explicit Shared(const Params& params) : filter(std::move(*ConcurrentFilter::create(params))) {}
  bool contains(Hash hash) const { return filter.contains(hash); }
  bool insert(Hash hash) { return filter.insert(hash) == InsertOutcome::inserted; }
  ConcurrentFilter filter;
};
/// One thread only.
struct Plain {
  explicit Plain(const Params& params) : filter(std::move(*Filter::create(params))) {}
  bool contains(Hash hash) const { return filter.contains(hash); }
  bool insert(Hash hash) { return filter.insert(hash) == InsertOutcome::inserted; }
  Filter filter;
};
/// The least that a shared filter must do: one atomic operation on a word of a table as large. What two threads gain
/// over one here, the machine gives; a filter can gain no more by much.
struct Atomics {
  explicit Atomics(const Params& params) : words(static_cast<std::size_t>(params.bucket_count)) {}
  std::uint64_t& word_of(Hash hash) const {
    return words[static_cast<std::size_t>(scale(static_cast<std::uint64_t>(hash) >> 32, words.size()))];
  }
  bool contains(Hash hash) const { return NativeMachine::load(word_of(hash)) != 0; }
  bool insert(Hash hash) {
    std::uint64_t seen = NativeMachine::load(word_of(hash));
    return NativeMachine::compare_exchange(word_of(hash), seen, seen + 1);
  }
  static std::uint64_t scale(std::uint64_t half, std::uint64_t count) { return half * count >> 32; }
  mutable std::vector<std::uint64_t> words;
};
/// A filter for one thread, whose threads take turns.
template <class Alone>
struct OneLock : Alone {
  using Alone::Alone;
  bool contains(Hash hash) const {
    const std::lock_guard lock(mutex);
    return Alone::contains(hash);
  }
  bool insert(Hash hash) {
    const std::lock_guard lock(mutex);
    return Alone::insert(hash);
  }
  mutable std::mutex mutex;
};
#ifdef CUCKOO_LIBCUCKOO
/// Keys alone, which it keeps whole: libcuckoo has no set.
struct Libcuckoo {
  explicit Libcuckoo(const Params& params) : map(static_cast<std::size_t>(slot_count(params))) {}
  bool contains(Hash hash) const { return map.contains(static_cast<std::uint64_t>(hash)); }
  bool insert(Hash hash) { return map.insert(static_cast<std::uint64_t>(hash), char{}); }
  libcuckoo::cuckoohash_map<std::uint64_t, char> map;
};
#endif
#ifdef CUCKOO_PAPER
struct Paper {
  explicit Paper(const Params& params) : filter(static_cast<std::size_t>(slot_count(params) * 95 / 100)) {}
  bool contains(Hash hash) const { return filter.Contain(static_cast<std::uint64_t>(hash)) == cuckoofilter::Ok; }
  bool insert(Hash hash) { return filter.Add(static_cast<std::uint64_t>(hash)) == cuckoofilter::Ok; }
  cuckoofilter::CuckooFilter<std::uint64_t, 16> filter;
};
#endif

std::atomic<std::uint64_t> used = 0;

/// Millions a second that so many threads do together of `count` calls.
double rate(std::uint32_t threads, std::uint64_t count, const std::function<bool(std::uint64_t)>& call) {
  std::atomic<std::uint32_t> ready = 0;
  std::vector<std::thread> all;
  std::atomic<bool> go = false;
  for (std::uint32_t t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      ++ready;
      while (!go) std::this_thread::yield();
      std::uint64_t sum = 0;
      for (std::uint64_t i = count * t / threads; i < count * (t + 1) / threads; ++i) sum += call(i) ? 1 : 0;
      used += sum;
    });
  }
  while (ready < threads) std::this_thread::yield();
  const auto began = std::chrono::steady_clock::now();
  go = true;
  for (std::thread& thread : all) thread.join();
  return static_cast<double>(count) /
         std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count();
}

enum Row { to_half, to_85, to_95, present, absent, kRows };
constexpr const char* kRowNames[kRows] = {"inserts to 50 %", "to 85 %", "to 95 %", "lookups present", "absent"};
using Rates = std::array<double, kRows>;

/// One turn: a filter is filled and asked by so many threads.
template <class Contender>
Rates turn(const Params& params, std::uint32_t threads) {
  const std::uint64_t slots = slot_count(params);
  Contender filter(params);
  Rates rates;
  rates[to_half] = rate(threads, slots / 2, [&](std::uint64_t i) { return filter.insert(key_of(i)); });
  rates[to_85] = rate(threads, slots * 35 / 100, [&](std::uint64_t i) { return filter.insert(key_of(slots / 2 + i)); });
  rates[to_95] =
      rate(threads, slots / 10, [&](std::uint64_t i) { return filter.insert(key_of(slots * 85 / 100 + i)); });
  rates[present] = rate(threads, slots / 2, [&](std::uint64_t i) { return filter.contains(key_of(i)); });
  rates[absent] = rate(threads, slots / 2, [&](std::uint64_t i) { return filter.contains(key_of(i + 10 * slots)); });
  return rates;
}

struct Measured {
  const char* name;
  std::uint32_t threads;
  std::function<Rates()> turn;
  Rates best{};
};

/// How many times as much as `other`, row by row, beside what is asked.
void print_ratio(const char* title, const Measured& it, const Measured& other, const char* asked) {
  std::printf("%-52s", title);
  for (int row = 0; row < kRows; ++row) std::printf("%17.2f", it.best[row] / other.best[row]);
  std::printf("   %s\n", asked);
}

}  // namespace

int main(int count, char** words) {
  const std::uint64_t keys = count > 1 ? static_cast<std::uint64_t>(std::atof(words[1])) : 4'000'000;
  const auto most_threads = static_cast<std::uint32_t>(count > 2 ? std::atoi(words[2]) : 2);
  const int turns = count > 3 ? std::atoi(words[3]) : 9;
  Params params = *plan_shared({.capacity = keys, .bucket_size = 4});
  params.bucket_count = std::bit_ceil(params.bucket_count);  // as the paper's code has it
  params.capacity = slot_count(params);
  std::vector<Measured> all{{"Filter", 1, [&] { return turn<Plain>(params, 1); }}};
  std::vector<std::size_t> shared;  // by the power of two of the threads
  std::vector<std::size_t> atomics;
  for (std::uint32_t threads = 1; threads <= most_threads; threads *= 2) {
    shared.push_back(all.size());
    all.push_back({"ConcurrentFilter", threads, [&, threads] { return turn<Shared>(params, threads); }});
    atomics.push_back(all.size());
    all.push_back({"one atomic operation", threads, [&, threads] { return turn<Atomics>(params, threads); }});
    all.push_back({"Filter, one lock", threads, [&, threads] { return turn<OneLock<Plain>>(params, threads); }});
#ifdef CUCKOO_PAPER
    all.push_back({"the paper's, one lock", threads, [&, threads] { return turn<OneLock<Paper>>(params, threads); }});
#endif
#ifdef CUCKOO_LIBCUCKOO
    all.push_back({"libcuckoo's map", threads, [&, threads] { return turn<Libcuckoo>(params, threads); }});
#endif
  }
  for (int i = 0; i < turns; ++i) {
    for (Measured& it : all) {
      const Rates rates = it.turn();
      for (int row = 0; row < kRows; ++row) it.best[row] = std::max(it.best[row], rates[row]);
    }
  }
  std::printf("tables of %llu slots of 16 bits, %u cores; millions a second, all threads together, best of %d turns\n",
              static_cast<unsigned long long>(slot_count(params)), std::thread::hardware_concurrency(), turns);
  std::printf("%-52s", "");
  for (const char* name : kRowNames) std::printf("%17s", name);
  std::printf("\n");
  for (const Measured& it : all) {
    std::printf("%-40s %2u threads ", it.name, it.threads);
    for (const double rate : it.best) std::printf("%17.1f", rate);
    std::printf("\n");
  }
  print_ratio("ConcurrentFilter, 1 thread, over Filter", all[shared[0]], all[0], "asked: 0.9 of lookups");
  for (std::size_t i = 1; i < shared.size(); ++i) {
    char title[64];
    std::snprintf(title, sizeof title, "ConcurrentFilter, %u threads over %u", all[shared[i]].threads,
                  all[shared[i - 1]].threads);
    print_ratio(title, all[shared[i]], all[shared[i - 1]], "asked: 1.8 of two over one, to 85 %");
    print_ratio("  one atomic operation, likewise", all[atomics[i]], all[atomics[i - 1]], "what the machine gives");
  }
#ifndef CUCKOO_LIBCUCKOO
  std::printf("without libcuckoo: --libcuckoo=FOLDER names a checkout of it\n");
#endif
#ifndef CUCKOO_PAPER
  std::printf("without the paper's code: --paper=FOLDER names the folder of its headers\n");
#endif
  std::printf("(all results together: %llu)\n", static_cast<unsigned long long>(used.load()));
}
