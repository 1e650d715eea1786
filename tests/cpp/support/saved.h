// The saved form of a filter as a vector, for every class that can be saved.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuckoo/format/format.h"

namespace cuckoo::testing {

using namespace detail;

/// The bytes of `filter`.
template <class AnyFilter>
std::vector<std::uint8_t> saved(const AnyFilter& filter) {
  return save(filter);
}

}  // namespace cuckoo::testing
