// The counting Bloom filter (Fan, Cao, Almeida, Broder 1998): a Bloom filter with counters of four bits, so that keys
// can be erased. Invariant: a counter is the number of insertions that use it, or 15 forever once it has reached 15,
// because it is unknown how many it missed. So no key is lost, but keys with such a counter are never fully erased.
#pragma once

#include <cstdint>

#include "lab/bloom.h"
#include "lab/filter.h"

namespace lab {

class CountingBloomFilter {
 public:
  static constexpr std::uint32_t kCounterBits = 4;
  static constexpr std::uint32_t kMaxCount = 15;

  /// For `capacity` keys at `bits_per_key`, four of which are a counter; up to 2^32 counters. `hash_count` 0 chooses
  /// the best.
  static Result<CountingBloomFilter> create(std::uint64_t capacity, double bits_per_key, std::uint32_t hash_count = 0) {
    const Result<std::uint64_t> m = unit_count(capacity, bits_per_key, kCounterBits);
    if (!m) return m.error();
    Result<Memory> memory = Memory::create((*m * kCounterBits + 7) / 8);
    if (!memory) return memory.error();
    const std::uint32_t k = hash_count != 0 ? hash_count : best_hash_count(bits_per_key / kCounterBits);
    return CountingBloomFilter(std::move(*memory), *m, k, capacity);
  }

  bool insert(Hash hash) {
    each_position(hash, k_, m_, [this](std::uint64_t at) {
      if (const std::uint32_t count = counter(at); count < kMaxCount) set_counter(at, count + 1);
      return true;
    });
    ++size_;
    return true;
  }
  template <class See>
  bool look_up(Hash hash, See see) const {
    return each_position(hash, k_, m_, [&](std::uint64_t at) { return see(at >> 1, 1), counter(at) != 0; });
  }
  [[nodiscard]] bool contains(Hash hash) const { return look_up(hash, Unseen()); }
  /// Erase only keys that were inserted: another one that is found takes counts of keys that are in.
  bool erase(Hash hash) {
    if (!contains(hash)) return false;
    each_position(hash, k_, m_, [this](std::uint64_t at) {
      const std::uint32_t count = counter(at);
      if (count != 0 && count < kMaxCount) set_counter(at, count - 1);
      return true;
    });
    --size_;
    return true;
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t capacity() const { return capacity_; }
  [[nodiscard]] std::uint64_t byte_count() const { return memory_.byte_count(); }
  [[nodiscard]] double expected_rate() const {
    return bloom_rate(static_cast<double>(m_), k_, static_cast<double>(size_));
  }
  /// Counters that have reached 15. Linear in the filter's size.
  [[nodiscard]] std::uint64_t saturated() const {
    std::uint64_t count = 0;
    for (std::uint64_t at = 0; at < m_; ++at) count += counter(at) == kMaxCount ? 1 : 0;
    return count;
  }

 private:
  CountingBloomFilter(Memory memory, std::uint64_t m, std::uint32_t k, std::uint64_t capacity)
      : memory_(std::move(memory)), m_(m), k_(k), capacity_(capacity) {}

  [[nodiscard]] std::uint32_t counter(std::uint64_t at) const {
    return memory_.bytes()[at >> 1] >> (at % 2 * kCounterBits) & kMaxCount;
  }
  void set_counter(std::uint64_t at, std::uint32_t count) {
    const auto shift = static_cast<std::uint32_t>(at % 2 * kCounterBits);
    std::uint8_t& both = memory_.bytes()[at >> 1];
    both = static_cast<std::uint8_t>((both & ~(kMaxCount << shift)) | count << shift);
  }

  Memory memory_;
  std::uint64_t m_;
  std::uint32_t k_;
  std::uint64_t capacity_;
  std::uint64_t size_ = 0;
};

}  // namespace lab
