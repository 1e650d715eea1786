// Keys with values (Fan et al. 2014, section 6): an approximate look-up table. Invariant: of a key that was set, every
// value that was not erased is among those found. Others may be found with it: those of keys whose entries are alike.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "cuckoo/variants/valued.h"

namespace cuckoo {

/// The values found of one key: at most as many as two buckets have slots.
struct FoundValues {
  static constexpr std::size_t kMost = 2 * kMaxBucketSize;
  std::array<std::uint32_t, kMost> values{};
  std::uint32_t count = 0;
  [[nodiscard]] std::span<const std::uint32_t> all() const { return {values.data(), count}; }
};

/// Puts `value` among the `count` ascending ones from `first` on, which has room for one more. There are 16 at most,
/// and std::sort takes 1.0 kB more WebAssembly, compressed.
inline void insert_ascending(std::uint32_t* first, std::size_t count, std::uint32_t value) {
  for (; count > 0 && first[count - 1] > value; --count) first[count] = first[count - 1];
  first[count] = value;
}

/// A multimap from keys to values of `value_bits` bits. Keys are the same as for `Filter`.
template <class Trace = NoTrace>
class ValueFilter : public ValuedFilter<Trace> {
  using Base = ValuedFilter<Trace>;
  using Place = typename Base::Place;

 public:
  static constexpr ValueKind kKind = ValueKind::values;
  [[nodiscard]] Extension extension() const { return {.kind = kKind}; }

  /// An empty filter of values below 2^`value_bits`, from 1 to 24. `params` are as for `Filter`; slots take
  /// `value_bits` bits more. Errors as `ValuedFilter::create`; `out_of_range` has `Field::value_bits` for `value_bits`.
  static Result<ValueFilter> create(const Params& params, std::uint32_t value_bits, const SecretKey* secret = nullptr) {
    if (value_bits < 1 || value_bits > kMaxValueBits) return {Error::out_of_range, Field::value_bits};
    return Result<ValueFilter>::from(Base::create(params, value_bits, secret));
  }
  /// What `filter`, with values of this kind, is as a `ValueFilter`.
  static Result<ValueFilter> restored(Result<ValuedFilter<Trace>> filter, const Extension&) {
    return Result<ValueFilter>::from(std::move(filter));
  }
  explicit ValueFilter(ValuedFilter<Trace> filter) : Base(std::move(filter)) {}
  [[nodiscard]] Result<ValueFilter> clone() const { return Result<ValueFilter>::from(Base::clone()); }

  /// Gives `key` one more value, below 2^`value_bits`, of which only as many low bits are kept. If the key already has
  /// this value, it is stored a second time. Outcomes as `Filter::insert`.
  template <Key K>
  InsertOutcome insert(const K& key, std::uint32_t value) {
    return Base::insert(key, value);
  }

  /// The values of `key`, in ascending order, and those of other keys whose entries are alike. An absent key has some
  /// with the probability `expected_false_positive_rate`. Reads two buckets.
  template <Key K>
  [[nodiscard]] FoundValues find(const K& key) const {
    FoundValues found;
    (void)Base::any_alike(key, [&](const Place& place) {
      insert_ascending(found.values.data(), found.count++, Base::value(place));
      return false;
    });
    return found;
  }
  /// What a batch found: the hashes done, and the values of all of them.
  struct Batch {
    std::size_t done = 0;
    std::size_t values = 0;
  };
  /// `find` for each hash, in order, until the values of the next might not fit: writes how many values it has to
  /// `counts`, and them behind those before it. `counts` must be at least as long as `hashes`, and `values` have room
  /// for those of one hash, which are `FoundValues::kMost` at most; without assertions, what has no room is not done.
  [[nodiscard]] Batch find_many(std::span<const Hash> hashes, std::span<std::uint8_t> counts,
                                std::span<std::uint32_t> values) const {
    Batch batch;
    assert(values.size() >= FoundValues::kMost);
    if (values.size() < FoundValues::kMost) return batch;
    std::size_t first = 0;  // of the values of the hash under way
    Base::each_alike(
        with_room(hashes, counts.size()),
        [&](const Place& place) { insert_ascending(&values[first], batch.values++ - first, Base::value(place)); },
        [&](std::size_t i) {
          counts[i] = static_cast<std::uint8_t>(batch.values - first);
          first = batch.values;
          batch.done = i + 1;
          return values.size() - first >= FoundValues::kMost;
        });
    return batch;
  }

  /// A value that entries of another filter had, whose hashes lead to theirs; for merge_valued.h.
  InsertOutcome absorb(Hash hash, std::uint32_t value) { return insert(hash, value); }

  /// Takes `value` from `key` once; without a value, the least that is found. False, and nothing changed, if there is
  /// none. Only erase what was inserted, and without a value only if the key has one: else another key may lose its
  /// own.
  template <Key K>
  [[nodiscard]] bool erase(const K& key, std::optional<std::uint32_t> value = {}) {
    std::optional<Place> chosen;
    (void)Base::any_alike(key, [&](const Place& place) {
      const bool is_asked = !value || Base::value(place) == *value;
      if (is_asked && (!chosen || Base::value(place) < Base::value(*chosen))) chosen = place;
      return false;
    });
    if (chosen) Base::erase(*chosen);
    return chosen.has_value();
  }
};

}  // namespace cuckoo
