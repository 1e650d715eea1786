// SPDX-License-Identifier: MIT
// Words and bits in bytes, little-endian on every machine: the same operations give the same bytes everywhere.
// Invariant: memory is read and written by copying, never through a cast pointer. Reads touch up to 9 bytes from the
// byte with the first bit on, and writes touch 8.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>

namespace cuckoo::detail {

/// `value` with its bytes in little-endian order, whatever the machine's own order is.
inline std::uint64_t little_endian(std::uint64_t value) {
  if constexpr (std::endian::native == std::endian::big) return __builtin_bswap64(value);
  return value;
}

/// The 8 bytes from `bytes` on as a number.
inline std::uint64_t load_word(const std::uint8_t* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return little_endian(word);
}

/// The 4 bytes from `bytes` on as a number.
inline std::uint64_t load_half_word(const std::uint8_t* bytes) {
  std::uint32_t half;
  std::memcpy(&half, bytes, sizeof half);
  if constexpr (std::endian::native == std::endian::big) return __builtin_bswap32(half);
  return half;
}

/// Writes `word` to the 8 bytes from `bytes` on.
inline void store_word(std::uint8_t* bytes, std::uint64_t word) {
  word = little_endian(word);
  std::memcpy(bytes, &word, sizeof word);
}

/// The 64 bits that start at bit `position`, which need not be a multiple of 8.
inline std::uint64_t load_bits(const std::uint8_t* bytes, std::uint64_t position) {
  const std::uint8_t* first = bytes + (position >> 3);
  const unsigned shift = position & 7;
  // Shifted in two steps, as a shift by 64 (where `shift` is 0) is undefined.
  return (load_word(first) >> shift) | ((std::uint64_t{first[8]} << 1) << (63 - shift));
}

/// The `bits` bits, up to 32, that start at bit `position`.
inline std::uint32_t get_bits(const std::uint8_t* bytes, std::uint64_t position, std::uint32_t bits) {
  assert(bits >= 1 && bits <= 32);
  const std::uint64_t word = load_word(bytes + (position >> 3)) >> (position & 7);
  return static_cast<std::uint32_t>(word & (~std::uint64_t{0} >> (64 - bits)));
}

/// So many bits lie within 8 bytes, wherever they start.
inline constexpr std::uint32_t kWritableBits = 57;

/// Writes `value` into the `bits` bits from bit `position` on, which must end within 8 bytes. No other bit changes.
inline void set_bits(std::uint8_t* bytes, std::uint64_t position, std::uint32_t bits, std::uint64_t value) {
  std::uint8_t* first = bytes + (position >> 3);
  const unsigned shift = position & 7;
  assert(shift + bits <= 64 && value >> 1 >> (bits - 1) == 0);
  const std::uint64_t cleared = load_word(first) & ~((~std::uint64_t{0} >> (64 - bits)) << shift);
  store_word(first, cleared | (value << shift));
}

}  // namespace cuckoo::detail
