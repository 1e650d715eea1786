// SPDX-License-Identifier: MIT
// The planner: from capacity and false positive rate to bucket size, fingerprint bits, storage and bucket count.
// Invariant: a planned filter takes all `capacity` distinct keys, except in the few builds that `most_failures` allows,
// and its false positive rate is then at most the one asked for. If it may grow, the same holds for `max_capacity`
// keys. Formulas use the paper's letters: m buckets of b slots of f bits, n keys.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "cuckoo/detail/load.h"
#include "cuckoo/error.h"
#include "cuckoo/params.h"
#include "cuckoo/rate.h"

namespace cuckoo {

/// What the planner looks for, among the layouts that hold the capacity and meet the rate.
enum class Preference : std::uint8_t {
  balance = 0,  ///< few bits: buckets of one word, unless wider ones save 5 %, filled to `kBalancedLoad` at most
  space = 1,    ///< the fewest bits
  speed = 2,    ///< plain buckets of one word, filled to `kFastLoad` at most; or else as `balance`
};

/// What a filter must hold, and how well. Fields that are not given are planned.
struct Request {
  std::uint64_t capacity = 1;          ///< distinct keys that must fit, from 1
  double false_positive_rate = 0.001;  ///< when full, after any growth: above 0 and below 1
  /// Distinct keys that must fit once the table has grown, from `capacity`.
  std::optional<std::uint64_t> max_capacity{};
  std::optional<std::uint32_t> bucket_size{};
  std::optional<double> fingerprint_bits{};     ///< whole; or, with `semi_sort` true, in quarters from 5.25 to 24
  std::optional<std::uint64_t> bucket_count{};  ///< before the table grows
  std::optional<bool> semi_sort{};              ///< true only with four slots per bucket
  Preference prefer = Preference::balance;
  Addressing addressing = Addressing::reflect;
  HashAlgorithm hash = HashAlgorithm::xxh64;
  std::uint64_t seed = 0;
  std::uint32_t value_bits = 0;  ///< bits of the value of each entry, from 0 to 24; see `Params`
};

namespace detail {

/// A request for one table. If that is a layer of a scalable filter, a key that finds no room is not refused: the
/// filter grows.
struct TableRequest : Request {
  bool is_layer = false;
};

/// Sets the smallest bucket count from `params.bucket_count` on for which `is_enough` holds; false if there is none.
template <class IsEnough>
bool set_bucket_count(Params& params, IsEnough is_enough) {
  assert(params.bucket_count >= 1);
  std::uint64_t low = params.bucket_count - 1;  // not enough
  std::uint64_t high = params.bucket_count;
  for (; !is_enough(params); params.bucket_count = high) {
    if (high >= kMaxBucketCount) return false;
    low = high;
    high = std::min(2 * high, kMaxBucketCount);
  }
  const bool is_xor = params.addressing == Addressing::xor_power_of_two;
  while (!is_xor && high - low > 1) {
    params.bucket_count = low + (high - low) / 2;
    (is_enough(params) ? high : low) = params.bucket_count;
  }
  params.bucket_count = high;
  return true;
}

/// Bits that the table would have if every slot were in use. No table for the capacity has fewer.
inline double least_bits(const Params& params) {
  return static_cast<double>(params.capacity) / params.bucket_size * static_cast<double>(bucket_bits(params));
}

/// True if a table holds its capacity as surely as the request asks for.
inline bool holds(const TableRequest& request, const Params& params) {
  return holds_but_for(params, request.is_layer ? kMaxFailures : most_failures(params));
}

/// True if a table with these parameters, but with few enough buckets to be smaller than `best`, can hold the capacity.
inline bool may_be_smaller(const TableRequest& request, const Params& best, Params params) {
  params.bucket_count = std::min(8 * (table_bytes(best) - 1) / bucket_bits(params), kMaxBucketCount);
  if (params.addressing == Addressing::xor_power_of_two) params.bucket_count = std::bit_floor(params.bucket_count);
  return params.bucket_count > 0 && holds(request, params);
}

/// No more than the rate at which a full table errs, without its logarithms: 1 - exp(-x) is at least x - x^2 / 2, and
/// one key in m has only one candidate bucket.
inline double least_rate(const Params& params) {
  const auto m = static_cast<double>(params.bucket_count);
  const double x = 2 / m * static_cast<double>(params.capacity) / static_cast<double>(fingerprint_count(params));
  return (x - x * x / 2) * (1 - 1 / m);
}

/// The load of a full table, unless bits or speed count most. The last inserts of a fuller one take most of the time of
/// all: 0.971, which large tables reach, costs a third more time than 0.956, which costs 1.6 % more bits and still
/// takes fewer than any other filter that takes inserts (docs/inside/sizing.md).
inline constexpr double kBalancedLoad = 0.956;

/// The load of a full table if speed counts more than bits. Beyond it, most keys find both candidate buckets full, and
/// the last twentieth of the inserts takes a quarter of the time (npm run bench -- calls).
inline constexpr double kFastLoad = 0.93;

/// `params`, with enough buckets to fill them to `load` at most. With a single bucket, no key has to look farther.
inline Params filled_to(double load, Params params) {
  if (params.bucket_count == 1) return params;
  const double buckets = std::ceil(static_cast<double>(params.capacity) / (load * params.bucket_size));
  params.bucket_count = std::max(params.bucket_count, std::min(static_cast<std::uint64_t>(buckets), kMaxBucketCount));
  if (params.addressing == Addressing::xor_power_of_two) params.bucket_count = std::bit_ceil(params.bucket_count);
  return params;
}

/// The smallest table with this bucket size, width and storage that holds the capacity and meets the rate, unless the
/// request gives sizes that forbid that. Also an error if it would not be smaller than `best`.
inline Result<Params> plan_bucket_count(const TableRequest& request, Params params, const Result<Params>& best) {
  const auto meets_rate = [&](const Params& each) {
    return request.fingerprint_bits || false_positive_rate(each, each.capacity) <= request.false_positive_rate;
  };
  const Error none = Error::out_of_range;
  if (request.bucket_count)
    return meets_rate(params) ? Result<Params>{params} : Result<Params>{none, Field::false_positive_rate};
  Params half_full = params;
  half_full.bucket_count = 2 * (params.capacity / params.bucket_size + 1);
  // This rules out most bucket sizes and widths at once.
  if (!request.fingerprint_bits && least_rate(half_full) > request.false_positive_rate)
    return {none, Field::false_positive_rate};
  if (best && !may_be_smaller(request, *best, params)) return {none, Field::capacity};
  if (!meets_rate(half_full)) return {none, Field::false_positive_rate};
  params.bucket_count = (params.capacity - 1) / params.bucket_size + 1;
  if (params.addressing == Addressing::xor_power_of_two) params.bucket_count = std::bit_ceil(params.bucket_count);
  if (params.bucket_count > kMaxBucketCount) return {none, Field::capacity};
  // If the load is low enough, the other conditions mostly hold as well, and they cost more to compute.
  if (!set_bucket_count(params, is_safely_filled)) return {none, Field::capacity};
  const auto holds_all = [&](const Params& each) { return holds(request, each); };
  if (!set_bucket_count(params, holds_all)) return {none, Field::capacity};
  if (!set_bucket_count(params, meets_rate)) return {none, Field::false_positive_rate};
  // A power of two would be doubled.
  const bool is_xor = params.addressing == Addressing::xor_power_of_two;
  return request.prefer == Preference::balance && !is_xor ? filled_to(kBalancedLoad, params) : params;
}

/// Keeps the smaller of the two tables in `best`, or the later error if there is none.
inline void keep_smaller(Result<Params>& best, const Result<Params>& candidate) {
  if (!best || (candidate && table_bytes(*candidate) < table_bytes(*best))) best = candidate;
}

/// Bits of the longest fingerprint that leaves room for the value.
inline std::uint32_t most_bits(const Request& request) { return kMaxFingerprintBits - request.value_bits; }

inline void set_width(Params& params, double width) {
  params.fingerprint_bits = static_cast<std::uint32_t>(std::ceil(width));
  params.spared_quarters = static_cast<std::uint32_t>(4 * (params.fingerprint_bits - width));
}

/// Keeps in `best` the smallest table with this bucket size and storage, if it is smaller. Tries every width that the
/// request allows, shortest first. Longer fingerprints than the rate needs are tried as long as they may save more
/// buckets than they cost bits, which they do where keys with equal fingerprints would crowd their candidate buckets.
inline void plan_width(const TableRequest& request, Params params, Result<Params>& best) {
  const double last = request.fingerprint_bits.value_or(most_bits(request));
  for (double width = request.fingerprint_bits.value_or(kMinPlannedBits); width <= last;) {
    set_width(params, width);
    if (best && least_bits(params) >= 8.0 * static_cast<double>(table_bytes(*best))) return;
    keep_smaller(best, plan_bucket_count(request, params, best));
    width += params.storage == Storage::semi_sorted && width < kMaxQuarteredBits ? 0.25 : 1;
  }
}

inline Params params_with(const Request& request, std::uint32_t bucket_size) {
  Params params;
  params.capacity = request.capacity;
  params.bucket_count = request.bucket_count.value_or(1);
  params.bucket_size = bucket_size;
  params.value_bits = request.value_bits;
  params.addressing = request.addressing;
  params.hash = request.hash;
  params.seed = request.seed;
  return params;
}

inline Field invalid_field(const Request& request) {
  if (!(request.false_positive_rate > 0 && request.false_positive_rate < 1)) return Field::false_positive_rate;
  if (request.value_bits > kMaxValueBits) return Field::value_bits;
  const double width = request.fingerprint_bits.value_or(most_bits(request));
  if (!(width >= kMinFingerprintBits && width <= kMaxFingerprintBits)) return Field::fingerprint_bits;
  if (std::floor(4 * width) != 4 * width) return Field::fingerprint_bits;
  const bool is_plain = !request.semi_sort.value_or(false);
  Params given = params_with(request, request.bucket_size.value_or(is_plain ? kMaxBucketSize : 4));
  given.storage = is_plain ? Storage::plain : Storage::semi_sorted;
  set_width(given, width);
  given.bucket_count = request.bucket_count.value_or(kMaxBucketCount);
  return cuckoo::invalid_field(given);
}

/// False if a given bucket count is too small with this bucket size. If the bucket size is given too, or is the
/// largest, the table is taken as it is, provided that it has a slot for each key.
inline bool may_hold_capacity(const TableRequest& request, const Params& params) {
  if (!request.bucket_count) return true;
  return request.bucket_size || params.bucket_size == kMaxBucketSize || holds(request, params);
}

/// True if semi-sorted storage is asked for or left to the planner, and possible.
inline bool may_semi_sort(const Request& request, const Params& params) {
  return params.bucket_size == 4 && request.semi_sort.value_or(true) &&
         request.fingerprint_bits.value_or(kMaxFingerprintBits) >= kMinSemiSortedBits;
}

/// The smallest table whose buckets are read as one word, and the smallest whose buckets take more reads.
struct Smallest {
  Result<Params> words{Error::out_of_range, Field::capacity};
  Result<Params> wide{Error::out_of_range, Field::capacity};

