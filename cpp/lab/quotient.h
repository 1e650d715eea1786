// The quotient filter (Bender et al. 2012): a key's fingerprint is a quotient, which is a slot, and a remainder, which
// is stored there or as near after it as there is room. Three bits per slot tell which remainder belongs where. Words
// of the paper: the remainders of one quotient are a *run*, ascending; a *cluster* is runs without a gap, of which the
// first lies where it belongs. Invariant: `check` says it in code.
#pragma once

#include <cmath>
#include <cstdint>

#include "lab/filter.h"

namespace lab {

/// A multiset of fingerprints of `quotient_bits` + `remainder_bits` bits.
class QuotientFilter {
 public:
  /// The share of slots that may be in use. Fuller ones are possible, but slow (section 7 of Fan et al. 2014).
  static constexpr double kMaxLoad = 0.9;

  /// 2^`quotient_bits` slots, 1 to 32, of `remainder_bits` + 3, 1 to 29.
  static Result<QuotientFilter> create(std::uint32_t quotient_bits, std::uint32_t remainder_bits) {
    if (quotient_bits < 1 || quotient_bits > 32 || remainder_bits < 1 || remainder_bits > 29)
      return Error::out_of_range;
    const std::uint64_t bits = (std::uint64_t{1} << quotient_bits) * (remainder_bits + kFlagBits);
    Result<Memory> memory = Memory::create((bits + 7) / 8);
    if (!memory) return memory.error();
    return QuotientFilter(std::move(*memory), quotient_bits, remainder_bits);
  }

  /// False, and nothing changed, at `capacity` keys.
  bool insert(Hash hash) {
    if (size_ == capacity()) return false;
    const std::uint64_t home = quotient_of(hash);
    const Slot there = read(home);
    ++size_;
    Slot fresh{.remainder = remainder_of(hash)};
    if (there.is_empty()) {
      fresh.is_occupied = true;
      write(home, fresh);
      return true;
    }
    if (!there.is_occupied) write(home, there.with_occupied(true));
    const std::uint64_t start = run_start(home, Unseen());
    std::uint64_t at = start;
    if (there.is_occupied) {
      while (at == start || read(at).is_continuation) {
        if (read(at).remainder >= fresh.remainder) break;
        at = next(at);
      }
      if (at == start) {  // the run begins with the new one
        Slot head = read(start);
        head.is_continuation = true;
        write(start, head);
      }
      fresh.is_continuation = at != start;
    }
    fresh.is_shifted = at != home;
    shift_right(at, fresh);
    return true;
  }

  template <class See>
  bool look_up(Hash hash, See see) const {
    const std::uint64_t home = quotient_of(hash);
    tell(home, see);
    if (!read(home).is_occupied) return false;
    const std::uint32_t remainder = remainder_of(hash);
    std::uint64_t at = run_start(home, see);
    do {
      tell(at, see);
      const std::uint32_t stored = read(at).remainder;
      if (stored >= remainder) return stored == remainder;
      at = next(at);
    } while (read(at).is_continuation);
    return false;
  }
  [[nodiscard]] bool contains(Hash hash) const { return look_up(hash, Unseen()); }

