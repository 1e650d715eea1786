// SPDX-License-Identifier: MIT
// Finds a kick path: breadth first from the full candidate buckets of an entry, each bucket once, so that no path has
// fewer kicks. If the queue runs empty, no kick in this table can help.
// Invariant: a search changes nothing, and what it finds depends only on the entries of the table and on the
// candidates, not on the order of slots or on a clock. So the same operations give the same entries on every machine,
// and a saved filter, whose slots are sorted, continues exactly as its original does.
// Source of searching breadth first: Li, Andersen, Kaminsky, Freedman, EuroSys 2014, section 4.3.2.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstdint>

#include "cuckoo/detail/entries/location.h"
#include "cuckoo/detail/table/bucket.h"
#include "cuckoo/detail/table/order.h"
#include "cuckoo/params.h"

namespace cuckoo::detail {

/// What a search reads of a table: one of a filter, one that threads share, one in which some entries count as gone, or
/// one that is not made yet.
template <class AnyTable>
concept SearchableTable = requires(const AnyTable& table, std::uint64_t bucket) {
  /// The entries of a bucket, in any order.
  { table.read(bucket) } -> std::same_as<Slots>;
  /// Whether one more entry can be put into a bucket.
  { table.has_room(bucket) } -> std::same_as<bool>;
  /// Whether other threads may change the table meanwhile.
  { AnyTable::kIsShared } -> std::convertible_to<bool>;
};

/// The other candidate buckets of the entries in `bucket`; elements past the bucket size are not used. The numbers have
/// 64 bits: with 32, GCC vectorizes the loop of `leads_to_room`, and inserts take longer.
inline std::array<std::uint64_t, kMaxBucketSize> other_buckets(std::uint64_t bucket, const Slots& slots,
                                                               const Params& params) {
  std::array<std::uint64_t, kMaxBucketSize> others;
  // Two loops, because a choice inside would make inserts slower: an entry without payload is a fingerprint.
  if (entry_bits(params) == params.fingerprint_bits) {
    for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
      others[slot] = alternate_bucket(bucket, slots[slot], params.addressing, params.bucket_count);
    }
  } else {
    for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
      others[slot] = other({static_cast<std::uint32_t>(bucket), slots[slot]}, params).bucket;
    }
  }
  return others;
}

/// One move of a path: in `bucket`, `incoming` takes the slot of `victim`, which goes to `destination`.
struct Kick {
  std::uint32_t bucket;
  std::uint32_t victim;
  std::uint32_t incoming;
  Candidate destination;
  bool operator==(const Kick&) const = default;
};

/// A search, and the path that it found. It takes 32 kB of the stack, of which WebAssembly has 64.
template <SearchableTable AnyTable>
class Search {
 public:
  /// A search reads the entries of at most this many buckets. Fewer would fill tables less; more would hardly fill them
  /// further, and a refused insert would take longer (npm run bench -- load).
  static constexpr std::uint32_t kMaxBucketsRead = 2000;

  Search(const AnyTable& table, const Params& params) : table_(table), params_(params) {}

  /// Looks for a path to room for the entry that belongs `at` two full buckets. False if `kMaxBucketsRead` buckets, or
  /// all that there are to be reached, lead to none.
  bool find(const Location& at) {
    steps_[0] = {at.primary, kNone};
    steps_[1] = {at.alternate, kNone};
    count_ = at.primary.bucket == at.alternate.bucket ? 1 : 2;
    std::uint32_t queued = 0;  // steps whose entries are followed
    for (read_ = 0;; ++read_) {
      // What a bucket leads to is queued only when nothing else is left to be read: most searches end before.
      for (; read_ == count_; ++queued) {
        if (queued == count_ || count_ == kMaxBucketsRead) return false;
        queue_others(queued);
      }
      if (leads_to_room(read_)) return true;
    }
  }

  // The path that was found.

  /// Its number of kicks.
  [[nodiscard]] std::uint32_t size() const { return kicks_to(end_); }
  /// Where the entry goes that the last kick moves out, or the inserted one if there is no kick: a bucket with room.
  [[nodiscard]] Candidate end() const { return steps_[end_].at; }
  /// Calls `act(kick)` for each kick from the far end, so that every entry has a new place before it leaves its old
  /// one, until it returns false. Returns false if it did.
  template <class Act>
  bool each_kick(Act act) const {
    for (std::uint32_t i = end_; steps_[i].from != kNone; i = steps_[i].from) {
      const Candidate here = steps_[steps_[i].from].at;
      const Candidate destination = steps_[i].at;
      if (!act(Kick{here.bucket, other(destination, params_).entry, here.entry, destination})) return false;
    }
    return true;
  }

  // What was read, for a trace.

