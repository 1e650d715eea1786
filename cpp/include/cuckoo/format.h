// A filter to bytes and back, in the format that cpp/FORMAT.md specifies, in pieces or at once.
// Invariant: equal states give equal bytes, as the slots of a bucket are saved in ascending order (`order` in
// bucket.h); and nothing is allocated before the header is found valid and within the caller's limit.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "cuckoo/canonical.h"
#include "cuckoo/filter.h"
#include "cuckoo/sorted_copy.h"

namespace cuckoo {

inline constexpr std::uint64_t kHeaderBytes = 72;  ///< from the magic to the payload
inline constexpr std::uint64_t kTrailerBytes = 8;  ///< the checksum behind the payload
inline constexpr std::uint8_t kFormatMajor = 1;    ///< readers refuse any other
inline constexpr std::uint8_t kFormatMinor = 1;    ///< of filters that are to grow; 0 of all others; readers accept any
inline constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'C', 'K', 'F', '\r', '\n', 0x1A, '\n'};

/// A flag that a reader must understand: the table is to grow, and slots hold reserved bits.
inline constexpr std::uint16_t kIsToGrow = 1;

/// What stands in the header beside the parameters.
struct Header {
  Params params;
  std::uint64_t size = 0;           ///< fingerprints stored
  std::uint64_t payload_bytes = 0;  ///< bytes between header and checksum
};

namespace format_detail {

/// Offsets of the header's fields; see cpp/FORMAT.md.
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

inline std::uint64_t read_u64(std::span<const std::uint8_t> bytes, std::size_t at) { return load_word(&bytes[at]); }
inline std::uint32_t read_u32(std::span<const std::uint8_t> bytes, std::size_t at) {
  return static_cast<std::uint32_t>(read_u64(bytes, at));
}
inline std::uint16_t read_u16(std::span<const std::uint8_t> bytes, std::size_t at) {
  return static_cast<std::uint16_t>(read_u64(bytes, at));
}
inline void write_u64(std::span<std::uint8_t> bytes, std::size_t at, std::uint64_t value) {
  store_word(&bytes[at], value);
}

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
  bytes[d::kAtMustUnderstand] = params.reserved_bits == 0 ? 0 : kIsToGrow;
  d::write_u64(bytes, d::kAtMaxKicks, params.max_kicks);
  d::write_u64(bytes, d::kAtBucketCount, params.bucket_count);
  d::write_u64(bytes, d::kAtCapacity, params.capacity);
  d::write_u64(bytes, d::kAtSize, header.size);
  d::write_u64(bytes, d::kAtSeed, params.seed);
  d::write_u64(bytes, d::kAtHashCheck, d::hash_check(hasher));
  d::write_u64(bytes, d::kAtPayloadBytes, header.payload_bytes);
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
  const std::uint16_t flags = d::read_u16(bytes, d::kAtMustUnderstand);
  if ((flags & ~kIsToGrow) != 0) return Error::unsupported_version;
  if (bytes[d::kAtAddressing] > 1) return Error::inconsistent;
  Header header;
  header.params.reserved_bits = bytes[d::kAtSparedQuarters] >> 2;
  if ((header.params.reserved_bits != 0) != (flags != 0)) return Error::inconsistent;
  header.params.storage = static_cast<Storage>(bytes[d::kAtStorage]);
  header.params.addressing = static_cast<Addressing>(bytes[d::kAtAddressing]);
  header.params.bucket_size = bytes[d::kAtBucketSize];
  header.params.fingerprint_bits = bytes[d::kAtFingerprintBits];
  header.params.spared_quarters = bytes[d::kAtSparedQuarters] & 3;
  header.params.max_kicks = d::read_u32(bytes, d::kAtMaxKicks);
  header.params.bucket_count = d::read_u64(bytes, d::kAtBucketCount);
  header.params.capacity = d::read_u64(bytes, d::kAtCapacity);
  header.params.hash = static_cast<HashAlgorithm>(hash);
  header.params.seed = d::read_u64(bytes, d::kAtSeed);
  header.size = d::read_u64(bytes, d::kAtSize);
  header.payload_bytes = d::read_u64(bytes, d::kAtPayloadBytes);
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
  if (d::read_u64(bytes, d::kAtHashCheck) == d::hash_check(Hasher(params, secret))) return Error::none;
  return secret != nullptr ? Error::wrong_key : Error::inconsistent;
}

