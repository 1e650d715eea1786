// The filter that the scalable module binds: one of layers.
#pragma once

#include "cuckoo/filter/statistics.h"
#include "cuckoo/format/scalable_format.h"
#include "scratch.h"

using Tracing = cuckoo::Watched<cuckoo::NoTrace, milliseconds>;
using Bound = cuckoo::ScalableFilter<Tracing>;
using BoundSaver = cuckoo::ScalableSaver<Tracing>;
using BoundLoader = cuckoo::ScalableLoader<Tracing>;
