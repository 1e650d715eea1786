// SPDX-License-Identifier: MIT
// What filters of one table share: entries and a hash, how they are made, the questions that do not depend on what
// values mean, and the calls of sets. Invariant: values, counters and periods are the same bits of an entry; only the
// kind tells them apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "cuckoo/detail/entries/entries.h"
#include "cuckoo/entries/outcome.h"
#include "cuckoo/error.h"
#include "cuckoo/filters/key_range.h"
#include "cuckoo/hash/hash.h"
#include "cuckoo/hash/hasher.h"
#include "cuckoo/params.h"
#include "cuckoo/plan.h"
#include "cuckoo/rate.h"

namespace cuckoo {

inline constexpr std::uint32_t kMaxCounterBits = 16;
inline constexpr std::uint32_t kMaxPeriods = 256;

/// What values are. The numbers are the format's; `none` is a filter without values.
enum class ValueKind : std::uint8_t { none = 0, values = 1, counters = 2, periods = 3 };

namespace detail {

/// What a filter with values saves besides its parameters and its entries.
struct Extension {
  ValueKind kind = ValueKind::none;
  std::uint8_t last_period = 0;      ///< of periods: their number, less one
  std::uint8_t forgotten = 0;        ///< of periods: how many, of the oldest, were forgotten to make room
  std::uint32_t current_period = 0;  ///< of periods: the value of the current one
  std::uint32_t has_clock = 0;       ///< of periods: 1 if they follow a clock
  std::uint64_t clock = 0;  ///< of periods: when the current one began by the clock, or how many began before it
};

/// The access from outside to the parts of a filter: for merging, saving, loading, layers and tests. Users do not need
/// it; what it gives may be used to break a filter's invariant.
struct Access {
  template <class AnyFilter>
  static auto& entries(AnyFilter& filter) {
    return filter.entries_;
  }
  /// The filter made of parts that belong together, or the error that came instead of its entries.
  template <class AnyFilter>
  static Result<AnyFilter> adopt(Result<typename AnyFilter::TableEntries> entries, const Hasher& hasher,
                                 const Extension& extension = {}) {
    if (!entries) return entries.error();
    return AnyFilter::adopt(std::move(*entries), hasher, extension);
  }
  template <class AnyFilter>
  static Extension extension(const AnyFilter& filter) {
    return filter.extension();
  }
  template <class AnyFilter>
  static Field field_that_differs(const AnyFilter& one, const AnyFilter& other) {
    return one.field_that_differs(other);
  }
  /// Inserts some entries of `from`.
  template <class AnyFilter, class... Flag>
  static InsertOutcome absorb(AnyFilter& into, const AnyFilter& from, const HashBatch& some, Flag... only_if_absent) {
    return into.absorb(from, some, only_if_absent...);
  }
  /// The scalable filter whose first layer began as `first`; and one layer more.
  template <class Scalable>
  static Result<Scalable> with_layer(const Params& first, typename Scalable::Layer layer) {
    return Scalable::with_layer(first, std::move(layer));
  }
  template <class Scalable>
  [[nodiscard]] static bool push(Scalable& filter, typename Scalable::Layer layer) {
    return filter.push(std::move(layer));
  }
};

/// Entries under a hash of their keys, and the calls that are the same whether one filter owns the table or threads
/// share it. Those that store and erase keys are for sets alone.
template <class AnyEntries, ValueKind kind>
class HashedEntries {
 public:
  /// The hash of a key in this filter. Calls that take a key also take its hash.
  template <Key K>
  [[nodiscard]] Hash hash(const K& key) const {
    return hasher_(key);
  }
  /// False: `key` is not in the filter. True: it probably is. An absent key is found with the probability that
  /// `expected_false_positive_rate` gives. Reads two buckets.
  template <Key K>
  [[nodiscard]] bool contains(const K& key) const {
    if constexpr (kind == ValueKind::none) {
      return entries_.contains(hash(key));
    } else {
      return entries_.contains_alike(hash(key));
    }
  }
  /// Writes 1 for each key that is found, else 0. `found` must be at least as long as `keys`.
  template <Keys R>
  void contains_many(R&& keys, std::span<std::uint8_t> found) const {
    in_batches(hasher_, keys, found.size(), [&](std::span<const Hash> hashes, std::size_t first) {
      if constexpr (kind == ValueKind::none) {
        entries_.contains_many(hashes, found.subspan(first));
      } else {
        entries_.contains_alike(hashes, found.subspan(first));
      }
      return true;
    });
  }

