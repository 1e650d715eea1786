// SPDX-License-Identifier: MIT
// Lookups one by one in a table whose kind is asked once, not by each: for loops that cannot gather their keys first.
// Invariant: the rules of location and comparison are those of location.h and bucket.h, with what is known made plain
// to the compiler.
#pragma once

#include <cstdint>

#include "cuckoo/entries/location.h"
#include "cuckoo/table/table.h"

namespace cuckoo::detail {

/// Whether `WordLookup` is for this fixed table: one of one-word buckets, with the addressing that the planner chooses.
inline bool has_word_lookup(const Table& table, const Params& params) {
  return params.reserved_bits == 0 && table.layout().is_one_word && params.addressing == Addressing::reflect;
}

/// Lookups in such a table, which must not change meanwhile. The parameters are copies, as nothing can change those: a
/// loop keeps them in registers. Where a bucket is whole bytes, nothing is shifted.
template <bool is_semi_sorted, bool is_whole_bytes>
class WordLookup {
 public:
  WordLookup(const Table& table, const Params& params)
      : params_(params), layout_(table.layout()), bytes_(table.bytes().data()) {
    params_.addressing = Addressing::reflect;
    if constexpr (!is_semi_sorted) params_.spared_quarters = 0;
  }

  /// Whether one of the candidate buckets holds the entry.
  bool operator()(Hash hash) const {
    const Location at = locate_fixed(hash, params_);
    return (matches(at.primary) | matches(at.alternate)) != 0;
  }

 private:
  [[nodiscard]] std::uint64_t matches(Candidate here) const {
    const std::uint64_t bits = is_whole_bytes ? layout_.bucket_bits & ~std::uint64_t{7} : layout_.bucket_bits;
    const std::uint64_t word = load_bucket_word(bytes_, here.bucket * bits);
    if constexpr (is_semi_sorted) return coded_word_matches(layout_, word, here.entry);
    return any_matching_lane(layout_, word, here.entry);
  }

  Params params_;
  BucketLayout layout_;
  const std::uint8_t* bytes_;
};

/// `use(find)`, where `find` is the `WordLookup` of this table, which has one.
template <class Use>
decltype(auto) with_word_lookup(const Table& table, const Params& params, Use use) {
  if (table.layout().is_semi_sorted()) return use(WordLookup<true, false>(table, params));
  if (table.layout().bucket_bits % 8 == 0) return use(WordLookup<false, true>(table, params));
  return use(WordLookup<false, false>(table, params));
}

}  // namespace cuckoo::detail
