// Fuzz body: interprets any bytes as parameters and a sequence of operations of an expiring filter, one with values,
// one with counters or a shared one, and compares it with a plain model after each operation. Aborts at the first
// difference.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "../cpp/support/alike.h"
#include "../cpp/support/expiring_model.h"
#include "cuckoo/concurrent/concurrent_filter.h"
#include "cuckoo/filters/counting.h"
#include "cuckoo/filters/expiring.h"
#include "cuckoo/filters/value.h"
#include "operations.h"

namespace cuckoo::testing {

using namespace detail;

inline constexpr std::size_t kKindBytes = 10;  ///< with which an input begins: 8 of parameters, and two of the kind
inline constexpr std::uint64_t kKindKeys = 256;

/// An operation: which, and on which of 256 keys.
struct Step {
  std::uint32_t what;   ///< from 0 to 15
  std::uint32_t value;  ///< from 0 to 15
  std::uint8_t id;
};

/// Calls `act(step)` for each operation of the input.
template <class Act>
void for_each_step(std::span<const std::uint8_t> input, Act act) {
  for (std::size_t at = kKindBytes; at + 1 < input.size(); at += 2) {
    act(Step{input[at] % 16u, input[at] / 16u, input[at + 1]});
  }
}

/// The hashes of more keys than are handled together, from `first` on.
inline std::vector<Hash> batch_of(const Hasher& hasher, std::uint8_t first) {
  std::vector<Hash> keys;
  for (std::uint64_t i = 0; i < kChunk + 44; ++i) keys.push_back(hasher((first + i) % kKindKeys));
  return keys;
}

/// A copy of `filter`: saved and loaded, or cloned.
template <class AnyFilter>
AnyFilter copy_of(const AnyFilter& filter, bool is_loaded) {
  if (!is_loaded) return std::move(*filter.clone());
  Result<AnyFilter> loaded = load<AnyFilter>(save(filter));
  require(loaded.has_value() && save(*loaded) == save(filter));
  return std::move(*loaded);
}

/// Inserts the keys, each with `number`, up to one that is refused. Returns those that are in.
template <class AnyFilter>
std::span<const Hash> insert_all(AnyFilter& filter, std::span<const Hash> keys, std::uint32_t number) {
  const std::vector<std::uint32_t> each(keys.size(), number);
  const BatchOutcome batch = filter.insert_many(keys, each);
  require((batch.done == keys.size()) == (batch.outcome == InsertOutcome::inserted));
  return keys.first(batch.done);
}

/// Calls `insert()`; if that is refused and the table has kept its size, every byte must be as before.
template <class AnyFilter, class Insert>
InsertOutcome insert_or_change_nothing(AnyFilter& filter, Insert insert) {
  const std::uint64_t buckets = filter.params().bucket_count;
  const std::vector<std::uint8_t> before = bytes_of(filter);
  const InsertOutcome outcome = insert();
  const bool is_refused = outcome == InsertOutcome::full || outcome == InsertOutcome::too_many_copies;
  require(!is_refused || filter.params().bucket_count != buckets || bytes_of(filter) == before);
  return outcome;
}

inline void fuzz_values(std::span<const std::uint8_t> input, const Params& params, std::uint32_t bits) {
  ValueFilter filter = std::move(*ValueFilter::create(params, bits));
  std::map<Entry, std::multiset<std::uint32_t>> model;
  std::uint64_t size = 0;
  const auto require_found = [&](Hash key) {
    require(std::ranges::equal(filter.find(key), model[entry_of(key, grown(params))]));
  };
  for_each_step(input, [&](Step step) {
    const Hash key = filter.hash(std::uint64_t{step.id});
    auto& values = model[entry_of(key, grown(params))];
    const std::uint32_t value = step.value & ((1u << bits) - 1);
    switch (step.what) {
      case 0:
        filter.clear();
        model.clear();
        size = 0;
        break;
      case 1: {
        const auto found = values.find(value);
        require(filter.erase(key, value) == (found != values.end()));
        if (found != values.end()) values.erase(found), --size;
        break;
      }
      case 2:
        require(filter.erase(key) == !values.empty());
        if (!values.empty()) values.erase(values.begin()), --size;
        break;
      case 3:
      case 4:
        filter = copy_of(filter, step.what == 3);
        break;
      case 5: {
        const std::vector<Hash> keys = batch_of(filter.hasher(), step.id);
        const std::span<const Hash> done = insert_all(filter, keys, value);
        for (const Hash each : done) model[entry_of(each, grown(params))].insert(value);
        size += done.size();
        std::vector<std::uint8_t> counts(keys.size());
        std::vector<std::uint32_t> found(keys.size() * FoundValues::kMaxCount);
        require(filter.find_many(keys, counts, found).done == keys.size());
        for (std::size_t i = 0, at = 0; i < keys.size(); at += counts[i++]) {
          require(std::ranges::equal(std::span(found).subspan(at, counts[i]), filter.find(keys[i])));
        }
        break;
      }
      default: {
        const InsertOutcome outcome = insert_or_change_nothing(filter, [&] { return filter.insert(key, value); });
        if (outcome == InsertOutcome::inserted) values.insert(value), ++size;
      }
    }
    require_found(key);
    require(filter.size() == size);
  });
  for (std::uint64_t id = 0; id < kKindKeys; ++id) require_found(filter.hash(id));
}

inline void fuzz_counting(std::span<const std::uint8_t> input, const Params& params, std::uint32_t bits) {
  CountingFilter filter = std::move(*CountingFilter::create(params, bits));
  const std::uint64_t most = filter.max_count();
  std::map<Entry, std::uint64_t> model;
  const auto require_counted = [&](Hash key) {
    const auto found = model.find(entry_of(key, grown(params)));
    require(filter.count(key) == (found == model.end() ? 0 : found->second));
  };
  for_each_step(input, [&](Step step) {
    const Hash key = filter.hash(std::uint64_t{step.id});
    const Entry entry = entry_of(key, grown(params));
    const std::uint64_t copies = 1 + step.value;
    const auto add = [&](Hash each) {
      std::uint64_t& count = model[entry_of(each, grown(params))];
      count = std::min(most, count + copies);
    };
    switch (step.what) {
      case 0:
        filter.clear();
        model.clear();
        break;
      case 1:
      case 2: {
        const auto found = model.find(entry);
        const bool is_stuck = found != model.end() && found->second == most;
        const bool is_enough = found != model.end() && (is_stuck || found->second >= copies);
        require(filter.erase(key, copies) == is_enough);
        if (is_enough && !is_stuck && (found->second -= copies) == 0) model.erase(found);
        break;
      }
      case 3:
      case 4:
        filter = copy_of(filter, step.what == 3);
        break;
      case 5: {
        const std::vector<Hash> keys = batch_of(filter.hasher(), step.id);
        for (const Hash each : insert_all(filter, keys, static_cast<std::uint32_t>(copies))) add(each);
        std::vector<std::uint32_t> counts(keys.size());
        filter.count_many(keys, counts);
        for (std::size_t i = 0; i < keys.size(); ++i) require(counts[i] == filter.count(keys[i]));
        break;
      }
      default:
        if (insert_or_change_nothing(filter, [&] { return filter.insert(key, copies); }) == InsertOutcome::inserted) {
          add(key);
        } else {
          require(!model.contains(entry));
        }
    }
    require_counted(key);
    require(filter.size() == model.size());
  });
  for (std::uint64_t id = 0; id < kKindKeys; ++id) require_counted(filter.hash(id));
}

inline void fuzz_expiring(std::span<const std::uint8_t> input, const Params& params, std::uint32_t periods) {
  ExpiringFilter filter = std::move(*ExpiringFilter::create(params, periods));
  ExpiringModel model(params, periods);
  const bool renews = input[9] % 2 == 0;
  const WhenFull when_full = input[9] / 2 % 2 == 0 ? WhenFull::refuse : WhenFull::forget_oldest;
  const auto set = [&](ExpiringFilter& it) {  // neither is saved
    it.set_renews(renews);
    it.set_when_full(when_full);
  };
  set(filter);
  /// Marks a key in `it` as seen, beside the model.
  const auto see = [&](ExpiringFilter& it, Hash key) {
    const bool was_seen = model.contains(key);
    const std::uint32_t remembered = it.remembered();
    const InsertOutcome outcome = it.insert_if_absent(key);
    require(outcome == (was_seen ? InsertOutcome::present : InsertOutcome::inserted) ||
            (outcome == InsertOutcome::full && !was_seen));
    if (it.remembered() != remembered) {
      require(outcome == InsertOutcome::inserted && when_full == WhenFull::forget_oldest);
      require(model.remember(it.remembered()) > 0);
    }
    if (outcome == InsertOutcome::inserted || (was_seen && renews)) model.see(key);
    return outcome;
  };
  for_each_step(input, [&](Step step) {
    const Hash key = filter.hash(std::uint64_t{step.id});
    switch (step.what) {
      case 0:
        filter.clear();
        model.clear();
        break;
      case 1:
      case 2: {
        const std::uint64_t passed = step.what == 1 ? 1 : step.value;
        require(filter.advance(passed) == model.advance(static_cast<std::int64_t>(passed)));
        break;
      }
      case 3:
      case 4:
        filter = copy_of(filter, step.what == 3);
        if (step.what == 3) set(filter);
        break;
      case 5: {  // a batch, as its twin one by one
        ExpiringFilter twin = std::move(*filter.clone());
        const std::vector<Hash> keys = batch_of(filter.hasher(), step.id);
        std::vector<std::uint8_t> is_new(keys.size());
        const BatchOutcome batch = filter.insert_many_if_absent(keys, is_new);
        require((batch.done == keys.size()) == (batch.outcome == InsertOutcome::inserted));
        for (std::size_t i = 0; i < batch.done; ++i) {
          require(see(twin, keys[i]) == (is_new[i] != 0 ? InsertOutcome::inserted : InsertOutcome::present));
        }
        if (batch.done < keys.size()) require(see(twin, keys[batch.done]) == batch.outcome);
        break;
      }
      default:
        (void)see(filter, key);
    }
    require(filter.size() == model.size() && filter.remembered() == model.remembered());
    require(filter.contains(key) == model.contains(key));
  });
  for (std::uint64_t id = 0; id < kKindKeys; ++id) {
    require(filter.contains(id) == model.contains(filter.hash(id)));
  }
}

/// One thread alone: what several do at once, tests/cpp/concurrent/interleaving_test.cpp tries out.
inline void fuzz_shared(std::span<const std::uint8_t> input, Params params) {
  params.bucket_size = std::array{2u, 4u, 5u, 6u, 8u}[input[8] % 5];
  params.fingerprint_bits = 64 / params.bucket_size;
  params.storage = Storage::plain;
  params.spared_quarters = params.reserved_bits = 0;
  params.capacity = slot_count(params);
  ConcurrentFilter filter = std::move(*ConcurrentFilter::create(params));
  Multiset model(params);
  const auto words = [&] {
    const std::uint64_t* const first = Access::entries(filter).words_for_loading();
    return std::vector<std::uint64_t>(first, first + params.bucket_count);
  };
  for_each_step(input, [&](Step step) {
    const Hash key = filter.hash(std::uint64_t{step.id});
    switch (step.what) {
      case 0:
      case 1:
      case 2:
        change_both(filter, model, step.what, key);
        break;
      case 3: {
        const Filter plain = std::move(*filter.snapshot());
        require(plain.size() == model.size() && *save(filter) == save(plain));
        ConcurrentFilter again = std::move(*ConcurrentFilter::create(plain));
        require(again == filter && again.size() == filter.size());
        filter = std::move(again);
        break;
      }
      case 5: {
        const std::vector<Hash> keys = batch_of(filter.hasher(), step.id);
        std::vector<std::uint8_t> answers(keys.size());
        filter.contains_many(keys, answers);
        for (std::size_t i = 0; i < keys.size(); ++i) require(answers[i] == (model.count(keys[i]) != 0));
        const BatchOutcome batch = filter.insert_many(keys);
        require((batch.done == keys.size()) == (batch.outcome == InsertOutcome::inserted));
        for (std::size_t i = 0; i < batch.done; ++i) model.insert(keys[i]);
        require(filter.size() == model.size());
        if (step.value % 2 == 0) break;
        const std::span<const Hash> done = std::span(keys).first(batch.done);
        for (const Hash each : done) require(model.erase(each));
        require(filter.erase_many(done) == batch.done);
        break;
      }
      default: {
        const std::vector<std::uint64_t> before = words();
        const InsertOutcome outcome = filter.insert(key);
        require(outcome != InsertOutcome::busy);
        if (outcome == InsertOutcome::inserted) model.insert(key);
        require(outcome == InsertOutcome::inserted || words() == before);
      }
    }
    require(filter.size() == model.size() && filter.count(key) == model.count(key));
    require(filter.contains(key) == (model.count(key) != 0));
  });
  for (std::uint64_t id = 0; id < kKindKeys; ++id) require(filter.count(id) == model.count(filter.hash(id)));
}

/// 10 bytes of parameters, then two bytes an operation.
inline void fuzz_kinds(std::span<const std::uint8_t> input) {
  if (input.size() < kKindBytes) return;
  const Params params = params_in(input);
  const std::uint32_t kind = input[0] / 2 % 4;
  if (kind == 0) return fuzz_shared(input, params);
  const std::uint32_t room = kMaxFingerprintBits - params.fingerprint_bits - params.reserved_bits;
  if (kind == 1) return fuzz_expiring(input, params, 1 + input[8] % std::min(kMaxPeriods, 1u << std::min(room, 8u)));
  if (room == 0) return;
  if (kind == 2) return fuzz_values(input, params, 1 + input[8] % std::min(room, kMaxValueBits));
  fuzz_counting(input, params, 1 + input[8] % std::min(room, kMaxCounterBits));
}

}  // namespace cuckoo::testing
