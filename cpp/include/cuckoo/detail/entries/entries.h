// SPDX-License-Identifier: MIT
// All entries of a filter: the table, its growth, and the pending work of buckets. Invariant: once a filter is made,
// its slots change only in calls of this class (of shared_entries.h where threads share them, and in a traced filter's
// random walk); a key inserted and not erased is found, and an insert that fails leaves every entry as it was. Const
// calls change nothing, so many threads may make them at once.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "cuckoo/detail/entries/batch.h"
#include "cuckoo/detail/entries/distinct.h"
#include "cuckoo/detail/entries/halve.h"
#include "cuckoo/detail/entries/hash_batch.h"
#include "cuckoo/detail/entries/insert.h"
#include "cuckoo/detail/entries/later_table.h"
#include "cuckoo/detail/entries/location.h"
#include "cuckoo/detail/entries/pending.h"
#include "cuckoo/detail/table/table.h"
#include "cuckoo/entries/outcome.h"
#include "cuckoo/entries/statistics.h"
#include "cuckoo/error.h"
#include "cuckoo/hash/hash.h"
#include "cuckoo/params.h"

namespace cuckoo::detail {

/// Kinds of tables: each has its own path for lookups of single keys.
enum class TableKind : std::uint8_t {
  growable,     ///< bits are reserved, or there is pending work: neither in those that follow
  general,      ///< lanes are in several groups, or narrow
  semi_sorted,  ///< all lanes are compared at once, as in those that follow
  plain,
  plain_8,  ///< four slots of a fingerprint alone, which has 8 bits
  plain_12,
  plain_16,
};

/// Whether inserts of fingerprints into buckets of one word have their own path. They do in WebAssembly alone, because
/// natively all calls are inline anyway; and in one native test.
#if defined(__wasm__) || defined(CUCKOO_DIRECT_PATH)
inline constexpr bool kHasDirectPath = true;
#else
inline constexpr bool kHasDirectPath = false;
#endif

/// Natively, GCC would not inline this for both operations, and inserts would take longer. In WebAssembly, every copy
/// would add to the download.
#ifdef __wasm__
#define CUCKOO_INLINE_NATIVELY
#else
#define CUCKOO_INLINE_NATIVELY __attribute__((always_inline))
#endif

/// A multiset of entries: fingerprints, each with a value if `Params::value_bits` is not 0. Entries are *alike* if they
/// have the same fingerprint and the same candidate buckets, so that nothing tells their keys apart; their values may
/// differ. Knows hashes, never keys. `Watch` learns what became of inserts, and when the table changes its size; a
/// template parameter, so that it costs nothing where nobody watches.
template <class Watch = NoWatch>
class Entries {
 public:
  // Out of line, because many functions move filters.
  [[gnu::noinline]] Entries(Entries&&) noexcept = default;
  [[gnu::noinline]] Entries& operator=(Entries&&) noexcept = default;

  /// No entries, for parameters that are valid; or `Error::out_of_memory`.
  static Result<Entries> create(const Params& params) {
    assert(invalid_field(params) == Field::none);
    Result<Table> table = Table::create(params);
    if (!table) return table.error();
    return Entries(params, std::move(*table), 0, params.bucket_count);
  }
  /// Those of a table for `params` with `size` entries, which began with `first_bucket_count` buckets.
  Entries(const Params& params, Table table, std::uint64_t size, std::uint64_t first_bucket_count)
      : params_(params), buckets_(std::move(table)), size_(size), first_bucket_count_(first_bucket_count) {
    table_changed();
  }
  /// The same entries, or `Error::out_of_memory`. The copy has a watch of its own.
  [[nodiscard]] Result<Entries> clone() const {
    Result<Table> table = buckets_.finished_copy(params_);
    if (!table) return table.error();
    return Entries(params_, std::move(*table), size_, first_bucket_count_);
  }

  /// From now on the table doubles within one call, whatever its tuning says. The calls with a `FoundEntry` require
  /// this.
  void double_at_once() { params_.tuning.buckets_per_call = kNever; }

