// What embind binds: filters and parameters as objects, made, saved and loaded.
// Invariant: numbers, booleans, handles and addresses cross; a null handle means that `last` says why.
#pragma once

#include <limits>
#include <new>
#include <optional>

#include "cuckoo/format.h"
#include "cuckoo/plan.h"
#include "exchange.h"

namespace objects {

using namespace cuckoo;

/// Why the last call that returned null did so.
struct Last {
  Error error = Error::none;
  Field field = Field::none;
};
inline Last last;
inline std::optional<Saver<Tracing>> saver;
inline std::optional<Loader<Tracing>> loader;

template <class T>
T* take(Result<T> result) {
  T* taken = result ? new (std::nothrow) T(std::move(*result)) : nullptr;
  last = {result && taken == nullptr ? Error::out_of_memory : result.error(), result.field()};
  return taken;
}

/// Saturates, so that a number too large for the parameter stays too large instead of wrapping into its range.
template <class T>
T saturated(double value) {
  constexpr double kTop = static_cast<double>(std::numeric_limits<T>::max());
  return value >= kTop ? std::numeric_limits<T>::max() : static_cast<T>(value);
}
/// A whole number from 0 up; a negative one stands for "not given".
template <class T>
std::optional<T> if_given(double value) {
  if (value < 0) return std::nullopt;
  return saturated<T>(value);
}

inline Params* plan_params(double capacity, double rate, double bucket_size, double fingerprint_bits,
                           double bucket_count, double semi_sort, bool is_xor, double max_kicks, std::uint32_t seed_low,
                           std::uint32_t seed_high) {
  Request request;
  request.capacity = saturated<std::uint64_t>(capacity);
  request.false_positive_rate = rate;
  request.bucket_size = if_given<std::uint32_t>(bucket_size);
  if (fingerprint_bits >= 0) request.fingerprint_bits = fingerprint_bits;
  request.bucket_count = if_given<std::uint64_t>(bucket_count);
  if (semi_sort >= 0) request.semi_sort = semi_sort != 0;
  request.addressing = is_xor ? Addressing::xor_power_of_two : Addressing::reflect;
  request.max_kicks = if_given<std::uint32_t>(max_kicks).value_or(kDefaultMaxKicks);
  request.seed = std::uint64_t{seed_high} << 32 | seed_low;
  return take(plan(request));
}
inline double capacity(const Params& params) { return static_cast<double>(params.capacity); }
inline double bucket_count(const Params& params) { return static_cast<double>(params.bucket_count); }
inline bool is_semi_sorted(const Params& params) { return params.storage == Storage::semi_sorted; }
inline bool is_xor(const Params& params) { return params.addressing == Addressing::xor_power_of_two; }
inline std::uint32_t seed_low(const Params& params) { return static_cast<std::uint32_t>(params.seed); }
inline std::uint32_t seed_high(const Params& params) { return static_cast<std::uint32_t>(params.seed >> 32); }
inline double byte_length(const Params& params) { return static_cast<double>(table_bytes(params)); }
inline double rate_when_full(const Params& params) { return false_positive_rate(params, params.capacity); }

inline std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
inline std::uintptr_t filter_address(const Cuckoo& filter) { return address(&filter); }
inline Cuckoo* create(const Params& params) { return take(Cuckoo::create(params)); }
inline Cuckoo* clone(const Cuckoo& filter) { return take(filter.clone()); }
inline Params params(const Cuckoo& filter) { return filter.params(); }
inline double size(const Cuckoo& filter) { return static_cast<double>(filter.size()); }
inline double saved_length(const Cuckoo& filter) { return static_cast<double>(saved_bytes(filter)); }
inline int last_error() { return static_cast<int>(last.error); }
inline int last_field() { return static_cast<int>(last.field); }

inline void begin_save(const Cuckoo& filter) { saver.emplace(filter); }
inline std::size_t save_piece() { return saver->next(exchange.bytes); }

/// Takes the header from the exchange and returns where the payload belongs.
inline std::uintptr_t begin_load(std::size_t head_bytes, double total_bytes, double max_bytes) {
  auto result = Loader<Tracing>::begin(exchanged_bytes(head_bytes), saturated<std::uint64_t>(total_bytes),
                                       saturated<std::uint64_t>(max_bytes));
  last = {result.error(), result.field()};
  if (!result) return 0;
  loader.emplace(std::move(*result));
  return address(loader->table().data());
}
/// Takes the checksum from the exchange.
inline Cuckoo* finish_load() {
  Cuckoo* filter = take(loader->finish(load_word(exchange.bytes)));
  loader.reset();
  return filter;
}

#ifdef CUCKOO_TRACE
inline bool open_trace(Cuckoo& filter, std::uint32_t level, std::size_t capacity) {
  return filter.trace().open(static_cast<TraceLevel>(level), capacity);
}
inline std::size_t event_count(const Cuckoo& filter) { return filter.trace().events().size(); }
inline std::uintptr_t events_address(const Cuckoo& filter) { return address(filter.trace().events().data()); }
inline bool has_overflowed(const Cuckoo& filter) { return filter.trace().has_overflowed(); }
inline void drain_trace(Cuckoo& filter) { filter.trace().drain(); }

/// Puts the fingerprints of the slots from `first` on, two a word, into the exchange; returns how many.
inline std::size_t read_slots(const Cuckoo& filter, double first) {
  const auto begin = static_cast<std::uint64_t>(first);
  const std::uint32_t b = filter.params().bucket_size;
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(2 * kBatch, slot_count(filter.params()) - begin));
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t slot = filter.table().get((begin + i) / b, static_cast<std::uint32_t>((begin + i) % b));
    std::memcpy(reinterpret_cast<std::uint8_t*>(exchange.words) + 4 * i, &slot, sizeof slot);
  }
  return count;
}
#endif

}  // namespace objects
