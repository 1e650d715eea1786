// Shared filters: their parameters, and the keys that fill one.
#pragma once

#include <cstdint>
#include <vector>

#include "cuckoo/concurrent/concurrent_filter.h"

namespace cuckoo::testing {

inline Params shared_params(std::uint64_t bucket_count, std::uint32_t bucket_size = 4, std::uint64_t seed = 0) {
  Params params;
  params.bucket_count = bucket_count;
  params.bucket_size = bucket_size;
  params.fingerprint_bits = 64 / bucket_size;
  params.capacity = slot_count(params);
  params.seed = seed;
  return params;
}

/// Inserts the keys from 0 on until so many were refused. Returns the others.
template <class Shared>
std::vector<std::uint64_t> fill(Shared& filter, std::uint64_t refusals) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t key = 0, refused = 0; refused < refusals; ++key) {
    if (filter.insert(key) == InsertOutcome::inserted) {
      keys.push_back(key);
    } else {
      ++refused;
    }
  }
  return keys;
}

}  // namespace cuckoo::testing
