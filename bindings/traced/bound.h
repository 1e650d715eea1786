// The filter that the trace module binds: the same, but it reports every step.
#pragma once

#include "cuckoo/filter/statistics.h"
#include "cuckoo/filter/trace.h"
#include "cuckoo/format/format.h"
#include "scratch.h"

using Tracing = cuckoo::Watched<cuckoo::TraceLog, milliseconds>;
using Bound = cuckoo::Filter<Tracing>;
using BoundSaver = cuckoo::Saver<Tracing>;
using BoundLoader = cuckoo::Loader<Tracing>;