  // Of sets, whose entries have no values.

  /// Stores one copy of `key`. Constant time on average, up to the load that the planner chooses. A growable table
  /// doubles when it has reached its present capacity or has no room. That takes time linear in its size, in this call
  /// or, depending on `Tuning::buckets_per_call`, spread over the calls that follow.
  template <Key K>
  requires(kind == ValueKind::none) InsertOutcome insert(const K& key) {
    return entries_.insert(Operation::insert, hash(key));
  }
  /// Stores `key` unless it is found, in one pass. Do not `erase` from a filter that is filled this way: a key that was
  /// taken for present shares an entry with another key, and erasing either loses both.
  template <Key K>
  requires(kind == ValueKind::none) InsertOutcome insert_if_absent(const K& key) {
    return entries_.insert(Operation::insert_if_absent, hash(key));
  }
  /// Inserts each key that is not found, in order, until one fails. Writes 1 for each that was new, else 0, to
  /// `is_new`, which is empty or at least as long as `keys`.
  template <Keys R>
  requires(kind == ValueKind::none) BatchOutcome insert_many_if_absent(R&& keys, std::span<std::uint8_t> is_new) {
    return insert_in_batches(hasher_, keys, is_new, entries_, Operation::insert_if_absent);
  }
  /// Removes one copy of `key`. False, and nothing changed, if there is none. Erase only what was inserted: otherwise,
  /// with the probability of a false positive, this removes the entry of another key, which is then lost.
  template <Key K>
  requires(kind == ValueKind::none) bool erase(const K& key) { return entries_.erase(hash(key)); }
  /// Erases one copy of each key that is found. Returns how many were erased.
  template <Keys R>
  requires(kind == ValueKind::none) std::size_t erase_many(R&& keys) {
    std::size_t erased = 0;
    in_batches(hasher_, keys, kNoAnswers, [&](std::span<const Hash> hashes, std::size_t) {
      erased += entries_.erase_many(hashes);
      return true;
    });
    return erased;
  }

  /// Number of entries stored now.
  [[nodiscard]] std::uint64_t size() const { return entries_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// Number of keys that fit once the table has grown.
  [[nodiscard]] std::uint64_t capacity() const { return params().capacity; }
  [[nodiscard]] const Params& params() const { return entries_.params(); }
  /// size / (m b), from 0 to 1.
  [[nodiscard]] double load_factor() const {
    return static_cast<double>(size()) / static_cast<double>(slot_count(params()));
  }
  /// The expected probability that an absent key is found, however the filter was filled. To find out how it was
  /// filled, detail/entries/distinct.h reads up to `kSlotsLookedAt` slots, in tens of microseconds. With counters or
  /// periods it need not, because no two of their entries are alike.
  [[nodiscard]] double expected_false_positive_rate() const {
    if constexpr (kind == ValueKind::none || kind == ValueKind::values) return entries_.expected_false_positive_rate();
    return rate_of_distinct(params(), static_cast<double>(size()));
  }
  [[nodiscard]] const Hasher& hasher() const { return hasher_; }

 protected:
  friend Access;

  HashedEntries(AnyEntries entries, const Hasher& hasher) : entries_(std::move(entries)), hasher_(hasher) {}

  AnyEntries entries_;
  Hasher hasher_;
};

/// A filter that owns its table. What each kind of filter adds is in its own class. A moved-from filter may only be
/// assigned to or destroyed.
template <template <class> class AnyFilter, class AnyEntries, ValueKind kind>
class TableFilter : public HashedEntries<AnyEntries, kind> {
  using Self = AnyFilter<AnyEntries>;
  using Base = HashedEntries<AnyEntries, kind>;

 public:
  using Base::params;
  using TableEntries = AnyEntries;
  static constexpr ValueKind kKind = kind;

