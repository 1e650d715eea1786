// The saved form of a filter as a vector, for every class that can be saved.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuckoo/format/format.h"

namespace cuckoo::testing {

using namespace detail;

/// The bytes of `filter`. Not const: saving an ExpiringFilter finishes its sweep, which changes nothing that it
/// answers.
template <class AnyFilter>
std::vector<std::uint8_t> saved(AnyFilter&& filter) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(saved_bytes(filter)));
  EXPECT_TRUE(save(filter, bytes));
  return bytes;
}

}  // namespace cuckoo::testing
