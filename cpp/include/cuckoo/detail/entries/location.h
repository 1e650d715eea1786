// SPDX-License-Identifier: MIT
// Where a hash belongs: two candidates, each a bucket with the entry that it would hold. All rules of addressing are in
// this file, once. Invariant: `other` is its own inverse, so an entry's other candidate follows from its bucket,
// without its key. In a growable table, candidate buckets are chosen among the m 2^r that the table may have at last.
// Above the fingerprint, a slot holds the r low bits of that bucket number, which the number of the bucket itself
// lacks. Sources: Fan et al. 2014, section 3.1 (xor); Lang et al., PVLDB 12(5), 2019 (any bucket count).
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "cuckoo/detail/table/entry.h"
#include "cuckoo/hash/hash.h"
#include "cuckoo/params.h"

namespace cuckoo::detail {

/// A bucket, together with an entry as that bucket holds it. There are at most 2^32 buckets, so 32 bits hold a bucket's
/// number.
struct Candidate {
  std::uint32_t bucket;
  std::uint32_t entry;
  bool operator==(const Candidate&) const = default;
};

/// Where a hash belongs. An operation computes it once and passes it on.
struct Location {
  Candidate primary;
  Candidate alternate;  ///< equal to the primary for one hash in m 2^r on average
  bool operator==(const Location&) const = default;
};
static_assert(sizeof(Location) == 16);

/// `bits` in [0, 2^32) scaled to [0, count), without division; even to within count / 2^32. `count` is at most 2^32.
/// Source: Lemire, "Fast random integer generation in an interval", 2019.
inline std::uint64_t scale_to(std::uint32_t bits, std::uint64_t count) {
  assert(count <= kMaxBucketCount);
  return (bits * count) >> 32;
}

/// The least bits that `scale_to` scales to `value`, which is below `count`; `count` is at most 2^32.
inline std::uint64_t unscaled(std::uint64_t value, std::uint64_t count) {
  assert(value < count && count <= kMaxBucketCount);
  return ((value << 32) + count - 1) / count;
}

/// The fingerprint before 0 is replaced: the lowest `fingerprint_bits` bits of the hash. With spared quarters, it is
/// the hash's low 32 bits scaled to the number of fingerprints; its low part, which is below 19, 23 or 28, is written
/// in 5 bits.
inline std::uint32_t raw_fingerprint(Hash hash, const Params& params) {
  const auto low = static_cast<std::uint32_t>(static_cast<std::uint64_t>(hash));
  const std::uint32_t bits = params.fingerprint_bits;
  if (params.spared_quarters == 0) [[likely]] {
    return lowest_bits(low, bits);
  }
  const std::uint64_t scaled = scale_to(low, fingerprint_count(params));
  const std::uint64_t upper = scaled & ((std::uint64_t{1} << (bits - 5)) - 1);
  return static_cast<std::uint32_t>(upper << 5 | scaled >> (bits - 5));
}

/// A raw fingerprint as it is stored: 0, which marks an empty slot, becomes 1.
/// So fingerprint 1 is twice as frequent as any other; `false_positive_rate` counts on it.
inline std::uint32_t stored_fingerprint(std::uint32_t raw) { return raw + (raw == 0 ? 1 : 0); }

/// What leads from one candidate bucket to the other: a bucket number that depends on the fingerprint alone.
/// Two odd multipliers (2^32 over the golden ratio; MurmurHash3's finalizer) with a shift between. One alone
/// makes offsets of neighbouring fingerprints a lattice, and short fingerprints then fill a table less.
inline std::uint64_t alternate_offset(std::uint32_t fingerprint, std::uint64_t bucket_count) {
  std::uint32_t mixed = fingerprint * 0x9E3779B1u;
  mixed ^= mixed >> 15;
  mixed *= 0x85EBCA6Bu;
  return scale_to(mixed, bucket_count);
}

/// The other candidate bucket of `fingerprint`, if one is `bucket`. Reflect: (offset - bucket) mod m, for any m. Xor:
/// bucket XOR offset, if m is a power of two. Applied twice, both give back `bucket`.
inline std::uint64_t alternate_bucket(std::uint64_t bucket, std::uint32_t fingerprint, Addressing addressing,
                                      std::uint64_t bucket_count) {
  assert(bucket < bucket_count && (addressing == Addressing::reflect || std::has_single_bit(bucket_count)));
  const std::uint64_t offset = alternate_offset(fingerprint, bucket_count);
  if (addressing == Addressing::xor_power_of_two) return bucket ^ offset;
  // The sign chooses between 0 and m without a branch, because the branch would be random.
  const std::uint64_t difference = offset - bucket;
  return difference + ((0 - (difference >> 63)) & bucket_count);
}

/// The upper half of a hash, scaled to the number of buckets that there are or will be.
inline std::uint64_t primary_bucket(Hash hash, std::uint64_t bucket_count) {
  return scale_to(static_cast<std::uint32_t>(static_cast<std::uint64_t>(hash) >> 32), bucket_count);
}

/// The bucket that will finally hold the entry of `here`, among the m 2^r that a growable table may have.
inline std::uint64_t grown_bucket(Candidate here, const Params& params) {
  return std::uint64_t{here.bucket} << params.reserved_bits | reserved_of(here.entry, params);
}

/// The candidate of `entry` whose bucket will finally be `grown`.
inline Candidate candidate_in(std::uint64_t grown, std::uint32_t entry, const Params& params) {
  const std::uint64_t left_out = grown & ((std::uint64_t{1} << params.reserved_bits) - 1);
  return {static_cast<std::uint32_t>(grown >> params.reserved_bits), with_reserved(entry, left_out, params)};
}

/// `other` in a fixed table, where no bits are reserved.
inline Candidate other_fixed(Candidate here, const Params& params) {
  const std::uint32_t fingerprint = fingerprint_of(here.entry, params);
  const std::uint64_t bucket = alternate_bucket(here.bucket, fingerprint, params.addressing, params.bucket_count);
  return {static_cast<std::uint32_t>(bucket), here.entry};
}

/// `other` in a growable table.
[[gnu::always_inline]] inline Candidate other_growable(Candidate here, const Params& params) {
  const std::uint64_t grown = alternate_bucket(grown_bucket(here, params), fingerprint_of(here.entry, params),
                                               params.addressing, grown_bucket_count(params));
  return candidate_in(grown, here.entry, params);
}

/// The same, out of line, so that code for both kinds of tables is as fast for fixed ones as code for those alone.
[[gnu::noinline, gnu::cold, gnu::pure]] inline Candidate other_growable_out_of_line(Candidate here,
                                                                                    const Params& params) {
  return other_growable(here, params);
}

/// The other candidate of the entry in `here`. Applied twice, it gives back `here`.
inline Candidate other(Candidate here, const Params& params) {
  return params.reserved_bits == 0 ? other_fixed(here, params) : other_growable_out_of_line(here, params);
}

/// `locate` in a fixed table.
inline Location locate_fixed(Hash hash, const Params& params) {
  const std::uint32_t fingerprint = stored_fingerprint(raw_fingerprint(hash, params));
  const std::uint64_t bucket = primary_bucket(hash, params.bucket_count);
  const std::uint64_t other = alternate_bucket(bucket, fingerprint, params.addressing, params.bucket_count);
  return {{static_cast<std::uint32_t>(bucket), fingerprint}, {static_cast<std::uint32_t>(other), fingerprint}};
}

/// `locate` in a growable table.
[[gnu::always_inline]] inline Location locate_growable(Hash hash, const Params& params) {
  const std::uint32_t fingerprint = stored_fingerprint(raw_fingerprint(hash, params));
  const Candidate primary = candidate_in(primary_bucket(hash, grown_bucket_count(params)), fingerprint, params);
  return {primary, other_growable(primary, params)};
}

/// The same, out of line.
[[gnu::noinline, gnu::cold, gnu::pure]] inline Location locate_growable_out_of_line(Hash hash, const Params& params) {
  return locate_growable(hash, params);
}

/// Fingerprint from the hash's low 32 bits, primary bucket from its high 32 bits, alternate from both.
inline Location locate(Hash hash, const Params& params) {
  return params.reserved_bits == 0 ? locate_fixed(hash, params) : locate_growable_out_of_line(hash, params);
}

/// A hash whose primary candidate is `here`. However often the table has doubled since, `locate` gives that candidate
/// and its other one. So the entries of a table can be handled without their keys.
inline Hash hash_at(Candidate here, const Params& params) {
  const std::uint32_t fingerprint = fingerprint_of(here.entry, params);
  std::uint64_t low = fingerprint;
  if (params.spared_quarters != 0) {
    low = unscaled(std::uint64_t{fingerprint & 31} << (params.fingerprint_bits - 5) | fingerprint >> 5,
                   fingerprint_count(params));
  }
  return Hash{unscaled(grown_bucket(here, params), grown_bucket_count(params)) << 32 | low};
}

}  // namespace cuckoo::detail
