// Merges one filter whose entries have values into another, without needing the keys. Invariant: all or nothing, as in
// filter/merge.h, whose rules these are. What becomes of a value that both have, the class says.
#pragma once

#include <cstdint>
#include <utility>

#include "cuckoo/filter/merge.h"
#include "cuckoo/variants/valued.h"

namespace cuckoo {

/// Has `into` absorb every entry of `from`: a value of a key is added to those it has, a count to its count. `into` is
/// unchanged if this fails: `full` or `too_many_copies` if an entry does not fit, `Error::out_of_range` if there is a
/// `field_that_differs`, and `Error::out_of_memory`. A filter may be merged into itself. Linear in the table and the
/// number of entries. While it runs, memory holds a second table.
template <class Valued>
Result<InsertOutcome> merge_valued(Valued& into, const Valued& from) {
  if (const Field field = field_that_differs(into, from); field != Field::none) return {Error::out_of_range, field};
  Result<Valued> merged = into.clone();
  if (!merged) return merged.error();
  merged->trace() = into.trace();  // counts go on
  merge_detail::grow_like(*merged, from);
  const Params& params = from.params();
  const BucketLayout layout(params);
  for (std::uint64_t bucket = 0; bucket < params.bucket_count; ++bucket) {
    const Slots slots = read_settled(from.table(), layout, bucket);
    for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
      if (slots[slot] == 0) continue;
      const Hash hash = hash_at({static_cast<std::uint32_t>(bucket), slots[slot]}, params);
      const InsertOutcome outcome = merged->absorb(hash, value_of(slots[slot], params));
      if (outcome != InsertOutcome::inserted) return outcome;
    }
  }
  into = std::move(*merged);
  return InsertOutcome::inserted;
}

}  // namespace cuckoo
