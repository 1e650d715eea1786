// SPDX-License-Identifier: MIT
// Puts a few numbers into ascending order: std::sort is large in WebAssembly, and slow for four numbers. Invariant: no
// branch of `order` depends on a number, because nothing predicts which of two is the greater.
#pragma once

#include <cassert>
#include <cstdint>

namespace cuckoo::detail {

/// Puts two numbers below 2^63 in order.
[[gnu::always_inline]] inline void order(std::uint64_t& low, std::uint64_t& high) {
  const std::uint64_t difference = high - low;
  const std::uint64_t fall = difference & static_cast<std::uint64_t>(static_cast<std::int64_t>(difference) >> 63);
  low += fall;
  high -= fall;
}

/// Moves the element `at` to where it belongs among the first `count`, the others of which ascend in `order_of`.
/// Returns where it is then.
template <class OrderOf>
std::uint32_t move_into_order(std::uint32_t* elements, std::uint32_t at, std::uint32_t count, OrderOf order_of) {
  assert(at < count);
  const std::uint32_t moved = elements[at];
  const auto order = order_of(moved);
  for (; at > 0 && order_of(elements[at - 1]) > order; --at) elements[at] = elements[at - 1];
  for (; at + 1 < count && order_of(elements[at + 1]) < order; ++at) elements[at] = elements[at + 1];
  elements[at] = moved;
  return at;
}

}  // namespace cuckoo::detail
