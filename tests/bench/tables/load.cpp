// How far tables fill: fills tables with random hashes until the first insert fails, and prints the load
// reached. The constants of the planner (load.h) come from this: `load b m f [inserts]`, for instance
// `load 4 262144 12 500`; without arguments a table over b and m. Prints mean, standard deviation and least load, and
// how many slots are still free at the first failure in the worst 1 %, 0.1 % and 0.01 % of the tables.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../../cpp/support/random.h"
#include "cuckoo/filters/filter.h"

namespace {

/// Fills tables until about `inserts` keys went in, and prints a line.
void measure(std::uint32_t b, std::uint64_t m, std::uint32_t f, double inserts) {
  cuckoo::Params params;
  params.bucket_size = b;
  params.bucket_count = m;
  params.fingerprint_bits = f;
  auto filter = cuckoo::Filter::create(params);
  if (!filter) return;
  cuckoo::testing::Random random(b * 1000003 + m * 7919 + f);
  std::vector<double> loads;
  for (double done = 0; done < inserts; done += static_cast<double>(filter->size())) {
    filter->clear();
    while (filter->insert(cuckoo::Hash{random.next()}) == cuckoo::InsertOutcome::inserted) {
    }
    loads.push_back(filter->load_factor());
  }
  const auto count = static_cast<double>(loads.size());
  double mean = 0;
  for (const double load : loads) mean += load / count;
  double variance = 0;
  for (const double load : loads) variance += (load - mean) * (load - mean) / count;
  std::sort(loads.begin(), loads.end());
  const auto free_in_worst = [&](double share) {
    const double load = loads[static_cast<std::size_t>(share * count)];
    return std::lround((1 - load) * static_cast<double>(b * m));
  };
  std::printf("b=%u m=%llu f=%u: %zu tables, mean %.4f, deviation %.5f, least %.4f, free %ld %ld %ld\n", b,
              static_cast<unsigned long long>(m), f, loads.size(), mean, std::sqrt(variance), loads[0],
              free_in_worst(0.01), free_in_worst(0.001), free_in_worst(0.0001));
}

}  // namespace

int main(int count, char** words) {
  const auto number = [&](int at, double otherwise) { return at < count ? std::atof(words[at]) : otherwise; };
  if (count > 1) {
    measure(static_cast<std::uint32_t>(number(1, 4)), static_cast<std::uint64_t>(number(2, 1000)),
            static_cast<std::uint32_t>(number(3, 12)), number(4, 8e6));
    return 0;
  }
  for (std::uint32_t b = 1; b <= 8; ++b) {
    for (const std::uint64_t m : {16, 64, 256, 1024, 4096, 16384, 65536, 262144}) measure(b, m, 12, 8e6);
  }
}
