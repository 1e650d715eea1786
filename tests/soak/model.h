// The exact model that the soak compares a filter with, fast enough for a billion operations: a hash table instead of
// the map of multiset.h, plus the probability that an absent key is found.
// Invariant: `found_probability` is exact for the fingerprints stored now, so false positives can be counted against
// it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "cuckoo/detail/entries/location.h"

namespace cuckoo::testing {

using namespace detail;

/// A multiset of (fingerprint, unordered pair of candidate buckets), by linear probing in a table that is never more
/// than half full.
class FastMultiset {
 public:
  explicit FastMultiset(const Params& params)
      : params_(params), entries_(std::bit_ceil(2 * slot_count(params) + 2)), mask_(entries_.size() - 1) {}

  [[nodiscard]] std::uint32_t count(Hash hash) const { return entries_[find(id(locate(hash, params_)))].copies; }

  void insert(Hash hash) {
    const Location at = locate(hash, params_);
    Entry& entry = entries_[find(id(at))];
    if (entry.copies++ == 0) {
      entry.id = id(at);
      found_ += weight(at);
    }
    ++size_;
  }

  bool erase(Hash hash) {
    const Location at = locate(hash, params_);
    const std::size_t found = find(id(at));
    if (entries_[found].copies == 0) return false;
    --size_;
    if (--entries_[found].copies != 0) return true;
    found_ -= weight(at);
    close_gap(found);
    return true;
  }

  void clear() {
    std::fill(entries_.begin(), entries_.end(), Entry{});
    size_ = 0;
    found_ = 0;
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// The probability that a key with a random hash is found: the sum over what is stored of the probabilities that the
  /// key has this fingerprint (1 / F; 2 / F for fingerprint 1) and one of these candidate buckets first (2 / m; 1 / m
  /// if they coincide).
  [[nodiscard]] double found_probability() const {
    return static_cast<double>(found_) / static_cast<double>(fingerprint_count(params_)) /
           static_cast<double>(params_.bucket_count);
  }

 private:
  struct Entry {
    std::uint64_t id = 0;
    std::uint32_t copies = 0;  ///< 0: the place is free
  };

  static std::uint64_t id(const Location& at) {
    return std::uint64_t{at.primary.entry} << 32 | std::min(at.primary.bucket, at.alternate.bucket);
  }
  static std::uint64_t weight(const Location& at) {
    return (at.primary.entry == 1 ? 2 : 1) * (at.primary.bucket == at.alternate.bucket ? 1 : 2);
  }
  [[nodiscard]] std::size_t place(std::uint64_t id) const { return (id * 0x9E3779B97F4A7C15u >> 24) & mask_; }

  /// Where `id` is, or the free place where it belongs.
  [[nodiscard]] std::size_t find(std::uint64_t id) const {
    std::size_t at = place(id);
    while (entries_[at].copies != 0 && entries_[at].id != id) at = (at + 1) & mask_;
    return at;
  }

  /// Moves up what probing would no longer reach past the freed place `gap` (Knuth, volume 3, 6.4, algorithm R).
  void close_gap(std::size_t gap) {
    for (std::size_t at = (gap + 1) & mask_; entries_[at].copies != 0; at = (at + 1) & mask_) {
      if (((at - place(entries_[at].id)) & mask_) < ((at - gap) & mask_)) continue;
      entries_[gap] = entries_[at];
      gap = at;
    }
    entries_[gap] = Entry{};
  }

  Params params_;
  std::vector<Entry> entries_;
  std::size_t mask_;
  std::uint64_t size_ = 0;
  std::uint64_t found_ = 0;  ///< sum of the weights
};

}  // namespace cuckoo::testing
