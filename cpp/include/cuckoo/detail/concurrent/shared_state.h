// SPDX-License-Identifier: MIT
// What a shared filter (a `ConcurrentFilter`) keeps beside its table: what it is made of, the lock of those who move
// entries, counts, and the versions by which a reader learns that an entry has moved under its eyes.
// Invariant: it holds no address, so it may lie anywhere, in memory that processes share as well; and what changes
// after `magic` is written, changes by atomic operations alone.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

#include "cuckoo/concurrent/word_plan.h"
#include "cuckoo/hash/hasher.h"
#include "cuckoo/params.h"

namespace cuckoo::detail {

inline constexpr std::uint64_t kCacheLine = 64;
/// Versions. An entry has that of its lowest bits, whichever of its buckets it lies in; so its reader and its mover
/// meet, and with some hundred thousand moves a second hardly anybody else.
inline constexpr std::uint32_t kVersions = 1024;
/// Counts that inserts of different threads add to, so that they do not wait for each other.
inline constexpr std::uint32_t kCounts = 64;

/// One word in a cache line of its own.
struct alignas(kCacheLine) PaddedWord {
  std::uint64_t word = 0;
};

/// The head of a shared filter's memory; the buckets follow.
struct SharedState {
  /// What `magic` is once everything else is written.
  static constexpr std::uint64_t kMagic = 0x0001'7372'6F63'6B63;

  std::uint64_t magic = 0;
  Params params;
  Hasher hasher;
  PaddedWord lock;
  PaddedWord kicks;         ///< counts up before an entry that was moved leaves its old bucket
  PaddedWord alike_erases;  ///< counts up before an entry is erased whose other bucket holds one alike to it
  std::array<PaddedWord, kCounts> sizes;
  std::array<std::uint64_t, kVersions> versions{};
};
static_assert(std::is_trivially_copyable_v<SharedState> && sizeof(SharedState) % kCacheLine == 0);

/// The head of the filter in this memory, and its buckets.
inline SharedState& state_in(std::byte* memory) {
  assert(reinterpret_cast<std::uintptr_t>(memory) % kCacheLine == 0);
  return *reinterpret_cast<SharedState*>(memory);
}
inline std::uint64_t* words_in(std::byte* memory) {
  return reinterpret_cast<std::uint64_t*>(memory + sizeof(SharedState));
}
/// Makes an empty filter in this memory, which `is_zero` or holds anything. Its magic is written last.
template <class Machine>
void begin_in(std::byte* memory, const Params& params, const Hasher& hasher, bool is_zero) {
  auto* state = new (memory) SharedState;
  state->params = params;
  state->hasher = hasher;
  if (!is_zero) std::memset(words_in(memory), 0, static_cast<std::size_t>(shared_table_bytes(params)));
  Machine::add(state->magic, SharedState::kMagic);
}

}  // namespace cuckoo::detail
