// SPDX-License-Identifier: MIT
// Bytes to a 64-bit hash under a secret key: SipHash with a choice of rounds. Without the key nobody can compute
// hashes, or make keys that share one. Invariant: a key in pieces of any lengths has the hash of the pieces joined.
// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "cuckoo/detail/bits.h"
#include "cuckoo/hash/hash.h"

namespace cuckoo {

/// A secret key of 128 bits: bytes 0 to 7 and 8 to 15, little-endian. Without it, nobody can compute the hashes.
struct SecretKey {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool operator==(const SecretKey&) const = default;
};

namespace detail {

/// SipHash-c-d: c rounds for each 8 bytes and d at the end.
template <int kRounds, int kFinalRounds>
class SipHash {
 public:
  explicit SipHash(const SecretKey& key = {})
      : v0_(key.low ^ 0x736F6D6570736575u),  // "somepseudorandomlygeneratedbytes"
        v1_(key.high ^ 0x646F72616E646F6Du),
        v2_(key.low ^ 0x6C7967656E657261u),
        v3_(key.high ^ 0x7465646279746573u) {}

  /// Takes the next piece; linear in its length.
  void update(std::span<const std::uint8_t> piece) {
    std::size_t at = 0;
    for (; at < piece.size() && length_ % 8 != 0; ++at) {
      put(piece[at]);
      if (length_ % 8 == 0) compress(std::exchange(tail_, 0));
    }
    for (; piece.size() - at >= 8; at += 8) {
      compress(load_word(&piece[at]));
      length_ += 8;
    }
    for (; at < piece.size(); ++at) put(piece[at]);
  }

  /// The hash of all pieces so far; more may follow.
  [[nodiscard]] Hash finish() const {
    SipHash last = *this;
    last.compress(tail_ | length_ << 56);
    last.v2_ ^= 0xFF;
    last.mix(kFinalRounds);
    return Hash{last.v0_ ^ last.v1_ ^ last.v2_ ^ last.v3_};
  }

 private:
  void put(std::uint8_t byte) { tail_ |= std::uint64_t{byte} << (length_++ % 8 * 8); }

  void compress(std::uint64_t word) {
    v3_ ^= word;
    mix(kRounds);
    v0_ ^= word;
  }

  void mix(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      v0_ += v1_;
      v2_ += v3_;
      v1_ = std::rotl(v1_, 13) ^ v0_;
      v3_ = std::rotl(v3_, 16) ^ v2_;
      v0_ = std::rotl(v0_, 32) + v3_;
      v2_ += v1_;
      v1_ = std::rotl(v1_, 17) ^ v2_;
      v3_ = std::rotl(v3_, 21) ^ v0_;
      v2_ = std::rotl(v2_, 32);
    }
  }

  std::uint64_t v0_, v1_, v2_, v3_;  ///< the paper's names
  std::uint64_t tail_ = 0;           ///< the bytes after the last whole word
  std::uint64_t length_ = 0;         ///< of all pieces so far
};

}  // namespace detail

}  // namespace cuckoo
