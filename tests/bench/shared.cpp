// A filter that threads share, natively: lookups and inserts of one, two and more threads, beside a plain filter of the
// same width under one lock, and beside libcuckoo's set if CMake finds it (Debian: libcuckoo-dev).
// `shared [keys] [threads]`. Invariant: all contenders take the same keys in the same run, and every result is used.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "cuckoo/cuckoo.h"
#ifdef CUCKOO_LIBCUCKOO
#include <libcuckoo/cuckoohash_map.hh>
#endif

namespace {

using namespace cuckoo;

/// Keys that are hashes: what is compared is tables.
Hash key_of(std::uint64_t i) { return Hash{(i + 1) * 0x9E3779B97F4A7C15u ^ (i << 40)}; }

struct Shared {
  static constexpr const char* kName = "ConcurrentFilter";
  explicit Shared(const Params& params) : filter(std::move(*ConcurrentFilter<>::create(params))) {}
  bool contains(Hash hash) const { return filter.contains(hash); }
  bool insert(Hash hash) { return filter.insert(hash) == InsertOutcome::inserted; }
  ConcurrentFilter<> filter;
};
/// One thread only.
struct Plain {
  static constexpr const char* kName = "Filter (no lock)";
  explicit Plain(const Params& params) : filter(std::move(*Filter<>::create(params))) {}
  bool contains(Hash hash) const { return filter.contains(hash); }
  bool insert(Hash hash) { return filter.insert(hash) == InsertOutcome::inserted; }
  Filter<> filter;
};
struct OneLock : Plain {
  static constexpr const char* kName = "Filter under one lock";
  using Plain::Plain;
  bool contains(Hash hash) const {
    const std::lock_guard lock(mutex);
    return Plain::contains(hash);
  }
  bool insert(Hash hash) {
    const std::lock_guard lock(mutex);
    return Plain::insert(hash);
  }
  mutable std::mutex mutex;
};
#ifdef CUCKOO_LIBCUCKOO
struct Libcuckoo {
  static constexpr const char* kName = "libcuckoo map";
  explicit Libcuckoo(const Params& params) : map(static_cast<std::size_t>(slot_count(params))) {}
  bool contains(Hash hash) const { return map.contains(static_cast<std::uint64_t>(hash)); }
  bool insert(Hash hash) { return map.insert(static_cast<std::uint64_t>(hash), 0); }
  libcuckoo::cuckoohash_map<std::uint64_t, char> map;
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

template <class Contender>
void measure(const Params& params, std::uint32_t most_threads) {
  const std::uint64_t slots = slot_count(params);
  for (std::uint32_t threads = 1; threads <= most_threads; threads *= 2) {
    Contender filter(params);
    const double half = rate(threads, slots / 2, [&](std::uint64_t i) { return filter.insert(key_of(i)); });
    const double later =
        rate(threads, slots * 35 / 100, [&](std::uint64_t i) { return filter.insert(key_of(slots / 2 + i)); });
    const double last =
        rate(threads, slots / 10, [&](std::uint64_t i) { return filter.insert(key_of(slots * 85 / 100 + i)); });
    const double present = rate(threads, slots / 2, [&](std::uint64_t i) { return filter.contains(key_of(i)); });
    const double absent =
        rate(threads, slots / 2, [&](std::uint64_t i) { return filter.contains(key_of(i + 10 * slots)); });
    std::printf(
        "%-24s %2u threads: inserts to 50 %% %6.1f, to 85 %% %6.1f, to 95 %% %6.1f; lookups present %6.1f, absent "
        "%6.1f\n",
        Contender::kName, threads, half, later, last, present, absent);
  }
}

}  // namespace

int main(int count, char** words) {
  const std::uint64_t keys = count > 1 ? static_cast<std::uint64_t>(std::atof(words[1])) : 4'000'000;
  const auto threads = static_cast<std::uint32_t>(count > 2 ? std::atoi(words[2]) : 2);
  Params params = *plan_shared({.capacity = keys});
  std::printf("%llu keys, %u cores; millions a second, all threads together\n", static_cast<unsigned long long>(keys),
              std::thread::hardware_concurrency());
  measure<Plain>(params, 1);
  measure<Shared>(params, threads);
  measure<OneLock>(params, threads);
#ifdef CUCKOO_LIBCUCKOO
  measure<Libcuckoo>(params, threads);
#else
  std::printf("libcuckoo is not installed (Debian: libcuckoo-dev)\n");
#endif
  std::printf("(all results together: %llu)\n", static_cast<unsigned long long>(used.load()));
}
