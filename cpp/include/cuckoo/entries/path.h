// SPDX-License-Identifier: MIT
// The kick path of an insert whose candidate buckets are full: which entry leaves each bucket, and the walk. A path is
// a value: it is planned by reading alone and made only once it is whole, so an insert that fails has written nothing.
// Invariant: a choice depends only on the entries of the table, the key's location and the kicks tried before in this
// insert, not on the order of slots or on a clock. So the same operations give the same entries on every machine, and a
// saved filter, whose slots are sorted, continues exactly as its original does.
#pragma once

#include <array>
#include <bitset>
#include <cassert>
#include <cstdint>

#include "cuckoo/entries/closed_set.h"
#include "cuckoo/entries/location.h"
#include "cuckoo/entries/outcome.h"
#include "cuckoo/entries/pending.h"
#include "cuckoo/table/table.h"

namespace cuckoo::detail {

/// The random choices of one insert: a 64-bit linear congruential generator, seeded by the key's primary candidate.
/// Constants: Knuth's MMIX generator. Only the upper half of the state is used, because the lowest bits have short
/// periods.
class KickLots {
 public:
  explicit KickLots(Candidate primary) : state_(std::uint64_t{primary.bucket} << 32 | primary.entry) { (void)draw(); }

  /// The candidate in whose bucket the walk begins: the primary or the alternate, with equal probability.
  Candidate first(const Location& at) { return draw() >> 31 != 0 ? at.alternate : at.primary; }

  /// The next number for `choose_kick`: odd, so that different entries draw different lots.
  std::uint32_t next_draw() { return draw() | 1; }

 private:
  std::uint32_t draw() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 32);
  }

  std::uint64_t state_;
};

/// How soon an entry that is moved out finds an empty slot. Further is lower.
enum class Reach : std::uint8_t {
  far = 0,       ///< nothing is known
  one_kick = 1,  ///< its other candidate bucket is full, but an entry there has room in its own other one
  room = 2,      ///< its other candidate bucket has an empty slot, so the path ends there
};

/// Which entry leaves a full bucket, and where to.
struct Choice {
  std::uint32_t slot;
  std::uint32_t victim;   ///< the entry that leaves
  Candidate destination;  ///< the victim's other candidate
  Reach reach;            ///< from the destination
};

// The rules of a walk are templates over the buckets that they read: those of a filter, those that threads share, those
// in which some entries count as gone, and those that tell what is read.

/// True if an entry of the full `bucket` has room in its other candidate bucket.
template <class AnyBuckets>
bool leads_to_room(AnyBuckets& buckets, const Params& params, std::uint64_t bucket) {
  const BucketNumbers destinations = ready_others(buckets, bucket, buckets.table().read(bucket), params);
  for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
    if (buckets.has_room(destinations[slot])) return true;
  }
  return false;
}

/// Which entry leaves a full bucket: the one that reaches an empty slot soonest; among several, the one with the
/// highest lot, which is draw x entry mod 2^32. Looking one step ahead fills a table further, and looking two after
/// `kNearKicks` kicks still further (tests/bench/tables/load.cpp). Only a traced filter may be asked not to look ahead:
/// then it is the entry with the highest lot of all. Always inline, because a walk calls it at one place.
template <class AnyBuckets>
[[gnu::always_inline]] inline Choice choose_kick(AnyBuckets& buckets, const Params& params, std::uint32_t bucket,
                                                 std::uint32_t draw, std::uint32_t kicks) {
  const Slots slots = buckets.table().read(bucket);
  const BucketNumbers destinations = ready_others(buckets, bucket, slots, params);
  // Reach, lot and slot as one number. The highest is kept without a branch, because none could be predicted.
  std::uint64_t best = 0;
  const auto consider_all = [&](Reach reach, auto reaches) {
    for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
      const std::uint64_t is_reached = reaches(destinations[slot]);
      const std::uint64_t it =
          (is_reached * static_cast<std::uint64_t>(reach)) << 40 | std::uint64_t{slots[slot] * draw} << 8 | slot;
      const std::uint64_t is_higher = best < it;
      best ^= (best ^ it) & (0 - is_higher);
    }
  };
  const auto reach_of_best = [&] { return static_cast<Reach>(best >> 40); };
  if (!buckets.looks_ahead()) {
    consider_all(Reach::far, [](std::uint64_t) { return std::uint64_t{0}; });
    const bool has_room = buckets.has_room(destinations[best & 0xFF]);
    best |= static_cast<std::uint64_t>(has_room ? Reach::room : Reach::far) << 40;
  } else {
    buckets.with_has_room([&](auto has_room) { consider_all(Reach::room, has_room); });
    if (reach_of_best() == Reach::far && kicks >= kNearKicks) {
      consider_all(Reach::one_kick,
                   [&](std::uint64_t destination) { return leads_to_room(buckets, params, destination); });
    }
  }
  const std::uint32_t slot = best & 0xFF;
  const std::uint32_t victim = slots[slot];
  // In a fixed table the victim is the same entry in both buckets, so it need not be computed again.
  const std::uint32_t moved = params.reserved_bits == 0 ? victim : other({bucket, victim}, params).entry;
  return {slot, victim, {static_cast<std::uint32_t>(destinations[slot]), moved}, reach_of_best()};
}

