// SPDX-License-Identifier: MIT
// XXH64, a hash of 64 bits under a seed. Invariant: the hash depends only on the bytes and the seed, so a filter saved
// on one machine answers the same on every other; bytes given in pieces of any lengths have the hash of the joined
// pieces. Source: the xxHash specification, version 0.2.0,
// https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "cuckoo/detail/bits.h"
#include "cuckoo/hash/hash.h"

namespace cuckoo::detail {

namespace xxh {

inline constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87u;
inline constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4Fu;
inline constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9u;
inline constexpr std::uint64_t kPrime4 = 0x85EBCA77C2B2AE63u;
inline constexpr std::uint64_t kPrime5 = 0x27D4EB2F165667C5u;
inline constexpr std::size_t kStripe = 32;  ///< bytes that the four lanes take at once

inline std::uint64_t round(std::uint64_t lane, std::uint64_t input) {
  return std::rotl(lane + input * kPrime2, 31) * kPrime1;
}

/// Takes 8 bytes after the last whole stripe.
inline std::uint64_t add_word(std::uint64_t hash, std::uint64_t word) {
  return std::rotl(hash ^ round(0, word), 27) * kPrime1 + kPrime4;
}

inline std::uint64_t avalanche(std::uint64_t hash) {
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

/// The four lanes that stripes go into, a word each.
struct Lanes {
  std::uint64_t a, b, c, d;

  explicit Lanes(std::uint64_t seed) : a(seed + kPrime1 + kPrime2), b(seed + kPrime2), c(seed), d(seed - kPrime1) {}

  /// Takes the whole stripes at `bytes`; returns where they end.
  const std::uint8_t* take(const std::uint8_t* bytes, std::size_t length) {
    for (; length >= kStripe; length -= kStripe, bytes += kStripe) {
      a = round(a, load_word(bytes));
      b = round(b, load_word(bytes + 8));
      c = round(c, load_word(bytes + 16));
      d = round(d, load_word(bytes + 24));
    }
    return bytes;
  }

  [[nodiscard]] std::uint64_t merged() const {
    std::uint64_t hash = std::rotl(a, 1) + std::rotl(b, 7) + std::rotl(c, 12) + std::rotl(d, 18);
    for (const std::uint64_t lane : {a, b, c, d}) hash = (hash ^ round(0, lane)) * kPrime1 + kPrime4;
    return hash;
  }
};

/// The last steps: the `length` bytes, fewer than a stripe, that no lane has taken.
inline Hash finish(std::uint64_t hash, const std::uint8_t* bytes, std::size_t length) {
  for (; length >= 8; length -= 8, bytes += 8) hash = add_word(hash, load_word(bytes));
  if (length >= 4) {
    hash = std::rotl(hash ^ (load_half_word(bytes) * kPrime1), 23) * kPrime2 + kPrime3;
    length -= 4;
    bytes += 4;
  }
  for (; length > 0; --length, ++bytes) hash = std::rotl(hash ^ (*bytes * kPrime5), 11) * kPrime1;
  return Hash{avalanche(hash)};
}

}  // namespace xxh

/// Hash of bytes. An empty span has a hash, too. Linear in the number of bytes.
inline Hash xxh64(std::span<const std::uint8_t> bytes, std::uint64_t seed) {
  const std::uint8_t* rest = bytes.data();
  std::uint64_t hash = seed + xxh::kPrime5;
  if (bytes.size() >= xxh::kStripe) {
    xxh::Lanes lanes(seed);
    rest = lanes.take(rest, bytes.size());
    hash = lanes.merged();
  }
  return xxh::finish(hash + bytes.size(), rest, bytes.size() % xxh::kStripe);
}

/// Hash of an integer, which stands for its 8 bytes, little-endian, two's complement: the steps for 8 bytes, without
/// the loops that compilers leave in the general function.
inline Hash xxh64_of_integer(std::uint64_t integer, std::uint64_t seed) {
  return Hash{xxh::avalanche(xxh::add_word(seed + xxh::kPrime5 + sizeof integer, integer))};
}

/// Hash of bytes that arrive in pieces.
class Xxh64Stream {
 public:
  explicit Xxh64Stream(std::uint64_t seed = 0) : lanes_(seed), seed_(seed) {}

  /// Takes the next piece; linear in its length.
  void update(std::span<const std::uint8_t> piece) {
    if (piece.empty()) return;
    const std::size_t waiting = length_ % sizeof stripe_;
    length_ += piece.size();
    if (waiting + piece.size() < sizeof stripe_) {
      std::memcpy(stripe_ + waiting, piece.data(), piece.size());
      return;
    }
    if (waiting > 0) {
      const std::size_t missing = sizeof stripe_ - waiting;
      std::memcpy(stripe_ + waiting, piece.data(), missing);
      lanes_.take(stripe_, sizeof stripe_);
      piece = piece.subspan(missing);
    }
    const std::uint8_t* rest = lanes_.take(piece.data(), piece.size());
    if (piece.size() % sizeof stripe_ != 0) std::memcpy(stripe_, rest, piece.size() % sizeof stripe_);
  }

  /// The hash of all pieces so far; more may follow.
  [[nodiscard]] Hash finish() const {
    const std::uint64_t hash = length_ < sizeof stripe_ ? seed_ + xxh::kPrime5 : lanes_.merged();
    return xxh::finish(hash + length_, stripe_, length_ % sizeof stripe_);
  }

 private:
  xxh::Lanes lanes_;
  std::uint64_t seed_;
  std::uint64_t length_ = 0;                ///< of all pieces so far
  std::uint8_t stripe_[xxh::kStripe] = {};  ///< bytes that no lane has taken, from its start
};

}  // namespace cuckoo::detail
