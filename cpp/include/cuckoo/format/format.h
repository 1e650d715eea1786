// SPDX-License-Identifier: MIT
// A filter to bytes and back, in the format that docs/inside/format.md specifies, in pieces or at once.
// Invariant: equal states give equal bytes, because the slots of a bucket are saved in ascending order (`order` in
// bucket_layout.h); and nothing is allocated before the header is found valid and within the caller's limit.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cuckoo/detail/format/canonical.h"
#include "cuckoo/detail/format/sorted_copy.h"
#include "cuckoo/detail/hash/xxh64.h"
#include "cuckoo/detail/table/bucket_appender.h"
#include "cuckoo/filters/filter.h"
#include "cuckoo/filters/table_filter.h"
#include "cuckoo/format/header.h"

namespace cuckoo {

/// A filter of one table, without values or with them.
template <class AnyFilter>
concept OneTable = requires(const AnyFilter& filter) {
  AnyFilter::kKind;
  filter.params();
};

/// The size of the saved form of `filter` in bytes: that of its table plus 80, or plus 96 if it has values.
template <OneTable AnyFilter>
std::uint64_t saved_bytes(const AnyFilter& filter) {
  return header_bytes(AnyFilter::kKind) + table_bytes(filter.params()) + kTrailerBytes;
}

/// Memory for one piece of a saved filter, which is always long enough. For a fixed-size array, this is checked at
/// compile time.
class PieceRoom {
 public:
  /// Enough for the header, and for eight of the largest buckets with their padding.
  static constexpr std::size_t kLeast = 512;

  template <std::size_t kLength>
  requires(kLength >= kLeast) PieceRoom(std::array<std::uint8_t, kLength>& bytes)
      : bytes_(bytes) {}  // NOLINT: an array that is long enough is one
  template <std::size_t kLength>
  requires(kLength >= kLeast) PieceRoom(std::uint8_t (&bytes)[kLength]) : bytes_(bytes) {}  // NOLINT: likewise
  /// No value if `bytes` is too short.
  static std::optional<PieceRoom> of(std::span<std::uint8_t> bytes) {
    return bytes.size() < kLeast ? std::nullopt : std::optional(PieceRoom(bytes));
  }

  [[nodiscard]] std::span<std::uint8_t> bytes() const { return bytes_; }

 private:
  explicit PieceRoom(std::span<std::uint8_t> bytes) : bytes_(bytes) {}

  std::span<std::uint8_t> bytes_;
};

/// Writes a filter's saved form piece by piece, so that no second copy of the table is needed. The filter must not
/// change or be destroyed until the last piece is written.
template <class AnyEntries>
class Saver {
 public:
  template <OneTable AnyFilter>
  explicit Saver(const AnyFilter& filter)
      : header_(
            detail::write_header({filter.params(), filter.size(), detail::Access::extension(filter)}, filter.hasher())),
        header_bytes_(header_bytes(AnyFilter::kKind)),
        entries_(&detail::Access::entries(filter)) {}

  /// Writes the next piece and returns its length; 0 when all is written. The pieces are the header, as many buckets as
  /// there is room for, again and again, and the checksum.
  std::size_t next(PieceRoom piece) {
    const std::span<std::uint8_t> room = piece.bytes();
    std::size_t length = 0;
    if (header_bytes_ != 0) {
      length = static_cast<std::size_t>(std::exchange(header_bytes_, 0));
      std::copy_n(header_.begin(), length, room.begin());
    } else if (bucket_ < entries_->params().bucket_count) {
      length = next_buckets(room);
    } else if (!is_done_) {
      is_done_ = true;
      detail::store_word(room.data(), static_cast<std::uint64_t>(checksum_.finish()));
      return kTrailerBytes;
    }
    checksum_.update(room.first(length));
    return length;
  }

 private:
  /// Any multiple of eight buckets ends on a byte, so pieces are cut there.
  std::size_t next_buckets(std::span<std::uint8_t> room) {
    const detail::BucketLayout& layout = entries_->buckets().layout();
    const std::uint64_t eights = (room.size() - detail::kTablePadding) / layout.bucket_bits;
    const std::uint64_t buckets = std::min(eights * 8, entries_->params().bucket_count - bucket_);
    const auto length = static_cast<std::size_t>((buckets * layout.bucket_bits + 7) / 8);
    copy_buckets(layout, room.data(), buckets, length);
    bucket_ += buckets;
    return length;
  }
  void copy_buckets(const detail::BucketLayout& layout, std::uint8_t* to, std::uint64_t buckets,
                    std::size_t length) const {
    if (entries_->has_work()) {
      detail::BucketAppender writer(layout, to);
      for (std::uint64_t i = 0; i < buckets; ++i) writer.put(entries_->buckets().read_sorted(bucket_ + i));
      return writer.finish();
    }
    const std::span<const std::uint8_t> bytes = entries_->table().bytes();
    const std::uint8_t* const first = &bytes[static_cast<std::size_t>(bucket_ * layout.bucket_bits / 8)];
    if (layout.is_semi_sorted()) {
      std::memcpy(to, first, length);
    } else {
      detail::copy_sorted(layout, first, to, buckets);
    }
  }

