// Bits per key and error rate of planned filters, beside theory: fills each with its capacity of random keys and asks
// it ten million absent ones. `sizes` prints the table of docs/inside/sizing.md; `sizes n ...` does it for those
// capacities. Invariant: exits with 1 if a key did not go in, a key was lost, or a rate lies outside its 99.9 %
// interval.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../../cpp/support/random.h"
#include "cuckoo/filters/filter.h"
#include "cuckoo/plan.h"

namespace {

using cuckoo::Filter;
using cuckoo::Hash;

constexpr std::uint64_t kProbes = 10'000'000;
constexpr double kDeviations = 3.29;  // two-sided 99.9 %

/// Keys stored are the first `n` integers, absent ones follow: their hashes are independent random numbers.
Hash key(std::uint64_t number) { return cuckoo::detail::xxh64_of_integer(number, 1); }

/// Calls `use(hashes)` with the hashes of `count` integers from `first` on, some at a time.
template <class Use>
void in_pieces(std::uint64_t first, std::uint64_t count, Use use) {
  std::vector<Hash> hashes;
  for (const std::uint64_t end = first + count; first < end;) {
    hashes.clear();
    while (first < end && hashes.size() < 4096) hashes.push_back(key(first++));
    use(std::span<const Hash>(hashes));
  }
}

std::uint64_t found_among(const Filter& filter, std::uint64_t first, std::uint64_t count) {
  std::uint64_t found = 0;
  std::uint8_t answers[4096];
  in_pieces(first, count, [&](std::span<const Hash> hashes) {
    filter.contains_many(hashes, answers);
    for (std::size_t i = 0; i < hashes.size(); ++i) found += answers[i];
  });
  return found;
}

/// The standard deviation of a measured rate: of the probes, and of the table, in which each of F m / 2 kinds of key is
/// there or not.
double deviation(const cuckoo::Params& params, double rate) {
  const double kinds =
      static_cast<double>(params.bucket_count) * static_cast<double>(cuckoo::detail::fingerprint_count(params)) / 2;
  return std::sqrt(rate * (1 - rate) * (1.0 / kProbes + 1 / kinds));
}

/// Prints the line of one capacity and rate; false if the filter broke a promise.
bool measure(std::uint64_t capacity, double asked) {
  const auto params =
      cuckoo::plan({.capacity = capacity, .false_positive_rate = asked, .prefer = cuckoo::Preference::space});
  Filter filter = std::move(*Filter::create(*params));
  std::uint64_t inserted = 0;
  in_pieces(0, capacity, [&](std::span<const Hash> hashes) { inserted += filter.insert_many(hashes).done; });
  const bool has_all = inserted == capacity && found_among(filter, 0, capacity) == capacity;
  const double measured = static_cast<double>(found_among(filter, capacity, kProbes)) / kProbes;
  const double expected = filter.expected_false_positive_rate();
  const double slack = kDeviations * deviation(*params, expected) + 1.0 / kProbes;
  const bool is_as_expected = std::abs(measured - expected) <= slack && measured <= asked + slack;
  const double limit = -std::log2(asked);
  const double bits = 8.0 * static_cast<double>(cuckoo::table_bytes(*params)) / static_cast<double>(capacity);
  std::printf("| %11llu | %7.3g %% | %u x %5.2f%s | %.4f | %6.3f | %6.3f | %6.3f | %.2f | %8.3g %% | %8.3g %% | %s |\n",
              static_cast<unsigned long long>(capacity), 100 * asked, params->bucket_size,
              cuckoo::fingerprint_width(*params), params->storage == cuckoo::Storage::plain ? "  " : " s",
              filter.load_factor(), bits, limit / std::log(2.0), limit, bits / limit, 100 * expected, 100 * measured,
              !has_all         ? "KEYS LOST"
              : is_as_expected ? "yes"
                               : "NO");
  std::fflush(stdout);
  return has_all && is_as_expected;
}

}  // namespace

int main(int count, char** words) {
  std::vector<std::uint64_t> capacities = {10'000, 137'626, 1'000'000, 1'101'005, 50'000'000};
  if (count > 1) capacities.clear();
  for (int i = 1; i < count; ++i) capacities.push_back(std::strtoull(words[i], nullptr, 10));
  std::puts(
      "Bits a key; b x f with s where semi-sorted; Bloom: 1.44 log2(1/p), optimal; limit: log2(1/p); rates with all "
      "keys\n"
      "in, measured over 10 million absent keys; inside: all keys found, and the rate within its 99.9 % interval.\n\n"
      "|        keys |     asked |     b x f   |   load |   bits |  Bloom |  limit | bits/limit | expected |  measured "
      "| "
      "inside |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
  bool is_good = true;
  for (const std::uint64_t capacity : capacities) {
    for (const double asked : {0.03, 0.01, 0.001, 0.0001, 0.00001}) is_good &= measure(capacity, asked);
  }
  return is_good ? 0 : 1;
}
