// A filter to bytes and back, in the format that docs/format.md specifies, in pieces or at once.
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

#include "cuckoo/filter/filter.h"
#include "cuckoo/format/canonical.h"
#include "cuckoo/format/header.h"
#include "cuckoo/format/sorted_copy.h"
#include "cuckoo/hash/xxh64.h"

namespace cuckoo {

/// The size of the saved form of `filter` in bytes: its table and 80 more.
template <class Trace>
std::uint64_t saved_bytes(const Filter<Trace>& filter) {
  return kHeaderBytes + table_bytes(filter.params()) + kTrailerBytes;
}

/// Writes a filter's saved form piece by piece, so that no second copy of the table is needed.
/// The filter must not change or be destroyed until the last piece is written.
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
    store_word(room.data(), static_cast<std::uint64_t>(checksum_.finish()));
    stage_ = Stage::done;
    return kTrailerBytes;
  }

  const Filter<Trace>* filter_;
  Xxh64Stream checksum_;
  std::uint64_t bucket_ = 0;
  Stage stage_ = Stage::header;
};

/// Reads a filter's saved form piece by piece: the header, then the payload into `table`, then the checksum.
template <class Trace = NoTrace>
class Loader {
 public:
  /// Checks the header at the start of `head` (the first `kHeaderBytes` bytes, or all if there are fewer) of
  /// `total_bytes` bytes, then allocates. A table of more than `max_bytes` is `Error::too_large`; `secret` must be
  /// given for a keyed filter, and only for one, or else it is `Error::wrong_key`. `wants_huge_pages` as in `Params`.
  static Result<Loader> begin(std::span<const std::uint8_t> head, std::uint64_t total_bytes,
                              std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max(),
                              const SecretKey* secret = nullptr, bool wants_huge_pages = true) {
    Result<Header> header = read_header(head);
    if (!header) return header.error();
    if (const Error error = hash_error(head, header->params, secret); error != Error::none) return error;
    if (total_bytes != kHeaderBytes + header->payload_bytes + kTrailerBytes) return Error::cut_short;
    if (header->payload_bytes > max_bytes) return Error::too_large;
    header->params.wants_huge_pages = wants_huge_pages;
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
  Xxh64Stream checksum_;
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

/// The filter saved in `bytes`, or why there is none; any bytes may be given. See `Loader::begin` for `max_bytes`,
/// `secret` and `wants_huge_pages`.
template <class Trace = NoTrace>
Result<Filter<Trace>> load(std::span<const std::uint8_t> bytes,
                           std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max(),
                           const SecretKey* secret = nullptr, bool wants_huge_pages = true) {
  const auto head = bytes.first(std::min<std::size_t>(bytes.size(), kHeaderBytes));
  Result<Loader<Trace>> loader = Loader<Trace>::begin(head, bytes.size(), max_bytes, secret, wants_huge_pages);
  if (!loader) return loader.error();
  const std::span<std::uint8_t> table = loader->table();
  std::memcpy(table.data(), &bytes[kHeaderBytes], table.size());
  return loader->finish(load_word(&bytes[bytes.size() - kTrailerBytes]));
}

}  // namespace cuckoo