  /// The parameters of the table as it is now.
  [[nodiscard]] const Params& params() const { return params_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] Watch& watch() { return watch_; }
  [[nodiscard]] const Watch& watch() const { return watch_; }
  /// The expected probability that an absent key is found: see detail/entries/distinct.h.
  [[nodiscard]] double expected_false_positive_rate() const { return false_positive_rate(buckets_, params_, size_); }
  /// Whether there is pending work: until it is done, memory may hold two tables.
  [[nodiscard]] bool has_work() const { return buckets_.has_work(); }
  [[nodiscard]] const Buckets& buckets() const { return buckets_; }
  /// The table, if there is no pending work.
  [[nodiscard]] const Table& table() const {
    assert(!has_work());
    return buckets_.table();
  }
  /// Does all pending work. Linear in the table's size.
  [[gnu::noinline, gnu::cold]] void finish_work() { work_some(kNever); }

  // One hash.

  /// Whether an entry alike to that of `hash` is there.
  [[nodiscard]] bool contains(Hash hash) const {
#ifndef __wasm__  // where every path adds to the download
    if (kind_ == TableKind::plain_8) return contains_plain<8>(hash);
    if (kind_ == TableKind::plain_12) return contains_plain<12>(hash);
    if (kind_ == TableKind::plain_16) return contains_plain<16>(hash);
#endif
    if (kind_ == TableKind::growable) [[unlikely]]
      return contains_growable(hash);
    const auto [one, other] = locate_fixed(hash, params_);
    const Table& table = buckets_.table();
    if (kind_ == TableKind::general) return table.any_holds(one.bucket, one.entry, other.bucket, other.entry);
    return kind_ == TableKind::semi_sorted
               ? table.any_coded_holds(one.bucket, one.entry, other.bucket, other.entry)
               : table.any_plain_holds(table.layout(), one.bucket, one.entry, other.bucket, other.entry);
  }
  /// How many.
  [[nodiscard]] std::uint32_t count(Hash hash) const { return copies_of(locate(hash, params_)); }
  /// Inserts an entry without a value, by this operation.
  InsertOutcome insert(Operation operation, Hash hash) {
    if (kHasDirectPath && is_fixed() && is_one_word()) [[likely]]
      return store(operation, locate_fixed(hash, params_));
    return insert(hash, [=, this](const Location& at) CUCKOO_INLINE_NATIVELY { return store(operation, at); });
  }
  /// Calls `try_insert(location)`, which is an insert into the table as it is now. Then the table grows if that is due,
  /// or if there was no room.
  template <class TryInsert>
  [[gnu::always_inline]] InsertOutcome insert(Hash hash, TryInsert try_insert) {
    // Two separate paths. With one location variable for both, GCC stores it in halves and loads it as a whole, and
    // inserts into growable tables take longer.
    const InsertOutcome outcome =
        is_fixed() ? try_insert(locate_fixed(hash, params_)) : try_insert(locate_and_work(hash));
    if (outcome != InsertOutcome::full && size_ != grow_at_) [[likely]]
      return outcome;
    return grow_after(outcome, hash, try_insert);
  }
  /// Stores an entry with this value `at` its candidates, which have no pending work, without growing the table. If the
  /// operation is `insert_if_absent`, only if there is no alike entry yet.
  CUCKOO_INLINE_NATIVELY InsertOutcome store(Operation operation, Location at, std::uint32_t value = 0) {
    if (value != 0) {
      for (Candidate* here : {&at.primary, &at.alternate}) here->entry = with_value(here->entry, value, params_);
    }
    if (kHasDirectPath && is_one_word()) {
      return store_in_words(operation, at.primary.bucket, at.primary.entry, at.alternate.bucket, at.alternate.entry);
    }
    return counted(detail::insert(buckets_, params_, operation, at));
  }
  /// Removes one entry alike to that of `hash`; false if there is none.
  bool erase(Hash hash) { return erase_at(is_fixed() ? locate_fixed(hash, params_) : locate_and_work(hash)); }

  // Many hashes, in chunks. After growth, the rest of a chunk is located again.

