// The filters that are bound, and what saves and loads each.
#pragma once

#include "cuckoo/entries/statistics.h"
#include "cuckoo/entries/trace.h"
#include "cuckoo/filters/counting.h"
#include "cuckoo/filters/expiring.h"
#include "cuckoo/filters/value.h"
#include "cuckoo/format/format.h"
#include "cuckoo/format/scalable_format.h"
#include "scratch.h"

namespace bound {

using Counted = cuckoo::Watched<cuckoo::NoTrace, milliseconds>;
using Plain = cuckoo::Filter<Counted>;
using Traced = cuckoo::Filter<cuckoo::Watched<cuckoo::TraceLog, milliseconds>>;
using Scalable = cuckoo::ScalableFilter<Counted>;
using Expiring = cuckoo::ExpiringFilter<Counted>;
using Values = cuckoo::ValueFilter<Counted>;
using Counter = cuckoo::CountingFilter<Counted>;

}  // namespace bound

/// What saves and loads a filter of one table.
template <class Filter>
struct Saving {
  using Saver = cuckoo::Saver<typename Filter::Tracing>;
  using Loader = cuckoo::Loader;
  static cuckoo::Result<Filter> finish(Loader& loader, std::uint64_t checksum) {
    return loader.finish<Filter>(checksum);
  }
};
template <class Tracing>
struct Saving<cuckoo::ScalableFilter<Tracing>> {
  using Saver = cuckoo::ScalableSaver<Tracing>;
  using Loader = cuckoo::ScalableLoader<Tracing>;
  static auto finish(Loader& loader, std::uint64_t checksum) { return loader.finish(checksum); }
};
