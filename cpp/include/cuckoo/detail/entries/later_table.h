// SPDX-License-Identifier: MIT
// A table as it will be once it has doubled some more times, or once entries are swept out. Invariant: it answers as
// that table would, because the bits of each entry tell where it goes; so it is known before anything changes whether
// an entry finds room afterwards.
#pragma once

#include <cstdint>

#include "cuckoo/detail/entries/growth.h"
#include "cuckoo/detail/entries/pending.h"
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

/// What a table will be once the entries that are `gone` are swept out of it.
class SweptTable {
 public:
  SweptTable(const Buckets& buckets, const Forgotten& gone) : buckets_(buckets), gone_(gone) {}

  static constexpr bool kIsShared = false;
  [[nodiscard]] Slots read(std::uint64_t bucket) const {
    Slots slots = buckets_.read(bucket);
    (void)take_out(slots, buckets_.layout().bucket_size, gone_);
    return slots;
  }
  [[nodiscard]] bool has_room(std::uint64_t bucket) const {
    return has_empty_slot(read(bucket), buckets_.layout().bucket_size);
  }

 private:
  const Buckets& buckets_;
  Forgotten gone_;
};

/// Whether an insert into `table` of the entry that belongs `at` these candidates would find room.
template <SearchableTable AnyTable>
[[gnu::noinline, gnu::cold]] bool finds_room(const AnyTable& table, const Params& params, const Location& at) {
  return table.has_room(at.primary.bucket) || table.has_room(at.alternate.bucket) || Search(table, params).find(at);
}

}  // namespace cuckoo::detail
