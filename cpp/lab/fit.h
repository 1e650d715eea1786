// Filters for a given number of keys, at a given rate or bits per key: each kind in the smallest form that reaches the
// rate, or in the form with the lowest rate for the bits. Invariant: a kind without such a form says why, with the
// figure of its nearest form.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>

#include "lab/contenders.h"

namespace lab {

/// What a filter is wanted for: one of the two, the other 0.
struct Goal {
  double rate = 0;          ///< that absent keys are found at, above 0 and below 1
  double bits_per_key = 0;  ///< above 0
};

enum class Refusal : std::uint8_t {
  none,
  rate_too_low,   ///< its longest fingerprints, or 64 bits per key, err at `value`
  rate_too_high,  ///< its shortest fingerprints err at `value`, less than half of the goal
  too_few_bits,   ///< it takes `value` bits per key at least
  out_of_memory,
};

/// A form of a kind: what it takes, and how often it errs with all its keys, by its formula.
struct Form {
  std::uint32_t step = 0;  ///< which form, as `form_of` counts them
  std::uint64_t bytes = 0;
  double rate = 0;
};

struct Fit {
  Refusal refusal = Refusal::none;
  double value = 0;  ///< of the refusal
  Form form;
};

namespace fit_detail {

/// Bloom filters come in eighths of a bit, up to 64 bits per key (counting ones: of their counters).
constexpr std::uint32_t kSteps = 8;
constexpr std::uint32_t kMostSteps = 64 * kSteps;
/// The share of a d-left filter's cells that is in use, so that few builds of 10,000 keys or more are refused a key.
constexpr double kDLeftLoad = 0.75;
/// Keys of one remainder share their permutations, so few remainders crowd: with 8 bits tables of 6.4 million cells
/// refuse a key at 77 %, with 6 bits those of 128,000 at 73 %, with 4 bits those of 1.3 million at 66 %.
constexpr std::uint32_t kDLeftLeastBits = 8;

inline double bits_of(std::uint32_t step) { return static_cast<double>(step) / kSteps; }

inline std::uint32_t quotient_bits(std::uint64_t keys) {
  return std::max(1u, static_cast<std::uint32_t>(std::bit_width(
                          static_cast<std::uint64_t>(static_cast<double>(keys) / QuotientFilter::kMaxLoad))));
}
inline std::uint64_t d_left_buckets(std::uint64_t keys) {
  constexpr double kCells = DLeftCountingBloomFilter::kTables * DLeftCountingBloomFilter::kBucketSize;
  return static_cast<std::uint64_t>(static_cast<double>(keys) / (kDLeftLoad * kCells)) + 1;
}

/// The paper's table, of a power of two buckets of four, with fingerprints of `bits`.
inline Result<cuckoo::Params> paper_table(std::uint64_t keys, std::uint32_t bits, bool is_semi_sorted) {
  cuckoo::Request request;
  request.capacity = keys;
  request.bucket_size = 4;
  request.fingerprint_bits = bits;
  request.semi_sort = is_semi_sorted;
  request.addressing = cuckoo::Addressing::xor_power_of_two;
  return cuckoo::plan(request);
}

/// The table that the library plans for a rate of 2^(-step / 8).
inline Result<cuckoo::Params> planned_table(std::uint64_t keys, std::uint32_t step) {
  cuckoo::Request request;
  request.capacity = keys;
  request.false_positive_rate = std::exp2(-bits_of(step));
  return cuckoo::plan(request);
}

inline Form form_of_table(const Result<cuckoo::Params>& params, std::uint32_t step) {
  return {step, cuckoo::table_bytes(*params), cuckoo::false_positive_rate(*params, params->capacity)};
}

}  // namespace fit_detail

/// The form `step` of a kind for `keys` keys, if there is one: steps are bits of a fingerprint or remainder, eighths of
/// a bit per key of Bloom filters, and eighths of the logarithm of a planned filter's rate.
inline std::optional<Form> form_of(Kind kind, std::uint64_t keys, std::uint32_t step) {
  using namespace fit_detail;
  const auto n = static_cast<double>(keys);
  const auto bloom_form = [&](std::uint32_t unit_bits, auto rate) -> std::optional<Form> {
    const Result<std::uint64_t> units = unit_count(keys, bits_of(step), unit_bits);
    if (!units || step > kMostSteps) return std::nullopt;
    return Form{step, (*units * unit_bits + 7) / 8, rate(*units, best_hash_count(bits_of(step)))};
  };
  const auto standard_rate = [&](std::uint64_t m, std::uint32_t k) { return bloom_rate(static_cast<double>(m), k, n); };
  switch (kind) {
    case Kind::cuckoo:
    case Kind::semi_sorted: {
      if (step < cuckoo::detail::kMinPlannedBits || step > cuckoo::kMaxFingerprintBits) return std::nullopt;
      const Result<cuckoo::Params> params = paper_table(keys, step, kind == Kind::semi_sorted);
      return params ? std::optional(form_of_table(params, step)) : std::nullopt;
    }
    case Kind::planned: {
      const Result<cuckoo::Params> params = planned_table(keys, step);
      return params ? std::optional(form_of_table(params, step)) : std::nullopt;
    }
    case Kind::bloom:
      return bloom_form(1, standard_rate);
    case Kind::counting_bloom: {
      std::optional<Form> form = bloom_form(1, standard_rate);
      if (form) form->bytes *= CountingBloomFilter::kCounterBits;
      return form;
    }
    case Kind::blocked_bloom:
      return bloom_form(BlockedBloomFilter::kBlockBits, [&](std::uint64_t blocks, std::uint32_t k) {
        return BlockedBloomFilter::rate(keys, blocks, k);
      });
    case Kind::split_block_bloom:
      return bloom_form(SplitBlockBloomFilter::kBlockBits,
                        [&](std::uint64_t blocks, std::uint32_t) { return SplitBlockBloomFilter::rate(keys, blocks); });
    case Kind::quotient: {
      const std::uint32_t q = quotient_bits(keys);
      if (step < 1 || step > 29 || q > 32) return std::nullopt;
      return Form{step, ((std::uint64_t{1} << q) * (step + 3) + 7) / 8, QuotientFilter::rate(keys, q + step)};
    }
    case Kind::d_left: {
      if (step < kDLeftLeastBits || step > 31) return std::nullopt;
      const std::uint64_t cells =
          d_left_buckets(keys) * DLeftCountingBloomFilter::kTables * DLeftCountingBloomFilter::kBucketSize;
      const double load = n / static_cast<double>(cells);
      return Form{step, (cells * (step + 1) + 7) / 8, DLeftCountingBloomFilter::rate(load, step)};
    }
    case Kind::binary_fuse:
      if (step < 1 || step > 32) return std::nullopt;
      return Form{step, BinaryFuseFilter::byte_count(keys, step), std::exp2(-static_cast<double>(step))};
    case Kind::cuckoo_table: {
      if (step != 1) return std::nullopt;
      const double slots = n / CuckooTableSet::kMaxLoad;
      return Form{step, static_cast<std::uint64_t>(8 * slots) + 1, 0};
    }
  }
  return std::nullopt;
}

/// The form of a kind for `keys` keys that suits the goal, or why there is none.
inline Fit fit(Kind kind, std::uint64_t keys, const Goal& goal) {
  std::optional<Form> best, least, finest;
  const double most_bytes = goal.bits_per_key * static_cast<double>(keys) / 8;
  for (std::uint32_t step = 1; step <= fit_detail::kMostSteps; ++step) {
    const std::optional<Form> form = form_of(kind, keys, step);
    if (!form) continue;
    if (!least || form->bytes < least->bytes) least = form;
    if (!finest || form->rate < finest->rate) finest = form;
    if (goal.rate > 0) {
      if (form->rate <= goal.rate && (!best || form->bytes < best->bytes)) best = form;
    } else if (static_cast<double>(form->bytes) <= most_bytes && (!best || form->rate < best->rate)) {
      best = form;
    }
    // What follows is larger, and reaches more than the goal.
    const bool is_enough =
        goal.rate > 0 ? form->rate < goal.rate / 4 : static_cast<double>(form->bytes) > 2 * most_bytes;
    if (best && is_enough) break;
  }
  if (!least) return {Refusal::out_of_memory, 0, {}};
  if (goal.rate > 0) {
    if (!best) return {Refusal::rate_too_low, finest->rate, {}};
    const bool is_shortest = best->step == least->step && kind != Kind::cuckoo_table;
    if (is_shortest && best->rate < goal.rate / 2) return {Refusal::rate_too_high, best->rate, {}};
  } else if (!best) {
    return {Refusal::too_few_bits, 8 * static_cast<double>(least->bytes) / static_cast<double>(keys), {}};
  }
  return {Refusal::none, 0, *best};
}

/// The filter of a form. Null if memory is short.
inline std::unique_ptr<Contender> make_form(Kind kind, std::uint64_t keys, const Form& form) {
  using namespace fit_detail;
  const std::uint32_t step = form.step;
  const auto of_table = [](const Result<cuckoo::Params>& params) {
    return params ? contender_of(CuckooFilter::create(*params)) : nullptr;
  };
  switch (kind) {
    case Kind::cuckoo:
    case Kind::semi_sorted:
      return of_table(paper_table(keys, step, kind == Kind::semi_sorted));
    case Kind::planned:
      return of_table(planned_table(keys, step));
    case Kind::bloom:
      return contender_of(BloomFilter::create(keys, bits_of(step)));
    case Kind::blocked_bloom:
      return contender_of(BlockedBloomFilter::create(keys, bits_of(step)));
    case Kind::split_block_bloom:
      return contender_of(SplitBlockBloomFilter::create(keys, bits_of(step)));
    case Kind::counting_bloom:
      return contender_of(CountingBloomFilter::create(keys, bits_of(step) * CountingBloomFilter::kCounterBits));
    case Kind::quotient:
      return contender_of(QuotientFilter::create(quotient_bits(keys), step));
    case Kind::d_left:
      return contender_of(DLeftCountingBloomFilter::create(d_left_buckets(keys), step, 1));
    case Kind::binary_fuse:
      return std::make_unique<FuseContender>(keys, step);
    case Kind::cuckoo_table:
      return contender_of(CuckooTableSet::create(keys));
  }
  return nullptr;
}

}  // namespace lab
