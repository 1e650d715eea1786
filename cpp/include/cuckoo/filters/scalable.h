// SPDX-License-Identifier: MIT
// A filter for an unknown number of keys. It has layers, each a `Filter` that grows in place. A new layer is added when
// all earlier layers are full. Invariant: every key inserted and not erased is found.
//
// Why no key is lost: assign to every key held an entry that is alike to it in the entry's layer, and no entry to two
// keys. An insert keeps that up. An erase of x removes an entry e alike to x from the newest layer that has one. Let d
// be the entry that x was assigned to: it is in that layer or an older one. If d is not e, then e was assigned to a key
// y that is alike to x in e's layer, and so in the older layer of d: assign y to d instead. There y is found, and all
// other keys are found where they were. It does not matter in which layer an insert puts its entry, and an entry may
// move to an older layer, where its key is still alike to it. But it does matter that erases begin with the newest
// layer, and that layers nest. Threads: const calls may run at the same time; any other call must run alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "cuckoo/detail/filters/missing.h"
#include "cuckoo/filters/filter.h"
#include "cuckoo/filters/layers.h"
#include "cuckoo/filters/merge.h"

namespace cuckoo {

/// A set of keys like `Filter`, which accepts keys until memory or the bits of their hashes are used up. A lookup reads
/// two buckets in every layer that holds keys. There is one more layer each time the number of keys has grown by a
/// factor of 2^g, where g is the number of doublings of a layer. Keys are the same as for `Filter`. A moved-from filter
/// may only be assigned to or destroyed.
template <class AnyEntries>
class BasicScalableFilter {
 public:
  using Layer = BasicFilter<AnyEntries>;

  /// An empty filter with one layer. `first` comes from `plan_scalable`. Errors as `Filter::create`; `out_of_range` has
  /// `Field::addressing` if that is not XOR.
  static Result<BasicScalableFilter> create(const Params& first, const SecretKey* secret = nullptr) {
    if (first.addressing != Addressing::xor_power_of_two) return {Error::out_of_range, Field::addressing};
    Result<Layer> layer = Layer::create(first, secret);
    if (!layer) return {layer.error(), layer.field()};
    return with_layer(first, std::move(*layer));
  }

  /// An empty filter that begins with room for `capacity` keys, and takes any number. However many there are, it finds
  /// an absent key with at most the probability `false_positive_rate`. Errors as `plan_scalable`, and `out_of_memory`.
  static Result<BasicScalableFilter> create(std::uint64_t capacity, double false_positive_rate,
                                            const SecretKey* secret = nullptr) {
    const Result<Params> first = plan_scalable(
        {.capacity = capacity, .false_positive_rate = false_positive_rate, .hash = Hasher::algorithm(secret)});
    return first ? create(*first, secret) : Result<BasicScalableFilter>(first.error(), first.field());
  }

  /// A filter with the same parameters and entries, or `Error::out_of_memory`.
  [[nodiscard]] Result<BasicScalableFilter> clone() const {
    BasicScalableFilter copy(first_);
    for (std::uint32_t k = 0; k < layer_count_; ++k) {
      Result<Layer> layer = layers_[k]->clone();
      if (!layer || !copy.push(std::move(*layer))) return Error::out_of_memory;
    }
    return copy;
  }

  /// The hash of a key in this filter. Calls that take a key also take its hash.
  template <Key K>
  [[nodiscard]] Hash hash(const K& key) const {
    return hasher()(key);
  }

  /// Stores one copy of `key`, in the oldest layer that still takes keys. `full`, and no key changed, if no layer has
  /// room and none can be added: because memory or the bits of the hash are used up (see `scalable_capacity`), or
  /// because the newest layer is less than half full, which happens if many keys have the same few candidate buckets.
  /// `too_many_copies` as in `Filter::insert`.
  template <Key K>
  InsertOutcome insert(const K& key) {
    return store(hash(key));
  }
  /// Stores `key` unless it is found. Do not `erase` from a filter that is filled this way.
  template <Key K>
  InsertOutcome insert_if_absent(const K& key) {
    const Hash it = hash(key);
    return contains(it) ? InsertOutcome::present : store(it);
  }
  /// False: `key` is not in the filter. True: it probably is. Reads two buckets per layer.
  template <Key K>
  [[nodiscard]] bool contains(const K& key) const {
    const Hash it = hash(key);
    return any_newest_first([&](const Layer& layer) { return layer.contains(it); });
  }
  /// The number of copies of `key` in all layers. Other keys with the same fingerprint and candidate buckets count too.
  template <Key K>
  [[nodiscard]] std::uint32_t count(const K& key) const {
    const Hash it = hash(key);
    std::uint32_t copies = 0;
    (void)any_newest_first([&](const Layer& layer) { return copies += layer.count(it), false; });
    return copies;
  }
  /// Removes one copy of `key` from the newest layer that has one. False if there is none. Erase only what was
  /// inserted. When the two newest layers together hold at most half of the keys that the older one takes, the newest
  /// is merged into it: its entries lose bits that they do not need there. When the newest layer holds at most half of
  /// the keys for which half of its table is made, its table is halved. If memory or room is lacking, the layers stay
  /// as they are.
  template <Key K>
  bool erase(const K& key) {
    const Hash it = hash(key);
    const Layer* from = nullptr;
    const bool is_erased = any_newest_first([&](Layer& layer) { return from = &layer, layer.erase(it); });
    if (is_erased) shrink_back(merge_back(from), from);
    return is_erased;
  }
  /// Halves the table of the newest layer: see `Filter::shrink`. Erases call it when it is due.
  bool shrink() { return layers_[layer_count_ - 1]->shrink(); }

