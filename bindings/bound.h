// The filters that are bound, and what saves and loads each.
#pragma once

#include "cuckoo/filter/statistics.h"
#include "cuckoo/filter/trace.h"
#include "cuckoo/format/format.h"
#include "cuckoo/format/scalable_format.h"
#include "cuckoo/variants/expiring.h"
#include "scratch.h"

namespace bound {

using Counted = cuckoo::Watched<cuckoo::NoTrace, milliseconds>;
using Plain = cuckoo::Filter<Counted>;
using Traced = cuckoo::Filter<cuckoo::Watched<cuckoo::TraceLog, milliseconds>>;
using Scalable = cuckoo::ScalableFilter<Counted>;
using Expiring = cuckoo::ExpiringFilter<Counted>;

}  // namespace bound

template <class Filter>
struct Saving;
template <class Tracing>
struct Saving<cuckoo::Filter<Tracing>> {
  using Saver = cuckoo::Saver<Tracing>;
  using Loader = cuckoo::Loader<Tracing>;
};
template <class Tracing>
struct Saving<cuckoo::ScalableFilter<Tracing>> {
  using Saver = cuckoo::ScalableSaver<Tracing>;
  using Loader = cuckoo::ScalableLoader<Tracing>;
};
