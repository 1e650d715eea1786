// What the classes whose entries have values bind alike: CuckooValues and CuckooCounter.
// Invariant: as in objects.h. Values of a batch are the scratch buffer's numbers, one per key.
#pragma once

#include "../bind.h"

namespace objects {

template <class Filter>
std::uint32_t value_bits(Address filter) {
  return at<Filter>(filter).params().value_bits;
}

}  // namespace objects

namespace binding {

template <class Filter>
void valued() {
  table_filter<Filter>();
  value_calls<Filter>();
  function("filter.merge", &objects::merge<Filter>);
  function("filter.valueBits", &objects::value_bits<Filter>);
  constant("format.headerBytes", cuckoo::kExtendedHeaderBytes);
  constant("format.trailerBytes", cuckoo::kTrailerBytes);
}

}  // namespace binding