  std::array<std::uint8_t, kExtendedHeaderBytes> header_;
  std::uint64_t header_bytes_;  ///< still to be written
  const AnyEntries* entries_;
  detail::Xxh64Stream checksum_;
  std::uint64_t bucket_ = 0;
  bool is_done_ = false;
};

template <OneTable AnyFilter>
Saver(const AnyFilter&) -> Saver<typename AnyFilter::TableEntries>;

/// What saves `filter`. That of a scalable filter is in scalable_format.h.
template <OneTable AnyFilter>
auto saver_of(const AnyFilter& filter) {
  return Saver(filter);
}

template <class AnyEntries>
class ScalableLoader;

namespace detail {

/// The header in `head`, which is the first bytes of `total_bytes`: valid, of that length, and for this secret. Errors
/// as `Loader::begin`.
inline Result<Header> read_header_to_load(std::span<const std::uint8_t> head, std::uint64_t total_bytes,
                                          const SecretKey* secret, ValueKind kind = ValueKind::none) {
  Result<Header> header = read_header(head, kind);
  if (!header) return header;
  if (const Error error = hash_error(head, header->params, secret); error != Error::none) return error;
  if (total_bytes != header_bytes(kind) + table_bytes(header->params) + kTrailerBytes) return Error::cut_short;
  return header;
}

/// Checks what follows the header: that buckets are canonical, that as many slots are in use as the header says, that
/// no bit is set after the last one, and the checksum.
class PayloadCheck {
 public:
  /// Buckets in every piece but the last.
  static constexpr std::uint64_t kPieceBuckets = 4096;

  PayloadCheck(std::span<const std::uint8_t> head, const Header& header)
      : header_(header), bucket_bits_(bucket_bits(header.params)), left_(header.params.bucket_count) {
    checksum_.update(head.first(static_cast<std::size_t>(header_bytes(header.extension.kind))));
  }

  [[nodiscard]] const Header& header() const { return header_; }
  /// Buckets still to come.
  [[nodiscard]] std::uint64_t left() const { return left_; }
  /// Buckets of the next piece; 0 after the last.
  [[nodiscard]] std::uint64_t piece_buckets() const { return std::min(kPieceBuckets, left_); }
  /// Bytes of the next piece.
  [[nodiscard]] std::size_t piece_bytes() const {
    return static_cast<std::size_t>((piece_buckets() * bucket_bits_ + 7) / 8);
  }
  /// Takes the next piece, with `kTablePadding` readable bytes after it.
  void add(const BucketLayout& layout, const std::uint8_t* bytes) {
    const std::uint64_t buckets = piece_buckets();
    const std::uint64_t bits = buckets * bucket_bits_;
    checksum_.update({bytes, piece_bytes()});
    const std::uint64_t used = CanonicalForm(header_.params, layout).size(bytes, 0, buckets);
    is_canonical_ &= used != kNotCanonical && (bits % 8 == 0 || bytes[bits / 8] >> (bits % 8) == 0);
    used_ += used;
    left_ -= buckets;
  }
  /// `damaged`, which outweighs `inconsistent`; or `none`.
  [[nodiscard]] Error finish(std::uint64_t checksum) const {
    if (static_cast<std::uint64_t>(checksum_.finish()) != checksum) return Error::damaged;
    return is_canonical_ && used_ == header_.size ? Error::none : Error::inconsistent;
  }

 private:
  Header header_;
  Xxh64Stream checksum_;
  std::uint64_t bucket_bits_;
  std::uint64_t left_;
  std::uint64_t used_ = 0;  ///< slots in the pieces so far
  bool is_canonical_ = true;
};

}  // namespace detail

/// Reads a filter's saved form piece by piece: the header, then the payload into `table`, then the checksum.
class Loader {
 public:
  /// Checks the header in `head`, which is the first `header_bytes(kind)` of `total_bytes` bytes (or all, if there are
  /// fewer), then allocates. `Error::too_large` if the table has more than `max_bytes`; `Error::wrong_key` if the
  /// filter is keyed and `secret` is missing or wrong, or if it is not keyed and `secret` is given. The filter gets
  /// this `tuning`.
  static Result<Loader> begin(std::span<const std::uint8_t> head, std::uint64_t total_bytes,
                              std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max(),
                              const SecretKey* secret = nullptr, const Tuning& tuning = {},
                              ValueKind kind = ValueKind::none) {
    Result<detail::Header> header = detail::read_header_to_load(head, total_bytes, secret, kind);
    if (!header) return header.error();
    if (table_bytes(header->params) > max_bytes) return Error::too_large;
    header->params.tuning = tuning;
    Result<detail::Table> table = detail::Table::create(header->params);
    if (!table) return table.error();
    return Loader(head, *header, secret, std::move(*table));
  }

  /// Where to put the payload; it has exactly the payload's length.
  [[nodiscard]] std::span<std::uint8_t> table() { return table_.bytes(); }

