// What the filters of the lab have in common: the interface that benches, tests and the page use, and their memory.
// They are the rivals in Fan et al. 2014, section 7, each written from its own paper, for measurements next to this
// library; they are not installed. Invariant: all take the same 64-bit hash, a key per call, and none works in batches;
// so what differs between two of them is the data structure.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#include "cuckoo/detail/bits.h"
#include "cuckoo/error.h"
#include "cuckoo/hash/hash.h"

namespace lab {

using cuckoo::Error;
using cuckoo::Hash;
using cuckoo::Result;

/// Sees nothing: for a lookup that nobody watches.
struct Unseen {
  void operator()(std::uint64_t, std::uint32_t) const {}
};

/// A set of hashes that may err towards "present".
template <class F>
concept Filter = requires(F& filter, const F& it, Hash hash, Unseen see) {
  /// True if what was asked is found. Calls `see(first byte, bytes)` for each read of memory, in order.
  { it.look_up(hash, see) } -> std::same_as<bool>;
  { it.contains(hash) } -> std::same_as<bool>;
  /// Keys in it.
  { it.size() } -> std::same_as<std::uint64_t>;
  /// Keys that it is made for: it may refuse more, or find absent keys more often than promised.
  { it.capacity() } -> std::same_as<std::uint64_t>;
  /// Bytes of its memory, padding excluded.
  { it.byte_count() } -> std::same_as<std::uint64_t>;
  /// The probability that an absent key is found now, by the formula of its paper.
  { it.expected_rate() } -> std::same_as<double>;
};

/// A filter to which keys can be added. False, and nothing changed, if there is no room.
template <class F>
concept GrowingSet = Filter<F> && requires(F& filter, Hash hash) {
  { filter.insert(hash) } -> std::same_as<bool>;
};

/// A filter from which keys can be taken that were added. False, and nothing changed, if the key is not found.
template <class F>
concept ErasingSet = GrowingSet<F> && requires(F& filter, Hash hash) {
  { filter.erase(hash) } -> std::same_as<bool>;
};

/// The number below `bound` that 32 random bits stand for (Lemire 2019): uniform but for one part in 2^32 / bound.
inline std::uint64_t below(std::uint32_t random, std::uint64_t bound) { return random * bound >> 32; }

inline std::uint32_t low_half(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
inline std::uint32_t high_half(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }

/// Another 64 random bits of a hash: the finalizer of MurmurHash3 (Appleby 2011).
inline std::uint64_t mix(std::uint64_t word) {
  word = (word ^ (word >> 33)) * 0xFF51AFD7ED558CCDu;
  word = (word ^ (word >> 33)) * 0xC4CEB9FE1A85EC53u;
  return word ^ (word >> 33);
}

/// Bytes that are 0 at first and begin with a cache line, and 16 more that `get_bits` and `set_bits` may touch.
class Memory {
 public:
  static constexpr std::uint64_t kCacheLine = 64;

  static Result<Memory> create(std::uint64_t bytes) {
    const std::uint64_t room = (bytes + 16 + kCacheLine - 1) / kCacheLine * kCacheLine;
    if (room > SIZE_MAX / 2) return Error::out_of_memory;
    Memory memory(bytes);
    // calloc, whose pages are 0 already, and not aligned_alloc, whose bytes would be written twice.
    memory.all_.reset(static_cast<std::uint8_t*>(std::calloc(static_cast<std::size_t>(room + kCacheLine), 1)));
    if (memory.all_ == nullptr) return Error::out_of_memory;
    memory.first_ = memory.all_.get() + (0 - reinterpret_cast<std::uintptr_t>(memory.all_.get())) % kCacheLine;
    return memory;
  }

  [[nodiscard]] std::uint64_t byte_count() const { return bytes_; }
  [[nodiscard]] std::uint8_t* bytes() { return first_; }
  [[nodiscard]] const std::uint8_t* bytes() const { return first_; }

  [[nodiscard]] bool bit(std::uint64_t position) const { return (first_[position >> 3] >> (position & 7) & 1) != 0; }
  void set_bit(std::uint64_t position) {
    first_[position >> 3] = static_cast<std::uint8_t>(first_[position >> 3] | 1u << (position & 7));
  }
  /// `bits` bits, up to 32, from bit `position` on.
  [[nodiscard]] std::uint32_t get(std::uint64_t position, std::uint32_t bits) const {
    return cuckoo::detail::get_bits(first_, position, bits);
  }
  void set(std::uint64_t position, std::uint32_t bits, std::uint32_t value) {
    cuckoo::detail::set_bits(first_, position, bits, value);
  }

 private:
  struct Free {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };

  explicit Memory(std::uint64_t bytes) : bytes_(bytes) {}

  std::uint64_t bytes_;
  std::unique_ptr<std::uint8_t[], Free> all_;
  std::uint8_t* first_ = nullptr;
};

}  // namespace lab
