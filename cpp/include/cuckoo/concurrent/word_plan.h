// SPDX-License-Identifier: MIT
// The tables that threads can share: plain buckets of one word of 64 bits each, so that one atomic operation reads or
// changes a bucket: 4 x 16, 5 x 12 or 6 x 10 bits, and 2 x 32 or 8 x 8 for rates that these do not suit.
// Invariant: `plan_shared` chooses only parameters of which `unshareable_field` names none.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cuckoo/error.h"
#include "cuckoo/params.h"
#include "cuckoo/plan.h"
#include "cuckoo/rate.h"

namespace cuckoo {

/// The first parameter, valid in itself, that keeps threads from sharing a table; or `Field::none`. A bucket must have
/// 2, 4, 5, 6 or 8 plain slots of 64 / b bits, rounded down, and the table must not grow or have values. (Packed
/// buckets of 3 or 7 such slots do not each lie in one word.)
inline Field unshareable_field(const Params& params) {
  if (params.storage != Storage::plain) return Field::semi_sort;
  if (params.reserved_bits != 0) return Field::max_capacity;
  if (params.value_bits != 0) return Field::value_bits;
  if (params.bucket_size < 2 || params.bucket_size == 3 || params.bucket_size == 7) return Field::bucket_size;
  return params.fingerprint_bits != 64 / params.bucket_size ? Field::fingerprint_bits : Field::none;
}

/// Bytes that such a table takes: 8 per bucket.
inline std::uint64_t shared_table_bytes(const Params& params) { return 8 * params.bucket_count; }

namespace detail {

/// Slots per key of the emptiest table that is planned for a rate that its short fingerprints do not suit; up to twice
/// as many, because its buckets are rounded up to a power of two.
inline constexpr std::uint64_t kMaxSlotsPerKey = 64;

/// The smallest table for the request with so many slots per bucket.
inline Result<Params> plan_words(Request request, std::uint32_t bucket_size) {
  request.bucket_size = bucket_size;
  request.fingerprint_bits = 64 / bucket_size;
  Result<Params> params = plan(request);
  if (!params || request.bucket_count) return params;
  // `plan` does not check the rate if the width is given. The rate falls with more buckets.
  const auto meets_rate = [&](const Params& each) {
    return false_positive_rate(each, each.capacity) <= request.false_positive_rate;
  };
  const std::uint64_t buckets = std::min(kMaxSlotsPerKey * params->capacity / bucket_size + 1, kMaxBucketCount);
  const std::uint64_t most = std::max(params->bucket_count, std::bit_ceil(buckets));
  const bool is_met = set_bucket_count(*params, meets_rate) && params->bucket_count <= most;
  return is_met ? params : Result<Params>{Error::out_of_range, Field::false_positive_rate};
}

}  // namespace detail

/// As `plan`, for tables that threads can share. Their buckets take whole words, so more bits: 16.7 per key at a rate
/// of 0.001, where the smallest plain table takes 12.6. The rate is met unless `bucket_count` is given. Errors as
/// `plan`, and `out_of_range` with the field that `unshareable_field` names, or with the rate if it would take a nearly
/// empty table: more than 64 slots per key, or up to 128.
inline Result<Params> plan_shared(Request request) {
  if (request.max_capacity && *request.max_capacity != request.capacity)
    return {Error::out_of_range, Field::max_capacity};
  request.max_capacity.reset();
  if (request.semi_sort.value_or(false)) return {Error::out_of_range, Field::semi_sort};
  if (request.value_bits != 0) return {Error::out_of_range, Field::value_bits};
  if (const Field field = detail::invalid_field(request); field != Field::none) return {Error::out_of_range, field};
  request.semi_sort = false;
  const Field unsuited = request.fingerprint_bits ? Field::fingerprint_bits : Field::bucket_size;
  Result<Params> best{Error::out_of_range, unsuited};
  for (const std::uint32_t bucket_size : {4u, 5u, 6u, 8u, 2u}) {
    if (request.bucket_size.value_or(bucket_size) != bucket_size) continue;
    if (request.fingerprint_bits.value_or(64 / bucket_size) != 64 / bucket_size) continue;
    const Result<Params> params = detail::plan_words(request, bucket_size);
    const bool is_better =
        params ? !best || shared_table_bytes(*params) < shared_table_bytes(*best) : best.field() == unsuited;
    if (is_better) best = params;
  }
  return best;
}

}  // namespace cuckoo
