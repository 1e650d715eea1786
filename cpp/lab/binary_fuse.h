// The binary fuse filter of three blocks (Graf and Lemire 2022): static, built from all keys at once, 1.13 times the
// bits of their fingerprints. Invariant: the exclusive or of a key's three cells is its fingerprint, for every key that
// it was built from.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "lab/filter.h"

namespace lab {

class BinaryFuseFilter {
 public:
  /// A filter of the keys `hashes`, with fingerprints of `fingerprint_bits` bits, 1 to 32. Keys may repeat. Takes 24
  /// bytes per key while it builds. `out_of_range`, or `out_of_memory` if 100 seeds fail, which distinct hashes do not.
  static Result<BinaryFuseFilter> build(std::span<const Hash> hashes, std::uint32_t fingerprint_bits) {
    if (fingerprint_bits < 1 || fingerprint_bits > 32 || hashes.size() > std::uint64_t{1} << 31) {
      return Error::out_of_range;
    }
    std::vector<std::uint64_t> keys(hashes.size());
    std::transform(hashes.begin(), hashes.end(), keys.begin(),
                   [](Hash hash) { return static_cast<std::uint64_t>(hash); });
    BinaryFuseFilter filter(keys.size(), fingerprint_bits);
    Result<Memory> memory = Memory::create((filter.cell_count_ * fingerprint_bits + 7) / 8);
    if (!memory) return memory.error();
    filter.memory_ = std::move(*memory);
    for (std::uint32_t attempt = 0; attempt < 100; ++attempt) {
      if (filter.try_seed(mix(attempt + 1), keys)) return filter;
      if (attempt == 1) {  // more likely repeated keys than bad luck
        std::sort(keys.begin(), keys.end());
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
      }
    }
    return Error::out_of_memory;
  }

  template <class See>
  bool look_up(Hash hash, See see) const {
    if (size_ == 0) return false;
    const std::uint64_t word = mix(static_cast<std::uint64_t>(hash) + seed_);
    std::uint32_t rest = fingerprint_of(word);
    for (std::uint32_t i = 0; i < 3; ++i) {
      const std::uint64_t bit = cell_of(word, i) * fingerprint_bits_;
      see(bit >> 3, static_cast<std::uint32_t>(((bit & 7) + fingerprint_bits_ + 7) >> 3));
      rest ^= memory_.get(bit, fingerprint_bits_);
    }
    return rest == 0;
  }
  [[nodiscard]] bool contains(Hash hash) const { return look_up(hash, Unseen()); }

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t capacity() const { return size_; }
  [[nodiscard]] std::uint64_t byte_count() const { return memory_.byte_count(); }
  [[nodiscard]] double expected_rate() const {
    return size_ == 0 ? 0 : std::exp2(-static_cast<double>(fingerprint_bits_));
  }

 private:
  /// Sizes of Graf and Lemire 2022, section 3: segments of 2^floor(log_3.33 n + 2.25) cells, and
  /// max(1.125, 0.875 + 0.25 log(10^6) / log(n)) n cells.
  BinaryFuseFilter(std::uint64_t n, std::uint32_t fingerprint_bits)
      : memory_(*Memory::create(0)), size_(n), fingerprint_bits_(fingerprint_bits) {
    const auto keys = static_cast<double>(std::max<std::uint64_t>(n, 2));
    segment_bits_ = std::min(18u, static_cast<std::uint32_t>(std::floor(std::log(keys) / std::log(3.33) + 2.25)));
    const double factor = std::max(1.125, 0.875 + 0.25 * std::log(1e6) / std::log(keys));
    const auto cells = static_cast<std::uint64_t>(std::ceil(keys * factor));
    const std::uint64_t segment = std::uint64_t{1} << segment_bits_;
    // Starts of keys: a key's cells lie in three segments from its own on.
    starts_ =
        std::max<std::uint64_t>(1, (cells + segment - 1) / segment - std::min<std::uint64_t>(2, (cells - 1) / segment));
    cell_count_ = (starts_ + 2) * segment;
  }

  [[nodiscard]] std::uint32_t fingerprint_of(std::uint64_t word) const {
    return low_half(word ^ word >> 32) & (~0u >> (32 - fingerprint_bits_));
  }
  /// Cell i lies in the i-th segment from the key's own on.
  [[nodiscard]] std::uint64_t cell_of(std::uint64_t word, std::uint32_t i) const {
    // The start comes from the high bits, so that keys in the order of their hashes are in the order of their cells.
    const std::uint64_t first = below(high_half(word), starts_ << segment_bits_);
    const std::uint64_t other = i == 0 ? 0 : word >> (i == 1 ? 18 : 0) & ((std::uint64_t{1} << segment_bits_) - 1);
    return (first + (std::uint64_t{i} << segment_bits_)) ^ other;
  }

  /// Peels: a cell that one key alone has is that key's, which leaves the other two with a key less. If all keys go,
  /// their cells are set in the reverse order.
  bool try_seed(std::uint64_t seed, const std::vector<std::uint64_t>& keys) {
    seed_ = seed;
    size_ = keys.size();
    struct Cell {
      std::uint64_t keys = 0;   ///< exclusive or of the mixed hashes of its keys
      std::uint32_t count = 0;  ///< of its keys
    };
    std::vector<Cell> cells(static_cast<std::size_t>(cell_count_));
    for (const std::uint64_t key : keys) {
      const std::uint64_t word = mix(key + seed_);
      for (std::uint32_t i = 0; i < 3; ++i) {
        Cell& cell = cells[static_cast<std::size_t>(cell_of(word, i))];
        cell.keys ^= word;
        ++cell.count;
      }
    }
    std::vector<std::uint64_t> alone;
    for (std::uint64_t at = 0; at < cell_count_; ++at) {
      if (cells[static_cast<std::size_t>(at)].count == 1) alone.push_back(at);
    }
    struct Peeled {
      std::uint64_t word;
      std::uint64_t cell;
    };
    std::vector<Peeled> peeled;
    peeled.reserve(keys.size());
    while (!alone.empty()) {
      const std::uint64_t at = alone.back();
      alone.pop_back();
      if (cells[static_cast<std::size_t>(at)].count != 1) continue;
      const std::uint64_t word = cells[static_cast<std::size_t>(at)].keys;
      peeled.push_back({word, at});
      for (std::uint32_t i = 0; i < 3; ++i) {
        const std::uint64_t other = cell_of(word, i);
        Cell& cell = cells[static_cast<std::size_t>(other)];
        cell.keys ^= word;
        if (--cell.count == 1) alone.push_back(other);
      }
    }
    if (peeled.size() != keys.size()) return false;
    while (!peeled.empty()) {
      const Peeled last = peeled.back();
      peeled.pop_back();
      std::uint32_t value = fingerprint_of(last.word);
      for (std::uint32_t i = 0; i < 3; ++i) {
        const std::uint64_t other = cell_of(last.word, i);
        if (other != last.cell) value ^= memory_.get(other * fingerprint_bits_, fingerprint_bits_);
      }
      memory_.set(last.cell * fingerprint_bits_, fingerprint_bits_, value);
    }
    return true;
  }

  Memory memory_;
  std::uint64_t size_;
  std::uint32_t fingerprint_bits_;
  std::uint32_t segment_bits_ = 0;
  std::uint64_t starts_ = 0;
  std::uint64_t cell_count_ = 0;
  std::uint64_t seed_ = 0;
};

}  // namespace lab
