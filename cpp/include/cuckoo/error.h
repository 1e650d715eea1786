// SPDX-License-Identifier: MIT
// Error codes of the library and Result<T>, a value or the code that says why there is none.
// Invariant: every way in which creating, planning, loading, copying or merging can fail has exactly one code here, and
// the code's text is true of it; nothing here throws. JavaScript has the same list (js/src/engine/format-errors.ts).
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace cuckoo {

/// Why an operation failed.
enum class [[nodiscard]] Error : std::uint8_t{
    none = 0,                 ///< no error
    out_of_range = 1,         ///< a parameter lies outside its range; `Field` says which, if it is one
    out_of_memory = 2,        ///< the table could not be allocated
    not_a_filter = 3,         ///< not a saved filter, or one of another kind; in shared memory: no filter yet
    unsupported_version = 4,  ///< written by a later format, or with a feature unknown here
    cut_short = 5,            ///< fewer or more bytes than the header declares; memory too short for the filter
    damaged = 6,              ///< the checksum does not match
    inconsistent = 7,         ///< the checksum matches, but the bytes break a rule of the format
    too_large = 8,            ///< the header declares a larger table than the caller allows
    wrong_key = 9,            ///< a keyed filter without its secret key, or a key for a filter that has none
    busy = 10,                ///< another thread has the filter's lock, and this one is not allowed to block: try again
    spoiled = 11,             ///< others changed the filter during every attempt to copy it: try again
    different = 12,           ///< two filters differ in a parameter that must be the same; `Field` says which
    not_aligned = 13,         ///< the memory for a shared filter does not begin at a multiple of 64
};

/// The parameter that an `Error::out_of_range` or an `Error::different` is about.
enum class Field : std::uint8_t {
  none = 0,
  capacity = 1,
  false_positive_rate = 2,
  bucket_size = 3,
  fingerprint_bits = 4,
  bucket_count = 5,
  semi_sort = 6,
  seed = 7,
  addressing = 8,
  hash = 9,
  max_capacity = 10,
  value_bits = 11,
  periods = 12,
  current_period = 13,
};

/// What the code means, in English, for a log.
constexpr std::string_view describe(Error error) {
  constexpr std::string_view kTexts[] = {
      "no error",
      "a parameter is out of its range",
      "there is not enough memory",
      "the bytes are not a filter",
      "written by a later version of the format, or with a feature unknown here",
      "the bytes end too early, or go on past the end of the filter",
      "the bytes are damaged: their checksum does not match",
      "the bytes break a rule of the format",
      "the table is larger than the limit given",
      "the secret key is missing or wrong, or the filter has none",
      "another thread has the filter's lock, and this one is not allowed to block",
      "other threads changed the filter during every attempt to copy it",
      "the filters differ in a parameter that must be the same",
      "the memory does not begin at a multiple of 64",
  };
  return kTexts[static_cast<std::uint8_t>(error)];
}
/// The parameter's name.
constexpr std::string_view describe(Field field) {
  constexpr std::string_view kTexts[] = {
      "none",      "capacity",      "false_positive_rate", "bucket_size", "fingerprint_bits", "bucket_count",
      "semi_sort", "seed",          "addressing",          "hash",        "max_capacity",     "value_bits",
      "periods",   "current_period"};
  return kTexts[static_cast<std::uint8_t>(field)];
}

/// A value, or an error code with the field it is about. Never both, never neither.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}                                    // NOLINT: a value is a result
  Result(Error error, Field field = Field::none) : error_(error), field_(field) {  // NOLINT: so is a code
    assert(error != Error::none);
  }

  /// Whether there is a value.
  [[nodiscard]] bool has_value() const { return value_.has_value(); }
  explicit operator bool() const { return has_value(); }

  /// The value. Read it only if there is one.
  [[nodiscard]] T& value() & { return value_of(*this); }
  [[nodiscard]] const T& value() const& { return value_of(*this); }
  [[nodiscard]] T&& value() && { return std::move(value_of(*this)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// `Error::none` if there is a value.
  [[nodiscard]] Error error() const { return error_; }
  /// The parameter that is out of range, or in which two filters differ; `Field::none` for every other code.
  [[nodiscard]] Field field() const { return field_; }

 private:
  static auto& value_of(auto& result) {
    assert(result.has_value());
    return *result.value_;
  }

  std::optional<T> value_;
  Error error_ = Error::none;
  Field field_ = Field::none;
};

}  // namespace cuckoo
