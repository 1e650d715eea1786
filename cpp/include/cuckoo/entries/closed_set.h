// SPDX-License-Identifier: MIT
// Finds inserts that no kick can help: those whose candidate buckets hold only alike entries, or belong to a set of
// full buckets that no entry leads out of. Invariant: an insert that is refused here would be refused after any number
// of kicks.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

#include "cuckoo/entries/location.h"
#include "cuckoo/entries/pending.h"
#include "cuckoo/params.h"

namespace cuckoo::detail {

/// Whether every slot of the candidate buckets holds an entry alike to that of `at`.
template <class AnyBuckets>
[[gnu::noinline, gnu::cold]] bool is_filled_with_alike(const AnyBuckets& buckets, const Params& params,
                                                       const Location& at) {
  const auto alike = [&](Candidate here) {
    return buckets.table().alike(here.bucket, without_value(here.entry, params));
  };
  const std::uint32_t in_primary = alike(at.primary);
  const std::uint32_t in_alternate = alike(at.alternate);
  const bool is_one_bucket = at.primary.bucket == at.alternate.bucket;
  return (is_one_bucket ? in_primary | in_alternate : in_primary & in_alternate) == (1u << params.bucket_size) - 1;
}

/// One bucket number for each slot of a bucket; elements past the bucket size are not used. The numbers have 64 bits:
/// with 32, GCC vectorizes the loop below, and inserts take longer.
using BucketNumbers = std::array<std::uint64_t, kMaxBucketSize>;

/// The other candidate buckets of the entries in `bucket`.
inline BucketNumbers other_buckets(std::uint64_t bucket, const Slots& slots, const Params& params) {
  BucketNumbers others;
  // Two loops, because a choice inside would make inserts slower: an entry without payload is a fingerprint.
  if (slot_bits(params) == params.fingerprint_bits) {
    for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
      others[slot] = alternate_bucket(bucket, slots[slot], params.addressing, params.bucket_count);
    }
  } else {
    for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
      others[slot] = other({static_cast<std::uint32_t>(bucket), slots[slot]}, params).bucket;
    }
  }
  return others;
}

/// The same, made ready to be read.
template <class AnyBuckets>
BucketNumbers ready_others(AnyBuckets& buckets, std::uint64_t bucket, const Slots& slots, const Params& params) {
  const BucketNumbers others = other_buckets(bucket, slots, params);
  for (std::uint32_t slot = 0; buckets.has_work() && slot < params.bucket_size; ++slot) buckets.ready(others[slot]);
  return others;
}

/// The most buckets that a closed set may have to be found; see `is_closed`.
inline constexpr std::uint32_t kMostClosed = 64;

/// The buckets met so far, each once: a hash table that is at most half full.
class MetBuckets {
 public:
  [[nodiscard]] std::uint32_t count() const { return count_; }
  std::uint32_t operator[](std::uint32_t i) const { return buckets_[i]; }

  /// Adds `bucket`; false if there is no room for it.
  bool meet(std::uint32_t bucket) {
    std::uint32_t at = bucket * 0x9E3779B1u >> 25;
    for (; hashed_[at] != 0; at = (at + 1) % kHashed) {
      if (buckets_[hashed_[at] - 1u] == bucket) return true;
    }
    if (count_ == kMostClosed) return false;
    buckets_[count_] = bucket;
    hashed_[at] = static_cast<std::uint8_t>(++count_);
    return true;
  }

 private:
  std::array<std::uint32_t, kMostClosed> buckets_;
  static constexpr std::uint32_t kHashed = 2 * kMostClosed;
  std::array<std::uint8_t, kHashed> hashed_{};  ///< 0, or 1 more than the index of a bucket
  std::uint32_t count_ = 0;
};

/// True if no kick path from `incoming` can find an empty slot, even once the table has doubled `doublings` more times.
/// That is so if the entries in its candidate buckets, those in their other candidate buckets, and so on, are all in at
/// most `kMostClosed` buckets without an empty slot: kicks move entries around among these, but none out. Searches
/// breadth first, and ends at the first empty slot. If doublings are given, the table has no pending work: the bits of
/// its entries tell where they will be.
template <class AnyBuckets>
[[gnu::noinline, gnu::cold]] bool is_closed(AnyBuckets& buckets, const Params& params, Candidate incoming,
                                            std::uint32_t doublings = 0) {
  assert(doublings <= params.reserved_bits && (doublings == 0 || !buckets.has_work()));
  const std::uint32_t left = params.reserved_bits - doublings;
  MetBuckets met;
  // Adds the other bucket of an entry whose bucket will finally be `grown`.
  const auto meet_other = [&](std::uint64_t grown, std::uint32_t entry) {
    const std::uint64_t other =
        alternate_bucket(grown, fingerprint_of(entry, params), params.addressing, grown_bucket_count(params));
    return met.meet(static_cast<std::uint32_t>(other >> left));
  };
  const std::uint64_t first = grown_bucket(incoming, params);
  met.meet(static_cast<std::uint32_t>(first >> left));
  meet_other(first, incoming.entry);
  for (std::uint32_t i = 0; i < met.count(); ++i) {
    const std::uint32_t bucket = met[i] >> doublings;
    buckets.ready(bucket);
    if (doublings == 0 && buckets.has_room(bucket)) return false;
    const Slots slots = buckets.table().read(bucket);
    std::uint32_t used = 0;
    for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
      const std::uint64_t grown = grown_bucket({bucket, slots[slot]}, params);
      if (slots[slot] == 0 || grown >> left != met[i]) continue;
      ++used;
      if (params.max_kicks > 0 && !meet_other(grown, slots[slot])) return false;
    }
    if (used < params.bucket_size) return false;
  }
  return true;
}

}  // namespace cuckoo::detail
