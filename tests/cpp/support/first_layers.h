// First layers of filters without a largest size, which tests of them begin with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "cases.h"
#include "cuckoo/filters/scalable.h"
#include "cuckoo/plan.h"

namespace cuckoo::testing {

using namespace detail;

/// A first layer of as many keys as its table takes once it has doubled `doublings` times, if its slots have the bits.
inline Params first_of(std::uint64_t m, std::uint32_t b, std::uint32_t f, std::uint32_t doublings) {
  Params params = params_of(m, b, f, Addressing::xor_power_of_two);
  params.reserved_bits = std::min(doublings, kMaxFingerprintBits - f);
  params.capacity = planned_capacity(grown(params));
  return params;
}

inline ScalableFilter layered(const Params& first) { return std::move(*ScalableFilter::create(first)); }

/// Calls `check(first)` for the first layers of every b, f and storage, small and larger, with and without growth.
template <class Check>
void for_all_first_layers(Check check) {
  for_all_params({1, 4, 64}, [&](Params params) {
    if (params.addressing != Addressing::xor_power_of_two) return;
    for (const std::uint32_t doublings : {0u, 1u, 3u}) {
      if (doublings > kMaxFingerprintBits - params.fingerprint_bits) return;
      params.reserved_bits = doublings;
      params.capacity = planned_capacity(grown(params));
      check(params);
    }
  });
}

}  // namespace cuckoo::testing
