// The parameter combinations that properties are tested over: every (b, f), plain and semi-sorted with and without
// quarters, small, odd, prime, power-of-two and large m, both addressings where they apply.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <sstream>
#include <string>
#include <vector>

#include "cuckoo/params.h"
#include "long_run.h"

namespace cuckoo {

using namespace detail;

inline void PrintTo(const Params& params, std::ostream* out) {
  *out << "m=" << params.bucket_count << " b=" << params.bucket_size << " f=" << fingerprint_width(params)
       << (params.storage == Storage::semi_sorted ? " semi-sorted" : "")
       << (params.addressing == Addressing::reflect ? " reflect" : " xor") << " r=" << params.reserved_bits
       << " seed=" << params.seed;
}

namespace testing {

/// All ones in the width of a slot.
template <class Layout>
std::uint64_t all_ones(const Layout& layout) {
  return ~std::uint64_t{0} >> (64 - (layout.lane_bits + layout.low_bits));
}

inline Params params_of(std::uint64_t m, std::uint32_t b, std::uint32_t f,
                        Addressing addressing = Addressing::reflect) {
  Params params;
  params.bucket_count = m;
  params.bucket_size = b;
  params.fingerprint_bits = f;
  params.addressing = addressing;
  params.capacity = slot_count(params);
  params.seed = m * 1000 + b * 100 + f;
  return params;
}

/// Calls `check(params)` with `params` in every storage and width that its `fingerprint_bits` allow.
template <class Check>
void for_all_storages(Params params, Check check) {
  check(params);
  params.storage = Storage::semi_sorted;
  for (; params.spared_quarters < 4; ++params.spared_quarters) {
    if (invalid_field(params) == Field::none) check(params);
  }
}

/// Calls `check(params)` for every b and f in every storage, each with every m, and with xor too where m is a power of
/// two. In a short run b and f take one m each, in turn.
template <class Check>
void for_all_params(const std::vector<std::uint64_t>& bucket_counts, Check check, bool is_long = is_long_run()) {
  for (std::uint32_t b = 1; b <= kMaxBucketSize; ++b) {
    for (std::uint32_t f = kMinFingerprintBits; f <= kMaxFingerprintBits; ++f) {
      for (std::size_t i = 0; i < bucket_counts.size(); ++i) {
        if (!is_long && i != (b + f) % bucket_counts.size()) continue;
        const std::uint64_t m = bucket_counts[i];
        for_all_storages(params_of(m, b, f), check);
        if (std::has_single_bit(m)) for_all_storages(params_of(m, b, f, Addressing::xor_power_of_two), check);
      }
    }
  }
}

/// Calls `check(params)` for every b, f and storage that leaves room for bits to reserve, with small, odd and
/// power-of-two tables that grow to some hundred slots, by 1 and by 4 doublings; in a short run by one of these, in
/// turn.
template <class Check>
void for_all_growing_params(Check check, bool is_long = is_long_run()) {
  const auto with_room = [&](Params params) {
    for (const std::uint32_t doublings : {1u, 4u}) {
      if (doublings > kMaxFingerprintBits - params.fingerprint_bits) return;
      const bool takes_one = (params.bucket_size + params.fingerprint_bits / 3) % 2 == 0 ||
                             params.fingerprint_bits + 4 > kMaxFingerprintBits;
      if (!is_long && takes_one != (doublings == 1)) continue;
      params.reserved_bits = doublings;
      params.capacity = std::max<std::uint64_t>(1, slot_count(grown(params)) * (params.bucket_size > 1 ? 8 : 4) / 10);
      check(params);
    }
  };
  for_all_params({1, 3, 16}, with_room, is_long);
}

/// Calls `check(params, value_bits)` for every shape of table, fixed and growing, that leaves room for values, with 1,
/// 7 or as many bits as there is room for, up to `max_value_bits`: in turn, because there are many shapes.
template <class Check>
void for_all_valued_params(std::uint32_t max_value_bits, Check check) {
  std::uint32_t turn = 0;
  const auto with_values = [&](const Params& params) {
    const std::uint32_t room =
        std::min(max_value_bits, kMaxFingerprintBits - params.fingerprint_bits - params.reserved_bits);
    const std::uint32_t value_bits = std::array{1u, 7u, room}[turn++ % 3];
    if (room > 0) check(params, std::min(value_bits, room));
  };
  for_all_params({1, 3, 16}, with_values);
  for_all_growing_params(with_values);
}

inline std::string text_of(const Params& params) {
  std::ostringstream text;
  PrintTo(params, &text);
  return text.str();
}

}  // namespace testing
}  // namespace cuckoo
