// Whether small planned tables hold their capacity: builds ten million of them, spread over every capacity from 1 to
// 2,000, with the default options, and a tenth as many with each of the other options, from random keys. A shape that
// failed once is built ten million times more. `small [builds [last capacity]]`.
// Invariant: exits with 1 if any shape fails more often than once in a million builds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "../cpp/random.h"
#include "cuckoo/filter/filter.h"
#include "cuckoo/plan.h"

namespace {

using cuckoo::Filter;
using cuckoo::Hash;
using cuckoo::Params;
using cuckoo::Request;

constexpr double kPromised = 1e-6;

/// Builds `count` tables of `params`, each with its capacity of random keys; returns how many refused one.
std::uint64_t failures_of(const Params& params, std::uint64_t count, std::uint64_t seed) {
  Filter<> filter = std::move(*Filter<>::create(params));
  cuckoo::testing::Random random(seed);
  std::vector<Hash> hashes(static_cast<std::size_t>(params.capacity));
  std::uint64_t failures = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    filter.clear();
    for (Hash& hash : hashes) hash = Hash{random.next()};
    failures += filter.insert_many(hashes).done < hashes.size() ? 1 : 0;
  }
  return failures;
}

/// Calls `work(i)` for every i from 0 to `count` - 1, on all processors.
template <class Work>
void in_parallel(std::uint64_t count, Work work) {
  std::mutex mutex;
  std::uint64_t next = 0;
  const auto take = [&] {
    const std::scoped_lock lock(mutex);
    return next++;
  };
  std::vector<std::jthread> threads(std::max(1u, std::thread::hardware_concurrency()));
  for (std::jthread& thread : threads) {
    thread = std::jthread([&] {
      for (std::uint64_t i = take(); i < count; i = take()) work(i);
    });
  }
}

/// Builds a failing shape again, prints it, and returns whether it keeps the promise.
bool keeps_promise(const Params& params, std::uint64_t failures, std::uint64_t builds, std::uint64_t again) {
  constexpr std::uint64_t kParts = 64;
  std::mutex mutex;
  std::uint64_t more = 0;
  in_parallel(kParts, [&](std::uint64_t part) {
    const std::uint64_t failed = failures_of(params, again / kParts, ~(part << 32 | params.capacity));
    const std::scoped_lock lock(mutex);
    more += failed;
  });
  const double rate = static_cast<double>(more) / static_cast<double>(again / kParts * kParts);
  std::printf("  capacity %llu, %llu x %u slots of %.2f bits%s: %llu of %llu failed, then %.1e of %llu: %s\n",
              static_cast<unsigned long long>(params.capacity), static_cast<unsigned long long>(params.bucket_count),
              params.bucket_size, cuckoo::fingerprint_width(params),
              params.storage == cuckoo::Storage::plain ? "" : " semi-sorted", static_cast<unsigned long long>(failures),
              static_cast<unsigned long long>(builds), rate, static_cast<unsigned long long>(again),
              rate <= kPromised ? "kept" : "BROKEN");
  return rate <= kPromised;
}

/// Builds `builds` tables for `request` over every capacity up to `last`; prints those that failed.
bool measure(const char* name, const Request& request, std::uint64_t builds, std::uint64_t last, std::uint64_t again) {
  const std::uint64_t each = std::max<std::uint64_t>(1, builds / last);
  std::vector<Params> shapes;
  for (std::uint64_t capacity = 1; capacity <= last; ++capacity) {
    Request it = request;
    it.capacity = capacity;
    // Some capacities have no plan: no table of two slots a bucket reaches every rate.
    if (const auto params = cuckoo::plan(it)) shapes.push_back(*params);
  }
  std::vector<std::uint64_t> failures(shapes.size());
  // The largest first, so that no thread is left with it alone at the end.
  in_parallel(shapes.size(), [&](std::uint64_t i) {
    const std::size_t at = shapes.size() - 1 - static_cast<std::size_t>(i);
    failures[at] = failures_of(shapes[at], each, shapes[at].capacity);
  });
  const auto failed = static_cast<unsigned long long>(
      std::count_if(failures.begin(), failures.end(), [](std::uint64_t count) { return count > 0; }));
  std::printf("%s: %llu tables of %zu shapes, %llu shapes failed\n", name,
              static_cast<unsigned long long>(each * shapes.size()), shapes.size(), failed);
  std::fflush(stdout);
  bool is_kept = true;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (failures[i] > 0) is_kept &= keeps_promise(shapes[i], failures[i], each, again);
  }
  return is_kept;
}

}  // namespace

int main(int count, char** words) {
  const std::uint64_t builds = count > 1 ? std::strtoull(words[1], nullptr, 10) : 10'000'000;
  const std::uint64_t last = count > 2 ? std::strtoull(words[2], nullptr, 10) : 2'000;
  bool is_kept = measure("default options", Request{}, builds, last, builds);
  const auto other = [&](const char* name, auto change) {
    Request request;
    change(request);
    is_kept &= measure(name, request, builds / 10, last, builds);
  };
  other("rate 0.5", [](Request& it) { it.false_positive_rate = 0.5; });
  other("rate 0.03", [](Request& it) { it.false_positive_rate = 0.03; });
  other("rate 0.00001", [](Request& it) { it.false_positive_rate = 0.00001; });
  other("not semi-sorted", [](Request& it) { it.semi_sort = false; });
  other("addressing by XOR", [](Request& it) { it.addressing = cuckoo::Addressing::xor_power_of_two; });
  other("20 kicks", [](Request& it) { it.max_kicks = 20; });
  for (std::uint32_t b = 2; b <= cuckoo::kMaxBucketSize; ++b) {
    char name[32];
    std::snprintf(name, sizeof name, "%u slots a bucket", b);
    other(name, [b](Request& it) { it.bucket_size = b; });
  }
  return is_kept ? 0 : 1;
}