  /// Checks payload and checksum, and returns the filter, whose class must have the kind given to `begin`; or
  /// `damaged`, `inconsistent` or `out_of_memory`. The loader cannot be used afterwards.
  template <OneTable AnyFilter>
  [[nodiscard]] Result<AnyFilter> finish(std::uint64_t checksum) {
    return finish<AnyFilter>(checksum, detail::least_bucket_count(check_.header().params));
  }

 private:
  template <class AnyEntries>
  friend class ScalableLoader;

  Loader(std::span<const std::uint8_t> head, const detail::Header& header, const SecretKey* secret, detail::Table table)
      : check_(head, header), hasher_(header.params, secret), table_(std::move(table)) {}

  /// The same for a filter whose table is known to have begun with this many buckets.
  template <OneTable AnyFilter>
  [[nodiscard]] Result<AnyFilter> finish(std::uint64_t checksum, std::uint64_t first_bucket_count) {
    const detail::Header& header = check_.header();
    const bool is_of_kind = header.extension.kind == AnyFilter::kKind;
    assert(is_of_kind);
    if (!is_of_kind) return Error::inconsistent;
    if (const Error error = check(checksum); error != Error::none) return error;
    return detail::Access::adopt<AnyFilter>(
        typename AnyFilter::TableEntries(header.params, std::move(table_), header.size, first_bucket_count), hasher_,
        header.extension);
  }
  Error check(std::uint64_t checksum) {
    const std::uint8_t* piece = table_.bytes().data();
    while (const std::size_t length = check_.piece_bytes()) {
      check_.add(table_.layout(), piece);
      piece += length;
    }
    return check_.finish(checksum);
  }

  detail::PayloadCheck check_;
  Hasher hasher_;
  detail::Table table_;
};

/// A filter that can be saved and compared as it is. (A `ConcurrentFilter` takes a snapshot first.)
template <class AnyFilter>
concept Savable = requires(const AnyFilter& filter) {
  saver_of(filter);
};

/// What takes bytes, such as a function that writes them to a file: false if it could not.
template <class T>
concept ByteSink = std::predicate<T&, std::span<const std::uint8_t>>;

/// Whether both have the same parameters, hash and entries, and so the same saved bytes.
template <Savable AnyFilter>
bool operator==(const AnyFilter& one, const AnyFilter& other) {
  auto of_one = saver_of(one), of_other = saver_of(other);
  std::array<std::uint8_t, 4096> room;
  std::array<std::uint8_t, 4096> other_room;
  for (;;) {
    const std::size_t length = of_one.next(room);
    if (of_other.next(other_room) != length || std::memcmp(room.data(), other_room.data(), length) != 0) return false;
    if (length == 0) return true;
  }
}

/// Passes the saved form of `filter` to `sink`, piece by piece, so that no second copy of the table is needed. False as
/// soon as the sink returns false.
template <Savable AnyFilter, ByteSink Sink>
[[nodiscard]] bool save(const AnyFilter& filter, Sink sink) {
  auto saver = saver_of(filter);
  std::array<std::uint8_t, 4096> room;
  while (const std::size_t length = saver.next(room)) {
    if (!sink(std::span<const std::uint8_t>(room).first(length))) return false;
  }
  return true;
}
/// Saves `filter` into `bytes`, which must be at least `saved_bytes(filter)` long. False, and nothing written, if it is
/// shorter.
template <Savable AnyFilter>
[[nodiscard]] bool save(const AnyFilter& filter, std::span<std::uint8_t> bytes) {
  const std::uint64_t length = saved_bytes(filter);
  assert(bytes.size() >= length);
  if (bytes.size() < length) return false;
  return save(filter, [bytes](std::span<const std::uint8_t> piece) mutable {
    std::memcpy(bytes.data(), piece.data(), piece.size());
    bytes = bytes.subspan(piece.size());
    return true;
  });
}
/// The saved form of `filter`. Without memory for it, it throws `std::bad_alloc`, as every vector does.
template <Savable AnyFilter>
[[nodiscard]] std::vector<std::uint8_t> save(const AnyFilter& filter) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(saved_bytes(filter)));
  [[maybe_unused]] const bool is_saved = save(filter, std::span(bytes));
  assert(is_saved);
  return bytes;
}

/// The filter saved in `bytes`, or why they are not one. Any bytes may be given. See `Loader::begin` for `max_bytes`,
/// `secret` and `tuning`.
template <OneTable AnyFilter = Filter>
Result<AnyFilter> load(std::span<const std::uint8_t> bytes,
                       std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max(),
                       const SecretKey* secret = nullptr, const Tuning& tuning = {}) {
  constexpr ValueKind kKind = AnyFilter::kKind;
  const auto head = static_cast<std::size_t>(header_bytes(kKind));
  Result<Loader> loader =
      Loader::begin(bytes.first(std::min(bytes.size(), head)), bytes.size(), max_bytes, secret, tuning, kKind);
  if (!loader) return loader.error();
  const std::span<std::uint8_t> table = loader->table();
  std::memcpy(table.data(), &bytes[head], table.size());
  return loader->template finish<AnyFilter>(detail::load_word(&bytes[bytes.size() - kTrailerBytes]));
}

}  // namespace cuckoo
