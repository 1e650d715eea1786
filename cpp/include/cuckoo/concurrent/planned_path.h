// SPDX-License-Identifier: MIT
// A kick path that is found by reading alone: the walk of kick_path.h, by the same rules and draws, whose moves are
// noted and not made. Invariant: no entry is on a path twice, so the path can be made from its far end, each entry
// copied to where it goes before it leaves. A walk that comes back to an entry that it moved itself forgets the loop;
// only then may it end elsewhere than that of a plain filter would.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "cuckoo/concurrent/word_buckets.h"
#include "cuckoo/concurrent/word_plan.h"
#include "cuckoo/entries/closed_set.h"
#include "cuckoo/entries/kick_path.h"
#include "cuckoo/entries/location.h"

namespace cuckoo::detail {

/// One move of a path: in `bucket`, `incoming` takes the place of `victim`.
struct PlannedKick {
  std::uint32_t bucket;
  std::uint32_t victim;
  std::uint32_t incoming;
  std::uint32_t slot;
};

/// The kicks of an insert, in order, and where the last victim goes: the bucket that is thought to have room.
template <class Machine>
class PlannedPath {
 public:
  PlannedPath(const WordBuckets<Machine>& words, const Params& params) : words_(words), params_(params) {}

  /// Plans how the entry that belongs `at` two full buckets gets in. False if `max_kicks` kicks free no slot, or as
  /// many cannot as the closed sets that the walk looks for have.
  bool walk(const Location& at) {
    forget(0);
    KickChoice choice(at.primary);
    Untold untold;
    end_ = choice.first(at);
    for (std::uint32_t number = 0; number < params_.max_kicks; ++number) {
      if (number == kNearKicks && is_closed(*this, params_, end_, untold)) return false;
      const Kick kick = choose_kick(*this, params_, end_.bucket, choice.next_draw(), number, untold);
      if (kick.victim == 0) return true;  // another thread has emptied a slot there
      advance(kick);
      if (kick.reach == Reach::room) return true;
    }
    return false;
  }

  /// Whether each victim is still in its slot, and room where the path ends. While nobody else moves entries, the path
  /// is then as good as one that is planned now.
  [[nodiscard]] bool holds() const {
    for (std::uint32_t i = 0; i < size_; ++i) {
      if (words_.read(kicks_[i].bucket)[kicks_[i].slot] != kicks_[i].victim) return false;
    }
    return words_.has_room(end_.bucket);
  }

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] const PlannedKick& operator[](std::uint32_t i) const { return kicks_[i]; }
  /// Where the entry goes that the last kick moves out, or the inserted one if there is no kick.
  [[nodiscard]] Candidate end() const { return end_; }

  // The buckets as they would be after the kicks so far, for the rules of a walk.

  [[nodiscard]] Slots read(std::uint64_t bucket) const {
    Slots slots = words_.read(bucket);
    if (!is_touched_[bucket % is_touched_.size()]) return slots;
    for (std::uint32_t i = 0; i < size_; ++i) {
      if (kicks_[i].bucket == bucket) slots[kicks_[i].slot] = kicks_[i].incoming;
    }
    return slots;
  }
  /// A bucket on the path was full, and is.
  [[nodiscard]] bool has_room(std::uint64_t bucket) const { return words_.has_room(bucket); }
  template <class Use>
  void with_has_room(Use use) const {
    words_.with_has_room(use);
  }
  [[nodiscard]] const PlannedPath& table() const { return *this; }
  [[nodiscard]] bool has_work() const { return false; }
  void ready(std::uint64_t) const {}

 private:
  void advance(const Kick& kick) {
    for (std::uint32_t i = size_; i-- > 0;) {
      if (kicks_[i].bucket != end_.bucket || kicks_[i].slot != kick.slot) continue;
      // The victim came by kick i, so it goes back to where kick i - 1 moved it out: both are forgotten, with the loop.
      end_ = i == 0 ? kick.destination : Candidate{kicks_[i - 1].bucket, kicks_[i - 1].incoming};
      return forget(i == 0 ? 0 : i - 1);
    }
    is_touched_[end_.bucket % is_touched_.size()] = true;
    kicks_[size_++] = {end_.bucket, kick.victim, end_.entry, kick.slot};
    end_ = kick.destination;
  }
  /// Keeps only the first `size` kicks.
  void forget(std::uint32_t size) {
    size_ = size;
    is_touched_.reset();
    for (std::uint32_t i = 0; i < size_; ++i) is_touched_[kicks_[i].bucket % is_touched_.size()] = true;
  }

  const WordBuckets<Machine>& words_;
  const Params& params_;
  std::uint32_t size_ = 0;
  Candidate end_{};
  std::bitset<1024> is_touched_;  ///< by bucket numbers modulo its size: most buckets that are read are not on the path
  std::array<PlannedKick, kMaxSharedKicks> kicks_;
};

}  // namespace cuckoo::detail
