// A table becomes one of twice as many buckets by one reserved bit of each slot, or of half as many, without any key.
// Invariant: what lies in bucket j goes to bucket 2 j + its highest reserved bit, which it then no longer holds; so
// every entry lies in one of its candidate buckets again, no bucket gets more than it has slots, and nothing is moved
// further. Halving undoes that, but for what finds no slot in bucket j.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

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
  /// Writes what is left; up to 8 bytes past the last bit become 0.
  void finish() { store_word(bytes_, word_); }

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

/// Fills `to`, the empty table for `doubled(params)`, with what `from`, for `params`, holds. Of each bucket, empty
/// slots come first, then those that belong there in their order, which keeps a sorted bucket sorted. Linear in the
/// table's size.
inline void split_buckets(const Table& from, const Params& params, Table& to) {
  const std::uint32_t top = params.fingerprint_bits + params.reserved_bits - 1;
  const std::uint32_t below = (1u << top) - 1;
  const std::uint32_t b = params.bucket_size;
  BitWriter writer(to.bytes().data());
  for (std::uint64_t bucket = 0; bucket < from.bucket_count(); ++bucket) {
    const Slots slots = from.read(bucket);
    Slots halves[2] = {};
    std::uint32_t free[2] = {b, b};
    for (std::uint32_t slot = b; slot-- > 0;) {
      // Without branches, as which way they go cannot be foreseen: what is empty is written too, but takes no place.
      const std::uint32_t from_top = slots[slot] >> top;  // with the value above it
      const std::uint32_t high = from_top & 1;
      halves[high][free[high] - 1] = (slots[slot] & below) | from_top >> 1 << top;
      free[high] -= slots[slot] != 0 ? 1 : 0;
    }
    put_bucket(to.layout(), writer, halves[0]);
    put_bucket(to.layout(), writer, halves[1]);
  }
  writer.finish();
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
  const std::uint32_t bits = params.fingerprint_bits + params.reserved_bits;  // below the one that comes back
  Joined joined;
  for (std::uint32_t half = 0; half < 2; ++half) {
    const Slots slots = from.read(2 * bucket + half);
    for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
      if (slots[slot] == 0) continue;
      const std::uint32_t below = without_value(slots[slot], params);
      const std::uint32_t entry =
          below | half << bits | static_cast<std::uint32_t>(std::uint64_t{slots[slot] ^ below} << 1);
      std::uint32_t at = joined.count++;
      const std::uint64_t order = to.layout().order(entry);
      for (; at > 0 && to.layout().order(joined.entries[at - 1]) > order; --at) {
        joined.entries[at] = joined.entries[at - 1];
      }
      joined.entries[at] = entry;
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
