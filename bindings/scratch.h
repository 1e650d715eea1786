// The memory that both sides write and read, and the clock that JavaScript lends.
// Invariant: JavaScript fills a part and calls; the results of the call stay there until the next call. PER_THREAD,
// from CMakeLists.txt, is thread_local in the module whose memory threads share, and nothing elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "cuckoo/hash/hasher.h"

/// Milliseconds since some moment.
double milliseconds();

/// Keys of a batch at most.
inline constexpr std::size_t kBatch = 4096;

struct ScratchBuffer {
  std::uint64_t words[kBatch];      ///< integer keys, then in their place the hashes; or one struct of results.h
  std::uint32_t numbers[kBatch];    ///< of each key of a batch: where it ends in `bytes`, its value, or its copies
  std::uint8_t answers[kBatch];     ///< one answer per key
  std::uint8_t bytes[16 * kBatch];  ///< one key, the keys of a batch, or a piece of a saved filter
};
inline PER_THREAD ScratchBuffer scratch;

/// A secret key from the first two words, which forget it.
inline cuckoo::SecretKey scratch_secret() {
  return {std::exchange(scratch.words[0], 0), std::exchange(scratch.words[1], 0)};
}
inline std::span<const std::uint8_t> scratch_bytes(std::size_t length) { return {scratch.bytes, length}; }

/// Puts a struct of doubles where JavaScript reads it.
template <class Results>
void put_results(const Results& results) {
  static_assert(sizeof results <= sizeof scratch.words);
  std::memcpy(scratch.words, &results, sizeof results);
}
