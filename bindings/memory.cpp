// Where Emscripten's allocator takes memory from: JavaScript grows it, and decides by how much. And how it is cleared.
// Invariant: what was given never moves, and nothing is given back; the allocator keeps what is freed.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

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

/// In place of the allocator's own, which clears new memory, too: 10 ms for a table of ten million keys. Memory that
/// was never given is zero, but for what the allocator itself wrote at its start, which is less than `kWritten` bytes.
extern "C" void* calloc(std::size_t count, std::size_t size) {
  constexpr std::uintptr_t kWritten = 64;
  const auto given_end = reinterpret_cast<std::uintptr_t>(sbrk(0));
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) return nullptr;
  void* memory = std::malloc(bytes);
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  if (memory != nullptr) std::memset(memory, 0, std::min<std::size_t>(bytes, given_end + kWritten - begin));
  return memory;
}