  /// Calls `try_insert(i, location)` for each hash in order, growing as `insert` does, until one is refused.
  template <class TryInsert>
  BatchOutcome insert_many(std::span<const Hash> hashes, TryInsert try_insert) {
    BatchOutcome batch;
    while (batch.done < hashes.size()) {
      in_chunks(buckets_.table(), params_, hashes.subspan(batch.done), [&](std::size_t, const Location& at) {
        batch.outcome = try_insert(batch.done, work_at(at));
        if (is_refused(batch.outcome)) return false;
        ++batch.done;
        return size_ != grow_at_;
      });
      // Once the table has doubled, the rest of the chunk is located again.
      if (batch.outcome == InsertOutcome::full) {
        const auto retry = [&](const Location& at) { return try_insert(batch.done, at); };
        batch.outcome = grow_after(batch.outcome, hashes[batch.done], retry);
        if (!is_refused(batch.outcome)) ++batch.done;
      } else if (size_ == grow_at_) {
        (void)begin_to_grow();
      }
      if (is_refused(batch.outcome)) return batch;
    }
    batch.outcome = InsertOutcome::inserted;
    return batch;
  }
  /// `insert` for each hash in order, until one is refused. Writes to `is_new`, unless it is empty, 1 for each hash
  /// that was stored and 0 for others.
  [[gnu::noinline]] BatchOutcome insert_many(Operation operation, std::span<const Hash> hashes,
                                             std::span<std::uint8_t> is_new) {
    assert(is_new.empty() || is_new.size() >= hashes.size());
    return insert_many(hashes, [&](std::size_t i, const Location& at) {
      const InsertOutcome outcome = store(operation, at);
      if (!is_new.empty()) is_new[i] = outcome == InsertOutcome::inserted;
      return outcome;
    });
  }
  /// Writes 1 for each hash that is found, else 0. `found` is at least as long as `hashes`.
  void contains_many(std::span<const Hash> hashes, std::span<std::uint8_t> found) const {
    assert(found.size() >= hashes.size());
    if (has_work()) {
      for (std::size_t i = 0; i < hashes.size(); ++i) found[i] = contains(hashes[i]);
      return;
    }
    detail::contains_many(table(), params_, hashes, found);
  }
  /// `erase` for each hash. Returns how many were erased.
  std::size_t erase_many(std::span<const Hash> hashes) {
    std::size_t erased = 0;
    in_chunks(buckets_.table(), params_, hashes, [&](std::size_t, const Location& at) {
      erased += erase_at(work_at(at)) ? 1u : 0u;
      return true;
    });
    return erased;
  }

  // Alike entries, with values.

  /// As `Buckets::visit_alike`, of the candidates `at` or of a hash.
  template <class Act>
  bool visit_alike(const Location& at, Act act) const {
    return buckets_.visit_alike(at, act);
  }
  template <class Act>
  bool visit_alike(Hash hash, Act act) const {
    return visit_alike(locate(hash, params_), act);
  }
  /// Whether there are alike entries.
  [[nodiscard]] bool contains_alike(Hash hash) const {
    return visit_alike(hash, [](const FoundEntry&) { return true; });
  }
  /// Writes 1 for each hash that has alike entries, else 0. `found` is at least as long as `hashes`.
  void contains_alike(std::span<const Hash> hashes, std::span<std::uint8_t> found) const {
    assert(found.size() >= hashes.size());
    locate_many(hashes, [&](std::size_t i, const Location& at) {
      found[i] = visit_alike(at, [](const FoundEntry&) { return true; });
      return true;
    });
  }
  /// Calls `act(i, location)` for each hash, in order, until it returns false.
  template <class Act>
  void locate_many(std::span<const Hash> hashes, Act act) const {
    in_chunks(buckets_.table(), params_, hashes, act);
  }
  [[nodiscard]] std::uint32_t value(const FoundEntry& it) const { return value_of(it.entry, params_); }
  /// Gives an entry, whose bucket has no pending work, another value.
  void set_value(const FoundEntry& it, std::uint32_t value) {
    assert(buckets_.table().read(it.bucket)[it.slot] == it.entry);
    buckets_.table().set(it.bucket, it.slot, with_value(it.entry, value, params_));
  }
  /// Takes out an entry, whose bucket has no pending work.
  void erase(const FoundEntry& it) {
    assert(size_ > 0 && buckets_.table().read(it.bucket)[it.slot] == it.entry);
    buckets_.table().set(it.bucket, it.slot, 0);
    --size_;
  }

