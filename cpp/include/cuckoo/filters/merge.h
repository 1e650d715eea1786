// SPDX-License-Identifier: MIT
// Merges one filter into another without needing the keys: each entry is inserted again, from the bucket it lies in.
// Invariant: all or nothing. The inserts are made on a copy, so the filter is unchanged if one of them fails; the other
// filter never changes. The result finds every key that either filter found. Expiring filters keep only the periods
// that both remember, and may forget the oldest to make room.
#pragma once

#include <cstdint>
#include <utility>

#include "cuckoo/detail/entries/entries.h"
#include "cuckoo/error.h"
#include "cuckoo/filters/table_filter.h"
#include "cuckoo/params.h"

namespace cuckoo {

namespace detail {

/// Adds every entry of `from` to a copy of `into`, which replaces `into` once all are in. If it `grows`, the copy first
/// grows to the size of the other table, if it can: otherwise entries that come in the order of their buckets would
/// crowd the first buckets of a much smaller table.
template <class AnyFilter, class... Flag>
Result<InsertOutcome> merge_alike(AnyFilter& into, const AnyFilter& from, bool grows, Flag... only_if_absent) {
  Result<AnyFilter> merged = into.clone();
  if (!merged) return merged.error();
  merged->watch().count_on(into.watch());
  while (grows && merged->params().bucket_count < from.params().bucket_count && merged->grow()) {
  }
  InsertOutcome outcome = InsertOutcome::inserted;
  (void)Access::entries(from).each_batch([&](const HashBatch& some) {
    outcome = Access::absorb(*merged, from, some, only_if_absent...);
    return outcome == InsertOutcome::inserted;
  });
  if (outcome != InsertOutcome::inserted) return outcome;
  merged->watch().end_merge(std::move(into.watch()), into.size(), merged->size());
  into = std::move(*merged);
  return InsertOutcome::inserted;
}

}  // namespace detail

/// Adds every entry of `from` to `into`. A key then has as many copies as it had in both together, and each may be
/// erased; its values are those from both, and its counts add up. `only_if_absent` is one `bool` for `Filter`, and
/// nothing for the other classes: if it is true, only entries that are not found are inserted; do not `erase` from such
/// a filter, because keys may share entries. If this fails, `into` is unchanged. The failures are `full` or
/// `too_many_copies` if an entry does not fit, `Error::different` if the filters differ in a parameter that must be the
/// same (`field` of the result names it), and `Error::out_of_memory`. A filter may be merged into itself. Linear in the
/// table's size and the number of entries. While it runs, memory holds a second table.
template <class AnyFilter, class... Flag>
Result<InsertOutcome> merge(AnyFilter& into, const AnyFilter& from, Flag... only_if_absent) {
  const Field field = detail::Access::field_that_differs(into, from);
  if (field != Field::none) return {Error::different, field};
  return detail::merge_alike(into, from, true, only_if_absent...);
}

}  // namespace cuckoo
