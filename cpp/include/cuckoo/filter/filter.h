// The cuckoo filter: insert, contains, count and erase (Fan et al. 2014, Algorithms 1 to 3).
// Invariant: every key inserted and not erased is found; an operation that fails leaves every byte as it was.
// There is no stash: a kick path that finds no empty slot is undone move by move.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "cuckoo/error.h"
#include "cuckoo/filter/batch.h"
#include "cuckoo/filter/kick_path.h"
#include "cuckoo/filter/location.h"
#include "cuckoo/filter/lookup.h"
#include "cuckoo/filter/outcome.h"
#include "cuckoo/filter/trace.h"
#include "cuckoo/hash/hash.h"
#include "cuckoo/hash/hasher.h"
#include "cuckoo/params.h"
#include "cuckoo/rate.h"
#include "cuckoo/table/building.h"
#include "cuckoo/table/growth.h"
#include "cuckoo/table/table.h"

namespace cuckoo {

/// A set of keys that answers "definitely not" or "probably", and can erase keys.
/// A key is a text (its bytes), an integer (its 8 bytes, little-endian) or a `Hash` computed by `hash`.
/// Moves are cheap. `clone` makes copies, because a copy may fail. Not synchronized: many readers or one writer.
template <class Trace = NoTrace>
class Filter {
 public:
  using Tracing = Trace;

  /// An empty filter. Errors: `out_of_range` with the field (`Field::none` if `value_bits` is not 0), `out_of_memory`,
  /// and `wrong_key` if `params.hash` needs a `secret` and none is given, or the reverse. Linear in the table's size.
  static Result<Filter> create(const Params& params, const SecretKey* secret = nullptr) {
    if (const Field field = invalid_field(params); field != Field::none) return {Error::out_of_range, field};
    if (params.value_bits != 0) return Error::out_of_range;
    return empty(params, secret);
  }

  /// A filter with the same parameters and entries, or `Error::out_of_memory`. Its trace is empty and off.
  [[nodiscard]] Result<Filter> clone() const {
    Result<Table> table = this->table().clone();
    if (!table) return table.error();
    return with_table(params_, hasher_, std::move(*table), size_, least_bucket_count_);
  }

  /// The hash of a key in this filter. Calls that take a key also take its hash.
  template <Key K>
  [[nodiscard]] Hash hash(const K& key) const {
    return hasher_(key);
  }

  /// Stores one copy of `key`. Constant time on average, up to the load that the planner chooses. A growable table
  /// doubles when it has reached its present capacity or has no room; that takes time linear in its size, spread over
  /// this call and those that follow if `Params::buckets_per_call` says so.
  template <Key K>
  InsertOutcome insert(const K& key) {
    return store(Operation::insert, hash(key));
  }
  /// Stores `key` unless it is found, in one pass. Do not `erase` from a filter that is filled this way: a key that was
  /// taken for present shares an entry with another key.
  template <Key K>
  InsertOutcome insert_if_absent(const K& key) {
    return store(Operation::insert_if_absent, hash(key));
  }

  /// False: `key` is not in the filter. True: it probably is. An absent key is found with the probability that
  /// `expected_false_positive_rate` gives. Reads two buckets.
  template <Key K>
  [[nodiscard]] bool contains(const K& key) const {
    const Hash it = hash(key);
    // Two separate paths, so that neither pays for the other.
    return is_fixed_ ? contains_at(it, locate_fixed(it, params_)) : contains_growable(it);
  }

  /// `use(contains)`, where `contains(key)` answers as above: for loops of lookups. What kind of table and of hash
  /// there is is asked once, and their parameters stay in registers, so that a lookup takes about 0.7 of the time where
  /// a bucket is one word (npm run bench -- race). The filter must not change before `use` returns.
  template <class Use>
  decltype(auto) with_contains(Use use) const {
    if constexpr (!Trace::kSeesLookups) {
      if (is_fixed_ && has_word_lookup(table_, params_)) {
        return hasher_.with([&](const auto& hash) -> decltype(auto) {
          return with_word_lookup(table_, params_, [&](const auto& find) -> decltype(auto) {
            return use([=](const auto& key) { return find(Hasher::hash_by(hash, key)); });
          });
        });
      }
    }
    return use([this](const auto& key) { return contains(key); });
  }

