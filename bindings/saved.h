// Saves a filter to bytes, and loads one from them, piece by piece.
// Invariant: one save and one load at a time; a loaded filter is kept only once its checksum is right.
#pragma once

#include "bound.h"
#include "objects.h"

namespace objects {

template <class Saver>
std::optional<Saver> saver;
template <class Filter>
auto& saver_of = saver<decltype(cuckoo::saver_of(std::declval<const Filter&>()))>;
template <class Loader>
std::optional<Loader> loader;
template <class Filter>
auto& loader_of = loader<typename Loading<Filter>::Loader>;

template <class Filter>
void begin_save(Address filter) {
  saver_of<Filter>.emplace(at<Filter>(filter));
}
template <class Filter>
std::size_t save_piece() {
  return saver_of<Filter>->next(scratch.bytes);
}

template <class Filter>
bool equals(Address one, Address other) {
  return at<Filter>(one) == at<Filter>(other);
}

/// Takes the checksum from the scratch buffer.
template <class Filter>
Address finish_load() {
  const Address filter = keep(Loading<Filter>::finish(*loader_of<Filter>, cuckoo::detail::load_word(scratch.bytes)));
  loader_of<Filter>.reset();
  return filter;
}

}  // namespace objects