/// One move of a path: in `bucket`, `incoming` takes the slot of `victim`.
struct Kick {
  std::uint32_t bucket;
  std::uint32_t slot;
  std::uint32_t victim;
  std::uint32_t incoming;
};

/// The kicks of an insert, in order, and where the last victim goes: a bucket with room, once the path is whole.
template <class AnyBuckets>
class Path {
 public:
  Path(AnyBuckets& buckets, const Params& params) : buckets_(buckets), params_(params) {}

  /// Plans how the entry that belongs `at` two full buckets gets in: the random walk of Fan et al. 2014, Algorithm 1,
  /// looking ahead (see `choose_kick`). False if the kicks that may be tried free no slot, or after `kNearKicks` if
  /// more cannot help (see `is_closed`).
  bool plan(const Location& at) {
    begin(at);
    while (!is_whole() && step()) {
    }
    return is_whole();
  }
  /// The path before its first kick.
  void begin(const Location& at) {
    choice_ = KickLots({at.primary.bucket, without_value(at.primary.entry, params_)});
    end_ = choice_.first(at);
    last_ = {};
    tried_ = 0;
    keep(0);
  }
  /// One kick more; false if that is not allowed, or cannot help.
  bool step() {
    if (tried_ >= params_.max_kicks || tried_ >= kMostKicks) return false;
    if (tried_ == kNearKicks && looks_ahead() && is_closed(*this, params_, end_)) return false;
    last_ = choose_kick(*this, params_, end_.bucket, draw_ = choice_.next_draw(), tried_++);
    if (last_.victim == 0) {  // another thread has emptied a slot there
      last_.reach = Reach::room;
    } else if (!AnyBuckets::kForgetsLoops || !forget_loop()) {
      is_touched_[end_.bucket % is_touched_.size()] = true;
      kicks_[size_++] = {end_.bucket, last_.slot, last_.victim, end_.entry};
      end_ = last_.destination;
    }
    return true;
  }

