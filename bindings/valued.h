// What the classes whose entries have values bind alike: CuckooValues and CuckooCounter.
// Invariant: as in objects.h. Values of a batch lie in the scratch buffer's ends, one per key.
#pragma once

#include "bind.h"
#include "cuckoo/variants/merge_valued.h"

namespace objects {

template <class Filter>
std::uint32_t value_bits(Address filter) {
  return at<Filter>(filter).params().value_bits;
}
/// As `merge`.
template <class Filter>
int merge_valued(Address into, Address from) {
  const Result<InsertOutcome> outcome = cuckoo::merge_valued(at<Filter>(into), at<Filter>(from));
  return outcome ? static_cast<int>(*outcome) : -1 - static_cast<int>(outcome.field());
}

}  // namespace objects

namespace binding {

template <class Filter>
void valued() {
  table_filter<Filter>();
  value_calls<Filter>();
  function("filter.merge", &objects::merge_valued<Filter>);
  function("filter.valueBits", &objects::value_bits<Filter>);
  constant("format.headerBytes", cuckoo::kExtendedHeaderBytes);
  constant("format.trailerBytes", cuckoo::kTrailerBytes);
}

}  // namespace binding