  // All entries.

  /// Calls `act(batch)` with all entries, a `HashBatch` at a time, until it returns false. Returns false if it did.
  template <class Act>
  bool each_batch(Act act) const {
    HashBatch some;
    for (std::uint64_t bucket = 0; bucket < params_.bucket_count;) {
      bucket = some.take(buckets_, params_, bucket);
      if (!act(std::as_const(some))) return false;
    }
    return true;
  }
  /// Removes everything. A table that has grown keeps its size. Linear in the table's size.
  void clear() {
    buckets_.clear();
    size_ = 0;
    table_changed();
  }

  // The size of the table, and pending work.

  /// Doubles the table, which uses up one reserved bit. False, and nothing changed, if no bit is left, or if there is
  /// no memory for the new table beside the old one. Linear in the table's size.
  [[nodiscard]] bool grow() {
    const bool has_grown = begin_to_grow();
    finish_work();
    return has_grown;
  }
  /// True if the table has grown, and half of it has room for `size` keys, by `present_capacity`. A loaded filter is
  /// assumed to have begun with `detail::least_bucket_count` buckets.
  [[nodiscard]] bool is_half_enough_for(std::uint64_t size) const {
    return params_.bucket_count > first_bucket_count_ && size <= present_capacity(halved(params_));
  }
  /// Halves a table that has grown, which gives each slot its reserved bit back. False, and nothing changed, if half of
  /// it is not enough for the entries there are, or if there is no memory for the new table beside the old one. Linear
  /// in the table's size.
  [[nodiscard]] bool shrink() { return is_half_enough_for(size_) && halve(); }
  /// Makes the inserts of the next `count` keys faster, if the table is empty and semi-sorted and they fill half of it:
  /// they are gathered in a plain table, which `finish_work` encodes in one go, to the same bytes. Memory holds both
  /// tables until then. False, with no other effect, if nothing would be gained or if there is no memory for another
  /// table.
  bool begin_encoding(std::uint64_t count) {
    constexpr std::uint64_t kLeastEncoded = 64;
    if (has_work() || params_.storage != Storage::semi_sorted || size_ != 0 || count < kLeastEncoded ||
        count < (present_capacity(params_) + 1) / 2 || !buckets_.begin_encoding(params_)) {
      return false;
    }
    see_kind();
    return true;
  }
  /// Ends what `begin_encoding` began, if nothing else has. Linear in the table's size.
  void end_encoding() {
    if (buckets_.has(Work::encoding)) finish_work();
  }
  /// Whether the entry of a hash will find room once the periods from `last_since` to before `since` are forgotten.
  [[nodiscard]] bool has_room_without(Hash hash, std::uint64_t last_since, std::uint64_t since,
                                      std::uint32_t periods) const {
    const Forgotten gone = none_forgotten(periods).from(last_since, since - last_since);
    return finds_room(buckets_, params_, params_, hash, gone);
  }
  /// Forgets the `size` entries of the periods from `last_since` to before `since`. See `Buckets::begin_sweeping`.
  void forget(std::uint64_t size, std::uint64_t last_since, std::uint64_t since, std::uint32_t periods) {
    assert(size <= size_);
    size_ -= size;
    if (size == 0 && !has_work()) return;
    buckets_.begin_sweeping(last_since, since, none_forgotten(periods));
    see_kind();
  }
  /// Does the work of so many blocks of buckets.
  [[gnu::noinline, gnu::cold]] void work_some(std::uint64_t blocks) {
    const bool is_moving = buckets_.has(Work::moving);
    if (is_moving) watch_.begin_pause();
    buckets_.work_some(blocks);
    see_kind();
    if (is_moving) watch_.end_pause();
  }

 protected:
  /// A size that no filter has.
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  // Growth.

