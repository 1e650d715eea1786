// A hash's place in the table: its fingerprint and its two homes. Each rule of the addressing is here, once.
// Invariant: `alternate` is its own inverse, so a fingerprint's other home is known from where it lies,
// without its key. In a table that is still to grow, a home is one of the buckets it will have, m 2^r of them; a slot
// holds, above the fingerprint, the r bits of the home that the bucket's number leaves out. Sources: Fan et al. 2014,
// section 3.1 (xor); Lang et al., PVLDB 12(5), 2019 (any bucket count).
#pragma once

#include <cstdint>

#include "cuckoo/hash.h"
#include "cuckoo/params.h"

namespace cuckoo {

/// Where a hash belongs. An operation computes it once and passes it on.
struct Location {
  std::uint32_t fingerprint = 0;   ///< what a slot of the first home holds for it: `slot_bits` bits, never 0
  std::uint32_t in_alternate = 0;  ///< what a slot of the second home does: the same where nothing is reserved
  std::uint64_t primary = 0;       ///< first home, below the bucket count
  std::uint64_t alternate = 0;     ///< second home; equal to the first for one hash in `bucket_count` on average
  bool operator==(const Location&) const = default;
};

/// A bucket, and what a slot of it holds for a fingerprint.
struct Home {
  std::uint64_t bucket = 0;
  std::uint32_t content = 0;
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

/// The fingerprint in what a slot holds, without the bits of its home.
inline std::uint32_t fingerprint_in(std::uint32_t content, const Params& params) {
  return content & static_cast<std::uint32_t>(~std::uint64_t{0} >> (64 - params.fingerprint_bits));
}

/// Where `fingerprint` lies whose home is `home` of the buckets that the table will have.
inline Home home_at(std::uint64_t home, std::uint32_t fingerprint, const Params& params) {
  const std::uint64_t left_out = home & ((std::uint64_t{1} << params.reserved_bits) - 1);
  return {home >> params.reserved_bits, fingerprint | static_cast<std::uint32_t>(left_out << params.fingerprint_bits)};
}

/// `other_home` in a table that is still to grow. Out of line, as `locate_to_grow` is, so that tables that do not grow
/// are as fast without.
[[gnu::noinline, gnu::cold, gnu::pure]] inline Home other_home_to_grow(std::uint64_t bucket, std::uint32_t content,
                                                                       const Params& params) {
  const std::uint32_t fingerprint = fingerprint_in(content, params);
  const std::uint64_t left_out = std::uint64_t{content} >> params.fingerprint_bits;
  const std::uint64_t home = bucket << params.reserved_bits | left_out;
  return home_at(alternate(home, fingerprint, params.addressing, grown_bucket_count(params)), fingerprint, params);
}

/// Where else the fingerprint belongs for which a slot of `bucket` holds `content`.
inline std::uint64_t other_bucket(std::uint64_t bucket, std::uint32_t content, const Params& params) {
  return params.reserved_bits == 0 ? alternate(bucket, content, params.addressing, params.bucket_count)
                                   : other_home_to_grow(bucket, content, params).bucket;
}

/// What a slot of that other bucket holds for it.
inline std::uint32_t other_content(std::uint64_t bucket, std::uint32_t content, const Params& params) {
  return params.reserved_bits == 0 ? content : other_home_to_grow(bucket, content, params).content;
}

/// The upper half of a hash, scaled to the buckets there will be.
inline std::uint64_t first_home(Hash hash, std::uint64_t bucket_count) {
  return scale_to(static_cast<std::uint32_t>(static_cast<std::uint64_t>(hash) >> 32), bucket_count);
}

/// `locate` in a table that is still to grow.
[[gnu::noinline, gnu::cold, gnu::pure]] inline Location locate_to_grow(Hash hash, const Params& params) {
  const std::uint32_t fingerprint = stored_fingerprint(raw_fingerprint(hash, params));
  const Home primary = home_at(first_home(hash, grown_bucket_count(params)), fingerprint, params);
  const Home other = other_home_to_grow(primary.bucket, primary.content, params);
  return {primary.content, other.content, primary.bucket, other.bucket};
}

/// `locate` in a table that does not grow, or no more.
inline Location locate_for_good(Hash hash, const Params& params) {
  const std::uint32_t fingerprint = stored_fingerprint(raw_fingerprint(hash, params));
  const std::uint64_t primary = first_home(hash, params.bucket_count);
  return {fingerprint, fingerprint, primary, alternate(primary, fingerprint, params.addressing, params.bucket_count)};
}

/// Fingerprint from the hash's low 32 bits, primary bucket from its high 32 bits, alternate from both.
inline Location locate(Hash hash, const Params& params) {
  return params.reserved_bits == 0 ? locate_for_good(hash, params) : locate_to_grow(hash, params);
}

/// A hash that belongs where a slot of `bucket` holds `content` (not 0): `locate` gives that content, this bucket as
/// the primary one, and its other home, however often the table has doubled. So what is in a table can be handled
/// without its keys.
inline Hash hash_at(std::uint64_t bucket, std::uint32_t content, const Params& params) {
  const std::uint32_t fingerprint = fingerprint_in(content, params);
  const std::uint64_t home = bucket << params.reserved_bits | std::uint64_t{content} >> params.fingerprint_bits;
  std::uint64_t low = fingerprint;
  if (params.spared_quarters != 0) {
    low = unscaled(std::uint64_t{fingerprint & 31} << (params.fingerprint_bits - 5) | fingerprint >> 5,
                   fingerprint_count(params));
  }
  return Hash{unscaled(home, grown_bucket_count(params)) << 32 | low};
}

}  // namespace cuckoo