  /// Erase only keys that were inserted. Everything behind it in its cluster moves one slot towards home.
  bool erase(Hash hash) {
    const std::uint64_t home = quotient_of(hash);
    if (!read(home).is_occupied) return false;
    const std::uint32_t remainder = remainder_of(hash);
    std::uint64_t at = run_start(home, Unseen());
    while (read(at).remainder < remainder) {
      at = next(at);
      if (!read(at).is_continuation) return false;
    }
    if (read(at).remainder != remainder) return false;
    const bool was_first = !read(at).is_continuation;
    const bool has_second = read(next(at)).is_continuation;
    if (was_first && !has_second) write(home, read(home).with_occupied(false));
    shift_left(at, home);
    if (was_first && has_second) {
      Slot first = read(at);
      first.is_continuation = false;
      first.is_shifted = at != home;
      write(at, first);
    }
    --size_;
    return true;
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t slot_count() const { return mask_ + 1; }
  [[nodiscard]] std::uint64_t capacity() const {
    return static_cast<std::uint64_t>(kMaxLoad * static_cast<double>(slot_count()));
  }
  [[nodiscard]] std::uint64_t byte_count() const { return memory_.byte_count(); }
  /// 1 - (1 - 2^-(q + r))^n: an absent key is found if its fingerprint is stored (Bender et al. 2012, section 3).
  [[nodiscard]] double expected_rate() const { return rate(size_, quotient_bits_ + remainder_bits_); }
  /// With `n` keys of `fingerprint_bits` bits, quotient and remainder together.
  static double rate(std::uint64_t n, std::uint32_t fingerprint_bits) {
    return -std::expm1(static_cast<double>(n) * std::log1p(-std::exp2(-static_cast<double>(fingerprint_bits))));
  }

  /// Whether every rule of the structure holds. Linear in the filter's size; for tests.
  [[nodiscard]] bool check() const {
    std::uint64_t used = 0, runs = 0, occupied = 0;
    for (std::uint64_t at = 0; at <= mask_; ++at) {
      const Slot slot = read(at);
      occupied += slot.is_occupied ? 1 : 0;
      if (slot.is_empty()) {
        if (slot.remainder != 0) return false;
        continue;
      }
      ++used;
      runs += slot.is_continuation ? 0 : 1;
      const Slot before = read((at - 1) & mask_);
      if (slot.is_shifted && before.is_empty()) return false;
      if (slot.is_continuation && (!slot.is_shifted || before.remainder > slot.remainder)) return false;
    }
    return used == size_ && runs == occupied && runs_begin_where_they_belong();
  }

 private:
  static constexpr std::uint32_t kFlagBits = 3;

  /// The first flag is about the slot's own quotient, the others about the remainder that lies there.
  struct Slot {
    std::uint32_t remainder = 0;
    bool is_occupied = false;      ///< there is a run of this quotient
    bool is_continuation = false;  ///< not the first of its run
    bool is_shifted = false;       ///< not in the slot of its quotient
    /// No remainder lies here. In an occupied slot one does: of its own run, or of another that pushed it away.
    [[nodiscard]] bool is_empty() const { return !is_occupied && !is_continuation && !is_shifted; }
    [[nodiscard]] bool is_cluster_start() const { return is_occupied && !is_continuation && !is_shifted; }
    [[nodiscard]] Slot with_occupied(bool is) const { return {remainder, is, is_continuation, is_shifted}; }
  };

  QuotientFilter(Memory memory, std::uint32_t quotient_bits, std::uint32_t remainder_bits)
      : memory_(std::move(memory)),
        mask_((std::uint64_t{1} << quotient_bits) - 1),
        quotient_bits_(quotient_bits),
        remainder_bits_(remainder_bits) {}

  [[nodiscard]] std::uint64_t quotient_of(Hash hash) const {
    return static_cast<std::uint64_t>(hash) >> (64 - quotient_bits_);
  }
  [[nodiscard]] std::uint32_t remainder_of(Hash hash) const {
    return low_half(static_cast<std::uint64_t>(hash)) & (~0u >> (32 - remainder_bits_));
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t at) const { return (at + 1) & mask_; }
  [[nodiscard]] std::uint32_t slot_bits() const { return remainder_bits_ + kFlagBits; }

  [[nodiscard]] Slot read(std::uint64_t at) const {
    const std::uint32_t word = memory_.get(at * slot_bits(), slot_bits());
    return {word >> kFlagBits, (word & 1) != 0, (word >> 1 & 1) != 0, (word >> 2 & 1) != 0};
  }
  void write(std::uint64_t at, const Slot& slot) {
    const std::uint32_t flags =
        (slot.is_occupied ? 1u : 0u) | (slot.is_continuation ? 2u : 0u) | (slot.is_shifted ? 4u : 0u);
    memory_.set(at * slot_bits(), slot_bits(), slot.remainder << kFlagBits | flags);
  }
  template <class See>
  void tell(std::uint64_t at, See see) const {
    const std::uint64_t bit = at * slot_bits();
    see(bit >> 3, static_cast<std::uint32_t>(((bit & 7) + slot_bits() + 7) >> 3));
  }

  /// Where the run of an occupied quotient begins: back to the start of the cluster, then on by as many runs as there
  /// are occupied quotients.
  template <class See>
  [[nodiscard]] std::uint64_t run_start(std::uint64_t home, See see) const {
    std::uint64_t quotient = home;
    while (read(quotient).is_shifted) {
      quotient = (quotient - 1) & mask_;
      tell(quotient, see);
    }
    std::uint64_t run = quotient;
    while (quotient != home) {
      do {
        run = next(run);
        tell(run, see);
      } while (read(run).is_continuation);
      do quotient = next(quotient);
      while (!read(quotient).is_occupied);
    }
    return run;
  }

  /// Puts `slot` at `at`, and what lies there and behind it one slot on, up to the first empty slot. Flags of quotients
  /// stay where they are.
  void shift_right(std::uint64_t at, Slot slot) {
    for (;;) {
      Slot pushed = read(at);
      const bool was_empty = pushed.is_empty();
      write(at, slot.with_occupied(pushed.is_occupied));
      if (was_empty) return;
      pushed.is_shifted = true;
      slot = pushed;
      at = next(at);
    }
  }

  /// Overwrites the slot `at`, which holds a remainder of `quotient`, by what lies behind it, up to the end of the
  /// cluster.
  void shift_left(std::uint64_t at, std::uint64_t quotient) {
    for (;;) {
      const bool is_occupied = read(at).is_occupied;
      const std::uint64_t behind = next(at);
      Slot moved = read(behind);
      if (moved.is_empty() || moved.is_cluster_start()) {
        write(at, Slot{.is_occupied = is_occupied});
        return;
      }
      if (!moved.is_continuation) {  // of the next quotient with a run
        do quotient = next(quotient);
        while (!read(quotient).is_occupied);
        moved.is_shifted = quotient != at;
      }
      write(at, moved.with_occupied(is_occupied));
      at = behind;
    }
  }

  /// A run's first remainder is shifted exactly if it lies elsewhere than in the slot of its quotient, for every run.
  [[nodiscard]] bool runs_begin_where_they_belong() const {
    for (std::uint64_t quotient = 0; quotient <= mask_; ++quotient) {
      if (!read(quotient).is_occupied) continue;
      const std::uint64_t start = run_start(quotient, Unseen());
      if (read(start).is_continuation || read(start).is_shifted == (start == quotient)) return false;
    }
    return true;
  }

  Memory memory_;
  std::uint64_t mask_;
  std::uint32_t quotient_bits_;
  std::uint32_t remainder_bits_;
  std::uint64_t size_ = 0;
};

}  // namespace lab