  /// Grows the table if that is due after `try_insert` of `hash` had this outcome. If the key found no room, it is
  /// tried again. A key that is refused anyway leaves the table as large as it was, if there is memory to halve it
  /// again.
  template <class TryInsert>
  [[gnu::noinline, gnu::cold]] InsertOutcome grow_after(InsertOutcome outcome, Hash hash, TryInsert try_insert) {
    const std::uint64_t bucket_count = params_.bucket_count;
    while (outcome == InsertOutcome::full && grow_for(hash)) outcome = try_insert(locate_and_work(hash));
    if (is_refused(outcome)) {
      while (params_.bucket_count > bucket_count && halve()) {
      }
    } else if (size_ == grow_at_) {
      (void)begin_to_grow();
    }
    return outcome;
  }
  /// `grow`, but does only one call's share of the work.
  [[gnu::noinline, gnu::cold]] bool begin_to_grow() {
    finish_work();
    grow_at_ = kNever;  // after a doubling that fails, the table doubles only when an insert finds no room
    if (params_.reserved_bits == 0) return false;
    watch_.begin_resize(Operation::grow, size_);
    const bool has_grown = buckets_.begin_moving(params_);
    if (has_grown) {
      params_ = doubled(params_);
      watch_.begin_moving(buckets_.moving_from(), params_, size_);
      buckets_.work_some(Watch::kDoublesAtOnce ? kNever : blocks_per_call());
      table_changed();
    }
    watch_.end_resize(Operation::grow, has_grown, params_.bucket_count, size_);
    return has_grown;
  }
  /// Doubles the table as often as needed to make room for a key. If no doubling would, it returns false and changes
  /// nothing, so that a refused key does not enlarge the table.
  [[gnu::noinline, gnu::cold]] bool grow_for(Hash hash) {
    Params later = params_;
    while (later.reserved_bits > 0 && may_double_for_room(later, size_)) {
      later = doubled(later);
      if (!finds_room(buckets_, params_, later, hash)) continue;
      while (params_.bucket_count < later.bucket_count && begin_to_grow()) {
      }
      return params_.bucket_count == later.bucket_count;
    }
    return false;
  }

  // What follows from the current table.

  /// An empty set of periods, of `periods` in all.
  [[nodiscard]] Forgotten none_forgotten(std::uint32_t periods) const {
    return {.value_at = value_at(params_), .periods = periods};
  }
  /// Whether the table does not grow and has no pending work, so that any bucket can be used.
  [[nodiscard]] bool is_fixed() const { return kind_ != TableKind::growable; }
  /// Updates what is known about the kind of table, after it may have changed.
  void see_kind() {
    const BucketLayout& layout = buckets_.table().layout();
    const bool is_general = layout.groups > 1 || layout.has_narrow_lanes;
    kind_ = is_general ? TableKind::general : layout.is_semi_sorted() ? TableKind::semi_sorted : TableKind::plain;
#ifndef __wasm__
    if (kind_ == TableKind::plain && layout.bucket_size == 4 && layout.lane_bits == params_.fingerprint_bits) {
      if (layout.lane_bits == 8) kind_ = TableKind::plain_8;
      if (layout.lane_bits == 12) kind_ = TableKind::plain_12;
      if (layout.lane_bits == 16) kind_ = TableKind::plain_16;
    }
#endif
    if (params_.reserved_bits != 0 || has_work()) kind_ = TableKind::growable;
  }
  void table_changed() {
    see_kind();
    grow_at_ = params_.reserved_bits == 0 ? kNever : std::max(size_, present_capacity(params_)) + 1;
  }

  // Pending work, before buckets are used.

  /// Where a hash belongs. Does the pending work of its buckets, and one call's share of the rest.
  Location locate_and_work(Hash hash) { return work_at(locate_growable_out_of_line(hash, params_)); }
  const Location& work_at(const Location& at) {
    if (buckets_.has_pending_buckets()) [[unlikely]] {
      buckets_.work_on(at.primary.bucket);
      buckets_.work_on(at.alternate.bucket);
      work_some(blocks_per_call());
    }
    return at;
  }
  [[nodiscard]] std::uint64_t blocks_per_call() const {
    return buckets_.has(Work::moving)
               ? std::max<std::uint64_t>(1, params_.tuning.buckets_per_call >> (kMovedBlockBits - 1))
               : 1;
  }

