// Growth in place, stage by stage: fills filters that begin small to their largest capacity, and prints for each stage
// its bits a key, the rate measured beside the formula's, and what the doubling that ends it took. `grow` prints the
// tables of docs/inside/sizing.md; `grow first last [rate]` one for those capacities. Invariant: exits with 1 if a key
// did not go in, a key was lost at any stage or after half of them were deleted, a delete missed, or a rate lies
// outside its 99.9 % interval.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuckoo/entries/statistics.h"
#include "cuckoo/filters/filter.h"
#include "cuckoo/plan.h"
#include "found.h"

namespace {

using cuckoo::Hash;

double milliseconds() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
using Filter = cuckoo::BasicFilter<cuckoo::detail::Entries<cuckoo::Watched<cuckoo::NoWatch, milliseconds>>>;

constexpr std::uint64_t kProbes = 2'000'000;
constexpr double kDeviations = 3.29;  // two-sided 99.9 %
constexpr std::uint64_t kAbsent = std::uint64_t{1} << 40;

/// The hashes of `count` integers from `first` on: independent random numbers.
std::vector<Hash> keys(std::uint64_t first, std::uint64_t count) {
  std::vector<Hash> hashes(count);
  for (std::uint64_t i = 0; i < count; ++i) hashes[i] = cuckoo::detail::xxh64_of_integer(first + i, 1);
  return hashes;
}

/// Prints the stage that is full now; false if the filter broke a promise.
bool print_stage(const Filter& filter, std::span<const Hash> stored, std::span<const Hash> absent) {
  const cuckoo::Params& params = filter.params();
  const double expected = filter.expected_false_positive_rate();
  const double measured = static_cast<double>(found_among(filter, absent)) / static_cast<double>(absent.size());
  const double kinds = static_cast<double>(cuckoo::grown_bucket_count(params)) *
                       static_cast<double>(cuckoo::detail::fingerprint_count(params)) / 2;
  const double deviation =
      std::sqrt(expected * (1 - expected) * (1.0 / static_cast<double>(absent.size()) + 1 / kinds));
  const bool is_as_expected = std::abs(measured - expected) <= kDeviations * deviation + 1.0 / kProbes;
  const std::uint64_t lost = stored.size() - found_among(filter, stored);
  std::printf("| %10llu | %9llu | %2u | %.4f | %5.2f | %9.3g %% | %9.3g %% | %s | %llu |",
              static_cast<unsigned long long>(filter.size()), static_cast<unsigned long long>(params.bucket_count),
              cuckoo::detail::entry_bits(params), filter.load_factor(),
              8.0 * static_cast<double>(table_bytes(params)) / static_cast<double>(filter.size()), 100 * expected,
              100 * measured, is_as_expected ? "yes" : "NO", static_cast<unsigned long long>(lost));
  return lost == 0 && is_as_expected;
}

bool measure(cuckoo::Request request) {
  request.prefer = cuckoo::Preference::space;
  const cuckoo::Params first = *cuckoo::plan(request);
  Filter filter = std::move(*Filter::create(first));
  const std::vector<Hash> stored = keys(0, first.capacity);
  const std::vector<Hash> absent = keys(kAbsent, kProbes);
  std::printf("\n%llu to %llu keys at %g %%: %u slots a bucket of %.2f bits%s, %u doublings\n\n",
              static_cast<unsigned long long>(request.capacity), static_cast<unsigned long long>(first.capacity),
              100 * request.false_positive_rate, first.bucket_size, cuckoo::fingerprint_width(first),
              first.storage == cuckoo::Storage::semi_sorted ? ", semi-sorted" : "", first.reserved_bits);
  std::puts(
      "| keys | buckets | bits a slot | load | bits a key | expected | measured | inside | lost | ms to double |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
  bool is_good = true;
  std::uint64_t done = 0;
  while (is_good && done < stored.size()) {
    const std::uint64_t until = cuckoo::present_capacity(filter.params());
    is_good &= filter.insert_many(std::span(stored).subspan(done, until - done)).done == until - done;
    done = until;
    is_good &= print_stage(filter, std::span(stored).first(done), absent);
    const std::uint32_t before = filter.watch().statistics().doubling_count;
    if (done < stored.size()) is_good &= filter.insert(stored[done++]) == cuckoo::InsertOutcome::inserted;
    const cuckoo::Statistics& statistics = filter.watch().statistics();
    if (statistics.doubling_count == before) {
      std::puts("  |");
    } else {
      std::printf(" %.2f |\n", statistics.doublings[before].pause);
    }
    std::fflush(stdout);
  }
  const std::size_t half = stored.size() / 2;
  const bool is_deleted = filter.erase_many(std::span(stored).first(half)) == half;
  const std::size_t left = found_among(filter, std::span(stored).subspan(half));
  std::printf("\nhalf deleted: %s, lost of the rest: %zu\n",
              is_deleted ? "every delete found its key" : "DELETES MISSED", stored.size() - half - left);
  return is_good && is_deleted && left == stored.size() - half;
}

}  // namespace

int main(int count, char** words) {
  cuckoo::Request request;
  if (count > 2) {
    request.capacity = std::strtoull(words[1], nullptr, 10);
    request.max_capacity = std::strtoull(words[2], nullptr, 10);
    if (count > 3) request.false_positive_rate = std::atof(words[3]);
    return measure(request) ? 0 : 1;
  }
  request.capacity = 10'000;
  request.max_capacity = 20'000'000;
  bool is_good = measure(request);
  request.false_positive_rate = 0.01;
  is_good &= measure(request);
  request.bucket_size = 4;
  request.semi_sort = false;
  return measure(request) && is_good ? 0 : 1;
}
