// SPDX-License-Identifier: MIT
// Whether an entry will find room in a table as it will be: doubled some more times, or without some entries.
// Invariant: the answer is that of such a table, because the bits of each entry tell where it goes; so it is known
// before anything changes.
#pragma once

#include <cstdint>

#include "cuckoo/detail/entries/growth.h"
#include "cuckoo/detail/entries/location.h"
#include "cuckoo/detail/entries/pending.h"
#include "cuckoo/detail/entries/search.h"
#include "cuckoo/hash/hash.h"
#include "cuckoo/params.h"

namespace cuckoo::detail {

/// The table for `now` as it will be for `later`, without the entries that are then `gone`.
struct LaterTable {
  static constexpr bool kIsShared = false;
  const Buckets& buckets;
  const Params& now;
  const Params& later;
  const Forgotten& gone;

  [[nodiscard, gnu::noinline]] Slots read(std::uint64_t bucket) const {
    const std::uint32_t doublings = now.reserved_bits - later.reserved_bits;
    Slots slots = buckets.read(bucket >> doublings);
    for (std::uint32_t i = 1; i <= doublings; ++i) {
      slots = split(slots, now.bucket_size, value_at(now) - i)[bucket >> (doublings - i) & 1];
    }
    (void)gone.take_out_of(slots, now.bucket_size);
    return slots;
  }
  [[nodiscard]] bool has_room(std::uint64_t bucket) const { return has_empty_slot(read(bucket), now.bucket_size); }
};

/// Whether an entry of `hash` would find room in the table for `now` once it has doubled until it is for `later`, and
/// without the entries that are then `gone`.
[[gnu::noinline, gnu::cold]] inline bool finds_room(const Buckets& buckets, const Params& now, const Params& later,
                                                    Hash hash, const Forgotten& gone = {}) {
  const LaterTable table{buckets, now, later, gone};
  const Location at = locate(hash, later);
  return table.has_room(at.primary.bucket) || table.has_room(at.alternate.bucket) || Search(table, later).find(at);
}

}  // namespace cuckoo::detail
