// One thread's way to a filter that threads share: what bindings/calls.h asks of a filter, and counts of this thread's
// own work. Invariant: everything here belongs to one thread; what threads share is the core's affair.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <utility>

#include "cuckoo/concurrent/concurrent_filter.h"
#include "cuckoo/entries/statistics.h"
#include "scratch.h"

namespace bound {

inline PER_THREAD std::uint32_t this_thread = 0;  ///< its place, from 0
inline PER_THREAD bool may_wait = false;          ///< false on the main thread of a page

/// The machine as WebAssembly has it: a thread that waits sleeps, and the main thread of a page may not.
struct SharedMachine : cuckoo::NativeMachine {
  static std::uint32_t thread() { return this_thread; }

  class Patience {
   public:
    cuckoo::Waited operator()(const std::uint64_t& word, std::uint64_t seen) {
      if (++turns_ % kTurnsPerLook != 0) return cuckoo::Waited::again;
      const double time = milliseconds();
      if (began_ == 0) began_ = time;
      // How long that one owner is in the way is kept from call to call, as one call may not wait for long.
      if (std::exchange(in_the_way, seen) != seen) in_the_way_since = time;
      if (time - in_the_way_since > kMostMilliseconds) return cuckoo::Waited::is_gone;
      if (!may_wait) return time - began_ < kMostSpinning ? cuckoo::Waited::again : cuckoo::Waited::give_up;
      // Whoever frees the lock tells nobody, so that freeing it costs nothing.
      auto* half = reinterpret_cast<int*>(const_cast<std::uint64_t*>(&word));
      (void)__builtin_wasm_memory_atomic_wait32(half, static_cast<int>(seen), kNanosecondsPerLook);
      return cuckoo::Waited::again;
    }

   private:
    static constexpr std::uint32_t kTurnsPerLook = 256;
    static constexpr std::int64_t kNanosecondsPerLook = 100'000;
    static constexpr double kMostMilliseconds = 200;
    static constexpr double kMostSpinning = 2;

    inline static PER_THREAD std::uint64_t in_the_way = 0;
    inline static PER_THREAD double in_the_way_since = 0;

    std::uint32_t turns_ = 0;
    double began_ = 0;
  };
};

/// In place of a count: the lock was not to be had.
inline constexpr std::uint32_t kBusyCount = ~std::uint32_t{0};

/// The filter in `memory`, for this thread.
class Shared {
 public:
  using Entries = cuckoo::detail::WordEntries<SharedMachine>;

  explicit Shared(std::byte* memory)
      : entries_(cuckoo::detail::state_in(memory), cuckoo::detail::words_in(memory)),
        hasher_(cuckoo::detail::state_in(memory).hasher) {}

  [[nodiscard]] Entries& entries() { return entries_; }
  [[nodiscard]] const Entries& entries() const { return entries_; }
  [[nodiscard]] const cuckoo::Params& params() const { return entries_.params(); }
  [[nodiscard]] const cuckoo::Hasher& hasher() const { return hasher_; }
  [[nodiscard]] const cuckoo::Statistics& statistics() const { return told_.statistics(); }
  [[nodiscard]] std::uint64_t size() const { return entries_.size(); }
  [[nodiscard]] double load_factor() const {
    return static_cast<double>(size()) / static_cast<double>(cuckoo::slot_count(params()));
  }
  [[nodiscard]] double expected_false_positive_rate() const { return entries_.expected_false_positive_rate(); }

  [[nodiscard]] bool contains(cuckoo::Hash hash) const { return entries_.contains(entries_.locate(hash)); }
  [[nodiscard]] std::uint32_t count(cuckoo::Hash hash) const {
    return entries_.count(entries_.locate(hash)).value_or(kBusyCount);
  }
  [[nodiscard]] bool erase(cuckoo::Hash hash) { return entries_.erase(entries_.locate(hash)); }
  cuckoo::InsertOutcome insert(cuckoo::Hash hash) {
    std::uint32_t kicks;
    return counted(entries_.insert(entries_.locate(hash), kicks), kicks);
  }
  cuckoo::InsertOutcome insert_if_absent(cuckoo::Hash hash) {
    std::uint32_t kicks;
    return counted(entries_.insert_if_absent(entries_.locate(hash), kicks), kicks);
  }
  bool clear() { return entries_.clear(); }

  using Hashes = std::span<const cuckoo::Hash>;
  void contains_many(Hashes hashes, std::span<std::uint8_t> found) const { entries_.contains_many(hashes, found); }
  std::size_t erase_many(Hashes hashes) {
    std::size_t erased = 0;
    entries_.locate_many(hashes, [&](std::size_t, const cuckoo::detail::Location& at) {
      erased += entries_.erase(at) ? 1u : 0u;
      return true;
    });
    return erased;
  }
  cuckoo::BatchOutcome insert_many(Hashes hashes) {
    return until_refused(hashes, [this](std::size_t, const cuckoo::detail::Location& at) {
      std::uint32_t kicks;
      return counted(entries_.insert(at, kicks), kicks);
    });
  }
  cuckoo::BatchOutcome insert_many_if_absent(Hashes hashes, std::span<std::uint8_t> is_new) {
    return until_refused(hashes, [&](std::size_t i, const cuckoo::detail::Location& at) {
      std::uint32_t kicks;
      const cuckoo::InsertOutcome outcome = counted(entries_.insert_if_absent(at, kicks), kicks);
      is_new[i] = outcome == cuckoo::InsertOutcome::inserted;
      return outcome == cuckoo::InsertOutcome::present ? cuckoo::InsertOutcome::inserted : outcome;
    });
  }

 private:
  cuckoo::InsertOutcome counted(cuckoo::InsertOutcome outcome, std::uint32_t kicks) {
    if (outcome != cuckoo::InsertOutcome::busy) {
      told_.end(cuckoo::Operation::insert, static_cast<std::uint8_t>(outcome), 0, kicks);
    }
    return outcome;
  }
  template <class Insert>
  cuckoo::BatchOutcome until_refused(Hashes hashes, Insert insert) {
    cuckoo::BatchOutcome batch;
    entries_.locate_many(hashes, [&](std::size_t i, const cuckoo::detail::Location& at) {
      batch.outcome = insert(i, at);
      if (batch.outcome != cuckoo::InsertOutcome::inserted) return false;
      ++batch.done;
      return true;
    });
    return batch;
  }

  Entries entries_;
  cuckoo::Hasher hasher_;
  cuckoo::Watched<> told_;
};

/// Room for one object, which is made and never destroyed: its memory goes with the thread's.
template <class Object>
class Room {
 public:
  template <class... Given>
  Object& make(const Given&... given) {
    return *new (bytes_) Object(given...);
  }
  Object& operator*() { return *std::launder(reinterpret_cast<Object*>(bytes_)); }

 private:
  alignas(Object) std::byte bytes_[sizeof(Object)];
};

}  // namespace bound
