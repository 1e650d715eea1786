// SPDX-License-Identifier: MIT
// The lock of those who move entries, copy the table, or count copies. The lowest bit of its word says whether it is
// held, and the others count how often it was taken or renewed.
// Invariant: nobody's keys depend on it. Moves are safe whoever else moves (see shared_entries.h), so a lock that its
// owner seems to have died with may be taken over, even if the owner lives and goes on. What the lock gives is that
// each victim of a path is still there when its turn comes, unless it was erased, so that a bucket which was full stays
// full; and that nobody counts or copies an entry on its way.
#pragma once

#include <cassert>
#include <cstdint>
#include <utility>

#include "cuckoo/concurrent/machine.h"

namespace cuckoo::detail {

/// Holds the lock, if it `is_held`, as long as this object lives.
template <class Machine>
class WritersLock {
 public:
  /// Waits as long as the machine lets this thread.
  explicit WritersLock(std::uint64_t& word) : word_(word) {
    typename Machine::Patience patience;
    for (std::uint64_t seen = Machine::load(word_);;) {
      const bool is_free = (seen & kHeld) == 0;
      const Waited waited = is_free ? Waited::again : patience(word_, seen);
      if (waited == Waited::give_up) return;
      if (!is_free && waited == Waited::again) {
        seen = Machine::load(word_);
        continue;
      }
      const std::uint64_t ticket = next(seen);
      if (Machine::compare_exchange(word_, seen, ticket)) {
        ticket_ = ticket;
        return;
      }
    }
  }
  WritersLock(const WritersLock&) = delete;
  WritersLock& operator=(const WritersLock&) = delete;
  ~WritersLock() { (void)release(); }

  [[nodiscard]] bool is_held() const { return ticket_ != 0; }
  explicit operator bool() const { return is_held(); }
  /// Tells those who wait that this thread is alive. Without effect if one of them has taken the lock over.
  void renew() {
    assert(is_held());
    std::uint64_t seen = ticket_;
    const std::uint64_t ticket = next(seen);
    if (Machine::compare_exchange(word_, seen, ticket)) ticket_ = ticket;
  }
  /// False if one of them had taken it over.
  bool release() {
    if (!is_held()) return false;
    std::uint64_t seen = std::exchange(ticket_, 0);
    return Machine::compare_exchange(word_, seen, seen & ~kHeld);
  }

  /// Whether anybody has the lock.
  static bool is_taken(const std::uint64_t& word) { return (Machine::load(word) & kHeld) != 0; }

 private:
  static constexpr std::uint64_t kHeld = 1;

  /// The word while it is held once more: another one than all before.
  static std::uint64_t next(std::uint64_t word) { return ((word | kHeld) + 1) | kHeld; }

  std::uint64_t& word_;
  std::uint64_t ticket_ = 0;
};

}  // namespace cuckoo::detail