/// Bytes that saving `filter` gives: its table and 80 more.
template <class Trace>
std::uint64_t saved_bytes(const Filter<Trace>& filter) {
  return kHeaderBytes + table_bytes(filter.params()) + kTrailerBytes;
}

/// Writes a filter's saved form piece by piece, so that no second copy of the table is needed.
/// The filter must live, unchanged, until the last piece is taken.
template <class Trace>
class Saver {
 public:
  /// The least room that `next` needs: the header, or eight of the largest buckets and their padding.
  static constexpr std::size_t kMinRoom = 512;

  explicit Saver(const Filter<Trace>& filter) : filter_(&filter) {}

  /// Writes the next piece into `room` (at least `kMinRoom` bytes) and returns its length; 0 when all is
  /// written.
  std::size_t next(std::span<std::uint8_t> room) {
    if (stage_ == Stage::done) return 0;
    if (stage_ == Stage::trailer) return trailer(room);
    const std::size_t length = stage_ == Stage::header ? header(room) : payload(room);
    checksum_.update(room.first(length));
    return length;
  }

 private:
  enum class Stage { header, payload, trailer, done };

  std::size_t header(std::span<std::uint8_t> room) {
    const auto bytes =
        write_header({filter_->params(), filter_->size(), filter_->table().byte_count()}, filter_->hasher());
    std::copy(bytes.begin(), bytes.end(), room.begin());
    stage_ = Stage::payload;
    return bytes.size();
  }

  /// Eight buckets, or any multiple, end on a byte, so pieces are cut there.
  std::size_t payload(std::span<std::uint8_t> room) {
    const Table& table = filter_->table();
    const BucketLayout& layout = table.layout();
    const std::uint64_t groups = (room.size() - kTablePadding) / layout.bucket_bits;
    const std::uint64_t buckets = std::min(groups * 8, table.bucket_count() - bucket_);
    const std::uint8_t* const first = &table.bytes()[static_cast<std::size_t>(bucket_ * layout.bucket_bits / 8)];
    const auto length = static_cast<std::size_t>((buckets * layout.bucket_bits + 7) / 8);
    if (layout.is_semi_sorted()) {
      std::memcpy(room.data(), first, length);
    } else {
      copy_sorted(layout, first, room.data(), buckets);
    }
    bucket_ += buckets;
    if (bucket_ == table.bucket_count()) stage_ = Stage::trailer;
    return length;
  }

  std::size_t trailer(std::span<std::uint8_t> room) {
    format_detail::write_u64(room, 0, static_cast<std::uint64_t>(checksum_.finish()));
    stage_ = Stage::done;
    return kTrailerBytes;
  }

  const Filter<Trace>* filter_;
  StreamingHash checksum_;
  std::uint64_t bucket_ = 0;
  Stage stage_ = Stage::header;
};

