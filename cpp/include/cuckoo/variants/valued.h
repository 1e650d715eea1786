// A filter whose entries have values: what ValueFilter, CountingFilter and ExpiringFilter share. Entries are *alike* if
// they have the same fingerprint and the same candidate buckets, so that nothing tells their keys apart. Invariant: a
// value does not decide where its entry lies, so growth, kicks and their undoing are those of `Filter`.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "cuckoo/error.h"
#include "cuckoo/filter/filter.h"

namespace cuckoo {

/// What values are. The numbers are the format's; `none` is a filter without values.
enum class ValueKind : std::uint8_t { none = 0, values = 1, counters = 2, periods = 3 };

/// What a filter with values is, besides its parameters and its entries. It is saved behind the header of a filter.
struct Extension {
  ValueKind kind = ValueKind::none;
  std::uint8_t last_period = 0;      ///< of periods: their number, less one
  std::uint8_t forgotten = 0;        ///< of periods: how many, of the oldest, were forgotten to make room
  std::uint32_t current_period = 0;  ///< of periods: the value of the current one
  std::uint32_t has_clock = 0;       ///< of periods: 1 if they follow a clock
  std::uint64_t clock = 0;  ///< of periods: when the current one began by the clock, or how many began before it
};

/// Entries with values, placed and found by keys. The variants give the values a meaning.
template <class Trace = NoTrace>
class ValuedFilter : private Filter<Trace> {
  using Base = Filter<Trace>;

 public:
  using Base::expected_false_positive_rate, Base::grow, Base::hash, Base::hasher, Base::load_factor, Base::params,
      Base::size, Base::table, Base::trace, Base::clear;
  using typename Base::Tracing;

  /// An entry where it lies.
  struct Place {
    std::uint32_t bucket;
    std::uint32_t slot;
    std::uint32_t entry;
  };

  /// An empty filter. `params` say nothing of values, or have these `value_bits` too, as the planner does if asked;
  /// else slots take so many bits more. Errors as `Filter::create`; `out_of_range` has `Field::fingerprint_bits` if a
  /// slot would have more than 32 bits.
  static Result<ValuedFilter> create(Params params, std::uint32_t value_bits, const SecretKey* secret) {
    if (params.value_bits != 0 && params.value_bits != value_bits) return {Error::out_of_range, Field::value_bits};
    params.value_bits = value_bits;
    if (const Field field = invalid_field(params); field != Field::none) return {Error::out_of_range, field};
    return Result<ValuedFilter>::from(Base::empty(params, secret));
  }

  /// The filter `filter`, whose parameters have `value_bits`.
  explicit ValuedFilter(Filter<Trace> filter) : Base(std::move(filter)) {
    Base::params_.buckets_per_call = Base::kNever;  // the places of entries are those of a table that stands still
  }

  /// A filter with the same parameters and entries, or `Error::out_of_memory`.
  [[nodiscard]] Result<ValuedFilter> clone() const { return Result<ValuedFilter>::from(Base::clone()); }

  [[nodiscard]] std::uint32_t value(const Place& place) const { return value_of(place.entry, params()); }

  /// Calls `act(place)` for each entry alike to those of `key`, until it returns true; whether it did. Reads two
  /// buckets.
  template <Key K, class Act>
  bool any_alike(const K& key, Act act) const {
    return any_alike_at(locate(hash(key), params()), act);
  }

  /// Whether there are entries alike to those of `key`. Reads two buckets.
  template <Key K>
  [[nodiscard]] bool contains(const K& key) const {
    return any_alike(key, [](const Place&) { return true; });
  }
  /// Writes 1 for each hash that is found, else 0. `found` must be at least as long as `hashes`.
  void contains_many(std::span<const Hash> hashes, std::span<std::uint8_t> found) const {
    in_groups(table(), params(), with_room(hashes, found.size()), [&](std::size_t i, Hash, const Location& at) {
      found[i] = any_alike_at(at, [](const Place&) { return true; });
      return true;
    });
  }
  /// Calls `act(place)` for each entry alike to those of each hash, and `done(i)` after those of one, until `done`
  /// returns false.
  template <class Act, class Done>
  void each_alike(std::span<const Hash> hashes, Act act, Done done) const {
    in_groups(table(), params(), hashes, [&](std::size_t i, Hash, const Location& at) {
      (void)any_alike_at(at, [&](const Place& place) { return act(place), false; });
      return done(i);
    });
  }

  /// Stores an entry of `key` with this value, whatever is there. `too_many_copies` if alike entries fill both
  /// candidate buckets. Otherwise as `Filter::insert`.
  template <Key K>
  InsertOutcome insert(const K& key, std::uint32_t value) {
    const Hash it = hash(key);
    return store(it, locate(it, params()), value);
  }

