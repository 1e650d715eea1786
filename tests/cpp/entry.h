// What a table holds of a key: all that answers can depend on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "cuckoo/location.h"

namespace cuckoo::testing {

/// A fingerprint and its two homes, the lower one first.
using Entry = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>;

inline Entry entry_of(Hash hash, const Params& params) {
  const Location at = locate(hash, params);
  return {at.fingerprint, std::min(at.primary, at.alternate), std::max(at.primary, at.alternate)};
}

}  // namespace cuckoo::testing
