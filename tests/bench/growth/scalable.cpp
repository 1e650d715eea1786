// Filters without a largest size, from 1,000 keys to ten million: at each power of ten the layers, the bits a key, the
// rate measured beside the formula's and the one asked for, and what a lookup takes beside a filter planned for so many
// keys. `scalable` prints the table of docs/inside/sizing.md; `scalable first last [rate]` one for those sizes.
// Invariant: exits with 1 if a key did not go in or was lost, also after half of them were deleted, a delete missed, or
// a rate lies outside its 99.9 % interval or above the one asked for.
#include "cuckoo/filters/scalable.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "found.h"

namespace {

using namespace cuckoo;
using namespace cuckoo::detail;

constexpr std::uint64_t kProbes = 2'000'000;
constexpr double kDeviations = 3.29;  // two-sided 99.9 %
constexpr std::uint64_t kAbsent = std::uint64_t{1} << 40;
constexpr int kRounds = 5;

double nanoseconds() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Of this thread alone, so that other programs do not count.
double milliseconds_of_thread() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

unsigned long long ull(std::uint64_t value) { return value; }

/// The hashes of `count` integers from `first` on: independent random numbers.
std::vector<Hash> keys(std::uint64_t first, std::uint64_t count) {
  std::vector<Hash> hashes(count);
  for (std::uint64_t i = 0; i < count; ++i) hashes[i] = xxh64_of_integer(first + i, 1);
  return hashes;
}

/// Inserts the hashes one by one; milliseconds that the longest took, or -1 if one did not go in.
double longest_insert(ScalableFilter& filter, std::span<const Hash> hashes) {
  double longest = 0;
  for (const Hash hash : hashes) {
    const double begin = milliseconds_of_thread();
    if (filter.insert(hash) != InsertOutcome::inserted) return -1;
    longest = std::max(longest, milliseconds_of_thread() - begin);
  }
  return longest;
}

/// Nanoseconds a key, the median of some rounds, all in one batch or one by one.
template <class Filter>
double lookup_time(const Filter& filter, std::span<const Hash> asked, bool one_by_one) {
  std::vector<double> times;
  std::uint64_t sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    const double begin = nanoseconds();
    if (one_by_one) {
      for (const Hash key : asked) sum += filter.contains(key) ? 1 : 0;
    } else {
      sum += found_among(filter, asked);
    }
    times.push_back((nanoseconds() - begin) / static_cast<double>(asked.size()));
  }
  if (sum == 1) std::puts("");  // is used
  std::sort(times.begin(), times.end());
  return times[kRounds / 2];
}

bool measure(std::uint64_t first, std::uint64_t last, double rate, std::uint64_t times) {
  Request request{.capacity = first, .false_positive_rate = rate, .max_capacity = first * times};
  const Params params = *plan_scalable(request);
  ScalableFilter filter = std::move(*ScalableFilter::create(params));
  const std::vector<Hash> stored = keys(0, last);
  const std::vector<Hash> absent = keys(kAbsent, kProbes);
  std::printf("\nfrom %llu keys at %g %%: 4 slots a bucket of %.2f bits%s, %u doublings a layer\n\n", ull(first),
              100 * rate, fingerprint_width(params), params.storage == Storage::semi_sorted ? ", semi-sorted" : "",
              params.reserved_bits);
  std::puts(
      "| keys | layers | bits a key | of a planned filter | load | expected | measured | inside | lost | longest "
      "insert, ms "
      "| ns a lookup in a batch | of it | one by one | of it |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
  bool is_good = true;
  std::uint64_t done = 0;
  for (std::uint64_t size = first; size <= last; size *= 10) {
    const double longest = longest_insert(filter, std::span(stored).subspan(done, size - done));
    if (longest < 0) return std::puts("A KEY DID NOT GO IN"), false;
    done = size;
    const double expected = filter.expected_false_positive_rate();
    const double measured = static_cast<double>(found_among(filter, absent)) / static_cast<double>(kProbes);
    // Entries that are alike come together in the newest layer, which has most of them.
    const double kinds =
        static_cast<double>(grown_bucket_count(params)) * static_cast<double>(fingerprint_count(params)) / 2;
    const double deviation = std::sqrt(expected * (1 - expected) * (1.0 / static_cast<double>(kProbes) + 1 / kinds));
    const bool is_inside = std::abs(measured - expected) <= kDeviations * deviation + 1.0 / kProbes;
    const std::uint64_t lost = size - found_among(filter, std::span(stored).first(size));
    is_good &= is_inside && lost == 0 && expected <= rate;
    const Params planned = *plan({.capacity = size, .false_positive_rate = rate, .prefer = Preference::space});
    Filter one = std::move(*Filter::create(planned));
    is_good &= one.insert_many(std::span(stored).first(size)).done == size;
    const auto bits = [&](std::uint64_t bytes) { return 8.0 * static_cast<double>(bytes) / static_cast<double>(size); };
    std::printf(
        "| %9llu | %u | %5.2f | %5.2f | %.3f | %9.3g %% | %9.3g %% | %s | %llu | %.2f | %5.1f | %5.1f | %5.1f | %5.1f "
        "|\n",
        ull(size), filter.layer_count(), bits(filter.byte_count()), bits(Access::entries(one).table().byte_count()),
        filter.load_factor(), 100 * expected, 100 * measured, is_inside ? "yes" : "NO", ull(lost), longest,
        lookup_time(filter, absent, false), lookup_time(one, absent, false), lookup_time(filter, absent, true),
        lookup_time(one, absent, true));
    std::fflush(stdout);
  }
  const std::size_t half = done / 2;
  const double begin = nanoseconds();
  const bool is_deleted = filter.erase_many(std::span(stored).first(half)) == half;
  const double each = (nanoseconds() - begin) / static_cast<double>(half);
  const std::size_t left = found_among(filter, std::span(stored).subspan(half, done - half));
  std::printf("\nhalf deleted, %.0f ns each: %s, lost of the rest: %zu\n", each,
              is_deleted ? "every delete found its key" : "DELETES MISSED", done - half - left);
  return is_good && is_deleted && left == done - half;
}

}  // namespace

int main(int count, char** words) {
  if (count > 2) {
    const double rate = count > 3 ? std::atof(words[3]) : 0.001;
    return measure(std::strtoull(words[1], nullptr, 10), std::strtoull(words[2], nullptr, 10), rate, 16) ? 0 : 1;
  }
  // Layers that grow 16-fold, and such that never move a key.
  const bool is_good = measure(1000, 10'000'000, 0.001, 16) && measure(1000, 10'000'000, 0.01, 16);
  return measure(10'000, 10'000'000, 0.001, 1) && is_good ? 0 : 1;
}
