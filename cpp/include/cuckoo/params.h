// What a filter is made of: its parameters, their ranges, and the false positive rate that follows from them.
// Invariant: the ranges stand here once; whoever takes parameters from outside asks `invalid_field`.
// Formulas use the paper's letters: m buckets of b slots of f bits, F fingerprints that differ.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cuckoo/error.h"
#include "cuckoo/logarithm.h"

namespace cuckoo {

inline constexpr std::uint32_t kMaxBucketSize = 8;
inline constexpr std::uint32_t kMinFingerprintBits = 2;
inline constexpr std::uint32_t kMaxFingerprintBits = 32;
inline constexpr std::uint32_t kMinSemiSortedBits = 5;  ///< four bits that are sorted, and one that is not
inline constexpr std::uint32_t kMaxQuarteredBits = 24;  ///< past these, a hash is too short for a fraction of a bit
inline constexpr std::uint64_t kMaxBucketCount = std::uint64_t{1} << 32;  ///< a bucket comes from 32 bits of the hash
inline constexpr std::uint64_t kMaxCapacity = std::uint64_t{1} << 34;     ///< what that many buckets can be planned for
inline constexpr std::uint32_t kMaxKicksLimit = 65535;                    ///< a kick path takes a byte a kick
inline constexpr std::uint32_t kDefaultMaxKicks = 500;                    ///< as in the paper

/// How a fingerprint's other home is found; see location.h.
enum class Addressing : std::uint8_t {
  reflect = 0,           ///< (offset - bucket) mod m, any m
  xor_power_of_two = 1,  ///< bucket XOR offset, m a power of two (the paper's)
};

/// How the slots of a bucket lie in its bits; see bucket.h.
enum class Storage : std::uint8_t {
  plain = 0,        ///< f bits a slot
  semi_sorted = 1,  ///< sorted, their low parts coded as one: one bit a slot less (the paper's section 5.2)
};

/// What turns keys into hashes; see hasher.h. The values are the format's.
enum class HashAlgorithm : std::uint8_t {
  xxh64 = 1,        ///< under a seed, which is saved
  siphash_1_3 = 2,  ///< under a secret key of 128 bits, which is not: `Params` never hold it
};

/// What a filter is made of.
struct Params {
  std::uint64_t capacity = 1;           ///< distinct keys it is to hold, once grown: from 1 to m b 2^r, at most 2^34
  std::uint64_t bucket_count = 1;       ///< m, from 1 to 2^32
  std::uint32_t bucket_size = 4;        ///< b, from 1 to 8
  std::uint32_t fingerprint_bits = 12;  ///< bits a fingerprint is written in, from 2 to 32
  Storage storage = Storage::plain;     ///< semi-sorted only with b = 4 and 5 bits or more
  /// Quarters of a bit, 0 to 3, by which f falls short of `fingerprint_bits`. Only semi-sorted, with 6 to 24 bits.
  std::uint32_t spared_quarters = 0;
  /// r, times that the table may still double: a slot holds as many bits of its fingerprint's home beside it, of which
  /// each doubling spends one (see location.h). With the fingerprint's at most 32, and m 2^r at most 2^32.
  std::uint32_t reserved_bits = 0;
  Addressing addressing = Addressing::reflect;
  std::uint32_t max_kicks = kDefaultMaxKicks;  ///< fingerprints moved before an insert gives up, from 0 to 65,535
  HashAlgorithm hash = HashAlgorithm::xxh64;
  std::uint64_t seed = 0;  ///< of XXH64; 0 for SipHash-1-3
};

/// Slots of the table, m b.
inline std::uint64_t slot_count(const Params& params) { return params.bucket_count * params.bucket_size; }

/// m 2^r, buckets once every reserved bit is spent: the homes of fingerprints are counted among these.
inline std::uint64_t grown_bucket_count(const Params& params) { return params.bucket_count << params.reserved_bits; }

/// Bits that a slot holds: the fingerprint's, and those reserved.
inline std::uint32_t slot_bits(const Params& params) { return params.fingerprint_bits + params.reserved_bits; }

/// Keys that the table holds before it doubles: its share of all, or half of its slots where that is more, so that no
/// table doubles that is emptier. All that it is made for where it does not double.
inline std::uint64_t present_capacity(const Params& params) {
  if (params.reserved_bits == 0) return params.capacity;
  return std::max(params.capacity >> params.reserved_bits, (slot_count(params) + 1) / 2);
}

/// The parameters after one doubling; there is a reserved bit.
inline Params doubled(Params params) {
  params.bucket_count *= 2;
  --params.reserved_bits;
  return params;
}

/// The parameters once every reserved bit is spent.
inline Params grown(Params params) {
  params.bucket_count = grown_bucket_count(params);
  params.reserved_bits = 0;
  return params;
}

/// Values of a semi-sorted fingerprint's low part: of 4 bits where no quarter is spared, else the most whose sorted
/// quadruples fit in 15, 14 or 13 bits (C(n + 3, 4) of them: Fan et al. 2014, section 5.2, for 16 values and 12 bits).
inline std::uint32_t low_values(std::uint32_t spared_quarters) {
  constexpr std::uint32_t kValues[] = {16, 28, 23, 19};
  return kValues[spared_quarters];
}

/// f, bits of a fingerprint: whole, or quarters. Semi-sorted, a slot takes f - 1 bits.
inline double fingerprint_width(const Params& params) { return params.fingerprint_bits - params.spared_quarters / 4.0; }

/// F, fingerprints that differ, 0 among them: 2^f; with spared quarters 0.99 to 1.04 times as many.
inline std::uint64_t fingerprint_count(const Params& params) {
  if (params.spared_quarters == 0) return std::uint64_t{1} << params.fingerprint_bits;
  return std::uint64_t{low_values(params.spared_quarters)} << (params.fingerprint_bits - 5);
}

/// Bits of a bucket: b (f + r), and b less if it is semi-sorted.
inline std::uint64_t bucket_bits(const Params& params) {
  if (params.storage == Storage::plain) return std::uint64_t{params.bucket_size} * slot_bits(params);
  return 4 * (slot_bits(params) - 1) - params.spared_quarters;
}

/// Bytes of the table, the bits of its buckets rounded up.
inline std::uint64_t table_bytes(const Params& params) { return (params.bucket_count * bucket_bits(params) + 7) / 8; }

/// The first parameter that is out of its range, or `Field::none`.
inline Field invalid_field(const Params& params) {
  if (params.bucket_size < 1 || params.bucket_size > kMaxBucketSize) return Field::bucket_size;
  if (params.fingerprint_bits < kMinFingerprintBits || params.fingerprint_bits > kMaxFingerprintBits) {
    return Field::fingerprint_bits;
  }
  const bool is_semi_sorted = params.storage == Storage::semi_sorted;
  if (is_semi_sorted && (params.bucket_size != 4 || params.fingerprint_bits < kMinSemiSortedBits)) {
    return Field::semi_sort;
  }
  const bool has_room_for_quarters = is_semi_sorted && params.fingerprint_bits > kMinSemiSortedBits &&
                                     params.fingerprint_bits <= kMaxQuarteredBits && params.spared_quarters < 4;
  if (params.spared_quarters != 0 && !has_room_for_quarters) return Field::fingerprint_bits;
  if (params.bucket_count < 1 || params.bucket_count > kMaxBucketCount) return Field::bucket_count;
  if (params.addressing == Addressing::xor_power_of_two && !std::has_single_bit(params.bucket_count)) {
    return Field::bucket_count;
  }
  if (params.reserved_bits > kMaxFingerprintBits - params.fingerprint_bits ||
      grown_bucket_count(params) > kMaxBucketCount) {
    return Field::max_capacity;
  }
  if (params.capacity < 1 || params.capacity > std::min(slot_count(grown(params)), kMaxCapacity)) {
    return Field::capacity;
  }
  if (params.max_kicks > kMaxKicksLimit) return Field::max_kicks;
  return params.hash == HashAlgorithm::siphash_1_3 && params.seed != 0 ? Field::seed : Field::none;
}

/// Expected probability, with `size` random keys in the filter, that a key not in it is found. A stored key is taken
/// for it if its fingerprint is the same, and then if its homes are: with probability 2 / m, or 1 / m for the one key
/// in m whose homes coincide. Fingerprint 1 has probability P = 2 / F, as 0 becomes 1, and every other one 1 / F.
/// A table that is still to grow is as exact: the homes are those it will have, as slots hold the bits that tell them
/// apart, so m is then m 2^r. So it is the mean over all fingerprints of 1 - (1 - 2 P / m)^size, with 1 / m in place of
/// 2 / m once in m. The exact form of Fan et al. 2014, equation 5, which bounds it.
inline double false_positive_rate(const Params& params, std::uint64_t size) {
  const auto m = static_cast<double>(grown_bucket_count(params));
  const auto n = static_cast<double>(size);
  const double step = 1 / static_cast<double>(fingerprint_count(params));
  const auto found = [=](double share) { return share < 1 ? -expm1(n * log1p(-share)) : (n > 0 ? 1.0 : 0.0); };
  const auto rate = [=](double found_in_two, double found_in_one) {
    const double two_homes = m > 1 ? found_in_two : 0;
    return two_homes + (found_in_one - two_homes) / m;
  };
  const double found_in_two = found(2 * step / m);
  return (1 - 2 * step) * rate(found_in_two, found(step / m)) + 2 * step * rate(found(4 * step / m), found_in_two);
}

}  // namespace cuckoo
