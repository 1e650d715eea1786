// SPDX-License-Identifier: MIT
// Checks that buckets are as filters save them: valid codes, slots in ascending order, and a fingerprint in each slot
// that is in use. Invariant: the fast check of whole words follows the same rule as `size_by_slots`, and nothing
// outside the buckets and their padding is read, whatever they hold.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "cuckoo/detail/table/bucket.h"
#include "cuckoo/detail/table/semi_sort.h"
#include "cuckoo/params.h"

namespace cuckoo::detail {

/// What `CanonicalForm::size` returns if a bucket is not canonical.
inline constexpr std::uint64_t kNotCanonical = ~std::uint64_t{0};

/// The check, for the buckets of a table with these parameters and their layout.
class CanonicalForm {
 public:
  CanonicalForm(const Params& params, const BucketLayout& layout)
      : layout_(layout),
        codes_(quadruple_count(low_values(params.spared_quarters))),
        fingerprint_(~std::uint64_t{0} >> (64 + layout_.low_bits - params.fingerprint_bits)),
        has_payload_(entry_bits(params) != params.fingerprint_bits),
        fill_a_word_(layout.bucket_size * layout.lane_bits <= 64) {
    for (std::uint32_t slot = 0; fill_a_word_ && slot < layout.bucket_size; ++slot) {
      ones_ |= std::uint64_t{1} << (slot * layout.lane_bits);
    }
    high_ = ones_ << (layout.lane_bits - 1);
    for (std::uint32_t ties = 0; fill_a_word_ && ties <= kAllTies; ++ties) rules_[ties] = rules_of(ties);
  }

  /// The slots in use in `buckets` buckets from bit `position` on, or `kNotCanonical`. If a bucket's lanes fit into a
  /// word, all are compared at once (npm run bench -- native --benchmark_filter=Load).
  // Out of line, and best called for some thousand buckets at a time: WebAssembly engines optimize functions that are
  // called again, but not while they run.
  [[nodiscard, gnu::noinline]] std::uint64_t size(const std::uint8_t* bytes, std::uint64_t position,
                                                  std::uint64_t buckets) const {
    return fill_a_word_ ? size_by_words(bytes, position, buckets) : size_by_slots(bytes, position, buckets);
  }

  /// The same for every b and f, slot by slot.
  [[nodiscard]] std::uint64_t size_by_slots(const std::uint8_t* bytes, std::uint64_t position,
                                            std::uint64_t buckets) const {
    std::uint64_t used = 0;
    for (; buckets > 0; --buckets, position += layout_.bucket_bits) {
      const std::uint32_t code = code_in(layout_, load_bucket_word(bytes, position));
      if (code >= codes_) return kNotCanonical;
      std::uint32_t low_parts = layout_.is_semi_sorted() ? layout_.codes->decode(code) : 0;
      std::uint64_t at = position + layout_.code_bits;
      std::uint64_t last = 0;
      bool is_canonical = true;
      for (std::uint32_t slot = 0; slot < layout_.bucket_size; ++slot, at += layout_.lane_bits, low_parts >>= 5) {
        const std::uint64_t rest = get_bits(bytes, at, layout_.lane_bits);
        const std::uint64_t low = std::uint64_t{low_parts & 31} << layout_.lane_bits;
        const bool is_used = (low | rest) != 0;
        const bool has_fingerprint = (low | (rest & fingerprint_)) != 0;
        is_canonical &= (low | rest) >= last && has_fingerprint == is_used;
        used += is_used ? 1u : 0u;
        last = low | rest;
      }
      if (!is_canonical) return kNotCanonical;
    }
    return used;
  }

 private:
  /// What a code asks of the lanes behind it, as their highest bits.
  struct Rules {
    std::uint64_t ascending = 0;  ///< those that must not be greater than the next, as their low parts are equal
    std::uint64_t zero = 0;       ///< those whose low part is 0, so that they are empty where the rest is 0 too
  };
  static constexpr std::uint32_t kAllTies = 15;  ///< of plain buckets, too, which have no low parts that differ

  [[nodiscard]] Rules rules_of(std::uint32_t ties) const {
    Rules rules;
    bool is_zero = ties >> 3 != 0;
    for (std::uint32_t lane = 0; lane < layout_.bucket_size; ++lane) {
      const std::uint64_t highest = high_ & (layout_.lane_mask << (lane * layout_.lane_bits));
      const bool is_tied = ties == kAllTies || (ties >> lane & 1) != 0;
      if (is_zero) rules.zero |= highest;
      if (is_tied && lane + 1 < layout_.bucket_size) rules.ascending |= highest;
      is_zero &= is_tied;
    }
    return rules;
  }

  [[nodiscard]] std::uint64_t size_by_words(const std::uint8_t* bytes, std::uint64_t position,
                                            std::uint64_t buckets) const {
    const std::uint64_t low = ~high_;
    const std::uint64_t less = high_ - ones_;
    // As `zero_lanes`: the highest bit of each lane that is not 0.
    const auto used_lanes = [=](std::uint64_t lanes) { return ((lanes & less) + less) | lanes; };
    const Rules* rules = &rules_[kAllTies];
    std::uint64_t used = buckets * layout_.bucket_size;
    for (; buckets > 0; --buckets, position += layout_.bucket_bits) {
      const std::uint64_t word = load_bucket_word(bytes, position);
      if (layout_.is_semi_sorted()) {
        const std::uint32_t code = code_in(layout_, word);
        if (code >= codes_) return kNotCanonical;
        rules = &rules_[layout_.codes->ties(code)];
      }
      const std::uint64_t lanes =
          layout_.is_one_word ? word >> layout_.code_bits : load_bits(bytes, position + layout_.code_bits);
      // A lane is greater than the next if its highest bit is, or if it is the same and the lower bits of the lane and
      // of the next one's complement carry into it.
      const std::uint64_t next = lanes >> layout_.lane_bits;
      const std::uint64_t carry = (lanes & low) + (~next & low);
      const std::uint64_t greater = ((lanes ^ carry) & (lanes ^ next)) ^ carry;
      const std::uint64_t unused = rules->zero & ~used_lanes(lanes);
      std::uint64_t faults = greater & rules->ascending;
      if (has_payload_) faults |= rules->zero & ~used_lanes(lanes & fingerprint_ * ones_) & ~unused;
      if (faults != 0) return kNotCanonical;
      used -= static_cast<std::uint64_t>(std::popcount(unused));
    }
    return used;
  }

  BucketLayout layout_;
  std::uint32_t codes_;        ///< below which codes stand for something
  std::uint64_t fingerprint_;  ///< the bits of a lane that belong to the fingerprint
  bool has_payload_;           ///< there are others
  bool fill_a_word_;           ///< the lanes of a bucket take 64 bits at most
  std::uint64_t ones_ = 0;     ///< then: the lowest bit of every lane
  std::uint64_t high_ = 0;     ///< and the highest
  std::array<Rules, kAllTies + 1> rules_;
};

}  // namespace cuckoo::detail
