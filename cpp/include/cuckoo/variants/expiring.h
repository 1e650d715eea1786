// Keys seen in the last N periods: the value of an entry is the period in which it was last seen, modulo N. Invariant:
// a key seen in a period that is remembered is found, and one that was last seen before is not, unless another key's
// entry is alike. Keys whose entries are alike share one, which keeps the newest period, so no key can remove the entry
// of another. What is forgotten is not counted any more; its slots are emptied by and by (see sweep.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "cuckoo/error.h"
#include "cuckoo/filter/merge.h"
#include "cuckoo/variants/periods.h"
#include "cuckoo/variants/sweep.h"
#include "cuckoo/variants/valued.h"

namespace cuckoo {

/// What happens to a key for which there is no room.
enum class WhenFull : std::uint8_t {
  refuse = 0,  ///< the outcome is `full`, and nothing changed
  forget_oldest =
      1,  ///< the oldest periods are forgotten until it fits; `full` if the current one alone leaves no room
};

/// A set of keys. Each is forgotten N periods after it was last seen.
template <class Trace = NoTrace>
class ExpiringFilter : private ValuedFilter<Trace> {
  using Base = ValuedFilter<Trace>;
  using Place = typename Base::Place;

 public:
  using Base::hash, Base::hasher, Base::load_factor, Base::params, Base::trace;
  using typename Base::Tracing;

  static constexpr ValueKind kKind = ValueKind::periods;
  [[nodiscard]] Extension extension() const { return periods_.extension(); }

  /// An empty filter with `periods` periods, from 1 to 256. `params` are as for `Filter`, except that slots take
  /// `period_bits(periods)` bits more, unless they have them, and `params.capacity` counts the distinct keys of all
  /// periods together. Errors as `ValuedFilter::create`, and `out_of_range` with `Field::periods`.
  static Result<ExpiringFilter> create(const Params& params, std::uint32_t periods, const SecretKey* secret = nullptr,
                                       SweepPace pace = {}) {
    if (periods < 1 || periods > kMaxPeriods) return {Error::out_of_range, Field::periods};
    return with(Base::create(params, period_bits(periods), secret), Periods(periods), pace);
  }

  /// What `filter`, whose values are periods, is as an `ExpiringFilter`; `inconsistent` if a value is no period that is
  /// remembered, or `out_of_memory`. Linear in the table.
  static Result<ExpiringFilter> restored(Result<ValuedFilter<Trace>> filter, const Extension& extension) {
    Result<ExpiringFilter> restored = with(std::move(filter), Periods(extension), {});
    if (restored && !restored->count_entries()) return Error::inconsistent;
    return restored;
  }

  /// A filter with the same parameters, entries and periods, or `Error::out_of_memory`. Finishes the sweep.
  [[nodiscard]] Result<ExpiringFilter> clone() {
    settle();
    Result<ExpiringFilter> copy = with(Base::clone(), periods_, sweep_.pace());
    if (!copy) return copy;
    std::copy_n(counts_.get(), periods(), copy->counts_.get());
    copy->when_full_ = when_full_;
    return copy;
  }

  /// Marks `key` as seen in the current period. `inserted`: it was definitely not seen in the periods remembered.
  /// `present`: it probably was. `full`: it was not, and there is no room for it; nothing changed. Constant time on
  /// average, except when the table doubles.
  template <Key K>
  InsertOutcome insert_if_absent(const K& key) {
    const Hash it = hash(key);
    return see(it, locate(it, params()), periods_.current);
  }

  /// Marks the hashes as seen, in order, until one finds no room. Writes 1 for each that was new, else 0, to `is_new`,
  /// which is empty or at least as long as `hashes`.
  BatchOutcome insert_many_if_absent(std::span<const Hash> hashes, std::span<std::uint8_t> is_new) {
    if (!is_new.empty()) hashes = with_room(hashes, is_new.size());
    BatchOutcome batch;
    while (batch.done < hashes.size() && batch.outcome == InsertOutcome::inserted) {
      const std::uint64_t bucket_count = params().bucket_count;
      in_groups(Base::table(), params(), hashes.subspan(batch.done), [&](std::size_t, Hash it, const Location& at) {
        const InsertOutcome outcome = see(it, at, periods_.current);
        if (outcome == InsertOutcome::full) return batch.outcome = outcome, false;
        if (!is_new.empty()) is_new[batch.done] = outcome == InsertOutcome::inserted;
        ++batch.done;
        return params().bucket_count == bucket_count;  // else the others are located anew
      });
    }
    return batch;
  }

  /// False: `key` was not seen in the periods remembered. True: it probably was. Reads two buckets.
  template <Key K>
  [[nodiscard]] bool contains(const K& key) const {
    return Base::any_alike(key, [&](const Place& place) { return is_remembered(place); });
  }

