// Requests of plans.
#pragma once

#include <cstdint>

#include "cuckoo/plan.h"

namespace cuckoo::testing {

using namespace detail;

inline Request request_of(std::uint64_t capacity, double rate = 0.001) {
  Request request;
  request.capacity = capacity;
  request.false_positive_rate = rate;
  return request;
}

}  // namespace cuckoo::testing
