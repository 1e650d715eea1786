// SPDX-License-Identifier: MIT
// How many of a filter's entries differ, read from its table, and the false positive rate that follows: nothing else
// tells whether keys were inserted each once, only if absent, or many times. Invariant: the order of the slots, a
// doubling that is under way and the storage make no difference, so a filter and its loaded copy have the same rate.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cuckoo/entries/location.h"
#include "cuckoo/entries/pending.h"
#include "cuckoo/params.h"
#include "cuckoo/rate.h"
#include "cuckoo/table/entry.h"

namespace cuckoo::detail {

/// Slots that are looked at, of a table that has more.
inline constexpr std::uint64_t kSlotsLookedAt = 1024;

/// What was found of entries that were looked at.
struct LookedAt {
  static constexpr std::uint64_t kOne = 720720;  ///< the least common multiple of 1 to 16

  std::uint64_t entries = 0;
  std::uint64_t distinct = 0;  ///< entries, each divided by how many are alike to it, itself among them; in 1 / `kOne`
  bool is_all = false;         ///< whether that is every entry
};

/// Looks at all buckets, or at as many as have `kSlotsLookedAt` slots, evenly spaced.
template <class AnyBuckets>
LookedAt look_at_entries(const AnyBuckets& table, const Params& params) {
  const std::uint64_t buckets = std::min(params.bucket_count, kSlotsLookedAt / params.bucket_size);
  LookedAt all;
  all.is_all = buckets == params.bucket_count;
  // Where entries have values, no table is met while it doubles.
  const auto alike = [&](Candidate here) {
    if (params.value_bits == 0) return table.count(here.bucket, here.entry);
    return static_cast<std::uint32_t>(std::popcount(table.table().alike(here.bucket, here.entry)));
  };
  for (std::uint64_t i = 0; i < buckets; ++i) {
    const auto bucket = static_cast<std::uint32_t>(i * params.bucket_count / buckets);
    const Slots slots = table.read(bucket);
    for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
      if (slots[slot] == 0) continue;
      const Candidate here{bucket, without_value(slots[slot], params)};
      const Candidate there = other(here, params);
      ++all.entries;
      // None where another thread erased it meanwhile.
      const std::uint32_t count = alike(here) + (here == there ? 0 : alike(there));
      all.distinct += LookedAt::kOne / std::max(count, 1u);
    }
  }
  return all;
}

/// The expected probability that a key not in the filter is found, with `size` entries in its table. Where only some
/// were looked at, it is that of random keys, each inserted once, unless what was found is three standard deviations
/// from it. What keeps entries from being all distinct has about its mean as variance, and a pair by chance is allowed.
template <class AnyBuckets>
double false_positive_rate(const AnyBuckets& table, const Params& params, std::uint64_t size) {
  const LookedAt seen = look_at_entries(table, params);
  if (seen.entries == 0 || size == 0) return false_positive_rate(params, size);
  const auto entries = static_cast<double>(seen.entries);
  const auto n = static_cast<double>(size);
  const double share = static_cast<double>(seen.distinct) / static_cast<double>(LookedAt::kOne) / entries;
  if (!seen.is_all) {
    const double expected = distinct_of(params, n).count / n;
    const double alike = entries * (1 - expected);
    const double more = entries * (1 - share) - alike;
    const double off = more > 0 ? std::max(0.0, more - 1) : more;
    if (off * off <= 9 * alike) return false_positive_rate(params, size);
  }
  return rate_of_distinct(params, n * share);
}

}  // namespace cuckoo::detail
