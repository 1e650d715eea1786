// What an insert costs as a table fills: kicks of the inserts around each load, as median, 99th and 99.9th percentile
// and maximum, with the time of each. `kicks [capacity] [load] [f]`; the defaults are the worked example of
// docs/inside/sizing.md: 50 million keys in buckets of four.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../../cpp/support/random.h"
#include "cuckoo/filters/filter.h"
#include "cuckoo/plan.h"

namespace {

/// Says how many kicks the last insert took.
struct LastKicks : cuckoo::NoWatch {
  void end_insert(cuckoo::InsertOutcome, std::uint32_t kicks) { last = kicks; }
  std::uint32_t last = 0;
};
using Kicking = cuckoo::BasicFilter<cuckoo::detail::Entries<LastKicks>>;

constexpr int kSample = 200'000;  ///< inserts that the figures of one load are taken from, the last before it

template <class T>
T at(std::vector<T>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

/// Fills a table of `params` with random keys up to each load, and prints what the last inserts before it took.
void measure(const cuckoo::Params& params) {
  Kicking filter = std::move(*Kicking::create(params));
  cuckoo::testing::Random random(1);
  std::vector<std::uint32_t> kicks;
  std::vector<double> micros;
  for (const double load : {0.5, 0.8, 0.85, 0.9, 0.93, 0.95, 0.96, 0.97}) {
    kicks.clear();
    micros.clear();
    std::uint64_t refused = 0;
    const auto target = static_cast<std::uint64_t>(load * static_cast<double>(slot_count(params)));
    while (filter.size() < target && refused < 100) {
      const cuckoo::Hash key{random.next()};
      const auto before = std::chrono::steady_clock::now();
      refused += filter.insert(key) != cuckoo::InsertOutcome::inserted;
      const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - before;
      if (filter.size() + kSample >= target) {
        kicks.push_back(filter.watch().last);
        micros.push_back(took.count());
      }
    }
    if (refused == 100) {
      std::printf("| %.2f | full: 100 inserts refused at load %.4f |\n", load, filter.load_factor());
      return;
    }
    std::sort(kicks.begin(), kicks.end());
    std::sort(micros.begin(), micros.end());
    std::printf("| %.2f | %llu | %u | %u | %u | %u | %.2f | %.1f | %.1f | %.0f |\n", load,
                static_cast<unsigned long long>(refused), at(kicks, 0.5), at(kicks, 0.99), at(kicks, 0.999),
                kicks.back(), at(micros, 0.5), at(micros, 0.99), at(micros, 0.999), micros.back());
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** words) {
  const auto number = [&](int i, double otherwise) { return i < count ? std::atof(words[i]) : otherwise; };
  cuckoo::Params params;
  params.fingerprint_bits = static_cast<std::uint32_t>(number(3, 12));
  params.capacity = static_cast<std::uint64_t>(number(1, 50e6));
  params.bucket_count = static_cast<std::uint64_t>(static_cast<double>(params.capacity) / number(2, 0.97) / 4) + 1;
  std::printf(
      "\nb = 4, f = %u, m = %llu; the 200,000 inserts before each load\n\n"
      "| load | refused | median | 99 %% | 99.9 %% | most | median, us | 99 %% | 99.9 %% | most |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
      params.fingerprint_bits, static_cast<unsigned long long>(params.bucket_count));
  measure(params);
}