  /// Writes 1 for each key that is found, else 0. `found` must be at least as long as `keys`.
  template <Keys R>
  void contains_many(R&& keys, std::span<std::uint8_t> found) const {
    detail::in_batches(hasher(), keys, found.size(), [&](std::span<const Hash> hashes, std::size_t first) {
      const std::span<std::uint8_t> answers = found.subspan(first);
      std::fill_n(answers.begin(), hashes.size(), 0);
      (void)any_newest_first(
          [&](const Layer& layer) { return detail::look_up_missing(layer, hashes, answers), false; });
      return true;
    });
  }
  /// Inserts the keys in order until one fails.
  template <Keys R>
  BatchOutcome insert_many(R&& keys) {
    return detail::insert_in_batches(hasher(), keys, detail::kNoAnswers,
                                     [&](std::span<const Hash> hashes, std::size_t) { return store_many(hashes); });
  }
  /// Inserts each key that is not found, in order, until one fails. Writes 1 for each that was new, else 0, to
  /// `is_new`, which is empty or at least as long as `keys`.
  template <Keys R>
  BatchOutcome insert_many_if_absent(R&& keys, std::span<std::uint8_t> is_new) {
    const auto store_some = [&](std::span<const Hash> hashes, std::span<std::uint8_t> answers) {
      return store_many_if_absent(hashes, answers);
    };
    return detail::insert_in_batches(hasher(), keys, is_new, store_some);
  }
  /// Erases one copy of each key that is found. Returns how many were erased.
  template <Keys R>
  std::size_t erase_many(R&& keys) {
    std::size_t erased = 0;
    for (const auto& key : keys) erased += erase(key) ? 1u : 0u;
    return erased;
  }

  /// Removes everything. The first layer keeps its size, and the others are dropped.
  void clear() {
    while (layer_count_ > 1) layers_[--layer_count_].reset();
    layers_[0]->clear();
  }

  /// Number of entries stored now.
  [[nodiscard]] std::uint64_t size() const {
    return sum([](const Layer& layer, std::uint32_t) { return layer.size(); });
  }
  /// Number of keys that fit before a table doubles or a layer is added.
  [[nodiscard]] std::uint64_t capacity() const {
    return sum([](const Layer& layer, std::uint32_t k) {
      return std::min(present_capacity(layer.params()), detail::layer_capacity(layer.params(), k));
    });
  }
  /// The number of buckets of all layers, and the bytes of their tables.
  [[nodiscard]] std::uint64_t bucket_count() const {
    return sum([](const Layer& layer, std::uint32_t) { return layer.params().bucket_count; });
  }
  [[nodiscard]] std::uint64_t byte_count() const {
    return sum([](const Layer& layer, std::uint32_t) { return table_bytes(layer.params()); });
  }
  /// size / slots, from 0 to 1.
  [[nodiscard]] double load_factor() const {
    return static_cast<double>(size()) / static_cast<double>(bucket_count() * first_.bucket_size);
  }
  /// An upper bound of the probability, at the current sizes, that an absent key is found: the sum of the layers'
  /// rates.
  [[nodiscard]] double expected_false_positive_rate() const {
    double rate = 0;
    for (std::uint32_t k = 0; k < layer_count_; ++k) rate += layers_[k]->expected_false_positive_rate();
    return std::min(1.0, rate);
  }
  /// The parameters with which the first layer began.
  [[nodiscard]] const Params& first() const { return first_; }
  [[nodiscard]] const Hasher& hasher() const { return layers_[0]->hasher(); }
  /// From the oldest, 0, to the newest.
  [[nodiscard]] std::uint32_t layer_count() const { return layer_count_; }
  [[nodiscard]] const Layer& layer(std::uint32_t k) const { return *layers_[k]; }

