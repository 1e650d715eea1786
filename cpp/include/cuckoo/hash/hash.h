// SPDX-License-Identifier: MIT
// The hash of a key, and what a key may be. Invariant: a hash is not an integer key, and nothing else is converted to a
// key implicitly: `insert(3.7)` and `insert(true)` do not compile.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>

namespace cuckoo {

/// 64 bits computed from a key. A type of its own, so that a hash is never taken for an integer key.
///
/// To use your own hash function, pass its value as `Hash{value}` wherever a key goes. All 64 bits must be well mixed:
/// the high 32 choose the bucket, the low ones the fingerprint. Use it for every key of the filter, and record which
/// function it is, because the saved bytes do not. See cpp/examples/own_hash.cpp.
enum class Hash : std::uint64_t {};

namespace detail {

/// Whether T, `const` or `volatile` or not, is one of these types.
template <class T, class... Types>
concept OneOf = (std::same_as<std::remove_cv_t<T>, Types> || ...);

}  // namespace detail

/// An integer that may be a key: of up to 64 bits, and neither a `bool` nor a character, which might be meant as a
/// string.
template <class T>
concept IntegerKey = std::integral<T> && sizeof(T) <= 8 &&
                     !detail::OneOf<T, bool, char, wchar_t, char8_t, char16_t, char32_t>;

/// A string whose bytes are the key, without a terminating zero. A string in an array ends with the array at the
/// latest.
template <class T>
concept TextKey = std::convertible_to<const T&, std::string_view> && !std::same_as<T, std::nullptr_t>;

/// Bytes that are the key: a range of `std::uint8_t` or `std::byte`, or of `char` in a container that is not a string.
template <class T>
concept BytesKey = std::ranges::contiguous_range<const T> && sizeof(std::ranges::range_value_t<const T>) == 1 &&
                   (std::convertible_to<const T&, std::span<const std::uint8_t>> ||
                    std::convertible_to<const T&, std::span<const std::byte>> ||
                    (std::convertible_to<const T&, std::span<const char>> && !TextKey<T>));

/// What a filter takes as a key: a string, bytes, an integer, or a hash of your own. An integer is its value: equal
/// values of any type are one key, namely the value's 64 bits, two's complement, as 8 little-endian bytes. So
/// `std::int32_t{-1}` and `std::int64_t{-1}` are one key, and `std::uint32_t{0xFFFFFFFF}`, which is 4294967295, is
/// another.
template <class T>
concept Key = IntegerKey<T> || TextKey<T> || BytesKey<T> || std::same_as<T, Hash>;

}  // namespace cuckoo
