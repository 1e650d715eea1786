// SPDX-License-Identifier: MIT
// Keys seen in the last N periods: the value of an entry is the period in which its key was last seen, modulo N; if
// `renews` is false, that in which it was first seen.
// Invariant: a key seen in a remembered period is found, and a key that was last seen earlier is not, unless another
// key's entry is alike. Keys whose entries are alike share one entry, which keeps the newest period, so no key can
// remove the entry of another. Forgotten entries no longer count; their slots are emptied gradually (see
// detail/entries/pending.h). Threads: const calls may run at the same time; any other call must run alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "cuckoo/detail/entries/entries.h"
#include "cuckoo/detail/filters/periods.h"
#include "cuckoo/error.h"
#include "cuckoo/filters/table_filter.h"

namespace cuckoo {

/// What happens to a new key for which there is no room.
enum class WhenFull : std::uint8_t {
  refuse = 0,         ///< the outcome is `full`, and nothing changed
  forget_oldest = 1,  ///< the oldest periods are forgotten until it fits; `full` if the current one leaves no room
};

/// A set of keys. Each is forgotten N periods after it was last seen. `size` counts the remembered entries, which are
/// at most as many as the distinct keys seen in that time.
template <class AnyEntries>
class BasicExpiringFilter : public detail::TableFilter<BasicExpiringFilter, AnyEntries, ValueKind::periods> {
  using Base = detail::TableFilter<BasicExpiringFilter, AnyEntries, ValueKind::periods>;
  using Base::entries_, Base::hasher_;
  friend detail::Access;

 public:
  /// An empty filter with `periods` periods, from 1 to 256. `params` are as for `Filter`, except that each slot takes
  /// `period_bits(periods)` bits more (unless `params.value_bits` already counts them), and that `params.capacity`
  /// counts the distinct keys of all periods together. Errors as `Filter::create`, and `out_of_range` with
  /// `Field::periods`.
  static Result<BasicExpiringFilter> create(const Params& params, std::uint32_t periods,
                                            const SecretKey* secret = nullptr) {
    if (periods < 1 || periods > kMaxPeriods) return {Error::out_of_range, Field::periods};
    return detail::make<BasicExpiringFilter>(params, detail::period_bits(periods), secret,
                                             detail::Periods(periods).extension());
  }
  /// The same for `capacity` distinct keys in all periods together. When full, an absent key is found with at most the
  /// probability `false_positive_rate`.
  static Result<BasicExpiringFilter> create(std::uint64_t capacity, double false_positive_rate, std::uint32_t periods,
                                            const SecretKey* secret = nullptr) {
    if (periods < 1 || periods > kMaxPeriods) return {Error::out_of_range, Field::periods};
    const Result<Params> params = detail::plan_for(capacity, false_positive_rate, secret, detail::period_bits(periods));
    return params ? create(*params, periods, secret) : Result<BasicExpiringFilter>(params.error(), params.field());
  }
  /// A filter with the same parameters, entries and periods, or `Error::out_of_memory`.
  [[nodiscard]] Result<BasicExpiringFilter> clone() const {
    Result<AnyEntries> entries = entries_.clone();
    if (!entries) return entries.error();
    BasicExpiringFilter copy(std::move(*entries), hasher_, periods_);
    if (copy.counts_ == nullptr) return Error::out_of_memory;
    std::copy_n(counts_.get(), periods(), copy.counts_.get());
    copy.when_full_ = when_full_;
    copy.renews_ = renews_;
    return copy;
  }

  /// Marks `key` as seen in the current period. `inserted`: it was definitely not seen in the remembered periods.
  /// `present`: it probably was. `full`: it was not, and there is no room for it; nothing changed. Constant time on
  /// average, except when the table doubles.
  template <Key K>
  InsertOutcome insert_if_absent(const K& key) {
    const Hash it = this->hash(key);
    const InsertOutcome outcome = see(it, periods_.current, renews_);
    return outcome == InsertOutcome::full ? insert_by_forgetting(it) : outcome;
  }
  /// Marks the keys as seen, in order, until one finds no room. Writes 1 for each that was new, else 0, to `is_new`,
  /// which is empty or at least as long as `keys`.
  template <Keys R>
  BatchOutcome insert_many_if_absent(R&& keys, std::span<std::uint8_t> is_new) {
    const auto see_some = [&](std::span<const Hash> hashes, std::span<std::uint8_t> answers) {
      return see_many(hashes, answers);
    };
    return detail::insert_in_batches(hasher_, keys, is_new, see_some);
  }

