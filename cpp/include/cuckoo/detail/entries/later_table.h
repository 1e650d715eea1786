// SPDX-License-Identifier: MIT
// A table as it will be once it has doubled some more times. Invariant: it answers as the larger table would, because
// the bits of each entry tell where it goes; so it is known before any doubling whether an entry finds room after it.
#pragma once

#include <cstdint>

#include "cuckoo/detail/entries/growth.h"
#include "cuckoo/detail/entries/search.h"
#include "cuckoo/detail/table/table.h"
#include "cuckoo/params.h"

namespace cuckoo::detail {

/// What a table for `now` will be when it is one for `later`.
class LaterTable {
 public:
  LaterTable(const Table& table, const Params& now, const Params& later)
      : table_(table), top_(value_at(now)), doublings_(now.reserved_bits - later.reserved_bits) {}

  static constexpr bool kIsShared = false;
  [[nodiscard]] Slots read(std::uint64_t bucket) const {
    Slots slots = table_.read(bucket >> doublings_);
    for (std::uint32_t i = 1; i <= doublings_; ++i) {
      slots = split(slots, table_.layout().bucket_size, top_ - i)[bucket >> (doublings_ - i) & 1];
    }
    return slots;
  }
  [[nodiscard]] bool has_room(std::uint64_t bucket) const {
    return has_empty_slot(read(bucket), table_.layout().bucket_size);
  }

 private:
  const Table& table_;
  std::uint32_t top_;
  std::uint32_t doublings_;
};

/// Whether the entry that belongs `at` these candidates will find room when the table, which is for `now` and has no
/// pending work, is one for `later`.
[[gnu::noinline, gnu::cold]] inline bool has_room_later(const Table& table, const Params& now, const Params& later,
                                                        const Location& at) {
  const LaterTable then(table, now, later);
  return then.has_room(at.primary.bucket) || then.has_room(at.alternate.bucket) || Search(then, later).find(at);
}

}  // namespace cuckoo::detail
