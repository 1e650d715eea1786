// SPDX-License-Identifier: MIT
// The layers of a filter for an unknown number of keys: what each is made of, and the plan of the first, from which all
// follow. Invariant: the sum of the layers' false positive rates is below the one asked for, and layers nest.
//
// Layers nest: all give a key the same hash and the same fingerprint, and its candidate buckets in layer k are the
// leading bits of those in layer k + 1. The reason is that bucket counts are powers of two, that scaling to them takes
// the leading bits of the hash's upper half and of the fingerprint's offset, and that XOR works bit by bit. So hashes
// that are alike in a layer (with the same fingerprint and the same candidate buckets) are alike in every older one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

#include "cuckoo/plan.h"

namespace cuckoo {

namespace detail {

/// The most layers: each has at least 2 bits more of the bucket number than the last, and there are 32.
inline constexpr std::uint32_t kMaxLayers = 17;

/// Doublings of a layer if no largest capacity is given: each layer then holds 16 times the keys of the one before.
inline constexpr std::uint32_t kLayerDoublings = 4;

/// The logarithm of the number of buckets of layer `layer` once grown, limited by the bits of a hash. With g doublings
/// each, a layer takes 2^g times the keys of the one before, and at least twice as many. It has twice the buckets per
/// key, which halves its rate.
inline std::uint32_t grown_bucket_bits(const Params& first, std::uint32_t layer) {
  const auto bits = static_cast<std::uint32_t>(std::countr_zero(grown_bucket_count(first)));
  return std::min(32u, bits + layer * (std::max(1u, first.reserved_bits) + 1));
}

/// The parameters that layer `layer` begins with, in a filter whose first layer began with `first`; none if it would
/// take no more keys than the layer before. It has `layer` reserved bits more than it has doublings. Each halves its
/// rate, so that the rates p/2, p/4, p/8 ... of all layers never add up to p (Almeida, Baquero, Preguica, Hutchison,
/// "Scalable Bloom Filters", Inf. Process. Lett. 101(6), 2007, section 3, with the ratio 1/2). It begins with as many
/// buckets as the last layer has when full, or with more if a slot has too few bits.
inline std::optional<Params> layer_params(const Params& first, std::uint32_t layer) {
  const std::uint32_t bits = grown_bucket_bits(first, layer);
  if (layer > 0 && bits < grown_bucket_bits(first, layer - 1) + 2) return std::nullopt;
  Params params = first;
  params.reserved_bits = std::min(first.reserved_bits + layer, kMaxFingerprintBits - first.fingerprint_bits);
  if (params.reserved_bits < layer) return std::nullopt;
  params.bucket_count = std::uint64_t{1} << (bits - params.reserved_bits);
  params.capacity = std::min(first.capacity << (bits - grown_bucket_bits(first, 0)), kMaxCapacity);
  return params;
}

/// How many keys go into layer `layer`, whose parameters are these at any stage: one in 2^layer of those that its
/// buckets would hold.
inline std::uint64_t layer_capacity(const Params& params, std::uint32_t layer) { return params.capacity >> layer; }

/// Whether `size`, which has just become one less, is `most`, or `most` halved any number of times. Tells when to try
/// something that may fail: once at `most`, and again each time that half of the keys are left. It depends only on what
/// the filter holds, not on what failed before, so a clone or a loaded copy continues exactly as its original does.
inline bool is_due(std::uint64_t size, std::uint64_t most) {
  return size <= most && size == most >> (std::bit_width(most) - std::bit_width(size));
}

/// How many keys a table with these parameters holds as surely as a planned table does, at a load that the largest
/// table reaches too: all layers have one load, and larger tables fill a little less. The share of failures is
/// `kMaxFailures`, because a layer soon has more than a few keys.
inline std::uint64_t planned_capacity(Params params) {
  Params largest = params;
  largest.bucket_count = kMaxBucketCount;
  largest.capacity = kMaxCapacity;
  const double slots = static_cast<double>(slot_count(params)) * safe_load(largest);
  std::uint64_t low = 1, high = std::min(static_cast<std::uint64_t>(slots), kMaxCapacity) + 1;
  while (high > low + 1) {
    params.capacity = low + (high - low) / 2;
    (holds_but_for(params, kMaxFailures) ? low : high) = params.capacity;
  }
  return low;
}

/// A bound of `false_positive_rate` that is linear in the keys, so that the bounds of all layers add up to a bound: a
/// key is alike to each of `size` keys with probability at most 2 / m (F + 2) / F^2, because fingerprint 1 is twice as
/// frequent as any other.
inline double rate_bound(const Params& params, std::uint64_t size) {
  const auto count = static_cast<double>(fingerprint_count(params));
  return static_cast<double>(size) * 2 / static_cast<double>(grown_bucket_count(params)) * (count + 2) /
         (count * count);
}

}  // namespace detail

/// How many keys fit once a filter has all the layers that it may have.
inline std::uint64_t scalable_capacity(const Params& first) {
  std::uint64_t sum = 0;
  for (std::uint32_t layer = 0;; ++layer) {
    const std::optional<Params> params = detail::layer_params(first, layer);
    if (!params) return sum;
    sum += detail::layer_capacity(*params, layer);
  }
}

/// The parameters of the first layer for `request`. It begins with the smallest number of buckets, a power of two, that
/// holds the capacity. It may double until it holds `max_capacity`, or four times if that is not given. When full, its
/// rate is at most half of the rate asked for, by `rate_bound`. Four slots per bucket unless given; always XOR. Errors
/// as `plan`; also `out_of_range` with `Field::value_bits` if the entries were to have values, which no layer has.
inline Result<Params> plan_scalable(const Request& wanted) {
  using namespace detail;
  TableRequest request{wanted, true};
  if (!(request.false_positive_rate < 1)) return {Error::out_of_range, Field::false_positive_rate};
  if (request.value_bits != 0) return {Error::out_of_range, Field::value_bits};
  const double half_rate = request.false_positive_rate /= 2;  // half of 1.5 would pass as a rate
  request.addressing = Addressing::xor_power_of_two;
  request.bucket_size = request.bucket_size.value_or(4);
  const bool is_sized = request.bucket_count.has_value();
  const std::optional<std::uint64_t> most = std::exchange(request.max_capacity, std::nullopt);
  if (most && (*most < request.capacity || *most > kMaxCapacity)) return {Error::out_of_range, Field::max_capacity};
  Result<Params> first = plan_fixed(request);
  if (!first) return first;
  bool is_lengthened = false;
  for (std::uint32_t doublings = most ? 0 : kLayerDoublings;;) {
    Params large = *first;
    large.bucket_count <<= doublings;
    if (large.bucket_count > kMaxBucketCount) {
      if (most) return {Error::out_of_range, Field::max_capacity};
      --doublings;
      continue;
    }
    request.bucket_count = large.bucket_count;
    request.capacity = planned_capacity(large);
    if (most && request.capacity < *most) {
      ++doublings;
      continue;
    }
    Result<Params> params = plan_fixed(request);
    if (!params) return params;
    if (!request.fingerprint_bits && rate_bound(*params, params->capacity) > half_rate) {
      request.false_positive_rate *= 0.9;
      continue;
    }
    const std::uint32_t bits_left = kMaxFingerprintBits - params->fingerprint_bits;
    if (doublings > bits_left) {
      if (most && is_sized) return {Error::out_of_range, Field::max_capacity};
      if (most) first->bucket_count <<= doublings - bits_left;  // it begins larger
      doublings = bits_left;
      continue;
    }
    const std::uint64_t count = fingerprint_count(*params);
    const bool is_longer = count > fingerprint_count(*first);
    params->bucket_count = first->bucket_count;
    if (is_lengthened && count < fingerprint_count(*first)) {
      first->capacity = params->capacity;  // which is that of the longer fingerprints
      params = first;
    }
    params->reserved_bits = doublings;
    if (!is_longer) return params;
    first = params;  // longer fingerprints fill better, so fewer doublings may do
    first->reserved_bits = 0;
    is_lengthened = true;
    if (most) doublings = 0;
  }
}

}  // namespace cuckoo
