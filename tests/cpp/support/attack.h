// Keys made against XXH64: integers whose hash is chosen, and texts with one hash under every seed.
// Invariant: no search; each key costs a dozen multiplications. XXH64's steps for 8 bytes are all invertible, as its
// factors are odd; and a difference of the highest bit passes through additions and odd factors unchanged.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "cuckoo/detail/bits.h"
#include "cuckoo/detail/entries/location.h"

namespace cuckoo::testing {

using namespace detail;

namespace xxh64 {

inline constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87u, kPrime2 = 0xC2B2AE3D27D4EB4Fu,
                               kPrime3 = 0x165667B19E3779F9u, kPrime4 = 0x85EBCA77C2B2AE63u,
                               kPrime5 = 0x27D4EB2F165667C5u;

/// 1 / odd modulo 2^64: Newton's iteration doubles the bits that are right, 3 at first.
inline constexpr std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t x = odd;
  for (int bits = 3; bits < 64; bits *= 2) x *= 2 - odd * x;
  return x;
}

}  // namespace xxh64

/// The integer key whose XXH64 under `seed` is `hash`: the steps of XXH64 for 8 bytes, backwards.
inline std::uint64_t key_with_hash(std::uint64_t hash, std::uint64_t seed) {
  using namespace xxh64;
  hash ^= hash >> 32;
  hash *= inverse(kPrime3);
  hash ^= hash >> 29 ^ hash >> 58;
  hash *= inverse(kPrime2);
  hash ^= hash >> 33;
  hash = std::rotr((hash - kPrime4) * inverse(kPrime1), 27) ^ (seed + kPrime5 + 8);
  return std::rotr(hash * inverse(kPrime1), 31) * inverse(kPrime2);
}

/// `count` different integer keys with the fingerprint and both candidate buckets of `target` in a filter with these
/// parameters, made from its seed.
inline std::vector<std::uint64_t> keys_that_share(Hash target, const Params& params, std::size_t count) {
  // The next hash with this fingerprint: its low bits are the fingerprint, or, with spared quarters, their share of
  // 2^32.
  const std::uint64_t step = params.spared_quarters == 0 ? std::uint64_t{1} << params.fingerprint_bits : 1;
  const Location wanted = locate(target, params);
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; keys.size() < count; ++i) {
    const std::uint64_t steps = i % 2 == 0 ? i / 2 : 0 - (i + 1) / 2;  // 0, -1, 1, -2, 2, ...
    const std::uint64_t hash = static_cast<std::uint64_t>(target) + steps * step;
    const Location at = locate(Hash{hash}, params);
    if (at.primary.entry != wanted.primary.entry || at.primary.bucket != wanted.primary.bucket) continue;
    keys.push_back(key_with_hash(hash, params.seed));
  }
  return keys;
}

/// 81 keys of 64 bytes of which 16 have one hash, whatever the seed. A lane takes two words, one after the other:
/// adding 2^63 to the first turns one bit of the lane, 2^30, up or down, as the seed wills; the second word takes it
/// back if it goes the other way. So of three pairs of words, two leave the lane as it was: two of three in each of
/// four lanes.
inline std::vector<std::array<std::uint64_t, 8>> keys_for_any_seed() {
  using namespace xxh64;
  constexpr std::uint64_t kTurned = (kPrime1 << 30) * inverse(kPrime2);
  std::vector<std::array<std::uint64_t, 8>> keys;
  for (int choice = 0; choice < 81; ++choice) {
    std::array<std::uint64_t, 8> key{};
    for (int lane = 0, rest = choice; lane < 4; ++lane, rest /= 3) {
      if (rest % 3 == 0) continue;
      key[lane] = little_endian(std::uint64_t{1} << 63);
      key[lane + 4] = little_endian(rest % 3 == 1 ? kTurned : 0 - kTurned);
    }
    keys.push_back(key);
  }
  return keys;
}

}  // namespace cuckoo::testing
