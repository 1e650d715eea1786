// One thread's way to a filter that threads share: what bindings/calls.h asks of a filter, and counts of this thread's
// own work. Invariant: everything here belongs to one thread; what threads share is the core's affair.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "../scratch.h"
#include "cuckoo/concurrent/concurrent_filter.h"
#include "cuckoo/entries/statistics.h"

namespace bound {

inline PER_THREAD std::uint32_t this_thread = 0;    ///< its place, from 0
inline PER_THREAD bool may_wait = false;            ///< false on the main thread of a page
inline PER_THREAD cuckoo::Watched<> insert_counts;  ///< counts of its own inserts

/// The machine as WebAssembly has it: a thread that waits sleeps, and the main thread of a page may not.
struct SharedMachine : cuckoo::NativeMachine {
  static std::uint32_t thread() { return this_thread; }
  static void end_insert(cuckoo::InsertOutcome outcome, std::uint32_t kicks) {
    if (outcome == cuckoo::InsertOutcome::busy) return;
    insert_counts.end_insert(outcome, kicks);
  }

  class Patience {
   public:
    cuckoo::Waited operator()(const std::uint64_t& word, std::uint64_t seen) {
      if (++turns_ % kTurnsPerLook != 0) return cuckoo::Waited::again;
      const double time = milliseconds();
      if (began_ == 0) began_ = time;
      if (silence.lasts(word, seen, time)) return cuckoo::Waited::take_over;
      if (!may_wait) return time - began_ < kMaxSpinning ? cuckoo::Waited::again : cuckoo::Waited::give_up;
      // Freeing the lock wakes nobody, so that it costs nothing.
      auto* half = reinterpret_cast<int*>(const_cast<std::uint64_t*>(&word));
      (void)__builtin_wasm_memory_atomic_wait32(half, static_cast<int>(seen), kNanosecondsPerLook);
      return cuckoo::Waited::again;
    }

   private:
    static constexpr std::uint32_t kTurnsPerLook = 256;
    static constexpr std::int64_t kNanosecondsPerLook = 100'000;
    static constexpr double kMaxSpinning = 2;

    // Kept from call to call, because one call may not wait for long.
    inline static PER_THREAD cuckoo::Silence silence;

    std::uint32_t turns_ = 0;
    double began_ = 0;
  };
};

/// Instead of a count: the lock could not be taken.
inline constexpr std::uint32_t kBusyCount = ~std::uint32_t{0};

/// The filter in `memory`, for this thread. Never destroyed: the module has no heap.
class Shared : public cuckoo::BasicConcurrentFilter<SharedMachine> {
 public:
  explicit Shared(std::byte* memory) : BasicConcurrentFilter(memory) {}

  template <cuckoo::Key K>
  [[nodiscard]] std::uint32_t count(const K& key) const {
    return BasicConcurrentFilter::count(key).value_or(kBusyCount);
  }
};

/// Room for one object that is made and never destroyed: its memory is freed with the thread's.
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