  /// The number of copies of `key`, from 0 to 2 b. Other keys with the same fingerprint and candidate buckets count as
  /// well.
  template <Key K>
  [[nodiscard]] std::uint32_t count(const K& key) const {
    const Location at = begin(Operation::count, hash(key));
    trace_.probe(table_, at.primary.bucket, at.primary.entry);
    trace_.probe(table_, at.alternate.bucket, at.alternate.entry);
    const std::uint32_t copies = copies_of(at);
    trace_.end(Operation::count, copies != 0, 0, size_, copies);
    return copies;
  }

  /// Removes one copy of `key`. False, and nothing changed, if there is none. Only erase what was inserted: with the
  /// probability of a false positive, erasing another key removes the entry of a key in the filter, which is then lost.
  template <Key K>
  [[nodiscard]] bool erase(const K& key) {
    const Hash it = hash(key);
    return erase_at(it, is_fixed_ ? locate_fixed(it, params_) : ready_location(it));
  }

  /// Writes 1 for each hash that is found, else 0. `found` must be at least as long as `hashes`.
  void contains_many(std::span<const Hash> hashes, std::span<std::uint8_t> found) const {
    if constexpr (Trace::kSeesLookups) {
      for (std::size_t i = 0; i < hashes.size(); ++i) found[i] = contains(hashes[i]);
      return;
    }
    if (table_.is_doubling()) {
      for (std::size_t i = 0; i < hashes.size(); ++i) found[i] = contains_growable(hashes[i]);
      return;
    }
    cuckoo::contains_many(table_, params_, hashes, found);
  }

  // Out of line, as a merge calls them as well: 0.1 kB less WebAssembly, compressed.

  /// Inserts the hashes in order until one fails. Many into an empty semi-sorted filter are built as `begin_building`
  /// tells.
  [[gnu::noinline]] BatchOutcome insert_many(std::span<const Hash> hashes) {
    const bool is_built = begin_building(hashes.size());
    const BatchOutcome batch = store_each(Operation::insert, hashes, [](std::size_t, InsertOutcome) {});
    if (is_built) finish_building();
    return batch;
  }

  /// Makes the inserts of the next `count` keys faster, if the filter is empty and semi-sorted and they fill half of
  /// it: they go into a plain table, which `finish_building` encodes at once, to the same bytes. Memory holds both
  /// tables until then. False if nothing is gained, or if there is no memory for another table: all works as without.
  /// Until `finish_building`, only insert, erase and look up, in any order; it is called by a table that doubles.
  bool begin_building(std::uint64_t count) {
    if constexpr (Trace::kSeesLookups) return false;  // what is traced are the changes of the one table
    if (table_.is_doubling() || size_ != 0 || count < kLeastBuilt || 2 * count < present_capacity(params_))
      return false;
    return building_.begin(table_, params_);
  }
  /// Ends what `begin_building` began, if it did. Linear in the table's size.
  [[gnu::noinline]] void finish_building() { building_.finish(table_); }

  /// Inserts each hash that is not found, in order, until one fails. Writes 1 for each that was new, else 0.
  [[gnu::noinline]] BatchOutcome insert_many_if_absent(std::span<const Hash> hashes, std::span<std::uint8_t> is_new) {
    return store_each(Operation::insert_if_absent, hashes,
                      [=](std::size_t i, InsertOutcome outcome) { is_new[i] = outcome == InsertOutcome::inserted; });
  }

  /// Erases one copy of each hash that is found. Returns how many were erased.
  [[nodiscard]] std::size_t erase_many(std::span<const Hash> hashes) {
    std::size_t erased = 0;
    if (table_.is_doubling()) {
      for (const Hash hash : hashes) erased += erase(hash) ? 1 : 0;
      return erased;
    }
    in_groups(table_, params_, hashes, [&](std::size_t, Hash hash, const Location& at) {
      erased += erase_at(hash, at) ? 1 : 0;
      return true;
    });
    return erased;
  }

  /// Doubles the table, which uses up one reserved bit. False, and nothing changed, if no bit is left, or if there is
  /// no memory for the new table beside the old one. Inserts call it when it is due, and may leave the rest of the work
  /// to the next. Linear in the table's size.
  [[nodiscard]] bool grow() {
    const bool has_grown = begin_to_grow();
    if (has_grown) settle();
    return has_grown;
  }

  /// True while entries are still to be moved of a table that is being doubled, which nothing else tells. Until then
  /// both tables are in memory.
  [[nodiscard]] bool is_doubling() const { return table_.is_doubling(); }

  /// Ends a doubling that is under way. Linear in the table's size.
  void settle() const {
    if (table_.is_doubling()) move_some(kNever);
  }

