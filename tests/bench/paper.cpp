// The paper's evaluation natively (Fan et al. 2014, section 7, and Figures 2 and 3): fills every contender of
// cpp/lab/contenders.h, asks it and empties it, and prints a line of JSON for each figure's point. Called as
// `paper LOG2_BUCKETS ROUNDS [NAME …]`: tables of 2^LOG2_BUCKETS buckets of four 12-bit slots, 25 in the paper; each
// lookup speed is the median of ROUNDS. Invariant: making keys is not timed, and what is found is used.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "lab/contenders.h"

namespace {

constexpr std::uint64_t kBlock = 1 << 16;
constexpr std::uint64_t kSteps = 20;
constexpr std::uint64_t kAsked = 1 << 20;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::uint64_t key(std::uint64_t i) { return lab::mix(i + 0x9E3779B97F4A7C15u); }
/// A key that no filter holds.
std::uint64_t absent(std::uint64_t i) { return key(~i); }

std::uint64_t used = 0;

/// Seconds that `act(block)` takes for the keys `first` to `last`; it returns whether to go on.
template <class Act>
double in_blocks(std::uint64_t first, std::uint64_t last, Act act) {
  std::vector<std::uint64_t> block;
  double seconds = 0;
  bool goes_on = true;
  for (std::uint64_t at = first; at < last && goes_on; at += block.size()) {
    block.resize(static_cast<std::size_t>(std::min(kBlock, last - at)));
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = key(at + i);
    const double start = now();
    goes_on = act(block);
    seconds += now() - start;
  }
  return seconds;
}

/// Million lookups per second, of keys of which a share is among the first `present`.
double lookup_speed(const lab::Contender& filter, std::uint64_t present, double share, std::uint64_t rounds) {
  std::vector<double> speeds;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    std::vector<std::uint64_t> asked(static_cast<std::size_t>(kAsked));
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const std::uint64_t random = lab::mix(i + round * kAsked + 77);
      const bool is_present = present > 0 && static_cast<double>(random >> 40) < share * 16777216.0;
      asked[i] = is_present ? key((random * 0x9E3779B97F4A7C15u >> 16) % present) : absent(i + round * kAsked);
    }
    const double start = now();
    used += filter.find(asked);
    speeds.push_back(static_cast<double>(kAsked) / (now() - start) / 1e6);
  }
  std::sort(speeds.begin(), speeds.end());
  return speeds[speeds.size() / 2];
}

void print_point(int figure, const char* name, const char* line, double x, double y) {
  std::printf("{\"figure\":%d,\"filter\":\"%s\",\"line\":\"%s\",\"x\":%.4g,\"y\":%.5g}\n", figure, name, line, x, y);
}

/// Cache lines that a lookup of an absent key, or of a present one, reads on average.
double lines_read(const lab::Contender& filter, std::uint64_t present, bool asks_present) {
  std::uint64_t lines = 0;
  constexpr std::uint64_t kWatched = 20'000;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> reads;
  std::vector<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < kWatched; ++i) {
    reads.clear();
    seen.clear();
    used += filter.watch(asks_present ? key(lab::mix(i) % present) : absent(i), reads) ? 1 : 0;
    for (const auto& [byte, bytes] : reads) {
      for (std::uint64_t line = byte / 64; line <= (byte + bytes - 1) / 64; ++line) seen.push_back(line);
    }
    std::sort(seen.begin(), seen.end());
    lines += static_cast<std::uint64_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
  }
  return static_cast<double>(lines) / kWatched;
}