  /// Begins the next period (or `passed` periods), and forgets keys last seen N periods before. Returns the number of
  /// entries forgotten. Later calls empty the slots. The first call after they have done so marks each block of 64
  /// buckets, which takes more than 0.1 ms in tables of a hundred million keys.
  std::uint64_t advance(std::uint64_t passed = 1) {
    const std::uint64_t before = this->size();
    periods_.begin(passed);
    if (remembered() > periods()) forget_before(periods_.oldest_of(periods()));
    entries_.work_some(detail::kBlocksSweptAtOnce);
    return before - this->size();
  }

  /// Forgets everything. Linear in the table's size.
  void clear() {
    entries_.clear();
    std::fill_n(counts_.get(), periods(), 0);
    periods_.since = periods_.oldest_of(periods());
  }

  /// N.
  [[nodiscard]] std::uint32_t periods() const { return periods_.count; }
  /// Number of remembered periods, including the current one: N, unless some were forgotten to make room.
  [[nodiscard]] std::uint32_t remembered() const { return periods_.remembered(); }

  /// What happens to a new key for which there is no room. Not saved.
  [[nodiscard]] WhenFull when_full() const { return when_full_; }
  void set_when_full(WhenFull when_full) { when_full_ = when_full; }

  /// Whether the age of a key begins again each time it occurs; otherwise it counts from the first time. Not saved.
  [[nodiscard]] bool renews() const { return renews_; }
  void set_renews(bool renews) { renews_ = renews; }

  /// Whether there is a clock. After `advance` there is none until it is set.
  [[nodiscard]] bool has_clock() const { return periods_.has_clock; }
  /// When the current period began, by the clock; without one, how many periods began before it.
  [[nodiscard]] std::uint64_t clock() const { return periods_.clock; }
  void set_clock(std::uint64_t clock) {
    periods_.has_clock = true;
    periods_.clock = clock;
  }

 private:
  /// The filter made of these parts; `inconsistent` if a value is not a remembered period, or `out_of_memory`. Linear
  /// in the table's size.
  static Result<BasicExpiringFilter> adopt(AnyEntries entries, const Hasher& hasher,
                                           const detail::Extension& extension) {
    BasicExpiringFilter made(std::move(entries), hasher, detail::Periods(extension));
    if (made.counts_ == nullptr) return Error::out_of_memory;
    if (!made.empty() && !made.count_entries()) return Error::inconsistent;
    return made;
  }
  /// Of some entries of `from`, which is in the same period, adds those whose periods both remember. A
  /// key that both have seen keeps the newer period. For `merge`.
  InsertOutcome absorb(const BasicExpiringFilter& from, const detail::HashBatch& some) {
    if (from.remembered() < remembered()) forget_before(periods_.oldest_of(from.remembered()));
    for (std::size_t i = 0; i < some.count; ++i) {
      const std::uint32_t age = from.periods_.age(some.values()[i]);
      while (age < remembered() &&
             see(some.hashes()[i], periods_.value_of(periods_.now - age), true) == InsertOutcome::full) {
        if (when_full() == WhenFull::refuse || remembered() == 1) return InsertOutcome::full;
        forget_before(periods_.since + 1);
      }
    }
    return InsertOutcome::inserted;
  }
  [[nodiscard]] detail::Extension extension() const { return periods_.extension(); }
  /// As for all filters; the number of periods and the current period must also be the same.
  [[nodiscard]] Field field_that_differs(const BasicExpiringFilter& other) const {
    if (periods() != other.periods()) return Field::periods;
    const Field field = Base::field_that_differs(other);
    return field == Field::none && !periods_.is_at(other.periods_) ? Field::current_period : field;
  }

