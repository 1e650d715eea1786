// Bloom filters of blocks, so that a lookup reads one cache line: the blocked Bloom filter (Putze, Sanders, Singler
// 2007) and the split block Bloom filter that Apache Parquet specifies. Invariant: every bit of a key that was inserted
// is set, and all lie in one block.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "lab/bloom.h"
#include "lab/filter.h"

namespace lab {

/// The mean of `rate(i)`, where i, the keys of a block, is Poisson distributed around `mean` (Putze et al. 2007).
template <class Rate>
double poisson_mean(double mean, Rate rate) {
  const double width = 12 * std::sqrt(mean) + 12;
  double sum = 0;
  for (double i = std::max(0.0, std::floor(mean - width)); i <= mean + width; ++i) {
    sum += std::exp(i * std::log(mean) - mean - std::lgamma(i + 1)) * rate(i);
  }
  return sum;
}

/// Blocks of 512 bits, of which each key sets k in one.
class BlockedBloomFilter {
 public:
  static constexpr std::uint32_t kBlockBits = 512;

  /// For `capacity` keys at `bits_per_key`, up to 2^32 blocks. `hash_count` 0: as a standard Bloom filter.
  static Result<BlockedBloomFilter> create(std::uint64_t capacity, double bits_per_key, std::uint32_t hash_count = 0) {
    const Result<std::uint64_t> blocks = unit_count(capacity, bits_per_key, kBlockBits);
    if (!blocks) return blocks.error();
    Result<Memory> memory = Memory::create(*blocks * kBlockBits / 8);
    if (!memory) return memory.error();
    const std::uint32_t k = hash_count != 0 ? hash_count : best_hash_count(bits_per_key);
    return BlockedBloomFilter(std::move(*memory), *blocks, k, capacity);
  }

  bool insert(Hash hash) {
    each_bit(hash, [this](std::uint64_t bit) { return memory_.set_bit(bit), true; });
    ++size_;
    return true;
  }
  template <class See>
  bool look_up(Hash hash, See see) const {
    return each_bit(hash, [&](std::uint64_t bit) { return see(bit >> 3, 1), memory_.bit(bit); });
  }
  [[nodiscard]] bool contains(Hash hash) const { return look_up(hash, Unseen()); }

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t capacity() const { return capacity_; }
  [[nodiscard]] std::uint64_t byte_count() const { return memory_.byte_count(); }
  [[nodiscard]] double expected_rate() const { return rate(size_, block_count_, k_); }
  /// With `n` keys in `blocks` blocks.
  static double rate(std::uint64_t n, std::uint64_t blocks, std::uint32_t k) {
    if (n == 0) return 0;
    return poisson_mean(static_cast<double>(n) / static_cast<double>(blocks),
                        [k](double keys) { return bloom_rate(kBlockBits, k, keys); });
  }

 private:
  BlockedBloomFilter(Memory memory, std::uint64_t block_count, std::uint32_t k, std::uint64_t capacity)
      : memory_(std::move(memory)), block_count_(block_count), k_(k), capacity_(capacity) {}

  /// Nine bits of a new product each, and not h1 + i h2: a block has so few bits that steps would often coincide, and
  /// at 13 bits per key 0.1 % more absent keys would be found.
  template <class Act>
  bool each_bit(Hash hash, Act act) const {
    const std::uint64_t first = below(high_half(static_cast<std::uint64_t>(hash)), block_count_) * kBlockBits;
    std::uint64_t word = std::uint64_t{low_half(static_cast<std::uint64_t>(hash))} * 0x9E3779B97F4A7C15u;
    for (std::uint32_t i = 0; i < k_; ++i, word *= 0xD1342543DE82EF95u) {
      if (!act(first + (word >> 55))) return false;
    }
    return true;
  }

  Memory memory_;
  std::uint64_t block_count_;
  std::uint32_t k_;
  std::uint64_t capacity_;
  std::uint64_t size_ = 0;
};

/// Blocks of eight words of 32 bits; each key sets one bit in each word (Parquet's BloomFilter.md, whose eight salts
/// these are). Eight bits, whatever the bits per key.
class SplitBlockBloomFilter {
 public:
  static constexpr std::uint32_t kBlockBits = 256;

  /// For `capacity` keys at `bits_per_key`, up to 2^32 blocks.
  static Result<SplitBlockBloomFilter> create(std::uint64_t capacity, double bits_per_key) {
    const Result<std::uint64_t> blocks = unit_count(capacity, bits_per_key, kBlockBits);
    if (!blocks) return blocks.error();
    Result<Memory> memory = Memory::create(*blocks * kBlockBits / 8);
    if (!memory) return memory.error();
    return SplitBlockBloomFilter(std::move(*memory), *blocks, capacity);
  }

  bool insert(Hash hash) {
    const std::uint64_t first = first_byte(hash);
    for (std::uint32_t word = 0; word < 8; ++word) {
      memory_.set_bit(8 * first + 32 * word + bit_of(hash, word));
    }
    ++size_;
    return true;
  }
  /// Reads the whole block, as eight words fit in one vector.
  template <class See>
  bool look_up(Hash hash, See see) const {
    const std::uint64_t first = first_byte(hash);
    see(first, static_cast<std::uint32_t>(kBlockBits / 8));
    std::uint32_t missing = 0;
    for (std::uint32_t word = 0; word < 8; ++word) {
      std::uint32_t bits;
      std::memcpy(&bits, memory_.bytes() + first + 4 * word, sizeof bits);
      if constexpr (std::endian::native == std::endian::big) bits = __builtin_bswap32(bits);
      missing |= ~bits & 1u << bit_of(hash, word);
    }
    return missing == 0;
  }
  [[nodiscard]] bool contains(Hash hash) const { return look_up(hash, Unseen()); }

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t capacity() const { return capacity_; }
  [[nodiscard]] std::uint64_t byte_count() const { return memory_.byte_count(); }
  [[nodiscard]] const std::uint8_t* bytes() const { return memory_.bytes(); }
  [[nodiscard]] double expected_rate() const { return rate(size_, block_count_); }
  /// With `n` keys in `blocks` blocks.
  static double rate(std::uint64_t n, std::uint64_t blocks) {
    if (n == 0) return 0;
    return poisson_mean(static_cast<double>(n) / static_cast<double>(blocks),
                        [](double keys) { return std::pow(-std::expm1(keys * std::log1p(-1 / 32.0)), 8); });
  }

 private:
  SplitBlockBloomFilter(Memory memory, std::uint64_t block_count, std::uint64_t capacity)
      : memory_(std::move(memory)), block_count_(block_count), capacity_(capacity) {}

  [[nodiscard]] std::uint64_t first_byte(Hash hash) const {
    return below(high_half(static_cast<std::uint64_t>(hash)), block_count_) * (kBlockBits / 8);
  }
  static std::uint32_t bit_of(Hash hash, std::uint32_t word) {
    constexpr std::uint32_t kSalts[] = {0x47B6137B, 0x44974D91, 0x8824AD5B, 0xA2B7289D,
                                        0x705495C7, 0x2DF1424B, 0x9EFC4947, 0x5C6BFB31};
    return low_half(static_cast<std::uint64_t>(hash)) * kSalts[word] >> 27;
  }

  Memory memory_;
  std::uint64_t block_count_;
  std::uint64_t capacity_;
  std::uint64_t size_ = 0;
};

}  // namespace lab
