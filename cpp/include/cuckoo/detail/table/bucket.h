// SPDX-License-Identifier: MIT
// Functions on words of a bucket with a given layout, of which detail/table/table.h is made. Invariant: they are right
// for any b and f, and compare as many lanes at once as one read of a word gets. Reads touch the 8 bytes from the byte
// of a lane's first bit on, so tables end in padding. Source of the zero-lane test: Henry S. Warren, Hacker's Delight,
// section 6-1.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <utility>

#include "cuckoo/detail/bits.h"
#include "cuckoo/detail/table/bucket_layout.h"
#include "cuckoo/detail/table/order.h"

/// Functions that many others call are out of line in WebAssembly: inserts are as fast that way, and every copy would
/// add to the download. Natively, that would slow inserts down.
#ifdef __wasm__
#define CUCKOO_ONCE_IN_WASM [[gnu::noinline]]
#else
#define CUCKOO_ONCE_IN_WASM
#endif

namespace cuckoo::detail {

/// Not 0 if a lane of `word` is 0. The lowest bit set is then the highest bit of the first such lane; the other bits
/// mean nothing, because a borrow may leave that lane. Takes three operations less than `zero_lanes`.
template <class AnyLayout>
std::uint64_t any_zero_lane(const AnyLayout& layout, std::uint64_t word) {
  return (word - layout.ones) & ~word & layout.high;
}

/// The highest bit of each lane of `word` that is 0; bits that are not in `high` are 0. Exact in every lane, because no
/// carry leaves a lane: (word & low) + low sets a lane's top bit iff word & low != 0.
inline std::uint64_t zero_lanes(const BucketLayout& layout, std::uint64_t word, std::uint64_t high) {
  const std::uint64_t low = layout.high - layout.ones;
  return ~(((word & low) + low) | word) & high;
}

/// `any_zero_lane` for the lanes that equal `lane`.
template <class AnyLayout>
std::uint64_t any_matching_lane(const AnyLayout& layout, std::uint64_t word, std::uint64_t lane) {
  return any_zero_lane(layout, word ^ (lane * layout.ones));
}

/// Whether one of two plain buckets, each a word, holds its entry. Both are always compared: the processor cannot
/// predict which one holds the entry of a key, and a wrong guess costs more than a comparison.
template <class AnyLayout>
[[gnu::always_inline]] inline bool either_holds(const AnyLayout& layout, std::uint64_t one, std::uint64_t in_one,
                                                std::uint64_t other, std::uint64_t in_other) {
  return (any_matching_lane(layout, one, in_one) | any_matching_lane(layout, other, in_other)) != 0;
}

/// The bits of the bucket at bit `position` from the lowest bit on, where the layout's `is_one_word` is true.
inline std::uint64_t load_bucket_word(const std::uint8_t* bytes, std::uint64_t position) {
  return load_word(bytes + (position >> 3)) >> (position & 7);
}

/// The code of the semi-sorted bucket in `word`.
inline std::uint32_t code_in(const BucketLayout& layout, std::uint64_t word) {
  return static_cast<std::uint32_t>(word) & layout.code_mask;
}

/// The low parts of the bucket that begins with `word`, in five bits each; 0 in a plain bucket.
inline std::uint32_t low_parts_in(const BucketLayout& layout, std::uint64_t word) {
  return layout.is_semi_sorted() ? layout.codes->decode(code_in(layout, word)) : 0;
}

/// Lanes that are 0 where both parts of a slot of a semi-sorted bucket, low part and lane, are those of an entry. The
/// narrow parts are spread to the lanes of the wide ones, so that one test compares both, without a branch: whether a
/// lane matches cannot be predicted, and a wrong guess costs more than decoding the code.
[[gnu::always_inline]] inline std::uint64_t coded_difference(const BucketLayout& layout, std::uint64_t narrow_parts,
                                                             std::uint64_t wide_parts, std::uint64_t narrow,
                                                             std::uint64_t wide) {
  const std::uint64_t lower = narrow_parts & layout.lower_parts;
  const std::uint64_t pairs = lower | (narrow_parts & layout.upper_parts) << (2 * layout.spread);
  const std::uint64_t odd = pairs & layout.odd_parts;
  return (((pairs ^ odd) | odd << layout.spread) ^ narrow * layout.ones) | (wide_parts ^ wide * layout.ones);
}
/// The same for an entry, if lanes are not narrow.
[[gnu::always_inline]] inline std::uint64_t coded_difference(const BucketLayout& layout, std::uint64_t low_parts,
                                                             std::uint64_t lanes, std::uint32_t entry) {
  return coded_difference(layout, low_parts, lanes, layout.low_part(entry), entry >> layout.low_bits);
}

/// The same in any bucket of one word.
[[gnu::always_inline]] inline std::uint64_t word_difference(const BucketLayout& layout, std::uint64_t word,
                                                            std::uint32_t entry) {
  if (!layout.is_semi_sorted()) return word ^ entry * layout.ones;
  std::uint64_t low_parts = layout.codes->decode(code_in(layout, word));
  std::uint64_t lanes = word >> layout.code_bits;
  std::uint64_t low = layout.low_part(entry);
  std::uint64_t rest = entry >> layout.low_bits;
  if (layout.has_narrow_lanes) {
    std::swap(low_parts, lanes);
    std::swap(low, rest);
  }
  return coded_difference(layout, low_parts, lanes, low, rest);
}

/// Whether the semi-sorted bucket that begins with `word` has an empty slot. If it has one, the first slot is empty.
inline bool coded_word_has_room(const BucketLayout& layout, std::uint64_t word) {
  const std::uint64_t rest = word >> layout.code_bits & layout.lane_mask;
  return rest == 0 && (layout.codes->decode(code_in(layout, word)) & 31) == 0;
}

/// The lanes of a group of the bucket at bit `position`, and the bits that follow them.
inline std::uint64_t load_lanes(const BucketLayout& layout, const std::uint8_t* bytes, std::uint64_t position,
                                std::uint32_t group) {
  return load_bucket_word(bytes, position + layout.code_bits + std::uint64_t{group} * layout.group_bits);
}

/// The slots (one bit each) of the lanes whose highest bits are given.
inline std::uint32_t slots_of(const BucketLayout& layout, std::uint64_t lanes) {
  std::uint32_t slots = 0;
  for (; lanes != 0; lanes &= lanes - 1) slots |= 1u << layout.lane_of(lanes);
  return slots;
}

/// The slots (one bit each) of the bucket at bit `position` that hold `entry`, for buckets that are not one word. Only
/// the bits of `compared` count in each lane.
CUCKOO_ONCE_IN_WASM inline std::uint32_t wide_matches(const BucketLayout& layout, const std::uint8_t* bytes,
                                                      std::uint64_t position, std::uint32_t entry,
                                                      std::uint64_t compared = ~std::uint64_t{0}) {
  std::uint64_t low_parts = low_parts_in(layout, load_bucket_word(bytes, position));
  std::uint32_t slots = 0;
  position += layout.code_bits;
  for (std::uint32_t first = 0; first < layout.bucket_size; first += layout.lanes) {
    const std::uint64_t lanes = load_bucket_word(bytes, position) & compared;
    const std::uint64_t difference =
        layout.is_semi_sorted() ? coded_difference(layout, low_parts, lanes, entry) : lanes ^ entry * layout.ones;
    const std::uint64_t high = first + layout.lanes < layout.bucket_size ? layout.high : layout.last_high;
    slots |= slots_of(layout, zero_lanes(layout, difference, high)) << first;
    position += layout.group_bits;
    low_parts >>= layout.lanes * kLowPartBits;
  }
  return slots;
}

/// Not 0 if the bucket at bit `position`, which is not one word, holds `entry`. Lookups ask no more, and take fewer
/// operations this way than with `wide_matches`.
inline std::uint64_t any_wide_match(const BucketLayout& layout, const std::uint8_t* bytes, std::uint64_t position,
                                    std::uint32_t entry) {
  std::uint64_t low_parts = low_parts_in(layout, load_bucket_word(bytes, position));
  std::uint64_t matches = 0;
  position += layout.code_bits;
  for (std::uint32_t group = 0; group < layout.groups; ++group) {
    const std::uint64_t lanes = load_bucket_word(bytes, position);
    const std::uint64_t difference =
        layout.is_semi_sorted() ? coded_difference(layout, low_parts, lanes, entry) : lanes ^ entry * layout.ones;
    matches |= any_zero_lane(layout, difference) & (group + 1 < layout.groups ? layout.high : layout.last_high);
    position += layout.group_bits;
    low_parts >>= layout.lanes * kLowPartBits;
  }
  return matches;
}

/// The code of the low parts of `slots`, which ascend in `layout.order`.
inline std::uint32_t code_of(const BucketLayout& layout, const Slots& slots) {
  return layout.codes->encode(layout.low_part(slots[0]), layout.low_part(slots[1]), layout.low_part(slots[2]),
                              layout.low_part(slots[3]));
}

/// Moves the entry in `slot` to where it belongs among the first `count` slots, the others of which ascend. Returns
/// that slot.
CUCKOO_ONCE_IN_WASM inline std::uint32_t move_entry_into_order(const BucketLayout& layout, std::uint32_t* slots,
                                                               std::uint32_t slot, std::uint32_t count) {
  return move_into_order(slots, slot, count, [&](std::uint32_t entry) { return layout.order(entry); });
}

/// These slots in the order in which they are saved.
inline Slots sorted(const BucketLayout& layout, const Slots& slots) {
  std::array<std::uint64_t, kMaxBucketSize> orders;
  for (std::uint32_t slot = 0; slot < layout.bucket_size; ++slot) {
    std::uint64_t greatest = layout.order(slots[slot]);
    for (std::uint32_t before = 0; before < slot; ++before) order(orders[before], greatest);
    orders[slot] = greatest;
  }
  Slots sorted{};
  for (std::uint32_t slot = 0; slot < layout.bucket_size; ++slot) sorted[slot] = layout.entry_at(orders[slot]);
  return sorted;
}

/// Puts `entry` into a slot of a bucket with these slots. Returns the slot that then holds it, which may be another one
/// because of the order of a semi-sorted bucket.
inline std::uint32_t put_sorted(const BucketLayout& layout, Slots& slots, std::uint32_t slot, std::uint32_t entry) {
  slots[slot] = entry;
  return layout.is_semi_sorted() ? move_entry_into_order(layout, slots.data(), slot, layout.bucket_size) : slot;
}

/// `one` or `other`, without a branch.
inline std::uint64_t select_unbranched(bool is_one, std::uint64_t one, std::uint64_t other) {
  return other ^ ((one ^ other) & (0 - std::uint64_t{is_one}));
}

/// A bucket of one word, and where it lies.
struct LoadedWord {
  std::uint8_t* first;   ///< byte
  unsigned shift;        ///< of the bucket's lowest bit
  std::uint64_t loaded;  ///< the word that begins with that byte