  /// Whether the last entry has room where it goes.
  [[nodiscard]] bool is_whole() const { return last_.reach == Reach::room; }
  /// Kicks tried, of which loops may have been forgotten.
  [[nodiscard]] std::uint32_t tried() const { return tried_; }
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] const Kick& operator[](std::uint32_t i) const {
    assert(i < size_);
    return kicks_[i];
  }
  /// Where the entry goes that the last kick moves out, or the inserted one if there is no kick.
  [[nodiscard]] Candidate end() const { return end_; }
  /// How the last kick was chosen.
  [[nodiscard]] Reach reach() const { return last_.reach; }
  [[nodiscard]] std::uint32_t draw() const { return draw_; }

  /// Whether each victim is still in its slot, and room where the path ends. While nobody else moves entries, the path
  /// is then as good as one that is planned now.
  [[nodiscard]] bool holds() const {
    for (std::uint32_t i = 0; i < size_; ++i) {
      if (buckets_.table().read(kicks_[i].bucket)[kicks_[i].slot] != kicks_[i].victim) return false;
    }
    return buckets_.has_room(end_.bucket);
  }

  // The buckets as they would be after the kicks so far, for the rules of a walk.

  [[nodiscard]] const Path& table() const { return *this; }
  [[nodiscard]] const BucketLayout& layout() const { return buckets_.table().layout(); }
  [[nodiscard]] Slots read(std::uint64_t bucket) const {
    if (is_touched_[bucket % is_touched_.size()]) [[unlikely]]
      return read_after(size_, bucket);
    return buckets_.table().read(bucket);
  }
  /// `bucket` after the first `kicks` kicks.
  [[nodiscard, gnu::noinline, gnu::cold]] Slots read_after(std::uint32_t kicks, std::uint64_t bucket) const {
    assert(kicks <= size_);
    Slots slots = buckets_.table().read(bucket);
    for (std::uint32_t i = 0; i < kicks; ++i) {
      if (kicks_[i].bucket != bucket) continue;
      (void)put_sorted(layout(), slots, kicks_[i].slot, kicks_[i].incoming);
    }
    return slots;
  }
  /// Kicks do not change this: a bucket on the path stays full.
  [[nodiscard]] bool has_room(std::uint64_t bucket) const { return buckets_.has_room(bucket); }
  /// Calls `use(has_room)`, where the kind of buckets is looked up only once if they offer that.
  template <class Use>
  void with_has_room(Use use) const {
    if constexpr (requires { buckets_.with_has_room(use); }) {
      buckets_.with_has_room(use);
    } else {
      use([this](std::uint64_t bucket) { return buckets_.has_room(bucket); });
    }
  }
  [[nodiscard]] bool looks_ahead() const { return buckets_.looks_ahead(); }
  [[nodiscard]] bool has_work() const { return buckets_.has_work(); }
  void ready(std::uint64_t bucket) { buckets_.ready(bucket); }

 private:
  /// If the last choice moves out an entry that a kick of this path moved in: forgets the loop. True if it did.
  bool forget_loop() {
    for (std::uint32_t i = size_; i-- > 0;) {
      if (kicks_[i].bucket != end_.bucket || kicks_[i].slot != last_.slot) continue;
      // The victim came by kick i, so it goes back to where kick i - 1 moved it out: both are forgotten, with the loop.
      end_ = i == 0 ? last_.destination : Candidate{kicks_[i - 1].bucket, kicks_[i - 1].incoming};
      keep(i == 0 ? 0 : i - 1);
      last_.reach = Reach::far;
      return true;
    }
    return false;
  }

  /// Keeps only the first `size` kicks.
  void keep(std::uint32_t size) {
    size_ = size;
    is_touched_.reset();
    for (std::uint32_t i = 0; i < size; ++i) is_touched_[kicks_[i].bucket % is_touched_.size()] = true;
  }

  AnyBuckets& buckets_;
  const Params& params_;
  KickLots choice_{Candidate{}};
  Candidate end_{};
  Choice last_{};
  std::uint32_t draw_ = 0;
  std::uint32_t tried_ = 0;
  std::uint32_t size_ = 0;
  std::bitset<1024> is_touched_;  ///< by bucket numbers modulo its size: most buckets that are read are not on the path
  std::array<Kick, kMostKicks> kicks_;
};

/// What became of an insert, and how many kicks it took or tried.
struct Stored {
  InsertOutcome outcome;
  std::uint32_t kicks = 0;
};

/// Makes the kicks of a whole path, from its near end.
template <class AnyPath>
void make_kicks(Table& table, const AnyPath& path) {
  assert(path.is_whole());
  for (std::uint32_t i = 0; i < path.size(); ++i) table.set(path[i].bucket, path[i].slot, path[i].incoming);
}

/// Stores the entry that belongs `at` two full buckets.
template <class AnyBuckets>
[[gnu::noinline]] Stored store_by_kicks(AnyBuckets& buckets, const Params& params, const Location& at) {
  if (is_filled_with_alike(buckets, params, at)) return {InsertOutcome::too_many_copies};
  Path path(buckets, params);
  if (!path.plan(at)) return {InsertOutcome::full, path.tried()};
  make_kicks(buckets.table(), path);
  const bool is_in = buckets.insert(path.end());
  assert(is_in);
  return {is_in ? InsertOutcome::inserted : InsertOutcome::full, path.size()};
}

/// Stores the entry that belongs `at` these candidates. If it finds no room, no byte has changed.
template <class AnyBuckets>
Stored store_at(AnyBuckets& buckets, const Params& params, const Location& at) {
  if (buckets.insert(at.primary) || buckets.insert(at.alternate)) return {InsertOutcome::inserted};
  return store_by_kicks(buckets, params, at);
}

}  // namespace cuckoo::detail
