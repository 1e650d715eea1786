// An entry's way into a table: a slot of a candidate bucket, or the kick path that frees one. Invariant: without
// success every byte stays as it was.
#pragma once

#include <cstdint>

#include "cuckoo/filter/change.h"
#include "cuckoo/filter/kick_path.h"
#include "cuckoo/filter/location.h"
#include "cuckoo/filter/outcome.h"
#include "cuckoo/table/growth.h"
#include "cuckoo/table/table.h"

namespace cuckoo {

/// Slots of a candidate's bucket that hold its entry, wherever entries lie while the table doubles.
inline std::uint32_t copies_in(const Table& table, Candidate here) {
  return table.count_anywhere(here.bucket, here.entry);
}
/// The same of both candidates.
inline std::uint32_t copies_of(const Table& table, const Location& at) {
  return copies_in(table, at.primary) + (at.primary == at.alternate ? 0 : copies_in(table, at.alternate));
}

/// Whether no slot of the candidate buckets holds anything else, so that no kick makes room.
inline bool is_filled_with_copies(const Table& table, const Location& at) {
  const std::uint32_t b = table.layout().bucket_size;
  if (at.primary.bucket == at.alternate.bucket) return copies_of(table, at) == b;
  return copies_in(table, at.primary) == b && copies_in(table, at.alternate) == b;
}

/// Stores the entry of `at`, after as many kicks as are then in `kicks`.
template <class Trace>
InsertOutcome place(Table& table, const Params& params, KickPath& path, const Location& at, std::uint32_t& kicks,
                    Trace& trace) {
  if (try_place(table, at.primary, at.alternate.bucket, 0, trace)) return InsertOutcome::inserted;
  if (try_place(table, at.alternate, at.primary.bucket, 0, trace)) return InsertOutcome::inserted;
  if (is_filled_with_copies(table, at)) return InsertOutcome::too_many_copies;
  return path.walk(table, params, at, kicks, trace) ? InsertOutcome::inserted : InsertOutcome::full;
}

}  // namespace cuckoo
