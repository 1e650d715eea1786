// The filters that are bound, and what loads each.
#pragma once

#include "cuckoo/entries/statistics.h"
#include "cuckoo/filters/counting.h"
#include "cuckoo/filters/expiring.h"
#include "cuckoo/filters/traced.h"
#include "cuckoo/filters/value.h"
#include "cuckoo/format/format.h"
#include "cuckoo/format/scalable_format.h"
#include "scratch.h"

namespace bound {

using Counted = cuckoo::detail::Entries<cuckoo::Watched<cuckoo::NoWatch, milliseconds>>;
using Plain = cuckoo::BasicFilter<Counted>;
using Traced = cuckoo::BasicFilter<cuckoo::detail::TracedEntries<cuckoo::Watched<cuckoo::TraceLog, milliseconds>>>;
using Scalable = cuckoo::BasicScalableFilter<Counted>;
using Expiring = cuckoo::BasicExpiringFilter<Counted>;
using Values = cuckoo::BasicValueFilter<Counted>;
using Counter = cuckoo::BasicCountingFilter<Counted>;

}  // namespace bound

/// What loads a filter of one table.
template <class Filter>
struct Loading {
  using Loader = cuckoo::Loader;
  static cuckoo::Result<Filter> finish(Loader& loader, std::uint64_t checksum) {
    return loader.finish<Filter>(checksum);
  }
};
template <class AnyEntries>
struct Loading<cuckoo::BasicScalableFilter<AnyEntries>> {
  using Loader = cuckoo::ScalableLoader<AnyEntries>;
  static auto finish(Loader& loader, std::uint64_t checksum) { return loader.finish(checksum); }
};
