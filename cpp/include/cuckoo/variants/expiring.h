// Keys seen in the last N periods: the value of an entry is the period in which it was last seen, modulo N. Invariant:
// a key seen in the last N periods, including the current one, is found. Entries are dropped by their age and never by
// a key. Keys whose entries are alike share one, which keeps the newest period, so no key can remove the entry of
// another.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cuckoo/error.h"
#include "cuckoo/variants/valued.h"

namespace cuckoo {

inline constexpr std::uint32_t kMaxPeriods = 256;

/// A set of keys. Each is forgotten N periods after it was last seen.
template <class Trace = NoTrace>
class ExpiringFilter : private ValuedFilter<Trace> {
  using Base = ValuedFilter<Trace>;
  using Place = typename Base::Place;

 public:
  using Base::expected_false_positive_rate, Base::hash, Base::hasher, Base::params, Base::table, Base::clear;

  /// An empty filter with `periods` periods, from 1 to 256. `params` are as for `Filter`, except that slots take
  /// bit_width(periods - 1) bits more, and `params.capacity` counts the distinct keys of all periods together. Errors
  /// as `ValuedFilter::create`; `out_of_range` has `Field::none` for `periods`.
  static Result<ExpiringFilter> create(const Params& params, std::uint32_t periods, const SecretKey* secret = nullptr) {
    if (periods < 1 || periods > kMaxPeriods) return Error::out_of_range;
    const auto value_bits = static_cast<std::uint32_t>(std::bit_width(periods - 1));
    return Result<ExpiringFilter>::from(Base::create(params, value_bits, secret), periods);
  }

  /// Marks `key` as seen in the current period. `inserted`: it was definitely not seen in the last N periods.
  /// `present`: it probably was. `full`: it was not, and there is no room for it; nothing changed.
  template <Key K>
  InsertOutcome insert_if_absent(const K& key) {
    return Base::insert_unless_alike(key, current_, [&](const Place& place) { Base::set_value(place, current_); });
  }

  /// Marks the hashes as seen, in order, until one finds no room. Writes 1 for each that was new, else 0.
  BatchOutcome insert_many_if_absent(std::span<const Hash> hashes, std::span<std::uint8_t> is_new) {
    BatchOutcome batch;
    for (; batch.done < hashes.size(); ++batch.done) {
      const InsertOutcome outcome = insert_if_absent(hashes[batch.done]);
      if (outcome == InsertOutcome::full) return {batch.done, outcome};
      is_new[batch.done] = outcome == InsertOutcome::inserted;
    }
    return batch;
  }

  /// False: `key` was not seen in the last N periods. True: it probably was. Reads two buckets.
  template <Key K>
  [[nodiscard]] bool contains(const K& key) const {
    return Base::any_alike(key, [](const Place&) { return true; });
  }

  /// Begins the next period and drops the entries last seen N periods before it. Returns how many. Linear in the table.
  std::uint64_t advance() {
    current_ = (current_ + 1) % periods_;
    return Base::erase_values_if(0, params().bucket_count, [&](std::uint32_t period) { return period == current_; });
  }

  /// Number of entries stored now: at most the number of distinct keys seen in the last N periods.
  [[nodiscard]] std::uint64_t size() const { return Base::size(); }
  [[nodiscard]] std::uint32_t periods() const { return periods_; }

  /// `create`, of a filter that has bits for the periods.
  ExpiringFilter(ValuedFilter<Trace> filter, std::uint32_t periods) : Base(std::move(filter)), periods_(periods) {}

 private:
  std::uint32_t periods_;      ///< N
  std::uint32_t current_ = 0;  ///< the current period, below N; the others follow in a ring
};

}  // namespace cuckoo
