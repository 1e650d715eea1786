// A hash's place in the table: its fingerprint and its two homes. Each rule of the addressing is here, once.
// Invariant: `alternate` is its own inverse, so a fingerprint's other home is known from where it lies,
// without its key. Sources: Fan et al. 2014, section 3.1 (xor); Lang et al., PVLDB 12(5), 2019 (any bucket
// count).
#pragma once

#include <cstdint>

#include "cuckoo/hash.h"
#include "cuckoo/params.h"

namespace cuckoo {

/// Where a hash belongs. An operation computes it once and passes it on.
struct Location {
  std::uint32_t fingerprint = 0;  ///< `fingerprint_bits` bits, never 0
  std::uint64_t primary = 0;      ///< first home, below the bucket count
  std::uint64_t alternate = 0;    ///< second home; equal to the first for one hash in `bucket_count` on average
};

/// `bits` in [0, 2^32) scaled to [0, count), without division; even to within count / 2^32.
/// Source: Lemire, "Fast random integer generation in an interval", 2019.
inline std::uint64_t scale_to(std::uint32_t bits, std::uint64_t count) { return (bits * count) >> 32; }

/// The least bits that `scale_to` scales to `value`, which is below `count`; `count` is at most 2^32.
inline std::uint64_t unscaled(std::uint64_t value, std::uint64_t count) { return ((value << 32) + count - 1) / count; }

/// The fingerprint before 0 is replaced: the lowest `fingerprint_bits` bits of the hash. With spared quarters, the
/// hash's low 32 bits scaled to the fingerprints there are, whose low part, below 19, 23 or 28, is written in 5 bits.
inline std::uint32_t raw_fingerprint(Hash hash, const Params& params) {
  const auto low = static_cast<std::uint32_t>(static_cast<std::uint64_t>(hash));
  const std::uint32_t bits = params.fingerprint_bits;
  if (params.spared_quarters == 0) [[likely]] {
    return low & static_cast<std::uint32_t>(~std::uint64_t{0} >> (64 - bits));
  }
  const std::uint64_t scaled = scale_to(low, fingerprint_count(params));
  const std::uint64_t upper = scaled & ((std::uint64_t{1} << (bits - 5)) - 1);
  return static_cast<std::uint32_t>(upper << 5 | scaled >> (bits - 5));
}

/// A raw fingerprint as it is stored: 0, which marks an empty slot, becomes 1.
/// So fingerprint 1 is twice as frequent as any other; `false_positive_rate` counts on it.
inline std::uint32_t stored_fingerprint(std::uint32_t raw) { return raw + (raw == 0 ? 1 : 0); }

/// What leads from one home to the other: a bucket number that depends on the fingerprint alone.
/// Two odd multipliers (2^32 over the golden ratio; MurmurHash3's finalizer) with a shift between. One alone
/// makes offsets of neighbouring fingerprints a lattice, and short fingerprints then fill worse: b = 4, f =
/// 4, m = 32,768 reach a load of 0.900 with one and 0.957 with two.
inline std::uint64_t home_offset(std::uint32_t fingerprint, std::uint64_t bucket_count) {
  std::uint32_t mixed = fingerprint * 0x9E3779B1u;
  mixed ^= mixed >> 15;
  mixed *= 0x85EBCA6Bu;
  return scale_to(mixed, bucket_count);
}

/// The other home of `fingerprint`, which lies in `bucket`. Reflect: (offset - bucket) mod m, for any m.
/// Xor: bucket XOR offset, for m a power of two. Both give back `bucket` when applied twice.
inline std::uint64_t alternate(std::uint64_t bucket, std::uint32_t fingerprint, Addressing addressing,
                               std::uint64_t bucket_count) {
  const std::uint64_t offset = home_offset(fingerprint, bucket_count);
  if (addressing == Addressing::xor_power_of_two) return bucket ^ offset;
  // The sign chooses between 0 and m without a branch, which would go either way at random (lookups 3 % slower).
  const std::uint64_t difference = offset - bucket;
  return difference + ((0 - (difference >> 63)) & bucket_count);
}

/// Fingerprint from the hash's low 32 bits, primary bucket from its high 32 bits, alternate from both.
inline Location locate(Hash hash, const Params& params) {
  const std::uint32_t fingerprint = stored_fingerprint(raw_fingerprint(hash, params));
  const auto primary =
      scale_to(static_cast<std::uint32_t>(static_cast<std::uint64_t>(hash) >> 32), params.bucket_count);
  return {fingerprint, primary, alternate(primary, fingerprint, params.addressing, params.bucket_count)};
}

/// A hash that belongs where `fingerprint` (not 0) lies, in `bucket`: `locate` gives the fingerprint, this bucket as
/// the primary one, and its other home. So what is in a table can be handled without its keys.
inline Hash hash_at(std::uint64_t bucket, std::uint32_t fingerprint, const Params& params) {
  std::uint64_t low = fingerprint;
  if (params.spared_quarters != 0) {
    low = unscaled(std::uint64_t{fingerprint & 31} << (params.fingerprint_bits - 5) | fingerprint >> 5,
                   fingerprint_count(params));
  }
  return Hash{unscaled(bucket, params.bucket_count) << 32 | low};
}

}  // namespace cuckoo
