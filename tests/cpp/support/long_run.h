// How much a test does: a part that reaches every claim in `npm test`, all of it in `npm run test:long`, which sets
// LONG_TESTS. Invariant: the short run holds every claim for every bucket size, width and storage; what it leaves out
// are repetitions.
#pragma once

#include <cstdlib>

namespace cuckoo::testing {

inline bool is_long_run() { return std::getenv("LONG_TESTS") != nullptr; }

/// `all` in a long run, else `few`.
template <class Count>
Count runs(Count few, Count all) {
  return is_long_run() ? all : few;
}

}  // namespace cuckoo::testing
