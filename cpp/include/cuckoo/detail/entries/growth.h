// SPDX-License-Identifier: MIT
// When a table may double, and what the slots of a bucket become when it does. Invariant: an entry of bucket j goes to
// bucket 2 j + h, where h is its highest reserved bit, which it then loses. So every entry is again in one of its
// candidate buckets, no bucket gets more entries than it has slots, and nothing has to move further.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

#include "cuckoo/detail/table/bucket.h"
#include "cuckoo/params.h"

namespace cuckoo::detail {

/// `entry` without its highest reserved bit, which is bit `top`: the bits above it move down.
inline std::uint32_t of_half(std::uint32_t entry, std::uint32_t top) {
  assert(top < 32);
  const std::uint32_t from_top = entry >> top;  // with the value above it
  return (entry & ((1u << top) - 1)) | from_top >> 1 << top;
}

/// The opposite: `entry` with the bit `top` inserted, which says which `half` of a bucket it comes from.
inline std::uint32_t of_whole(std::uint32_t entry, std::uint32_t top, std::uint64_t half) {
  assert(top < 32 && half <= 1);
  const std::uint64_t below = entry & ((std::uint64_t{1} << top) - 1);
  return static_cast<std::uint32_t>(below | half << top | (entry - below) << 1);
}

/// The two buckets that a bucket with these slots becomes. In each, empty slots come first, then its entries in their
/// old order, which keeps a sorted bucket sorted.
inline std::array<Slots, 2> split(const Slots& slots, std::uint32_t bucket_size, std::uint32_t top) {
  std::array<Slots, 2> halves{};
  std::uint32_t free[2] = {bucket_size, bucket_size};
  for (std::uint32_t slot = bucket_size; slot-- > 0;) {
    // There are no branches, because the processor cannot predict which half an entry goes to. So empty slots are
    // copied too; the next entry overwrites them.
    const std::uint32_t high = slots[slot] >> top & 1;
    halves[high][free[high] - 1] = of_half(slots[slot], top);
    free[high] -= slots[slot] != 0 ? 1u : 0u;
  }
  return halves;
}

/// Whether a table with these parameters and `size` entries may double because an entry finds no room. Not if it is
/// less than a quarter full: then only keys of the same few candidate buckets find no room, and somebody may be trying
/// to make the table grow. But with one slot per bucket, tables are planned to be that empty. These may double
/// from half of their share of the keys on, up to the capacity, but never below 1 key in 64 slots, because untrusted
/// bytes may claim that a table is planned to be nearly empty.
inline bool may_double_for_room(const Params& params, std::uint64_t size) {
  const std::uint64_t slots = slot_count(params);
  if (4 * size >= slots) return true;
  const bool has_half_its_share = 2 * size >= params.capacity >> params.reserved_bits;
  return has_half_its_share && size < params.capacity && 64 * size >= slots;
}

}  // namespace cuckoo::detail