  /// True if the table has grown and half of it is made for `size` keys, by `present_capacity`. A loaded filter is
  /// taken to have begun with `cuckoo::least_bucket_count`.
  [[nodiscard]] bool is_half_enough_for(std::uint64_t size) const {
    return params_.bucket_count > least_bucket_count_ && size <= present_capacity(halved(params_));
  }

  /// Halves a table that has grown, which gives each slot its reserved bit back. False, and nothing changed, if half of
  /// it is not enough for the entries there are, or if there is no memory for the new table beside the old one. Linear
  /// in the table's size.
  [[nodiscard, gnu::noinline, gnu::cold]] bool shrink() {
    if (!is_half_enough_for(size_)) return false;
    settle();
    finish_building();
    trace_.begin(Operation::shrink, Hash{0}, size_);
    const bool is_done = try_halve();
    if (is_done) trace_.reset(Operation::shrink, params_);
    trace_.end(Operation::shrink, is_done, 0, size_, 0);
    return is_done;
  }

  /// Removes everything. A table that has grown keeps its size. Linear in the table's size.
  void clear() {
    trace_.begin(Operation::clear, Hash{0}, size_);
    table_.clear();
    is_fixed_ = params_.reserved_bits == 0;
    size_ = 0;
    grow_at_ = size_to_grow_at();
    trace_.reset(Operation::clear, params_);
    trace_.end(Operation::clear, 1, 0, size_, 0);
  }

  /// Number of entries stored now.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// size / (m b), from 0 to 1.
  [[nodiscard]] double load_factor() const {
    return static_cast<double>(size_) / static_cast<double>(slot_count(params_));
  }
  /// The probability, at the current size, that a key not in the filter is found. See
  /// `cuckoo::false_positive_rate`.
  [[nodiscard]] double expected_false_positive_rate() const { return false_positive_rate(params_, size_); }
  [[nodiscard]] const Params& params() const { return params_; }
  [[nodiscard]] const Hasher& hasher() const { return hasher_; }
  /// The table, once a doubling is at its end that may be under way.
  [[nodiscard]] const Table& table() const {
    settle();
    return table_;
  }
  [[nodiscard]] Trace& trace() const { return trace_; }

  /// A filter made of parts that belong together; for format.h, which checks what it reads, and variants/valued.h.
  /// `least_bucket_count` is what the table began with.
  static Result<Filter> with_table(const Params& params, const Hasher& hasher, Table table, std::uint64_t size,
                                   std::uint64_t least_bucket_count) {
    Result<KickPath> path = KickPath::create(params.max_kicks);
    if (!path) return path.error();
    return Filter(params, hasher, std::move(table), std::move(*path), size, least_bucket_count);
  }

 protected:  // for variants/valued.h
  /// A size that no filter has.
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  /// Fewer keys are inserted sooner than another table is made.
  static constexpr std::uint64_t kLeastBuilt = 64;

  /// `create`, with parameters that are valid.
  static Result<Filter> empty(const Params& params, const SecretKey* secret) {
    if (!Hasher::fit(params, secret)) return Error::wrong_key;
    Result<Table> table = Table::create(params);
    if (!table) return table.error();
    return with_table(params, Hasher(params, secret), std::move(*table), 0, params.bucket_count);
  }

  Filter(const Params& params, const Hasher& hasher, Table table, KickPath path, std::uint64_t size,
         std::uint64_t least_bucket_count)
      : params_(params),
        hasher_(hasher),
        table_(std::move(table)),
        path_(std::move(path)),
        size_(size),
        grow_at_(size_to_grow_at()),
        is_fixed_(params.reserved_bits == 0),
        least_bucket_count_(least_bucket_count) {}

  [[nodiscard]] std::uint64_t size_to_grow_at() const {
    return params_.reserved_bits == 0 ? kNever : std::max(size_, present_capacity(params_)) + 1;
  }

  /// `grow`, up to as much work as one call may do. A trace of every lookup is told of none while entries are moved.
  [[gnu::noinline, gnu::cold]] bool begin_to_grow() {
    settle();
    grow_at_ = kNever;
    if (params_.reserved_bits == 0) return false;
    finish_building();
    trace_.begin(Operation::grow, Hash{0}, size_);
    Result<Table> table = Table::doubled_from(table_, params_);
    if (table) {
      table_ = std::move(*table);
      params_ = doubled(params_);
      grow_at_ = size_to_grow_at();
      table_.move_some(Trace::kSeesLookups ? kNever : params_.buckets_per_call);
      is_fixed_ = params_.reserved_bits == 0 && !table_.is_doubling();
      trace_.reset(Operation::grow, params_);
    }
    trace_.end(Operation::grow, table.has_value(), 0, size_, 0);
    return table.has_value();
  }

