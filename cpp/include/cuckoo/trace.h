// What a filter can report of its work: facts in fixed-size records, in a buffer that the caller reads.
// Invariant: a record holds the old and the new content of what it changed, so that every event can be
// undone, and a full buffer is flagged, never silent. NoTrace, the default, compiles to nothing: the tests
// compare the machine code with that of the same headers without any trace call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <span>

#include "cuckoo/kick.h"
#include "cuckoo/location.h"
#include "cuckoo/table.h"

namespace cuckoo {

/// What a record tells. The fields each kind uses are listed at `Event`.
enum class EventKind : std::uint8_t {
  begin = 0,   ///< an operation starts
  locate = 1,  ///< the hash became a fingerprint and two homes
  probe = 2,   ///< a slot was read
  place = 3,   ///< a fingerprint went into an empty slot
  kick = 4,    ///< a fingerprint took the place of another, which moves to its other home
  undo = 5,    ///< a kick was taken back
  remove = 6,  ///< a fingerprint was taken out
  end = 7,     ///< the operation is over
  encode = 8,  ///< a semi-sorted bucket was sorted again, and its low parts coded
  reset = 9,   ///< the whole table changed at once (clear, grow)
};

/// The operation between a begin and its end.
enum class Operation : std::uint8_t {
  insert = 0,
  insert_if_absent = 1,
  contains = 2,
  count = 3,
  erase = 4,
  clear = 5,
  grow = 6,  ///< the table doubled: after its reset, buckets and slots are to be read anew
};

/// Bits of `Event::flags`.
enum EventFlag : std::uint8_t {
  kZeroReplaced = 1,   ///< locate: the raw fingerprint was 0 and became 1
  kHomesCoincide = 2,  ///< locate: both homes are one bucket
  kMatches = 4,        ///< probe: the slot holds the fingerprint sought
  kEmpty = 8,          ///< probe: the slot is empty
  kHasRoom = 16,       ///< kick: the victim's other home has an empty slot
  kLeadsToRoom = 32,   ///< kick: it has none, but a fingerprint there has one in its own other home
};

/// One fact, 32 bytes. Fields not named for a kind are 0.
///
/// begin:  code (Operation), before and after (hash, low and high 32 bits), bucket and other_bucket (size,
/// low and high) locate: bucket (primary), other_bucket (alternate), before (raw fingerprint), after
/// (fingerprint),
///         detail (home offset, among the buckets that the table will have once it has grown), flags
/// probe:  bucket, slot, before = after (content), detail (fingerprint sought, 0: an empty slot), flags
/// place:  bucket, slot, before (0), after (fingerprint), other_bucket (its other home), kick (kicks so far)
/// kick:   bucket, slot, before (victim), after (who takes its place), other_bucket (where the victim goes),
///         kick (number, from 1), flags, detail (the draw: of the fingerprints that reach an empty slot
///         soonest, the one for which detail x fingerprint mod 2^32 is largest is the victim)
/// undo:   the kick's record with before and after exchanged
/// remove: bucket, slot, before (fingerprint), after (0), other_bucket (its other home)
/// encode: after each change of a semi-sorted bucket: bucket, slot (the one just changed), detail (the slot its content
///         moved to, past those between, which each moved one slot the other way), before and after (the bucket's
///         codes)
/// end:    before (Operation), code (result: InsertOutcome, or 1 for true), kick (kicks made),
///         detail (copies, for count), bucket and other_bucket (size, low and high)
/// reset:  code (Operation)
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

/// A slot that is changed, and where the bucket's order puts its new content.
struct Change {
  std::uint64_t bucket = 0;
  std::uint32_t slot = 0;
  std::uint32_t settled = 0;  ///< the same slot, in a plain bucket
};

/// Reports nothing and costs nothing. The list of what a filter reports.
struct NoTrace {
  static constexpr bool kSeesLookups = false;  ///< so that many at once need not be told one by one
  void begin(Operation, Hash, std::uint64_t) {}
  void locate(Hash, const Location&, const Params&) {}
  void probe(const Table&, std::uint64_t, std::uint32_t) {}
  void look_ahead(const Table&, const Params&, std::uint64_t, std::uint32_t) {}
  void before_change(const Table&, std::uint64_t) {}
  void place(const Table&, const Change&, std::uint32_t, std::uint64_t, std::uint32_t) {}
  void kick(const Table&, const Change&, const Kick&, std::uint32_t, std::uint32_t, std::uint32_t) {}
  void undo(const Table&, const Change&, std::uint32_t, std::uint32_t, std::uint64_t, std::uint32_t) {}
  void remove(const Table&, const Change&, std::uint32_t, std::uint64_t) {}
  void reset(Operation) {}
  void end(Operation, std::uint8_t, std::uint32_t, std::uint64_t, std::uint32_t) {}
};

/// How much a TraceLog records.
enum class TraceLevel : std::uint8_t { off = 0, ends = 1, all = 2 };

/// Keeps events in a buffer of fixed size until they are read and dropped by `drain`.
class TraceLog {
 public:
  static constexpr bool kSeesLookups = true;

