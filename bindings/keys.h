// Keys in the scratch buffer and what becomes of them there: hashes, and answers.
// Invariant: no rule about hashes stands here; the core hashes, and these functions say from where and to where.
#pragma once

#include "cuckoo/filters/filter.h"
#include "cuckoo/hash/hasher.h"
#include "scratch.h"

namespace keys {

using namespace cuckoo;

/// In place of a length: the key came in pieces, and `long_key` has hashed it.
inline constexpr std::size_t kLongKey = static_cast<std::size_t>(-1);
inline PER_THREAD Hasher::Streaming long_key;
/// In place of a length: the first of the words is the key's hash.
inline constexpr std::size_t kHashedKey = static_cast<std::size_t>(-2);

/// In place of a length: the key is a number, which is given beside it.
inline constexpr std::size_t kNumberKey = static_cast<std::size_t>(-3);

/// The hash of the key that is `length` bytes long, or is the integer `number`.
inline Hash hash(const Hasher& hasher, std::size_t length, double number) {
  if (length < kNumberKey) [[likely]]
    return hasher(scratch_bytes(length));
  if (length == kNumberKey) return hasher(static_cast<std::int64_t>(number));
  return length == kLongKey ? long_key.finish() : Hash{scratch.words[0]};
}
inline std::span<const Hash> hashes(std::size_t count) { return {reinterpret_cast<const Hash*>(scratch.words), count}; }
inline std::span<std::uint8_t> answers(std::size_t count) { return {scratch.answers, count}; }
/// One per key of a batch.
inline std::span<std::uint32_t> values(std::size_t count) { return {scratch.numbers, count}; }
inline void put(std::size_t at, Hash hash) { scratch.words[at] = static_cast<std::uint64_t>(hash); }

/// How many keys were done; the answer of the first that was not says why.
inline std::size_t report(BatchOutcome batch, std::size_t count) {
  if (batch.done < count) scratch.answers[batch.done] = static_cast<std::uint8_t>(batch.outcome);
  return batch.done;
}

/// Integer keys in the words become their hashes.
inline void hash_words(const Hasher& hasher, std::size_t count) {
  hasher.with([=](const auto& hash) {
    for (std::size_t i = 0; i < count; ++i) put(i, hash(scratch.words[i]));
  });
}
/// The hashes of the keys in the bytes, each up to its end, become the words.
inline void hash_keys(const Hasher& hasher, std::size_t count) {
  hasher.with([=](const auto& hash) {
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i < count; begin = scratch.numbers[i++]) {
      put(i, hash(std::span<const std::uint8_t>{scratch.bytes + begin, scratch.numbers[i] - begin}));
    }
  });
}

}  // namespace keys
