// What a table holds of a key: all that answers can depend on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "cuckoo/entries/location.h"

namespace cuckoo::testing {

using namespace detail;

/// A fingerprint and its two candidate buckets, the lower one first.
using Entry = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>;

inline Entry entry_of(Hash hash, const Params& params) {
  const Location at = locate(hash, params);
  return {at.primary.entry, std::min(at.primary.bucket, at.alternate.bucket),
          std::max(at.primary.bucket, at.alternate.bucket)};
}

}  // namespace cuckoo::testing
