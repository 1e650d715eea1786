// A table becomes one of twice as many buckets by one reserved bit of each slot, or of half as many, without any key.
// Invariant: what lies in bucket j goes to bucket 2 j + its highest reserved bit, which it then no longer holds; so
// every entry lies in one of its candidate buckets again, no bucket gets more than it has slots, and nothing is moved
// further. Halving undoes that, but for what finds no slot in bucket j. A large table is doubled little by little:
// until all is moved, both tables stand, and every bucket is moved before it is changed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "cuckoo/table/entry.h"
#include "cuckoo/table/table.h"

namespace cuckoo {

/// Writes bits one behind the other, from the first bit of a table on: three times as fast as `set_bits`, which reads
/// what it changes.
class BitWriter {
 public:
  explicit BitWriter(std::uint8_t* bytes) : bytes_(bytes) {}

  /// The next `bits` bits, from 1 to 32.
  void put(std::uint32_t value, std::uint32_t bits) {
    word_ |= std::uint64_t{value} << filled_;
    filled_ += bits;
    if (filled_ < 64) return;
    store_word(bytes_, word_);
    bytes_ += 8;
    filled_ -= 64;
    word_ = std::uint64_t{value} >> (bits - filled_);
  }
  /// Writes what is left of a word; the bits past the last become 0.
  void finish() {
    if (filled_ != 0) store_word(bytes_, word_);
  }

