// The class CuckooCounter: keys that are counted.
#include "valued.h"

namespace {

double saturated_count(objects::Address filter) {
  return static_cast<double>(objects::at<bound::Counter>(filter).saturated());
}

}  // namespace

PART(counter) {
  binding::valued<bound::Counter>();
  binding::function("filter.saturated", &saturated_count);
}
