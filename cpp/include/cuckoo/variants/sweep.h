// Which buckets may still hold entries that are forgotten. A table is swept group by group, a few groups per call, so
// that no call takes long. Invariant: the mark of a group is the oldest period that was remembered when the group was
// swept last, and a group is swept again before anything is written into it. So it holds entries of N periods at most,
// from its mark on, and their values tell these apart.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace cuckoo {

/// How much is swept per call. A table of at most `groups_at_once` groups is swept as a whole when a period begins.
struct SweepPace {
  std::uint32_t group_bits = 6;       ///< a group is 2^6 buckets, which an insert sweeps in about 1 us
  std::uint32_t groups_at_once = 16;  ///< groups that are swept when a period begins, from 1 on
};

/// What is swept of a table, and what is left. Periods are numbered without end; `since` is the oldest remembered.
class Sweep {
 public:
  explicit Sweep(SweepPace pace) : pace_(pace) {}

  [[nodiscard]] SweepPace pace() const { return pace_; }
  [[nodiscard]] bool is_done() const { return left_ == 0; }

  /// Makes marks for a table of `bucket_count` buckets if it needs any; without memory, there are none.
  void reserve(std::uint64_t bucket_count) {
    const std::uint64_t groups = group_of(bucket_count - 1) + 1;
    if (groups == groups_) return;
    const bool has_marks = groups > pace_.groups_at_once;
    marks_.reset(has_marks ? new (std::nothrow) std::uint32_t[static_cast<std::size_t>(groups)] : nullptr);
    groups_ = marks_ == nullptr ? 0 : groups;
    next_ = 0;
  }

  /// Begins to sweep a table of `bucket_count` buckets anew, in which nothing is older than `since` but what is left of
  /// the sweep under way. False if the table is to be swept as a whole: it is small, or there is no memory for marks.
  bool begin(std::uint64_t bucket_count, std::uint64_t since) {
    if (is_done()) {
      reserve(bucket_count);
      std::fill_n(marks_.get(), groups_, static_cast<std::uint32_t>(since));
    }
    left_ = groups_;
    return left_ != 0;
  }

  /// How many periods, from its mark on, the group of `bucket` may hold entries of that are forgotten. Ask this only
  /// while a sweep is under way. Modulo 2^32, which no sweep lasts for, as every period sweeps some groups.
  [[nodiscard]] std::uint32_t lag(std::uint64_t bucket, std::uint64_t since) const {
    return static_cast<std::uint32_t>(since) - marks_[group_of(bucket)];
  }

  /// Calls `empty(first, last, lag)` for the buckets of the group of `bucket`, unless it is swept.
  template <class Empty>
  void visit(std::uint64_t bucket, std::uint64_t since, std::uint64_t bucket_count, Empty empty) {
    const std::uint32_t behind = lag(bucket, since);
    if (behind == 0) return;
    const std::size_t group = group_of(bucket);
    empty(first_of(group), std::min(first_of(group + 1), bucket_count), behind);
    marks_[group] = static_cast<std::uint32_t>(since);
  }

  /// The same for the next `groups` groups in turn, or as many as are left.
  template <class Empty>
  void visit_next(std::uint64_t groups, std::uint64_t since, std::uint64_t bucket_count, Empty empty) {
    for (groups = std::min(groups, left_); groups > 0; --groups, --left_) {
      visit(first_of(next_), since, bucket_count, empty);
      next_ = next_ + 1 == groups_ ? 0 : next_ + 1;
    }
  }

  /// Leaves nothing to sweep, because the table is empty.
  void stop() { left_ = 0; }

 private:
  [[nodiscard]] std::size_t group_of(std::uint64_t bucket) const {
    return static_cast<std::size_t>(bucket >> pace_.group_bits);
  }
  [[nodiscard]] std::uint64_t first_of(std::uint64_t group) const { return group << pace_.group_bits; }

  SweepPace pace_;
  std::unique_ptr<std::uint32_t[]> marks_;  ///< of each group, modulo 2^32
  std::uint64_t groups_ = 0;                ///< groups that have a mark
  std::uint64_t next_ = 0;                  ///< the group that comes next
  std::uint64_t left_ = 0;                  ///< groups until all are swept
};

}  // namespace cuckoo
