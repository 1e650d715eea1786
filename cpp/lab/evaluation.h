// The measurements of the paper's evaluation (Fan et al. 2014, section 7, and Figures 2 to 4), for the bench.
// Invariant: making keys is not timed, and results are reported, so that no compiler optimises the work away.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lab/contenders.h"

namespace lab {

/// Seconds since any moment.
using Clock = double (*)();

/// Keys handed over at once, and timed together.
inline constexpr std::uint64_t kBlock = 1 << 16;

/// The keys of a run, those that go in and others: numbers that are mixed, as many as wanted.
struct Keys {
  [[nodiscard]] static std::uint64_t present(std::uint64_t i) { return mix(i + 0x9E3779B97F4A7C15u); }
  [[nodiscard]] static std::uint64_t absent(std::uint64_t i) { return present(~i); }
};

/// Seconds that `act(block)` takes for the keys `first` to `last`, in blocks; it returns whether to go on.
template <class Act>
double in_blocks(std::uint64_t first, std::uint64_t last, Clock clock, Act act) {
  std::vector<std::uint64_t> block;
  double seconds = 0;
  bool goes_on = true;
  for (std::uint64_t at = first; at < last && goes_on; at += block.size()) {
    block.resize(static_cast<std::size_t>(std::min(kBlock, last - at)));
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = Keys::present(at + i);
    const double start = clock();
    goes_on = act(block);
    seconds += clock() - start;
  }
  return seconds;
}

/// Millions per second.
inline double speed_of(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds / 1e6 : 0;
}

inline constexpr std::uint64_t kAsked = 1 << 20;

/// Million lookups per second, of keys of which a share is among the first `present`: the median of `rounds`.
inline double lookup_speed(const Contender& filter, std::uint64_t present, double share, std::uint64_t rounds,
                           Clock clock) {
  static volatile std::uint64_t used = 0;
  std::vector<double> speeds;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    std::vector<std::uint64_t> asked(static_cast<std::size_t>(kAsked));
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const std::uint64_t random = mix(i + round * kAsked + 77);
      const bool is_present = present > 0 && static_cast<double>(random >> 40) < share * 16777216.0;
      asked[i] =
          is_present ? Keys::present((random * 0x9E3779B97F4A7C15u >> 16) % present) : Keys::absent(i + round * kAsked);
    }
    const double start = clock();
    used = used + filter.find(asked);
    speeds.push_back(speed_of(kAsked, clock() - start));
  }
  std::sort(speeds.begin(), speeds.end());
  return speeds[speeds.size() / 2];
}

/// How many of `count` absent keys are found.
inline std::uint64_t found_absent(const Contender& filter, std::uint64_t count) {
  std::uint64_t found = 0;
  std::vector<std::uint64_t> asked;
  for (std::uint64_t first = 0; first < count; first += asked.size()) {
    asked.resize(static_cast<std::size_t>(std::min(kBlock, count - first)));
    for (std::size_t i = 0; i < asked.size(); ++i) asked[i] = Keys::absent(first + i);
    found += filter.find(asked);
  }
  return found;
}

/// A read of a lookup: its first byte, and how many.
using Read = std::pair<std::uint64_t, std::uint32_t>;

/// The cache lines that reads touch, ascending.
inline std::vector<std::uint64_t> lines_of(const std::vector<Read>& reads) {
  std::vector<std::uint64_t> lines;
  for (const auto& [byte, bytes] : reads) {
    for (std::uint64_t line = byte / Memory::kCacheLine; line <= (byte + bytes - 1) / Memory::kCacheLine; ++line) {
      lines.push_back(line);
    }
  }
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

/// Cache lines that a lookup of an absent key, or of one of the first `present`, reads on average.
inline double lines_read(const Contender& filter, std::uint64_t present, bool asks_present) {
  if (asks_present && present == 0) return 0;
  std::uint64_t lines = 0;
  constexpr std::uint64_t kWatched = 20'000;
  std::vector<Read> reads;
  for (std::uint64_t i = 0; i < kWatched; ++i) {
    reads.clear();
    (void)filter.watch(asks_present ? Keys::present(mix(i) % present) : Keys::absent(i), reads);
    lines += lines_of(reads).size();
  }
  return static_cast<double>(lines) / kWatched;
}

/// A point of a figure. `line` is one of several that a filter has there.
struct Point {
  int figure;
  const char* line;
  double x;
  double y;
};

/// A row of Table 3.
struct Row {
  std::uint64_t items;
  std::uint64_t bytes;
  double rate;
  double expected;
  double build;  ///< million keys per second
  double lines_absent;
  double lines_present;
};

/// Who hears what is measured.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void hear(const Point& point) = 0;
  virtual void hear(const Row& row) = 0;
  virtual void hear_fault(const char* what) = 0;
};

