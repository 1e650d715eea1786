// SPDX-License-Identifier: MIT
// What observes a filter: nothing, or statistics that count refused inserts, how many kicks the others took, and
// doublings.
// Invariant: counting costs one increment per insert, and the counts take constant memory; without it, a filter counts
// nothing.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cuckoo/detail/table/table.h"
#include "cuckoo/entries/outcome.h"
#include "cuckoo/params.h"

namespace cuckoo {

/// Watches nothing. Its members are the list of what `Entries` and merges tell: never of lookups, and nothing that is
/// not known anyway.
struct NoWatch {
  static constexpr bool kDoublesAtOnce = false;  ///< whatever the tuning says
  void end_insert(InsertOutcome, std::uint32_t /*kicks*/) {}
  void begin_resize(Operation, std::uint64_t /*size*/) {}
  /// Before any entry has moved out of the table, to one of twice its size with these parameters.
  void begin_moving(const detail::Table&, const Params&, std::uint64_t /*size*/) {}
  void end_resize(Operation, bool /*is_changed*/, std::uint64_t /*bucket_count*/, std::uint64_t /*size*/) {}
  void begin_pause() {}  ///< in which a call moves entries of a table that is being doubled
  void end_pause() {}
  void count_on(const NoWatch&) {}  ///< the watch of a copy goes on with its original's counts
  /// Told to the watch of a merged copy, with the watch of the original that it replaces.
  void end_merge(NoWatch&&, std::uint64_t /*size_before*/, std::uint64_t /*size*/) {}
};

/// One doubling.
struct Doubling {
  std::uint64_t bucket_count = 0;  ///< afterwards
  std::uint64_t size = 0;          ///< number of keys moved
  double pause = 0;                ///< the longest that a call took for it, by the clock
};

/// Counts since the filter was made, loaded or cloned; a merge goes on with them.
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

/// Keeps statistics, and passes changes of the table on to `Base`. `now` is the clock for measuring pauses; it does not
/// influence what the filter does.
template <class Base = NoWatch, double (*now)() = no_clock>
class Watched : public Base {
 public:
  [[nodiscard]] const Statistics& statistics() const { return statistics_; }

  void end_insert(InsertOutcome outcome, std::uint32_t kicks) {
    if (outcome == InsertOutcome::inserted) [[likely]] {
      ++statistics_.kicks[std::bit_width(kicks)];
    } else if (outcome != InsertOutcome::present) {
      ++(outcome == InsertOutcome::full ? statistics_.full : statistics_.too_many_copies);
    }
  }
  void begin_resize(Operation operation, std::uint64_t size) {
    began_ = now();
    Base::begin_resize(operation, size);
  }
  void end_resize(Operation operation, bool is_changed, std::uint64_t bucket_count, std::uint64_t size) {
    if (operation == Operation::grow && is_changed) {
      last(statistics_.doubling_count++) = {bucket_count, size, now() - began_};
    }
    Base::end_resize(operation, is_changed, bucket_count, size);
  }
  void begin_pause() { began_ = now(); }
  void end_pause() {
    Doubling& doubling = last(statistics_.doubling_count - 1);
    doubling.pause = std::max(doubling.pause, now() - began_);
  }
  void count_on(const Watched& original) { statistics_ = original.statistics_; }

 private:
  Doubling& last(std::uint32_t count) { return statistics_.doublings[count % Statistics::kDoublings]; }

  Statistics statistics_;
  double began_ = 0;
};

}  // namespace cuckoo