 private:
  std::uint8_t* bytes_;
  std::uint64_t word_ = 0;
  std::uint32_t filled_ = 0;  ///< bits in the word, below 64
};

/// Appends the bucket with these slots, in `layout.order` if it is semi-sorted.
inline void put_bucket(const BucketLayout& layout, BitWriter& writer, const Slots& slots) {
  if (layout.is_semi_sorted()) writer.put(code_of(layout, slots), layout.code_bits);
  for (std::uint32_t slot = 0; slot < layout.bucket_size; ++slot) {
    writer.put(slots[slot] >> layout.low_bits, layout.lane_bits);
  }
}

/// Buckets that are moved together, a group: as each begins and ends on a word in both tables, none touches another.
/// Calls that need a bucket move its group, so that it makes no difference to any of them how far the others are, and
/// the same calls lead to the same bytes.
inline constexpr std::uint64_t kMovedTogether = 64;

/// Moves buckets `first` to `first` + `kMovedTogether` of a table, or those that there are, to `to`, which has twice as
/// many, with this layout. Of each bucket, empty slots come first, then those that belong there in their order, which
/// keeps a sorted bucket sorted.
inline void split_group(const Move& from, std::uint64_t first, const BucketLayout& layout, std::uint8_t* to) {
  const std::uint32_t top = from.top;
  const std::uint32_t below = (1u << top) - 1;
  const std::uint32_t b = layout.bucket_size;
  BitWriter writer(to + 2 * first * layout.bucket_bits / 8);
  for (std::uint64_t bucket = first; bucket < std::min(first + kMovedTogether, from.bucket_count); ++bucket) {
    const Slots slots = bucket_read(from.layout, from.bytes.get(), bucket * from.layout.bucket_bits);
    Slots halves[2] = {};
    std::uint32_t free[2] = {b, b};
    for (std::uint32_t slot = b; slot-- > 0;) {
      // Without branches, as which way they go cannot be foreseen: what is empty is written too, but takes no place.
      const std::uint32_t from_top = slots[slot] >> top;  // with the value above it
      const std::uint32_t high = from_top & 1;
      halves[high][free[high] - 1] = (slots[slot] & below) | from_top >> 1 << top;
      free[high] -= slots[slot] != 0 ? 1 : 0;
    }
    put_bucket(layout, writer, halves[0]);
    put_bucket(layout, writer, halves[1]);
  }
  writer.finish();
}

/// An entry of a table that is being doubled, and where it goes: to one of the two buckets that its bucket becomes.
struct Split {
  std::uint64_t bucket;
  std::uint32_t slot;
  std::uint32_t before;     ///< with its highest reserved bit, which says which of the two
  std::uint64_t to_bucket;  ///< of the doubled table
  std::uint32_t after;      ///< without that bit
};

/// Calls `told` with the Split of every entry, bucket by bucket, while nothing is moved yet.
template <class Told>
void Table::tell_splits(const Told& told) const {
  const std::uint32_t top = move_->top;
  const std::uint32_t below = (1u << top) - 1;
  for (std::uint64_t bucket = 0; bucket < move_->bucket_count; ++bucket) {
    const Slots slots = bucket_read(move_->layout, move_->bytes.get(), bucket * move_->layout.bucket_bits);
    for (std::uint32_t slot = 0; slot < move_->layout.bucket_size; ++slot) {
      const std::uint32_t entry = slots[slot];
      const std::uint32_t from_top = entry >> top;
      if (entry != 0)
        told(Split{bucket, slot, entry, 2 * bucket + (from_top & 1), (entry & below) | from_top >> 1 << top});
    }
  }
}

/// `entry` of a half as it lies in the whole bucket, where bit `top` says which half it is.
inline std::uint32_t of_whole(std::uint32_t entry, std::uint32_t top, std::uint64_t half) {
  const std::uint64_t below = entry & ((std::uint64_t{1} << top) - 1);
  return static_cast<std::uint32_t>(below | half << top | (entry - below) << 1);
}

inline Result<Table> Table::doubled_from(Table& from, const Params& params) {
  const Params next = doubled(params);
  Result<Table> table = create(next.bucket_count, BucketLayout(next), next.wants_huge_pages, false);
  if (!table) return table;
  std::memset(table->bytes_.get() + table->byte_count(), 0, kTablePadding);
  std::unique_ptr<Move, EndMove> move(new (std::nothrow) Move);
  if (move == nullptr) return Error::out_of_memory;
  const std::uint64_t groups = (from.bucket_count_ - 1) / kMovedTogether + 1;
  move->is_moved.reset(static_cast<std::uint8_t*>(std::calloc(static_cast<std::size_t>(groups), 1)));
  if (move->is_moved == nullptr) return Error::out_of_memory;
  move->layout = from.layout_;
  move->bucket_count = from.bucket_count_;
  move->bytes = std::move(from.bytes_);
  move->top = params.fingerprint_bits + params.reserved_bits - 1;
  table->move_ = std::move(move);
  return table;
}

inline void Table::move_group_of(std::uint64_t bucket) {
  const std::uint64_t group = bucket / (2 * kMovedTogether);
  std::uint8_t& is_moved = move_->is_moved[static_cast<std::size_t>(group)];
  if (is_moved != 0) return;
  is_moved = 1;
  split_group(*move_, group * kMovedTogether, layout_, bytes_.get());
}

inline void Table::move_some(std::uint64_t buckets) {
  std::uint64_t groups = buckets / kMovedTogether + (buckets < kMovedTogether ? 1 : 0);
  std::uint64_t& next = move_->next;
  for (; next * 2 * kMovedTogether < bucket_count_; ++next) {
    if (move_->is_moved[static_cast<std::size_t>(next)] != 0) continue;
    if (groups-- == 0) return;
    move_group_of(next * 2 * kMovedTogether);
  }
  move_.reset();
}

/// True if the entries that belong in `bucket` lie there.
inline bool Table::is_moved(std::uint64_t bucket) const {
  return !is_doubling() || move_->is_moved[static_cast<std::size_t>(bucket / (2 * kMovedTogether))] != 0;
}

inline std::uint32_t Table::count_anywhere(std::uint64_t bucket, std::uint32_t entry) const {
  if (is_moved(bucket)) return count(bucket, entry);
  return bucket_count_of(move_->layout, move_->bytes.get(), bucket / 2 * move_->layout.bucket_bits,
                         of_whole(entry, move_->top, bucket % 2));
}

inline Slots Table::read_anywhere(std::uint64_t bucket) const {
  if (is_moved(bucket)) return read(bucket);
  const Slots whole = bucket_read(move_->layout, move_->bytes.get(), bucket / 2 * move_->layout.bucket_bits);
  Slots half = {};
  std::uint32_t free = layout_.bucket_size;
  for (std::uint32_t slot = free; slot-- > 0;) {
    const std::uint32_t from_top = whole[slot] >> move_->top;
    const std::uint32_t below = whole[slot] & ((1u << move_->top) - 1);
    if (whole[slot] != 0 && (from_top & 1) == bucket % 2) half[--free] = below | from_top >> 1 << move_->top;
  }
  return half;
}

/// What two buckets hold that become one, in the order that they are saved in.
struct Joined {
  std::array<std::uint32_t, 2 * kMaxBucketSize> entries;
  std::uint32_t count = 0;
};

/// What lies in buckets 2 `bucket` and 2 `bucket` + 1 of `from`, for `params`, as bucket `bucket` of `to`, for
/// `halved(params)`, holds it.
[[gnu::noinline]] inline Joined read_joined(const Table& from, const Params& params, const Table& to,
                                            std::uint64_t bucket) {
  const std::uint32_t top = params.fingerprint_bits + params.reserved_bits;
  Joined joined;
  for (std::uint32_t half = 0; half < 2; ++half) {
    const Slots slots = from.read(2 * bucket + half);
    for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
      if (slots[slot] == 0) continue;
      const std::uint32_t last = joined.count++;
      joined.entries[last] = of_whole(slots[slot], top, half);
      (void)sort_into_place(to.layout(), joined.entries.data(), last, joined.count);
    }
  }
  return joined;
}

/// Fills `to`, the empty table for `halved(params)`, with what `from`, for `params`, holds. Of each two buckets go as
/// many entries into theirs as that has slots. Linear in the table's size.
inline void join_buckets(const Table& from, const Params& params, Table& to) {
  const std::uint32_t b = params.bucket_size;
  for (std::uint64_t bucket = 0; bucket < to.bucket_count(); ++bucket) {
    const Joined joined = read_joined(from, params, to, bucket);
    const std::uint32_t count = std::min(joined.count, b);
    Slots slots = {};
    std::copy_n(joined.entries.begin(), count, slots.begin() + (b - count));
    to.write(bucket, slots);
  }
}

}  // namespace cuckoo
