// SPDX-License-Identifier: MIT
// What is left of a batch of hashes after some layers were asked: hashes that were not found go to the next layer
// together. Invariant: the hashes keep their order.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cuckoo/entries/batch.h"
#include "cuckoo/hash/hash.h"

namespace cuckoo::detail {

/// The hashes that were not found, of up to `kGroup`, and their indices in the batch.
class Rest {
 public:
  Rest(std::span<const Hash> group, std::span<const std::uint8_t> found) {
    static_assert(kGroup <= 256, "an index in a group fits in a byte");
    assert(group.size() <= kGroup && found.size() >= group.size());
    // Without a branch: whether a hash was found cannot be predicted.
    for (std::size_t i = 0; i < group.size(); ++i) {
      hashes_[count_] = group[i];
      indexes_[count_] = static_cast<std::uint8_t>(i);
      count_ += found[i] == 0 ? 1u : 0u;
    }
  }

  [[nodiscard]] std::span<const Hash> hashes() const { return std::span(hashes_).first(count_); }
  /// The index in the batch of hash `i` of these.
  [[nodiscard]] std::size_t index(std::size_t i) const { return indexes_[i]; }

 private:
  std::array<Hash, kGroup> hashes_;
  std::array<std::uint8_t, kGroup> indexes_;
  std::size_t count_ = 0;
};

/// Asks `layer` for the hashes that are not found yet.
template <class Layer>
void look_up_rest(const Layer& layer, std::span<const Hash> hashes, std::span<std::uint8_t> found) {
  std::array<std::uint8_t, kGroup> answers;
  for (std::size_t first = 0; first < hashes.size(); first += kGroup) {
    const Rest rest(hashes.subspan(first, std::min(kGroup, hashes.size() - first)), found.subspan(first));
    layer.contains_many(rest.hashes(), answers);
    for (std::size_t i = 0; i < rest.hashes().size(); ++i) found[first + rest.index(i)] = answers[i];
  }
}

}  // namespace cuckoo::detail
