// The filter that the core module binds, and what saves and loads it.
#pragma once

#include "cuckoo/filter/statistics.h"
#include "cuckoo/format/format.h"
#include "scratch.h"

using Tracing = cuckoo::Watched<cuckoo::NoTrace, milliseconds>;
using Bound = cuckoo::Filter<Tracing>;
using BoundSaver = cuckoo::Saver<Tracing>;
using BoundLoader = cuckoo::Loader<Tracing>;
