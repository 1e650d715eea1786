// SPDX-License-Identifier: MIT
// Counts keys: the value of an entry is the number of copies of its key, minus one. Invariant: a count is never less
// than the copies added and not erased, unless these are more than the largest count. Keys whose entries are alike
// share one entry, which counts the copies of all of them. A count that has reached the maximum stays there, because it
// is unknown how many copies it missed. Threads: const calls may run at the same time; any other call must run alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "cuckoo/detail/entries/entries.h"
#include "cuckoo/filters/table_filter.h"

namespace cuckoo {

/// A multiset of keys, with one entry per key. Keys are the same as for `Filter`.
template <class AnyEntries>
class BasicCountingFilter : public detail::TableFilter<BasicCountingFilter, AnyEntries, ValueKind::counters> {
  using Base = detail::TableFilter<BasicCountingFilter, AnyEntries, ValueKind::counters>;
  using Base::Base, Base::entries_, Base::hasher_;
  friend detail::Access;

 public:
  /// An empty filter that counts up to 2^`counter_bits`; `counter_bits` is from 1 to 16. `params` are as for `Filter`,
  /// but `params.capacity` counts distinct keys, and each slot takes `counter_bits` bits more. Errors as
  /// `Filter::create`; if `counter_bits` is wrong, `out_of_range` has `Field::value_bits`.
  static Result<BasicCountingFilter> create(const Params& params, std::uint32_t counter_bits,
                                            const SecretKey* secret = nullptr) {
    if (counter_bits < 1 || counter_bits > kMaxCounterBits) return {Error::out_of_range, Field::value_bits};
    return detail::make<BasicCountingFilter>(params, counter_bits, secret);
  }
  /// The same for `capacity` distinct keys. When full, an absent key is found with at most the probability
  /// `false_positive_rate`.
  static Result<BasicCountingFilter> create(std::uint64_t capacity, double false_positive_rate,
                                            std::uint32_t counter_bits, const SecretKey* secret = nullptr) {
    const Result<Params> params = detail::plan_for(capacity, false_positive_rate, secret, counter_bits);
    return params ? create(*params, counter_bits, secret) : Result<BasicCountingFilter>(params.error(), params.field());
  }

  /// The largest count. A count that has reached it stays there.
  [[nodiscard]] std::uint64_t max_count() const { return std::uint64_t{1} << this->params().value_bits; }
  /// Number of entries whose count has reached the largest. Linear in the table's size.
  [[nodiscard]] std::uint64_t saturated() const {
    std::uint64_t all = 0;
    (void)entries_.each_batch([&](const detail::HashBatch& some) {
      for (const std::uint32_t value : some.values()) all += value + 1 == max_count() ? 1u : 0u;
      return true;
    });
    return all;
  }

  /// Adds `copies` copies of `key`; 0 copies change nothing. Returns `inserted`, or `full`, with nothing changed, if
  /// the key is new and there is no room for it.
  template <Key K>
  InsertOutcome insert(const K& key, std::uint64_t copies = 1) {
    return entries_.insert(this->hash(key), [=, this](const detail::Location& at) { return add(at, copies); });
  }
  /// Adds to each key the copies at the same index, until one finds no room.
  template <Keys R>
  BatchOutcome insert_many(R&& keys, std::span<const std::uint32_t> copies) {
    const auto insert = [&](std::span<const Hash> hashes, std::size_t first) {
      return entries_.insert_many(
          hashes, [&](std::size_t i, const detail::Location& at) { return add(at, copies[first + i]); });
    };
    return detail::insert_in_batches(hasher_, keys, copies.size(), insert);
  }

  /// The copies of `key` and of keys whose entries are alike; at most `max_count`. Reads two buckets.
  template <Key K>
  [[nodiscard]] std::uint64_t count(const K& key) const {
    return count_at(detail::locate(this->hash(key), this->params()));
  }
  /// `count` of each key. `counts` must be at least as long as `keys`.
  template <Keys R>
  void count_many(R&& keys, std::span<std::uint32_t> counts) const {
    detail::in_batches(hasher_, keys, counts.size(), [&](std::span<const Hash> hashes, std::size_t first) {
      entries_.locate_many(
          hashes, [&](std::size_t i, const detail::Location& at) { return counts[first + i] = count_at(at), true; });
      return true;
    });
  }

  /// Removes `copies` copies of `key`; 0 copies change nothing. False, and nothing changed, if there are fewer, or if
  /// there are none. A count that has reached the largest stays there, and the answer is true. Erase only what was
  /// added.
  template <Key K>
  bool erase(const K& key, std::uint64_t copies = 1) {
    const std::optional<detail::FoundEntry> found = find(detail::locate(this->hash(key), this->params()));
    if (!found) return false;
    const std::uint64_t before = std::uint64_t{entries_.value(*found)} + 1;
    if (before == max_count()) return true;
    if (before < copies) return false;
    if (before == copies) {
      entries_.erase(*found);
    } else {
      entries_.set_value(*found, static_cast<std::uint32_t>(before - copies - 1));
    }
    return true;
  }

 private:
  /// Adds some counts of `from`; for `merge`. A count at the maximum there is at the maximum here, too, because that
  /// many copies raise any count to the maximum.
  InsertOutcome absorb(const BasicCountingFilter&, const detail::HashBatch& some) {
    const auto add_one = [&](std::size_t i, const detail::Location& at) {
      return add(at, std::uint64_t{some.values()[i]} + 1);
    };
    return entries_.insert_many(some.hashes(), add_one).outcome;
  }

  InsertOutcome add(const detail::Location& at, std::uint64_t copies) {
    if (copies == 0) return InsertOutcome::inserted;
    const std::optional<detail::FoundEntry> found = find(at);
    if (!found) {
      const std::uint64_t value = std::min(max_count(), copies) - 1;
      return entries_.store(Operation::insert, at, static_cast<std::uint32_t>(value));
    }
    const std::uint32_t value = entries_.value(*found);
    const std::uint64_t room = max_count() - 1 - value;
    entries_.set_value(*found, value + static_cast<std::uint32_t>(std::min(room, copies)));
    return InsertOutcome::inserted;
  }
  [[nodiscard]] std::uint32_t count_at(const detail::Location& at) const {
    const std::optional<detail::FoundEntry> found = find(at);
    return found ? entries_.value(*found) + 1 : 0;
  }
  [[nodiscard]] std::optional<detail::FoundEntry> find(const detail::Location& at) const {
    std::optional<detail::FoundEntry> found;
    (void)entries_.visit_alike(at, [&](const detail::FoundEntry& it) { return found = it, true; });
    return found;
  }
};

using CountingFilter = BasicCountingFilter<detail::Entries<>>;

}  // namespace cuckoo
