// A semi-sorted table that is filled as a plain one and encoded at the end: a change of a plain bucket needs no
// decoding, sorting and encoding. Invariant: the encoded table has the bytes that it would have if each entry had been
// put into it at once, because a semi-sorted bucket keeps no order but its own. While the plain table stands, the
// filter's parameters say what the table will be, and `Table::layout` what it is; `copy_settled` gives the bytes that
// it will have.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "cuckoo/table/growth.h"
#include "cuckoo/table/table.h"

namespace cuckoo {

/// The four entries in the order of a semi-sorted bucket, without a branch that depends on one.
inline Slots sorted_by_network(const BucketLayout& layout, const Slots& slots) {
  const auto order = [](std::uint64_t& low, std::uint64_t& high) {
    const std::uint64_t least = std::min(low, high);
    high = std::max(low, high);
    low = least;
  };
  std::uint64_t orders[4];
  for (std::uint32_t slot = 0; slot < 4; ++slot) orders[slot] = layout.order(slots[slot]);
  order(orders[0], orders[1]);
  order(orders[2], orders[3]);
  order(orders[0], orders[2]);
  order(orders[1], orders[3]);
  order(orders[1], orders[2]);
  Slots sorted{};
  for (std::uint32_t slot = 0; slot < 4; ++slot) {
    const std::uint64_t rest = orders[slot] & layout.lane_mask;
    sorted[slot] = static_cast<std::uint32_t>(rest << layout.low_bits | orders[slot] >> layout.lane_bits);
  }
  return sorted;
}

/// Whether all entries of `table` lie as `layout` has them: none is still to be moved or encoded.
inline bool is_settled(const Table& table, const BucketLayout& layout) {
  return !table.is_doubling() && table.layout().is_semi_sorted() == layout.is_semi_sorted();
}

/// The entries of `bucket` of `table`, with `layout`, as they are saved: each moved to its bucket, and in ascending
/// order.
inline Slots read_settled(const Table& table, const BucketLayout& layout, std::uint64_t bucket) {
  Slots slots = table.read_anywhere(bucket);
  if (layout.is_semi_sorted()) return sorted_by_network(layout, slots);
  for (std::uint32_t slot = 1; slot < layout.bucket_size; ++slot)
    (void)sort_into_place(layout, slots.data(), slot, slot + 1);
  return slots;
}

/// Writes to `to` buckets `first` to `first` + `count` of `table`, with `layout`, as they are saved: every entry moved
/// to its bucket and encoded, and those of a bucket in ascending order. `first` is a multiple of eight. Writes up to 7
/// bytes more.
inline void copy_settled(const Table& table, const BucketLayout& layout, std::uint64_t first, std::uint64_t count,
                         std::uint8_t* to) {
  BitWriter writer(to);
  for (std::uint64_t bucket = first; bucket < first + count; ++bucket) {
    put_bucket(layout, writer, read_settled(table, layout, bucket));
  }
  writer.finish();
}

/// A copy of `table`, which is for `params`, with every entry moved and encoded; or `Error::out_of_memory`.
inline Result<Table> settled_copy(const Table& table, const Params& params) {
  Result<Table> copy = Table::create(params);
  if (!copy) return copy;
  if (is_settled(table, copy->layout())) {
    std::memcpy(copy->bytes().data(), table.bytes().data(), table.bytes().size());
  } else {
    copy_settled(table, copy->layout(), 0, table.bucket_count(), copy->bytes().data());
  }
  return copy;
}

/// A semi-sorted table that waits, empty, while a plain one takes its place.
class Building {
 public:
  /// Puts an empty plain table into the place of `table`, which is empty, for `params`. False, and nothing changed, if
  /// it is plain, or if there is no memory for another table.
  bool begin(Table& table, Params params) {
    if (!table.layout().is_semi_sorted()) return false;
    params.storage = Storage::plain;
    Result<Table> plain = Table::create(params);
    if (!plain) return false;
    waiting_.reset(new (std::nothrow) Table(std::move(table)));
    if (waiting_ == nullptr) return false;
    table = std::move(*plain);
    return true;
  }
  /// Puts the semi-sorted table back, with all that is in `table`. Nothing if none waits.
  void finish(Table& table) {
    if (waiting_ == nullptr) return;
    copy_settled(table, waiting_->layout(), 0, table.bucket_count(), waiting_->bytes().data());
    table = std::move(*waiting_);
    waiting_.reset();
  }

 private:
  std::unique_ptr<Table> waiting_;
};

}  // namespace cuckoo