  /// Writes 1 for each hash that was seen, else 0. `found` must be at least as long as `hashes`.
  void contains_many(std::span<const Hash> hashes, std::span<std::uint8_t> found) const {
    in_groups(Base::table(), params(), with_room(hashes, found.size()), [&](std::size_t i, Hash, const Location& at) {
      found[i] = Base::any_alike_at(at, [&](const Place& place) { return is_remembered(place); });
      return true;
    });
  }

  /// Begins the next period, or as many as have gone by, and forgets what was last seen N periods before. Returns how
  /// many entries that were. At most 0.1 ms: the slots are emptied by later calls.
  std::uint64_t advance(std::uint64_t passed = 1) {
    const std::uint64_t before = size();
    periods_.begin(passed);
    if (remembered() > periods()) forget_before(periods_.oldest_of(periods()));
    sweep(sweep_.pace().groups_at_once);
    return before - size();
  }

  /// Adds what `from` has seen, a filter with the same parameters, in the same period; a key that both have seen keeps
  /// the newer period. Remembers as far back as both do. All or nothing: `full` if an entry does not fit,
  /// `Error::out_of_range` with the field that differs, or `Error::out_of_memory`. Linear in both tables; meanwhile
  /// memory holds one more.
  Result<InsertOutcome> merge(const ExpiringFilter& from) {
    Field field = field_that_differs(*this, from);
    if (periods() != from.periods()) field = Field::periods;
    if (field == Field::none && !periods_.is_at(from.periods_)) field = Field::current_period;
    if (field != Field::none) return {Error::out_of_range, field};
    Result<ExpiringFilter> merged = clone();
    if (!merged) return merged.error();
    if (merged->take(from) == InsertOutcome::full) return InsertOutcome::full;
    merged->trace() = trace();
    *this = std::move(*merged);
    return InsertOutcome::inserted;
  }

  /// Forgets everything. Linear in the table's size.
  void clear() {
    Base::clear();
    std::fill_n(counts_.get(), periods(), 0);
    periods_.since = periods_.oldest_of(periods());
    sweep_.stop();
  }

  /// The table, in which every entry is remembered: finishes the sweep.
  [[nodiscard]] const Table& table() {
    settle();
    return Base::table();
  }

  /// Bytes of the table.
  [[nodiscard]] std::uint64_t byte_count() const { return Base::table().byte_count(); }
  /// The expected probability that a key that was not seen is found: no two entries are alike.
  [[nodiscard]] double expected_false_positive_rate() const {
    return rate_of_distinct(params(), static_cast<double>(size()));
  }
  /// Number of entries that are remembered: at most the number of distinct keys seen in that time.
  [[nodiscard]] std::uint64_t size() const { return Base::size(); }
  /// N.
  [[nodiscard]] std::uint32_t periods() const { return periods_.count; }
  /// Number of periods that are remembered, with the current one: N, unless some were forgotten to make room.
  [[nodiscard]] std::uint32_t remembered() const { return periods_.remembered(); }

  [[nodiscard]] WhenFull when_full() const { return when_full_; }
  void set_when_full(WhenFull when_full) { when_full_ = when_full; }

  /// Whether there is a clock. After `advance` there is none until it is set.
  [[nodiscard]] bool has_clock() const { return periods_.has_clock; }
  /// When the current period began, by the clock; without one, how many periods began before it.
  [[nodiscard]] std::uint64_t clock() const { return periods_.clock; }
  void set_clock(std::uint64_t clock) {
    periods_.has_clock = true;
    periods_.clock = clock;
  }

 private:
  ExpiringFilter(Base filter, const Periods& periods, std::unique_ptr<std::uint64_t[]> counts, SweepPace pace)
      : Base(std::move(filter)), periods_(periods), counts_(std::move(counts)), sweep_(pace) {}

  /// `filter`, whose values are these periods, with all counts 0.
  static Result<ExpiringFilter> with(Result<Base> filter, const Periods& periods, SweepPace pace) {
    if (!filter) return {filter.error(), filter.field()};
    std::unique_ptr<std::uint64_t[]> counts(new (std::nothrow) std::uint64_t[periods.count]());
    if (counts == nullptr) return Error::out_of_memory;
    ExpiringFilter made(std::move(*filter), periods, std::move(counts), pace);
    made.sweep_.reserve(made.params().bucket_count);
    return made;
  }

  [[nodiscard]] bool is_remembered(const Place& place) const {
    if (sweep_.is_done()) [[likely]]
      return true;
    const std::uint32_t lag = sweep_.lag(place.bucket, periods_.since);
    return periods_.after(periods_.value_of(periods_.since - lag), Base::value(place)) >= lag;
  }

