// SPDX-License-Identifier: MIT
// How many keys a table holds: the load that it can be planned for, and groups of keys that no placement can hold.
// Invariant: a table that `holds_capacity` takes all its keys, except in the share `most_failures` of builds. Formulas
// use the paper's letters: m buckets of b slots of f bits, n keys, F fingerprints that differ.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "cuckoo/detail/logarithm.h"
#include "cuckoo/params.h"

namespace cuckoo::detail {

inline constexpr std::uint32_t kMinPlannedBits = 5;  ///< shorter fingerprints fill much worse
inline constexpr double kMaxFailures = 1e-6;         ///< share of builds that may refuse a key below their capacity

/// The share of builds that may fail at this capacity: 10^-8 up to 32 keys, because small tables are the most common
/// and need only a few bytes more. It rises with the fourth power of the keys to `kMaxFailures` at 101 keys, slowly
/// enough that larger capacities still take larger tables. Beyond that, 10^-8 would cost 3 to 24 % of all bits.
inline double most_failures(const Params& params) {
  const double times = static_cast<double>(params.capacity) / 32;
  return std::clamp(1e-8 * times * times * times * times, 1e-8, kMaxFailures);
}

/// The load at the first failed insert, measured with tests/bench/tables/load.cpp. Its mean is a - d ln
/// m, minus 1.3 c / F for short fingerprints, and its standard deviation is c / sqrt(m). With one slot per bucket, the
/// load at the first failure varies too widely for a model.
struct LoadModel {
  double a, d, c;
};
inline constexpr LoadModel kLoadModels[kMaxBucketSize + 1] = {{0, 0, 0},
                                                              {0, 0, 0},
                                                              {0.8988, 0.00110, 0.33},
                                                              {0.9609, 0.00065, 0.18},
                                                              {0.9809, 0.00031, 0.11},
                                                              {0.9904, 0.00022, 0.075},
                                                              {0.9946, 0.00014, 0.055},
                                                              {0.9970, 0.00010, 0.04},
                                                              {0.9984, 0.00010, 0.03}};

/// Slots that are left free in addition. In a small table, the last free slots may all be in a few buckets that are
/// candidates of too few keys: then no placement exists. Up to 32 buckets the chance of that is computed exactly
/// (Plan.HoldsWhatSmallTablesCanPlace). Beyond, each free slot was measured to divide it by 1.4 to 2.7, and from about
/// 300 buckets on fewer slots would do (`npm run bench -- load`, `npm run bench -- small`).
inline constexpr double kSlotsOutOfReach = 10;

/// The load that fewer than one build in a million fail to reach, if long kick paths decide: six standard deviations
/// and 14 d below the mean, because the chance of an earlier failure falls by a factor of e with every d.
inline double safe_load_of_paths(const Params& params) {
  const LoadModel& model = kLoadModels[params.bucket_size];
  const auto m = static_cast<double>(params.bucket_count);
  const double short_fingerprint = 1.3 * model.c / static_cast<double>(fingerprint_count(params));
  return model.a - short_fingerprint - model.d * (portable::log(m) + 14) - 6 * model.c / std::sqrt(m) -
         kSlotsOutOfReach / static_cast<double>(slot_count(params));
}

/// The same with one slot per bucket or few buckets: an insert fails only if all 2 + 500 b buckets that are counted on
/// to be looked at are full, each with probability x^b / b! at x keys per bucket (the bound of the Poisson tail). Valid
/// up to a load of one half.
inline double safe_load_of_buckets(const Params& params) {
  const double b = params.bucket_size;
  const double looked_at = 2 + 500 * b;
  double factorial = 1;
  for (std::uint32_t i = 2; i <= params.bucket_size; ++i) factorial *= i;
  const double per_look = portable::log(static_cast<double>(params.capacity) / kMaxFailures) / looked_at;
  const double per_bucket = 1 + portable::expm1((portable::log(factorial) - per_look) / b);
  return std::min(0.5, per_bucket / b);
}

/// The load up to which a table is planned. With one slot per bucket, the model of long paths does not apply.
/// Fingerprints too short to be planned crowd their candidate buckets in more ways than are counted
/// here, so a share of the load is left free for them, which halves with each bit.
inline double safe_load(const Params& params) {
  const bool has_paths = params.bucket_size > 1;
  const double most_of_buckets = params.bucket_size > 1 ? 0.5 : 0.25;
  double load = has_paths ? safe_load_of_paths(params) : 0;
  if (load < most_of_buckets) load = std::max(load, std::min(safe_load_of_buckets(params), most_of_buckets));
  if (params.fingerprint_bits >= kMinPlannedBits) return load;
  return load * (1 - 2.0 / (1u << params.fingerprint_bits));
}

/// Factor for the variation in the number of fingerprints that lead a bucket to itself: at some bucket counts, offsets
/// are worse than on average. For each of eight rates and capacities sampled up to 3,000, the expected number of groups
/// in one or two buckets was computed from the offsets themselves: with `reflect` at most 1.1e-6, without the factor
/// 2.8e-6. With `xor` it is up to 1.4e-6, and with one or two slots a bucket 3.2e-6 and 2.0e-6.
inline constexpr double kUnluckyOffsets = 2;

/// n choose k times factor^k; 0 if it is too small for a double.
inline double choices(double n, std::uint32_t k, double factor) {
  double product = 1;
  for (std::uint32_t i = 0; i < k; ++i) product *= (n - i) / (i + 1) * factor;
  return product;
}

/// Expected number of groups of t keys, of the n, that have all their candidate buckets among k given ones, 1 or 2.
///
/// Keys with equal fingerprints crowd, because a fingerprint always leads from a bucket to the same other one. Let W
/// count, of the m F combinations of a primary bucket and a raw fingerprint, those whose candidate buckets are among
/// the k given ones. Then a key is there with probability W / (m F), and the number of groups is
/// C(n, t) E[W^t] / (m F)^t, over all offsets that fingerprints may have. A fingerprint adds to W
///
///     1  for each of the k buckets, with probability 1 / m: it leads that bucket to itself;
///     2  for two buckets, with probability 1 / m: it leads each to the other;
///
/// and fingerprint 1 adds twice as much, because raw fingerprint 0 becomes 1. These events are rare and nearly
/// independent, so W is compound Poisson. Its cumulants are the sums of probability times addend to the power of r:
///
///     kappa_r = (k + (k - 1) 2^r) (F - 2 + 2^r) / m
///
/// With x = n / (m F), the generating function of a_i = E[W^i] x^i / i! is exp(sum of kappa_r (x s)^r / r!). Its
/// derivative gives i a_i = sum of kappa_r x^r / (r - 1)! a_(i-r), over r from 1 to i. Last, C(n, t) is n^t / t! times
/// (1 - 1 / n) (1 - 2 / n) ... (1 - (t - 1) / n).
inline double crowds_among(const Params& params, std::uint32_t k, std::uint32_t t) {
  const auto n = static_cast<double>(params.capacity);
  const auto m = static_cast<double>(params.bucket_count);
  const auto fingerprints = static_cast<double>(fingerprint_count(params));
  const double x = n / (m * fingerprints);
  double terms[2 * kMaxBucketSize + 2];       // kappa_r x^r / (r - 1)!
  double moments[2 * kMaxBucketSize + 2]{1};  // a_i
  double power = 1;                           // 2^i
  double factor = 1;                          // x^i / (i - 1)!
  double distinct = 1;                        // (1 - 1 / n) ... (1 - (i - 1) / n)
  for (std::uint32_t i = 1; i <= t; ++i) {
    power *= 2;
    factor *= x / std::max(i - 1, 1u);
    distinct *= 1 - (i - 1) / n;
    terms[i] = (k + (k - 1) * power) * (fingerprints - 2 + power) / m * factor;
    // How many fingerprints lead to the same bucket back depends on the few offsets of this bucket count.
    if (k == 1 && i > 1) terms[i] *= kUnluckyOffsets;
    double sum = 0;
    for (std::uint32_t r = 1; r <= i; ++r) sum += terms[r] * moments[i - r];
    moments[i] = sum / i;
  }
  return moments[t] * distinct;
}

/// Expected number of groups of keys that no placement can hold: k b + 1 keys with all candidate buckets among the same
/// k, for small k. If equal fingerprints crowd no two buckets, they hardly crowd three or four, so for those k every
/// key counts as choosing its buckets at random. With two buckets, the largest term is that of 2 b + 1 keys with one
/// fingerprint (Fan et al. 2014, equation 3). Beyond `kMaxFailures`, counting stops early.
inline double expected_obstructions(const Params& params) {
  const auto n = static_cast<double>(params.capacity);
  const auto m = static_cast<double>(params.bucket_count);
  double expected = 0;
  for (std::uint32_t k = 1; k <= 4 && k < params.bucket_count && expected < kMaxFailures; ++k) {
    const std::uint32_t keys = k * params.bucket_size + 1;
    if (keys > params.capacity) break;
    expected += choices(m, k, 1) * (k <= 2 ? crowds_among(params, k, keys) : choices(n, keys, (k / m) * (k / m)));
  }
  return expected;
}

/// True if a bucket holds the whole capacity, so that no key is ever refused.
inline bool fits_one_bucket(const Params& params) { return params.capacity <= params.bucket_size; }

/// True if the capacity is no more than the safe load.
inline bool is_safely_filled(const Params& params) {
  if (params.bucket_count == 1 || fits_one_bucket(params)) return fits_one_bucket(params);
  return static_cast<double>(params.capacity) <= safe_load(params) * static_cast<double>(slot_count(params));
}

/// True if all `params.capacity` distinct keys go in, except in less than this share of builds, which is at most
/// `kMaxFailures`.
inline bool holds_but_for(const Params& params, double failures) {
  return is_safely_filled(params) && expected_obstructions(params) < failures;
}

/// The same for the share `most_failures`.
inline bool holds_capacity(const Params& params) { return holds_but_for(params, most_failures(params)); }

}  // namespace cuckoo::detail
