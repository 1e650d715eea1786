// What operations on a layout cost, measured. Invariant: the figures are ratios to the fastest layout, plain buckets of
// one word, from one run of `npm run bench -- layouts`.
#pragma once

#include "cuckoo/params.h"

namespace cuckoo {

/// Time per key in a batch, relative to plain buckets of one word.
struct Cost {
  double lookup = 1;
  double insert = 1;  ///< into a filter that is filled from empty to full
};

/// What keys cost in tables of this layout.
inline Cost relative_cost(const Params& params) {
  const bool is_semi_sorted = params.storage == Storage::semi_sorted;
  if (has_one_word_buckets(params)) return is_semi_sorted ? Cost{1.4, 1.2} : Cost{};
  return is_semi_sorted ? Cost{1.9, 1.5} : Cost{1.5, 1.4};
}

}  // namespace cuckoo
