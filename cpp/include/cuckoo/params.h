// SPDX-License-Identifier: MIT
// What a filter is made of: its parameters, their ranges, and the sizes that follow from them.
// Invariant: the ranges are defined only here, except that of value bits, which depends on the kind of filter. Code
// that takes parameters from outside checks them with `invalid_field`. Formulas use the paper's letters: m buckets of b
// slots of f bits, F fingerprints that differ.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>

#include "cuckoo/error.h"

namespace cuckoo {

inline constexpr std::uint32_t kMaxBucketSize = 8;
inline constexpr std::uint32_t kMinFingerprintBits = 2;
inline constexpr std::uint32_t kMaxFingerprintBits = 32;
inline constexpr std::uint32_t kMinSemiSortedBits = 5;  ///< four bits that are sorted, and one that is not
inline constexpr std::uint32_t kMaxValueBits = 24;      ///< a fingerprint keeps 8 of the 32 bits of a slot
inline constexpr std::uint32_t kMaxQuarteredBits = 24;  ///< past these, a hash is too short for a fraction of a bit
inline constexpr std::uint64_t kMaxBucketCount = std::uint64_t{1} << 32;  ///< a bucket comes from 32 bits of the hash
inline constexpr std::uint64_t kMaxCapacity = std::uint64_t{1} << 34;     ///< the largest that can be planned

/// The default limit of buckets that one call moves while a table doubles. Natively there is no limit: a table doubles
/// in one call. In WebAssembly, where pages and servers wait for every call, it is the number of buckets moved in 0.1
/// ms at half the measured speed (npm run bench -- pauses).
inline constexpr std::uint64_t kBucketsPerMillisecond = 10'000;
#ifdef __wasm__
inline constexpr std::uint64_t kDefaultBucketsPerCall = kBucketsPerMillisecond / 10;
#else
inline constexpr std::uint64_t kDefaultBucketsPerCall = ~std::uint64_t{0};
#endif

/// How the alternate bucket is found; see detail/entries/location.h.
enum class Addressing : std::uint8_t {
  reflect = 0,           ///< (offset - bucket) mod m, any m
  xor_power_of_two = 1,  ///< bucket XOR offset, m a power of two (the paper's)
};

/// How the slots of a bucket lie in its bits; see detail/table/bucket_layout.h.
enum class Storage : std::uint8_t {
  plain = 0,        ///< f bits per slot
  semi_sorted = 1,  ///< sorted, with one code for the low parts: one bit less per slot (the paper's section 5.2)
};

/// What turns keys into hashes; see hash/hasher.h. The values are the format's.
enum class HashAlgorithm : std::uint8_t {
  xxh64 = 1,        ///< under a seed, which is saved
  siphash_1_3 = 2,  ///< under a secret key of 128 bits, which is not: `Params` never hold it
};

/// Settings that change how a filter works, but neither its answers nor its saved bytes. They are not saved.
struct Tuning {
  /// Whether tables of 4 MB or more ask Linux for huge pages (see detail/table/table.h), which Linux may ignore. Not a
  /// macro, because a program may want both, and all its translation units must agree on what a table is.
  bool wants_huge_pages = true;
  /// How many buckets an insert or erase moves while the table doubles: whole blocks of 64, at least one. The following
  /// calls move the rest, and no other call shows it (see detail/entries/pending.h). Filters with values and traced
  /// ones double in one call.
  std::uint64_t buckets_per_call = kDefaultBucketsPerCall;
  bool operator==(const Tuning&) const = default;
};

/// What a filter is made of.
struct Params {
  std::uint64_t capacity = 1;           ///< number of keys that fit once it has grown: from 1 to m b 2^r, at most 2^34
  std::uint64_t bucket_count = 1;       ///< m, from 1 to 2^32
  std::uint32_t bucket_size = 4;        ///< b, from 1 to 8
  std::uint32_t fingerprint_bits = 12;  ///< bits a fingerprint is written in, from 2 to 32
  Storage storage = Storage::plain;     ///< semi-sorted only with b = 4 and 5 bits or more
  /// f is `fingerprint_bits` less this many quarters of a bit, 0 to 3. More than 0 only if semi-sorted, with 6 to 24
  /// bits.
  std::uint32_t spared_quarters = 0;
  /// r, how many times the table may still double. A slot holds r bits above its fingerprint, and each doubling uses up
  /// one (see detail/entries/location.h). All bits of a slot together are at most 32, and m 2^r is at most 2^32.
  std::uint32_t reserved_bits = 0;
  /// Bits of the value that a slot holds besides its fingerprint, such as a period (see detail/table/entry.h). 0 for a
  /// `Filter`.
  std::uint32_t value_bits = 0;
  Addressing addressing = Addressing::reflect;
  HashAlgorithm hash = HashAlgorithm::xxh64;
  std::uint64_t seed = 0;  ///< of XXH64; 0 for SipHash-1-3
  Tuning tuning;           ///< what makes no difference to any answer
  bool operator==(const Params&) const = default;
};

/// Slots of the table, m b.
inline std::uint64_t slot_count(const Params& params) { return params.bucket_count * params.bucket_size; }

/// m 2^r, the number of buckets once every reserved bit is used up. Candidate buckets are chosen among these.
inline std::uint64_t grown_bucket_count(const Params& params) { return params.bucket_count << params.reserved_bits; }

/// Number of keys that fit before the table doubles: its share of the capacity, or half of its slots if that is more,
/// so that no table doubles while it is emptier. The whole capacity if the table does not double.
inline std::uint64_t present_capacity(const Params& params) {
  if (params.reserved_bits == 0) return params.capacity;
  return std::max(params.capacity >> params.reserved_bits, (slot_count(params) + 1) / 2);
}

/// The parameters once every reserved bit is used up.
inline Params grown(Params params) {
  params.bucket_count = grown_bucket_count(params);
  params.reserved_bits = 0;
  return params;
}

/// f, bits of a fingerprint, to a quarter of a bit. A semi-sorted slot takes f - 1 bits, and those of its value.
inline double fingerprint_width(const Params& params) { return params.fingerprint_bits - params.spared_quarters / 4.0; }

namespace detail {

/// Bits of an entry: its fingerprint and its payload, which is the reserved bits and the value. A plain slot takes as
/// many, a semi-sorted one fewer.
inline std::uint32_t entry_bits(const Params& params) {
  return params.fingerprint_bits + params.reserved_bits + params.value_bits;
}

/// The parameters after one doubling. Requires a reserved bit.
inline Params doubled(Params params) {
  assert(params.reserved_bits > 0);
  params.bucket_count *= 2;
  --params.reserved_bits;
  return params;
}

/// The parameters from which `doubled` makes these. Requires an even number of buckets, and a slot of fewer than 32
/// bits.
inline Params halved(Params params) {
  assert(params.bucket_count % 2 == 0 && entry_bits(params) < kMaxFingerprintBits);
  params.bucket_count /= 2;
  ++params.reserved_bits;
  return params;
}

/// The fewest buckets that a table with these parameters may have begun with. A table that can no longer grow may never
/// have grown.
inline std::uint64_t least_bucket_count(const Params& params) {
  if (params.reserved_bits == 0) return params.bucket_count;
  const auto evens = static_cast<std::uint32_t>(std::countr_zero(params.bucket_count));
  return params.bucket_count >> std::min(evens, kMaxFingerprintBits - entry_bits(params));
}

/// How many values the low part of a semi-sorted fingerprint has: 16 (4 bits) if no quarter is spared, else the most
/// whose sorted quadruples fit in 15, 14 or 13 bits. n values have C(n + 3, 4) sorted quadruples (Fan et al. 2014,
/// section 5.2, for 16 values and 12 bits).
inline std::uint32_t low_values(std::uint32_t spared_quarters) {
  constexpr std::uint32_t kValues[] = {16, 28, 23, 19};
  assert(spared_quarters < 4);
  return kValues[spared_quarters];
}

/// F, the number of different fingerprints, including 0: 2^f, or with spared quarters 0.99 to 1.04 times as many.
inline std::uint64_t fingerprint_count(const Params& params) {
  if (params.spared_quarters == 0) return std::uint64_t{1} << params.fingerprint_bits;
  return std::uint64_t{low_values(params.spared_quarters)} << (params.fingerprint_bits - 5);
}

/// Bits of a bucket: those of its slots; semi-sorted, one less per slot, and a quarter less for each spared quarter.
inline std::uint64_t bucket_bits(const Params& params) {
  if (params.storage == Storage::plain) return std::uint64_t{params.bucket_size} * entry_bits(params);
  return 4 * (entry_bits(params) - 1) - params.spared_quarters;
}

/// True if `bits` bits that start at any multiple of `stride` always end within 8 bytes of the byte in which they
/// start, so that one read of a word gets them. `stride` is at least 1. The worst start is decided by the largest power
/// of two that divides it.
inline bool lie_in_a_word(std::uint64_t bits, std::uint64_t stride) {
  assert(stride >= 1);
  const std::uint64_t step = (stride | 8) & (0 - (stride | 8));
  return bits + 8 - step <= 64;
}

/// How many low bits of each entry a semi-sorted bucket codes together; 0 for a plain bucket.
inline std::uint32_t low_bits(const Params& params) {
  if (params.storage == Storage::plain) return 0;
  return params.spared_quarters == 0 ? 4 : 5;
}

/// Bits of the code of the low parts, with which a semi-sorted bucket begins. The lanes follow, with the rest of each
/// slot.
inline std::uint32_t code_bits(const Params& params) {
  if (params.storage == Storage::plain) return 0;
  return params.spared_quarters == 0 ? 12 : 16 - params.spared_quarters;
}

/// Whether one read of a word gets a whole bucket, wherever it lies. If not, operations take longer.
inline bool has_one_word(const Params& params) { return lie_in_a_word(bucket_bits(params), bucket_bits(params)); }

/// How many lanes one read of a word gets: the first ones, or as many after those, wherever the bucket lies.
inline std::uint32_t lanes_per_group(const Params& params) {
  const std::uint32_t lane_bits = entry_bits(params) - low_bits(params);
  std::uint64_t lanes = params.bucket_size;
  while (!lie_in_a_word(lanes * lane_bits, bucket_bits(params) | code_bits(params) | lanes * lane_bits)) --lanes;
  return static_cast<std::uint32_t>(lanes);
}

/// How many reads of a word get all lanes of a bucket.
inline std::uint32_t groups_per_bucket(const Params& params) {
  const std::uint32_t lanes = lanes_per_group(params);
  return (params.bucket_size + lanes - 1) / lanes;
}

}  // namespace detail

/// Bytes of the table, the bits of its buckets rounded up.
inline std::uint64_t table_bytes(const Params& params) {
  return (params.bucket_count * detail::bucket_bits(params) + 7) / 8;
}

/// The first parameter that is out of its range, or `Field::none`.
inline Field invalid_field(const Params& params) {
  if (params.storage > Storage::semi_sorted) return Field::semi_sort;
  if (params.addressing > Addressing::xor_power_of_two) return Field::addressing;
  if (params.hash < HashAlgorithm::xxh64 || params.hash > HashAlgorithm::siphash_1_3) return Field::hash;
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
  const std::uint32_t payload_bits = kMaxFingerprintBits - params.fingerprint_bits;
  if (params.value_bits > payload_bits) return Field::fingerprint_bits;
  if (params.bucket_count < 1 || params.bucket_count > kMaxBucketCount) return Field::bucket_count;
  if (params.addressing == Addressing::xor_power_of_two && !std::has_single_bit(params.bucket_count)) {
    return Field::bucket_count;
  }
  if (params.reserved_bits > payload_bits - params.value_bits || grown_bucket_count(params) > kMaxBucketCount) {
    return Field::max_capacity;
  }
  if (params.capacity < 1 || params.capacity > std::min(slot_count(grown(params)), kMaxCapacity)) {
    return Field::capacity;
  }
  return params.hash == HashAlgorithm::siphash_1_3 && params.seed != 0 ? Field::seed : Field::none;
}

}  // namespace cuckoo
