// SPDX-License-Identifier: MIT
// A scalable filter to bytes and back: a header, each layer in the form that a filter is saved in, and a checksum; see
// docs/inside/format.md. Invariant: equal states give equal bytes; and no layer is allocated before its header is found
// valid, its table within the caller's limit, and its length within the bytes given.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "cuckoo/filters/scalable.h"
#include "cuckoo/format/format.h"

namespace cuckoo {

inline constexpr std::uint64_t kScalableHeaderBytes = 24;  ///< from the magic to the first layer

namespace detail {

inline constexpr std::uint8_t kScalableMajor = 1;  ///< readers refuse any other
inline constexpr std::array<std::uint8_t, 8> kScalableMagic = {0x89, 'C', 'K', 'S', '\r', '\n', 0x1A, '\n'};

/// What stands in the header of a scalable filter.
struct ScalableHeader {
  std::uint32_t layer_count = 0;
  std::uint32_t doublings = 0;    ///< that the first layer began with
  std::uint64_t total_bytes = 0;  ///< of the whole, checksum and all
};

/// Offsets of the fields; see docs/inside/format.md. All between them is 0.
enum ScalableOffset : std::size_t {
  kScalableAtMinor = 9,
  kScalableAtFlags = 10,
  kScalableAtLayerCount = 12,
  kScalableAtDoublings = 13,
  kScalableAtUnused = 14,
  kScalableAtTotalBytes = 16,
};

/// The header's 24 bytes.
inline std::array<std::uint8_t, kScalableHeaderBytes> write_scalable_header(const ScalableHeader& header) {
  std::array<std::uint8_t, kScalableHeaderBytes> bytes{};
  std::copy(kScalableMagic.begin(), kScalableMagic.end(), bytes.begin());
  bytes[kAtMajor] = kScalableMajor;
  bytes[kScalableAtLayerCount] = static_cast<std::uint8_t>(header.layer_count);
  bytes[kScalableAtDoublings] = static_cast<std::uint8_t>(header.doublings);
  store_word(&bytes[kScalableAtTotalBytes], header.total_bytes);
  return bytes;
}

/// The header at the start of `bytes`. `not_a_filter`, `unsupported_version`, `cut_short` or `inconsistent`.
inline Result<ScalableHeader> read_scalable_header(std::span<const std::uint8_t> bytes) {
  if (const Error error = start_error(bytes, kScalableMagic, kScalableMajor); error != Error::none) return error;
  if (bytes.size() < kScalableHeaderBytes) return Error::cut_short;
  if (bytes[kScalableAtFlags] != 0 || bytes[kScalableAtFlags + 1] != 0) return Error::unsupported_version;
  const ScalableHeader header{bytes[kScalableAtLayerCount], bytes[kScalableAtDoublings],
                              load_word(&bytes[kScalableAtTotalBytes])};
  const bool is_unused_zero = bytes[kScalableAtUnused] == 0 && bytes[kScalableAtUnused + 1] == 0;
  const bool is_scalable = header.layer_count >= 1 && header.layer_count <= kMaxLayers && is_unused_zero;
  return is_scalable ? Result<ScalableHeader>(header) : Error::inconsistent;
}

}  // namespace detail

/// The size of the saved form of `filter` in bytes.
template <class AnyEntries>
std::uint64_t saved_bytes(const BasicScalableFilter<AnyEntries>& filter) {
  std::uint64_t bytes = kScalableHeaderBytes + kTrailerBytes;
  for (std::uint32_t k = 0; k < filter.layer_count(); ++k) bytes += saved_bytes(filter.layer(k));
  return bytes;
}

/// Writes a scalable filter's saved form piece by piece, as `Saver` does a filter's.
template <class AnyEntries>
class ScalableSaver {
 public:
  explicit ScalableSaver(const BasicScalableFilter<AnyEntries>& filter) : filter_(&filter) {}

  /// Writes the next piece and returns its length; 0 when all is written.
  std::size_t next(PieceRoom piece) {
    const std::span<std::uint8_t> room = piece.bytes();
    if (is_done_) return 0;
    if (!layer_) return header(room);
    const std::size_t length = layer_->next(piece);
    if (length == 0) return begin_layer() ? next(piece) : trailer(room);
    // The last piece of a layer is its checksum, which overwrites what was copied of the pieces before.
    std::memcpy(last_.data(), room.data(), std::min(length, last_.size()));
    return length;
  }

