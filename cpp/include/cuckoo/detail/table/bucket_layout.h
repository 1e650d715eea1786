// SPDX-License-Identifier: MIT
// How the slots of a bucket lie in its bits. A plain bucket is b slots, one after the other. A semi-sorted one (Fan et
// al. 2014, section 5.2) holds four entries in ascending order of their low parts, then of the rest: first the code of
// the low parts, then the rest of each, a lane, in the same order. Invariant: it is computed once per table, for any b
// and any widths.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

#include "cuckoo/detail/table/semi_sort.h"
#include "cuckoo/params.h"

namespace cuckoo::detail {

/// Bytes that must follow the last slot, so that wide reads and writes stay inside the table.
inline constexpr std::uint64_t kTablePadding = 16;

/// How the slots of one bucket lie in its bits, with the masks that compare a word of lanes at once.
struct BucketLayout {
  std::uint32_t bucket_size = 0;         ///< b, slots in a bucket
  std::uint32_t low_bits = 0;            ///< the low bits of an entry, which are coded together; 0 in a plain bucket
  std::uint32_t code_bits = 0;           ///< bits of that code, before the lanes
  std::uint32_t lane_bits = 0;           ///< bits of an entry in its lane: all that are not coded
  std::uint32_t lanes = 0;               ///< lanes in a group, compared at once: as many as one read of a word gets
  std::uint32_t groups = 0;              ///< how many groups a bucket's lanes are in
  std::uint32_t group_bits = 0;          ///< bits of a group that is not the last
  std::uint32_t compared_bits = 0;       ///< bits in which a lane is compared: 5 at least where its low part is coded
  std::uint32_t lane_reciprocal = 0;     ///< 2^16 / compared_bits, rounded up: exact for quotients of numbers below 64
  std::uint64_t ones = 0;                ///< lowest bit of every lane of a group, as they are compared
  std::uint64_t high = 0;                ///< highest bit of every lane of a group
  std::uint64_t last_high = 0;           ///< the same of a bucket's last group
  std::uint64_t bucket_bits = 0;         ///< bits of one bucket
  std::uint64_t bucket_mask = 0;         ///< all ones in the width of a bucket of one word
  std::uint64_t lane_mask = 0;           ///< all ones in the width of a lane
  std::uint64_t without_values = 0;      ///< in every lane the bits of the entry that are not its value
  std::uint32_t code_mask = 0;           ///< all ones in the width of the code; 0 in a plain bucket
  std::uint32_t low_mask = 0;            ///< all ones in the width of a low part; 0 in a plain bucket
  const SemiSortCodes* codes = nullptr;  ///< null in a plain bucket
  bool is_one_word = false;              ///< one word gets the whole bucket
  // How `coded_difference` compares the two parts of each entry of a semi-sorted bucket, the low part and the lane.
  bool has_narrow_lanes = false;  ///< whether the lane is the narrow one of both
  std::uint32_t spread = 0;       ///< by how many bits a wide part is wider
  std::uint64_t lower_parts = 0;  ///< the first two of four narrow parts
  std::uint64_t upper_parts = 0;  ///< the others
  std::uint64_t odd_parts = 0;    ///< the second and the fourth, once the upper two are in place

  BucketLayout() = default;
  explicit BucketLayout(const Params& params)
      : BucketLayout(params, params.storage == Storage::semi_sorted
                                 ? &SemiSortCodes::below(low_values(params.spared_quarters))
                                 : nullptr) {}
  /// The same with these codes: null for a plain bucket, so that programs without others do not contain their tables.
  BucketLayout(const Params& params, const SemiSortCodes* codes_or_null)
      : bucket_size(params.bucket_size),
        low_bits(detail::low_bits(params)),
        code_bits(detail::code_bits(params)),
        bucket_bits(detail::bucket_bits(params)),
        codes(codes_or_null) {
    assert(is_semi_sorted() == (params.storage == Storage::semi_sorted));
    lane_bits = detail::entry_bits(params) - low_bits;
    bucket_mask = ~std::uint64_t{0} >> (bucket_bits < 64 ? 64 - bucket_bits : 0);
    lane_mask = ~std::uint64_t{0} >> (64 - lane_bits);
    code_mask = (1u << code_bits) - 1;
    low_mask = (1u << low_bits) - 1;
    lanes = lanes_per_group(params);
    groups = groups_per_bucket(params);
    group_bits = lanes * lane_bits;
    is_one_word = has_one_word(params);
    assert(groups == 1 || !is_one_word);
    compared_bits = is_semi_sorted() ? std::max(lane_bits, kLowPartBits) : lane_bits;
    lane_reciprocal = 0xFFFF / compared_bits + 1;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      ones |= std::uint64_t{1} << (lane * compared_bits);
      without_values |= lane_mask >> params.value_bits << (lane * lane_bits);
    }
    high = ones << (compared_bits - 1);
    const std::uint32_t rest = bucket_size % lanes == 0 ? lanes : bucket_size % lanes;
    last_high = high & (~std::uint64_t{0} >> (64 - rest * compared_bits));
    if (is_semi_sorted()) {
      has_narrow_lanes = lane_bits < kLowPartBits;
      const std::uint32_t narrow = has_narrow_lanes ? lane_bits : kLowPartBits;
      const std::uint64_t part = (std::uint64_t{1} << narrow) - 1;
      spread = compared_bits - narrow;
      lower_parts = part | part << narrow;
      upper_parts = lower_parts << (2 * narrow);
      odd_parts = (part | part << (2 * compared_bits)) << narrow;
    }
  }

  [[nodiscard]] bool is_semi_sorted() const { return codes != nullptr; }
  /// The part of an entry that is coded; 0 in a plain bucket.
  [[nodiscard]] std::uint32_t low_part(std::uint32_t entry) const { return entry & low_mask; }
  /// The first of the lanes whose highest bits are given; there is at least one.
  [[nodiscard]] std::uint32_t lane_of(std::uint64_t highest_bits) const {
    assert(highest_bits != 0);
    return static_cast<std::uint32_t>(std::countr_zero(highest_bits)) * lane_reciprocal >> 16;
  }
  /// The order in which the slots of a saved bucket ascend: by the low part, then by the rest; in a plain bucket, by
  /// the entry.
  [[nodiscard]] std::uint64_t order(std::uint32_t entry) const {
    return std::uint64_t{low_part(entry)} << lane_bits | entry >> low_bits;
  }
  /// The entry of that order.
  [[nodiscard]] std::uint32_t entry_at(std::uint64_t order) const {
    return static_cast<std::uint32_t>((order & lane_mask) << low_bits | order >> lane_bits);
  }
};

/// What comparing takes of the layout of a plain bucket of four slots, where their `bits` are known when the program is
/// compiled: a lookup then takes a quarter fewer instructions (npm run bench -- race).
template <std::uint32_t bits>
struct KnownLayout {
  static_assert(4 * bits <= 64);
  static constexpr std::uint64_t bucket_bits = 4 * bits;
  static constexpr std::uint64_t ones = 1 | (1 | (1 | std::uint64_t{1} << bits) << bits) << bits;
  static constexpr std::uint64_t high = ones << (bits - 1);
};

/// The entries of one bucket; those past its size are not used.
using Slots = std::array<std::uint32_t, kMaxBucketSize>;

/// Whether a bucket of this size has an empty slot.
inline bool has_empty_slot(const Slots& slots, std::uint32_t bucket_size) {
  return std::find(slots.data(), slots.data() + bucket_size, 0) != slots.data() + bucket_size;
}

}  // namespace cuckoo::detail
