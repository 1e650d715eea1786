// What every class binds in the same way: objects are planned, kept at an address, asked and destroyed.
// Invariant: numbers and booleans cross, and an object as its address; address 0 means that `last` says why.
#pragma once

#include <cstdint>
#include <limits>
#include <new>
#include <optional>

#include "cuckoo/error.h"
#include "cuckoo/plan.h"
#include "results.h"
#include "scratch.h"

namespace objects {

using namespace cuckoo;
using Address = std::uintptr_t;

/// Why the last call returned nothing.
struct Last {
  Error error = Error::none;
  Field field = Field::none;
};
inline PER_THREAD Last last;
inline PER_THREAD Params planned;  ///< what the last `plan` chose

inline int last_error() { return static_cast<int>(last.error); }
inline int last_field() { return static_cast<int>(last.field); }

inline Address address_of(const void* pointer) { return reinterpret_cast<Address>(pointer); }
template <class Object>
Object& at(Address object) {
  return *reinterpret_cast<Object*>(object);
}

/// Records why there is no result, and returns whether there is one.
template <class T>
bool succeeded(const Result<T>& result) {
  last = {result.error(), result.field()};
  return result.has_value();
}

/// Moves an object to where it stays until `destroy`.
template <class Object>
Address keep(Result<Object> result) {
  if (!succeeded(result)) return 0;
  auto* kept = new (std::nothrow) Object(std::move(*result));
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

/// Plans what is wanted, which is in the scratch buffer, into `planned`; false if `last` says why not.
template <Result<Params> (*choose)(const Request&)>
bool make_plan() {
  Wanted wanted;
  std::memcpy(&wanted, scratch.words, sizeof wanted);
  Request request;
  request.capacity = saturated<std::uint64_t>(wanted.capacity);
  request.max_capacity = if_given<std::uint64_t>(wanted.max_capacity);
  request.false_positive_rate = wanted.false_positive_rate;
  request.bucket_size = if_given<std::uint32_t>(wanted.bucket_size);
  if (wanted.fingerprint_bits >= 0) request.fingerprint_bits = wanted.fingerprint_bits;
  request.bucket_count = if_given<std::uint64_t>(wanted.bucket_count);
  if (wanted.semi_sort >= 0) request.semi_sort = wanted.semi_sort != 0;
  request.prefer = static_cast<Preference>(static_cast<int>(wanted.prefer));
  request.addressing = wanted.is_xor != 0 ? Addressing::xor_power_of_two : Addressing::reflect;
  request.hash = wanted.is_keyed != 0 ? HashAlgorithm::siphash_1_3 : HashAlgorithm::xxh64;
  request.seed =
      std::uint64_t{static_cast<std::uint32_t>(wanted.seed_high)} << 32 | static_cast<std::uint32_t>(wanted.seed_low);
  request.value_bits = saturated<std::uint32_t>(wanted.value_bits);
  const Result<Params> result = choose(request);
  if (result) planned = *result;
  planned.tuning.buckets_per_call = saturated<std::uint64_t>(wanted.max_pause * kBucketsPerMillisecond);
  return succeeded(result);
}
inline void describe_plan() { put_results(sizes_of(planned)); }

template <class Object>
void destroy(Address object) {
  delete &at<Object>(object);
}
template <class Object>
void clear(Address object) {
  at<Object>(object).clear();
}
template <class Object>
double size(Address object) {
  return static_cast<double>(at<Object>(object).size());
}
template <class Object>
double expected_rate(Address object) {
  return at<Object>(object).expected_false_positive_rate();
}
/// Bytes of the table, or of the tables of all layers.
template <class Object>
double byte_count(Address object) {
  const Object& it = at<Object>(object);
  if constexpr (requires { it.params(); }) {
    return static_cast<double>(table_bytes(it.params()));
  } else {
    return static_cast<double>(it.byte_count());
  }
}
template <class Object>
double load_factor(Address object) {
  return at<Object>(object).load_factor();
}

template <class Object>
bool shrink(Address object) {
  return at<Object>(object).shrink();
}

template <class Object>
Address create(bool has_secret) {
  const SecretKey secret = scratch_secret();
  const SecretKey* const given = has_secret ? &secret : nullptr;
  if constexpr (requires { Object::create(planned, given); }) {
    return keep(Object::create(planned, given));
  } else {
    return keep(Object::create(planned, planned.value_bits, given));
  }
}
template <class Object>
Address clone(Address object) {
  return keep(at<Object>(object).clone());
}
template <class Object>
double saved_length(Address object) {
  return static_cast<double>(saved_bytes(at<Object>(object)));
}

}  // namespace objects
