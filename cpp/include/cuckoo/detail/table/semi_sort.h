// SPDX-License-Identifier: MIT
// Codes of semi-sorted buckets: four low parts in ascending order as one number, the rank of that quadruple.
// Invariant: encode and decode are each other's inverse for all ranks below `quadruple_count`; the tables, 126 kB
// shared by every filter, are computed when the first that needs them is made. Rank (the combinatorial number system):
// a + C(b + 1, 2) + C(c + 2, 3) + C(d + 3, 4) for a <= b <= c <= d, which does not depend on how many values there are.
#pragma once

#include <cassert>
#include <cstdint>

namespace cuckoo::detail {

/// Low parts lie below this, so `kLowPartBits` hold one.
inline constexpr std::uint32_t kMaxLowValues = 28;
inline constexpr std::uint32_t kLowPartBits = 5;
/// Low parts of fingerprints of whole bits lie below this.
inline constexpr std::uint32_t kWholeLowValues = 16;

/// Sorted quadruples of numbers below `values`: C(values + 3, 4).
inline constexpr std::uint32_t quadruple_count(std::uint32_t values) {
  return values * (values + 1) * (values + 2) * (values + 3) / 24;
}

/// The tables. A quadruple is packed in 20 bits, the least part in the lowest five.
class SemiSortCodes {
 public:
  /// The tables of numbers below `values`, which is `kMaxLowValues` at most: one object for every filter.
  static const SemiSortCodes& below(std::uint32_t values) {
    assert(values <= kMaxLowValues);
    // In two stages, so that a process's first filter is ready sooner: the ranks for whole bits come first, and are an
    // eighth of all.
    static SemiSortCodes codes;
    [[maybe_unused]] static const bool has_whole = codes.fill(0, kWholeLowValues);
    if (values <= kWholeLowValues) return codes;
    [[maybe_unused]] static const bool has_all = codes.fill(kWholeLowValues, kMaxLowValues);
    return codes;
  }

  /// The packed quadruple of a rank below `quadruple_count(values)`. A single read, because lookups wait for it.
  [[nodiscard]] std::uint32_t decode(std::uint32_t rank) const { return quadruples_[rank] & 0xFFFFF; }
  /// Which parts of that quadruple are equal: bit i, from 0 to 2, says that part i equals part i + 1, bit 3 that part 0
  /// is 0.
  [[nodiscard]] std::uint32_t ties(std::uint32_t rank) const { return quadruples_[rank] >> 20; }
  /// The rank of a quadruple of numbers below `kMaxLowValues`, which ascend.
  [[nodiscard]] std::uint32_t encode(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) const {
    assert(a <= b && b <= c && c <= d && d < kMaxLowValues);
    return static_cast<std::uint32_t>(a) + pair_counts_[b] + triple_counts_[c] + quadruple_counts_[d];
  }

 private:
  SemiSortCodes() = default;

  /// Adds the quadruples whose greatest number is from `first` to below `values`.
  bool fill(std::uint32_t first, std::uint32_t values) {
    std::uint32_t rank = quadruple_count(first);
    for (std::uint32_t d = first; d < values; ++d) {
      pair_counts_[d] = static_cast<std::uint16_t>(d * (d + 1) / 2);
      triple_counts_[d] = static_cast<std::uint16_t>(d * (d + 1) * (d + 2) / 6);
      quadruple_counts_[d] = static_cast<std::uint16_t>(quadruple_count(d));
      for (std::uint32_t c = 0; c <= d; ++c) {
        for (std::uint32_t b = 0; b <= c; ++b) {
          for (std::uint32_t a = 0; a <= b; ++a) {
            const std::uint32_t ties = std::uint32_t{a == b} | std::uint32_t{b == c} << 1 | std::uint32_t{c == d} << 2 |
                                       std::uint32_t{a == 0} << 3;
            quadruples_[rank++] = a | b << 5 | c << 10 | d << 15 | ties << 20;
          }
        }
      }
    }
    return true;
  }

  std::uint16_t pair_counts_[kMaxLowValues]{};
  std::uint16_t triple_counts_[kMaxLowValues]{};
  std::uint16_t quadruple_counts_[kMaxLowValues]{};
  std::uint32_t quadruples_[quadruple_count(kMaxLowValues)]{};  ///< packed, their ties above, by their rank
};

}  // namespace cuckoo::detail
