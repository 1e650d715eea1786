// What calls take and give that is more than one number: structs of doubles in the scratch buffer.
// Invariant: JavaScript knows fields only by name; embind.cpp binds each name to the place of the field.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cost.h"
#include "cuckoo/entries/statistics.h"
#include "cuckoo/format/header.h"
#include "cuckoo/params.h"

/// What `plan` takes: a cuckoo::Request. A negative number stands for "not given".
struct Wanted {
  double capacity = 0;
  double max_capacity = -1;
  double false_positive_rate = 0;
  double bucket_size = -1;
  double fingerprint_bits = -1;
  double bucket_count = -1;
  double semi_sort = -1;
  double is_xor = 0;
  double is_keyed = 0;
  double seed_low = 0;
  double seed_high = 0;
  double prefer = 0;
  double value_bits = 0;  ///< or the number of periods
  double max_pause = 0;   ///< in milliseconds
};

/// A table's parameters, and what follows from them.
struct Sizes {
  double capacity = 0;
  double max_capacity = 0;
  double doublings = 0;  ///< still to come
  double bucket_count = 0;
  double bucket_size = 0;
  double fingerprint_bits = 0;
  double is_semi_sorted = 0;
  double is_xor = 0;
  double is_keyed = 0;
  double seed_low = 0;
  double seed_high = 0;
  double byte_length = 0;
  double max_byte_length = 0;
  double false_positive_rate = 0;
  double lookup_cost = 0;
  double insert_cost = 0;
};

/// The state of one layer of a scalable filter.
struct Layer {
  Sizes sizes;
  double size = 0;
  double load_factor = 0;
  double false_positive_rate = 0;
};

static_assert(offsetof(Layer, sizes) == 0, "a layer's sizes are read as a table's are");

/// What a filter counted of its own work.
struct Counts {
  static constexpr std::uint32_t kKicks = cuckoo::Statistics::kKickCounts;
  static constexpr std::uint32_t kDoublings = cuckoo::Statistics::kDoublings;

  double full = 0;
  double too_many_copies = 0;
  double kicks[kKicks] = {};
  double doubling_count = 0;                 ///< all that there were; of the last, in order:
  double doubling_buckets[kDoublings] = {};  ///< buckets afterwards
  double doubling_sizes[kDoublings] = {};    ///< keys moved
  double doubling_pauses[kDoublings] = {};
};

/// Tells a filter's hash from others, without its secret key: the seed, or the check that is saved in its place.
struct HashIdentity {
  double is_keyed = 0;
  double low = 0;
  double high = 0;
};

inline HashIdentity identity_of(const cuckoo::Hasher& hasher) {
  const bool is_keyed = hasher.is_keyed();
  const std::uint64_t word = is_keyed ? cuckoo::detail::hash_check(hasher) : hasher.seed();
  return {is_keyed ? 1.0 : 0.0, static_cast<double>(static_cast<std::uint32_t>(word)), static_cast<double>(word >> 32)};
}

inline Sizes sizes_of(const cuckoo::Params& params) {
  using namespace cuckoo;
  const detail::Cost cost = detail::relative_cost(grown(params));
  return {
      .capacity = static_cast<double>(std::min(present_capacity(params), params.capacity)),
      .max_capacity = static_cast<double>(params.capacity),
      .doublings = static_cast<double>(params.reserved_bits),
      .bucket_count = static_cast<double>(params.bucket_count),
      .bucket_size = static_cast<double>(params.bucket_size),
      .fingerprint_bits = fingerprint_width(params),
      .is_semi_sorted = params.storage == Storage::semi_sorted ? 1.0 : 0.0,
      .is_xor = params.addressing == Addressing::xor_power_of_two ? 1.0 : 0.0,
      .is_keyed = params.hash == HashAlgorithm::siphash_1_3 ? 1.0 : 0.0,
      .seed_low = static_cast<double>(static_cast<std::uint32_t>(params.seed)),
      .seed_high = static_cast<double>(params.seed >> 32),
      .byte_length = static_cast<double>(table_bytes(params)),
      .max_byte_length = static_cast<double>(table_bytes(grown(params))),
      .false_positive_rate = false_positive_rate(params, params.capacity),
      .lookup_cost = cost.lookup,
      .insert_cost = cost.insert,
  };
}

inline Counts counts_of(const cuckoo::Statistics& statistics) {
  Counts counts;
  counts.full = static_cast<double>(statistics.full);
  counts.too_many_copies = static_cast<double>(statistics.too_many_copies);
  for (std::uint32_t i = 0; i < Counts::kKicks; ++i) counts.kicks[i] = static_cast<double>(statistics.kicks[i]);
  counts.doubling_count = statistics.doubling_count;
  const std::uint32_t kept = std::min(statistics.doubling_count, Counts::kDoublings);
  for (std::uint32_t i = 0; i < kept; ++i) {
    const std::uint32_t number = statistics.doubling_count - kept + i;
    const cuckoo::Doubling& doubling = statistics.doublings[number % Counts::kDoublings];
    counts.doubling_buckets[i] = static_cast<double>(doubling.bucket_count);
    counts.doubling_sizes[i] = static_cast<double>(doubling.size);
    counts.doubling_pauses[i] = doubling.pause;
  }
  return counts;
}
