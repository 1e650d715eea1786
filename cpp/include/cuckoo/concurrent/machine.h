// SPDX-License-Identifier: MIT
// What a shared filter needs of the machine: atomic words, a number for the thread, how to wait, and who counts kicks.
// A template parameter, so that WebAssembly waits in its own way and a test can decide which thread goes next.
// Invariant: once a filter is ready, every access to shared memory is one sequentially consistent operation on an
// aligned word of 64 bits. So whatever happens is some interleaving of these operations, and interleaving_test.cpp can
// try all of them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>

#include "cuckoo/entries/outcome.h"

namespace cuckoo {

/// What became of waiting for another thread.
enum class Waited : std::uint8_t {
  again,      ///< look again
  take_over,  ///< the other thread has been silent for 0.2 s: act as if it had ended
  give_up,    ///< this thread may not wait any longer
};

/// How long a word has stood still under the eyes of one thread. A look counts at most 5 ms of the time since the last
/// one: after a longer gap, this thread stood still itself, probably with its whole process (a CPU quota, SIGSTOP, a
/// laptop asleep), so the owner of the lock could not move either.
class Silence {
 public:
  /// A thread that holds the lock works for some milliseconds at most, or tells that it is alive.
  static constexpr double kMaxMilliseconds = 200;
  static constexpr double kMaxPerLook = 5;

  /// Looks at the word at `now`, in milliseconds. True if it has not changed for `kMaxMilliseconds`.
  bool lasts(const std::uint64_t& word, std::uint64_t seen, double now) {
    const bool is_other = word_ != &word || seen_ != seen;
    milliseconds_ = is_other ? 0 : milliseconds_ + std::min(now - last_look_, kMaxPerLook);
    word_ = &word;
    seen_ = seen;
    last_look_ = now;
    return milliseconds_ >= kMaxMilliseconds;
  }

 private:
  const std::uint64_t* word_ = nullptr;
  std::uint64_t seen_ = 0;
  double milliseconds_ = 0;
  double last_look_ = 0;
};

/// The machine as the threads of a native program have it.
struct NativeMachine {
  // Builtins, as not every C++20 library has `std::atomic_ref`. `load` is a template, so that programs without
  // shared filters compile where such words are not atomic.
  template <class Word>
  static std::uint64_t load(const Word& word) {
    static_assert(__atomic_always_lock_free(sizeof(Word), nullptr), "a bucket is read at once");
    return __atomic_load_n(&word, __ATOMIC_SEQ_CST);
  }
  /// Writes `wanted` if `word` is `seen`; else sets `seen` to what it is, and returns false.
  static bool compare_exchange(std::uint64_t& word, std::uint64_t& seen, std::uint64_t wanted) {
    return __atomic_compare_exchange_n(&word, &seen, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
  /// Adds `number`, modulo 2^64.
  static void add(std::uint64_t& word, std::uint64_t number) {
    (void)__atomic_fetch_add(&word, number, __ATOMIC_SEQ_CST);
  }

  /// A number that few other threads have.
  static std::uint32_t thread() {
    // An address in many systems, whose low bits are alike: the high bits of a product with 2^64 / golden ratio are
    // not.
    const std::uint64_t id = std::hash<std::thread::id>{}(std::this_thread::get_id());
    return static_cast<std::uint32_t>(id * 0x9E3779B97F4A7C15u >> 32);
  }

  /// Told after each insert, on the thread that made it; `kicks` if it went in.
  static void end_insert(InsertOutcome, std::uint32_t /*kicks*/) {}

  /// Waits for a word to change. One object for each wait.
  class Patience {
   public:
    /// To be called each time that the word is still in the way, with its current value.
    Waited operator()(const std::uint64_t& word, std::uint64_t seen) {
      if (++turns_ % kTurnsPerLook != 0) return Waited::again;
      std::this_thread::yield();
      const std::chrono::duration<double, std::milli> now = std::chrono::steady_clock::now().time_since_epoch();
      return silence_.lasts(word, seen, now.count()) ? Waited::take_over : Waited::again;
    }

   private:
    static constexpr std::uint32_t kTurnsPerLook = 64;

    std::uint32_t turns_ = 0;
    Silence silence_;
  };
};

}  // namespace cuckoo
