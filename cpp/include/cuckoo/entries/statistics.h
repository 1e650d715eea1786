// SPDX-License-Identifier: MIT
// Counts what a filter did: refused inserts, how many kicks the others took, and doublings. Invariant: counting costs
// one increment per insert, and the counts take constant memory. `Watched<>` is a trace, by itself or on top of another
// trace; without it, a filter counts nothing.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cuckoo/entries/outcome.h"
#include "cuckoo/entries/trace.h"

namespace cuckoo {

/// One doubling.
struct Doubling {
  std::uint64_t bucket_count = 0;  ///< afterwards
  std::uint64_t size = 0;          ///< number of keys moved
  double pause = 0;                ///< the longest that a call took for it, by the clock
};

/// Counts since the filter was made, loaded or cloned.
struct Statistics {
  /// Classes of inserts by their number of kicks: none, 1, 2 to 3, 4 to 7 and so on. The number has at most 16 bits.
  static constexpr std::uint32_t kKickCounts = 17;
  /// How many doublings are kept: as many as are possible, unless the table was halved in between.
  static constexpr std::uint32_t kDoublings = kMaxFingerprintBits - kMinFingerprintBits;

  std::uint64_t kicks[kKickCounts] = {};  ///< inserts that went in, by how many kicks they took
  std::uint64_t full = 0;  ///< times that an insert found no room: refused, unless growing or forgetting then made some
  std::uint64_t too_many_copies = 0;  ///< inserts refused because the candidate buckets hold only copies
  std::uint32_t doubling_count = 0;   ///< doublings so far
  Doubling doublings[kDoublings];     ///< the last; doubling i, from 0, is at i modulo `kDoublings`
};

inline double no_clock() { return 0; }

/// Reports to `Base`, and keeps statistics. `now` is the clock for measuring pauses; it does not influence what the
/// filter does.
template <class Base = NoTrace, double (*now)() = no_clock>
class Watched : public Base {
 public:
  [[nodiscard]] const Statistics& statistics() const { return statistics_; }

  void begin(Operation operation, std::uint64_t size, Hash hash = {}) {
    if (operation == Operation::grow) began_ = now();
    Base::begin(operation, size, hash);
  }
  void begin_move() { began_ = now(); }
  void end_move() {
    Doubling& last = statistics_.doublings[(statistics_.doubling_count - 1) % Statistics::kDoublings];
    last.pause = std::max(last.pause, now() - began_);
  }
  void count_on(const Watched& original) { statistics_ = original.statistics_; }
  void reset(Operation operation, const Params& params) {
    bucket_count_ = params.bucket_count;
    Base::reset(operation, params);
  }
  void end(Operation operation, std::uint8_t result, std::uint64_t size, std::uint32_t kicks = 0,
           std::uint32_t copies = 0) {
    if (operation == Operation::insert || operation == Operation::insert_if_absent) {
      count(static_cast<InsertOutcome>(result), kicks);
    } else if (operation == Operation::grow && result != 0) {
      statistics_.doublings[statistics_.doubling_count++ % Statistics::kDoublings] = {bucket_count_, size,
                                                                                      now() - began_};
    }
    Base::end(operation, result, size, kicks, copies);
  }

 private:
  void count(InsertOutcome outcome, std::uint32_t kicks) {
    if (outcome == InsertOutcome::inserted) [[likely]] {
      ++statistics_.kicks[std::bit_width(kicks)];
    } else if (outcome != InsertOutcome::present) {
      ++(outcome == InsertOutcome::full ? statistics_.full : statistics_.too_many_copies);
    }
  }

  Statistics statistics_;
  double began_ = 0;
  std::uint64_t bucket_count_ = 0;
};

}  // namespace cuckoo
