// SPDX-License-Identifier: MIT
// Fills a table, or a part of it, with buckets one after the other. Invariant: bits after the last bucket become 0,
// up to the end of the last word that is written.
#pragma once

#include <cassert>
#include <cstdint>

#include "cuckoo/detail/bits.h"
#include "cuckoo/detail/table/bucket.h"

namespace cuckoo::detail {

/// For many buckets, faster than `Table::write`, which reads what it changes and waits for it.
class BucketAppender {
 public:
  BucketAppender(const BucketLayout& layout, std::uint8_t* bytes) : layout_(layout), bytes_(bytes) {}

  /// Appends a bucket with these slots, which ascend in `layout.order` if it is semi-sorted.
  void put(const Slots& slots) {
    if (layout_.is_semi_sorted()) put_bits(code_of(layout_, slots), layout_.code_bits);
    for (std::uint32_t slot = 0; slot < layout_.bucket_size; ++slot) {
      put_bits(slots[slot] >> layout_.low_bits, layout_.lane_bits);
    }
  }
  /// Writes what is left of a word.
  void finish() {
    if (filled_ != 0) store_word(bytes_, word_);
  }

 private:
  /// The next `bits` bits, from 1 to 32.
  void put_bits(std::uint32_t value, std::uint32_t bits) {
    assert(bits >= 1 && bits <= 32 && std::uint64_t{value} >> bits == 0);
    word_ |= std::uint64_t{value} << filled_;
    filled_ += bits;
    if (filled_ < 64) return;
    store_word(bytes_, word_);
    bytes_ += 8;
    filled_ -= 64;
    word_ = std::uint64_t{value} >> (bits - filled_);
  }

  const BucketLayout& layout_;
  std::uint8_t* bytes_;
  std::uint64_t word_ = 0;
  std::uint32_t filled_ = 0;  ///< bits in the word, below 64
};

}  // namespace cuckoo::detail
