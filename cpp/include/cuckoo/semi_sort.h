// Codes of semi-sorted buckets: four low parts in ascending order as one number, the rank of that quadruple.
// Invariant: encode and decode are each other's inverse for all ranks below `quadruple_count`; the tables, 40 kB shared
// by every filter, are computed once, when the first of them is made. Rank (the combinatorial number system): a + C(b +
// 1, 2) + C(c + 2, 3) + C(d + 3, 4) for a <= b <= c <= d, which does not depend on how many values there are.
#pragma once

#include <cstdint>

namespace cuckoo {

/// Low parts lie below this, so five bits hold one.
inline constexpr std::uint32_t kMostLowValues = 28;

/// Sorted quadruples of numbers below `values`: C(values + 3, 4).
inline constexpr std::uint32_t quadruple_count(std::uint32_t values) {
  return values * (values + 1) * (values + 2) * (values + 3) / 24;
}

/// Sorted triples of numbers below `values`: C(values + 2, 3).
inline constexpr std::uint32_t triple_count(std::uint32_t values) { return values * (values + 1) * (values + 2) / 6; }

/// The tables. A quadruple is packed in 20 bits, the least part in the lowest five.
class SemiSortCodes {
 public:
  static const SemiSortCodes& shared() {
    static const SemiSortCodes codes;
    return codes;
  }

  /// The packed quadruple of a rank below `quadruple_count(kMostLowValues)`.
  [[nodiscard]] std::uint32_t decode(std::uint32_t rank) const {
    const std::uint32_t highest = highest_[rank];
    return triples_[rank - quadruple_count(highest)] | highest << 15;
  }
  /// Whether the least part of a rank's quadruple is 0.
  [[nodiscard]] bool starts_with_zero(std::uint32_t rank) const { return (decode(rank) & 31) == 0; }
  /// The rank of a packed quadruple.
  [[nodiscard]] static std::uint32_t encode(std::uint32_t packed) {
    const auto part = [=](int at) { return packed >> (5 * at) & 31; };
    return part(0) + part(1) * (part(1) + 1) / 2 + triple_count(part(2)) + quadruple_count(part(3));
  }

 private:
  SemiSortCodes() {
    std::uint32_t rank = 0;
    for (std::uint32_t c = 0; c < kMostLowValues; ++c) {
      for (std::uint32_t b = 0; b <= c; ++b) {
        for (std::uint32_t a = 0; a <= b; ++a) triples_[rank++] = static_cast<std::uint16_t>(a | b << 5 | c << 10);
      }
    }
    for (std::uint32_t d = 0; d < kMostLowValues; ++d) {
      for (rank = quadruple_count(d); rank < quadruple_count(d + 1); ++rank) {
        highest_[rank] = static_cast<std::uint8_t>(d);
      }
    }
  }

  std::uint16_t triples_[triple_count(kMostLowValues)];    ///< the lower three of a quadruple, by their rank
  std::uint8_t highest_[quadruple_count(kMostLowValues)];  ///< the highest of a quadruple, by its rank
};

}  // namespace cuckoo
