// SPDX-License-Identifier: MIT
// The periods of an expiring filter: which is current, which are remembered, and the values that stand for them.
// Invariant: no two of N successive periods have the same value, so one of these periods and a value identify a period.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>

#include "cuckoo/filters/table_filter.h"

namespace cuckoo::detail {

/// How many bits the values of `periods` periods take; `periods` is 1 or more.
inline std::uint32_t period_bits(std::uint32_t periods) {
  assert(periods >= 1);
  return static_cast<std::uint32_t>(std::bit_width(periods - 1));
}

/// Periods have numbers that only rise, so that the oldest remembered one has a number as well.
struct Periods {
  explicit Periods(std::uint32_t n) : count(n), now(n) {}
  explicit Periods(const Extension& saved)
      : count(saved.last_period + 1u),
        current(saved.current_period),
        now(std::uint64_t{count} + current),
        since(now - saved.last_period + saved.forgotten),
        has_clock(saved.has_clock != 0),
        clock(saved.clock) {}

  [[nodiscard]] Extension extension() const {
    return {.kind = ValueKind::periods,
            .last_period = static_cast<std::uint8_t>(count - 1),
            .forgotten = static_cast<std::uint8_t>(count - remembered()),
            .current_period = current,
            .has_clock = has_clock ? 1u : 0u,
            .clock = clock};
  }

  /// Begins the next period, or as many as have passed; after N, nothing is left to forget. `since` stays.
  void begin(std::uint64_t passed) {
    now += std::min<std::uint64_t>(passed, count);
    current = value_of(now);
    has_clock = has_clock && passed == 0;
    clock += passed;
  }

  /// Whether the current period is that of `other`.
  [[nodiscard]] bool is_at(const Periods& other) const { return has_clock == other.has_clock && clock == other.clock; }
  /// The value of a period, by its number.
  [[nodiscard]] std::uint32_t value_of(std::uint64_t period) const {
    return static_cast<std::uint32_t>(period % count);
  }
  /// How many periods ago the period with this value was: from 0 to N - 1.
  [[nodiscard]] std::uint32_t age(std::uint32_t value) const {
    return current >= value ? current - value : current + count - value;
  }
  /// The oldest of `remembered` periods, up to the current one.
  [[nodiscard]] std::uint64_t oldest_of(std::uint32_t remembered) const { return now - remembered + 1; }
  [[nodiscard]] std::uint32_t remembered() const { return static_cast<std::uint32_t>(now - since + 1); }

  std::uint32_t count;        ///< N
  std::uint32_t current = 0;  ///< the value of the current period: what is seen now has it
  std::uint64_t now;          ///< the current period
  std::uint64_t since = 1;    ///< the oldest that is remembered: at most N - 1 before `now`
  bool has_clock = false;     ///< whether periods follow a clock of the caller
  std::uint64_t clock = 0;    ///< when the current period began, by that clock; else how many began before it
};

}  // namespace cuckoo::detail