  /// Moves so many buckets of a table that is being doubled.
  [[gnu::noinline, gnu::cold]] void move_some(std::uint64_t buckets) const {
    trace_.begin_move();
    table_.move_some(buckets);
    is_fixed_ = params_.reserved_bits == 0 && !table_.is_doubling();
    trace_.end_move();
  }

  /// Where a hash belongs, which is ready to be changed if a doubling is under way; of that, does what a call may.
  Location ready_location(Hash hash) {
    const Location at = call_locate_growable(hash, params_);
    if (table_.is_doubling()) [[unlikely]] {
      table_.ready(at.primary.bucket);
      table_.ready(at.alternate.bucket);
      move_some(params_.buckets_per_call);
    }
    return at;
  }

  /// Doubles the table where that is due after an insert with this outcome. True if the key found no room and may now.
  [[gnu::noinline, gnu::cold]] bool grow_after(InsertOutcome outcome) {
    const bool is_full = outcome == InsertOutcome::full;
    if (is_full && !may_double_for_room()) return false;
    return begin_to_grow() && is_full;
  }

  /// `shrink`, once that is allowed. All or nothing: what finds no slot is placed in another filter, whose trace is
  /// off.
  bool try_halve() {
    const Params params = halved(params_);
    Result<Table> table = Table::create(params);
    if (!table) return false;
    join_buckets(table_, params_, *table);
    Result<Filter> half = with_table(params, hasher_, std::move(*table), size_, least_bucket_count_);
    if (!half || !half->place_left_over(*this)) return false;
    half->trace_ = std::move(trace_);
    *this = std::move(*half);
    return true;
  }

  /// Places the entries of `from`, which has twice as many buckets, for which `join_buckets` found no slot; false if
  /// one has no room.
  bool place_left_over(const Filter& from) {
    for (std::uint64_t bucket = 0; bucket < params_.bucket_count; ++bucket) {
      const Joined joined = read_joined(from.table_, from.params_, table_, bucket);
      for (std::uint32_t i = params_.bucket_size; i < joined.count; ++i) {
        const Candidate here = {static_cast<std::uint32_t>(bucket), joined.entries[i]};
        std::uint32_t kicks = 0;
        if (place({here, other(here, params_)}, kicks) != InsertOutcome::inserted) return false;
      }
    }
    return true;
  }

  /// False for a table that is less than a quarter full: then it is keys of the same few candidate buckets that find no
  /// room, which may be meant to make it grow. But with one slot a bucket, or few kicks, tables are planned to be that
  /// empty: these double from half of their share of the keys on, up to the capacity. They do not below 1 key in 64
  /// slots, because bytes from anywhere may say that a table is made to be empty.
  [[nodiscard]] bool may_double_for_room() const {
    const std::uint64_t slots = slot_count(params_);
    if (4 * size_ >= slots) return true;
    const bool has_half_its_share = 2 * size_ >= params_.capacity >> params_.reserved_bits;
    return has_half_its_share && size_ < params_.capacity && 64 * size_ >= slots;
  }

  [[nodiscard]] Location begin(Operation operation, Hash hash) const {
    const Location at = cuckoo::locate(hash, params_);
    begin(operation, hash, at);
    return at;
  }
  void begin(Operation operation, Hash hash, const Location& at) const {
    trace_.begin(operation, hash, size_);
    trace_.locate(hash, at, params_);
  }

  [[nodiscard]] bool holds(const Location& at) const {
    trace_.probe(table_, at.primary.bucket, at.primary.entry);
    trace_.probe(table_, at.alternate.bucket, at.alternate.entry);
    return is_in_candidates(table_, at);
  }

  [[nodiscard]] bool contains_at(Hash hash, const Location& at) const {
    begin(Operation::contains, hash, at);
    const bool is_found = holds(at);
    trace_.end(Operation::contains, is_found, 0, size_, 0);
    return is_found;
  }

  [[nodiscard, gnu::noinline]] bool contains_growable(Hash hash) const {
    const Location at = call_locate_growable(hash, params_);
    return table_.is_doubling() ? copies_of(at) != 0 : contains_at(hash, at);
  }

  [[nodiscard]] std::uint32_t copies_in(Candidate here) const { return table_.count_anywhere(here.bucket, here.entry); }
  [[nodiscard]] std::uint32_t copies_of(const Location& at) const {
    return at.primary == at.alternate ? copies_in(at.primary) : copies_in(at.primary) + copies_in(at.alternate);
  }

