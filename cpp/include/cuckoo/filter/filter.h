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
#include "cuckoo/filter/distinct.h"
#include "cuckoo/filter/growing_table.h"
#include "cuckoo/filter/location.h"
#include "cuckoo/filter/lookup.h"
#include "cuckoo/filter/outcome.h"
#include "cuckoo/filter/place.h"
#include "cuckoo/filter/trace.h"
#include "cuckoo/hash/hash.h"
#include "cuckoo/hash/hasher.h"
#include "cuckoo/params.h"
#include "cuckoo/table/table.h"

namespace cuckoo {

/// A set of keys that answers "definitely not" or "probably", and can erase keys.
/// A key is a text (its bytes), an integer (its 8 bytes, little-endian) or a `Hash` computed by `hash`.
/// Moves are cheap. `clone` makes copies, because a copy may fail. Not synchronized: any number of threads may call
/// `const` functions, `save` and `merge` from it at once, also while the table doubles or is built, as long as no
/// thread calls another. Only a trace that is told of lookups is written by them. A filter that was moved from may only
/// be destroyed or assigned to; that goes for every class of filter.
template <class Trace = NoTrace>
class Filter : public GrowingTable<Trace> {
  using Base = GrowingTable<Trace>;

 public:
  using Tracing = Trace;

  // Out of line, because many functions move filters: 1.0 kB less WebAssembly, compressed.
  [[gnu::noinline]] Filter(Filter&&) noexcept = default;
  [[gnu::noinline]] Filter& operator=(Filter&&) noexcept = default;

  /// An empty filter. Errors: `out_of_range` with the field (`Field::none` if `value_bits` is not 0), `out_of_memory`,
  /// and `wrong_key` if `params.hash` needs a `secret` and none is given, or the reverse. Linear in the table's size.
  static Result<Filter> create(const Params& params, const SecretKey* secret = nullptr) {
    if (const Field field = invalid_field(params); field != Field::none) return {Error::out_of_range, field};
    if (params.value_bits != 0) return Error::out_of_range;
    return empty(params, secret);
  }

  /// A filter with the same parameters and entries, or `Error::out_of_memory`. Its trace is empty and off.
  [[nodiscard]] Result<Filter> clone() const {
    Result<Table> table = settled_copy(table_, params_);
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
    return use([this](const auto& key) { return this->contains(key); });
  }

