// SPDX-License-Identifier: MIT
// What a traced filter tells of its work: facts in fixed-size records, in a buffer that the caller reads.
// Invariant: a record holds the old and the new entry of what it changed, so that every event but a reset can be
// undone, and a full buffer is flagged, never silent. Filters that are not traced know nothing of this file:
// detail/entries/traced.h makes the events from paths and from what it asks the buckets.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "cuckoo/detail/entries/growth.h"
#include "cuckoo/detail/entries/location.h"
#include "cuckoo/entries/outcome.h"
#include "cuckoo/entries/statistics.h"

namespace cuckoo {

/// The kind of a record. `Event` lists the fields that each kind uses.
enum class EventKind : std::uint8_t {
  begin = 0,   ///< an operation starts
  locate = 1,  ///< the hash became two candidates
  probe = 2,   ///< a slot was read
  place = 3,   ///< an entry went into an empty slot
  kick = 4,    ///< an entry took the place of another, which moves to its other candidate bucket
  undo = 5,    ///< a kick of a random walk that is given up is taken back
  remove = 6,  ///< an entry was taken out
  end = 7,     ///< the operation is over
  encode = 8,  ///< a semi-sorted bucket was sorted again, and its low parts coded
  reset = 9,   ///< the whole table changed at once (clear, grow, shrink, merge)
  split = 10,  ///< before the reset of a grow: where an entry goes
  look = 11,   ///< the search looked whether a bucket has room
};

/// Bits of `Event::flags`.
enum EventFlag : std::uint8_t {
  kZeroReplaced = 1,     ///< locate: the raw fingerprint was 0 and became 1
  kBucketsCoincide = 2,  ///< locate: both candidates lie in one bucket
  kMatches = 4,          ///< probe: the slot holds the entry sought
  kEmpty = 8,            ///< probe: the slot is empty
  kHasRoom = 16,         ///< look: the bucket has an empty slot; kick: so has the victim's other candidate bucket
  kMoreLooks = 32,       ///< look: more of this search follow, which are not reported
};

/// One fact, 32 bytes. Its fields by kind; those not named are 0:
///
/// - begin: code (Operation), before and after (hash, low and high 32 bits), bucket and other_bucket (size, low and
///   high 32 bits).
/// - locate: bucket (primary), other_bucket (alternate), before (raw fingerprint), after (the entry of the primary
///   candidate), detail (offset from one candidate bucket to the other, among the buckets that the table may have at
///   last), flags.
/// - probe: bucket, slot, before = after (entry), detail (entry sought, 0: an empty slot), flags.
/// - place: bucket, slot, before (0), after (entry), other_bucket (its other candidate bucket), kick (kicks so far).
/// - look: bucket, other_bucket (the bucket from which the search comes to it: a candidate bucket, or one that an
///   earlier look found full), slot and before = after (the entry there that would move to `bucket`), kick (how many
///   kicks the path has if it ends here), flags. At most `kMaxLooks` for one search.
/// - kick: bucket, slot, before (victim), after (who takes its place), other_bucket (where the victim goes), kick
///   (number, from 1), flags, detail (of a random walk the draw: the entry for which detail x entry mod 2^32 is largest
///   is the victim).
/// - undo: the kick's record with before and after exchanged.
/// - remove: bucket, slot, before (entry), after (0), other_bucket (its other candidate bucket).
/// - encode: after each change of a semi-sorted bucket: bucket, slot (the one just changed), detail (the slot its entry
///   moved to, past those between, which each moved one slot the other way), before and after (the bucket's codes).
/// - end: before (Operation), code (result: InsertOutcome, or 1 for true), kick (kicks made), detail (copies, for
///   count), bucket and other_bucket (size, low and high 32 bits).
/// - reset: code (Operation).
/// - split: bucket, slot, before (entry with its highest reserved bit), other_bucket (of the doubled table), after
///   (entry without that bit). Told of every entry, or of none if the buffer has no room for all of them.
struct Event {
  std::uint32_t operation = 0;  ///< number of the operation since tracing began
  EventKind kind{};
  std::uint8_t flags = 0;
  std::uint8_t slot = 0;
  std::uint8_t code = 0;
  std::uint32_t bucket = 0;
  std::uint32_t other_bucket = 0;
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  std::uint32_t kick = 0;
  std::uint32_t detail = 0;
};
static_assert(sizeof(Event) == 32);

/// A search tells at most this many looks, which is what can be drawn; one that finds no room has up to 16,000.
inline constexpr std::uint32_t kMaxLooks = 256;

/// How an insert looks for a way out of two full buckets.
enum class Kicking : std::uint8_t {
  search = 0,       ///< breadth first, as every filter does
  random_walk = 1,  ///< as in Fan et al. 2014, Algorithm 1: a random victim, wherever it goes
};
inline constexpr std::uint32_t kDefaultWalkKicks = 500;  ///< as in the paper
inline constexpr std::uint32_t kMaxWalkKicks = 1000;     ///< for which there is room on the stack

/// How much a TraceLog records.
enum class TraceLevel : std::uint8_t { off = 0, ends = 1, all = 2 };

namespace detail {

/// A slot before and after a change.
struct SlotChange {
  std::uint32_t bucket;
  std::uint32_t slot;
  std::uint32_t before;        ///< entry that the slot held; 0 if it was empty
  std::uint32_t after;         ///< entry that took its place
  std::uint32_t other_bucket;  ///< of the entry that moved
};

}  // namespace detail

/// Keeps events in a buffer of fixed size until they are read and dropped by `drain`.
class TraceLog : public NoWatch {
 public:
  static constexpr bool kDoublesAtOnce = true;  ///< a trace is about one table, so there must be no second one

