// SPDX-License-Identifier: MIT
// The cuckoo filter: insert, contains, count and erase (Fan et al. 2014, Algorithms 1 to 3).
// Invariant: every key inserted and not erased is found; an operation that fails leaves every entry as it was. There is
// no stash, and a kick path is made only once it is whole. Threads: const calls may run at the same time, except those
// of a `TracedFilter`, because lookups write to its log; any other call must run alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>

#include "cuckoo/detail/entries/entries.h"
#include "cuckoo/entries/outcome.h"
#include "cuckoo/entries/statistics.h"
#include "cuckoo/error.h"
#include "cuckoo/filters/table_filter.h"
#include "cuckoo/hash/hash.h"
#include "cuckoo/hash/hasher.h"
#include "cuckoo/params.h"

namespace cuckoo {

/// A set of keys that answers "definitely not" or "probably", and can erase keys. A key is a string or bytes, an
/// integer (its 64-bit value), or a `Hash` computed by `hash`; see `Key` in hash/hash.h. Moves are cheap. There is no
/// copy constructor, because copying may fail: use `clone`. A moved-from filter may only be assigned to or destroyed.
/// Mostly used as `Filter`; `CountedFilter` and `TracedFilter` (filters/traced.h) also report what they do.
template <class AnyEntries>
class BasicFilter : public detail::TableFilter<BasicFilter, AnyEntries, ValueKind::none> {
  using Base = detail::TableFilter<BasicFilter, AnyEntries, ValueKind::none>;
  using Base::Base, Base::entries_, Base::hasher_;
  friend detail::Access;

 public:
  /// An empty filter. Errors: `out_of_range` with the field; `out_of_memory`; `wrong_key` if `params.hash` needs a
  /// `secret` and none is given, or if one is given that it does not need. Linear in the table's size.
  static Result<BasicFilter> create(const Params& params, const SecretKey* secret = nullptr) {
    return detail::make<BasicFilter>(params, 0, secret);
  }
  /// An empty filter for `capacity` keys. When full, it finds an absent key with at most the probability
  /// `false_positive_rate`. Errors as `plan`, and `out_of_memory`.
  static Result<BasicFilter> create(std::uint64_t capacity, double false_positive_rate,
                                    const SecretKey* secret = nullptr) {
    const Result<Params> params = detail::plan_for(capacity, false_positive_rate, secret);
    return params ? create(*params, secret) : Result<BasicFilter>(params.error(), params.field());
  }

  /// The number of copies of `key`, from 0 to 2 b. Other keys with the same fingerprint and candidate buckets count as
  /// well.
  template <Key K>
  [[nodiscard]] std::uint32_t count(const K& key) const {
    return entries_.count(this->hash(key));
  }
  /// Inserts the keys in order until one fails. If the range has a size, this uses `Filling`.
  template <Keys R>
  BatchOutcome insert_many(R&& keys) {
    std::uint64_t count = 0;
    if constexpr (std::ranges::sized_range<R>) count = static_cast<std::uint64_t>(std::ranges::size(keys));
    const Filling filling(*this, count);
    return detail::insert_in_batches(hasher_, keys, {}, entries_, Operation::insert);
  }
  /// Speeds up filling an empty semi-sorted filter. While this object lives, inserts go to a plain table; its
  /// destructor encodes that table, which takes time linear in the table's size. Every other call works as usual. It
  /// uses memory for a second table. It does nothing unless `count` keys fill at least half of the table. Destroy it
  /// before the filter, and do not move the filter while it lives.
  class [[nodiscard]] Filling {
   public:
    Filling(BasicFilter& filter, std::uint64_t count)
        : entries_(filter.entries_.begin_encoding(count) ? &filter.entries_ : nullptr) {}
    Filling(const Filling&) = delete;
    Filling& operator=(const Filling&) = delete;
    ~Filling() {
      if (entries_ != nullptr) entries_->end_encoding();
    }

   private:
    AnyEntries* entries_;
  };

  /// Halves a table that has grown, which gives each slot a reserved bit back. False, and nothing changed, if half of
  /// it is not enough for the entries, or if there is no memory for the new table beside the old one. Linear in the
  /// table's size.
  bool shrink() { return entries_.shrink(); }

 private:
  /// Inserts some entries of `from`; for `merge`.
  InsertOutcome absorb(const BasicFilter&, const detail::HashBatch& some, bool only_if_absent = false) {
    const Operation operation = only_if_absent ? Operation::insert_if_absent : Operation::insert;
    return entries_.insert_many(operation, some.hashes(), {}).outcome;
  }
};

using Filter = BasicFilter<detail::Entries<>>;
/// A filter whose `watch().statistics()` tell how many kicks inserts took, how many were refused, and when it doubled.
using CountedFilter = BasicFilter<detail::Entries<Watched<>>>;

}  // namespace cuckoo
