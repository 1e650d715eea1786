// Merges one filter into another without needing the keys: each entry is inserted again, from the bucket it lies in.
// Invariant: all or nothing. The inserts are made on a copy, so the filter is unchanged if one of them fails; the other
// filter never changes. The result finds every key that either filter found;
// of expiring filters, those of the periods that both remember, unless the oldest are forgotten to make room.
#pragma once

#include <cstdint>
#include <utility>

#include "cuckoo/entries/entries.h"
#include "cuckoo/error.h"
#include "cuckoo/params.h"

namespace cuckoo {

/// The first parameter whose difference keeps one filter from being merged into the other, or `Field::none`. The
/// filters must agree on what keys hash to, and on where that lies once both tables have grown. Capacity, `max_kicks`,
/// storage and the number of doublings so far may differ. But a plan for another capacity or `max_kicks` often has
/// another bucket count.
template <class AnyFilter>
Field parameter_that_differs(const AnyFilter& one, const AnyFilter& other) {
  const Params& a = one.params();
  const Params& b = other.params();
  if (grown_bucket_count(a) != grown_bucket_count(b)) return Field::bucket_count;
  if (a.bucket_size != b.bucket_size) return Field::bucket_size;
  if (a.fingerprint_bits != b.fingerprint_bits || a.spared_quarters != b.spared_quarters) {
    return Field::fingerprint_bits;
  }
  if (a.value_bits != b.value_bits) return Field::value_bits;
  if (a.addressing != b.addressing) return Field::addressing;
  if (a.hash != b.hash) return Field::hash;
  if (a.seed != b.seed) return Field::seed;
  return one.hasher() == other.hasher() ? Field::none : Field::hash;  // under another secret key
}
/// The same, with what a class asks for besides.
template <class AnyFilter>
Field field_that_differs(const AnyFilter& one, const AnyFilter& other) {
  return parameter_that_differs(one, other);
}

/// Adds every entry of `from` to `into`. A key then has as many copies as it had in both, and each may be erased; a
/// value of a key is added to those it has, a count to its count. With `only_if_absent`, which `Filter` takes, only
/// entries that are not found are inserted; do not `erase` from such a filter, because keys may share entries. `into`
/// is unchanged if this fails: `full` or `too_many_copies` if an entry does not fit, `Error::out_of_range` if there is
/// a `field_that_differs`, and `Error::out_of_memory`. A filter may be merged into itself. Linear in the table and the
/// number of entries. While it runs, memory holds a second table.
template <class AnyFilter, class... How>
Result<InsertOutcome> merge(AnyFilter& into, const AnyFilter& from, How... only_if_absent) {
  if (const Field field = field_that_differs(into, from); field != Field::none) return {Error::out_of_range, field};
  Result<AnyFilter> merged = into.clone();
  if (!merged) return merged.error();
  merged->trace().count_on(into.trace());
  merged->entries().grow_like(from.entries());
  Handful some;
  for (std::uint64_t bucket = 0; bucket < from.params().bucket_count;) {
    bucket = from.entries().take_handful(bucket, some);
    const InsertOutcome outcome = merged->absorb(from, some, only_if_absent...);
    if (outcome != InsertOutcome::inserted) return outcome;
  }
  merged->entries().take_log(into.entries());
  into = std::move(*merged);
  return InsertOutcome::inserted;
}

}  // namespace cuckoo
