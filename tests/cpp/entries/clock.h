// A clock for tests, which tells the same times in every run.
#pragma once

namespace cuckoo::testing {

/// A clock that goes on by one whenever it is read.
inline double ticks() {
  static double now = 0;
  return now++;
}

}  // namespace cuckoo::testing
