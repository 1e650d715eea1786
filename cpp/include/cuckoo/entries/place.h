// SPDX-License-Identifier: MIT
// Changes of one slot, which inserts, kicks and erases make, each reported to a trace. Invariant: the trace sees the
// bucket before and after.
#pragma once

#include <cstdint>

#include "cuckoo/entries/location.h"
#include "cuckoo/entries/pending.h"
#include "cuckoo/table/table.h"

namespace cuckoo::detail {

/// A slot that was changed, and the slot in which the bucket's order put the new entry.
struct Change {
  std::uint32_t bucket;
  std::uint32_t slot;
  std::uint32_t settled;  ///< the same slot, in a plain bucket
  std::uint32_t before;   ///< entry that the slot held; 0 if it was empty
  std::uint32_t after;    ///< entry that took its place
};

/// Puts entry `after` into `slot` of `bucket`, which holds `before`.
template <class Trace>
Change change_slot(Table& table, std::uint32_t bucket, std::uint32_t slot, std::uint32_t before, std::uint32_t after,
                   Trace& trace) {
  trace.before_change(table, bucket);
  return {bucket, slot, table.set(bucket, slot, after), before, after};
}

/// Stores an entry in an empty slot of the bucket `here`, after `kicks` kicks; false if there is none. `other_bucket`
/// is its other candidate bucket. Always inline, because GCC would otherwise call it, and inserts would take longer.
template <class Trace>
[[gnu::always_inline]] inline bool try_place(Buckets& buckets, Candidate here, std::uint32_t other_bucket,
                                             std::uint32_t kicks, Trace& trace) {
  trace.probe(buckets.table(), here.bucket, 0);
  trace.before_change(buckets.table(), here.bucket);
  const std::uint32_t settled = buckets.insert(here.bucket, here.entry);
  const BucketLayout& layout = buckets.table().layout();
  if (settled == layout.bucket_size) return false;
  const std::uint32_t slot = layout.is_semi_sorted() ? 0 : settled;  // empty slots come first in the order
  trace.place(buckets.table(), {here.bucket, slot, settled, 0, here.entry}, other_bucket, kicks);
  return true;
}

}  // namespace cuckoo::detail
