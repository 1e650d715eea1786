// The d-left counting Bloom filter (Bonomi, Mitzenmacher, Panigrahy, Singh, Varghese 2006): d = 4 tables, in each of
// which a key has one bucket of four cells with a remainder and a counter. A key goes to the bucket with the fewest
// cells in use, the leftmost of equals. Invariant: with `Placement::permuted`, two keys that have a bucket and the
// remainder in common have all of them in common, so that erasing one never takes the cell of another.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "lab/filter.h"

namespace lab {

/// How the buckets of a key are chosen. `independent` is the naive way, which loses keys by erasing others (Fan et al.
/// 2014, first footnote of section 3.3); it is here to show that.
enum class Placement : std::uint8_t { permuted, independent };

class DLeftCountingBloomFilter {
 public:
  static constexpr std::uint32_t kTables = 4;
  static constexpr std::uint32_t kBucketSize = 4;
  /// The share of cells in use at which inserts begin to fail in large filters (Fan et al. 2014, section 7.1).
  static constexpr double kMaxLoad = 0.78;

  /// `bucket_count` buckets in each table, up to 2^32, of cells of `remainder_bits` + `counter_bits`, each from 1 on
  /// and at most 32 together. With one counter bit a cell is in use or not, and a second copy of a key takes another
  /// cell.
  static Result<DLeftCountingBloomFilter> create(std::uint64_t bucket_count, std::uint32_t remainder_bits,
                                                 std::uint32_t counter_bits = 2,
                                                 Placement placement = Placement::permuted) {
    const bool has_bits = remainder_bits >= 1 && counter_bits >= 1 && remainder_bits + counter_bits <= 32;
    if (bucket_count < 1 || bucket_count > std::uint64_t{1} << 32 || !has_bits) return Error::out_of_range;
    const std::uint64_t cells = bucket_count * kTables * kBucketSize;
    Result<Memory> memory = Memory::create((cells * (remainder_bits + counter_bits) + 7) / 8);
    if (!memory) return memory.error();
    return DLeftCountingBloomFilter(std::move(*memory), bucket_count, remainder_bits, counter_bits, placement);
  }

