// Runs the paper's own code on copies of one key: 16 buckets of 4 slots, 8 bits. Prints what it answers, as JSON.
#include <cstdio>

#include "cuckoofilter.h"

using Filter = cuckoofilter::CuckooFilter<size_t, 8>;

static const char* tell(cuckoofilter::Status status) { return status == cuckoofilter::Ok ? "Ok" : "NotEnoughSpace"; }

int main() {
  for (int tries = 0; tries < 100; ++tries) {
    Filter filter(60);
    int copies = 0;
    while (filter.Add(7) == cuckoofilter::Ok) ++copies;
    if (copies != 9) continue;  // Both homes are one bucket: 5 copies close it.
    std::printf("{\"copies\": %d, \"stored\": %zu, \"others\": [", copies, filter.Size());
    for (size_t key = 101; key <= 104; ++key) std::printf("%s\"%s\"", key == 101 ? "" : ", ", tell(filter.Add(key)));
    std::printf("]}\n");
    return 0;
  }
  return 1;
}
