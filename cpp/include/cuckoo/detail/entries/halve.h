// SPDX-License-Identifier: MIT
// How a table is halved. Invariant: halving undoes a doubling:
// bucket j gets the entries of buckets 2 j and 2 j + 1, and an entry that finds no slot there is placed like an insert.
// All or nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>

#include "cuckoo/detail/entries/growth.h"
#include "cuckoo/detail/entries/insert.h"
#include "cuckoo/detail/entries/pending.h"
#include "cuckoo/detail/table/table.h"
#include "cuckoo/params.h"

namespace cuckoo::detail {

/// The entries of two buckets that become one, in the order in which they are saved.
struct Joined {
  std::array<std::uint32_t, 2 * kMaxBucketSize> entries;
  std::uint32_t count = 0;
};

/// The entries of buckets 2 `bucket` and 2 `bucket` + 1 of `from` (for `params`), as bucket `bucket` of `to` (for
/// `halved(params)`) holds them.
[[gnu::noinline]] inline Joined joined(const Table& from, const Params& params, const Table& to, std::uint64_t bucket) {
  const std::uint32_t top = value_at(params);
  Joined joined;
  for (std::uint32_t half = 0; half < 2; ++half) {
    const Slots slots = from.read(2 * bucket + half);
    for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
      if (slots[slot] == 0) continue;
      const std::uint32_t last = joined.count++;
      joined.entries[last] = of_whole(slots[slot], top, half);
      (void)move_entry_into_order(to.layout(), joined.entries.data(), last, joined.count);
    }
  }
  return joined;
}

/// The entries of `from`, a table for `params`, in a table for `halved(params)`; none if an entry finds no room, or if
/// there is no memory. Linear in the table's size.
inline std::optional<Buckets> halve(const Buckets& from, const Params& params) {
  assert(!from.has_work());
  const Params after = halved(params);
  Result<Table> table = Table::create(after);
  if (!table) return std::nullopt;
  Buckets half(std::move(*table));
  const std::uint32_t b = params.bucket_size;
  for (std::uint64_t bucket = 0; bucket < after.bucket_count; ++bucket) {
    const Joined both = joined(from.table(), params, half.table(), bucket);
    const std::uint32_t count = std::min(both.count, b);
    Slots slots = {};
    std::copy_n(both.entries.begin(), count, slots.data() + (b - count));
    half.table().write(bucket, slots);
  }
  for (std::uint64_t bucket = 0; bucket < after.bucket_count; ++bucket) {
    const Joined both = joined(from.table(), params, half.table(), bucket);
    for (std::uint32_t i = b; i < both.count; ++i) {
      const Candidate here = {static_cast<std::uint32_t>(bucket), both.entries[i]};
      const Location at = {here, other(here, after)};
      if (insert(half, after, Operation::insert, at).outcome != InsertOutcome::inserted) return std::nullopt;
    }
  }
  return half;
}

}  // namespace cuckoo::detail
