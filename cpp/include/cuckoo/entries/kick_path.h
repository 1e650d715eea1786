// SPDX-License-Identifier: MIT
// The kick path of an insert whose candidate buckets are full: which entry leaves each bucket, the walk, and its
// undoing. Invariant: a choice depends only on the entries in the bucket and on the key's location, not on the order of
// slots, on a clock or on earlier choices elsewhere. So the same operations give the same entries on every machine, and
// a saved filter, whose slots are sorted, continues exactly as its original does.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <memory>
#include <new>

#include "cuckoo/entries/closed_set.h"
#include "cuckoo/entries/location.h"
#include "cuckoo/entries/outcome.h"
#include "cuckoo/entries/pending.h"
#include "cuckoo/entries/place.h"
#include "cuckoo/error.h"
#include "cuckoo/table/table.h"

namespace cuckoo::detail {

/// The random choices of one insert: a 64-bit linear congruential generator, seeded by the key's primary candidate.
/// Constants: Knuth's MMIX generator. Only the upper half of the state is used, because the lowest bits have short
/// periods.
class KickChoice {
 public:
  explicit KickChoice(Candidate primary) : state_(std::uint64_t{primary.bucket} << 32 | primary.entry) { (void)draw(); }

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

/// One move of a kick path.
struct Kick {
  std::uint32_t slot;     ///< where in the full bucket
  std::uint32_t victim;   ///< the entry that leaves it
  Candidate destination;  ///< the victim's other candidate
  Reach reach;            ///< from the destination
};

// The rules of a walk are templates over the buckets that they read, because filters that threads share have other
// buckets.

/// True if an entry of the full `bucket` has room in its other candidate bucket.
template <class AnyBuckets, class Trace>
bool leads_to_room(AnyBuckets& buckets, const Params& params, std::uint64_t bucket, Trace& trace) {
  const BucketNumbers destinations = ready_others(buckets, bucket, buckets.table().read(bucket), params);
  for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
    trace.probe(buckets.table(), destinations[slot], 0);
    if (buckets.has_room(destinations[slot])) return true;
  }
  return false;
}

/// Which entry leaves a full bucket: the one that reaches an empty slot soonest; among several, the one with the
/// highest lot, which is draw x entry mod 2^32. If the trace asks not to look ahead, the one with the highest lot of
/// all. Looking one step ahead fills a table further, and looking two after `kNearKicks` kicks still further
/// (tests/bench/tables/load.cpp).
template <class AnyBuckets, class Trace>
Kick choose_kick(AnyBuckets& buckets, const Params& params, std::uint32_t bucket, std::uint32_t draw,
                 std::uint32_t kicks, Trace& trace) {
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
  if (!looks_ahead(trace)) {
    consider_all(Reach::far, [](std::uint64_t) { return std::uint64_t{0}; });
    const std::uint64_t destination = destinations[best & 0xFF];
    if (buckets.has_room(destination)) best |= static_cast<std::uint64_t>(Reach::room) << 40;
  } else {
    buckets.with_has_room([&](auto has_room) {
      consider_all(Reach::room, [&](std::uint64_t destination) {
        trace.probe(buckets.table(), destination, 0);
        return has_room(destination);
      });
    });
  }
  if (looks_ahead(trace) && reach_of_best() == Reach::far && kicks >= kNearKicks) {
    consider_all(Reach::one_kick,
                 [&](std::uint64_t destination) { return leads_to_room(buckets, params, destination, trace); });
  }
  const std::uint32_t slot = best & 0xFF;
  const std::uint32_t victim = slots[slot];
  // In a fixed table the victim is the same entry in both buckets, so it need not be computed again.
  const std::uint32_t moved = params.reserved_bits == 0 ? victim : other({bucket, victim}, params).entry;
  return {slot, victim, {static_cast<std::uint32_t>(destinations[slot]), moved}, reach_of_best()};
}

/// The kicks of the insert under way, in order.
class KickPath {
 public:
  /// With room for `max_kicks` kicks, or `Error::out_of_memory`.
  static Result<KickPath> create(std::uint32_t max_kicks) {
    KickPath path;
    path.slots_.reset(new (std::nothrow) std::uint8_t[max_kicks]);
    if (path.slots_ == nullptr) return Error::out_of_memory;
    return path;
  }

