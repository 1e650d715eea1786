// Keys seen in the last N periods: the value of an entry is the period in which it was last seen, modulo N. Invariant:
// a key seen in the last N periods, including the current one, is found. Entries are dropped by their age and never by
// a key. Keys with equal fingerprint and candidate buckets share an entry, which keeps the newest period, so no key can
// remove the entry of another.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cuckoo/error.h"
#include "cuckoo/filter/change.h"
#include "cuckoo/filter/kick_path.h"
#include "cuckoo/filter/location.h"
#include "cuckoo/filter/outcome.h"
#include "cuckoo/filter/trace.h"
#include "cuckoo/hash/hasher.h"
#include "cuckoo/params.h"
#include "cuckoo/rate.h"
#include "cuckoo/table/table.h"

namespace cuckoo {

inline constexpr std::uint32_t kMaxPeriods = 256;

/// A set of keys. Each is forgotten N periods after it was last seen.
class ExpiringFilter {
 public:
  /// An empty filter with `periods` periods, from 1 to 256. `params` are as for `Filter`, except that slots take
  /// bit_width(periods - 1) bits more, and `params.capacity` counts the distinct keys of all periods together. Errors
  /// as `Filter::create`; `out_of_range` has `Field::none` for `periods`, and `Field::fingerprint_bits` if fingerprint
  /// and period take more than 32 bits.
  static Result<ExpiringFilter> create(Params params, std::uint32_t periods, const SecretKey* secret = nullptr) {
    if (const Field field = invalid_field(params); field != Field::none) return {Error::out_of_range, field};
    if (periods < 1 || periods > kMaxPeriods || params.value_bits != 0) return Error::out_of_range;
    if (params.reserved_bits != 0) return {Error::out_of_range, Field::max_capacity};
    if (!Hasher::fit(params, secret)) return Error::wrong_key;
    params.value_bits = static_cast<std::uint32_t>(std::bit_width(periods - 1));
    if (const Field field = invalid_field(params); field != Field::none) return {Error::out_of_range, field};
    Result<Table> table = Table::create(params);
    if (!table) return table.error();
    Result<KickPath> path = KickPath::create(params.max_kicks);
    if (!path) return path.error();
    return ExpiringFilter(params, Hasher(params, secret), std::move(*table), std::move(*path), periods);
  }

  /// The hash of a key in this filter. Calls that take a key also take its hash.
  template <Key K>
  [[nodiscard]] Hash hash(const K& key) const {
    return hasher_(key);
  }

  /// Marks `key` as seen in the current period. `inserted`: it was definitely not seen in the last N periods.
  /// `present`: it probably was. `full`: it was not, and there is no room for it; nothing changed.
  template <Key K>
  InsertOutcome insert_if_absent(const K& key) {
    return see(locate_fixed(hash(key), params_));
  }

  /// Marks the hashes as seen, in order, until one finds no room. Writes 1 for each that was new, else 0.
  BatchOutcome insert_many_if_absent(std::span<const Hash> hashes, std::span<std::uint8_t> is_new) {
    BatchOutcome batch;
    for (; batch.done < hashes.size(); ++batch.done) {
      const InsertOutcome outcome = insert_if_absent(hashes[batch.done]);
      if (outcome == InsertOutcome::full) return {batch.done, outcome};
      is_new[batch.done] = outcome == InsertOutcome::inserted;
    }
    return batch;
  }

  /// False: `key` was not seen in the last N periods. True: it probably was. Reads two buckets.
  template <Key K>
  [[nodiscard]] bool contains(const K& key) const {
    const Location at = locate_fixed(hash(key), params_);
    return find(at.primary) != params_.bucket_size || find(at.alternate) != params_.bucket_size;
  }

  /// Begins the next period and drops the entries last seen N periods before it. Returns how many. Linear in the table.
  std::uint64_t advance() {
    current_ = (current_ + 1) % periods_;
    const std::uint64_t before = size_;
    for (std::uint64_t bucket = 0; bucket < params_.bucket_count; ++bucket) {
      Slots slots = table_.read(bucket);
      // What stays moves up in its order, and empty slots come first, as in a semi-sorted bucket they must.
      std::uint32_t first = params_.bucket_size;
      for (std::uint32_t slot = params_.bucket_size; slot-- > 0;) {
        if (slots[slot] == 0 || value_of(slots[slot], params_) != current_) slots[--first] = slots[slot];
      }
      if (first == 0) continue;
      std::fill_n(slots.begin(), first, 0);
      table_.write(bucket, slots);
      size_ -= first;
    }
    return before - size_;
  }

  /// Forgets everything. Linear in the table's size.
  void clear() {
    table_.clear();
    size_ = 0;
  }

  /// Number of entries stored now: at most the number of distinct keys seen in the last N periods.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint32_t periods() const { return periods_; }
  /// The probability, at the current size, that a key not seen in the last N periods is found.
  [[nodiscard]] double expected_false_positive_rate() const { return false_positive_rate(params_, size_); }
  /// The parameters given to `create`, with `value_bits` set to the bits of a period.
  [[nodiscard]] const Params& params() const { return params_; }
  [[nodiscard]] const Hasher& hasher() const { return hasher_; }
  [[nodiscard]] const Table& table() const { return table_; }

 private:
  ExpiringFilter(const Params& params, const Hasher& hasher, Table table, KickPath path, std::uint32_t periods)
      : params_(params), hasher_(hasher), table_(std::move(table)), path_(std::move(path)), periods_(periods) {}

  /// The slot of the bucket `here` that holds its entry, with whatever value; or b.
  [[nodiscard]] std::uint32_t find(Candidate here) const {
    const Slots slots = table_.read(here.bucket);
    std::uint32_t slot = 0;
    while (slot < params_.bucket_size && without_value(slots[slot], params_) != here.entry) ++slot;
    return slot;
  }

  InsertOutcome see(Location at) {
    for (Candidate* here : {&at.primary, &at.alternate}) {
      const std::uint32_t slot = find(*here);
      here->entry = with_value(here->entry, current_, params_);
      if (slot == params_.bucket_size) continue;
      table_.set(here->bucket, slot, here->entry);
      return InsertOutcome::present;
    }
    NoTrace trace;
    std::uint32_t kicks = 0;
    if (!try_place(table_, at.primary, at.alternate.bucket, 0, trace) &&
        !try_place(table_, at.alternate, at.primary.bucket, 0, trace) &&
        !path_.walk(table_, params_, at, kicks, trace)) {
      return InsertOutcome::full;
    }
    ++size_;
    return InsertOutcome::inserted;
  }

  Params params_;
  Hasher hasher_;
  Table table_;  ///< the value of an entry: the period of its last sighting
  KickPath path_;
  std::uint32_t periods_ = 1;  ///< N
  std::uint32_t current_ = 0;  ///< the current period, below N; the others follow in a ring
  std::uint64_t size_ = 0;
};

}  // namespace cuckoo
