// SPDX-License-Identifier: MIT
// A filter that tells each step of what it does. Invariant: its answers and its saved bytes are those of a `Filter`,
// unless it is asked to kick by a random walk.
#pragma once

#include "cuckoo/detail/entries/traced.h"
#include "cuckoo/filters/filter.h"

namespace cuckoo {

/// A filter whose `watch()` is a `TraceLog`: open it to record. Doubles within one call.
using TracedFilter = BasicFilter<detail::TracedEntries<>>;

}  // namespace cuckoo