/// Reads a filter's saved form piece by piece: the header, then the payload into `table`, then the checksum.
template <class Trace = NoTrace>
class Loader {
 public:
  /// Checks the header at the start of `head` (the first `kHeaderBytes` bytes, or all if there are fewer) of
  /// `total_bytes` bytes, then allocates. A table of more than `max_bytes` is `Error::too_large`; `secret` must be
  /// given for a keyed filter, and only for one, or else it is `Error::wrong_key`.
  static Result<Loader> begin(std::span<const std::uint8_t> head, std::uint64_t total_bytes,
                              std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max(),
                              const SecretKey* secret = nullptr) {
    Result<Header> header = read_header(head);
    if (!header) return header.error();
    if (const Error error = hash_error(head, header->params, secret); error != Error::none) return error;
    if (total_bytes != kHeaderBytes + header->payload_bytes + kTrailerBytes) return Error::cut_short;
    if (header->payload_bytes > max_bytes) return Error::too_large;
    Result<Table> table = Table::create(header->params);
    if (!table) return table.error();
    Loader loader(*header, Hasher(header->params, secret), std::move(*table));
    loader.checksum_.update(head.first(kHeaderBytes));
    return loader;
  }

  /// Where the payload belongs; its length is the payload's.
  [[nodiscard]] std::span<std::uint8_t> table() { return table_.bytes(); }

  /// Checks payload and checksum. `damaged`, `inconsistent` or `out_of_memory`. The loader is spent.
  [[nodiscard]] Result<Filter<Trace>> finish(std::uint64_t checksum) {
    checksum_.update(table_.bytes());
    if (static_cast<std::uint64_t>(checksum_.finish()) != checksum) return Error::damaged;
    if (!is_canonical()) return Error::inconsistent;
    return Filter<Trace>::with_table(header_.params, hasher_, std::move(table_), header_.size);
  }

 private:
  Loader(const Header& header, const Hasher& hasher, Table table)
      : header_(header), hasher_(hasher), table_(std::move(table)) {}

  /// Canonical buckets, as many slots in use as the header says, and no bit set behind the last.
  [[nodiscard]] bool is_canonical() const {
    constexpr std::uint64_t kPiece = 4096;
    const CanonicalForm form(header_.params, table_.layout());
    const std::uint64_t bucket_bits = table_.layout().bucket_bits;
    const std::uint64_t buckets = table_.bucket_count();
    std::uint64_t used = 0;
    for (std::uint64_t first = 0; first < buckets; first += kPiece) {
      const std::uint64_t size =
          form.size(table_.bytes().data(), first * bucket_bits, std::min(kPiece, buckets - first));
      if (size == kNotCanonical) return false;
      used += size;
    }
    const std::uint64_t bits = buckets * bucket_bits;
    return used == header_.size && (bits % 8 == 0 || table_.bytes().back() >> (bits % 8) == 0);
  }

  Header header_;
  Hasher hasher_;
  Table table_;
  StreamingHash checksum_;
};

/// Writes every piece that `saver` gives into `bytes`, which has room for them.
template <class PieceSaver>
void save_pieces(PieceSaver saver, std::span<std::uint8_t> bytes) {
  std::array<std::uint8_t, 4096> room;
  for (std::size_t length; (length = saver.next(room)) != 0; bytes = bytes.subspan(length)) {
    std::memcpy(bytes.data(), room.data(), length);
  }
}

/// Saves `filter` into `bytes`, which must be `saved_bytes(filter)` long.
template <class Trace>
void save(const Filter<Trace>& filter, std::span<std::uint8_t> bytes) {
  save_pieces(Saver<Trace>(filter), bytes);
}

/// The filter saved in `bytes`, or why there is none; any bytes may be given. See `Loader::begin` for `max_bytes` and
/// `secret`.
template <class Trace = NoTrace>
Result<Filter<Trace>> load(std::span<const std::uint8_t> bytes,
                           std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max(),
                           const SecretKey* secret = nullptr) {
  const auto head = bytes.first(std::min<std::size_t>(bytes.size(), kHeaderBytes));
  Result<Loader<Trace>> loader = Loader<Trace>::begin(head, bytes.size(), max_bytes, secret);
  if (!loader) return loader.error();
  const std::span<std::uint8_t> table = loader->table();
  std::memcpy(table.data(), &bytes[kHeaderBytes], table.size());
  return loader->finish(format_detail::read_u64(bytes, bytes.size() - kTrailerBytes));
}

}  // namespace cuckoo
