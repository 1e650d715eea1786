// SPDX-License-Identifier: MIT
// What operations on a layout cost, measured. Invariant: the figures are those that `npm run bench -- layouts` prints
// beside plain buckets of one word, the fastest layout: the mean over its widths, rounded to a twentieth.
#pragma once

#include "cuckoo/params.h"

namespace cuckoo::detail {

/// Time per key in a batch, relative to plain buckets of one word, with the same number of keys.
struct Cost {
  double lookup;
  double insert;  ///< into a filter that is filled from empty to full
};

/// What keys cost in tables of this layout. Measured in WebAssembly, with 500,000 keys.
inline Cost relative_cost(const Params& params) {
  const bool is_semi_sorted = params.storage == Storage::semi_sorted;
  const std::uint32_t words = words_per_bucket(params);
  if (words == 1) return is_semi_sorted ? Cost{1.5, 1.15} : Cost{1, 1};
  if (words == 2) return is_semi_sorted ? Cost{2.6, 1.7} : Cost{1.35, 1.45};
  return is_semi_sorted ? Cost{5.4, 1.85} : Cost{4.2, 1.9};
}

}  // namespace cuckoo::detail