  /// Starts recording at `level` into a new buffer for `capacity` events; false if it cannot be allocated. From now on,
  /// inserts kick as `kicking` says, a random walk at most `walk_kicks` times.
  bool open(TraceLevel level, std::size_t capacity, Kicking kicking = Kicking::search,
            std::uint32_t walk_kicks = kDefaultWalkKicks) {
    assert(walk_kicks <= kMaxWalkKicks);
    // If the size exceeds what a pointer difference can hold, even this form of `new` throws.
    if (capacity > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(Event)) return false;
    std::unique_ptr<Event[]> events(new (std::nothrow) Event[capacity]);
    if (events == nullptr) return false;
    events_ = std::move(events);
    capacity_ = capacity;
    level_ = level;
    kicking_ = kicking;
    walk_kicks_ = walk_kicks;
    operation_ = 0;
    drain();
    return true;
  }
  /// The events since the last drain, oldest first.
  [[nodiscard]] std::span<const Event> events() const { return {events_.get(), size_}; }
  /// True if events were lost since the last drain because the buffer was full.
  [[nodiscard]] bool has_overflowed() const { return has_overflowed_; }
  [[nodiscard]] Kicking kicking() const { return kicking_; }
  [[nodiscard]] std::uint32_t walk_kicks() const { return walk_kicks_; }
  /// Forgets the events read.
  void drain() {
    size_ = 0;
    has_overflowed_ = false;
  }

  void begin(Operation operation, std::uint64_t size, Hash hash = {}) {
    ++operation_;
    Event event = sized(EventKind::begin, size);
    event.code = static_cast<std::uint8_t>(operation);
    event.before = static_cast<std::uint32_t>(static_cast<std::uint64_t>(hash));
    event.after = static_cast<std::uint32_t>(static_cast<std::uint64_t>(hash) >> 32);
    record(TraceLevel::all, event);
  }
  void locate(Hash hash, const detail::Location& at, const Params& params) {
    Event event = buckets(EventKind::locate, at.primary.bucket, at.alternate.bucket);
    event.before = detail::raw_fingerprint(hash, params);
    event.after = at.primary.entry;
    event.detail = static_cast<std::uint32_t>(
        detail::alternate_offset(detail::fingerprint_of(at.primary.entry, params), grown_bucket_count(params)));
    event.flags = static_cast<std::uint8_t>((event.before == 0 ? kZeroReplaced : 0) |
                                            (at.primary.bucket == at.alternate.bucket ? kBucketsCoincide : 0));
    record(TraceLevel::all, event);
  }
  /// Every slot of `bucket`, which has these, up to the first that holds `sought` (0: is empty).
  void probe(std::uint32_t bucket_size, std::uint64_t bucket, const detail::Slots& slots, std::uint32_t sought) {
    for (std::uint32_t slot = 0; slot < bucket_size; ++slot) {
      const std::uint32_t entry = slots[slot];
      Event event = changed(EventKind::probe, {static_cast<std::uint32_t>(bucket), slot, entry, entry, 0});
      event.detail = sought;
      event.flags = static_cast<std::uint8_t>((entry == sought ? kMatches : 0) | (entry == 0 ? kEmpty : 0));
      record(TraceLevel::all, event);
      if (entry == sought) return;
    }
  }
  /// A change of a bucket that had these slots: place, kick, undo or remove, with what else the kind tells; then the
  /// coding that follows it in a semi-sorted bucket.
  void change(EventKind kind, const detail::BucketLayout& layout, const detail::Slots& slots,
              const detail::SlotChange& at, std::uint32_t kick = 0, std::uint8_t flags = 0, std::uint32_t draw = 0) {
    Event event = changed(kind, at);
    event.kick = kick;
    event.flags = flags;
    event.detail = draw;
    record(TraceLevel::all, event);
    if (!layout.is_semi_sorted()) return;
    detail::Slots after = slots;
    Event encode = buckets(EventKind::encode, at.bucket, 0);
    encode.slot = static_cast<std::uint8_t>(at.slot);
    encode.detail = detail::put_sorted(layout, after, at.slot, at.after);
    encode.before = detail::code_of(layout, slots);
    encode.after = detail::code_of(layout, after);
    record(TraceLevel::all, encode);
  }
  /// The search looks from a slot, which has this entry, at its other bucket, to which a path has so many kicks.
  void look(std::uint32_t bucket, std::uint32_t slot, std::uint32_t entry, std::uint32_t other_bucket,
            std::uint32_t kicks, std::uint8_t flags) {
    Event event = changed(EventKind::look, {other_bucket, slot, entry, entry, bucket});
    event.kick = kicks;
    event.flags = flags;
    record(TraceLevel::all, event);
  }
  void reset(Operation operation) {
    Event event = buckets(EventKind::reset, 0, 0);
    event.code = static_cast<std::uint8_t>(operation);
    record(TraceLevel::all, event);
  }
  void end(Operation operation, std::uint8_t result, std::uint64_t size, std::uint32_t kicks = 0,
           std::uint32_t copies = 0) {
    Event event = sized(EventKind::end, size);
    event.before = static_cast<std::uint32_t>(operation);
    event.code = result;
    event.kick = kicks;
    event.detail = copies;
    record(TraceLevel::ends, event);
  }