  /// Stores the entry of `at`, after as many kicks as are then in `kicks`.
  template <class Trace>
  InsertOutcome place(Buckets& buckets, const Params& params, const Location& at, std::uint32_t& kicks, Trace& trace) {
    // Prefetched, because many inserts need it, and would otherwise wait for one bucket after the other.
    buckets.table().prefetch_bucket(at.alternate.bucket);
    if (try_place(buckets, at.primary, at.alternate.bucket, 0, trace)) return InsertOutcome::inserted;
    if (try_place(buckets, at.alternate, at.primary.bucket, 0, trace)) return InsertOutcome::inserted;
    return place_by_kicks(buckets, params, at, kicks, trace);
  }
  /// The same, if both buckets are full.
  template <class Trace>
  InsertOutcome place_by_kicks(Buckets& buckets, const Params& params, const Location& at, std::uint32_t& kicks,
                               Trace& trace) {
    if (is_filled_with_alike(buckets, params, at)) return InsertOutcome::too_many_copies;
    return walk(buckets, params, at, kicks, trace) ? InsertOutcome::inserted : InsertOutcome::full;
  }

  /// Stores the entry that belongs `at` two full buckets, by the random walk of Fan et al. 2014, Algorithm 1, looking
  /// ahead (see `choose_kick`). `kicks` counts the kicks. False, with every kick undone, if `max_kicks` kicks freed no
  /// slot, or after `kNearKicks` if more kicks cannot help (see `is_closed`). If the trace asks not to look ahead, this
  /// is Algorithm 1 itself, and a full bucket that a victim comes to is read like any other.
  template <class Trace>
  bool walk(Buckets& buckets, const Params& params, const Location& at, std::uint32_t& kicks, Trace& trace) {
    KickChoice choice({at.primary.bucket, without_value(at.primary.entry, params)});
    Candidate incoming = choice.first(at);
    std::uint32_t number = 0;
    while (number < params.max_kicks) {
      if (number == kNearKicks && looks_ahead(trace) && is_closed(buckets, params, incoming, trace)) break;
      const std::uint32_t bucket = incoming.bucket;
      const std::uint32_t draw = choice.next_draw();
      const Kick kick = choose_kick(buckets, params, bucket, draw, number, trace);
      const Change change = change_slot(buckets.table(), bucket, kick.slot, kick.victim, incoming.entry, trace);
      slots_[number++] = static_cast<std::uint8_t>(change.settled);
      trace.kick(buckets.table(), change, kick, number, draw);
      incoming = kick.destination;
      kicks = number;
      if (kick.reach == Reach::room) {
        const bool is_placed = try_place(buckets, incoming, bucket, number, trace);
        assert(is_placed);
        return is_placed;
      }
      if (!looks_ahead(trace)) trace.probe(buckets.table(), incoming.bucket, 0);
    }
    undo(buckets, params, incoming, number, trace);
    return false;
  }

 private:
  KickPath() = default;

  /// Walks the path back. `incoming` has no slot in its bucket, so it was kicked out of its other bucket.
  template <class Trace>
  void undo(Buckets& buckets, const Params& params, Candidate incoming, std::uint32_t kicks, Trace& trace) {
    for (; kicks > 0; --kicks) {
      const Candidate left = other(incoming, params);
      const std::uint32_t slot = slots_[kicks - 1];
      const std::uint32_t intruder = buckets.table().read(left.bucket)[slot];
      const Change change = change_slot(buckets.table(), left.bucket, slot, intruder, left.entry, trace);
      trace.undo(buckets.table(), change, incoming.bucket, kicks);
      incoming = {left.bucket, intruder};
    }
  }

  std::unique_ptr<std::uint8_t[]> slots_;  ///< where each kick put the entry that it moved in
};

}  // namespace cuckoo::detail