  /// How many buckets were read to find it, or to find none.
  [[nodiscard]] std::uint32_t read_count() const { return std::min(read_ + 1, count_); }
  [[nodiscard]] std::uint32_t bucket_read(std::uint32_t i) const { return steps_[i].at.bucket; }
  /// The kicks from a candidate bucket to that one.
  [[nodiscard]] std::uint32_t kicks_to(std::uint32_t i) const {
    std::uint32_t kicks = 0;
    for (; steps_[i].from != kNone; i = steps_[i].from) ++kicks;
    return kicks;
  }

 private:
  static constexpr std::uint16_t kNone = 0xFFFF;
  static constexpr std::uint32_t kHashBits = 12;
  static_assert(2 * kMaxBucketsRead <= 1u << kHashBits, "at most half full");

  /// An entry in a bucket that the search has met, and from which step it comes there.
  struct Step {
    Candidate at;
    std::uint16_t from;
  };

  /// Whether an entry in the bucket of step `i` has room in its other bucket: then the path ends there. Of several, the
  /// highest goes.
  bool leads_to_room(std::uint32_t i) {
    const std::uint32_t bucket = steps_[i].at.bucket;
    const Slots slots = table_.read(bucket);
    if constexpr (AnyTable::kIsShared) {
      if (has_empty_slot(slots, params_.bucket_size)) {
        end_ = i;  // another thread has emptied a slot
        return true;
      }
    }
    const auto others = other_buckets(bucket, slots, params_);
    // Whether there is room, entry and slot as one number. The highest is kept without a branch, because none could be
    // predicted.
    std::uint64_t best = 0;
    const auto look = [&](auto has_room) {
      for (std::uint32_t slot = 0; slot < params_.bucket_size; ++slot) {
        const std::uint64_t it = std::uint64_t{has_room(others[slot])} << 40 | std::uint64_t{slots[slot]} << 8 | slot;
        const std::uint64_t is_higher = best < it;
        best ^= (best ^ it) & (0 - is_higher);
      }
    };
    if constexpr (requires { table_.with_has_room(look); }) {
      table_.with_has_room(look);  // the kind of buckets is looked up only once
    } else {
      look([this](std::uint64_t each) { return table_.has_room(each); });
    }
    if (best >> 40 == 0) return false;
    const std::uint32_t slot = best & 0xFF;
    end_ = count_;
    steps_[end_] = {other({bucket, slots[slot]}, params_), static_cast<std::uint16_t>(i)};
    return true;
  }

  /// Queues the buckets that the entries in the bucket of step `i` lead to, in the order of these entries.
  [[gnu::noinline]] void queue_others(std::uint32_t i) {
    if (i == 0) {
      met_bits_ = 4;
      enlarge_met();
    }
    const std::uint32_t bucket = steps_[i].at.bucket;
    Slots slots = table_.read(bucket);
    for (std::uint32_t slot = 1; slot < params_.bucket_size; ++slot) {
      (void)move_into_order(slots.data(), slot, slot + 1, [](std::uint32_t entry) { return entry; });
    }
    for (std::uint32_t slot = 0; slot < params_.bucket_size && count_ < kMaxBucketsRead; ++slot) {
      if (slots[slot] == 0) continue;  // another thread has emptied it
      steps_[count_] = {other({bucket, slots[slot]}, params_), static_cast<std::uint16_t>(i)};
      if (2 * count_ >= std::uint32_t{1} << met_bits_) enlarge_met();
      if (meet(count_)) ++count_;
    }
  }

  // The buckets that were met: a hash table of the steps, at most half full, which begins small because clearing it
  // takes time.

  /// Notes the bucket of step `i`; false if it was met before.
  bool meet(std::uint32_t i) {
    const std::uint32_t bucket = steps_[i].at.bucket;
    const std::uint32_t mask = (std::uint32_t{1} << met_bits_) - 1;
    std::uint32_t at = bucket * 0x9E3779B1u >> (32 - met_bits_);
    for (; met_[at] != 0; at = (at + 1) & mask) {
      if (steps_[met_[at] - 1u].at.bucket == bucket) return false;
    }
    met_[at] = static_cast<std::uint16_t>(i + 1);
    return true;
  }
  [[gnu::noinline]] void enlarge_met() {
    met_bits_ += 2;
    assert(met_bits_ <= kHashBits);
    std::fill_n(met_.begin(), std::size_t{1} << met_bits_, std::uint16_t{0});
    for (std::uint32_t i = 0; i < count_; ++i) (void)meet(i);
  }

  const AnyTable& table_;
  const Params& params_;
  std::uint32_t count_;  ///< steps in the queue
  std::uint32_t read_;   ///< how many of their buckets were read and lead to no room
  std::uint32_t end_;    ///< the step to room
  std::uint32_t met_bits_;
  std::array<Step, kMaxBucketsRead + 1> steps_;                 ///< the queue, and room for the last step of the path
  std::array<std::uint16_t, std::size_t{1} << kHashBits> met_;  ///< 0, or 1 more than the number of a step
};

}  // namespace cuckoo::detail
