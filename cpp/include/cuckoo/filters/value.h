// SPDX-License-Identifier: MIT
// Keys with values (Fan et al. 2014, section 6): an approximate lookup table. Invariant: all values of a key that were
// inserted and not erased are found. Values of other keys, whose entries are alike, may be found with them. Threads:
// const calls may run at the same time; any other call must run alone.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "cuckoo/detail/entries/entries.h"
#include "cuckoo/detail/table/order.h"
#include "cuckoo/filters/table_filter.h"

namespace cuckoo {

/// The values found for one key, as a range: at most as many as two buckets have slots.
struct FoundValues {
  static constexpr std::size_t kMaxCount = 2 * kMaxBucketSize;
  std::array<std::uint32_t, kMaxCount> values{};
  std::uint32_t count = 0;
  [[nodiscard]] const std::uint32_t* begin() const { return values.data(); }
  [[nodiscard]] const std::uint32_t* end() const { return values.data() + count; }
};

/// A multimap from keys to values of `value_bits` bits. Keys are the same as for `Filter`.
template <class AnyEntries>
class BasicValueFilter : public detail::TableFilter<BasicValueFilter, AnyEntries, ValueKind::values> {
  using Base = detail::TableFilter<BasicValueFilter, AnyEntries, ValueKind::values>;
  using Base::Base, Base::entries_, Base::hasher_;
  friend detail::Access;

 public:
  /// An empty filter for values below 2^`value_bits`; `value_bits` is from 1 to 24. `params` are as for `Filter`; each
  /// slot takes `value_bits` bits more. Errors as `Filter::create`; if `value_bits` is wrong, `out_of_range` has
  /// `Field::value_bits`.
  static Result<BasicValueFilter> create(const Params& params, std::uint32_t value_bits,
                                         const SecretKey* secret = nullptr) {
    if (value_bits < 1 || value_bits > kMaxValueBits) return {Error::out_of_range, Field::value_bits};
    return detail::make<BasicValueFilter>(params, value_bits, secret);
  }
  /// The same for `capacity` distinct keys. When full, an absent key is found with at most the probability
  /// `false_positive_rate`.
  static Result<BasicValueFilter> create(std::uint64_t capacity, double false_positive_rate, std::uint32_t value_bits,
                                         const SecretKey* secret = nullptr) {
    const Result<Params> params = detail::plan_for(capacity, false_positive_rate, secret, value_bits);
    return params ? create(*params, value_bits, secret) : Result<BasicValueFilter>(params.error(), params.field());
  }

  /// Gives `key` one more value, which must be below 2^`value_bits`; without assertions, only its low bits are kept. If
  /// the key already has this value, it is stored a second time. `too_many_copies` if the key's values fill both
  /// candidate buckets. Otherwise as `Filter::insert`.
  template <Key K>
  InsertOutcome insert(const K& key, std::uint32_t value) {
    return entries_.insert(this->hash(key), [=, this](const detail::Location& at) { return store(at, value); });
  }
  /// The same for each key, with the value at the same index, in order until one fails.
  template <Keys R>
  BatchOutcome insert_many(R&& keys, std::span<const std::uint32_t> values) {
    const auto insert = [&](std::span<const Hash> hashes, std::size_t first) {
      return entries_.insert_many(
          hashes, [&](std::size_t i, const detail::Location& at) { return store(at, values[first + i]); });
    };
    return detail::insert_in_batches(hasher_, keys, values.size(), insert);
  }

  /// The values of `key`, in ascending order, and those of other keys whose entries are alike. For an absent key, the
  /// result is not empty with the probability `expected_false_positive_rate`. Reads two buckets.
  template <Key K>
  [[nodiscard]] FoundValues find(const K& key) const {
    FoundValues found;
    found.count = put_values(detail::locate(this->hash(key), this->params()), found.values.data());
    return found;
  }
  /// What a batch found: how many keys were done, and how many values they have.
  struct Batch {
    std::size_t done = 0;
    std::size_t values = 0;
  };
  /// `find` for each key, in order, until the values of the next might not fit. Writes the number of values of each key
  /// to `counts`, and the values, one key after the other, to `values`. `counts` must be at least as long as `keys`,
  /// and `values` must have room for one key, which is `FoundValues::kMaxCount`; without assertions, keys without room
  /// are not done.
  template <Keys R>
  [[nodiscard]] Batch find_many(R&& keys, std::span<std::uint8_t> counts, std::span<std::uint32_t> values) const {
    Batch batch;
    const auto has_room = [&] { return values.size() - batch.values >= FoundValues::kMaxCount; };
    assert(has_room());
    if (!has_room()) return batch;
    detail::in_batches(hasher_, keys, counts.size(), [&](std::span<const Hash> hashes, std::size_t first) {
      entries_.locate_many(hashes, [&](std::size_t i, const detail::Location& at) {
        const std::uint32_t count = put_values(at, &values[batch.values]);
        counts[first + i] = static_cast<std::uint8_t>(count);
        batch = {first + i + 1, batch.values + count};
        return has_room();
      });
      return has_room();
    });
    return batch;
  }

  /// Takes `value` from `key` once; without a value, it takes the smallest one found. False, and nothing changed, if
  /// there is none. Erase only what was inserted, and omit the value only if the key has exactly one: otherwise another
  /// key may lose its value.
  template <Key K>
  bool erase(const K& key, std::optional<std::uint32_t> value = {}) {
    std::optional<detail::FoundEntry> chosen;
    (void)entries_.visit_alike(this->hash(key), [&](const detail::FoundEntry& it) {
      const bool is_asked = !value || entries_.value(it) == *value;
      if (is_asked && (!chosen || entries_.value(it) < entries_.value(*chosen))) chosen = it;
      return false;
    });
    if (chosen) entries_.erase(*chosen);
    return chosen.has_value();
  }

 private:
  /// Adds some values of `from`; for `merge`.
  InsertOutcome absorb(const BasicValueFilter&, const detail::HashBatch& some) {
    return insert_many(some.hashes(), some.values()).outcome;
  }

  /// Writes the values of the key whose entries belong in the buckets of `at`, in ascending order, from `first` on.
  /// Returns how many there are.
  std::uint32_t put_values(const detail::Location& at, std::uint32_t* first) const {
    std::uint32_t count = 0;
    (void)entries_.visit_alike(at, [&](const detail::FoundEntry& it) {
      first[count] = entries_.value(it);
      (void)detail::move_into_order(first, count, count + 1, std::identity());
      return ++count, false;
    });
    return count;
  }
  InsertOutcome store(const detail::Location& at, std::uint32_t value) {
    return entries_.store(Operation::insert, at, value);
  }
};

using ValueFilter = BasicValueFilter<detail::Entries<>>;

}  // namespace cuckoo
