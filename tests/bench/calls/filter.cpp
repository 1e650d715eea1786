// Speed of the library: the workloads of filter.mjs on 64-bit integers, in tables of about 8 and 128 MB, and what it
// saves and loads of 8 MB in a second, beside a copy of as many bytes.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <vector>

#include "../../cpp/support/random.h"
#include "cuckoo/format/format.h"
#include "cuckoo/plan.h"

namespace {

using cuckoo::Filter;
using cuckoo::Hash;

constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kAsked = 4'000'000;

std::vector<Hash> hashes(std::uint64_t count, std::uint64_t first) {
  std::vector<Hash> list(count);
  for (std::uint64_t i = 0; i < count; ++i) list[i] = cuckoo::detail::xxh64_of_integer(first + i, 0);
  return list;
}

Filter empty(std::uint64_t capacity) { return std::move(*Filter::create(*cuckoo::plan({.capacity = capacity}))); }

/// A full filter and hashes to look up, half of them present, in random order; made once for each capacity.
struct Full {
  explicit Full(std::uint64_t capacity) : filter(empty(capacity)), asked(kAsked) {
    const std::vector<Hash> added = hashes(capacity, 0);
    (void)filter.insert_many(added);
    cuckoo::testing::Random random(kSeed);
    for (std::size_t i = 0; i < kAsked; ++i) {
      asked[i] =
          random.below(2) == 0 ? added[random.below(capacity)] : cuckoo::detail::xxh64_of_integer(capacity + i, 0);
    }
  }
  Filter filter;
  std::vector<Hash> asked;
};
Full& full(std::uint64_t capacity) {
  static std::map<std::uint64_t, Full> made;
  return made.try_emplace(capacity, capacity).first->second;
}

void Contains(benchmark::State& state) {
  const Full& it = full(static_cast<std::uint64_t>(state.range(0)));
  std::size_t found = 0;
  for (auto _ : state) {
    for (const Hash hash : it.asked) found += it.filter.contains(hash);
  }
  benchmark::DoNotOptimize(found);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kAsked));
}

void ContainsMany(benchmark::State& state) {
  const Full& it = full(static_cast<std::uint64_t>(state.range(0)));
  std::vector<std::uint8_t> found(kAsked);
  for (auto _ : state) {
    it.filter.contains_many(it.asked, found);
    benchmark::DoNotOptimize(found.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kAsked));
}

void InsertMany(benchmark::State& state) {
  const auto capacity = static_cast<std::uint64_t>(state.range(0));
  const std::vector<Hash> added = hashes(capacity, 0);
  Filter filter = empty(capacity);
  for (auto _ : state) {
    state.PauseTiming();
    filter.clear();
    state.ResumeTiming();
    benchmark::DoNotOptimize(filter.insert_many(added));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(capacity));
}

/// Five million keys in four slots a bucket, and their saved form.
struct Saved {
  explicit Saved(bool semi_sort)
      : filter(std::move(
            *Filter::create(*cuckoo::plan({.capacity = 5'000'000, .bucket_size = 4, .semi_sort = semi_sort})))) {
    (void)filter.insert_many(hashes(5'000'000, 0));
    bytes = cuckoo::save(filter);
  }
  Filter filter;
  std::vector<std::uint8_t> bytes;
};

void CopyBytes(benchmark::State& state) {
  const Saved it(state.range(0) != 0);
  std::vector<std::uint8_t> copy(it.bytes.size());
  for (auto _ : state) {
    std::copy(it.bytes.begin(), it.bytes.end(), copy.begin());
    benchmark::DoNotOptimize(copy.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(copy.size()));
}

void Save(benchmark::State& state) {
  Saved it(state.range(0) != 0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(cuckoo::save(it.filter, it.bytes));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(it.bytes.size()));
}

void Load(benchmark::State& state) {
  const Saved it(state.range(0) != 0);
  for (auto _ : state) benchmark::DoNotOptimize(cuckoo::load(it.bytes)->size());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(it.bytes.size()));
}

BENCHMARK(Contains)->Arg(5'000'000)->Arg(75'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(ContainsMany)->Arg(5'000'000)->Arg(75'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(InsertMany)->Arg(5'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(CopyBytes)->ArgName("semi-sorted")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(Save)->ArgName("semi-sorted")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(Load)->ArgName("semi-sorted")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