 private:
  friend detail::Access;

  explicit BasicScalableFilter(const Params& first) : first_(first) {}

  /// A filter whose first layer began as `first`, for scalable_format.h, which checks what it reads; or
  /// `Error::out_of_memory`.
  static Result<BasicScalableFilter> with_layer(const Params& first, Layer layer) {
    BasicScalableFilter filter(first);
    return filter.push(std::move(layer)) ? Result<BasicScalableFilter>(std::move(filter)) : Error::out_of_memory;
  }
  /// Adds a layer that belongs after the newest; false if there is no memory for it, or if there are `kMaxLayers`.
  [[nodiscard]] bool push(Layer layer) {
    if (layer_count_ == detail::kMaxLayers) return false;
    layers_[layer_count_].reset(new (std::nothrow) Layer(std::move(layer)));
    if (layers_[layer_count_] == nullptr) return false;
    ++layer_count_;
    return true;
  }

  /// Calls `act` with each layer that holds keys, newest first, until it returns true; whether it did.
  template <class Act>
  bool any_newest_first(Act act) const {
    for (std::uint32_t k = layer_count_; k-- > 0;) {
      if (layers_[k]->size() != 0 && act(*layers_[k])) return true;
    }
    return false;
  }
  template <class Value>
  [[nodiscard]] std::uint64_t sum(Value value) const {
    std::uint64_t all = 0;
    for (std::uint32_t k = 0; k < layer_count_; ++k) all += value(*layers_[k], k);
    return all;
  }

  static BatchOutcome after(const BatchOutcome& before, const BatchOutcome& part) {
    return {before.done + part.done, part.outcome};
  }

  [[nodiscard]] std::uint64_t room_of(std::uint32_t k) const {
    const std::uint64_t capacity = detail::layer_capacity(layers_[k]->params(), k);
    return capacity - std::min(capacity, layers_[k]->size());
  }
  /// The oldest layer that still takes keys, or else the newest.
  [[nodiscard]] std::uint32_t layer_with_room() const {
    std::uint32_t k = 0;
    while (k + 1 < layer_count_ && room_of(k) == 0) ++k;
    return k;
  }

  InsertOutcome store(Hash hash) {
    for (std::uint32_t k = 0; k < layer_count_; ++k) {
      if (room_of(k) == 0) continue;
      const InsertOutcome outcome = layers_[k]->insert(hash);
      if (outcome != InsertOutcome::full) return outcome;
    }
    return add_layer() ? layers_[layer_count_ - 1]->insert(hash) : InsertOutcome::full;
  }

  BatchOutcome store_many(std::span<const Hash> hashes) {
    BatchOutcome batch;
    while (batch.done < hashes.size() && batch.outcome == InsertOutcome::inserted) {
      const std::uint32_t k = layer_with_room();
      const auto run = std::min<std::uint64_t>(hashes.size() - batch.done, room_of(k));
      batch = after(batch, layers_[k]->insert_many(hashes.subspan(batch.done, static_cast<std::size_t>(run))));
      if (run != 0 && batch.outcome != InsertOutcome::full) continue;
      // There is no room for the next hash: `store` may add a layer for it.
      batch.outcome = store(hashes[batch.done]);
      if (batch.outcome == InsertOutcome::inserted) ++batch.done;
    }
    return batch;
  }
  BatchOutcome store_many_if_absent(std::span<const Hash> hashes, std::span<std::uint8_t> is_new) {
    BatchOutcome batch;
    while (batch.done < hashes.size() && batch.outcome == InsertOutcome::inserted) {
      const std::size_t run = std::min(hashes.size() - batch.done, detail::kChunk);
      std::array<std::uint8_t, detail::kChunk> chunk;
      const BatchOutcome part = store_chunk_if_absent(hashes.subspan(batch.done, run), chunk);
      if (!is_new.empty())
        std::copy_n(chunk.begin(), part.done, is_new.begin() + static_cast<std::ptrdiff_t>(batch.done));
      batch = after(batch, part);
    }
    return batch;
  }

