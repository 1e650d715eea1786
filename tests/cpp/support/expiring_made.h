// Expiring filters, made of parameters.
#pragma once

#include <cstdint>
#include <utility>

#include "cuckoo/filters/expiring.h"

namespace cuckoo::testing {

using namespace detail;

using Expiring = ExpiringFilter;

inline Expiring created(const Params& params, std::uint32_t periods) {
  return std::move(*Expiring::create(params, periods));
}
inline Expiring created(const Params& params, std::uint32_t periods, SweepPace pace) {
  return std::move(*make<Expiring>(params, period_bits(periods), nullptr, Periods(periods).extension(), pace));
}

}  // namespace cuckoo::testing
