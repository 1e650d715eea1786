// SPDX-License-Identifier: MIT
// Buckets of one word each, read one atomic load at a time: what the rules of kicking, of alike entries and of the
// false positive rate ask of buckets. Invariant: it writes nothing; and a bucket is never torn.
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

/// The buckets of a shared table.
template <class Machine>
class SharedBuckets {
 public:
  SharedBuckets(const BucketLayout& layout, const std::uint64_t* words) : layout_(layout), words_(words) {}

  [[nodiscard]] const BucketLayout& layout() const { return layout_; }
  [[nodiscard]] std::uint64_t load(std::uint64_t bucket) const { return Machine::load(words_[bucket]); }
  [[nodiscard]] Slots read(std::uint64_t bucket) const { return entries_in(layout_, load(bucket)); }
  /// The slots of `bucket`, a bit each, that hold `entry`.
  [[nodiscard]] std::uint32_t alike(std::uint64_t bucket, std::uint32_t entry) const {
    return slots_of(layout_, matches(bucket, entry));
  }
  [[nodiscard]] std::uint32_t count(std::uint64_t bucket, std::uint32_t entry) const {
    return static_cast<std::uint32_t>(std::popcount(matches(bucket, entry)));
  }
  [[nodiscard]] bool has_room(std::uint64_t bucket) const { return any_matching_lane(layout_, load(bucket), 0) != 0; }

 private:
  [[nodiscard]] std::uint64_t matches(std::uint64_t bucket, std::uint32_t entry) const {
    return zero_lanes(layout_, load(bucket) ^ entry * layout_.ones, layout_.high);
  }

  const BucketLayout& layout_;
  const std::uint64_t* words_;
};

}  // namespace cuckoo::detail
