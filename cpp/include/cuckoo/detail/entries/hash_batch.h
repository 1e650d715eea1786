// SPDX-License-Identifier: MIT
// Goes through all entries of a table, some at a time, without their keys: for merges, counts and checks.
// Invariant: they come in the order in which they are saved, so equal filters are merged alike.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cuckoo/detail/entries/location.h"
#include "cuckoo/detail/entries/pending.h"
#include "cuckoo/params.h"

namespace cuckoo::detail {

/// What stands for some entries: hashes with the same candidate buckets, in this table and in every larger one, and
/// values.
class HashBatch {
 public:
  [[nodiscard]] std::span<const Hash> hashes() const { return std::span(hashes_).first(count); }
  [[nodiscard]] std::span<const std::uint32_t> values() const { return std::span(values_).first(count); }
  /// Takes the entries of the buckets from `bucket` on, as many as there is room for. Returns the next bucket.
  [[gnu::noinline]] std::uint64_t take(const Buckets& buckets, const Params& params, std::uint64_t bucket) {
    count = 0;
    for (; bucket < params.bucket_count && count + kMaxBucketSize <= kCapacity; ++bucket) {
      const Slots slots = buckets.read_sorted(bucket);
      for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
        if (slots[slot] == 0) continue;
        hashes_[count] = hash_at({static_cast<std::uint32_t>(bucket), slots[slot]}, params);
        values_[count++] = value_of(slots[slot], params);
      }
    }
    return bucket;
  }
  std::size_t count = 0;

 private:
  static constexpr std::size_t kCapacity = 256;  // a batch insert overlaps the reads of those it gets together
  std::array<Hash, kCapacity> hashes_;
  std::array<std::uint32_t, kCapacity> values_;
};

}  // namespace cuckoo::detail
