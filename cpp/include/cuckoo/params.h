// What a filter is made of: its parameters, their ranges, and the false positive rate that follows from them.
// Invariant: the ranges stand here once; whoever takes parameters from outside asks `invalid_field`.
// Formulas use the paper's letters: m buckets of b slots of f bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "cuckoo/error.h"

namespace cuckoo {

inline constexpr std::uint32_t kMaxBucketSize = 8;
inline constexpr std::uint32_t kMinFingerprintBits = 2;
inline constexpr std::uint32_t kMaxFingerprintBits = 32;
inline constexpr std::uint64_t kMaxBucketCount = std::uint64_t{1} << 32;  ///< a bucket comes from 32 bits of the hash
inline constexpr std::uint64_t kMaxCapacity = std::uint64_t{1} << 34;     ///< what that many buckets can be planned for
inline constexpr std::uint32_t kMaxKicksLimit = 65535;                    ///< a kick path takes a byte a kick
inline constexpr std::uint32_t kDefaultMaxKicks = 500;                    ///< as in the paper

/// How a fingerprint's other home is found; see location.h.
enum class Addressing : std::uint8_t {
  reflect = 0,           ///< (offset - bucket) mod m, any m
  xor_power_of_two = 1,  ///< bucket XOR offset, m a power of two (the paper's)
};

/// What a filter is made of.
struct Params {
  std::uint64_t capacity = 1;           ///< distinct keys it is to hold, from 1 to m b, at most 2^34
  std::uint64_t bucket_count = 1;       ///< m, from 1 to 2^32
  std::uint32_t bucket_size = 4;        ///< b, from 1 to 8
  std::uint32_t fingerprint_bits = 12;  ///< f, from 2 to 32
  Addressing addressing = Addressing::reflect;
  std::uint32_t max_kicks = kDefaultMaxKicks;  ///< fingerprints moved before an insert gives up, from 0 to 65,535
  std::uint64_t seed = 0;                      ///< of the hash
};

/// Slots of the table, m b.
inline std::uint64_t slot_count(const Params& params) { return params.bucket_count * params.bucket_size; }

/// Bytes of the table, m b f / 8 rounded up.
inline std::uint64_t table_bytes(const Params& params) {
  return (slot_count(params) * params.fingerprint_bits + 7) / 8;
}

/// The first parameter that is out of its range, or `Field::none`.
inline Field invalid_field(const Params& params) {
  if (params.bucket_size < 1 || params.bucket_size > kMaxBucketSize) return Field::bucket_size;
  if (params.fingerprint_bits < kMinFingerprintBits || params.fingerprint_bits > kMaxFingerprintBits) {
    return Field::fingerprint_bits;
  }
  if (params.bucket_count < 1 || params.bucket_count > kMaxBucketCount) return Field::bucket_count;
  if (params.addressing == Addressing::xor_power_of_two && !std::has_single_bit(params.bucket_count)) {
    return Field::bucket_count;
  }
  if (params.capacity < 1 || params.capacity > std::min(slot_count(params), kMaxCapacity)) return Field::capacity;
  return params.max_kicks > kMaxKicksLimit ? Field::max_kicks : Field::none;
}

/// Expected probability, with `size` random keys in the filter, that a key not in it is found. A stored key is taken
/// for it if its fingerprint is the same, and then if its homes are: with probability 2 / m, or 1 / m for the one key
/// in m whose homes coincide. Fingerprint 1 has probability P = 2 / 2^f, as 0 becomes 1, and every other one 1 / 2^f.
/// So it is the mean over all fingerprints of 1 - (1 - 2 P / m)^size, with 1 / m in place of 2 / m once in m. The exact
/// form of Fan et al. 2014, equation 5, which bounds it.
inline double false_positive_rate(const Params& params, std::uint64_t size) {
  const auto m = static_cast<double>(params.bucket_count);
  const auto n = static_cast<double>(size);
  const double step = std::ldexp(1.0, -static_cast<int>(params.fingerprint_bits));
  const auto found = [=](double share) {
    return share < 1 ? -std::expm1(n * std::log1p(-share)) : (n > 0 ? 1.0 : 0.0);
  };
  const auto rate = [=](double probability) {
    const double two_homes = m > 1 ? found(2 * probability / m) : 0;
    return two_homes + (found(probability / m) - two_homes) / m;
  };
  return (1 - 2 * step) * rate(step) + 2 * step * rate(2 * step);
}

}  // namespace cuckoo
