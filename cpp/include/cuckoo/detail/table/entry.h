// SPDX-License-Identifier: MIT
// An entry: what a slot holds. Invariant: only this file knows where the parts of an entry lie, from the lowest bit up:
//
//     fingerprint   f bits, `Params::fingerprint_bits`; never 0, as 0 marks an empty slot
//     reserved bits r bits, `Params::reserved_bits`: which of the buckets that this one will become holds the entry
//     value         v bits, `Params::value_bits`: what a filter keeps with a key, such as a period
//
// Reserved bits and value are the payload. Fingerprint and reserved bits decide the entry's other candidate bucket; the
// value decides nothing and just moves along.
#pragma once

#include <cassert>
#include <cstdint>

#include "cuckoo/params.h"

namespace cuckoo::detail {

// Shifts are in 64 bits, because a part may begin past the last of 32, and a shift by 32 is undefined in 32.

/// The lowest `bits` bits, 1 to 32, of `entry`.
inline std::uint32_t lowest_bits(std::uint32_t entry, std::uint32_t bits) {
  assert(bits >= 1 && bits <= 32);
  return entry & static_cast<std::uint32_t>(~std::uint64_t{0} >> (64 - bits));
}

/// The bit of an entry where its value begins.
inline std::uint32_t value_at(const Params& params) { return params.fingerprint_bits + params.reserved_bits; }

/// The fingerprint of an entry.
inline std::uint32_t fingerprint_of(std::uint32_t entry, const Params& params) {
  return lowest_bits(entry, params.fingerprint_bits);
}

/// Fingerprint and reserved bits of an entry: the parts that decide where it may be.
inline std::uint32_t without_value(std::uint32_t entry, const Params& params) {
  return lowest_bits(entry, value_at(params));
}

/// The reserved bits of an entry, as a number below 2^r.
inline std::uint32_t reserved_of(std::uint32_t entry, const Params& params) {
  return static_cast<std::uint32_t>(std::uint64_t{without_value(entry, params)} >> params.fingerprint_bits);
}

/// The value of an entry; 0 where there are no bits for one.
inline std::uint32_t value_of(std::uint32_t entry, const Params& params) {
  return static_cast<std::uint32_t>(std::uint64_t{entry} >> value_at(params));
}

/// `entry` with these reserved bits, and fingerprint and value as they are.
inline std::uint32_t with_reserved(std::uint32_t entry, std::uint64_t reserved, const Params& params) {
  assert(reserved >> params.reserved_bits == 0);
  return entry ^ static_cast<std::uint32_t>((reserved_of(entry, params) ^ reserved) << params.fingerprint_bits);
}

/// `entry` with this value, and the rest as it is. The value is below 2^v; without assertions, only its low v bits
/// count, so that no value can reach into the next slot.
inline std::uint32_t with_value(std::uint32_t entry, std::uint64_t value, const Params& params) {
  assert(value >> params.value_bits == 0);
  const std::uint64_t shifted = value << value_at(params);
  return lowest_bits(without_value(entry, params) | static_cast<std::uint32_t>(shifted), entry_bits(params));
}

}  // namespace cuckoo::detail
