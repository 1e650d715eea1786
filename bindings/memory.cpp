// malloc and the like, for all of WebAssembly's memory after the stack and the constants. They replace Emscripten's
// allocators: emmalloc mistakes a block that is too small for one that fits where addresses near 4 GB wrap around, and
// then writes outside of memory; it also clears new memory, which takes 10 ms for a table of ten million keys. dlmalloc
// takes 2.6 kB more, compressed.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "heap.h"

namespace {

extern "C" const std::uint8_t __heap_base;

/// js/src/engine/embind.ts gives it. Makes memory reach to the address `end`; 0 if that is refused.
extern "C" [[clang::import_module("env"), clang::import_name("grow")]] int grow_memory(std::uintptr_t end);

bool grow(std::uintptr_t end) { return (end - 1) >> 16 < __builtin_wasm_memory_size(0) || grow_memory(end) != 0; }

[[gnu::init_priority(101)]] Heap<grow> heap{reinterpret_cast<std::uintptr_t>(&__heap_base)};

}  // namespace

extern "C" {
void* malloc(std::size_t bytes) { return heap.take(bytes); }
void free(void* bytes) { heap.give_back(bytes); }
void* calloc(std::size_t count, std::size_t bytes) {
  if (__builtin_mul_overflow(count, bytes, &bytes)) return nullptr;
  const std::uintptr_t untouched = heap.untouched();
  void* taken = heap.take(bytes);
  const auto begin = reinterpret_cast<std::uintptr_t>(taken);
  if (taken != nullptr && begin < untouched) std::memset(taken, 0, std::min(bytes, untouched - begin));
  return taken;
}
/// js/src/engine/weights.ts asks how much is in use.
[[clang::export_name("used")]] std::size_t used_bytes() { return heap.used(); }
}  // extern "C"
