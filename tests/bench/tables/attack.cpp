// Keys made against a filter, and what answers them: `npm run bench -- attack [seed]`. Nine integers that share their
// fingerprint and both candidate buckets under a known XXH64 seed, then the same nine under another seed and under
// SipHash-1-3; and 81 keys of 64 bytes of which many share a hash under any seed. Invariant: every figure is counted,
// none assumed.
#include "../../cpp/support/attack.h"

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "cuckoo/filters/filter.h"
#include "cuckoo/plan.h"

namespace {

using namespace cuckoo;
using namespace cuckoo::detail;
using testing::keys_for_any_seed;
using testing::keys_that_share;

constexpr std::size_t kKeys = 9;

template <class Keys>
void print_taken(const char* name, const Params& params, const SecretKey* secret, const Keys& keys) {
  Filter filter = std::move(*Filter::create(params, secret));
  std::size_t taken = 0, crowded = 0;
  for (const auto& key : keys) {
    const InsertOutcome outcome = filter.insert(key);
    taken += outcome == InsertOutcome::inserted;
    crowded += outcome == InsertOutcome::too_many_copies;
  }
  std::size_t others = 0;
  for (std::uint64_t key = 0; key < 100'000; ++key) others += filter.insert(key) == InsertOutcome::inserted;
  std::printf("  %-28s %3zu in, %2zu refused as too many copies; then %zu of 100,000 others in\n", name, taken, crowded,
              others);
}

template <class Keys>
void print_all(Params params, const Keys& keys) {
  std::random_device device;
  const auto word = [&] { return std::uint64_t{device()} << 32 | device(); };
  print_taken("XXH64, the seed known", params, nullptr, keys);
  params.seed = word();
  print_taken("XXH64, a random seed", params, nullptr, keys);
  params.seed = 0;
  params.hash = HashAlgorithm::siphash_1_3;
  const SecretKey secret{word(), word()};
  print_taken("SipHash-1-3, a secret key", params, &secret, keys);
}

}  // namespace

int main(int argc, char** argv) {
  Params params = *plan({.capacity = 200'000, .seed = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 0});
  std::printf("a filter for %" PRIu64 " keys, b = %u, f = %.2f, seed %" PRIu64 "\n", params.capacity,
              params.bucket_size, fingerprint_width(params), params.seed);

  constexpr int kRounds = 10'000;
  std::vector<std::uint64_t> keys;
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t i = 0; i < kRounds; ++i) {
    keys = keys_that_share(Hash{(i + 1) * 0x9E3779B97F4A7C15u}, params, kKeys);
  }
  const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
  std::printf("\n%zu integers with one fingerprint and both candidate buckets, made in %.0f ns a key:\n", kKeys,
              spent.count() / kRounds / kKeys);
  for (const std::uint64_t key : keys) std::printf("  %" PRIu64 "\n", key);
  print_all(params, keys);

  std::vector<std::string> long_keys;
  for (const auto& key : keys_for_any_seed()) {
    long_keys.emplace_back(reinterpret_cast<const char*>(key.data()), sizeof key);
  }
  std::printf("\n%zu keys of 64 bytes, made without any seed:\n", long_keys.size());
  std::vector<std::string_view> views(long_keys.begin(), long_keys.end());
  print_all(params, views);
}
