// The long run: `soak operations [seed]` does so many random operations on filters of every bucket size, width, storage
// and addressing, and compares each answer with an exact model. Ends with 1, and the parameters, at the first
// difference. Invariant: the same words give the same operations on every machine. `npm run soak` builds and runs it.
#include "soak.h"

#include <cstdio>
#include <cstdlib>

int main(int count, char** words) {
  using namespace cuckoo::testing;
  const double operations = count > 1 ? std::atof(words[1]) : 0;
  if (!(operations >= 1)) {
    std::fprintf(stderr, "usage: soak operations [seed]\n");
    return 2;
  }
  const std::uint64_t seed = count > 2 ? std::strtoull(words[2], nullptr, 10) : 1;
  const auto sets = soak_params();
  Totals totals;
  const auto wanted = static_cast<std::uint64_t>(operations);
  for (std::size_t at = 0; at < sets.size(); ++at) {
    const std::uint64_t until = wanted / sets.size() * (at + 1) + wanted % sets.size() * (at + 1) / sets.size();
    cuckoo::Params params = sets[at];
    params.seed = seed * 1000003 + at;
    Soak soak(params, totals);
    while (totals.operations < until) soak.step();
    soak.finish();
  }
  std::printf("%llu operations, seed %llu, %zu parameter sets\n", ull(totals.operations), ull(seed), sets.size());
  std::printf("%llu added, %llu refused, %llu deleted, %llu clears, %llu saves and loads\n", ull(totals.added),
              ull(totals.refused), ull(totals.deleted), ull(totals.clears), ull(totals.loads));
  std::printf("%llu doublings, %llu merges\n", ull(totals.doublings), ull(totals.merges));
  std::printf("%llu lookups of keys stored: 0 false negatives\n", ull(totals.present));
  std::printf("%llu lookups of absent keys: %llu false positives, %.0f expected; furthest set %.1f deviations off\n",
              ull(totals.absent), ull(totals.positives), totals.expected_positives, totals.furthest);
  std::printf("rate planned for and rate of the state, where known to 1 %%: %.2f %% apart at most\n",
              100 * totals.furthest_rate);
  return 0;
}
