// The false positive rate that follows from a filter's parameters and the keys in it. Invariant: the formula stands
// here once. It uses the paper's letters: m buckets of b slots of f bits, F fingerprints that differ.
#pragma once

#include <cstdint>

#include "cuckoo/logarithm.h"
#include "cuckoo/params.h"

namespace cuckoo {

/// Expected probability, with `size` random keys in the filter, that a key not in it is found: exact for an odd bucket
/// count and `reflect`, and nearly so for all but small tables (see below). A stored key is taken for it if its
/// fingerprint is the same, and then if its candidate buckets are: with probability 2 / m, or 1 / m for the one key in
/// m whose candidate buckets coincide. Fingerprint 1 has probability P = 2 / F, because 0 becomes 1, and every other
/// one 1 / F. A growable table is as exact: the buckets are those it may have at last, as slots hold the bits that tell
/// them apart, so m is then m 2^r. So it is the mean over all fingerprints of 1 - (1 - 2 P / m)^size, with 1 / m in
/// place of 2 / m once in m. The exact form of Fan et al. 2014, equation 5, which bounds it. Where m is even, the
/// candidate buckets of a fingerprint coincide for no key or for two in m, as its offset is odd or even (with xor for
/// all keys or for none), and how many fingerprints have which is not counted: with `reflect` that shifts the rate by a
/// share of 1 / (2 m) at most, 1 % for m = 16 and 5 bits. docs/sizing.md has the figures for xor.
inline double false_positive_rate(const Params& params, std::uint64_t size) {
  const auto m = static_cast<double>(grown_bucket_count(params));
  const auto n = static_cast<double>(size);
  const double step = 1 / static_cast<double>(fingerprint_count(params));
  const auto found = [=](double share) {
    return share < 1 ? -portable::expm1(n * portable::log1p(-share)) : (n > 0 ? 1.0 : 0.0);
  };
  const auto rate = [=](double found_in_two, double found_in_one) {
    const double two_buckets = m > 1 ? found_in_two : 0;
    return two_buckets + (found_in_one - two_buckets) / m;
  };
  const double found_in_two = found(2 * step / m);
  return (1 - 2 * step) * rate(found_in_two, found(step / m)) + 2 * step * rate(found(4 * step / m), found_in_two);
}

}  // namespace cuckoo
