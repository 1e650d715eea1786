// The class CuckooFilter.
#include "../bind.h"

EMSCRIPTEN_BINDINGS(filter) { binding::filter<bound::Plain>(); }
