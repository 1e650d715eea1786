// The workloads of race.h in WebAssembly, as plain exports: built with the flags of the package's own modules, so that
// what bounds it (`race_reads`) and what it does are compared within one module.
#include <emscripten.h>

#include <optional>

#include "race.h"

double now() { return emscripten_get_now(); }

namespace {
std::optional<race::Library> library;
}

extern "C" {
/// Makes an empty filter of 2^log2_buckets buckets; returns its bytes.
EMSCRIPTEN_KEEPALIVE double race_table(std::uint32_t fingerprint_bits, std::uint32_t log2_buckets) {
  library.reset();
  library.emplace(fingerprint_bits, log2_buckets);
  return static_cast<double>(library->bytes());
}
EMSCRIPTEN_KEEPALIVE double race_insert_many() { return library->insert_many(); }
EMSCRIPTEN_KEEPALIVE double race_contains() { return library->contains(); }
EMSCRIPTEN_KEEPALIVE double race_contains_many() { return library->contains_many(); }
EMSCRIPTEN_KEEPALIVE double race_reads() { return library->reads(); }
EMSCRIPTEN_KEEPALIVE double race_found() { return static_cast<double>(library->found() & 0xFFFF); }
}
