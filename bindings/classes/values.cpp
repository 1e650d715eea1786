// The class CuckooValues: keys with values.
#include "valued.h"

PART(values) { binding::valued<bound::Values>(); }
