// SPDX-License-Identifier: MIT
// Operations, and what inserts return. Invariant: after any outcome but `inserted`, no key in the filter has changed
// (but see `present`).
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuckoo {

/// An operation on a table.
enum class Operation : std::uint8_t {
  insert = 0,
  insert_if_absent = 1,
  contains = 2,
  count = 3,
  erase = 4,
  clear = 5,
  grow = 6,    ///< the table doubled
  shrink = 7,  ///< the table was halved
  merge = 8,   ///< another filter's entries were merged in
};

/// The result of an insert.
enum class [[nodiscard]] InsertOutcome : std::uint8_t{
    inserted = 0,         ///< stored
    full = 1,             ///< no kick path to an empty slot was found, and the table cannot grow; no key changed
    too_many_copies = 2,  ///< both candidate buckets hold only entries alike to this one; nothing changed
    present = 3,          ///< `insert_if_absent` only: found, so not stored again; `ExpiringFilter` renews its period
    busy = 4,             ///< a shared filter only: another thread had the lock for longer than this one may wait
};

/// The result of many inserts: how many keys were done, and why the batch stopped, if it did.
struct [[nodiscard]] BatchOutcome {
  std::size_t done = 0;                             ///< keys taken in order before the one that failed
  InsertOutcome outcome = InsertOutcome::inserted;  ///< `full`, `too_many_copies` or `busy` if a key failed
};

}  // namespace cuckoo
