// Pure functions on the bits of one bucket: find, count, get, set. A bucket is b slots of f bits each, packed
// without gaps, starting at any bit. Invariant: every (b, f) takes the same path, which compares as many
// slots at once as fit in 64 bits. Reads touch up to 9 bytes past the last slot's first, so tables end in
// padding. Source of the zero-lane test: Henry S. Warren, Hacker's Delight, section 6-1.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "cuckoo/hash.h"

namespace cuckoo {

/// Bytes that must follow the last slot, so that wide reads and writes stay inside the table.
inline constexpr std::uint64_t kTablePadding = 16;

/// How the slots of one bucket lie in its bits, with the masks that compare a word of them at once.
struct BucketLayout {
  std::uint32_t bucket_size = 0;       ///< b, slots in a bucket
  std::uint32_t fingerprint_bits = 0;  ///< f, bits in a slot
  std::uint32_t lanes = 0;             ///< slots compared at once: as many as fit in 64 bits
  std::uint64_t ones = 0;              ///< lowest bit of every lane
  std::uint64_t high = 0;              ///< highest bit of every lane
  std::uint64_t last_high = 0;         ///< highest bit of every lane of a bucket's last word
  std::uint64_t bucket_bits = 0;       ///< b f, bits of one bucket
  bool is_one_word = false;            ///< a bucket lies in 64 bits from the byte it starts in, wherever that is

  BucketLayout() = default;
  BucketLayout(std::uint32_t slots, std::uint32_t bits) : bucket_size(slots), fingerprint_bits(bits) {
    lanes = 64 / bits < slots ? 64 / bits : slots;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) ones |= std::uint64_t{1} << (lane * bits);
    high = ones << (bits - 1);
    const std::uint32_t rest = slots % lanes == 0 ? lanes : slots % lanes;
    last_high = high & (~std::uint64_t{0} >> (64 - rest * bits));
    bucket_bits = std::uint64_t{slots} * bits;
    // Buckets start at multiples of gcd(b f, 8) bits within a byte.
    is_one_word = bucket_bits + 8 - std::gcd(bucket_bits, std::uint64_t{8}) <= 64;
  }

  /// All ones in the width of a fingerprint.
  [[nodiscard]] std::uint64_t fingerprint_mask() const { return ~std::uint64_t{0} >> (64 - fingerprint_bits); }
};

inline std::uint64_t load_word(const std::uint8_t* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return little_endian(word);
}

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

/// The highest bit of each lane of `word` that equals `fingerprint`; other bits are 0.
/// Exact in every lane, as no carry leaves a lane: (x & low) + low sets a lane's top bit iff x & low != 0.
inline std::uint64_t matching_lanes(const BucketLayout& layout, std::uint64_t word, std::uint64_t fingerprint,
                                    std::uint64_t high) {
  const std::uint64_t difference = word ^ (fingerprint * layout.ones);
  const std::uint64_t low = layout.high - layout.ones;
  return ~(((difference & low) + low) | difference) & high;
}

/// Calls `visit(first slot of the word, lanes that match)` for each word of the bucket at bit `position`,
/// until it returns false.
template <class Visit>
void visit_matches(const BucketLayout& layout, const std::uint8_t* bytes, std::uint64_t position,
                   std::uint64_t fingerprint, Visit visit) {
  for (std::uint32_t slot = 0; slot < layout.bucket_size; slot += layout.lanes) {
    const bool is_last = slot + layout.lanes >= layout.bucket_size;
    const std::uint64_t word = load_bits(bytes, position + std::uint64_t{slot} * layout.fingerprint_bits);
    if (!visit(slot, matching_lanes(layout, word, fingerprint, is_last ? layout.last_high : layout.high))) return;
  }
}

/// The slots of the bucket at bit `position` from the lowest bit on, where the layout's `is_one_word` is true.
inline std::uint64_t load_bucket_word(const std::uint8_t* bytes, std::uint64_t position) {
  return load_word(bytes + (position >> 3)) >> (position & 7);
}

/// True if a slot of the bucket at bit `position` holds `fingerprint`; 0 asks for an empty slot.
/// Where a bucket is one word, as for most planned sizes, one read does instead of a loop over words: lookups in a
/// table of 8 MB, b = 4, f = 13, take 0.4 of the time.
inline bool bucket_contains(const BucketLayout& layout, const std::uint8_t* bytes, std::uint64_t position,
                            std::uint64_t fingerprint) {
  if (layout.is_one_word) {
    return matching_lanes(layout, load_bucket_word(bytes, position), fingerprint, layout.high) != 0;
  }
  std::uint64_t found = 0;
  visit_matches(layout, bytes, position, fingerprint, [&](std::uint32_t, std::uint64_t lanes) {
    found |= lanes;
    return true;
  });
  return found != 0;
}

/// The first slot that holds `fingerprint`, or `bucket_size` if none does; 0 asks for an empty slot.
inline std::uint32_t bucket_find(const BucketLayout& layout, const std::uint8_t* bytes, std::uint64_t position,
                                 std::uint64_t fingerprint) {
  std::uint32_t found = layout.bucket_size;
  visit_matches(layout, bytes, position, fingerprint, [&](std::uint32_t slot, std::uint64_t lanes) {
    if (lanes == 0) return true;
    found = slot + static_cast<std::uint32_t>(std::countr_zero(lanes)) / layout.fingerprint_bits;
    return false;
  });
  return found;
}

/// How many slots hold `fingerprint`; 0 counts the empty ones.
inline std::uint32_t bucket_count_of(const BucketLayout& layout, const std::uint8_t* bytes, std::uint64_t position,
                                     std::uint64_t fingerprint) {
  std::uint32_t count = 0;
  visit_matches(layout, bytes, position, fingerprint, [&](std::uint32_t, std::uint64_t lanes) {
    count += static_cast<std::uint32_t>(std::popcount(lanes));
    return true;
  });
  return count;
}

/// The fingerprint in the slot that starts at bit `position`.
inline std::uint32_t slot_get(const BucketLayout& layout, const std::uint8_t* bytes, std::uint64_t position) {
  const std::uint64_t word = load_word(bytes + (position >> 3)) >> (position & 7);
  return static_cast<std::uint32_t>(word & layout.fingerprint_mask());
}

/// Writes `fingerprint` into the slot that starts at bit `position`; no other bit changes.
inline void slot_set(const BucketLayout& layout, std::uint8_t* bytes, std::uint64_t position,
                     std::uint32_t fingerprint) {
  std::uint8_t* first = bytes + (position >> 3);
  const unsigned shift = position & 7;
  const std::uint64_t cleared = load_word(first) & ~(layout.fingerprint_mask() << shift);
  store_word(first, cleared | (std::uint64_t{fingerprint} << shift));
}

}  // namespace cuckoo