  LoadedWord(std::uint8_t* bytes, std::uint64_t position)
      : first(bytes + (position >> 3)), shift(position & 7), loaded(load_word(first)) {}
};

/// Puts `entry` into a slot of a semi-sorted bucket whose low parts are decoded. No branch, because the place of an
/// entry cannot be predicted (npm run bench -- layouts). Returns the slot that then holds it.
[[gnu::always_inline]] inline std::uint32_t coded_word_put(const BucketLayout& layout, const LoadedWord& at,
                                                           std::uint64_t low_parts, std::uint32_t slot,
                                                           std::uint32_t entry) {
  const std::uint64_t word = at.loaded >> at.shift & layout.bucket_mask;
  const std::uint64_t lanes = word >> layout.code_bits;
  const auto order_in = [&](std::uint32_t from) {
    const std::uint64_t rest = lanes >> (from * layout.lane_bits) & layout.lane_mask;
    return (low_parts >> (5 * from) & 31) << layout.lane_bits | rest;
  };

  // The orders of the three entries that stay, and whether they go before the new one. As in `move_entry_into_order`,
  // entries equal to it stay on their side.
  const std::uint64_t a = select_unbranched(slot > 0, order_in(0), order_in(1));
  const std::uint64_t b = select_unbranched(slot > 1, order_in(1), order_in(2));
  const std::uint64_t c = select_unbranched(slot > 2, order_in(2), order_in(3));
  const std::uint64_t order = layout.order(entry);
  const bool is_after_a = a < order + std::uint64_t{slot > 0};
  const bool is_after_b = b < order + std::uint64_t{slot > 1};
  const bool is_after_c = c < order + std::uint64_t{slot > 2};
  const std::uint64_t orders[] = {select_unbranched(is_after_a, a, order),
                                  select_unbranched(is_after_b, b, select_unbranched(is_after_a, order, a)),
                                  select_unbranched(is_after_c, c, select_unbranched(is_after_b, order, b)),
                                  select_unbranched(is_after_c, order, c)};

  std::uint64_t changed = 0;
  for (int to = 3; to >= 0; --to) changed = changed << layout.lane_bits | (orders[to] & layout.lane_mask);
  changed =
      changed << layout.code_bits | layout.codes->encode(orders[0] >> layout.lane_bits, orders[1] >> layout.lane_bits,
                                                         orders[2] >> layout.lane_bits, orders[3] >> layout.lane_bits);
  store_word(at.first, at.loaded ^ (word ^ changed) << at.shift);
  return std::uint32_t{is_after_a} + std::uint32_t{is_after_b} + std::uint32_t{is_after_c};
}

}  // namespace cuckoo::detail
