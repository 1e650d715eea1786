// SPDX-License-Identifier: MIT
// Functions on a plain bucket that is one word. Invariant: they know nothing of other threads: they take a word that
// was read at once, and give one to be written at once.
#pragma once

#include <bit>
#include <cstdint>

#include "cuckoo/detail/table/bucket.h"
#include "cuckoo/detail/table/bucket_layout.h"

namespace cuckoo::detail {

/// The lane of the first slot of the bucket `word` that holds `entry` (0: is empty), or b.
inline std::uint32_t first_lane(const BucketLayout& layout, std::uint64_t word, std::uint32_t entry) {
  const std::uint64_t lanes = any_matching_lane(layout, word, entry);
  return lanes == 0 ? layout.bucket_size : layout.lane_of(lanes);
}

/// The bucket `word` with `entry` in this lane.
inline std::uint64_t with_lane(const BucketLayout& layout, std::uint64_t word, std::uint32_t lane,
                               std::uint32_t entry) {
  const std::uint32_t shift = lane * layout.lane_bits;
  return (word & ~(layout.lane_mask << shift)) | std::uint64_t{entry} << shift;
}

/// The bucket `word` with `entry` in its first empty slot; as it is if it has none.
inline std::uint64_t with_one_more(const BucketLayout& layout, std::uint64_t word, std::uint32_t entry) {
  const std::uint64_t empty = any_matching_lane(layout, word, 0);
  if (empty == 0) return word;
  return word | std::uint64_t{entry} << (static_cast<std::uint32_t>(std::countr_zero(empty)) + 1 - layout.lane_bits);
}

/// The entries of the bucket `word`.
inline Slots entries_in(const BucketLayout& layout, std::uint64_t word) {
  Slots slots{};
  for (std::uint32_t slot = 0; slot < layout.bucket_size; ++slot, word >>= layout.lane_bits) {
    slots[slot] = static_cast<std::uint32_t>(word & layout.lane_mask);
  }
  return slots;
}

}  // namespace cuckoo::detail
