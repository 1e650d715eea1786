// The header of a saved filter and its checks; docs/format.md specifies each field. Invariant: `read_header` accepts
// only what `write_header` may have written, each field checked against its range and against the others.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "cuckoo/bits.h"
#include "cuckoo/error.h"
#include "cuckoo/hash/hasher.h"
#include "cuckoo/params.h"

namespace cuckoo {

inline constexpr std::uint64_t kHeaderBytes = 72;  ///< from the magic to the payload
inline constexpr std::uint64_t kTrailerBytes = 8;  ///< the checksum behind the payload
inline constexpr std::uint8_t kFormatMajor = 1;    ///< readers refuse any other
inline constexpr std::uint8_t kFormatMinor = 1;    ///< of filters that are to grow; 0 of all others; readers accept any
inline constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'C', 'K', 'F', '\r', '\n', 0x1A, '\n'};

/// A flag that a reader must understand: the table is to grow, and slots hold reserved bits.
inline constexpr std::uint16_t kIsGrowable = 1;

/// What stands in the header beside the parameters.
struct Header {
  Params params;
  std::uint64_t size = 0;           ///< fingerprints stored
  std::uint64_t payload_bytes = 0;  ///< bytes between header and checksum
};

namespace format_detail {

/// Offsets of the header's fields; see docs/format.md.
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
  kAtMaxKicks = 20,
  kAtBucketCount = 24,
  kAtCapacity = 32,
  kAtSize = 40,
  kAtSeed = 48,
  kAtHashCheck = 56,
  kAtPayloadBytes = 64,
};

/// Saved with a filter, to find at load that keys would be hashed otherwise: with another seed, key or algorithm.
inline std::uint64_t hash_check(const Hasher& hasher) { return static_cast<std::uint64_t>(hasher(kHashCheckKey)); }

}  // namespace format_detail

/// The header's 72 bytes. Of the hasher they hold the check, which does not give its secret away.
inline std::array<std::uint8_t, kHeaderBytes> write_header(const Header& header, const Hasher& hasher) {
  namespace d = format_detail;
  std::array<std::uint8_t, kHeaderBytes> bytes{};
  const Params& params = header.params;
  std::copy(kMagic.begin(), kMagic.end(), bytes.begin());
  bytes[d::kAtMajor] = kFormatMajor;
  bytes[d::kAtMinor] = params.reserved_bits == 0 ? 0 : kFormatMinor;
  bytes[d::kAtStorage] = static_cast<std::uint8_t>(params.storage);
  bytes[d::kAtAddressing] = static_cast<std::uint8_t>(params.addressing);
  bytes[d::kAtHash] = static_cast<std::uint8_t>(params.hash);
  bytes[d::kAtBucketSize] = static_cast<std::uint8_t>(params.bucket_size);
  bytes[d::kAtFingerprintBits] = static_cast<std::uint8_t>(params.fingerprint_bits);
  bytes[d::kAtSparedQuarters] = static_cast<std::uint8_t>(params.spared_quarters | params.reserved_bits << 2);
  bytes[d::kAtMustUnderstand] = params.reserved_bits == 0 ? 0 : kIsGrowable;
  store_word(&bytes[d::kAtMaxKicks], params.max_kicks);
  store_word(&bytes[d::kAtBucketCount], params.bucket_count);
  store_word(&bytes[d::kAtCapacity], params.capacity);
  store_word(&bytes[d::kAtSize], header.size);
  store_word(&bytes[d::kAtSeed], params.seed);
  store_word(&bytes[d::kAtHashCheck], d::hash_check(hasher));
  store_word(&bytes[d::kAtPayloadBytes], header.payload_bytes);
  return bytes;
}

/// The header at the start of `bytes`, each field checked against its range and against the others.
/// `not_a_filter`, `unsupported_version`, `cut_short` or `inconsistent`.
inline Result<Header> read_header(std::span<const std::uint8_t> bytes) {
  namespace d = format_detail;
  const std::size_t known = std::min(bytes.size(), kMagic.size());
  if (known == 0 || !std::equal(kMagic.begin(), kMagic.begin() + known, bytes.begin())) return Error::not_a_filter;
  if (bytes.size() > d::kAtMajor && bytes[d::kAtMajor] != kFormatMajor) return Error::unsupported_version;
  if (bytes.size() < kHeaderBytes) return Error::cut_short;
  const std::uint8_t hash = bytes[d::kAtHash];
  if (bytes[d::kAtStorage] > 1 || hash < 1 || hash > 2) return Error::unsupported_version;
  const std::uint16_t flags = static_cast<std::uint16_t>(load_word(&bytes[d::kAtMustUnderstand]));
  if ((flags & ~kIsGrowable) != 0) return Error::unsupported_version;
  if (bytes[d::kAtAddressing] > 1) return Error::inconsistent;
  Header header;
  header.params.reserved_bits = bytes[d::kAtSparedQuarters] >> 2;
  if ((header.params.reserved_bits != 0) != (flags != 0)) return Error::inconsistent;
  header.params.storage = static_cast<Storage>(bytes[d::kAtStorage]);
  header.params.addressing = static_cast<Addressing>(bytes[d::kAtAddressing]);
  header.params.bucket_size = bytes[d::kAtBucketSize];
  header.params.fingerprint_bits = bytes[d::kAtFingerprintBits];
  header.params.spared_quarters = bytes[d::kAtSparedQuarters] & 3;
  header.params.max_kicks = static_cast<std::uint32_t>(load_word(&bytes[d::kAtMaxKicks]));
  header.params.bucket_count = load_word(&bytes[d::kAtBucketCount]);
  header.params.capacity = load_word(&bytes[d::kAtCapacity]);
  header.params.hash = static_cast<HashAlgorithm>(hash);
  header.params.seed = load_word(&bytes[d::kAtSeed]);
  header.size = load_word(&bytes[d::kAtSize]);
  header.payload_bytes = load_word(&bytes[d::kAtPayloadBytes]);
  if (invalid_field(header.params) != Field::none) return Error::inconsistent;
  if (header.size > slot_count(header.params)) return Error::inconsistent;
  if (header.payload_bytes != table_bytes(header.params)) return Error::inconsistent;
  return header;
}

/// Whether the header `bytes`, with these parameters, belong to a filter with this secret key, or with none:
/// `wrong_key`, or `inconsistent` where the check does not match the seed.
inline Error hash_error(std::span<const std::uint8_t> bytes, const Params& params, const SecretKey* secret) {
  namespace d = format_detail;
  if (!Hasher::fit(params, secret)) return Error::wrong_key;
  if (load_word(&bytes[d::kAtHashCheck]) == d::hash_check(Hasher(params, secret))) return Error::none;
  return secret != nullptr ? Error::wrong_key : Error::inconsistent;
}

}  // namespace cuckoo
