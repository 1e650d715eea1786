// A semi-sorted table that is filled as a plain one and encoded at the end: a change of a plain bucket needs no
// decoding, sorting and encoding. Invariant: the encoded table has the bytes that it would have if each entry had been
// put into it at once, because a semi-sorted bucket keeps no order but its own.
#pragma once

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "cuckoo/table/growth.h"
#include "cuckoo/table/table.h"

namespace cuckoo {

/// Fills the semi-sorted table `to` with the entries of the plain table `from`, bucket by bucket. Linear in their size.
inline void encode_buckets(const Table& from, Table& to) {
  const BucketLayout& layout = to.layout();
  const auto order = [](std::uint64_t& low, std::uint64_t& high) {
    const std::uint64_t least = std::min(low, high);
    high = std::max(low, high);
    low = least;
  };
  BitWriter writer(to.bytes().data());
  for (std::uint64_t bucket = 0; bucket < from.bucket_count(); ++bucket) {
    const Slots slots = from.read(bucket);
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
    put_bucket(layout, writer, sorted);
  }
  writer.finish();
}

/// A semi-sorted table that waits, empty, while a plain one takes its place.
class Building {
 public:
  /// Puts an empty plain table into the place of `table`, which is empty, for `params`. False, and nothing changed, if
  /// it is plain, or if there is no memory for another table.
  bool begin(Table& table, Params params) {
    if (!table.layout().is_semi_sorted()) return false;
    params.storage = Storage::plain;
    params.spared_quarters = 0;
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
    encode_buckets(table, *waiting_);
    table = std::move(*waiting_);
    waiting_.reset();
  }

 private:
  std::unique_ptr<Table> waiting_;
};

}  // namespace cuckoo
