// Keys that are counted: the value of an entry is the copies of its key, less one. Invariant: a count is never less
// than the copies added and not erased. Keys whose entries are alike share one, which counts the copies of all of them.
// A count that has reached the largest stays there, as how many it is short of is not known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "cuckoo/variants/valued.h"

namespace cuckoo {

inline constexpr std::uint32_t kMaxCounterBits = 16;

/// A multiset of keys, with one entry per key. Keys are the same as for `Filter`.
template <class Trace = NoTrace>
class CountingFilter : public ValuedFilter<Trace> {
  using Base = ValuedFilter<Trace>;
  using Place = typename Base::Place;

 public:
  static constexpr ValueKind kKind = ValueKind::counters;
  [[nodiscard]] Extension extension() const { return {.kind = kKind}; }

  /// An empty filter that counts from 1 to 2^`counter_bits`, which has 1 to 16 bits. `params` are as for `Filter`, but
  /// `params.capacity` counts distinct keys; slots take `counter_bits` bits more. Errors as `ValuedFilter::create`;
  /// `out_of_range` has `Field::value_bits` for `counter_bits`.
  static Result<CountingFilter> create(const Params& params, std::uint32_t counter_bits,
                                       const SecretKey* secret = nullptr) {
    if (counter_bits < 1 || counter_bits > kMaxCounterBits) return {Error::out_of_range, Field::value_bits};
    return Result<CountingFilter>::from(Base::create(params, counter_bits, secret));
  }
  /// What `filter`, with values of this kind, is as a `CountingFilter`.
  static Result<CountingFilter> restored(Result<ValuedFilter<Trace>> filter, const Extension&) {
    return Result<CountingFilter>::from(std::move(filter));
  }
  explicit CountingFilter(ValuedFilter<Trace> filter) : Base(std::move(filter)) {}
  [[nodiscard]] Result<CountingFilter> clone() const { return Result<CountingFilter>::from(Base::clone()); }

  /// The largest count. One that has reached it stays there.
  [[nodiscard]] std::uint64_t max_count() const { return std::uint64_t{1} << Base::params().value_bits; }
  /// Entries whose count has reached the largest.
  [[nodiscard]] std::uint64_t saturated() const {
    std::uint64_t all = 0;
    for (std::uint64_t bucket = 0; bucket < Base::params().bucket_count; ++bucket) {
      const Slots slots = Base::table().read(bucket);
      for (std::uint32_t slot = 0; slot < Base::params().bucket_size; ++slot) {
        all += slots[slot] != 0 && value_of(slots[slot], Base::params()) + 1 == max_count() ? 1 : 0;
      }
    }
    return all;
  }

  /// Adds `copies` copies of `key`. `inserted`, or `full`, and nothing changed, if the key is new and there is no room
  /// for it. To add 0 copies changes nothing, and is `inserted` for every key.
  template <Key K>
  InsertOutcome insert(const K& key, std::uint64_t copies = 1) {
    const Hash it = Base::hash(key);
    return add(it, locate(it, Base::params()), copies);
  }

  /// The expected probability that a key not in the filter is counted: no two entries are alike.
  [[nodiscard]] double expected_false_positive_rate() const {
    return rate_of_distinct(Base::params(), static_cast<double>(Base::size()));
  }

  /// The copies of `key` and of keys whose entries are alike; at most `max_count`. Reads two buckets.
  template <Key K>
  [[nodiscard]] std::uint64_t count(const K& key) const {
    const std::optional<Place> place = find(Base::hash(key));
    return place ? std::uint64_t{Base::value(*place)} + 1 : 0;
  }
  /// `count` of each hash. `counts` must be at least as long as `hashes`.
  void count_many(std::span<const Hash> hashes, std::span<std::uint32_t> counts) const {
    std::uint32_t count = 0;
    Base::each_alike(
        with_room(hashes, counts.size()), [&](const Place& place) { count = Base::value(place) + 1; },
        [&](std::size_t i) { return counts[i] = std::exchange(count, 0), true; });
  }

  /// Adds to each hash the copies at its place, until one finds no room. `copies` is as long as `hashes`.
  BatchOutcome insert_many(std::span<const Hash> hashes, std::span<const std::uint32_t> copies) {
    return Base::store_each(with_room(hashes, copies.size()),
                            [&](std::size_t i, Hash it, const Location& at) { return add(it, at, copies[i]); });
  }
  /// The count of an entry of another filter, whose hash leads to it; for merge_valued.h. What is stuck there sticks
  /// here: as many copies as the largest count make any count the largest.
  InsertOutcome absorb(Hash hash, std::uint32_t value) { return insert(hash, std::uint64_t{value} + 1); }

  /// Removes `copies` copies of `key`; 0 of them change nothing. False, and nothing changed, if there are fewer. A
  /// count that has reached the largest stays, and the answer is true. Only erase what was added.
  template <Key K>
  [[nodiscard]] bool erase(const K& key, std::uint64_t copies = 1) {
    const std::optional<Place> place = find(Base::hash(key));
    if (!place) return false;
    const std::uint64_t before = std::uint64_t{Base::value(*place)} + 1;
    if (before == max_count()) return true;
    if (before < copies) return false;
    if (before == copies) {
      Base::erase(*place);
    } else {
      Base::set_value(*place, static_cast<std::uint32_t>(before - copies - 1));
    }
    return true;
  }

 private:
  InsertOutcome add(Hash it, const Location& at, std::uint64_t copies) {
    if (copies == 0) return InsertOutcome::inserted;
    const auto value = static_cast<std::uint32_t>(std::min(max_count(), copies) - 1);
    const InsertOutcome outcome =
        Base::store_unless_alike(it, at, value, [&](const Place& place) { count_up(place, copies); });
    return outcome == InsertOutcome::present ? InsertOutcome::inserted : outcome;
  }
  void count_up(const Place& place, std::uint64_t copies) {
    const std::uint64_t room = max_count() - 1 - Base::value(place);
    Base::set_value(place, Base::value(place) + static_cast<std::uint32_t>(std::min(room, copies)));
  }
  [[nodiscard]] std::optional<Place> find(Hash hash) const {
    std::optional<Place> found;
    (void)Base::any_alike(hash, [&](const Place& place) { return found = place, true; });
    return found;
  }
};

}  // namespace cuckoo
