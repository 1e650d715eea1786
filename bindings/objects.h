// What embind binds: filters planned, made, saved and loaded.
// Invariant: numbers and booleans cross, and a filter as its address; address 0 means that `last` says why.
#pragma once

#include <limits>
#include <new>
#include <optional>

#include "cuckoo/format.h"
#include "cuckoo/merge.h"
#include "cuckoo/plan.h"
#include "exchange.h"

namespace objects {

using namespace cuckoo;
using Address = std::uintptr_t;

/// Why the last call that gave nothing did so.
struct Last {
  Error error = Error::none;
  Field field = Field::none;
};
inline Last last;
inline Params planned;  ///< what the last `plan` chose
#ifdef CUCKOO_SCALABLE
inline std::optional<ChainSaver<Tracing>> saver;
inline std::optional<ChainLoader<Tracing>> loader;
#elif !defined(CUCKOO_EXPIRING)
inline std::optional<Saver<Tracing>> saver;
inline std::optional<Loader<Tracing>> loader;
#endif

inline Address address_of(const void* pointer) { return reinterpret_cast<Address>(pointer); }
inline Cuckoo& at(Address filter) { return *reinterpret_cast<Cuckoo*>(filter); }

/// Keeps why there is no result, and says whether there is one.
template <class T>
bool succeeded(const Result<T>& result) {
  last = {result.error(), result.field()};
  return result.has_value();
}

/// Moves a filter to where it stays until `destroy`.
inline Address keep(Result<Cuckoo> result) {
  if (!succeeded(result)) return 0;
  auto* kept = new (std::nothrow) Cuckoo(std::move(*result));
  if (kept == nullptr) last.error = Error::out_of_memory;
  return address_of(kept);
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

/// Plans into `planned`; false if `last` says why not.
inline bool make_plan(double capacity, double max_capacity, double rate, double bucket_size, double fingerprint_bits,
                      double bucket_count, int semi_sort, bool is_xor, double max_kicks, bool is_keyed,
                      std::uint32_t seed_low, std::uint32_t seed_high) {
  Request request;
  request.capacity = saturated<std::uint64_t>(capacity);
  request.max_capacity = if_given<std::uint64_t>(max_capacity);
  request.false_positive_rate = rate;
  request.bucket_size = if_given<std::uint32_t>(bucket_size);
  if (fingerprint_bits >= 0) request.fingerprint_bits = fingerprint_bits;
  request.bucket_count = if_given<std::uint64_t>(bucket_count);
  if (semi_sort >= 0) request.semi_sort = semi_sort != 0;
  request.addressing = is_xor ? Addressing::xor_power_of_two : Addressing::reflect;
  request.max_kicks = if_given<std::uint32_t>(max_kicks).value_or(kDefaultMaxKicks);
  request.hash = is_keyed ? HashAlgorithm::siphash_1_3 : HashAlgorithm::xxh64;
  request.seed = std::uint64_t{seed_high} << 32 | seed_low;
#ifdef CUCKOO_SCALABLE
  const Result<Params> result = plan_layers(request);
#else
  const Result<Params> result = plan(request);
#endif
  if (result) planned = *result;
  return succeeded(result);
}

/// Puts parameters as doubles into the exchange's words. Their order is that of `readSizes` in js/src/options.ts.
inline void put(const Params& params) {
  const double numbers[] = {
      static_cast<double>(std::min(present_capacity(params), params.capacity)),
      static_cast<double>(params.bucket_count),
      static_cast<double>(params.bucket_size),
      fingerprint_width(params),
      params.storage == Storage::semi_sorted ? 1.0 : 0.0,
      params.addressing == Addressing::xor_power_of_two ? 1.0 : 0.0,
      static_cast<double>(params.max_kicks),
      params.hash == HashAlgorithm::siphash_1_3 ? 1.0 : 0.0,
      static_cast<double>(static_cast<std::uint32_t>(params.seed)),
      static_cast<double>(params.seed >> 32),
      static_cast<double>(table_bytes(params)),
      false_positive_rate(params, params.capacity),
      static_cast<double>(params.capacity),
      static_cast<double>(table_bytes(grown(params))),
      static_cast<double>(params.reserved_bits),
  };
  std::memcpy(exchange.words, numbers, sizeof numbers);
}

#ifndef CUCKOO_SCALABLE
/// Puts the parameters of a filter, or of the last plan for address 0.
inline void describe(Address filter) { put(filter == 0 ? planned : at(filter).params()); }
#endif

inline void destroy(Address filter) { delete &at(filter); }
inline void clear(Address filter) { at(filter).clear(); }
inline double size(Address filter) { return static_cast<double>(at(filter).size()); }
inline double expected_rate(Address filter) { return at(filter).expected_false_positive_rate(); }
inline int last_error() { return static_cast<int>(last.error); }
inline int last_field() { return static_cast<int>(last.field); }

#ifdef CUCKOO_EXPIRING
inline Address create(bool has_secret, std::uint32_t periods) {
  const SecretKey secret = exchanged_secret();
  return keep(Cuckoo::create(planned, periods, has_secret ? &secret : nullptr));
}
inline double advance(Address filter) { return static_cast<double>(at(filter).advance()); }
inline double byte_count(Address filter) { return static_cast<double>(at(filter).table().byte_count()); }
#else
inline Address create(bool has_secret) {
  const SecretKey secret = exchanged_secret();
  return keep(Cuckoo::create(planned, has_secret ? &secret : nullptr));
}
inline Address clone(Address filter) { return keep(at(filter).clone()); }
inline double load_factor(Address filter) { return at(filter).load_factor(); }
inline double saved_length(Address filter) { return static_cast<double>(saved_bytes(at(filter))); }

inline void begin_save(Address filter) { saver.emplace(at(filter)); }
inline std::size_t save_piece() { return saver->next(exchange.bytes); }

/// Puts a filter's statistics as doubles into the exchange's words, in the order of `readStats` in js/src/stats.ts.
inline void put(const Statistics& it) {
  std::uint64_t* word = exchange.words;
  const auto put = [&](double number) { std::memcpy(word++, &number, sizeof number); };
  put(static_cast<double>(it.full));
  put(static_cast<double>(it.too_many_copies));
  for (const std::uint64_t inserts : it.kicks) put(static_cast<double>(inserts));
  put(it.doubling_count);
  for (std::uint32_t i = 0; i < it.doubling_count; ++i) {
    put(static_cast<double>(it.doublings[i].size));
    put(it.doublings[i].pause);
  }
}

#ifndef CUCKOO_SCALABLE
inline std::uint32_t doubling_count(Address filter) { return at(filter).trace().statistics().doubling_count; }
inline void read_statistics(Address filter) { put(at(filter).trace().statistics()); }
/// An InsertOutcome; or -1 less the field that differs, which is none where memory is short.
inline int merge(Address into, Address from, bool only_if_absent) {
  const Result<InsertOutcome> outcome = cuckoo::merge(at(into), at(from), only_if_absent);
  return outcome ? static_cast<int>(*outcome) : -1 - static_cast<int>(outcome.field());
}

/// Takes the header from the exchange and returns where the payload belongs.
inline Address begin_load(std::uint32_t head_bytes, double total_bytes, double max_bytes, bool has_secret) {
  const SecretKey secret = exchanged_secret();
  auto result = Loader<Tracing>::begin(exchanged_bytes(head_bytes), saturated<std::uint64_t>(total_bytes),
                                       saturated<std::uint64_t>(max_bytes), has_secret ? &secret : nullptr);
  if (!succeeded(result)) return 0;
  loader.emplace(std::move(*result));
  return address_of(loader->table().data());
}
/// Takes the checksum from the exchange.
inline Address finish_load() {
  const Address filter = keep(loader->finish(load_word(exchange.bytes)));
  loader.reset();
  return filter;
}
#endif
#endif

#ifdef CUCKOO_TRACE
inline bool open_trace(Address filter, std::uint32_t level, std::uint32_t capacity) {
  return at(filter).trace().open(static_cast<TraceLevel>(level), capacity);
}
inline std::uint32_t event_count(Address filter) {
  return static_cast<std::uint32_t>(at(filter).trace().events().size());
}
inline Address events_address(Address filter) { return address_of(at(filter).trace().events().data()); }
inline bool has_overflowed(Address filter) { return at(filter).trace().has_overflowed(); }
inline void drain_trace(Address filter) { at(filter).trace().drain(); }

/// Puts the fingerprints of the slots from `first` on, two a word, into the exchange; returns how many.
inline std::uint32_t read_slots(Address filter, double first) {
  const Cuckoo& it = at(filter);
  const auto begin = static_cast<std::uint64_t>(first);
  const std::uint32_t b = it.params().bucket_size;
  const std::uint64_t count = std::min<std::uint64_t>(2 * kBatch, slot_count(it.params()) - begin);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t slot = it.table().get((begin + i) / b, static_cast<std::uint32_t>((begin + i) % b));
    std::memcpy(reinterpret_cast<std::uint8_t*>(exchange.words) + 4 * i, &slot, sizeof slot);
  }
  return static_cast<std::uint32_t>(count);
}
#endif

}  // namespace objects
