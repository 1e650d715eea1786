// The saved form of a filter as a vector, for every class that can be saved, and what a forger would make of it.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cuckoo/format/format.h"

namespace cuckoo::testing {

using namespace detail;

/// The bytes of `filter`.
template <class AnyFilter>
std::vector<std::uint8_t> saved(const AnyFilter& filter) {
  return save(filter);
}

/// `bytes` with a checksum that fits, so that what is wrong in them is found by the rules.
inline std::vector<std::uint8_t> resealed(std::vector<std::uint8_t> bytes) {
  const auto body = std::span(bytes).first(bytes.size() - kTrailerBytes);
  store_word(&bytes[body.size()], static_cast<std::uint64_t>(xxh64(body, 0)));
  return bytes;
}

}  // namespace cuckoo::testing
