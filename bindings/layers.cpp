// The one call in loading a scalable filter that goes through a whole table.
// Invariant: as in calls.cpp.
#include "scalable.h"

extern "C" [[clang::export_name("layers.finish")]] int layers_finish() { return objects::finish_layer(); }
