// Fuzz body: interprets any bytes as parameters and a sequence of operations, and compares the filter with a plain
// multiset after each operation. Aborts at the first difference.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <span>
#include <type_traits>
#include <vector>

#include "../cpp/support/multiset.h"
#include "cuckoo/filters/merge.h"
#include "cuckoo/format/format.h"

namespace cuckoo::testing {

using namespace detail;

inline void require(bool claim) {
  if (!claim) std::abort();
}

/// `count` keys of the 256, from `first` on.
inline std::vector<Hash> run_of_keys(const Filter& filter, std::uint8_t first, std::size_t count) {
  std::vector<Hash> keys;
  for (std::uint64_t i = 0; i < count; ++i) keys.push_back(filter.hash((first + i) % 256));
  return keys;
}

/// The batch calls must do what the single ones would, with more keys than are handled together.
inline void require_batches_agree(Filter& filter, Multiset& model, std::uint8_t first) {
  const std::vector<Hash> keys = run_of_keys(filter, first, kChunk + 44);
  std::vector<std::uint8_t> answers(keys.size());
  filter.contains_many(keys, answers);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    require(answers[i] == (model.count(keys[i]) != 0) && filter.contains(keys[i]) == (answers[i] != 0));
  }
  const BatchOutcome done = filter.insert_many(keys);
  for (std::size_t i = 0; i < done.done; ++i) model.insert(keys[i]);
  require(filter.size() == model.size() && (done.outcome == InsertOutcome::inserted) == (done.done == keys.size()));
  std::size_t erased = 0;
  for (std::size_t i = 0; i < done.done; ++i) erased += model.erase(keys[i]) ? 1 : 0;
  require(erased == done.done && filter.erase_many(std::span(keys).first(done.done)) == erased);
}

/// Merges a filter of 100 keys, made with `params` doubled as often as `byte` says, in one of the two ways.
inline void require_merge_agrees(Filter& filter, Multiset& model, Params params, std::uint8_t byte) {
  const bool only_if_absent = byte % 2 == 1;
  for (std::uint32_t times = byte / 2 % (params.reserved_bits + 1); times > 0; --times) params = doubled(params);
  Filter other = std::move(*Filter::create(params));
  const std::vector<Hash> keys = run_of_keys(filter, byte, 100);
  const std::size_t done = other.insert_many(keys).done;
  const std::vector<std::uint8_t> before = save(filter);
  const InsertOutcome outcome = *merge(filter, other, only_if_absent);
  require(outcome == InsertOutcome::inserted || outcome == InsertOutcome::full || !only_if_absent);
  if (outcome != InsertOutcome::inserted) {
    require(before == save(filter));
    return;
  }
  for (std::size_t i = 0; i < done; ++i) {
    if (!only_if_absent || model.count(keys[i]) == 0) model.insert(keys[i]);
  }
  require(filter.size() == model.size());
}

/// Changes a filter of any kind that holds copies of keys, and its model: clears them (0), erases `key` (1), or inserts
/// it if it is absent (2).
template <class AnyFilter>
void change_both(AnyFilter& filter, Multiset& model, std::uint32_t what, Hash key) {
  if (what == 0) {
    if constexpr (std::is_void_v<decltype(filter.clear())>) {
      filter.clear();
    } else {
      require(filter.clear());
    }
    model.clear();
  } else if (what == 1) {
    require(filter.erase(key) == model.erase(key));
  } else {
    const bool was_there = model.count(key) != 0;
    const InsertOutcome outcome = filter.insert_if_absent(key);
    require((outcome == InsertOutcome::present) == was_there);
    if (outcome == InsertOutcome::inserted) model.insert(key);
  }
}

/// The parameters that 8 bytes stand for, with a capacity of all slots.
inline Params params_in(std::span<const std::uint8_t> input) {
  Params params;
  params.addressing = static_cast<Addressing>(input[0] & 1);
  params.bucket_count = params.addressing == Addressing::reflect ? 1 + input[1] : std::uint64_t{1} << (input[1] % 9);
  params.bucket_size = 1 + input[2] % kMaxBucketSize;
  params.fingerprint_bits = kMinFingerprintBits + input[3] % (kMaxFingerprintBits - kMinFingerprintBits + 1);
  if (params.bucket_size == 4 && params.fingerprint_bits >= kMinSemiSortedBits && input[6] % 2 == 1) {
    params.storage = Storage::semi_sorted;
    const bool has_quarters =
        params.fingerprint_bits > kMinSemiSortedBits && params.fingerprint_bits <= kMaxQuarteredBits;
    params.spared_quarters = has_quarters ? input[7] % 4 : 0;
  }
  params.seed = input[5];
  params.reserved_bits = std::min<std::uint32_t>(input[7] >> 5, kMaxFingerprintBits - params.fingerprint_bits);
  params.capacity = slot_count(grown(params));
  return params;
}

/// 8 bytes of parameters, then two bytes an operation: which, and on which of 256 keys. One byte left: a merge.
inline void fuzz_operations(std::span<const std::uint8_t> input) {
  if (input.size() < 8) return;
  const Params params = params_in(input);
  Filter filter = std::move(*Filter::create(params));
  Multiset model(grown(params));
  std::vector<std::uint8_t> before;
  for (std::size_t at = 8; at + 1 < input.size(); at += 2) {
    const Hash key = filter.hash(std::uint64_t{input[at + 1]});
    const std::uint64_t buckets = filter.params().bucket_count;
    before.assign(Access::entries(filter).table().bytes().begin(), Access::entries(filter).table().bytes().end());
    switch (input[at] % 16) {
      case 0:
      case 1:
      case 2:
        change_both(filter, model, input[at] % 16u, key);
        break;
      case 3: {
        const std::vector<std::uint8_t> bytes = save(filter);
        Result<Filter> loaded = load(bytes);
        require(loaded.has_value());
        filter = std::move(*loaded);
        break;
      }
      case 4:
        filter = std::move(*filter.clone());
        break;
      case 5:
        require_batches_agree(filter, model, input[at + 1]);
        break;
      default:
        if (filter.insert(key) == InsertOutcome::inserted) {
          model.insert(key);
        } else if (filter.params().bucket_count == buckets) {
          require(std::equal(before.begin(), before.end(), Access::entries(filter).table().bytes().begin()));
        }
    }
    require(filter.size() == model.size() && filter.count(key) == model.count(key));
  }
  if (input.size() % 2 == 1) require_merge_agrees(filter, model, params, input.back());
  for (std::uint64_t id = 0; id < 256; ++id) require(filter.count(id) == model.count(filter.hash(id)));
}

}  // namespace cuckoo::testing
