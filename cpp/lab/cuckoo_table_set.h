// The cuckoo hash table as one of the lab's sets: what it costs to keep whole keys. Invariant: a key is its 64-bit
// hash, so that only two keys of one hash are taken for each other.
#pragma once

#include <cstdint>
#include <utility>

#include "lab/cuckoo_hash_table.h"
#include "lab/filter.h"

namespace lab {

class CuckooTableSet {
 public:
  static constexpr std::uint32_t kBucketSize = 4;
  /// The share of slots that `capacity` keys take, below the threshold of two functions and four slots, 0.980.
  static constexpr double kMaxLoad = 0.95;
  /// Times that the functions are drawn anew for one key.
  static constexpr std::uint32_t kRehashes = 3;

  /// For `capacity` keys, from 1.
  static Result<CuckooTableSet> create(std::uint64_t capacity) {
    if (capacity < 1) return Error::out_of_range;
    const auto slots = static_cast<std::uint64_t>(static_cast<double>(capacity) / kMaxLoad) + 1;
    Result<CuckooHashTable> table = CuckooHashTable::create(
        {.bucket_count = (slots + kBucketSize - 1) / kBucketSize, .function_count = 2, .bucket_size = kBucketSize});
    if (!table) return table.error();
    return CuckooTableSet(std::move(*table), capacity);
  }

  /// False, and nothing changed, if no functions are found that place all keys.
  bool insert(Hash hash) {
    const auto key = static_cast<std::uint64_t>(hash);
    return table_.insert(key) || table_.rehash(key, kRehashes);
  }
  bool erase(Hash hash) { return table_.erase(static_cast<std::uint64_t>(hash)); }
  [[nodiscard]] bool contains(Hash hash) const { return table_.contains(static_cast<std::uint64_t>(hash)); }
  /// Tells both buckets, or the first alone if the key is there.
  template <class See>
  bool look_up(Hash hash, See see) const {
    const auto key = static_cast<std::uint64_t>(hash);
    for (std::uint32_t i = 0; i < table_.shape().function_count; ++i) {
      const std::uint64_t first = table_.bucket_of(key != 0 ? key : 1, i) * kBucketSize;
      see(8 * first, 8 * kBucketSize);
      for (std::uint64_t slot = first; slot < first + kBucketSize; ++slot) {
        if (table_.read(slot) == (key != 0 ? key : 1)) return true;
      }
    }
    return false;
  }

  [[nodiscard]] std::uint64_t size() const { return table_.size(); }
  [[nodiscard]] std::uint64_t capacity() const { return capacity_; }
  [[nodiscard]] std::uint64_t byte_count() const { return table_.byte_count(); }
  [[nodiscard]] double expected_rate() const { return 0; }

 private:
  CuckooTableSet(CuckooHashTable table, std::uint64_t capacity) : table_(std::move(table)), capacity_(capacity) {}

  CuckooHashTable table_;
  std::uint64_t capacity_;
};

}  // namespace lab
