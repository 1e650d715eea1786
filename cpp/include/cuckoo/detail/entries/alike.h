// SPDX-License-Identifier: MIT
// Finds the entries that differ from that of a hash only in their values. Invariant: a forgotten entry is never among
// them, whether or not it has been swept out.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "cuckoo/detail/entries/location.h"
#include "cuckoo/detail/entries/pending.h"
#include "cuckoo/detail/table/table.h"

namespace cuckoo::detail {

/// An entry, and where it lies.
struct FoundEntry {
  std::uint32_t bucket;
  std::uint32_t slot;
  std::uint32_t entry;
};

/// Calls `act(entry)` for each entry in the given slots (one bit each) of the bucket `here`, until it returns true.
/// Returns whether it did.
template <class Act>
bool visit_slots(const Buckets& buckets, std::uint32_t slots, Candidate here, Act& act) {
  for (; slots != 0; slots &= slots - 1) {
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(slots));
    const FoundEntry it{here.bucket, slot, buckets.table().get_alike(here.bucket, slot, here.entry)};
    if (!buckets.is_forgotten(here.bucket, it.entry) && act(it)) return true;
  }
  return false;
}

/// The same for each entry that is alike to the one that belongs `at` these candidates.
template <class Act>
bool visit_alike(const Buckets& buckets, const Location& at, Act& act) {
  assert(!buckets.has(Work::moving));
  const Table& table = buckets.table();
  // Both are always read, because which one holds an entry cannot be predicted.
  const std::uint32_t in_primary = table.alike(at.primary.bucket, at.primary.entry);
  const std::uint32_t in_alternate = table.alike(at.alternate.bucket, at.alternate.entry);
  if ((in_primary | in_alternate) == 0) return false;
  return visit_slots(buckets, in_primary, at.primary, act) ||
         (at.primary != at.alternate && visit_slots(buckets, in_alternate, at.alternate, act));
}

}  // namespace cuckoo::detail
