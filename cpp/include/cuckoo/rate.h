// SPDX-License-Identifier: MIT
// The false positive rate that follows from a filter's parameters and the keys in it. Invariant: the formulas stand
// here once. They use the paper's letters: m buckets of b slots of f bits, F fingerprints that differ.
#pragma once

#include <cstdint>

#include "cuckoo/detail/logarithm.h"
#include "cuckoo/params.h"

namespace cuckoo {

namespace detail {

/// Expected probability that an absent key is found if the filter holds `size` random keys. Exact for an odd bucket
/// count and `reflect`, and nearly so for all but small tables (see below). An absent key is found if a stored key has
/// the same fingerprint and the same candidate buckets. The second has probability 2 / m, or 1 / m for the one key in m
/// whose candidate buckets coincide. Fingerprint 1 has probability P = 2 / F, because 0 becomes 1, and every other one
/// has 1 / F. So the result is the mean, over all fingerprints, of 1 - (1 - 2 P / m)^size, with 1 / m instead of 2 / m
/// once in m. This is the exact form of Fan et al. 2014, equation 5, which is a bound. In a growable table m is m 2^r,
/// the buckets that it may have at last, because slots hold the bits that tell those apart. If m is even, the candidate
/// buckets of a fingerprint coincide for no key or for two in m, depending on its offset (with xor, for all keys or for
/// none). How many fingerprints have which offset is not counted. With `reflect` this changes the rate by a share of at
/// most 1 / (2 m): 1 % for m = 16 and 5 bits. docs/inside/sizing.md has the figures for xor.
inline double rate_of_random(const Params& params, double size) {
  const auto m = static_cast<double>(grown_bucket_count(params));
  const double step = 1 / static_cast<double>(fingerprint_count(params));
  // A share is 1 only in a table of one bucket, where the term for two buckets does not count.
  const auto found = [=](double share) { return -portable::expm1(size * portable::log1p(-share)); };
  const auto rate = [=](double found_in_two, double found_in_one) {
    const double two_buckets = m > 1 ? found_in_two : 0;
    return two_buckets + (found_in_one - two_buckets) / m;
  };
  const double found_in_two = found(2 * step / m);
  return (1 - 2 * step) * rate(found_in_two, found(step / m)) + 2 * step * rate(found(4 * step / m), found_in_two);
}

/// How many random keys are expected to differ. Keys are *alike* if they have the same fingerprint and the same
/// candidate buckets: nothing tells their entries apart.
struct Distinct {
  double count = 0;  ///< expected number of keys, those that are alike counted once
  double slope = 0;  ///< by how much one more key raises it
};

/// How many of `size` random keys differ. A fingerprint has (m - 1) / 2 pairs of candidate buckets, and one bucket that
/// is both; for an even m, this is only nearly so (see above).
inline Distinct distinct_of(const Params& params, double size) {
  const auto m = static_cast<double>(grown_bucket_count(params));
  const auto fingerprints = static_cast<double>(fingerprint_count(params));
  Distinct all;
  const auto add = [&](double kinds, double share) {
    if (kinds == 0) return;  // its share may be 1
    const double log = portable::log1p(-share);
    const double met = -portable::expm1(size * log);
    all.count += kinds * met;
    all.slope -= kinds * log * (1 - met);
  };
  const double once = 1 / (fingerprints * m);
  add((fingerprints - 2) * (m - 1) / 2, 2 * once);
  add(fingerprints - 2, once);
  add((m - 1) / 2, 4 * once);
  add(1, 2 * once);
  return all;
}

/// The expected probability that an absent key is found in a filter with `count` different entries: the rate of as many
/// random keys as have `count` different entries on average. It is higher than with `count` random keys, of which some
/// are alike, by about half of itself, relatively.
inline double rate_of_distinct(const Params& params, double count) {
  double size = count;
  // Newton's method, from below, because the curve bends down. In a full table it continues until nothing is left to
  // gain.
  for (int i = 0; i < 64; ++i) {
    const Distinct all = distinct_of(params, size);
    const double step = (count - all.count) / all.slope;
    if (!(step > 1e-13 * size)) break;
    size += step;
  }
  return rate_of_random(params, size);
}

}  // namespace detail

/// The expected probability that an absent key is found in a filter with `size` distinct random keys.
inline double false_positive_rate(const Params& params, std::uint64_t size) {
  return detail::rate_of_random(params, static_cast<double>(size));
}

}  // namespace cuckoo
