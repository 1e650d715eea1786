// The memory of all buckets: m b slots of f bits, packed without gaps, slot j of bucket i at bit (i b + j) f.
// Invariant: bits past the last slot stay zero; no method reads or writes outside the table and its padding.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <span>

#include "cuckoo/bucket.h"
#include "cuckoo/error.h"

namespace cuckoo {

/// A table of fingerprints. Knows nothing of keys, hashes and homes.
class Table {
 public:
  /// An empty table, or `Error::out_of_memory`. `bucket_count` up to 2^32.
  static Result<Table> create(std::uint64_t bucket_count, BucketLayout layout) {
    Table table(bucket_count, layout);
    const std::uint64_t bytes = table.byte_count() + kTablePadding;
    if (bytes > std::numeric_limits<std::size_t>::max()) return Error::out_of_memory;
    table.bytes_.reset(static_cast<std::uint8_t*>(std::calloc(static_cast<std::size_t>(bytes), 1)));
    if (table.bytes_ == nullptr) return Error::out_of_memory;
    return table;
  }

  /// A copy of this table, or `Error::out_of_memory`.
  [[nodiscard]] Result<Table> clone() const {
    Result<Table> copy = create(bucket_count_, layout_);
    if (copy) std::memcpy(copy->bytes_.get(), bytes_.get(), static_cast<std::size_t>(byte_count()));
    return copy;
  }

  [[nodiscard]] const BucketLayout& layout() const { return layout_; }
  [[nodiscard]] std::uint64_t bucket_count() const { return bucket_count_; }
  /// Bytes that hold the slots, without padding: m b f / 8, rounded up.
  [[nodiscard]] std::uint64_t byte_count() const { return (bucket_count_ * layout_.bucket_bits + 7) / 8; }
  /// The packed slots, for saving and loading.
  [[nodiscard]] std::span<const std::uint8_t> bytes() const {
    return {bytes_.get(), static_cast<std::size_t>(byte_count())};
  }
  [[nodiscard]] std::span<std::uint8_t> bytes() { return {bytes_.get(), static_cast<std::size_t>(byte_count())}; }

  /// True if `bucket` holds `fingerprint`.
  [[nodiscard]] bool contains(std::uint64_t bucket, std::uint32_t fingerprint) const {
    return bucket_contains(layout_, bytes_.get(), bucket * layout_.bucket_bits, fingerprint);
  }
  /// The first slot of `bucket` that holds `fingerprint` (0: that is empty), or b if none does.
  [[nodiscard]] std::uint32_t find(std::uint64_t bucket, std::uint32_t fingerprint) const {
    return bucket_find(layout_, bytes_.get(), position(bucket, 0), fingerprint);
  }
  /// How many slots of `bucket` hold `fingerprint` (0: are empty).
  [[nodiscard]] std::uint32_t count(std::uint64_t bucket, std::uint32_t fingerprint) const {
    return bucket_count_of(layout_, bytes_.get(), position(bucket, 0), fingerprint);
  }
  [[nodiscard]] std::uint32_t get(std::uint64_t bucket, std::uint32_t slot) const {
    return slot_get(layout_, bytes_.get(), position(bucket, slot));
  }
  void set(std::uint64_t bucket, std::uint32_t slot, std::uint32_t fingerprint) {
    slot_set(layout_, bytes_.get(), position(bucket, slot), fingerprint);
  }
  /// Empties every slot.
  void clear() { std::memset(bytes_.get(), 0, static_cast<std::size_t>(byte_count())); }

 private:
  struct Free {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };

  Table(std::uint64_t bucket_count, BucketLayout layout) : layout_(layout), bucket_count_(bucket_count) {}

  [[nodiscard]] std::uint64_t position(std::uint64_t bucket, std::uint32_t slot) const {
    return bucket * layout_.bucket_bits + std::uint64_t{slot} * layout_.fingerprint_bits;
  }

  BucketLayout layout_;
  std::uint64_t bucket_count_ = 0;
  std::unique_ptr<std::uint8_t[], Free> bytes_;
};

}  // namespace cuckoo
