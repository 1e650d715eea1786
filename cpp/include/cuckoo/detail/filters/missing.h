// SPDX-License-Identifier: MIT
// The hashes of a batch that some layers have not found; they go to the next layer together. Invariant: the hashes keep
// their order.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cuckoo/detail/entries/batch.h"
#include "cuckoo/hash/hash.h"

namespace cuckoo::detail {

/// The hashes that were not found, of up to `kChunk`, and their indices in the batch.
class Missing {
 public:
  Missing(std::span<const Hash> chunk, std::span<const std::uint8_t> found) {
    static_assert(kChunk <= 256, "an index in a chunk fits in a byte");
    assert(chunk.size() <= kChunk && found.size() >= chunk.size());
    // Without a branch: whether a hash was found cannot be predicted.
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      hashes_[count_] = chunk[i];
      indexes_[count_] = static_cast<std::uint8_t>(i);
      count_ += found[i] == 0 ? 1u : 0u;
    }
  }

  [[nodiscard]] std::span<const Hash> hashes() const { return std::span(hashes_).first(count_); }
  /// The index in the batch of hash `i` of these.
  [[nodiscard]] std::size_t index(std::size_t i) const { return indexes_[i]; }

 private:
  std::array<Hash, kChunk> hashes_;
  std::array<std::uint8_t, kChunk> indexes_;
  std::size_t count_ = 0;
};

/// Asks `layer` for the hashes that are not found yet.
template <class Layer>
void look_up_missing(const Layer& layer, std::span<const Hash> hashes, std::span<std::uint8_t> found) {
  std::array<std::uint8_t, kChunk> answers;
  for (std::size_t first = 0; first < hashes.size(); first += kChunk) {
    const Missing missing(hashes.subspan(first, std::min(kChunk, hashes.size() - first)), found.subspan(first));
    layer.contains_many(missing.hashes(), answers);
    for (std::size_t i = 0; i < missing.hashes().size(); ++i) found[first + missing.index(i)] = answers[i];
  }
}

}  // namespace cuckoo::detail
