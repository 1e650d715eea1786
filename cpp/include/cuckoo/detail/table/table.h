// SPDX-License-Identifier: MIT
// The memory of all buckets, packed without gaps: bucket i begins at bit i times the bits of a bucket.
// Invariant: bits past the last bucket stay zero; no method reads or writes outside the table and its padding.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <span>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "cuckoo/detail/table/bucket.h"
#include "cuckoo/error.h"

namespace cuckoo::detail {

/// Memory as `malloc` gives it.
struct Free {
  void operator()(std::uint8_t* bytes) const { std::free(bytes); }
};
using Bytes = std::unique_ptr<std::uint8_t[], Free>;

/// Lookups in a large table wait for the pages' addresses as much as for their content; huge pages have few addresses.
/// A request to the system, which may ignore it.
inline void ask_for_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t length) {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  if (length < 2 * kHugePage) return;  // it may lie across the boundaries of a page
  const std::size_t before = (0 - reinterpret_cast<std::uintptr_t>(memory)) % kHugePage;
  (void)madvise(static_cast<std::uint8_t*>(memory) + before, (length - before) / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
}

/// A table of entries, plain or semi-sorted. Knows nothing of keys, hashes and candidates.
class Table {
 public:
  /// No table: it may only be assigned to, like a moved-from table.
  Table() = default;
  // Out of line: many functions move tables.
  [[gnu::noinline]] Table(Table&&) noexcept = default;
  [[gnu::noinline]] Table& operator=(Table&&) noexcept = default;
  [[gnu::noinline]] ~Table() = default;

  /// An empty table, or `Error::out_of_memory`.
  static Result<Table> create(const Params& params) { return create(params, true); }
  /// The same with undefined content, for a caller that writes every bucket.
  static Result<Table> create_uncleared(const Params& params) { return create(params, false); }

  [[nodiscard]] const BucketLayout& layout() const { return layout_; }
  [[nodiscard]] std::uint64_t bucket_count() const { return bucket_count_; }
  /// Bytes that hold the buckets, without padding.
  [[nodiscard]] std::uint64_t byte_count() const { return (bucket_count_ * layout_.bucket_bits + 7) / 8; }
  /// The packed buckets, for saving and loading.
  [[nodiscard]] std::span<const std::uint8_t> bytes() const {
    return {bytes_.get(), static_cast<std::size_t>(byte_count())};
  }
  [[nodiscard]] std::span<std::uint8_t> bytes() { return {bytes_.get(), static_cast<std::size_t>(byte_count())}; }

  /// True if the bucket `one` holds `in_one`, or `other` holds `in_other`. Both are always read: which one holds the
  /// entry of a key cannot be predicted, and a wrong guess costs more than a read.
  CUCKOO_ONCE_IN_WASM [[nodiscard]] bool any_holds(std::uint64_t one, std::uint32_t in_one, std::uint64_t other,
                                                   std::uint32_t in_other) const {
    if (!layout_.is_one_word) [[unlikely]] {
      return (any_wide_match(layout_, bytes_.get(), position(one), in_one) |
              any_wide_match(layout_, bytes_.get(), position(other), in_other)) != 0;
    }
    const auto matches = [this](std::uint64_t bucket, std::uint32_t entry) __attribute__((always_inline)) {
      const std::uint64_t word = load_bucket_word(bytes_.get(), position(bucket));
      return any_zero_lane(layout_, word_difference(layout_, word, entry));
    };
    return (matches(one, in_one) | matches(other, in_other)) != 0;
  }
  /// The same for plain buckets of one word, whose `layout` is this table's, or a `KnownLayout` that is the same.
  template <class AnyLayout>
  [[nodiscard, gnu::always_inline]] bool any_plain_holds(const AnyLayout& layout, std::uint64_t one,
                                                         std::uint32_t in_one, std::uint64_t other,
                                                         std::uint32_t in_other) const {
    assert(!layout_.is_semi_sorted() && layout_.is_one_word && layout.ones == layout_.ones &&
           layout.bucket_bits == layout_.bucket_bits && one < bucket_count_ && other < bucket_count_);
    const std::uint64_t first = load_bucket_word(bytes_.get(), one * layout.bucket_bits);
    const std::uint64_t second = load_bucket_word(bytes_.get(), other * layout.bucket_bits);
    return (any_matching_lane(layout, first, in_one) | any_matching_lane(layout, second, in_other)) != 0;
  }
  /// The same for semi-sorted buckets of one group, whose lanes are not narrow.
  [[nodiscard, gnu::always_inline]] bool any_coded_holds(std::uint64_t one, std::uint32_t in_one, std::uint64_t other,
                                                         std::uint32_t in_other) const {
    const auto matches = [this](std::uint64_t bucket, std::uint32_t entry) {
      const std::uint64_t at = position(bucket);
      const std::uint64_t word = load_bucket_word(bytes_.get(), at);
      const std::uint64_t lanes =
          layout_.is_one_word ? word >> layout_.code_bits : load_lanes(layout_, bytes_.get(), at, 0);
      const std::uint32_t low_parts = layout_.codes->decode(code_in(layout_, word));
      return any_zero_lane(layout_, coded_difference(layout_, low_parts, lanes, entry));
    };
    return (matches(one, in_one) | matches(other, in_other)) != 0;
  }
  /// Brings the byte with the bit `position` into the cache ahead of its use. Does nothing in WebAssembly, which has no
  /// prefetch.
  void prefetch(std::uint64_t position) const { __builtin_prefetch(&bytes_[static_cast<std::size_t>(position >> 3)]); }
  /// The same for the first bytes of `bucket`.
  void prefetch_bucket(std::uint64_t bucket) const { prefetch(position(bucket)); }
  /// Brings the first bytes of `bucket` into the cache, in WebAssembly by a read that is not optimised away.
  void touch(std::uint64_t bucket) const {
#ifdef __wasm__
    const std::uint8_t byte = bytes_[static_cast<std::size_t>(position(bucket) >> 3)];
    asm volatile("" : : "r"(byte));
#else
    prefetch_bucket(bucket);
#endif
  }
  /// Puts `entry` into the first empty slot of `bucket`; false if none is empty.
  bool insert(std::uint64_t bucket, std::uint32_t entry) {
    return bucket_insert(layout_, bytes_.get(), position(bucket), entry) != layout_.bucket_size;
  }
  /// The same for buckets of one word, inline. False if no slot is empty.
  [[gnu::always_inline]] bool insert_in_word(std::uint64_t bucket, std::uint32_t entry) {
    return word_insert(layout_, bytes_.get(), position(bucket), entry) != layout_.bucket_size;
  }
  /// True if `bucket` has an empty slot.
  [[nodiscard]] bool has_room(std::uint64_t bucket) const {
    return bucket_has_room(layout_, bytes_.get(), position(bucket));
  }
  /// Calls `use(has_room)`, where `has_room(bucket)` is as above, with the kind of bucket looked up only once.
  template <class Use>
  void with_has_room(Use use) const {
    const auto word = [this](std::uint64_t bucket) { return load_bucket_word(bytes_.get(), position(bucket)); };
    if (layout_.is_semi_sorted()) {
      use([&](std::uint64_t bucket) { return coded_word_has_room(layout_, word(bucket)); });
    } else if (layout_.is_one_word) {
      use([&](std::uint64_t bucket) { return any_matching_lane(layout_, word(bucket), 0) != 0; });
    } else {
      use([this](std::uint64_t bucket) { return has_room(bucket); });
    }
  }
  /// The first slot of `bucket` that holds `entry`, or b if none does.
  [[nodiscard]] std::uint32_t find(std::uint64_t bucket, std::uint32_t entry) const {
    return bucket_find(layout_, bytes_.get(), position(bucket), entry);
  }
  /// How many slots of `bucket` hold `entry` (0: are empty).
  [[nodiscard]] std::uint32_t count(std::uint64_t bucket, std::uint32_t entry) const {
    return bucket_count_of(layout_, bytes_.get(), position(bucket), entry);
  }
  /// The slots (one bit each) of `bucket` whose entries differ from `entry` at most in their values. `entry` has the
  /// value 0.
  [[nodiscard]] std::uint32_t alike(std::uint64_t bucket, std::uint32_t entry) const {
    return bucket_alike(layout_, bytes_.get(), position(bucket), entry);
  }
  /// The entry in such a slot.
  [[nodiscard]] std::uint32_t get_alike(std::uint64_t bucket, std::uint32_t slot, std::uint32_t entry) const {
    return bucket_get_alike(layout_, bytes_.get(), position(bucket), slot, entry);
  }
  /// All entries of `bucket`.
  [[nodiscard]] Slots read(std::uint64_t bucket) const { return bucket_read(layout_, bytes_.get(), position(bucket)); }
  /// Puts `entry` into `slot` of `bucket`. Returns the slot that then holds it, because the bucket's order may move it.
  std::uint32_t set(std::uint64_t bucket, std::uint32_t slot, std::uint32_t entry) {
    return bucket_set(layout_, bytes_.get(), position(bucket), slot, entry);
  }
  /// Replaces all entries of `bucket`, which ascend in the layout's `order` if it is semi-sorted.
  void write(std::uint64_t bucket, const Slots& slots) { bucket_write(layout_, bytes_.get(), position(bucket), slots); }
  /// Empties every slot.
  void clear() {
    assert(bytes_ != nullptr);  // it was not moved from
    std::memset(bytes_.get(), 0, static_cast<std::size_t>(byte_count()));
  }

 private:
  explicit Table(const Params& params) : layout_(params), bucket_count_(params.bucket_count) {}

  static Result<Table> create(const Params& params, bool is_cleared) {
    Table table(params);
    const std::uint64_t bytes = table.byte_count() + kTablePadding;
    if (bytes > std::numeric_limits<std::size_t>::max()) return Error::out_of_memory;
    void* const taken =
        is_cleared ? std::calloc(static_cast<std::size_t>(bytes), 1) : std::malloc(static_cast<std::size_t>(bytes));
    table.bytes_.reset(static_cast<std::uint8_t*>(taken));
    if (table.bytes_ == nullptr) return Error::out_of_memory;
    if (!is_cleared) std::memset(table.bytes_.get() + table.byte_count(), 0, kTablePadding);
    if (params.tuning.wants_huge_pages) ask_for_huge_pages(table.bytes_.get(), static_cast<std::size_t>(bytes));
    return table;
  }

  /// The bit where `bucket` begins.
  [[nodiscard]] std::uint64_t position(std::uint64_t bucket) const {
    assert(bucket < bucket_count_);
    return bucket * layout_.bucket_bits;
  }

  BucketLayout layout_;
  std::uint64_t bucket_count_ = 0;
  Bytes bytes_;
};

}  // namespace cuckoo::detail

#undef CUCKOO_ONCE_IN_WASM
