// The standard Bloom filter (Bloom 1970), with double hashing (Kirsch and Mitzenmacher 2008; Fan et al. 2014, equation
// 8): bit i of a key is h1 + i h2. Invariant: every bit of a key that was inserted is set.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "lab/filter.h"

namespace lab {

/// k that finds fewest absent keys: ln 2 times the bits per key.
inline std::uint32_t best_hash_count(double bits_per_key) {
  return std::max(1u, static_cast<std::uint32_t>(std::lround(std::log(2.0) * bits_per_key)));
}

/// How many bits, counters or blocks, of `unit_bits` each, `capacity` keys take at `bits_per_key`: from 1 to 2^32, or
/// `out_of_range`.
inline Result<std::uint64_t> unit_count(std::uint64_t capacity, double bits_per_key, std::uint32_t unit_bits) {
  const double units = std::max(1.0, std::ceil(static_cast<double>(capacity) * bits_per_key / unit_bits));
  if (capacity < 1 || !(bits_per_key > 0) || !(units <= 4294967296.0)) return Error::out_of_range;
  return static_cast<std::uint64_t>(units);
}

/// The k positions of a key among `m` up to 2^32, for the standard and the counting Bloom filter: calls `act(position)`
/// for each until it returns false. Whether it never did.
template <class Act>
bool each_position(Hash hash, std::uint32_t k, std::uint64_t m, Act act) {
  // 64 bits each: of 32, a filter of 192 MB gives 2 to some bits and 3 to others, and errs 1.2 times as often.
  auto at = static_cast<std::uint64_t>(hash);
  const std::uint64_t step = std::rotl(at, 32) | 1;  // never 0, which would be one bit only
  for (std::uint32_t i = 0; i < k; ++i, at += step) {
    // The upper half of the product at m, without 128 bits.
    if (!act((high_half(at) * m + (low_half(at) * m >> 32)) >> 32)) return false;
  }
  return true;
}

/// The probability that k random bits of m are all set after n keys: (1 - (1 - 1/m)^(k n))^k.
inline double bloom_rate(double m, double k, double n) { return std::pow(-std::expm1(k * n * std::log1p(-1 / m)), k); }

/// Bits, of which each key sets k.
class BloomFilter {
 public:
  /// For `capacity` keys at `bits_per_key`, of which there are up to 2^32 together. `hash_count` 0 chooses the best.
  static Result<BloomFilter> create(std::uint64_t capacity, double bits_per_key, std::uint32_t hash_count = 0) {
    const Result<std::uint64_t> m = unit_count(capacity, bits_per_key, 1);
    if (!m) return m.error();
    Result<Memory> memory = Memory::create((*m + 7) / 8);
    if (!memory) return memory.error();
    const std::uint32_t k = hash_count != 0 ? hash_count : best_hash_count(bits_per_key);
    return BloomFilter(std::move(*memory), *m, k, capacity);
  }

  bool insert(Hash hash) {
    each_position(hash, k_, m_, [this](std::uint64_t bit) { return memory_.set_bit(bit), true; });
    ++size_;
    return true;
  }
  template <class See>
  bool look_up(Hash hash, See see) const {
    return each_position(hash, k_, m_, [&](std::uint64_t bit) { return see(bit >> 3, 1), memory_.bit(bit); });
  }
  [[nodiscard]] bool contains(Hash hash) const { return look_up(hash, Unseen()); }

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t capacity() const { return capacity_; }
  [[nodiscard]] std::uint64_t byte_count() const { return memory_.byte_count(); }
  [[nodiscard]] std::uint32_t hash_count() const { return k_; }
  [[nodiscard]] double expected_rate() const {
    return bloom_rate(static_cast<double>(m_), k_, static_cast<double>(size_));
  }

 private:
  BloomFilter(Memory memory, std::uint64_t m, std::uint32_t k, std::uint64_t capacity)
      : memory_(std::move(memory)), m_(m), k_(k), capacity_(capacity) {}

  Memory memory_;
  std::uint64_t m_;
  std::uint32_t k_;
  std::uint64_t capacity_;
  std::uint64_t size_ = 0;
};

}  // namespace lab
