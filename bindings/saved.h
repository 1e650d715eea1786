// A filter on its way to bytes, and from them, piece by piece.
// Invariant: one at a time each way; what is loaded is kept only once its checksum is found right.
#pragma once

#include "bound.h"
#include "objects.h"

namespace objects {

inline std::optional<BoundSaver> saver;
inline std::optional<BoundLoader> loader;

inline void begin_save(Address filter) { saver.emplace(at<Bound>(filter)); }
inline std::size_t save_piece() { return saver->next(scratch.bytes); }

/// Takes the checksum from the scratch buffer.
inline Address finish_load() {
  const Address filter = keep(loader->finish(load_word(scratch.bytes)));
  loader.reset();
  return filter;
}

}  // namespace objects