  /// False, and nothing changed, if all four buckets are full.
  bool insert(Hash hash) {
    const std::uint32_t remainder = remainder_of(hash);
    std::uint64_t chosen = 0;
    std::uint32_t fewest = kBucketSize;
    for (std::uint32_t table = 0; table < kTables; ++table) {
      const std::uint64_t first = first_cell(hash, table);
      const Bucket bucket = read(first);
      std::uint32_t used = 0;
      for (std::uint32_t i = 0; i < kBucketSize; ++i) {
        const std::uint32_t count = bucket[i] >> remainder_bits_;
        used += count != 0 ? 1 : 0;
        if (count == 0 || count == max_count() || remainder_in(bucket[i]) != remainder) continue;
        write(first + i, remainder, count + 1);
        ++size_;
        return true;
      }
      if (used < fewest) fewest = used, chosen = first;
    }
    if (fewest == kBucketSize) return false;
    const Bucket bucket = read(chosen);
    while (bucket[chosen % kBucketSize] >> remainder_bits_ != 0) ++chosen;
    write(chosen, remainder, 1);
    ++size_;
    return true;
  }
  template <class See>
  bool look_up(Hash hash, See see) const {
    const std::uint32_t remainder = remainder_of(hash);
    for (std::uint32_t table = 0; table < kTables; ++table) {
      const std::uint64_t first = first_cell(hash, table);
      const std::uint64_t bit = first * cell_bits();
      see(bit >> 3, static_cast<std::uint32_t>(((bit & 7) + kBucketSize * cell_bits() + 7) >> 3));
      for (const std::uint32_t cell : read(first)) {
        if (cell >> remainder_bits_ != 0 && remainder_in(cell) == remainder) return true;
      }
    }
    return false;
  }
  [[nodiscard]] bool contains(Hash hash) const { return look_up(hash, Unseen()); }
  /// Erase only keys that were inserted. A counter that has reached its largest stays, because how many it is short of
  /// is not known; with one counter bit the only copy goes.
  bool erase(Hash hash) {
    const std::uint32_t remainder = remainder_of(hash);
    std::uint64_t chosen = 0;
    std::uint32_t least = max_count() + 1;
    for (std::uint32_t table = 0; table < kTables && least > 1; ++table) {
      const std::uint64_t first = first_cell(hash, table);
      const Bucket bucket = read(first);
      for (std::uint32_t i = 0; i < kBucketSize; ++i) {
        const std::uint32_t count = bucket[i] >> remainder_bits_;
        if (count == 0 || count >= least || remainder_in(bucket[i]) != remainder) continue;
        least = count, chosen = first + i;
      }
    }
    if (least > max_count()) return false;
    const bool stays = counter_bits_ > 1 && least == max_count();
    if (!stays) write(chosen, least == 1 ? 0 : remainder, least - 1);
    --size_;
    return true;
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t capacity() const {
    return static_cast<std::uint64_t>(kMaxLoad * static_cast<double>(cell_count()));
  }
  [[nodiscard]] std::uint64_t cell_count() const { return bucket_count_ * kTables * kBucketSize; }
  [[nodiscard]] std::uint64_t byte_count() const { return memory_.byte_count(); }
  /// Of the cells in 16 places each has an absent key's remainder with probability 2^-r.
  [[nodiscard]] double expected_rate() const {
    return rate(static_cast<double>(size_) / static_cast<double>(cell_count()), remainder_bits_);
  }
  /// With this share of the cells in use.
  static double rate(double load, std::uint32_t remainder_bits) {
    const double seen = kTables * kBucketSize * load;
    return -std::expm1(seen * std::log1p(-std::exp2(-static_cast<double>(remainder_bits))));
  }

 private:
  /// The four cells of a bucket: each a remainder, and the counter above it.
  using Bucket = std::array<std::uint32_t, kBucketSize>;

  DLeftCountingBloomFilter(Memory memory, std::uint64_t bucket_count, std::uint32_t remainder_bits,
                           std::uint32_t counter_bits, Placement placement)
      : memory_(std::move(memory)),
        bucket_count_(bucket_count),
        remainder_bits_(remainder_bits),
        counter_bits_(counter_bits),
        placement_(placement) {}

  [[nodiscard]] std::uint32_t cell_bits() const { return remainder_bits_ + counter_bits_; }
  [[nodiscard]] std::uint32_t max_count() const { return (1u << counter_bits_) - 1; }
  [[nodiscard]] std::uint32_t remainder_of(Hash hash) const {
    return low_half(static_cast<std::uint64_t>(hash)) & (~0u >> (32 - remainder_bits_));
  }
  /// The first cell of the key's bucket in a table. A key is a bucket and a remainder; each table adds to the bucket an
  /// offset that the remainder alone determines, which is a permutation of the buckets.
  [[nodiscard]] std::uint64_t first_cell(Hash hash, std::uint32_t table) const {
    const std::uint64_t word = static_cast<std::uint64_t>(hash);
    std::uint64_t bucket;
    if (placement_ == Placement::independent) {
      bucket = below(high_half(mix(word + table)), bucket_count_);
    } else {
      const std::uint64_t offset = mix(std::uint64_t{kTables} * remainder_of(hash) + table);
      bucket = below(high_half(word), bucket_count_) + below(high_half(offset), bucket_count_);
      if (bucket >= bucket_count_) bucket -= bucket_count_;
    }
    return (table * bucket_count_ + bucket) * kBucketSize;
  }

  /// With one load where the four cells fill a word at most.
  [[nodiscard]] Bucket read(std::uint64_t first) const {
    Bucket bucket;
    const std::uint64_t position = first * cell_bits();
    if (cell_bits() > 16) {
      for (std::uint32_t i = 0; i < kBucketSize; ++i) bucket[i] = memory_.get(position + i * cell_bits(), cell_bits());
      return bucket;
    }
    std::uint64_t word = cuckoo::detail::load_bits(memory_.bytes(), position);
    for (std::uint32_t& cell : bucket) {
      cell = low_half(word) & (~0u >> (32 - cell_bits()));
      word >>= cell_bits();
    }
    return bucket;
  }
  [[nodiscard]] std::uint32_t remainder_in(std::uint32_t cell) const { return cell & (~0u >> (32 - remainder_bits_)); }
  void write(std::uint64_t cell, std::uint32_t remainder, std::uint32_t count) {
    memory_.set(cell * cell_bits(), cell_bits(), remainder | count << remainder_bits_);
  }

  Memory memory_;
  std::uint64_t bucket_count_;
  std::uint32_t remainder_bits_;
  std::uint32_t counter_bits_;
  Placement placement_;
  std::uint64_t size_ = 0;
};

}  // namespace lab