  /// A filter with the same parameters and entries, or `Error::out_of_memory`. It has a watch of its own.
  [[nodiscard]] Result<Self> clone() const { return Access::adopt<Self>(entries_.clone(), hasher_); }
  /// Bytes of the table. While a doubling is spread over calls, memory holds the old table as well.
  [[nodiscard]] std::uint64_t byte_count() const { return table_bytes(params()); }
  /// The filter's statistics or trace, if it keeps one.
  [[nodiscard]] auto& watch() { return entries_.watch(); }
  [[nodiscard]] const auto& watch() const { return entries_.watch(); }

  /// Removes everything. A table that has grown keeps its size. Linear in the table's size.
  void clear() { entries_.clear(); }
  /// Doubles the table, which uses up one reserved bit of each slot. False, and nothing changed, if no bit is left, or
  /// if there is no memory for the new table beside the old one. Linear in the table's size. Inserts that need a larger
  /// table do it by themselves.
  bool grow() { return entries_.grow(); }

 protected:
  friend Access;
  using Base::entries_, Base::hasher_;

  TableFilter(AnyEntries entries, const Hasher& hasher) : Base(std::move(entries), hasher) {
    // The kind decides, not the bits of a value: an expiring filter with a single period has none.
    if constexpr (kind != ValueKind::none) entries_.double_at_once();
  }
  /// The filter of these parts, which belong together.
  static Result<Self> adopt(AnyEntries entries, const Hasher& hasher, const Extension&) {
    return Self(std::move(entries), hasher);
  }

  [[nodiscard]] Extension extension() const { return {.kind = kind}; }
  /// The first parameter whose difference keeps one filter from being merged into the other, or `Field::none`. Both
  /// must give a key the same hash, and the same candidate buckets once both tables have grown. Capacity, storage
  /// and the number of doublings so far may differ. But a plan for another capacity often has another bucket count.
  [[nodiscard]] Field field_that_differs(const TableFilter& other) const {
    const Params& a = params();
    const Params& b = other.params();
    if (grown_bucket_count(a) != grown_bucket_count(b)) return Field::bucket_count;
    if (a.bucket_size != b.bucket_size) return Field::bucket_size;
    if (a.fingerprint_bits != b.fingerprint_bits || a.spared_quarters != b.spared_quarters) {
      return Field::fingerprint_bits;
    }
    if (a.value_bits != b.value_bits) return Field::value_bits;
    if (a.addressing != b.addressing) return Field::addressing;
    if (a.hash != b.hash) return Field::hash;
    if (a.seed != b.seed) return Field::seed;
    return hasher_ == other.hasher_ ? Field::none : Field::hash;  // under another secret key
  }
};

/// An empty filter whose entries have `value_bits` bits for values; `params.value_bits` must be the same or 0.
/// `extension` is for `adopt`. Errors: `out_of_range` with the field (`fingerprint_bits` if a slot would have more than
/// 32 bits); `out_of_memory`; `wrong_key` if `params.hash` needs a `secret` and none is given, or the reverse.
template <class AnyFilter>
Result<AnyFilter> make(Params params, std::uint32_t value_bits, const SecretKey* secret,
                       const Extension& extension = {}) {
  if (params.value_bits != 0 && params.value_bits != value_bits) return {Error::out_of_range, Field::value_bits};
  params.value_bits = value_bits;
  if (const Field field = invalid_field(params); field != Field::none) return {Error::out_of_range, field};
  if (!Hasher::fit(params, secret)) return Error::wrong_key;
  return Access::adopt<AnyFilter>(AnyFilter::TableEntries::create(params), Hasher(params, secret), extension);
}

/// The parameters that `plan` chooses for `capacity` keys at a false positive rate, for a filter with this secret key.
inline Result<Params> plan_for(std::uint64_t capacity, double false_positive_rate, const SecretKey* secret,
                               std::uint32_t value_bits = 0) {
  return plan({.capacity = capacity,
               .false_positive_rate = false_positive_rate,
               .hash = Hasher::algorithm(secret),
               .value_bits = value_bits});
}

}  // namespace detail

}  // namespace cuckoo
