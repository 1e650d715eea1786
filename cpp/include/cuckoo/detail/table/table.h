// SPDX-License-Identifier: MIT
// The memory of all buckets, packed without gaps: bucket i begins at bit i times the bits of a bucket.
// Invariant: bits past the last bucket stay zero; no method reads or writes outside the table and its padding.
#pragma once

#include <algorithm>
#include <bit>
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

#include "cuckoo/detail/bits.h"
#include "cuckoo/detail/table/bucket.h"
#include "cuckoo/detail/table/bucket_layout.h"
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

  /// True if the bucket `one` holds `in_one`, or `other` holds `in_other`. Both are always read, as in `either_holds`.
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
    return either_holds(layout, first, in_one, second, in_other);
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
    if (layout_.is_one_word) [[likely]]
      return insert_in_word(bucket, entry);
    const std::uint32_t full = layout_.bucket_size;
    const std::uint32_t slot = !layout_.is_semi_sorted() ? find(bucket, 0) : has_room(bucket) ? 0 : full;
    if (slot != full) (void)set(bucket, slot, entry);
    return slot != full;
  }
  /// The same for buckets of one word, inline: they are read and decoded once.
  [[gnu::always_inline]] bool insert_in_word(std::uint64_t bucket, std::uint32_t entry) {
    const LoadedWord at(bytes_.get(), position(bucket));
    const std::uint64_t word = at.loaded >> at.shift;
    if (layout_.is_semi_sorted()) {
      if (!coded_word_has_room(layout_, word)) return false;
      (void)coded_word_put(layout_, at, layout_.codes->decode(code_in(layout_, word)), 0, entry);
      return true;
    }
    const std::uint64_t empty = any_matching_lane(layout_, word, 0);
    if (empty == 0) return false;
    store_word(at.first, at.loaded | std::uint64_t{entry} << (at.shift + layout_.lane_of(empty) * layout_.lane_bits));
    return true;
  }
  /// True if `bucket` has an empty slot.
  [[nodiscard]] bool has_room(std::uint64_t bucket) const {
    const std::uint64_t word = load_bucket_word(bytes_.get(), position(bucket));
    if (layout_.is_semi_sorted()) return coded_word_has_room(layout_, word);
    return (layout_.is_one_word ? any_matching_lane(layout_, word, 0) : matches(bucket, 0)) != 0;
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
    if (layout_.is_one_word) {
      const std::uint64_t word = load_bucket_word(bytes_.get(), position(bucket));
      const std::uint64_t lanes = any_zero_lane(layout_, word_difference(layout_, word, entry));
      return lanes == 0 ? layout_.bucket_size : layout_.lane_of(lanes);
    }
    const std::uint32_t slots = matches(bucket, entry);
    return slots == 0 ? layout_.bucket_size : static_cast<std::uint32_t>(std::countr_zero(slots));
  }
  /// How many slots of `bucket` hold `entry` (0: are empty).
  [[nodiscard]] std::uint32_t count(std::uint64_t bucket, std::uint32_t entry) const {
    if (!layout_.is_one_word) return static_cast<std::uint32_t>(std::popcount(matches(bucket, entry)));
    const std::uint64_t word = load_bucket_word(bytes_.get(), position(bucket));
    const std::uint64_t lanes = zero_lanes(layout_, word_difference(layout_, word, entry), layout_.high);
    return static_cast<std::uint32_t>(std::popcount(lanes));
  }
  /// The slots (one bit each) of `bucket` whose entries differ from `entry` at most in their values. `entry` has the
  /// value 0.
  [[nodiscard]] std::uint32_t alike(std::uint64_t bucket, std::uint32_t entry) const {
    assert(((std::uint64_t{entry} >> layout_.low_bits) & layout_.lane_mask & ~layout_.without_values) == 0);
    if (!layout_.is_one_word) return matches(bucket, entry, layout_.without_values);
    const std::uint64_t compared = layout_.without_values << layout_.code_bits | layout_.code_mask;
    const std::uint64_t word = load_bucket_word(bytes_.get(), position(bucket)) & compared;
    return slots_of(layout_, zero_lanes(layout_, word_difference(layout_, word, entry), layout_.high));
  }
  /// The entry in such a slot.
  [[nodiscard]] std::uint32_t get_alike(std::uint64_t bucket, std::uint32_t slot, std::uint32_t entry) const {
    const std::uint64_t lane = position(bucket) + layout_.code_bits + std::uint64_t{slot} * layout_.lane_bits;
    return get_bits(bytes_.get(), lane, layout_.lane_bits) << layout_.low_bits | layout_.low_part(entry);
  }
  /// All entries of `bucket`.
  CUCKOO_ONCE_IN_WASM [[nodiscard]] Slots read(std::uint64_t bucket) const {
    Slots slots;
    const std::uint64_t at = position(bucket);
    std::uint32_t low_parts = low_parts_in(layout_, load_bucket_word(bytes_.get(), at));
    std::uint32_t slot = 0;
    for (std::uint32_t group = 0; group < layout_.groups; ++group) {
      std::uint64_t lanes = load_lanes(layout_, bytes_.get(), at, group);
      const std::uint32_t end = std::min(slot + layout_.lanes, layout_.bucket_size);
      for (; slot < end; ++slot, lanes >>= layout_.lane_bits, low_parts >>= kLowPartBits) {
        slots[slot] = static_cast<std::uint32_t>((lanes & layout_.lane_mask) << layout_.low_bits) | (low_parts & 31);
      }
    }
    return slots;
  }
  /// Puts `entry` into `slot` of `bucket`. Returns the slot that then holds it, because the order of a semi-sorted
  /// bucket may move it.
  std::uint32_t set(std::uint64_t bucket, std::uint32_t slot, std::uint32_t entry) {
    assert(slot < layout_.bucket_size);
    if (!layout_.is_semi_sorted()) {
      const std::uint64_t lane = position(bucket) + std::uint64_t{slot} * layout_.lane_bits;
      set_bits(bytes_.get(), lane, layout_.lane_bits, entry);
      return slot;
    }
    if (layout_.is_one_word) {
      const LoadedWord at(bytes_.get(), position(bucket));
      const std::uint32_t low_parts = layout_.codes->decode(code_in(layout_, at.loaded >> at.shift));
      return coded_word_put(layout_, at, low_parts, slot, entry);
    }
    Slots slots = read(bucket);
    slot = put_sorted(layout_, slots, slot, entry);
    write(bucket, slots);
    return slot;
  }
  /// Replaces all entries of `bucket`, which ascend in the layout's `order` if it is semi-sorted.
  void write(std::uint64_t bucket, const Slots& slots) {
    std::uint8_t* const bytes = bytes_.get();  // a copy, because writing bytes might change the original
    std::uint64_t at = position(bucket);
    std::uint64_t bits = layout_.is_semi_sorted() ? code_of(layout_, slots) : 0;
    std::uint32_t filled = layout_.code_bits;
    for (std::uint32_t slot = 0; slot < layout_.bucket_size; ++slot) {
      if (filled + layout_.lane_bits > kWritableBits) {
        set_bits(bytes, at, filled, bits);
        at += filled;
        bits = filled = 0;
      }
      bits |= std::uint64_t{slots[slot] >> layout_.low_bits} << filled;
      filled += layout_.lane_bits;
    }
    set_bits(bytes, at, filled, bits);
  }
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

  /// `wide_matches` of detail/table/bucket.h in `bucket`.
  [[nodiscard]] std::uint32_t matches(std::uint64_t bucket, std::uint32_t entry,
                                      std::uint64_t compared = ~std::uint64_t{0}) const {
    return wide_matches(layout_, bytes_.get(), position(bucket), entry, compared);
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
