// A filter on its way to bytes, and from them, piece by piece.
// Invariant: one at a time each way; what is loaded is kept only once its checksum is found right.
#pragma once

#include "bound.h"
#include "objects.h"

namespace objects {

template <class Filter>
std::optional<typename Saving<Filter>::Saver> saver;
template <class Filter>
std::optional<typename Saving<Filter>::Loader> loader;

template <class Filter>
void begin_save(Address filter) {
  saver<Filter>.emplace(built<Filter>(filter));
}
template <class Filter>
std::size_t save_piece() {
  return saver<Filter>->next(scratch.bytes);
}

template <class Filter>
bool equals(Address one, Address other) {
  using Saver = typename Saving<Filter>::Saver;
  return are_equal(Saver(built<Filter>(one)), Saver(built<Filter>(other)));
}

/// Takes the checksum from the scratch buffer.
template <class Filter>
Address finish_load() {
  const Address filter = keep(Saving<Filter>::finish(*loader<Filter>, load_word(scratch.bytes)));
  loader<Filter>.reset();
  return filter;
}

}  // namespace objects