  [[nodiscard]] bool is_filled_with_copies(const Location& at) const {
    const std::uint32_t b = params_.bucket_size;
    if (at.primary.bucket == at.alternate.bucket) return copies_of(at) == b;
    return copies_in(at.primary) == b && copies_in(at.alternate) == b;
  }

  /// As `store`, many times. `told(i, outcome)` is called for each hash that is done.
  template <class Told>
  BatchOutcome store_each(Operation operation, std::span<const Hash> hashes, Told told) {
    BatchOutcome batch;
    for (;;) {
      batch.outcome = InsertOutcome::inserted;
      while (table_.is_doubling() && batch.done < hashes.size()) {
        const InsertOutcome outcome = store(operation, hashes[batch.done]);
        if (outcome == InsertOutcome::full || outcome == InsertOutcome::too_many_copies) return {batch.done, outcome};
        told(batch.done++, outcome);
      }
      in_groups(table_, params_, hashes.subspan(batch.done), [&](std::size_t, Hash hash, const Location& at) {
        batch.outcome = store_at(operation, hash, at);
        if (batch.outcome == InsertOutcome::full || batch.outcome == InsertOutcome::too_many_copies) return false;
        told(batch.done, batch.outcome);
        ++batch.done;
        batch.outcome = InsertOutcome::inserted;
        return size_ != grow_at_;
      });
      const bool is_full = batch.outcome == InsertOutcome::full;
      if (!is_full && size_ != grow_at_) return batch;
      // Once the table has doubled, the rest of the group is located anew.
      if (!grow_after(batch.outcome) && is_full) return batch;
    }
  }

  /// One insert, for which the table doubles if need be.
  InsertOutcome store(Operation operation, Hash hash) {
    for (;;) {
      // Two separate paths, as in `contains`: one location of either kind, GCC stores in halves and loads as a whole,
      // and inserts into growable tables take 1.5 of the time.
      const InsertOutcome outcome = is_fixed_ ? store_at(operation, hash, locate_fixed(hash, params_))
                                              : store_at(operation, hash, ready_location(hash));
      if (outcome != InsertOutcome::full && size_ != grow_at_) [[likely]]
        return outcome;
      if (!grow_after(outcome)) return outcome;
    }
  }

  /// One insert into the table as it is.
  InsertOutcome store_at(Operation operation, Hash hash, const Location& at) {
    begin(operation, hash, at);
    std::uint32_t kicks = 0;
    const bool is_present = operation == Operation::insert_if_absent && holds(at);
    const InsertOutcome outcome = is_present ? InsertOutcome::present : place(at, kicks);
    if (outcome == InsertOutcome::inserted) ++size_;
    trace_.end(operation, static_cast<std::uint8_t>(outcome), kicks, size_, 0);
    return outcome;
  }

  InsertOutcome place(const Location& at, std::uint32_t& kicks) {
    if (try_place(table_, at.primary, at.alternate.bucket, 0, trace_)) return InsertOutcome::inserted;
    if (try_place(table_, at.alternate, at.primary.bucket, 0, trace_)) return InsertOutcome::inserted;
    if (is_filled_with_copies(at)) {
      return InsertOutcome::too_many_copies;
    }
    return path_.walk(table_, params_, at, kicks, trace_) ? InsertOutcome::inserted : InsertOutcome::full;
  }

  bool erase_at(Hash hash, const Location& at) {
    begin(Operation::erase, hash, at);
    const bool is_erased = try_remove(at.primary, at.alternate.bucket) || try_remove(at.alternate, at.primary.bucket);
    trace_.end(Operation::erase, is_erased, 0, size_, 0);
    return is_erased;
  }

  bool try_remove(Candidate here, std::uint32_t other_bucket) {
    trace_.probe(table_, here.bucket, here.entry);
    const std::uint32_t slot = table_.find(here.bucket, here.entry);
    if (slot == params_.bucket_size) return false;
    const Change change = change_slot(table_, here.bucket, slot, here.entry, 0, trace_);
    --size_;
    trace_.remove(table_, change, other_bucket);
    return true;
  }

  Params params_;
  Hasher hasher_;
  Table table_;
  Building building_;
  KickPath path_;
  std::uint64_t size_ = 0;
  std::uint64_t grow_at_ = kNever;    ///< the size at which the table doubles
  mutable bool is_fixed_;             ///< no bits are reserved, and no doubling is under way
  std::uint64_t least_bucket_count_;  ///< what the table is not halved below
  [[no_unique_address]] mutable Trace trace_;
};

}  // namespace cuckoo
