// Which home an insert disturbs first and which fingerprint of a full bucket it moves out.
// Invariant: a choice depends on the fingerprints in the bucket and the key's location alone, not on the
// order of the slots, on a clock or on earlier choices elsewhere. So the same operations give the same
// content on every machine, and a saved filter, whose slots are sorted, goes on exactly as its original does.
#pragma once

#include <array>
#include <cstdint>

#include "cuckoo/location.h"
#include "cuckoo/table.h"

namespace cuckoo {

/// The random choices of one insert: a 64-bit linear congruential generator, seeded by the key's location.
/// Constants: Knuth's MMIX generator. The upper half of the state is used, as the lowest bits have short
/// periods.
class KickChoice {
 public:
  explicit KickChoice(const Location& at) : state_(at.primary << 32 | at.fingerprint) { (void)draw(); }

  /// The home whose fingerprints are moved: the first or the second with equal probability.
  Home first_home(const Location& at) {
    return draw() >> 31 != 0 ? Home{at.alternate, at.in_alternate} : Home{at.primary, at.fingerprint};
  }

  /// The next number for `choose_kick`: odd, so that different fingerprints draw different lots.
  std::uint32_t next_draw() { return draw() | 1; }

 private:
  std::uint32_t draw() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 32);
  }

  std::uint64_t state_;
};

/// How soon a fingerprint that is moved out finds an empty slot. Further is lower.
enum class Reach : std::uint8_t {
  far = 0,       ///< nothing is known
  one_kick = 1,  ///< its other home is full, but one there has room in its own other home
  room = 2,      ///< its other home has an empty slot, so the path ends there
};

/// One move of a kick path.
struct Kick {
  std::uint32_t slot = 0;         ///< where in the full bucket
  std::uint32_t victim = 0;       ///< the fingerprint that leaves it
  std::uint64_t destination = 0;  ///< the victim's other home
  Reach reach = Reach::far;       ///< from the destination
};

/// Kicks of an insert after which two steps are looked ahead instead of one. Few inserts get there below the planned
/// load, so it costs them nothing, and those that do would fail without it.
inline constexpr std::uint32_t kNearKicks = 32;

/// A bucket for each slot of one.
using Buckets = std::array<std::uint64_t, kMaxBucketSize>;

/// The other homes of what the slots of a bucket of a `Filter` hold.
struct OtherBuckets {
  Buckets operator()(std::uint64_t bucket, const Slots& slots, const Params& params) const {
    Buckets others;
    // Two loops, as a choice inside makes inserts take 1.06 of the time.
    if (params.reserved_bits == 0) {
      for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
        others[slot] = alternate(bucket, slots[slot], params.addressing, params.bucket_count);
      }
    } else {
      for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
        others[slot] = other_bucket(bucket, slots[slot], params);
      }
    }
    return others;
  }
};

/// True if a fingerprint of the full `bucket` has room in its other home.
template <class Homes = OtherBuckets>
bool leads_to_room(const Table& table, const Params& params, std::uint64_t bucket, const Homes& homes = {}) {
  const Buckets others = homes(bucket, table.read(bucket), params);
  for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
    if (table.has_room(others[slot])) return true;
  }
  return false;
}

/// Which fingerprint leaves a full bucket: the one that reaches an empty slot soonest; of several, the one with the
/// highest lot, draw x fingerprint mod 2^32. Looking one step ahead fills a table of b = 4 and m = 1,000,000 to 0.973
/// with 500 kicks instead of 0.961, and two steps after `kNearKicks` kicks to 0.977 (tests/bench/load.cpp).
/// `homes` gives the slots' other homes: a template parameter, as calls through a pointer would cost the inserts.
template <class Homes = OtherBuckets>
Kick choose_kick(const Table& table, const Params& params, std::uint64_t bucket, std::uint32_t draw,
                 std::uint32_t kicks, const Homes& homes = {}) {
  const Slots slots = table.read(bucket);
  const Buckets destinations = homes(bucket, slots, params);
  // Reach, lot and slot as one number, of which the highest is kept without a branch: none could be predicted, and
  // inserts take a tenth less.
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
  table.with_has_room([&](auto has_room) { consider_all(Reach::room, has_room); });
  if (reach_of_best() == Reach::far && kicks >= kNearKicks) {
    consider_all(Reach::one_kick,
                 [&](std::uint64_t destination) { return leads_to_room(table, params, destination, homes); });
  }
  const std::uint32_t slot = best & 0xFF;
  return {slot, slots[slot], destinations[slot], reach_of_best()};
}

}  // namespace cuckoo
