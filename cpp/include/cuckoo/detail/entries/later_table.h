// SPDX-License-Identifier: MIT
// Whether an entry will find room in a table as it will be: doubled some more times, or without some entries.
// Invariant: the answer is that of such a table, because the bits of each entry tell where it goes; so it is known
// before anything changes.
#pragma once

#include <cstdint>

#include "cuckoo/detail/entries/growth.h"
#include "cuckoo/detail/entries/location.h"
#include "cuckoo/detail/entries/search.h"
#include "cuckoo/detail/table/table.h"
#include "cuckoo/params.h"

namespace cuckoo::detail {

/// The entries that `bucket` will hold once `table`, which is for `now`, has doubled until it is for `later`.
inline Slots read_doubled(const Table& table, const Params& now, const Params& later, std::uint64_t bucket) {
  const std::uint32_t doublings = now.reserved_bits - later.reserved_bits;
  Slots slots = table.read(bucket >> doublings);
  for (std::uint32_t i = 1; i <= doublings; ++i) {
    slots = split(slots, now.bucket_size, value_at(now) - i)[bucket >> (doublings - i) & 1];
  }
  return slots;
}

/// A table of which only `Slots slots_of(bucket)` is known.
template <class SlotsOf>
struct LaterTable {
  static constexpr bool kIsShared = false;
  SlotsOf slots_of;
  std::uint32_t bucket_size;

  [[nodiscard, gnu::noinline]] Slots read(std::uint64_t bucket) const { return slots_of(bucket); }
  [[nodiscard]] bool has_room(std::uint64_t bucket) const { return has_empty_slot(read(bucket), bucket_size); }
};

/// Whether an insert of the entry of `at` would find room in a table for `params`. `slots_of(bucket)` gives what a
/// bucket of that table holds.
template <class SlotsOf>
[[gnu::noinline, gnu::cold]] bool finds_room(const Params& params, const Location& at, SlotsOf slots_of) {
  const LaterTable<SlotsOf> table{slots_of, params.bucket_size};
  return table.has_room(at.primary.bucket) || table.has_room(at.alternate.bucket) || Search(table, params).find(at);
}

}  // namespace cuckoo::detail
