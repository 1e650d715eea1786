// SPDX-License-Identifier: MIT
// How an entry gets into a table, of every kind: into its primary bucket or its alternate one; else a path is searched
// and made. Whether the table then grows, detail/entries/entries.h decides.
// Invariant: an insert that is refused loses no entry, and in a table that threads do not share, it changes none,
// because a path is made only once it is whole.
#pragma once

#include <concepts>
#include <cstdint>

#include "cuckoo/detail/entries/location.h"
#include "cuckoo/detail/entries/search.h"
#include "cuckoo/entries/outcome.h"
#include "cuckoo/params.h"

namespace cuckoo::detail {

/// What an insert asks of a table.
template <class AnyTable>
concept InsertableTable = SearchableTable<AnyTable> &&
    requires(AnyTable& table, Operation operation, const Location& at, Candidate here, std::uint64_t bucket,
             std::uint32_t entry) {
  /// Puts the entry into an empty slot of its primary bucket, or else of its alternate one. `full` if both are;
  /// `present` if the operation is `insert_if_absent`, and an alike entry is in one of them.
  { table.store_directly(operation, at) } -> std::same_as<InsertOutcome>;
  /// The slots of a bucket, a bit each, whose entries differ from `entry` at most in their values.
  { table.alike(bucket, entry) } -> std::same_as<std::uint32_t>;
  /// Keeps other threads from making paths as long as what it returns lives, if that is true.
  {static_cast<bool>(table.begin_kicks())};
  /// Puts the entry into a slot of its bucket; false if none is empty any more.
  { table.insert(here) } -> std::same_as<bool>;
  /// Puts the third into the slot of the second. False if the second is gone: then the copy that the kick before this
  /// one made of it is taken out again.
  { table.replace(bucket, entry, entry) } -> std::same_as<bool>;
};

/// What became of an insert, and how many kicks it took.
struct Stored {
  InsertOutcome outcome;
  std::uint32_t kicks = 0;
};

/// Whether every slot of the candidate buckets holds an entry alike to that of `at`: then no kick can help.
template <class AnyTable>
[[gnu::noinline, gnu::cold]] bool is_filled_with_alike(const AnyTable& table, const Params& params,
                                                       const Location& at) {
  const auto alike = [&](Candidate here) { return table.alike(here.bucket, without_value(here.entry, params)); };
  const std::uint32_t in_primary = alike(at.primary);
  const std::uint32_t in_alternate = alike(at.alternate);
  const bool is_one_bucket = at.primary.bucket == at.alternate.bucket;
  return (is_one_bucket ? in_primary | in_alternate : in_primary & in_alternate) == (1u << params.bucket_size) - 1;
}

/// Whether each victim is still in its bucket. While nobody else makes kicks, the path is then as good as a new one.
template <InsertableTable AnyTable>
bool holds(const AnyTable& table, const Search<AnyTable>& path) {
  return path.each_kick([&](const Kick& kick) { return table.alike(kick.bucket, kick.victim) != 0; });
}

/// Makes the path that was found. False if another thread was in its way: then the entry is not in.
template <InsertableTable AnyTable>
bool make(AnyTable& table, const Search<AnyTable>& path) {
  return table.insert(path.end()) &&
         path.each_kick([&](const Kick& kick) { return table.replace(kick.bucket, kick.victim, kick.incoming); });
}

/// Stores the entry that belongs `at` two full buckets.
template <InsertableTable AnyTable>
[[gnu::noinline]] Stored insert_by_kicks(AnyTable& table, const Params& params, Operation operation,
                                         const Location& at) {
  Search<AnyTable> search(table, params);
  // Where threads share the table, they search before they have the lock, as most of the time goes into that.
  bool is_found = AnyTable::kIsShared && search.find(at);
  const auto turn = table.begin_kicks();
  if (!turn) return {InsertOutcome::busy};
  for (is_found = is_found && holds(table, search);; is_found = false) {
    if constexpr (AnyTable::kIsShared) {
      // Somebody may have made room since, or stored the same hash.
      const InsertOutcome outcome = table.store_directly(operation, at);
      if (outcome != InsertOutcome::full) return {outcome};
    }
    if (!is_found && !search.find(at)) {
      return {is_filled_with_alike(table, params, at) ? InsertOutcome::too_many_copies : InsertOutcome::full};
    }
    if (make(table, search)) return {InsertOutcome::inserted, search.size()};
  }
}

/// Stores the entry that belongs `at` these candidates, by this operation.
template <InsertableTable AnyTable>
[[gnu::always_inline]] inline Stored insert(AnyTable& table, const Params& params, Operation operation,
                                            const Location& at) {
  const InsertOutcome outcome = table.store_directly(operation, at);
  if (outcome != InsertOutcome::full) [[likely]]
    return {outcome};
  return insert_by_kicks(table, params, operation, at);
}

/// Whether an insert found no room.
inline bool is_refused(InsertOutcome outcome) {
  return outcome == InsertOutcome::full || outcome == InsertOutcome::too_many_copies;
}

}  // namespace cuckoo::detail
