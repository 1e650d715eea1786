// A table becomes one of twice as many buckets by one reserved bit of each slot, without any key.
// Invariant: what lies in bucket j goes to bucket 2 j + its highest reserved bit, which it then no longer holds; so
// every fingerprint lies in one of its homes again, no bucket gets more than it has slots, and nothing is moved
// further.
#pragma once

#include "cuckoo/table.h"

namespace cuckoo {

/// The slots of the bucket that `high` (0 or `highest`, a slot's highest bit) leads to from a bucket with these
/// `slots`: empty ones first, then those that belong there in their order, which keeps a sorted bucket sorted.
inline Slots split_half(const Slots& slots, std::uint32_t bucket_size, std::uint32_t highest, std::uint32_t high) {
  Slots half{};
  std::uint32_t last = bucket_size;
  for (std::uint32_t slot = bucket_size; slot-- > 0;) {
    if (slots[slot] != 0 && (slots[slot] & highest) == high) half[--last] = slots[slot] & ~highest;
  }
  return half;
}

/// Fills `to`, the empty table for `doubled(params)`, with what `from`, for `params`, holds. Linear in the table's
/// size.
inline void split_buckets(const Table& from, const Params& params, Table& to) {
  const std::uint32_t highest = 1u << (slot_bits(params) - 1);
  for (std::uint64_t bucket = 0; bucket < from.bucket_count(); ++bucket) {
    const Slots slots = from.read(bucket);
    to.write(2 * bucket, split_half(slots, params.bucket_size, highest, 0));
    to.write(2 * bucket + 1, split_half(slots, params.bucket_size, highest, highest));
  }
}

}  // namespace cuckoo
