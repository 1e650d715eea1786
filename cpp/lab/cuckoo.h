// This library's filter as one of the lab's. Invariant: it is only called, never changed: what it does with a hash is
// what it does for everyone.
#pragma once

#include <cstdint>
#include <utility>

#include "cuckoo/filters/filter.h"
#include "cuckoo/plan.h"
#include "lab/filter.h"

namespace lab {

class CuckooFilter {
 public:
  static Result<CuckooFilter> create(cuckoo::Params params) {
    params.tuning.wants_huge_pages = false;  // as all others
    Result<cuckoo::Filter> filter = cuckoo::Filter::create(params);
    if (!filter) return {filter.error(), filter.field()};
    return CuckooFilter(std::move(*filter));
  }
  explicit CuckooFilter(cuckoo::Filter filter) : filter_(std::move(filter)) {}

  /// False, and nothing changed, if no room is found within the kicks allowed, or both buckets are full of copies.
  bool insert(Hash hash) { return filter_.insert(hash) == cuckoo::InsertOutcome::inserted; }
  [[nodiscard]] bool contains(Hash hash) const { return filter_.contains(hash); }
  bool erase(Hash hash) { return filter_.erase(hash); }
  /// Tells both buckets, which are read together, whatever the first holds.
  template <class See>
  bool look_up(Hash hash, See see) const {
    const cuckoo::detail::Location at = cuckoo::detail::locate(hash, filter_.params());
    for (const std::uint64_t bucket : {at.primary.bucket, at.alternate.bucket}) {
      const std::uint64_t bits = cuckoo::detail::bucket_bits(filter_.params());
      const std::uint64_t first = bucket * bits;
      see(first >> 3, static_cast<std::uint32_t>(((first & 7) + bits + 7) >> 3));
    }
    return contains(hash);
  }

  [[nodiscard]] std::uint64_t size() const { return filter_.size(); }
  [[nodiscard]] std::uint64_t capacity() const { return filter_.params().capacity; }
  [[nodiscard]] std::uint64_t byte_count() const { return table_bytes(filter_.params()); }
  [[nodiscard]] double expected_rate() const { return filter_.expected_false_positive_rate(); }

 private:
  cuckoo::Filter filter_;
};

}  // namespace lab
