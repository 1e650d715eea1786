// Filters whose trace is open.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>

#include "cuckoo/filters/traced.h"

namespace cuckoo::testing {

using namespace detail;

using Traced = TracedFilter;

inline Traced traced(const Params& params, TraceLevel level = TraceLevel::all, std::size_t capacity = 1 << 16) {
  Traced filter = std::move(*Traced::create(params));
  EXPECT_TRUE(filter.watch().open(level, capacity));
  return filter;
}

}  // namespace cuckoo::testing