  /// Begins the next layer. False if the newest is less than half full, if there can be no further one, or if there is
  /// no memory.
  [[gnu::noinline, gnu::cold]] bool add_layer() {
    const Layer& newest = *layers_[layer_count_ - 1];
    if (2 * newest.size() < detail::layer_capacity(newest.params(), layer_count_ - 1)) return false;
    const std::optional<Params> params = detail::layer_params(first_, layer_count_);
    if (!params) return false;
    Result<Layer> layer = detail::Access::adopt<Layer>(AnyEntries::create(*params), hasher());
    return layer.has_value() && push(std::move(*layer));
  }

  /// Up to `kChunk` hashes: those that no other layer has go into the layer with room, whose batch finds the ones that
  /// it already has, and those that occur twice.
  BatchOutcome store_chunk_if_absent(std::span<const Hash> hashes, std::span<std::uint8_t> is_new) {
    const std::uint32_t target = layer_with_room();
    const std::uint64_t room = room_of(target);
    if (room == 0) return store_one_if_absent(hashes[0], is_new);
    hashes = hashes.first(static_cast<std::size_t>(std::min<std::uint64_t>(hashes.size(), room)));
    std::array<std::uint8_t, detail::kChunk> found{}, answers;
    for (std::uint32_t k = layer_count_; k-- > 0;) {
      if (k != target && layers_[k]->size() != 0) detail::look_up_missing(*layers_[k], hashes, found);
    }
    const detail::Missing missing(hashes, found);
    std::fill_n(is_new.begin(), hashes.size(), 0);
    const BatchOutcome part = layers_[target]->insert_many_if_absent(missing.hashes(), answers);
    for (std::size_t i = 0; i < part.done; ++i) is_new[missing.index(i)] = answers[i];
    if (part.done == missing.hashes().size()) return {hashes.size(), InsertOutcome::inserted};
    const std::size_t done = missing.index(part.done);
    if (part.outcome != InsertOutcome::full) return {done, part.outcome};
    return after({done, part.outcome}, store_one_if_absent(hashes[done], is_new.subspan(done)));
  }
  BatchOutcome store_one_if_absent(Hash hash, std::span<std::uint8_t> is_new) {
    const InsertOutcome outcome = insert_if_absent(hash);
    is_new[0] = outcome == InsertOutcome::inserted;
    const bool is_done = is_new[0] != 0 || outcome == InsertOutcome::present;
    return is_done ? BatchOutcome{1, InsertOutcome::inserted} : BatchOutcome{0, outcome};
  }

  /// After an erase from the layer `from`: merges the newest layer into the one before as long as both together hold at
  /// most half of what the older one takes. Returns whether it did. So a layer lives for at least as many inserts and
  /// erases as half of the layer before takes, which pay for the merge.
  bool merge_back(const Layer* from) {
    bool has_merged = false;
    while (layer_count_ > 1) {
      const Layer& newest = *layers_[layer_count_ - 1];
      const Layer& previous = *layers_[layer_count_ - 2];
      if (!has_merged && from != &newest && from != &previous) break;
      const std::uint64_t together = newest.size() + previous.size();
      const std::uint64_t most = detail::layer_capacity(previous.params(), layer_count_ - 2) / 2;
      if (has_merged ? together > most : !detail::is_due(together, most)) break;
      if (!merge_newest()) break;
      has_merged = true;
    }
    return has_merged;
  }
  /// Then halves the table of the newest layer as long as twice its keys would have room in half of it. So between two
  /// changes of its size there are as many inserts or erases as it has keys, which pay for the changes.
  void shrink_back(bool has_merged, const Layer* from) {
    Layer& newest = *layers_[layer_count_ - 1];
    if (!detail::Access::entries(newest).is_half_enough_for(0)) return;  // it has not grown
    const std::uint64_t most = present_capacity(detail::halved(newest.params())) / 2;
    if (!has_merged && (from != &newest || !detail::is_due(newest.size(), most))) return;
    while (detail::Access::entries(newest).is_half_enough_for(2 * newest.size()) && newest.shrink()) {
    }
  }
  /// All or nothing: the entries are inserted into a copy.
  [[gnu::noinline, gnu::cold]] bool merge_newest() {
    const Layer& newest = *layers_[layer_count_ - 1];
    const Result<InsertOutcome> outcome = detail::merge_alike(*layers_[layer_count_ - 2], newest, false);
    if (!outcome || *outcome != InsertOutcome::inserted) return false;
    layers_[--layer_count_].reset();
    return true;
  }

  Params first_;
  std::array<std::unique_ptr<Layer>, detail::kMaxLayers> layers_;  ///< from the oldest on
  std::uint32_t layer_count_ = 0;
};

using ScalableFilter = BasicScalableFilter<detail::Entries<>>;

}  // namespace cuckoo