  /// Counts the entries of each period in a table that was loaded; false if one is of no period that is remembered.
  bool count_entries() {
    for (std::uint64_t bucket = 0; bucket < params().bucket_count; ++bucket) {
      const Slots slots = Base::table().read(bucket);
      for (std::uint32_t slot = 0; slot < params().bucket_size; ++slot) {
        if (slots[slot] == 0) continue;
        const std::uint32_t value = value_of(slots[slot], params());
        if (value >= periods() || periods_.age(value) >= remembered()) return false;
        ++counts_[value];
      }
    }
    return true;
  }

  // Forgetting.

  /// Forgets the periods before `since`, which is at most N past the oldest that is remembered.
  void forget_before(std::uint64_t since) {
    const std::uint64_t last_since = periods_.since;
    const std::uint64_t before = size();
    for (; periods_.since < since; ++periods_.since) {
      Base::size_ -= std::exchange(counts_[periods_.value_of(periods_.since)], 0);
    }
    if (sweep_.is_done() && size() == before) return;
    if (sweep_.begin(params().bucket_count, last_since)) return;
    empty(0, params().bucket_count, static_cast<std::uint32_t>(since - last_since));
  }

  /// Empties the slots, of the buckets from `first` to below `last`, whose entries are of the first `lag` periods that
  /// may be among them.
  void empty(std::uint64_t first, std::uint64_t last, std::uint32_t lag) {
    const std::uint32_t oldest = periods_.value_of(periods_.since - lag);
    for (std::uint64_t bucket = first; bucket < last; ++bucket) {
      Slots slots = Base::table_.read(bucket);
      // What stays moves up in its order, and empty slots come first, as in a semi-sorted bucket they must.
      std::uint32_t free = params().bucket_size;
      std::uint32_t used = 0;
      for (std::uint32_t slot = params().bucket_size; slot-- > 0;) {
        if (slots[slot] == 0) continue;
        ++used;
        if (periods_.after(oldest, value_of(slots[slot], params())) >= lag) slots[--free] = slots[slot];
      }
      if (params().bucket_size - free == used) continue;
      std::fill_n(slots.begin(), free, 0);
      Base::table_.write(bucket, slots);
    }
  }
  [[nodiscard]] auto emptying() {
    return [this](std::uint64_t first, std::uint64_t last, std::uint32_t lag) { empty(first, last, lag); };
  }
  void sweep(std::uint64_t groups) { sweep_.visit_next(groups, periods_.since, params().bucket_count, emptying()); }
  void sweep_bucket(std::uint64_t bucket) {
    if (!sweep_.is_done()) sweep_.visit(bucket, periods_.since, params().bucket_count, emptying());
  }
  void settle() { sweep(~std::uint64_t{0}); }

  // Remembering.

  /// Marks the entry that belongs `at` these buckets as seen in the period `value`.
  InsertOutcome see(Hash it, const Location& at, std::uint32_t value) {
    if (!sweep_.is_done()) [[unlikely]] {
      sweep(1);
      sweep_bucket(at.primary.bucket);
      sweep_bucket(at.alternate.bucket);
    }
    const bool is_seen = Base::any_alike_at(at, [&](const Place& place) { return renew(place, value), true; });
    if (is_seen) return InsertOutcome::present;
    InsertOutcome outcome = sweep_.is_done() ? Base::store(it, at, value, false) : store_unswept(it, at, value);
    if (outcome == InsertOutcome::full && when_full() == WhenFull::forget_oldest) {
      outcome = store_by_forgetting(locate(it, params()), value);
    }
    if (outcome == InsertOutcome::inserted) ++counts_[value];
    return outcome;
  }

  void renew(const Place& place, std::uint32_t value) {
    if (periods_.age(Base::value(place)) <= periods_.age(value)) return;
    --counts_[Base::value(place)];
    ++counts_[value];
    Base::set_value(place, value);
  }

  /// As `ValuedFilter::store`, while a sweep is under way. It is finished before the table doubles.
  InsertOutcome store_unswept(Hash it, const Location& at, std::uint32_t value) {
    if (place(at, value, periods_.since)) {
      if (++(Base::size_) != Base::grow_at_) return InsertOutcome::inserted;
      settle();
      (void)Base::begin_to_grow();
      return InsertOutcome::inserted;
    }
    if (params().reserved_bits == 0) return count(InsertOutcome::full, 0), InsertOutcome::full;
    settle();
    return Base::store(it, at, value, false);
  }