 private:
  std::size_t header(std::span<std::uint8_t> room) {
    const auto bytes =
        detail::write_scalable_header({filter_->layer_count(), filter_->first().reserved_bits, saved_bytes(*filter_)});
    std::copy(bytes.begin(), bytes.end(), room.begin());
    checksum_.update(bytes);
    layer_.emplace(filter_->layer(0));
    return bytes.size();
  }
  /// Goes on with the next layer, if there is one.
  bool begin_layer() {
    checksum_.update(last_);
    if (++at_ == filter_->layer_count()) return false;
    layer_.emplace(filter_->layer(at_));
    return true;
  }
  std::size_t trailer(std::span<std::uint8_t> room) {
    detail::store_word(room.data(), static_cast<std::uint64_t>(checksum_.finish()));
    is_done_ = true;
    return kTrailerBytes;
  }

  const BasicScalableFilter<AnyEntries>* filter_;
  std::optional<Saver<AnyEntries>> layer_;  ///< of the layer under way
  std::uint32_t at_ = 0;
  std::array<std::uint8_t, kTrailerBytes> last_{};  ///< at the end of a layer, its checksum
  detail::Xxh64Stream checksum_;                    ///< of the header and the layers' checksums
  bool is_done_ = false;
};

/// What saves `filter`.
template <class AnyEntries>
auto saver_of(const BasicScalableFilter<AnyEntries>& filter) {
  return ScalableSaver(filter);
}

/// Reads a scalable filter's saved form piece by piece: the header, then for each layer its header, payload and
/// checksum, then the checksum of all.
template <class AnyEntries = detail::Entries<>>
class ScalableLoader {
 public:
  /// Checks the header in `head`, which is the first `kScalableHeaderBytes` of `total_bytes` bytes (or all, if there
  /// are fewer). `max_bytes` limits all tables together; every layer has the same `secret`; the filter gets this
  /// `tuning`.
  static Result<ScalableLoader> begin(std::span<const std::uint8_t> head, std::uint64_t total_bytes,
                                      std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max(),
                                      const SecretKey* secret = nullptr, const Tuning& tuning = {}) {
    const Result<detail::ScalableHeader> header = detail::read_scalable_header(head);
    if (!header) return header.error();
    const std::uint64_t least =
        header->layer_count * (kHeaderBytes + kTrailerBytes) + kScalableHeaderBytes + kTrailerBytes;
    if (total_bytes != header->total_bytes || total_bytes < least) return Error::cut_short;
    ScalableLoader loader(*header, total_bytes - kScalableHeaderBytes - kTrailerBytes, max_bytes, secret, tuning);
    loader.checksum_.update(head.first(kScalableHeaderBytes));
    return loader;
  }

  /// True until every layer is read.
  [[nodiscard]] bool has_more() const { return at_ < header_.layer_count; }

  /// Checks the header of the next layer (the next `kHeaderBytes` bytes) against the first layer, and allocates its
  /// table. Errors as `Loader::begin`; `inconsistent` if the layer does not belong here; `cut_short` if no layer fits
  /// into the bytes that are left, whatever `head` is.
  Error begin_layer(std::span<const std::uint8_t> head) {
    if (left_ < kHeaderBytes + kTrailerBytes) return Error::cut_short;
    Result<detail::Header> header = detail::read_header(head);
    if (!header) return header.error();
    header->params.tuning = tuning_;
    const std::uint64_t payload_bytes = table_bytes(header->params);
    const std::uint64_t bytes = kHeaderBytes + payload_bytes + kTrailerBytes;
    if (bytes > left_) return Error::cut_short;
    if (!belongs(*header)) return Error::inconsistent;
    Result<Loader> loader = Loader::begin(head, bytes, max_bytes_, secret_ ? &*secret_ : nullptr, tuning_);
    if (!loader) return loader.error();
    max_bytes_ -= payload_bytes;
    left_ -= bytes;
    layer_.emplace(std::move(*loader));
    return Error::none;
  }
  /// Where to put the payload of the current layer; it has exactly the payload's length.
  [[nodiscard]] std::span<std::uint8_t> table() { return layer_->table(); }
  /// Checks the current layer. Errors as `Loader::finish`.
  Error finish_layer(std::uint64_t checksum) {
    Result<BasicFilter<AnyEntries>> layer =
        layer_->template finish<BasicFilter<AnyEntries>>(checksum, detail::layer_params(first_, at_)->bucket_count);
    layer_.reset();
    if (!layer) return layer.error();
    if (at_ == 0) {
      Result<BasicScalableFilter<AnyEntries>> filter =
          detail::Access::with_layer<BasicScalableFilter<AnyEntries>>(first_, std::move(*layer));
      if (!filter) return filter.error();
      filter_.emplace(std::move(*filter));
    } else if (!detail::Access::push(*filter_, std::move(*layer))) {
      return Error::out_of_memory;
    }
    ++at_;
    std::array<std::uint8_t, kTrailerBytes> bytes;
    detail::store_word(bytes.data(), checksum);
    checksum_.update(bytes);
    return Error::none;
  }
  /// The filter, once every layer is read; or `damaged` or `cut_short`. The loader cannot be used afterwards.
  [[nodiscard]] Result<BasicScalableFilter<AnyEntries>> finish(std::uint64_t checksum) {
    if (left_ != 0 || has_more()) return Error::cut_short;
    if (static_cast<std::uint64_t>(checksum_.finish()) != checksum) return Error::damaged;
    return std::move(*filter_);
  }

