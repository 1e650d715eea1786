// What a table holds of a key, which is all that answers can depend on; and all its bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "cuckoo/detail/entries/location.h"
#include "cuckoo/filters/table_filter.h"

namespace cuckoo::testing {

using namespace detail;

/// A fingerprint and its two candidate buckets, the lower one first.
using Entry = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>;

inline Entry entry_of(Hash hash, const Params& params) {
  const Location at = locate(hash, params);
  return {at.primary.entry, std::min(at.primary.bucket, at.alternate.bucket),
          std::max(at.primary.bucket, at.alternate.bucket)};
}

/// The bytes of the table of `filter`.
template <class AnyFilter>
std::vector<std::uint8_t> bytes_of(const AnyFilter& filter) {
  const auto& bytes = Access::entries(filter).table().bytes();
  return {bytes.begin(), bytes.end()};
}

}  // namespace cuckoo::testing