  /// The same for each hash with the value at its place, in order until one fails. `values` is as long as `hashes`.
  BatchOutcome insert_many(std::span<const Hash> hashes, std::span<const std::uint32_t> values) {
    return store_each(with_room(hashes, values.size()),
                      [&](std::size_t i, Hash it, const Location& at) { return store(it, at, values[i]); });
  }

  /// Gives the entry at `place` another value.
  void set_value(const Place& place, std::uint32_t value) {
    Base::table_.set(place.bucket, place.slot, with_value(place.entry, value, params()));
  }

  /// Takes out the entry at `place`.
  void erase(const Place& place) {
    Base::table_.set(place.bucket, place.slot, 0);
    --(Base::size_);
  }

 protected:  // for the variants
  using Base::begin_to_grow, Base::grow_at_, Base::path_, Base::size_, Base::table_;

  /// As `any_alike`, of the entries `at` the candidates.
  template <class Act>
  bool any_alike_at(const Location& at, Act act) const {
    // Both are read always, as which one holds an entry cannot be predicted.
    const std::uint32_t in_primary = table().alike(at.primary.bucket, at.primary.entry);
    const std::uint32_t in_alternate = table().alike(at.alternate.bucket, at.alternate.entry);
    if ((in_primary | in_alternate) == 0) return false;
    return any_of(in_primary, at.primary, act) ||
           (at.primary != at.alternate && any_of(in_alternate, at.alternate, act));
  }

  /// Calls `store_one(i, hash, location)` for each hash in order until one fails.
  template <class StoreOne>
  BatchOutcome store_each(std::span<const Hash> hashes, StoreOne store_one) {
    BatchOutcome batch;
    while (batch.done < hashes.size() && batch.outcome != InsertOutcome::full &&
           batch.outcome != InsertOutcome::too_many_copies) {
      batch.outcome = InsertOutcome::inserted;
      const std::uint64_t buckets = params().bucket_count;
      in_groups(table(), params(), hashes.subspan(batch.done), [&](std::size_t, Hash it, const Location& at) {
        const InsertOutcome outcome = store_one(batch.done, it, at);
        if (outcome == InsertOutcome::full || outcome == InsertOutcome::too_many_copies) {
          batch.outcome = outcome;
          return false;
        }
        ++batch.done;
        return params().bucket_count == buckets;  // once the table has doubled, the rest is located anew
      });
    }
    return batch;
  }

  template <class Act>
  InsertOutcome store_unless_alike(Hash it, const Location& at, std::uint32_t value, Act act) {
    const bool is_alike = any_alike_at(at, [&](const Place& place) { return act(place), true; });
    return is_alike ? InsertOutcome::present : store(it, at, value, false);
  }

  /// As `Filter::store`, of an entry with a value. `at` is where `it` belongs; `may_be_alike` says whether entries
  /// alike to it may be there, which can fill its buckets.
  InsertOutcome store(Hash it, const Location& at, std::uint32_t value, bool may_be_alike = true) {
    const InsertOutcome outcome = store_at(it, at, value, may_be_alike);
    if (outcome != InsertOutcome::full && size() != Base::grow_at_) return outcome;
    return Base::grow_after(outcome, it, [&] { return store_at(it, locate(it, params()), value, may_be_alike); });
  }
  /// The same, into the table as it is.
  InsertOutcome store_at(Hash it, Location at, std::uint32_t value, bool may_be_alike) {
    if (may_be_alike && is_filled_with_alike(at)) return refused(it, at);
    for (Candidate* here : {&at.primary, &at.alternate}) here->entry = with_value(here->entry, value, params());
    return Base::store_at(Operation::insert, it, at);
  }

  /// Nothing is walked where no walk helps.
  InsertOutcome refused(Hash it, const Location& at) {
    Base::begin(Operation::insert, it, at);
    trace().end(Operation::insert, static_cast<std::uint8_t>(InsertOutcome::too_many_copies), 0, size(), 0);
    return InsertOutcome::too_many_copies;
  }

  /// As `is_filled_with_copies`; the entries of `at` have the value 0.
  [[nodiscard]] bool is_filled_with_alike(const Location& at) const {
    const std::uint32_t in_primary = table().alike(at.primary.bucket, at.primary.entry);
    const std::uint32_t in_alternate = table().alike(at.alternate.bucket, at.alternate.entry);
    const bool is_one_bucket = at.primary.bucket == at.alternate.bucket;
    return (is_one_bucket ? in_primary | in_alternate : in_primary & in_alternate) == (1u << params().bucket_size) - 1;
  }

 private:
  template <class Act>
  bool any_of(std::uint32_t slots, Candidate here, Act& act) const {
    for (; slots != 0; slots &= slots - 1) {
      const auto slot = static_cast<std::uint32_t>(std::countr_zero(slots));
      if (act(Place{here.bucket, slot, table().get_alike(here.bucket, slot, here.entry)})) return true;
    }
    return false;
  }
};

}  // namespace cuckoo