  // As a watch: growth, halving and merges.

  void begin_resize(Operation operation, std::uint64_t size) { begin(operation, size); }
  /// Records where each of the `size` entries of `from` goes in the table of twice its size, which has the parameters
  /// `doubled`; or none if the buffer has no room for all and for the end event.
  void begin_moving(const detail::Table& from, const Params& doubled, std::uint64_t size) {
    if (level_ != TraceLevel::all || capacity_ - size_ < size + 2) return;
    const std::uint32_t top = detail::value_at(doubled);  // the bit that each entry loses
    for (std::uint32_t bucket = 0; bucket < from.bucket_count(); ++bucket) {
      const detail::Slots slots = from.read(bucket);
      for (std::uint32_t slot = 0; slot < doubled.bucket_size; ++slot) {
        if (const std::uint32_t entry = slots[slot]; entry != 0) {
          record(TraceLevel::all, changed(EventKind::split, {bucket, slot, entry, detail::of_half(entry, top),
                                                             2 * bucket + (entry >> top & 1)}));
        }
      }
    }
  }
  void end_resize(Operation operation, bool is_changed, std::uint64_t, std::uint64_t size) {
    if (is_changed) reset(operation);
    end(operation, is_changed, size);
  }
  void end_merge(TraceLog&& log, std::uint64_t size_before, std::uint64_t size) {
    *this = std::move(log);
    begin(Operation::merge, size_before);
    reset(Operation::merge);
    end(Operation::merge, true, size);
  }

 private:
  static Event buckets(EventKind kind, std::uint32_t bucket, std::uint32_t other_bucket) {
    Event event;
    event.kind = kind;
    event.bucket = bucket;
    event.other_bucket = other_bucket;
    return event;
  }
  static Event changed(EventKind kind, const detail::SlotChange& at) {
    Event event = buckets(kind, at.bucket, at.other_bucket);
    event.slot = static_cast<std::uint8_t>(at.slot);
    event.before = at.before;
    event.after = at.after;
    return event;
  }
  static Event sized(EventKind kind, std::uint64_t size) {
    return buckets(kind, static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(size >> 32));
  }

  void record(TraceLevel least, Event event) {
    if (level_ < least) return;
    if (size_ == capacity_) {
      has_overflowed_ = true;
      return;
    }
    event.operation = operation_;
    events_[size_++] = event;
  }

  std::unique_ptr<Event[]> events_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::uint32_t operation_ = 0;
  TraceLevel level_ = TraceLevel::off;
  bool has_overflowed_ = false;
  Kicking kicking_ = Kicking::search;
  std::uint32_t walk_kicks_ = kDefaultWalkKicks;
};

}  // namespace cuckoo