  /// Takes the smallest table with this bucket size and storage.
  void consider(const TableRequest& request, const Params& params) {
    Result<Params> own = words;  // a larger one is of no use, even if it is wide
    plan_width(request, params, own);
    keep_smaller(own && !has_one_word(*own) ? wide : words, own);
  }

  /// The fewest bits; but without `space`, wide buckets have to save 5 %, because operations on them take longer.
  [[nodiscard]] const Result<Params>& choice(Preference prefer) const {
    if (!wide || !words) return wide ? wide : words;
    const std::uint64_t wide_bytes = table_bytes(*wide), bytes = table_bytes(*words);
    const bool is_worth_it = prefer == Preference::space ? wide_bytes < bytes : 20 * wide_bytes <= 19 * bytes;
    return is_worth_it ? wide : words;
  }
};

inline Smallest smallest_tables(const TableRequest& request) {
  Smallest smallest;
  for (const std::uint32_t bucket_size : {4u, 1u, 2u, 3u, 5u, 6u, 7u, 8u}) {
    if (request.bucket_size.value_or(bucket_size) != bucket_size) continue;
    Params params = params_with(request, bucket_size);
    if (!may_hold_capacity(request, params)) continue;
    if (!request.semi_sort.value_or(false)) smallest.consider(request, params);
    if (!may_semi_sort(request, params)) continue;
    params.storage = Storage::semi_sorted;
    smallest.consider(request, params);
  }
  return smallest;
}

/// The parameters for a table that does not grow: `plan` of a `request` without `max_capacity`.
inline Result<Params> plan_fixed(const TableRequest& request) {
  if (const Field field = invalid_field(request); field != Field::none) {
    return {Error::out_of_range, field};
  }
  if (request.prefer != Preference::speed) return smallest_tables(request).choice(request.prefer);
  if (!request.semi_sort.value_or(false)) {
    TableRequest plain = request;
    plain.semi_sort = false;
    if (const auto smallest = smallest_tables(plain); smallest.words) {
      return request.bucket_count ? smallest.words : filled_to(kFastLoad, *smallest.words);
    }
  }
  TableRequest balanced = request;
  balanced.prefer = Preference::balance;
  return smallest_tables(balanced).choice(balanced.prefer);
}

/// True if the table before its first doubling holds `capacity` keys as surely as a planned table does.
inline bool holds_first(Params params, std::uint64_t capacity) {
  if (present_capacity(params) < capacity) return false;
  params.reserved_bits = 0;
  params.capacity = capacity;
  return holds_capacity(params);
}

/// The parameters before the first doubling, from `params`, which are planned for the largest capacity. The first table
/// has as few buckets as hold `capacity` keys, so as many doublings follow as slots have bits for. It begins larger if
/// the last table would otherwise have more than 1 in 128 buckets too many.
inline Params before_growth(const Params& params, std::uint64_t capacity) {
  for (std::uint32_t doublings = kMaxFingerprintBits - entry_bits(params); doublings > 0; --doublings) {
    Params first = params;
    first.reserved_bits = doublings;
    first.bucket_count = ((params.bucket_count - 1) >> doublings) + 1;
    const std::uint64_t excess = grown_bucket_count(first) - params.bucket_count;
    if (excess <= params.bucket_count / 128 && holds_first(first, capacity)) return first;
  }
  return params;
}

/// The plan for a table that begins with the given bucket count and grows to at least `max_capacity`, with the fewest
/// doublings after which at most `kMaxFailures` of all builds refuse a key. The stricter `most_failures` would make
/// some tables twice as large.
inline Result<Params> plan_from_bucket_count(Request request) {
  for (const std::uint64_t first = *request.bucket_count; *request.bucket_count <= kMaxBucketCount;
       *request.bucket_count *= 2) {
    Result<Params> params = plan_fixed({request});
    if (!params && params.field() != Field::capacity) return params;
    if (!params || (!holds_but_for(*params, kMaxFailures) && *request.bucket_count < kMaxBucketCount)) continue;
    params->reserved_bits = static_cast<std::uint32_t>(std::countr_zero(*request.bucket_count / first));
    params->bucket_count = first;
    return cuckoo::invalid_field(*params) == Field::none ? params
                                                         : Result<Params>{Error::out_of_range, Field::max_capacity};
  }
  return {Error::out_of_range, Field::max_capacity};
}

/// The plan for a table that is to grow.
inline Result<Params> plan_growable(Request request) {
  const std::uint64_t most = *request.max_capacity;
  if (most < request.capacity || most > kMaxCapacity) return {Error::out_of_range, Field::max_capacity};
  if (const Field field = invalid_field(request); field != Field::none) return {Error::out_of_range, field};
  const std::uint64_t capacity = std::exchange(request.capacity, most);
  Result<Params> params = request.bucket_count ? plan_from_bucket_count(request) : plan_fixed({request});
  if (!params) return params.field() == Field::capacity ? Result<Params>{params.error(), Field::max_capacity} : params;
  if (!request.bucket_count) return before_growth(*params, capacity);
  return capacity > slot_count(*params) ? Result<Params>{Error::out_of_range, Field::capacity} : params;
}

}  // namespace detail

/// The parameters for `request` that take the fewest bits, subject to `prefer`; if several take equally few, plain
/// buckets of four slots. All `capacity` distinct keys go in, except in fewer builds than `most_failures` allows, and
/// the expected false positive rate is then at most the one asked for. Sizes that the request gives are taken as they
/// are, even if they forbid that. `Error::out_of_range`, with the field, for a value outside its range, for a capacity
/// that needs more slots than given or more than 2^32 buckets, and for a rate that needs more fingerprint bits than 32
/// less those of a value. Takes some hundreds of logarithms.
inline Result<Params> plan(const Request& request) {
  return request.max_capacity ? detail::plan_growable(request) : detail::plan_fixed({request});
}

}  // namespace cuckoo
