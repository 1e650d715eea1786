// Where Emscripten's allocator takes memory from: JavaScript grows it, and decides by how much.
// Invariant: what was given never moves, and nothing is given back; the allocator keeps what is freed.
#include <cstddef>
#include <cstdint>

/// js/src/wasm/embind.ts gives it. Makes memory reach to the address `end`; 0 if that is refused.
extern "C" [[clang::import_module("env"), clang::import_name("grow")]] int grow_memory(std::uintptr_t end);

extern "C" const std::uint8_t __heap_base;

extern "C" void* sbrk(std::intptr_t increment) {
  static std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(&__heap_base) + 15) & ~std::uintptr_t{15};
  const std::uintptr_t begin = end;
  const std::uintptr_t next = begin + static_cast<std::uintptr_t>(increment);
  const bool has_room = (next - 1) >> 16 < __builtin_wasm_memory_size(0);
  if ((increment != 0 && next <= begin) || (!has_room && grow_memory(next) == 0)) return reinterpret_cast<void*>(-1);
  end = next;
  return reinterpret_cast<void*>(begin);
}
