// One bucket in bytes that are no table, read and written slot by slot.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cuckoo/detail/bits.h"
#include "cuckoo/detail/table/bucket.h"

namespace cuckoo::testing {

/// The entries of the bucket at bit `position`.
inline detail::Slots read_bucket(const detail::BucketLayout& layout, const std::uint8_t* bytes,
                                 std::uint64_t position) {
  detail::Slots slots{};
  std::uint32_t low_parts =
      layout.is_semi_sorted() ? layout.codes->decode(detail::get_bits(bytes, position, layout.code_bits)) : 0;
  position += layout.code_bits;
  for (std::uint32_t slot = 0; slot < layout.bucket_size; ++slot, position += layout.lane_bits, low_parts >>= 5) {
    slots[slot] = detail::get_bits(bytes, position, layout.lane_bits) << layout.low_bits | (low_parts & 31);
  }
  return slots;
}

/// Writes these entries, which ascend in the layout's `order` if it is semi-sorted.
inline void write_bucket(const detail::BucketLayout& layout, std::uint8_t* bytes, std::uint64_t position,
                         const detail::Slots& slots) {
  if (layout.is_semi_sorted()) {
    detail::set_bits(bytes, position, layout.code_bits, detail::code_of(layout, slots));
    position += layout.code_bits;
  }
  for (std::uint32_t slot = 0; slot < layout.bucket_size; ++slot, position += layout.lane_bits) {
    detail::set_bits(bytes, position, layout.lane_bits, slots[slot] >> layout.low_bits);
  }
}

/// How many slots of the bucket hold `entry` (0: are empty).
inline std::uint32_t count_in_bucket(const detail::BucketLayout& layout, const std::uint8_t* bytes,
                                     std::uint64_t position, std::uint32_t entry) {
  const detail::Slots slots = read_bucket(layout, bytes, position);
  return static_cast<std::uint32_t>(std::count(slots.begin(), slots.begin() + layout.bucket_size, entry));
}

}  // namespace cuckoo::testing