 private:
  ScalableLoader(const detail::ScalableHeader& header, std::uint64_t left, std::uint64_t max_bytes,
                 const SecretKey* secret, const Tuning& tuning)
      : header_(header), left_(left), max_bytes_(max_bytes), tuning_(tuning) {
    if (secret != nullptr) secret_ = *secret;
  }

  /// Whether a layer has the parameters that `layer_params` gives, at one of its stages, and no more keys than go into
  /// it. For the first layer, the header says how it began.
  bool belongs(const detail::Header& header) {
    if (at_ == 0) {
      first_ = header.params;
      first_.reserved_bits = header_.doublings;
      if (header_.doublings > kMaxFingerprintBits || header.params.reserved_bits > header_.doublings) return false;
      first_.bucket_count >>= header_.doublings - header.params.reserved_bits;
      if (first_.addressing != Addressing::xor_power_of_two || invalid_field(first_) != Field::none) return false;
    }
    const std::optional<Params> params = detail::layer_params(first_, at_);
    return params && header.params.reserved_bits <= params->reserved_bits &&
           header.size <= detail::layer_capacity(*params, at_) && grown(header.params) == grown(*params);
  }

  detail::ScalableHeader header_;
  std::uint64_t left_;       ///< bytes of the layers that are not read
  std::uint64_t max_bytes_;  ///< that their tables may have
  Tuning tuning_;
  std::optional<SecretKey> secret_;
  Params first_;
  std::uint32_t at_ = 0;
  std::optional<Loader> layer_;
  std::optional<BasicScalableFilter<AnyEntries>> filter_;
  detail::Xxh64Stream checksum_;
};

/// The scalable filter saved in `bytes`, or why they are not one. Any bytes may be given.
template <class AnyEntries = detail::Entries<>>
Result<BasicScalableFilter<AnyEntries>> load_scalable(
    std::span<const std::uint8_t> bytes, std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max(),
    const SecretKey* secret = nullptr, const Tuning& tuning = {}) {
  const auto head = bytes.first(std::min<std::size_t>(bytes.size(), kScalableHeaderBytes));
  Result<ScalableLoader<AnyEntries>> loader =
      ScalableLoader<AnyEntries>::begin(head, bytes.size(), max_bytes, secret, tuning);
  if (!loader) return loader.error();
  bytes = bytes.subspan(kScalableHeaderBytes);
  while (loader->has_more()) {
    const auto layer_head = bytes.first(std::min<std::size_t>(bytes.size(), kHeaderBytes));
    if (const Error error = loader->begin_layer(layer_head); error != Error::none) return error;
    const std::span<std::uint8_t> table = loader->table();
    std::memcpy(table.data(), &bytes[kHeaderBytes], table.size());
    bytes = bytes.subspan(kHeaderBytes + table.size());
    const std::uint64_t checksum = detail::load_word(bytes.data());
    if (const Error error = loader->finish_layer(checksum); error != Error::none) return error;
    bytes = bytes.subspan(kTrailerBytes);
  }
  return loader->finish(detail::load_word(&bytes[bytes.size() - kTrailerBytes]));
}

}  // namespace cuckoo
