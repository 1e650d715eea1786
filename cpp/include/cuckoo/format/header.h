// SPDX-License-Identifier: MIT
// The header of a saved filter and its checks; docs/inside/format.md specifies each field. Invariant: apart from the
// minor version, and flags that may be ignored, `read_header` accepts only what `write_header` may have written; it
// checks each field against its range and against the others.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "cuckoo/detail/bits.h"
#include "cuckoo/error.h"
#include "cuckoo/filters/table_filter.h"
#include "cuckoo/hash/hasher.h"
#include "cuckoo/params.h"

namespace cuckoo {

inline constexpr std::uint64_t kHeaderBytes = 72;          ///< from the magic to the payload, or to what values add
inline constexpr std::uint64_t kExtendedHeaderBytes = 88;  ///< from the magic to the payload, with values
inline constexpr std::uint64_t kTrailerBytes = 8;          ///< the checksum after the payload

/// The length of the header of a filter whose values are of this kind.
inline std::uint64_t header_bytes(ValueKind kind) {
  return kind == ValueKind::none ? kHeaderBytes : kExtendedHeaderBytes;
}

namespace detail {

inline constexpr std::uint8_t kFormatMajor = 1;  ///< readers refuse any other
inline constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'C', 'K', 'F', '\r', '\n', 0x1A, '\n'};

/// A flag that a reader must understand: the table may grow, and slots hold reserved bits.
inline constexpr std::uint16_t kIsGrowable = 1;
/// Another such flag: entries have values, and the header says of which kind.
inline constexpr std::uint16_t kHasValues = 2;

/// What stands in the header beside the parameters.
struct Header {
  Params params;
  std::uint64_t size = 0;  ///< entries stored
  Extension extension{};
};

/// Offsets of the header's fields; see docs/inside/format.md.
enum Offset : std::size_t {
  kAtMajor = 8,
  kAtMinor = 9,
  kAtStorage = 10,
  kAtAddressing = 11,
  kAtHash = 12,
  kAtBucketSize = 13,
  kAtFingerprintBits = 14,
  kAtSparedQuarters = 15,  ///< and, above its lowest two bits, the reserved bits
  kAtMustUnderstand = 16,
  kAtMayIgnore = 18,
  kAtMaxKicks = 20,  ///< at most 65,535, and nothing depends on it: earlier versions had a limit there
  kAtBucketCount = 24,
  kAtCapacity = 32,
  kAtSize = 40,
  kAtSeed = 48,
  kAtHashCheck = 56,
  kAtPayloadBytes = 64,
  kAtValueKind = 72,  ///< from here on only where entries have values
  kAtValueBits = 73,
  kAtLastPeriod = 74,
  kAtForgotten = 75,
  kAtCurrentPeriod = 76,
  kAtHasClock = 78,
  kAtClock = 80,
};

/// What every filter is saved with: the default of earlier versions.
inline constexpr std::uint32_t kWrittenMaxKicks = 500;

/// Saved with a filter, to notice at load if keys would be hashed differently: with another seed, key or algorithm.
inline std::uint64_t hash_check(const Hasher& hasher) {
  return static_cast<std::uint64_t>(hasher(std::string_view("cuckoofilter")));
}

/// Whether a filter with values of `value_bits` bits can have this extension: no field that belongs to another kind is
/// set.
inline bool is_consistent(const Extension& extension, std::uint32_t value_bits) {
  if (extension.kind == ValueKind::periods) {
    return value_bits == static_cast<std::uint32_t>(std::bit_width(extension.last_period)) &&
           extension.forgotten <= extension.last_period && extension.current_period <= extension.last_period &&
           extension.has_clock <= 1;
  }
  const std::uint32_t most = extension.kind == ValueKind::values ? kMaxValueBits : kMaxCounterBits;
  return value_bits >= 1 && value_bits <= most && extension.last_period == 0 && extension.forgotten == 0 &&
         extension.current_period == 0 && extension.has_clock == 0 && extension.clock == 0;
}

/// The header, followed by zeros if it is shorter. It has the hash check, which does not reveal the hasher's secret.
inline std::array<std::uint8_t, kExtendedHeaderBytes> write_header(const Header& header, const Hasher& hasher) {
  std::array<std::uint8_t, kExtendedHeaderBytes> bytes{};
  const Params& params = header.params;
  const Extension& extension = header.extension;
  const bool is_growable = params.reserved_bits != 0;
  const bool has_values = extension.kind != ValueKind::none;
  std::copy(kMagic.begin(), kMagic.end(), bytes.begin());
  bytes[kAtMajor] = kFormatMajor;
  bytes[kAtMinor] = has_values ? 2 : is_growable ? 1 : 0;
  bytes[kAtStorage] = static_cast<std::uint8_t>(params.storage);
  bytes[kAtAddressing] = static_cast<std::uint8_t>(params.addressing);
  bytes[kAtHash] = static_cast<std::uint8_t>(params.hash);
  bytes[kAtBucketSize] = static_cast<std::uint8_t>(params.bucket_size);
  bytes[kAtFingerprintBits] = static_cast<std::uint8_t>(params.fingerprint_bits);
  bytes[kAtSparedQuarters] = static_cast<std::uint8_t>(params.spared_quarters | params.reserved_bits << 2);
  bytes[kAtMustUnderstand] = (is_growable ? kIsGrowable : 0) | (has_values ? kHasValues : 0);
  store_word(&bytes[kAtMaxKicks], kWrittenMaxKicks);
  store_word(&bytes[kAtBucketCount], params.bucket_count);
  store_word(&bytes[kAtCapacity], params.capacity);
  store_word(&bytes[kAtSize], header.size);
  store_word(&bytes[kAtSeed], params.seed);
  store_word(&bytes[kAtHashCheck], hash_check(hasher));
  store_word(&bytes[kAtPayloadBytes], table_bytes(params));
  bytes[kAtValueKind] = static_cast<std::uint8_t>(extension.kind);
  bytes[kAtValueBits] = static_cast<std::uint8_t>(params.value_bits);
  bytes[kAtLastPeriod] = extension.last_period;
  bytes[kAtForgotten] = extension.forgotten;
  store_word(&bytes[kAtCurrentPeriod], extension.current_period);
  store_word(&bytes[kAtHasClock], extension.has_clock);
  store_word(&bytes[kAtClock], extension.clock);
  return bytes;
}

/// Whether `bytes` begin as a file with this magic and this major version, as far as they go: `not_a_filter`,
/// `unsupported_version` or `none`.
inline Error start_error(std::span<const std::uint8_t> bytes, const std::array<std::uint8_t, 8>& magic,
                         std::uint8_t major) {
  const std::size_t known = std::min(bytes.size(), magic.size());
  if (known == 0 || !std::equal(magic.data(), magic.data() + known, bytes.data())) return Error::not_a_filter;
  return bytes.size() > kAtMajor && bytes[kAtMajor] != major ? Error::unsupported_version : Error::none;
}

/// The header at the start of `bytes`, with each field checked against its range and against the others; or
/// `not_a_filter`, `unsupported_version`, `cut_short` or `inconsistent`. For a filter with values of another `kind`, it
/// is `not_a_filter`, or `unsupported_version` if no values are wanted: a reader that knows no values says the same.
inline Result<Header> read_header(std::span<const std::uint8_t> bytes, ValueKind kind = ValueKind::none) {
  if (const Error error = start_error(bytes, kMagic, kFormatMajor); error != Error::none) return error;
  if (bytes.size() < kHeaderBytes) return Error::cut_short;
  const std::uint8_t hash = bytes[kAtHash];
  if (bytes[kAtStorage] > 1 || hash < 1 || hash > 2) return Error::unsupported_version;
  const std::uint16_t flags = static_cast<std::uint16_t>(load_word(&bytes[kAtMustUnderstand]));
  const bool has_values = kind != ValueKind::none;
  if ((flags & ~(kIsGrowable | (has_values ? kHasValues : 0))) != 0) return Error::unsupported_version;
  Header header;
  if (has_values) {
    if ((flags & kHasValues) == 0) return Error::not_a_filter;
    if (bytes.size() < kExtendedHeaderBytes) return Error::cut_short;
    const std::uint8_t found = bytes[kAtValueKind];
    if (found < 1 || found > 3) return Error::unsupported_version;
    if (found != static_cast<std::uint8_t>(kind)) return Error::not_a_filter;
    header.params.value_bits = bytes[kAtValueBits];
    header.extension = {.kind = kind,
                        .last_period = bytes[kAtLastPeriod],
                        .forgotten = bytes[kAtForgotten],
                        .current_period = static_cast<std::uint16_t>(load_half_word(&bytes[kAtCurrentPeriod])),
                        .has_clock = static_cast<std::uint16_t>(load_half_word(&bytes[kAtHasClock])),
                        .clock = load_word(&bytes[kAtClock])};
    if (!is_consistent(header.extension, header.params.value_bits)) return Error::inconsistent;
  }
  header.params.reserved_bits = bytes[kAtSparedQuarters] >> 2;
  if ((header.params.reserved_bits != 0) != ((flags & kIsGrowable) != 0)) return Error::inconsistent;
  header.params.storage = static_cast<Storage>(bytes[kAtStorage]);
  header.params.addressing = static_cast<Addressing>(bytes[kAtAddressing]);
  header.params.bucket_size = bytes[kAtBucketSize];
  header.params.fingerprint_bits = bytes[kAtFingerprintBits];
  header.params.spared_quarters = bytes[kAtSparedQuarters] & 3;
  header.params.bucket_count = load_word(&bytes[kAtBucketCount]);
  header.params.capacity = load_word(&bytes[kAtCapacity]);
  header.params.hash = static_cast<HashAlgorithm>(hash);
  header.params.seed = load_word(&bytes[kAtSeed]);
  header.size = load_word(&bytes[kAtSize]);
  if (bytes[kAtMaxKicks + 2] != 0 || bytes[kAtMaxKicks + 3] != 0) return Error::inconsistent;
  if (invalid_field(header.params) != Field::none) return Error::inconsistent;
  if (header.size > slot_count(header.params)) return Error::inconsistent;
  if (load_word(&bytes[kAtPayloadBytes]) != table_bytes(header.params)) return Error::inconsistent;
  return header;
}

/// Checks that the header `bytes`, with these parameters, belongs to a filter with this secret key (or none):
/// `wrong_key`, or `inconsistent` if the check does not match the seed.
inline Error hash_error(std::span<const std::uint8_t> bytes, const Params& params, const SecretKey* secret) {
  if (!Hasher::fit(params, secret)) return Error::wrong_key;
  if (load_word(&bytes[kAtHashCheck]) == hash_check(Hasher(params, secret))) return Error::none;
  return secret != nullptr ? Error::wrong_key : Error::inconsistent;
}

}  // namespace detail

}  // namespace cuckoo