  /// The number of copies of `key`, from 0 to 2 b. Other keys with the same fingerprint and candidate buckets count as
  /// well.
  template <Key K>
  [[nodiscard]] std::uint32_t count(const K& key) const {
    const Location at = begin(Operation::count, hash(key));
    trace_.probe(table_, at.primary.bucket, at.primary.entry);
    trace_.probe(table_, at.alternate.bucket, at.alternate.entry);
    const std::uint32_t copies = copies_of(table_, at);
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
    hashes = with_room(hashes, found.size());
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

  /// Inserts the hashes in order until one fails. Many into an empty semi-sorted filter are built as `begin_building`
  /// tells.
  BatchOutcome insert_many(std::span<const Hash> hashes) {
    const bool is_built = Base::begin_building(hashes.size());
    const BatchOutcome batch = store_each(Operation::insert, hashes, {});
    if (is_built) Base::finish_building();
    return batch;
  }

  /// Inserts each hash that is not found, in order, until one fails. Writes 1 for each that was new, else 0, to
  /// `is_new`, which is empty or at least as long as `hashes`.
  BatchOutcome insert_many_if_absent(std::span<const Hash> hashes, std::span<std::uint8_t> is_new) {
    if (!is_new.empty()) hashes = with_room(hashes, is_new.size());
    return store_each(Operation::insert_if_absent, hashes, is_new);
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

  /// size / (m b), from 0 to 1.
  [[nodiscard]] double load_factor() const {
    return static_cast<double>(size_) / static_cast<double>(slot_count(params_));
  }
  /// The expected probability that a key not in the filter is found, however it was filled: see distinct.h, which reads
  /// up to `kSlotsLookedAt` slots for it, in tens of microseconds.
  [[nodiscard]] double expected_false_positive_rate() const { return false_positive_rate(table_, params_, size_); }
  [[nodiscard]] const Hasher& hasher() const { return hasher_; }

  /// A filter made of parts that belong together; for format.h, which checks what it reads, and variants/valued.h.
  /// `least_bucket_count` is what the table began with.
  static Result<Filter> with_table(const Params& params, const Hasher& hasher, Table table, std::uint64_t size,
                                   std::uint64_t least_bucket_count) {
    Result<KickPath> path = KickPath::create(params.max_kicks);
    if (!path) return path.error();
    return Filter(params, hasher, std::move(table), std::move(*path), size, least_bucket_count);
  }

 protected:  // for variants/valued.h
  /// `create`, with parameters that are valid.
  static Result<Filter> empty(const Params& params, const SecretKey* secret) {
    if (!Hasher::fit(params, secret)) return Error::wrong_key;
    Result<Table> table = Table::create(params);
    if (!table) return table.error();
    return with_table(params, Hasher(params, secret), std::move(*table), 0, params.bucket_count);
  }

  Filter(const Params& params, const Hasher& hasher, Table table, KickPath path, std::uint64_t size,
         std::uint64_t least_bucket_count)
      : Base(params, std::move(table), std::move(path), size, least_bucket_count), hasher_(hasher) {}

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
    return table_.is_doubling() ? copies_of(table_, at) != 0 : contains_at(hash, at);
  }

  /// As `store`, many times. Writes to `is_new`, unless it is empty, 1 for each hash that was stored and 0 for others.
  [[gnu::noinline]] BatchOutcome store_each(Operation operation, std::span<const Hash> hashes,
                                            std::span<std::uint8_t> is_new) {
    const auto told = [=](std::size_t i, InsertOutcome outcome) {
      if (!is_new.empty()) is_new[i] = outcome == InsertOutcome::inserted;
    };
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
      if (batch.outcome != InsertOutcome::full && size_ != grow_at_) return batch;
      // Once the table has doubled, the rest of the group is located anew.
      const bool was_full = batch.outcome == InsertOutcome::full;
      batch.outcome = store_growing(operation, was_full ? hashes[batch.done] : Hash{0}, batch.outcome);
      if (!was_full) continue;
      if (batch.outcome == InsertOutcome::full || batch.outcome == InsertOutcome::too_many_copies) return batch;
      told(batch.done++, batch.outcome);
    }
  }

  /// One insert, for which the table doubles if need be.
  InsertOutcome store(Operation operation, Hash hash) {
    // Two separate paths, as in `contains`: one location of either kind, GCC stores in halves and loads as a whole, and
    // inserts into growable tables take 1.5 of the time.
    const InsertOutcome outcome = is_fixed_ ? store_at(operation, hash, locate_fixed(hash, params_))
                                            : store_at(operation, hash, ready_location(hash));
    if (outcome != InsertOutcome::full && size_ != grow_at_) [[likely]]
      return outcome;
    return store_growing(operation, hash, outcome);
  }
  /// What such an insert makes due, with this outcome so far.
  [[gnu::noinline, gnu::cold]] InsertOutcome store_growing(Operation operation, Hash hash, InsertOutcome outcome) {
    return Base::grow_after(outcome, hash, [&] { return store_at(operation, hash, ready_location(hash)); });
  }

  /// One insert into the table as it is.
  InsertOutcome store_at(Operation operation, Hash hash, const Location& at) {
    begin(operation, hash, at);
    std::uint32_t kicks = 0;
    const bool is_present = operation == Operation::insert_if_absent && holds(at);
    const InsertOutcome outcome =
        is_present ? InsertOutcome::present : place(table_, params_, path_, at, kicks, trace_);
    if (outcome == InsertOutcome::inserted) ++size_;
    trace_.end(operation, static_cast<std::uint8_t>(outcome), kicks, size_, 0);
    return outcome;
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

  using Base::begin_to_grow, Base::building_, Base::grow_after, Base::grow_at_, Base::is_fixed_, Base::kNever,
      Base::least_bucket_count_, Base::params_, Base::path_, Base::ready_location, Base::size_, Base::table_,
      Base::trace_;

  Hasher hasher_;
};

}  // namespace cuckoo
