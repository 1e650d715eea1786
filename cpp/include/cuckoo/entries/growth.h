// SPDX-License-Identifier: MIT
// What a bucket becomes when its table doubles, and when entries are forgotten or semi-sorted: slots
// to slots. Invariant: what lies in bucket j goes to bucket 2 j + its highest reserved bit, which it then no longer
// holds; so every entry lies in one of its candidate buckets again, no bucket gets more than it has slots, and nothing
// is moved further.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "cuckoo/table/bucket.h"

namespace cuckoo::detail {

/// `entry` without its highest reserved bit, which is bit `top`: what lies above moves down.
inline std::uint32_t of_half(std::uint32_t entry, std::uint32_t top) {
  const std::uint32_t from_top = entry >> top;  // with the value above it
  return (entry & ((1u << top) - 1)) | from_top >> 1 << top;
}

/// `entry` of a half as it lies in the whole bucket, where bit `top` says which half it is.
inline std::uint32_t of_whole(std::uint32_t entry, std::uint32_t top, std::uint64_t half) {
  const std::uint64_t below = entry & ((std::uint64_t{1} << top) - 1);
  return static_cast<std::uint32_t>(below | half << top | (entry - below) << 1);
}

/// The two buckets that one with these slots becomes. Of each, empty slots come first, then those that belong there in
/// their order, which keeps a sorted bucket sorted.
inline std::array<Slots, 2> split(const Slots& slots, std::uint32_t bucket_size, std::uint32_t top) {
  std::array<Slots, 2> halves{};
  std::uint32_t free[2] = {bucket_size, bucket_size};
  for (std::uint32_t slot = bucket_size; slot-- > 0;) {
    // Without branches, as which way they go cannot be foreseen: what is empty is written too, but takes no place.
    const std::uint32_t high = slots[slot] >> top & 1;
    halves[high][free[high] - 1] = of_half(slots[slot], top);
    free[high] -= slots[slot] != 0 ? 1u : 0u;
  }
  return halves;
}

/// Takes the entries out that are `gone`. What stays moves up in its order, and empty slots come first, as in a
/// semi-sorted bucket they must. Whether there was one.
template <class Gone>
bool take_out(Slots& slots, std::uint32_t bucket_size, Gone gone) {
  std::uint32_t free = bucket_size;
  std::uint32_t used = 0;
  for (std::uint32_t slot = bucket_size; slot-- > 0;) {
    if (slots[slot] == 0) continue;
    ++used;
    if (!gone(slots[slot])) slots[--free] = slots[slot];
  }
  std::fill_n(slots.begin(), free, 0);
  return bucket_size - free != used;
}

/// The same four entries in the order of a semi-sorted bucket. No branch depends on them, as nothing predicts which of
/// two is the greater.
inline Slots semi_sorted(const BucketLayout& layout, const Slots& slots) {
  const auto order = [](std::uint64_t& low, std::uint64_t& high) {
    const std::uint64_t least = std::min(low, high);
    high = std::max(low, high);
    low = least;
  };
  std::uint64_t orders[4];
  for (std::uint32_t slot = 0; slot < 4; ++slot) orders[slot] = layout.order(slots[slot]);
  order(orders[0], orders[1]);
  order(orders[2], orders[3]);
  order(orders[0], orders[2]);
  order(orders[1], orders[3]);
  order(orders[1], orders[2]);
  Slots sorted{};
  for (std::uint32_t slot = 0; slot < 4; ++slot) {
    const std::uint64_t rest = orders[slot] & layout.lane_mask;
    sorted[slot] = static_cast<std::uint32_t>(rest << layout.low_bits | orders[slot] >> layout.lane_bits);
  }
  return sorted;
}

}  // namespace cuckoo::detail
