// SPDX-License-Identifier: MIT
// Estimates from a filter's table how many of its entries differ, and the false positive rate that follows. Only the
// table tells whether keys were inserted once each, only if absent, or many times. Invariant: the order of slots, a
// doubling in progress and the storage make no difference, so a filter and its loaded copy have the same rate.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cuckoo/detail/entries/location.h"
#include "cuckoo/detail/entries/pending.h"
#include "cuckoo/detail/table/entry.h"
#include "cuckoo/params.h"
#include "cuckoo/rate.h"

namespace cuckoo::detail {

/// How many slots are looked at in a larger table.
inline constexpr std::uint64_t kSlotsLookedAt = 1024;

/// What was found by looking at entries.
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
  // A table whose entries have values never doubles step by step.
  const auto alike = [&](Candidate here) {
    if (params.value_bits == 0) return table.count(here.bucket, here.entry);
    return static_cast<std::uint32_t>(std::popcount(table.alike(here.bucket, here.entry)));
  };
  for (std::uint64_t i = 0; i < buckets; ++i) {
    const auto bucket = static_cast<std::uint32_t>(i * params.bucket_count / buckets);
    const Slots slots = table.read(bucket);
    for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
      if (slots[slot] == 0) continue;
      const Candidate here{bucket, without_value(slots[slot], params)};
      const Candidate there = other(here, params);
      ++all.entries;
      // 0 if another thread has erased it in between.
      const std::uint32_t count = alike(here) + (here == there ? 0 : alike(there));
      all.distinct += LookedAt::kOne / std::max(count, 1u);
    }
  }
  return all;
}

/// The expected probability that an absent key is found, with `size` entries in the table. If only some entries were
/// looked at, it is the rate for random keys that were inserted once each, unless the sample is three standard
/// deviations away from that. The number of entries that are not distinct has about its mean as its variance, and one
/// pair by chance is allowed.
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