/// Table 3 and Figures 5 to 8 of one filter, in tables of 2^`log2_buckets` buckets of four 12-bit slots, or of as many
/// bytes; each lookup speed is the median of `rounds`. False if there is no such filter, or memory is short.
inline bool evaluate(Kind kind, std::uint32_t log2_buckets, std::uint64_t rounds, Clock clock, Listener& listener) {
  constexpr std::uint64_t kSteps = 20;
  const std::unique_ptr<Contender> filter = make_contender(kind, log2_buckets);
  if (!filter) return false;
  // What is full: all slots, of which the last are refused, or the capacity.
  const bool ends_by_refusal = kind == Kind::cuckoo || kind == Kind::semi_sorted || kind == Kind::d_left;
  const std::uint64_t slots = std::uint64_t{4} << log2_buckets;
  const std::uint64_t whole = ends_by_refusal || kind == Kind::quotient ? slots : filter->capacity();
  double seconds = 0;
  std::uint64_t n = 0;
  if (!filter->can_grow()) {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(whole));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = Keys::present(i);
    const double start = clock();
    n = filter->insert(all);
    seconds = clock() - start;
  }
  bool has_room = filter->can_grow();
  for (std::uint64_t step = 1; step <= kSteps && has_room; ++step) {
    const std::uint64_t before = n;
    const std::uint64_t end = std::min(whole * step / kSteps, ends_by_refusal ? whole : filter->capacity());
    const double spent = in_blocks(before, end, clock, [&](const std::vector<std::uint64_t>& block) {
      const std::uint64_t done = filter->insert(block);
      n += done;
      return has_room = done == block.size();
    });
    seconds += spent;
    if (n == before) break;
    const double load = static_cast<double>(n) / static_cast<double>(whole);
    listener.hear(Point{7, "insert", load, speed_of(n - before, spent)});
    listener.hear(Point{6, "absent", load, lookup_speed(*filter, n, 0, rounds, clock)});
    listener.hear(Point{6, "present", load, lookup_speed(*filter, n, 1, rounds, clock)});
  }
  constexpr std::uint64_t kRateAsked = 1 << 22;
  const std::uint64_t found = found_absent(*filter, kRateAsked);
  listener.hear(Row{n, filter->byte_count(), static_cast<double>(found) / kRateAsked, filter->expected_rate(),
                    speed_of(n, seconds), lines_read(*filter, n, false), lines_read(*filter, n, true)});
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    listener.hear(Point{5, "lookup", share, lookup_speed(*filter, n, share, rounds, clock)});
  }
  const std::uint64_t all = n;
  for (std::uint64_t step = kSteps; step > 0 && filter->can_erase(); --step) {
    const std::uint64_t first = all - all * step / kSteps;
    const std::uint64_t last = all - all * (step - 1) / kSteps;
    std::uint64_t erased = 0;
    const double spent = in_blocks(first, last, clock, [&](const std::vector<std::uint64_t>& block) {
      erased += filter->erase(block);
      return true;
    });
    if (erased != last - first) listener.hear_fault("did not find a key to erase");
    listener.hear(
        Point{8, "erase", static_cast<double>(all - first) / static_cast<double>(whole), speed_of(erased, spent)});
  }
  return true;
}

}  // namespace lab
