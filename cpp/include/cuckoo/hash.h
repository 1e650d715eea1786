// Bytes to a 64-bit hash: XXH64 with a 64-bit seed, from the xxHash library's own header.
// Invariant: the hash depends on the bytes and the seed only, so a filter saved on one machine answers
// alike on every other. Source: the xxHash specification, https://github.com/Cyan4973/xxHash.
#pragma once

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace cuckoo {

/// 64 bits computed from a key. A type of its own, so that a hash is never taken for an integer key.
enum class Hash : std::uint64_t {};

/// The bytes whose hash under a filter's seed is saved with it, to find a wrong hash or seed at load.
inline constexpr std::string_view kHashCheckKey = "cuckoofilter";

/// `value` with its bytes in little-endian order, whatever the machine's own order is.
inline std::uint64_t little_endian(std::uint64_t value) {
  if constexpr (std::endian::native == std::endian::big) return __builtin_bswap64(value);
  return value;
}

/// Hash of a key's bytes. Zero bytes are a key like any other. Linear in the key's length.
inline Hash hash_bytes(std::span<const std::uint8_t> key, std::uint64_t seed) {
  return Hash{XXH64(key.data(), key.size(), seed)};
}

/// Hash of a text key: of its bytes as they are, without the terminating zero.
inline Hash hash_bytes(std::string_view key, std::uint64_t seed) { return Hash{XXH64(key.data(), key.size(), seed)}; }

/// Hash of an integer key, which stands for its 8 bytes, little-endian, two's complement. XXH64's steps for 8 bytes, as
/// compilers leave a call and a loop in the general function.
inline Hash hash_integer(std::uint64_t key, std::uint64_t seed) {
  const std::uint64_t hash = (seed + XXH_PRIME64_5 + sizeof key) ^ XXH64_round(0, key);
  return Hash{XXH64_avalanche(XXH_rotl64(hash, 27) * XXH_PRIME64_1 + XXH_PRIME64_4)};
}

/// Hash of a key that arrives in pieces: the same value as `hash_bytes` of the pieces joined.
class StreamingHash {
 public:
  explicit StreamingHash(std::uint64_t seed = 0) { XXH64_reset(&state_, seed); }
  /// Takes the next piece; linear in its length.
  void update(std::span<const std::uint8_t> piece) {
    if (!piece.empty()) XXH64_update(&state_, piece.data(), piece.size());
  }
  /// The hash of all pieces so far; more may follow.
  [[nodiscard]] Hash finish() const { return Hash{XXH64_digest(&state_)}; }

 private:
  XXH64_state_t state_;
};

}  // namespace cuckoo