  // Lookups.

  /// `contains` in plain buckets of four slots, whose `bits` and layout are constants.
  template <std::uint32_t bits>
  [[nodiscard, gnu::always_inline]] bool contains_plain(Hash hash) const {
    Params params = params_;
    params.fingerprint_bits = bits;
    params.spared_quarters = 0;  // plain buckets have none
    const auto [one, other] = locate_fixed(hash, params);
    return buckets_.table().any_plain_holds(KnownLayout<bits>(), one.bucket, one.entry, other.bucket, other.entry);
  }
  [[nodiscard, gnu::noinline]] bool contains_growable(Hash hash) const {
    const Location at = locate_growable_out_of_line(hash, params_);
    return has_work() ? copies_of(at) != 0 : buckets_.holds(at);
  }
  [[nodiscard]] std::uint32_t copies_of(const Location& at) const {
    const std::uint32_t copies = buckets_.count(at.primary.bucket, at.primary.entry);
    return at.primary == at.alternate ? copies : copies + buckets_.count(at.alternate.bucket, at.alternate.entry);
  }

  // Inserts and erases.

  /// Counts what was stored, and passes on what became of it.
  InsertOutcome counted(Stored stored) {
    if (stored.outcome == InsertOutcome::inserted) ++size_;
    watch_.end_insert(stored.outcome, stored.kicks);
    return stored.outcome;
  }
  /// `store` where `is_one_word`, in one function down to the bits of a bucket: in WebAssembly, calls from layer to
  /// layer took 13 of 34 ns (npm run bench -- calls). It takes the location in parts, because a whole one would go
  /// through memory.
  [[gnu::noinline]] InsertOutcome store_in_words(Operation operation, std::uint32_t primary, std::uint32_t entry,
                                                 std::uint32_t alternate, std::uint32_t other_entry) {
    assert(is_one_word());
    const Location at{{primary, entry}, {alternate, other_entry}};
    Table& table = buckets_.table();
    if (operation == Operation::insert_if_absent && buckets_.holds(at)) return counted({InsertOutcome::present});
    if (table.insert_in_word(primary, entry) || table.insert_in_word(alternate, other_entry)) [[likely]]
      return counted({InsertOutcome::inserted});
    return counted(insert_by_kicks(buckets_, params_, operation, at));
  }
  [[nodiscard]] bool is_one_word() const { return buckets_.table().layout().is_one_word; }
  bool erase_at(const Location& at) { return try_remove(at.primary) || try_remove(at.alternate); }
  bool try_remove(Candidate here) {
    Table& table = buckets_.table();
    const std::uint32_t slot = table.find(here.bucket, here.entry);
    if (slot == params_.bucket_size) return false;
    table.set(here.bucket, slot, 0);
    --size_;
    return true;
  }

  /// `shrink` for a table that has grown.
  [[nodiscard, gnu::noinline, gnu::cold]] bool halve() {
    finish_work();
    watch_.begin_resize(Operation::shrink, size_);
    std::optional<Buckets> half = detail::halve(buckets_, params_);
    if (half) {
      buckets_ = std::move(*half);
      params_ = halved(params_);
      table_changed();
    }
    watch_.end_resize(Operation::shrink, half.has_value(), params_.bucket_count, size_);
    return half.has_value();
  }

  Params params_;
  Buckets buckets_;
  std::uint64_t size_;
  std::uint64_t grow_at_ = kNever;             ///< the size at which the table doubles
  TableKind kind_ = TableKind::growable;       ///< what `see_kind` saw
  std::uint64_t first_bucket_count_;           ///< what the table is not halved below
  [[no_unique_address]] mutable Watch watch_;  ///< mutable for one that records lookups, see detail/entries/traced.h
};

}  // namespace cuckoo::detail

#undef CUCKOO_INLINE_NATIVELY