  /// Forgets as few of the periods before that of `value` as make room for the entry; `full`, and nothing changed, if
  /// all of them do not.
  InsertOutcome store_by_forgetting(const Location& at, std::uint32_t value) {
    const std::uint64_t last = periods_.now - periods_.age(value);
    for (std::uint64_t since = periods_.since + 1; since <= last; ++since) {
      if (counts_[periods_.value_of(since - 1)] == 0 || !place(at, value, since)) continue;
      forget_before(since);
      ++(Base::size_);
      return InsertOutcome::inserted;
    }
    return InsertOutcome::full;
  }

  /// The table as a kick path sees it: what it reads is swept, and what was seen before `since` counts as an empty
  /// slot.
  struct View {
    ExpiringFilter& filter;
    std::uint32_t oldest;     ///< the value of the oldest period that is remembered
    std::uint32_t droppable;  ///< how many periods, from that one on, were before `since`

    [[nodiscard]] Table& table() const { return filter.Base::table_; }
    operator const Table&() const { return table(); }  // NOLINT: for a trace
    [[nodiscard]] const BucketLayout& layout() const { return table().layout(); }
    [[nodiscard]] Slots read(std::uint64_t bucket) const { return table().read(bucket); }
    [[nodiscard]] std::uint32_t get(std::uint64_t bucket, std::uint32_t slot) const {
      return table().get(bucket, slot);
    }
    std::uint32_t set(std::uint64_t bucket, std::uint32_t slot, std::uint32_t entry) const {
      return table().set(bucket, slot, entry);
    }
    [[nodiscard]] std::uint32_t room(std::uint64_t bucket) const {
      filter.sweep_bucket(bucket);
      const Slots slots = read(bucket);
      std::uint32_t slot = 0;
      for (; slot < layout().bucket_size; ++slot) {
        const std::uint32_t value = value_of(slots[slot], filter.params());
        if (slots[slot] == 0 || filter.periods_.after(oldest, value) < droppable) break;
      }
      return slot;
    }
    [[nodiscard]] bool has_room(std::uint64_t bucket) const { return room(bucket) != layout().bucket_size; }
    template <class Use>
    void with_has_room(Use use) const {
      use([this](std::uint64_t bucket) { return has_room(bucket); });
    }
  };

  /// Stores the entry as if what was seen before `since` were forgotten; false, and nothing changed, if there is no
  /// room.
  bool place(Location at, std::uint32_t value, std::uint64_t since) {
    for (Candidate* here : {&at.primary, &at.alternate}) here->entry = with_value(here->entry, value, params());
    View view{*this, periods_.value_of(periods_.since), static_cast<std::uint32_t>(since - periods_.since)};
    NoTrace no_trace;
    std::uint32_t kicks = 0;
    const bool is_placed = try_place(view, at.primary, at.alternate.bucket, 0, no_trace) ||
                           try_place(view, at.alternate, at.primary.bucket, 0, no_trace) ||
                           Base::path_.walk(view, params(), at, kicks, no_trace);
    if (is_placed) count(InsertOutcome::inserted, kicks);
    return is_placed;
  }

  /// Lets a trace count an insert whose changes it is not told of.
  void count(InsertOutcome outcome, std::uint32_t kicks) {
    trace().end(Operation::insert, static_cast<std::uint8_t>(outcome), kicks, size(), 0);
  }

  /// Marks as seen what `from` remembers, of the periods that this filter does.
  InsertOutcome take(const ExpiringFilter& from) {
    const Params& source = from.params();
    const BucketLayout layout(source);
    while (params().bucket_count < source.bucket_count && Base::grow()) {
    }
    if (from.remembered() < remembered()) forget_before(periods_.oldest_of(from.remembered()));
    for (std::uint64_t number = 0; number < source.bucket_count; ++number) {
      const auto bucket = static_cast<std::uint32_t>(number);
      const Slots slots = read_settled(from.Base::table(), layout, bucket);
      for (std::uint32_t slot = 0; slot < source.bucket_size; ++slot) {
        if (slots[slot] == 0 || !from.is_remembered({bucket, slot, slots[slot]})) continue;
        const std::uint32_t age = from.periods_.age(value_of(slots[slot], source));
        if (age >= remembered()) continue;
        const Hash it = hash_at({bucket, slots[slot]}, source);
        if (see(it, locate(it, params()), periods_.value_of(periods_.now - age)) != InsertOutcome::full) continue;
        if (when_full() == WhenFull::refuse || age == 0) return InsertOutcome::full;
        forget_before(periods_.oldest_of(age));
      }
    }
    return InsertOutcome::inserted;
  }

  Periods periods_;
  std::unique_ptr<std::uint64_t[]> counts_;  ///< entries remembered of each period, by its value
  Sweep sweep_;
  WhenFull when_full_ = WhenFull::refuse;
};

}  // namespace cuckoo