  /// Starts recording at `level` into a fresh buffer of `capacity` events; false if it cannot be allocated.
  bool open(TraceLevel level, std::size_t capacity) {
    // More bytes than a pointer can tell apart make even this form of new throw.
    if (capacity > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(Event)) return false;
    std::unique_ptr<Event[]> events(new (std::nothrow) Event[capacity]);
    if (events == nullptr) return false;
    events_ = std::move(events);
    capacity_ = capacity;
    level_ = level;
    operation_ = 0;
    drain();
    return true;
  }
  /// The events since the last drain, oldest first.
  [[nodiscard]] std::span<const Event> events() const { return {events_.get(), size_}; }
  /// True if events were lost since the last drain, as the buffer was full.
  [[nodiscard]] bool has_overflowed() const { return has_overflowed_; }
  /// Forgets the events read.
  void drain() {
    size_ = 0;
    has_overflowed_ = false;
  }

  void begin(Operation operation, Hash hash, std::uint64_t size) {
    ++operation_;
    Event event = sized(EventKind::begin, size);
    event.code = static_cast<std::uint8_t>(operation);
    event.before = static_cast<std::uint32_t>(static_cast<std::uint64_t>(hash));
    event.after = static_cast<std::uint32_t>(static_cast<std::uint64_t>(hash) >> 32);
    record(TraceLevel::all, event);
  }
  void locate(Hash hash, const Location& at, const Params& params) {
    Event event = homes(EventKind::locate, at.primary, at.alternate);
    event.before = raw_fingerprint(hash, params);
    event.after = at.fingerprint;
    event.detail =
        static_cast<std::uint32_t>(home_offset(fingerprint_in(at.fingerprint, params), grown_bucket_count(params)));
    event.flags = static_cast<std::uint8_t>((event.before == 0 ? kZeroReplaced : 0) |
                                            (at.primary == at.alternate ? kHomesCoincide : 0));
    record(TraceLevel::all, event);
  }
  /// Every slot of `bucket` up to the first that holds `sought` (0: is empty).
  void probe(const Table& table, std::uint64_t bucket, std::uint32_t sought) {
    for (std::uint32_t slot = 0; level_ == TraceLevel::all && slot < table.layout().bucket_size; ++slot) {
      const std::uint32_t content = table.get(bucket, slot);
      Event event = change(EventKind::probe, bucket, slot, content, content);
      event.detail = sought;
      event.flags = static_cast<std::uint8_t>((content == sought ? kMatches : 0) | (content == 0 ? kEmpty : 0));
      record(TraceLevel::all, event);
      if (content == sought) return;
    }
  }
  /// The buckets that `choose_kick` reads for an empty slot before the kick numbered `kicks` from 0.
  void look_ahead(const Table& table, const Params& params, std::uint64_t bucket, std::uint32_t kicks) {
    if (level_ != TraceLevel::all) return;
    const auto other = [&](std::uint64_t from, std::uint32_t slot) {
      return other_bucket(from, table.get(from, slot), params);
    };
    bool is_room_near = false;
    for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
      probe(table, other(bucket, slot), 0);
      is_room_near |= table.has_room(other(bucket, slot));
    }
    if (is_room_near || kicks < kNearKicks) return;
    for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
      const std::uint64_t destination = other(bucket, slot);
      for (std::uint32_t next = 0; next < params.bucket_size; ++next) {
        probe(table, other(destination, next), 0);
        if (table.has_room(other(destination, next))) break;
      }
    }
  }
  /// Keeps the code that the bucket has before it is changed, for the encode event.
  void before_change(const Table& table, std::uint64_t bucket) { code_before_ = table.code(bucket); }
  void place(const Table& table, const Change& at, std::uint32_t fingerprint, std::uint64_t other_bucket,
             std::uint32_t kicks) {
    Event event = change(EventKind::place, at.bucket, at.slot, 0, fingerprint);
    event.other_bucket = static_cast<std::uint32_t>(other_bucket);
    event.kick = kicks;
    record_change(table, at, event);
  }
  void kick(const Table& table, const Change& at, const Kick& kick, std::uint32_t incoming, std::uint32_t number,
            std::uint32_t draw) {
    Event event = change(EventKind::kick, at.bucket, at.slot, kick.victim, incoming);
    event.other_bucket = static_cast<std::uint32_t>(kick.destination);
    event.flags = kick.reach == Reach::room ? kHasRoom : kick.reach == Reach::one_kick ? kLeadsToRoom : 0;
    event.kick = number;
    event.detail = draw;
    record_change(table, at, event);
  }
  void undo(const Table& table, const Change& at, std::uint32_t from, std::uint32_t to, std::uint64_t other_bucket,
            std::uint32_t number) {
    Event event = change(EventKind::undo, at.bucket, at.slot, from, to);
    event.other_bucket = static_cast<std::uint32_t>(other_bucket);
    event.kick = number;
    record_change(table, at, event);
  }
  void remove(const Table& table, const Change& at, std::uint32_t fingerprint, std::uint64_t other_bucket) {
    Event event = change(EventKind::remove, at.bucket, at.slot, fingerprint, 0);
    event.other_bucket = static_cast<std::uint32_t>(other_bucket);
    record_change(table, at, event);
  }
  void reset(Operation operation) {
    Event event = change(EventKind::reset, 0, 0, 0, 0);
    event.code = static_cast<std::uint8_t>(operation);
    record(TraceLevel::all, event);
  }
  void end(Operation operation, std::uint8_t result, std::uint32_t kicks, std::uint64_t size, std::uint32_t copies) {
    Event event = sized(EventKind::end, size);
    event.before = static_cast<std::uint32_t>(operation);
    event.code = result;
    event.kick = kicks;
    event.detail = copies;
    record(TraceLevel::ends, event);
  }

 private:
  /// An event with two buckets. Bucket numbers lie below 2^32 (`kMaxBucketCount`), so they fit.
  static Event homes(EventKind kind, std::uint64_t bucket, std::uint64_t other_bucket) {
    Event event;
    event.kind = kind;
    event.bucket = static_cast<std::uint32_t>(bucket);
    event.other_bucket = static_cast<std::uint32_t>(other_bucket);
    return event;
  }
  static Event change(EventKind kind, std::uint64_t bucket, std::uint32_t slot, std::uint32_t before,
                      std::uint32_t after) {
    Event event = homes(kind, bucket, 0);
    event.slot = static_cast<std::uint8_t>(slot);
    event.before = before;
    event.after = after;
    return event;
  }
  static Event sized(EventKind kind, std::uint64_t size) { return homes(kind, size, size >> 32); }

  /// The event of a change, and of the coding that follows it in a semi-sorted bucket.
  void record_change(const Table& table, const Change& at, const Event& event) {
    record(TraceLevel::all, event);
    if (!table.layout().is_semi_sorted()) return;
    Event encode = change(EventKind::encode, at.bucket, at.slot, code_before_, table.code(at.bucket));
    encode.detail = at.settled;
    record(TraceLevel::all, encode);
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
  std::uint32_t code_before_ = 0;
  TraceLevel level_ = TraceLevel::off;
  bool has_overflowed_ = false;
};

}  // namespace cuckoo
