// The paper's evaluation natively (Fan et al. 2014, section 7, and Figures 2 and 3): the measurements of
// cpp/lab/evaluation.h for every contender, a line of JSON for each figure's point. Called as
// `paper LOG2_BUCKETS ROUNDS [NAME …]`: tables of 2^LOG2_BUCKETS buckets of four 12-bit slots, 25 in the paper; each
// lookup speed is the median of ROUNDS. A NAME is a filter's, `loads` or `builds`. Invariant: a line is printed for all
// that is measured, and for nothing else.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "lab/evaluation.h"

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void print_point(int figure, const char* name, const char* line, double x, double y) {
  std::printf("{\"figure\":%d,\"filter\":\"%s\",\"line\":\"%s\",\"x\":%.4g,\"y\":%.5g}\n", figure, name, line, x, y);
}

/// Prints what it hears of one filter.
class Printer : public lab::Listener {
 public:
  explicit Printer(const char* name) : name_(name) {}

  void hear(const lab::Point& point) override { print_point(point.figure, name_, point.line, point.x, point.y); }
  void hear(const lab::Row& row) override {
    std::printf(
        "{\"table\":3,\"filter\":\"%s\",\"items\":%llu,\"bytes\":%llu,\"bits\":%.4g,\"rate\":%.4g,\"expected\":%.4g,"
        "\"build\":%.4g,\"linesAbsent\":%.3g,\"linesPresent\":%.3g}\n",
        name_, static_cast<unsigned long long>(row.items), static_cast<unsigned long long>(row.bytes),
        8 * static_cast<double>(row.bytes) / static_cast<double>(row.items), row.rate, row.expected, row.build,
        row.lines_absent, row.lines_present);
  }
  void hear_fault(const char* what) override { std::printf("{\"fault\":\"%s %s\"}\n", name_, what); }

 private:
  const char* name_;
};

/// How full a table of `m` buckets gets before the first insert fails, and how often it errs then.
double load_reached(std::uint32_t b, std::uint32_t f, std::uint64_t m, std::uint64_t seed, double* rate) {
  cuckoo::Params params;
  params.bucket_size = b;
  params.fingerprint_bits = f;
  params.bucket_count = m;
  params.addressing = cuckoo::Addressing::xor_power_of_two;
  auto filter = cuckoo::Filter::create(params);
  if (!filter) return 0;
  std::uint64_t i = seed << 40;
  while (filter->insert(cuckoo::Hash{lab::Keys::present(i)}) == cuckoo::InsertOutcome::inserted) ++i;
  std::uint64_t found = 0;
  constexpr std::uint64_t kRateAsked = 1 << 20;
  for (std::uint64_t other = 0; other < kRateAsked; ++other) {
    found += filter->contains(cuckoo::Hash{lab::Keys::absent(other)}) ? 1 : 0;
  }
  *rate = static_cast<double>(found) / kRateAsked;
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

/// What a key takes in the fills that the paper's Table 3 compares: CF to a load of 95 %, BF and QF to all their keys,
/// one key a call. A fill is cut into parts, which take turns with those of the others. The time of a part is the least
/// of all rounds, which have the same keys: so what else the machine does hardly counts.
void builds(std::uint32_t log2_buckets, std::uint64_t rounds) {
  constexpr std::uint64_t kParts = 4096;
  constexpr lab::Kind kKinds[] = {lab::Kind::cuckoo, lab::Kind::bloom, lab::Kind::quotient};
  std::vector<std::vector<double>> least(std::size(kKinds), std::vector<double>(kParts, 1e9));
  std::vector<std::unique_ptr<lab::Contender>> filters(std::size(kKinds));
  for (std::uint64_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < filters.size(); ++i) {
      filters[i] = lab::make_contender(kKinds[i], log2_buckets);
      if (!filters[i]) return;
    }
    for (std::uint64_t part = 0; part < kParts; ++part) {
      for (std::size_t i = 0; i < filters.size(); ++i) {
        const std::uint64_t n = filters[i]->capacity();
        const double spent = lab::in_blocks(
            n * part / kParts, n * (part + 1) / kParts, now,
            [&](const std::vector<std::uint64_t>& block) { return filters[i]->insert(block) == block.size(); });
        least[i][part] = std::min(least[i][part], spent);
      }
    }
  }
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const char* const name = lab::kNames[static_cast<std::size_t>(kKinds[i])];
    const std::uint64_t n = filters[i]->capacity();
    if (filters[i]->size() != n) std::printf("{\"fault\":\"%s refused a key\"}\n", name);
    const double seconds = std::accumulate(least[i].begin(), least[i].end(), 0.0);
    std::printf("{\"filled\":\"%s\",\"nanoseconds\":%.4g}\n", name, seconds * 1e9 / static_cast<double>(n));
  }
  std::fflush(stdout);
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
    if (!is_wanted(lab::kNames[kind])) continue;
    Printer printer(lab::kNames[kind]);
    (void)lab::evaluate(static_cast<lab::Kind>(kind), log2_buckets, rounds, now, printer);
    std::fflush(stdout);
  }
  if (is_wanted("loads")) loads(log2_buckets);
  if (is_wanted("builds")) builds(log2_buckets, rounds);
}
