// SPDX-License-Identifier: MIT
// The lock of those who need the table to stand still, to copy it, count copies, or plan a path in it; and the turns of
// those who move entries meanwhile, beside each other. The lock's word names who has it.
// Invariant: nobody's keys depend on it. Moves are safe whoever else moves (see word_entries.h), so a lock that its
// owner seems to have died with may be taken over, even if the owner lives and goes on. What the lock gives is that
// nobody counts an entry on its way twice, and that of several movers none waits forever.
#pragma once

#include <cstdint>

#include "cuckoo/concurrent/machine.h"
#include "cuckoo/concurrent/shared_state.h"

namespace cuckoo::detail {

/// Of a count of turns: how many have one now. The other bits count how many had one, so that a wait for one of them
/// ends when the next has come.
inline constexpr std::uint64_t kInTurn = 0xFFFF;

/// Holds the lock, if it `is_held`, as long as this object lives. Nobody has a turn then.
template <class Machine>
class WritersLock {
 public:
  /// Waits as long as the machine lets this thread.
  explicit WritersLock(SharedState& state) : word_(state.lock.word) {
    take();
    for (Lone& turns : state.turns) wait_for(turns.word);
  }
  WritersLock(const WritersLock&) = delete;
  WritersLock& operator=(const WritersLock&) = delete;
  ~WritersLock() { release(); }

  [[nodiscard]] bool is_held() const { return ticket_ != 0; }
  /// Tells those who wait that this thread is alive. Without effect if one of them has taken the lock over.
  void renew() {
    std::uint64_t seen = ticket_;
    const std::uint64_t ticket = next(seen);
    if (Machine::compare_exchange(word_, seen, ticket)) ticket_ = ticket;
  }
  void release() {
    if (!is_held()) return;
    std::uint64_t seen = ticket_;
    (void)Machine::compare_exchange(word_, seen, ticket_ & ~kHeld);
    ticket_ = 0;
  }

  /// Whether anybody has the lock.
  static bool is_taken(const SharedState& state) { return (Machine::load(state.lock.word) & kHeld) != 0; }
  /// Frees the lock if thread `owner` has it, which has ended.
  static void release_of(SharedState& state, std::uint32_t owner) {
    std::uint64_t& word = state.lock.word;
    std::uint64_t seen = Machine::load(word);
    while ((seen & kHeld) != 0 && (seen & kOwner) == bits_of(owner) &&
           !Machine::compare_exchange(word, seen, seen & ~kHeld)) {
    }
  }

 private:
  // The word: that the lock is held, by whom (16 bits), and how often it was taken.
  static constexpr std::uint64_t kHeld = 1;
  static constexpr std::uint64_t kOwner = 0x1FFFE;

  static std::uint64_t bits_of(std::uint32_t owner) { return std::uint64_t{owner} << 1 & kOwner; }
  /// Another word than all before.
  static std::uint64_t next(std::uint64_t word) {
    return ((word | kOwner | kHeld) + 1) | bits_of(Machine::thread()) | kHeld;
  }

  void take() {
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
  /// Waits until nobody has one of these turns. Those of a thread that seems to have ended are forgotten.
  void wait_for(std::uint64_t& turns) {
    typename Machine::Patience patience;
    for (std::uint64_t seen = Machine::load(turns); is_held() && (seen & kInTurn) != 0;) {
      const Waited waited = patience(turns, seen);
      if (waited == Waited::give_up) return release();
      if (waited == Waited::is_gone && Machine::compare_exchange(turns, seen, seen & ~kInTurn)) return;
      seen = Machine::load(turns);
    }
  }

  std::uint64_t& word_;
  std::uint64_t ticket_ = 0;
};

/// A turn to move entries, if it `is_given`, as long as this object lives: while somebody has the lock, nobody gets
/// one.
template <class Machine>
class MoversTurn {
 public:
  explicit MoversTurn(SharedState& state) : turns_(state.turns[Machine::thread() % kTurns].word) {
    // Whoever takes the lock looks for turns after that, so that one of both sees the other.
    Machine::add(turns_, kInTurn + 2);  // one now, and one in all
    is_given_ = !WritersLock<Machine>::is_taken(state);
  }
  MoversTurn(const MoversTurn&) = delete;
  MoversTurn& operator=(const MoversTurn&) = delete;
  ~MoversTurn() {
    std::uint64_t seen = Machine::load(turns_);
    while ((seen & kInTurn) != 0 && !Machine::compare_exchange(turns_, seen, seen - 1)) {
    }
  }

  [[nodiscard]] bool is_given() const { return is_given_; }

 private:
  std::uint64_t& turns_;
  bool is_given_;
};

}  // namespace cuckoo::detail
