// Merges one filter into another without needing the keys: each fingerprint is inserted again, from the bucket it lies
// in. Invariant: all or nothing. The inserts are made on a copy, so the filter is unchanged if one of them fails; the
// other filter never changes. The result finds every key that either filter found.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "cuckoo/filter/filter.h"

namespace cuckoo {

/// Fingerprints handed over at once; a batch insert overlaps the reads of those it gets together.
inline constexpr std::size_t kHandful = 256;

/// Inserts every fingerprint of `from`, another filter, into `into`, until one fails. They come in the order in which
/// they are saved, so that equal filters are merged alike. Where their keys lie may differ in that candidate buckets in
/// `into` are leading bits of those in `from`.
template <class Trace>
InsertOutcome copy_entries(Filter<Trace>& into, const Filter<Trace>& from, bool only_if_absent) {
  std::array<Hash, kHandful> hashes;
  std::array<std::uint8_t, kHandful> is_new;
  std::size_t count = 0;
  const auto hand_over = [&] {
    const std::span<const Hash> all(hashes.data(), std::exchange(count, 0));
    return (only_if_absent ? into.insert_many_if_absent(all, is_new) : into.insert_many(all)).outcome;
  };
  const Params& params = from.params();
  const BucketLayout layout(params);
  for (std::uint64_t bucket = 0; bucket < params.bucket_count; ++bucket) {
    const Slots slots = read_settled(from.table(), layout, bucket);
    for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
      if (slots[slot] != 0) hashes[count++] = hash_at({static_cast<std::uint32_t>(bucket), slots[slot]}, params);
    }
    if (count + kMaxBucketSize <= kHandful) continue;
    if (const InsertOutcome outcome = hand_over(); outcome != InsertOutcome::inserted) return outcome;
  }
  return hand_over();
}

namespace merge_detail {

/// Doubles the table of `into` until it has as many buckets as that of `from`, whose entries come in the order of their
/// buckets: in a far smaller table they would crowd the first buckets while the others are empty, and find no room.
template <class AnyFilter>
void grow_like(AnyFilter& into, const AnyFilter& from) {
  while (into.params().bucket_count < from.params().bucket_count && into.grow()) {
  }
}

/// Where the traced inserts had no memory for a doubling that those into the copy `merged` had: `into` becomes the
/// copy, and the trace tells of its doublings, whose reset says that all is to be read anew.
template <class Trace>
void take_grown(Filter<Trace>& into, Filter<Trace> merged) {
  merged.trace() = std::move(into.trace());
  for (Params stage = into.params(); stage.reserved_bits > merged.params().reserved_bits;) {
    stage = doubled(stage);
    merged.trace().begin(Operation::grow, Hash{0}, merged.size());
    merged.trace().reset(Operation::grow, stage);
    merged.trace().end(Operation::grow, 1, 0, merged.size(), 0);
  }
  into = std::move(merged);
}

}  // namespace merge_detail

/// The first parameter whose difference keeps one filter from being merged into the other, or `Field::none`. The
/// filters must agree on what keys hash to, and on where that lies once both tables have grown. Capacity, `max_kicks`,
/// storage and the number of doublings so far may differ. But a plan for another capacity or `max_kicks` often has
/// another bucket count.
template <class AnyFilter>
Field field_that_differs(const AnyFilter& one, const AnyFilter& other) {
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

/// Inserts every fingerprint of `from` into `into`. A key then has as many copies as it had in both, and each may be
/// erased. With `only_if_absent`, inserts only those that are not found; do not `erase` from such a filter, because
/// keys may share entries. `into` is unchanged if this fails: `full` or `too_many_copies` if one does not fit,
/// `Error::out_of_range` if there is a `field_that_differs`, and `Error::out_of_memory`. A filter may be merged into
/// itself. Linear in the table and the number of fingerprints. While it runs, memory holds a second table.
template <class Trace>
Result<InsertOutcome> merge(Filter<Trace>& into, const Filter<Trace>& from, bool only_if_absent = false) {
  if (const Field field = field_that_differs(into, from); field != Field::none) return {Error::out_of_range, field};
  Result<Filter<Trace>> merged = into.clone();
  if (!merged) return merged.error();
  if constexpr (!Trace::kSeesLookups) merged->trace() = into.trace();  // nothing, or counts, which go on
  merge_detail::grow_like(*merged, from);
  const InsertOutcome outcome = copy_entries(*merged, from, only_if_absent);
  if (outcome != InsertOutcome::inserted) return outcome;
  if constexpr (!Trace::kSeesLookups) {
    into = std::move(*merged);
  } else {
    // What is traced are ordinary inserts: the same once more, out of a copy as `from` may be `into`. A merge that
    // fails is not traced.
    const Result<Filter<Trace>> source = from.clone();
    if (!source) return source.error();
    merge_detail::grow_like(into, *source);
    if (copy_entries(into, *source, only_if_absent) == InsertOutcome::inserted) return outcome;
    merge_detail::take_grown(into, std::move(*merged));
  }
  return InsertOutcome::inserted;
}

}  // namespace cuckoo