  BasicExpiringFilter(AnyEntries entries, const Hasher& hasher, const detail::Periods& periods)
      : Base(std::move(entries), hasher),
        periods_(periods),
        counts_(new (std::nothrow) std::uint64_t[periods.count]()) {}

  /// Counts the entries of each period; false if an entry is not from a remembered period.
  [[nodiscard]] bool count_entries() {
    return entries_.each_batch([&](const detail::HashBatch& some) {
      for (const std::uint32_t value : some.values()) {
        if (value >= periods() || periods_.age(value) >= remembered()) return false;
        ++counts_[value];
      }
      return true;
    });
  }

  /// Forgets the periods before `since`, which is at most N after the oldest remembered one.
  void forget_before(std::uint64_t since) {
    const std::uint64_t last_since = periods_.since;
    std::uint64_t forgotten = 0;
    for (; periods_.since < since; ++periods_.since) {
      forgotten += std::exchange(counts_[periods_.value_of(periods_.since)], 0);
    }
    entries_.forget(forgotten, last_since, since, periods());
  }

  /// Marks a hash as seen in the period `value`. If it was seen before, its period changes only if `renews`.
  InsertOutcome see(Hash hash, std::uint32_t value, bool renews) {
    return entries_.insert(hash, [=, this](const detail::Location& at) { return see_at(at, value, renews); });
  }
  InsertOutcome see_at(const detail::Location& at, std::uint32_t value, bool renews) {
    const bool is_seen = entries_.visit_alike(at, [&](const detail::FoundEntry& it) {
      if (renews) renew(it, value);
      return true;
    });
    if (is_seen) return InsertOutcome::present;
    const InsertOutcome outcome = entries_.store(Operation::insert, at, value);
    if (outcome == InsertOutcome::inserted) ++counts_[value];
    return outcome;
  }
  BatchOutcome see_many(std::span<const Hash> hashes, std::span<std::uint8_t> is_new) {
    for (std::size_t done = 0;;) {
      const BatchOutcome batch =
          entries_.insert_many(hashes.subspan(done), [&](std::size_t i, const detail::Location& at) {
            const InsertOutcome outcome = see_at(at, periods_.current, renews_);
            if (!is_new.empty()) is_new[done + i] = outcome == InsertOutcome::inserted;
            return outcome;
          });
      done += batch.done;
      if (done == hashes.size()) return {done, InsertOutcome::inserted};
      const InsertOutcome outcome = insert_by_forgetting(hashes[done]);
      if (outcome != InsertOutcome::inserted) return {done, outcome};
      if (!is_new.empty()) is_new[done] = 1;
      ++done;
    }
  }
  void renew(const detail::FoundEntry& it, std::uint32_t value) {
    const std::uint32_t before = entries_.value(it);
    if (periods_.age(before) <= periods_.age(value)) return;
    --counts_[before];
    ++counts_[value];
    entries_.set_value(it, value);
  }

  /// Forgets periods, oldest first, until there is room for the entry of a new key. `full`, and nothing changed, if
  /// forgetting all but the current one is not enough.
  InsertOutcome insert_by_forgetting(Hash hash) {
    for (std::uint64_t since = periods_.since + 1; when_full_ == WhenFull::forget_oldest && since <= periods_.now;
         ++since) {
      if (counts_[periods_.value_of(since - 1)] == 0) continue;
      if (!entries_.has_room_without(hash, periods_.since, since, periods())) continue;
      forget_before(since);
      return see(hash, periods_.current, renews_);
    }
    return InsertOutcome::full;
  }

  detail::Periods periods_;
  std::unique_ptr<std::uint64_t[]> counts_;  ///< entries remembered of each period, by its value
  WhenFull when_full_ = WhenFull::refuse;
  bool renews_ = true;
};

using ExpiringFilter = BasicExpiringFilter<detail::Entries<>>;

}  // namespace cuckoo
