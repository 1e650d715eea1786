// SPDX-License-Identifier: MIT
// The measured cost of operations on each layout. Invariant: the figures are those of `npm run bench -- layouts`,
// relative to plain buckets of one word, the fastest layout: the mean over the widths of a layout, rounded to a
// twentieth.
#pragma once

#include "cuckoo/params.h"

namespace cuckoo::detail {

/// Time per key in a batch, relative to plain buckets of one word, with the same number of keys.
struct Cost {
  double lookup;
  double insert;  ///< into a filter that is filled from empty to full
};

/// The cost per key in tables of this layout. Measured in WebAssembly, with 500,000 keys.
inline Cost relative_cost(const Params& params) {
  const bool is_semi_sorted = params.storage == Storage::semi_sorted;
  if (has_one_word(params)) return is_semi_sorted ? Cost{1.5, 1.15} : Cost{1, 1};
  if (is_semi_sorted) return {2.6, 1.7};
  return groups_per_bucket(params) <= 2 ? Cost{1.35, 1.45} : Cost{4.2, 1.9};
}

}  // namespace cuckoo::detail
