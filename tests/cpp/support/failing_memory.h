// Allocators that fail when told to: for a program of one source, whose calloc and malloc the linker wraps.
// Memory from malloc is filled with one byte, so that a test sees what nobody has written.
// Invariant: what fails says out_of_memory, leaves nothing behind (AddressSanitizer counts), and no other filter is
// touched.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "cases.h"
#include "cuckoo/filters/filter.h"
#include "cuckoo/filters/traced.h"
#include "saved.h"

namespace cuckoo::testing {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
inline std::uint64_t calls_left = kNever;  ///< allocations that succeed before all fail
inline std::uint64_t largest_bytes = 0;    ///< asked for at once
inline std::uint64_t most_bytes = kNever;  ///< granted at once

inline constexpr std::uint8_t kUnwritten = 0xA5;

inline bool may_allocate(std::uint64_t bytes) {
  largest_bytes = std::max(largest_bytes, bytes);
  if (bytes > most_bytes) return false;
  if (calls_left == kNever) return true;
  if (calls_left == 0) return false;
  --calls_left;
  return true;
}

}  // namespace cuckoo::testing

extern "C" {
void* __real_calloc(std::size_t count, std::size_t size);
void* __wrap_calloc(std::size_t count, std::size_t size) {
  return cuckoo::testing::may_allocate(count * size) ? __real_calloc(count, size) : nullptr;
}
void* __real_malloc(std::size_t size);
void* __wrap_malloc(std::size_t size) {
  void* const memory = cuckoo::testing::may_allocate(size) ? __real_malloc(size) : nullptr;
  return memory == nullptr ? nullptr : std::memset(memory, cuckoo::testing::kUnwritten, size);
}
}
// Only the forms that cannot throw are the library's; tests allocate with the others, which never fail here.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return cuckoo::testing::may_allocate(size) ? ::operator new(size) : nullptr;
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return cuckoo::testing::may_allocate(size) ? ::operator new[](size) : nullptr;
}

namespace cuckoo::testing {

using namespace detail;

template <class AnyFilter = Filter>
AnyFilter filled() {
  AnyFilter filter = std::move(*AnyFilter::create(params_of(67, 4, 13)));
  for (std::uint64_t key = 0; key < 200; ++key) EXPECT_EQ(filter.insert(key), InsertOutcome::inserted);
  return filter;
}

/// Calls `attempt` with every number of allocations before the first that fails, until none fails; returns how many
/// failed. `attempt` returns the error. After each, `filter` must be as it was, and go on.
template <class AnyFilter, class Attempt>
int failures(AnyFilter& filter, Attempt attempt) {
  const auto before = saved(filter);
  for (int n = 0;; ++n) {
    calls_left = static_cast<std::uint64_t>(n);
    const Error error = attempt();
    calls_left = kNever;
    EXPECT_EQ(saved(filter), before);
    EXPECT_TRUE(filter.contains(std::uint64_t{7}));
    EXPECT_EQ(filter.insert(std::uint64_t{7777}), InsertOutcome::inserted);
    EXPECT_TRUE(filter.erase(std::uint64_t{7777}));
    if (error == Error::none) return n;
    EXPECT_EQ(error, Error::out_of_memory) << "at allocation " << n;
  }
}

inline Params params_to_grow() {
  Params params = params_of(67, 4, 13);
  params.reserved_bits = 3;
  params.capacity = 2000;
  return params;
}

}  // namespace cuckoo::testing