/// Table 3 and Figures 5 to 8 of one filter.
void evaluate(lab::Kind kind, std::uint32_t log2_buckets, std::uint64_t rounds) {
  const char* const name = lab::kNames[static_cast<std::size_t>(kind)];
  const std::unique_ptr<lab::Contender> filter = lab::make_contender(kind, log2_buckets);
  if (!filter) return;
  // What is full: all slots, of which the last are refused, or the capacity.
  const bool ends_by_refusal = kind == lab::Kind::cuckoo || kind == lab::Kind::semi_sorted || kind == lab::Kind::d_left;
  const std::uint64_t slots = std::uint64_t{4} << log2_buckets;
  const std::uint64_t whole = ends_by_refusal || kind == lab::Kind::quotient ? slots : filter->capacity();
  double seconds = 0;
  std::uint64_t n = 0;
  if (!filter->can_grow()) {
    std::vector<std::uint64_t> keys(static_cast<std::size_t>(whole));
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = key(i);
    const double start = now();
    n = filter->insert(keys);
    seconds = now() - start;
  }
  bool has_room = filter->can_grow();
  for (std::uint64_t step = 1; step <= kSteps && has_room; ++step) {
    const std::uint64_t before = n;
    const std::uint64_t end = std::min(whole * step / kSteps, ends_by_refusal ? whole : filter->capacity());
    const double spent = in_blocks(before, end, [&](const std::vector<std::uint64_t>& block) {
      const std::uint64_t done = filter->insert(block);
      n += done;
      return has_room = done == block.size();
    });
    seconds += spent;
    if (n == before) break;
    const double load = static_cast<double>(n) / static_cast<double>(whole);
    print_point(7, name, "insert", load, static_cast<double>(n - before) / spent / 1e6);
    print_point(6, name, "absent", load, lookup_speed(*filter, n, 0, rounds));
    print_point(6, name, "present", load, lookup_speed(*filter, n, 1, rounds));
  }
  std::uint64_t found = 0;
  constexpr std::uint64_t kRateAsked = 1 << 22;
  std::vector<std::uint64_t> asked(static_cast<std::size_t>(kBlock));
  for (std::uint64_t first = 0; first < kRateAsked; first += kBlock) {
    for (std::size_t i = 0; i < asked.size(); ++i) asked[i] = absent(first + i);
    found += filter->find(asked);
  }
  std::printf(
      "{\"table\":3,\"filter\":\"%s\",\"items\":%llu,\"bytes\":%llu,\"bits\":%.4g,\"rate\":%.4g,\"expected\":%.4g,"
      "\"build\":%.4g,\"linesAbsent\":%.3g,\"linesPresent\":%.3g}\n",
      name, static_cast<unsigned long long>(n), static_cast<unsigned long long>(filter->byte_count()),
      8 * static_cast<double>(filter->byte_count()) / static_cast<double>(n), static_cast<double>(found) / kRateAsked,
      filter->expected_rate(), static_cast<double>(n) / seconds / 1e6, lines_read(*filter, n, false),
      lines_read(*filter, n, true));
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    print_point(5, name, "lookup", share, lookup_speed(*filter, n, share, rounds));
  }
  const std::uint64_t all = n;
  for (std::uint64_t step = kSteps; step > 0 && filter->can_erase(); --step) {
    const std::uint64_t first = all - all * step / kSteps;
    const std::uint64_t last = all - all * (step - 1) / kSteps;
    std::uint64_t erased = 0;
    const double spent = in_blocks(first, last, [&](const std::vector<std::uint64_t>& block) {
      erased += filter->erase(block);
      return true;
    });
    if (erased != last - first) std::printf("{\"fault\":\"%s did not find a key to erase\"}\n", name);
    print_point(8, name, "erase", static_cast<double>(all - first) / static_cast<double>(whole),
                static_cast<double>(erased) / spent / 1e6);
  }
  std::fflush(stdout);
}

/// How full a table of `m` buckets gets before the first insert fails.
double load_reached(std::uint32_t b, std::uint32_t f, std::uint64_t m, std::uint64_t seed, double* rate) {
  cuckoo::Params params;
  params.bucket_size = b;
  params.fingerprint_bits = f;
  params.bucket_count = m;
  params.addressing = cuckoo::Addressing::xor_power_of_two;
  auto filter = cuckoo::Filter<>::create(params);
  if (!filter) return 0;
  std::uint64_t i = seed << 40;
  while (filter->insert(cuckoo::Hash{key(i)}) == cuckoo::InsertOutcome::inserted) ++i;
  std::uint64_t found = 0;
  constexpr std::uint64_t kRateAsked = 1 << 20;
  if (rate != nullptr) {
    for (std::uint64_t other = 0; other < kRateAsked; ++other) found += filter->contains(cuckoo::Hash{absent(other)});
    *rate = static_cast<double>(found) / kRateAsked;
  }
  return filter->load_factor();
}

/// Figures 2 and 3: the load by fingerprint bits, bucket size and table size; bits per key by the rate measured.
void loads(std::uint32_t log2_buckets) {
  for (std::uint32_t log2 = 15; log2 <= std::max(log2_buckets, 15u); log2 += 5) {
    for (const std::uint32_t b : {1u, 2u, 4u, 8u}) {
      for (std::uint32_t f = 2; f <= 20; f += f < 10 ? 1 : 2) {
        const std::string line = "b = " + std::to_string(b) + ", m = 2^" + std::to_string(log2);
        double rate = 0;
        const double load = load_reached(b, f, std::uint64_t{1} << log2, f, &rate);
        print_point(2, "CF", line.c_str(), f, load);
        if (log2 == 15 && b > 1 && rate > 2e-5) print_point(3, "CF", line.c_str(), rate, f / load);
      }
    }
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** words) {
  const auto log2_buckets = static_cast<std::uint32_t>(count > 1 ? std::atoi(words[1]) : 20);
  const auto rounds = static_cast<std::uint64_t>(count > 2 ? std::atoi(words[2]) : 3);
  if (log2_buckets < 10 || log2_buckets > 28 || rounds < 1) {
    std::fprintf(stderr, "LOG2_BUCKETS is 10 to 28, ROUNDS from 1\n");
    return 2;
  }
  const std::vector<std::string> wanted(words + std::min(count, 3), words + count);
  const auto is_wanted = [&](const std::string& name) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  };
  for (std::size_t kind = 0; kind < lab::kNames.size(); ++kind) {
    if (is_wanted(lab::kNames[kind])) evaluate(static_cast<lab::Kind>(kind), log2_buckets, rounds);
  }
  if (is_wanted("loads")) loads(log2_buckets);
  std::printf("{\"used\":%llu}\n", static_cast<unsigned long long>(used));
}
