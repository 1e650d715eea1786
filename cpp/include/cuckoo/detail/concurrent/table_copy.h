// SPDX-License-Identifier: MIT
// A shared table written as a plain one: packed, and each bucket in the order that it is saved in.
// Invariant: every entry that was there all the time is in the copy. Entries that others insert or erase meanwhile may
// be in it or not. No entry moves while the lock is held; if one may have, because the lock was taken over, `end`
// tells. While a copy is made, an erase of an entry that both buckets hold takes the one in the lower bucket, which is
// copied first. So the copy has every entry that nobody erases.
#pragma once

#include <cassert>
#include <cstdint>

#include "cuckoo/detail/concurrent/shared_entries.h"
#include "cuckoo/detail/table/bucket.h"
#include "cuckoo/detail/table/bucket_appender.h"

namespace cuckoo::detail {

/// How many attempts to copy a table are made. An attempt is spoiled only if this thread stood still for 0.2 s while
/// others ran, so that one of them took its lock over.
inline constexpr std::uint32_t kMaxCopyAttempts = 16;

/// One attempt to copy a table, piece by piece. Holds the lock as long as it lives.
template <class Machine>
class TableCopy {
 public:
  explicit TableCopy(const SharedEntries<Machine>& entries)
      : entries_(&entries), lock_(entries.state().lock.word), kicks_(Machine::load(entries.state().kicks.word)) {}

  /// False if the lock cannot be taken: then nothing else may be called.
  [[nodiscard]] bool has_begun() const { return lock_.is_held(); }
  /// Writes the next `count` buckets, a multiple of 8 unless they are the last, from the start of `bytes` on. These
  /// have room for padding.
  void next(std::uint64_t count, std::uint8_t* bytes) {
    assert(has_begun() && count <= left() && (count % 8 == 0 || count == left()));
    const BucketLayout& layout = entries_->layout();
    BucketAppender writer(layout, bytes);
    for (const std::uint64_t end = bucket_ + count; bucket_ < end; ++bucket_) {
      const Slots slots = entries_->read(bucket_);
      for (std::uint32_t slot = 0; slot < layout.bucket_size; ++slot) used_ += slots[slot] != 0 ? 1u : 0u;
      writer.put(sorted(layout, slots));
      if (bucket_ % SharedEntries<Machine>::kBucketsPerRenewal == 0) lock_.renew();
    }
    writer.finish();
  }
  /// Buckets still to be written.
  [[nodiscard]] std::uint64_t left() const { return entries_->params().bucket_count - bucket_; }
  /// Entries written.
  [[nodiscard]] std::uint64_t size() const { return used_; }
  /// Gives the lock back. False if it was taken over, or entries have moved, so that the copy may lack one: make
  /// another.
  [[nodiscard]] bool end() {
    assert(has_begun());
    const bool was_held = lock_.release();
    return was_held && Machine::load(entries_->state().kicks.word) == kicks_;
  }

 private:
  const SharedEntries<Machine>* entries_;
  WritersLock<Machine> lock_;
  std::uint64_t kicks_;
  std::uint64_t bucket_ = 0;
  std::uint64_t used_ = 0;
};

/// The `count` buckets of a plain table that are packed from the start of `bytes` on, as words.
inline void unpack(const BucketLayout& layout, const std::uint8_t* bytes, std::uint64_t count, std::uint64_t* words) {
  for (std::uint64_t i = 0; i < count; ++i) {
    words[i] = load_bucket_word(bytes, i * layout.bucket_bits) & layout.bucket_mask;
  }
}

}  // namespace cuckoo::detail
