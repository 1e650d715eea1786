// How many keys a filter finds, asked in one batch.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "cuckoo/hash/hash.h"

template <class Filter>
std::uint64_t found_among(const Filter& filter, std::span<const cuckoo::Hash> asked) {
  std::vector<std::uint8_t> found(asked.size());
  filter.contains_many(asked, found);
  return std::accumulate(found.begin(), found.end(), std::uint64_t{0});
}
