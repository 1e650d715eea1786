// The table under a filter, which doubles when that is due, little by little, and is halved when asked. Invariant: what
// is in it stays in it, whatever its size; a step that fails leaves it as it was.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "cuckoo/error.h"
#include "cuckoo/filter/kick_path.h"
#include "cuckoo/filter/location.h"
#include "cuckoo/filter/outcome.h"
#include "cuckoo/filter/place.h"
#include "cuckoo/filter/trace.h"
#include "cuckoo/hash/hash.h"
#include "cuckoo/params.h"
#include "cuckoo/table/building.h"
#include "cuckoo/table/growth.h"
#include "cuckoo/table/table.h"

namespace cuckoo {

/// What `Filter` does that needs no key: the part of its class that this file holds.
template <class Trace>
class GrowingTable {
 public:
  /// Doubles the table, which uses up one reserved bit. False, and nothing changed, if no bit is left, or if there is
  /// no memory for the new table beside the old one. Inserts call it when it is due, and may leave the rest of the work
  /// to the next. Linear in the table's size.
  [[nodiscard]] bool grow() {
    const bool has_grown = begin_to_grow();
    if (has_grown) settle();
    return has_grown;
  }

  /// True while entries are still to be moved of a table that is being doubled, which nothing else tells. Until then
  /// both tables are in memory.
  [[nodiscard]] bool is_doubling() const { return table_.is_doubling(); }

  /// Ends a doubling that is under way. Linear in the table's size.
  void settle() {
    if (table_.is_doubling()) move_some(kNever);
  }

  /// True if the table has grown and half of it is made for `size` keys, by `present_capacity`. A loaded filter is
  /// taken to have begun with `cuckoo::least_bucket_count`.
  [[nodiscard]] bool is_half_enough_for(std::uint64_t size) const {
    return params_.bucket_count > least_bucket_count_ && size <= present_capacity(halved(params_));
  }

  /// Halves a table that has grown, which gives each slot its reserved bit back. False, and nothing changed, if half of
  /// it is not enough for the entries there are, or if there is no memory for the new table beside the old one. Linear
  /// in the table's size.
  [[nodiscard, gnu::noinline, gnu::cold]] bool shrink() { return is_half_enough_for(size_) && halve(); }

  /// Makes the inserts of the next `count` keys faster, if the filter is empty and semi-sorted and they fill half of
  /// it: they go into a plain table, which `finish_building` encodes at once, to the same bytes. Memory holds both
  /// tables until then. False if nothing is gained, or if there is no memory for another table: all works as without.
  /// Meanwhile every call answers as without, and `clone`, `merge` and saving read the table as it is once encoded.
  bool begin_building(std::uint64_t count) {
    if constexpr (Trace::kSeesLookups) return false;  // what is traced are the changes of the one table
    if (table_.is_doubling() || size_ != 0 || count < kLeastBuilt || 2 * count < present_capacity(params_))
      return false;
    return building_.begin(table_, params_);
  }
  /// Ends what `begin_building` began, if it did. Linear in the table's size.
  [[gnu::noinline]] void finish_building() { building_.finish(table_); }

  /// Removes everything. A table that has grown keeps its size. Linear in the table's size.
  void clear() {
    trace_.begin(Operation::clear, Hash{0}, size_);
    table_.clear();
    is_fixed_ = params_.reserved_bits == 0;
    size_ = 0;
    grow_at_ = size_to_grow_at();
    trace_.reset(Operation::clear, params_);
    trace_.end(Operation::clear, 1, 0, size_, 0);
  }

  /// Number of entries stored now.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const Params& params() const { return params_; }
  /// The table as it stands. While it doubles or is built, some entries lie elsewhere: see `copy_settled`.
  [[nodiscard]] const Table& table() const { return table_; }
  [[nodiscard]] Trace& trace() const { return trace_; }

 protected:
  /// A size that no filter has.
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  /// Fewer keys are inserted sooner than another table is made.
  static constexpr std::uint64_t kLeastBuilt = 64;

  GrowingTable(const Params& params, Table table, KickPath path, std::uint64_t size, std::uint64_t least_bucket_count)
      : params_(params),
        table_(std::move(table)),
        path_(std::move(path)),
        size_(size),
        grow_at_(size_to_grow_at()),
        is_fixed_(params.reserved_bits == 0),
        least_bucket_count_(least_bucket_count) {}

  [[nodiscard]] std::uint64_t size_to_grow_at() const {
    return params_.reserved_bits == 0 ? kNever : std::max(size_, present_capacity(params_)) + 1;
  }

  /// `grow`, up to as much work as one call may do. A trace of every lookup is told of none while entries are moved.
  [[gnu::noinline, gnu::cold]] bool begin_to_grow() {
    settle();
    grow_at_ = kNever;
    if (params_.reserved_bits == 0) return false;
    finish_building();
    trace_.begin(Operation::grow, Hash{0}, size_);
    Result<Table> table = Table::doubled_from(table_, params_);
    if (table) {
      table_ = std::move(*table);
      params_ = doubled(params_);
      grow_at_ = size_to_grow_at();
      trace_.split(table_, size_);
      table_.move_some(Trace::kSeesLookups ? kNever : params_.buckets_per_call);
      is_fixed_ = params_.reserved_bits == 0 && !table_.is_doubling();
      trace_.reset(Operation::grow, params_);
    }
    trace_.end(Operation::grow, table.has_value(), 0, size_, 0);
    return table.has_value();
  }

  /// Moves so many buckets of a table that is being doubled.
  [[gnu::noinline, gnu::cold]] void move_some(std::uint64_t buckets) {
    trace_.begin_move();
    table_.move_some(buckets);
    is_fixed_ = params_.reserved_bits == 0 && !table_.is_doubling();
    trace_.end_move();
  }

  /// Where a hash belongs, which is ready to be changed if a doubling is under way; of that, does what a call may.
  Location ready_location(Hash hash) {
    const Location at = call_locate_growable(hash, params_);
    if (table_.is_doubling()) [[unlikely]] {
      table_.ready(at.primary.bucket);
      table_.ready(at.alternate.bucket);
      move_some(params_.buckets_per_call);
    }
    return at;
  }

  /// What an insert of `hash` with this outcome makes due: the table doubles if it has reached its present capacity, or
  /// as often as gives the key room. Then calls `retry`, which inserts again; returns the last outcome. A key that is
  /// refused all the same leaves the table as it was.
  template <class Retry>
  InsertOutcome grow_after(InsertOutcome outcome, Hash hash, Retry retry) {
    const std::uint64_t bucket_count = params_.bucket_count;
    while (outcome == InsertOutcome::full && grow_for(hash)) outcome = retry();
    if (outcome == InsertOutcome::full || outcome == InsertOutcome::too_many_copies) {
      while (params_.bucket_count > bucket_count && halve()) {
      }
    } else if (size_ == grow_at_) {
      (void)begin_to_grow();
    }
    return outcome;
  }

  /// Doubles the table as often as may give a key room that has none. False, and nothing changed, where it will not:
  /// then a refused key costs no doubling.
  [[gnu::noinline, gnu::cold]] bool grow_for(Hash hash) {
    if (params_.reserved_bits == 0) return false;
    settle();
    const Candidate incoming = call_locate_growable(hash, params_).primary;
    Params later = params_;
    for (std::uint32_t doublings = 1; later.reserved_bits > 0 && may_double_for_room(later); ++doublings) {
      later = doubled(later);
      if (is_closed(table_, params_, incoming, trace_, doublings)) continue;
      while (params_.bucket_count < later.bucket_count && begin_to_grow()) {
      }
      return params_.bucket_count == later.bucket_count;
    }
    return false;
  }

  /// `shrink`, of a table that has grown.
  [[gnu::noinline, gnu::cold]] bool halve() {
    settle();
    finish_building();
    trace_.begin(Operation::shrink, Hash{0}, size_);
    const bool is_done = try_halve();
    if (is_done) trace_.reset(Operation::shrink, params_);
    trace_.end(Operation::shrink, is_done, 0, size_, 0);
    return is_done;
  }

  /// All or nothing: the table changes once every entry has its slot in the other.
  bool try_halve() {
    const Params params = halved(params_);
    Result<Table> half = Table::create(params);
    if (!half) return false;
    join_buckets(table_, params_, *half);
    if (!place_left_over(*half, params)) return false;
    table_ = std::move(*half);
    params_ = params;
    is_fixed_ = false;
    grow_at_ = size_to_grow_at();
    return true;
  }

  /// Places the entries for which `join_buckets` found no slot in `half`; false if one has no room.
  bool place_left_over(Table& half, const Params& params) {
    Trace untold;  // a new one is off
    for (std::uint64_t bucket = 0; bucket < params.bucket_count; ++bucket) {
      const Joined joined = read_joined(table_, params_, half, bucket);
      for (std::uint32_t i = params.bucket_size; i < joined.count; ++i) {
        const Candidate here = {static_cast<std::uint32_t>(bucket), joined.entries[i]};
        std::uint32_t kicks = 0;
        if (place(half, params, path_, {here, other(here, params)}, kicks, untold) != InsertOutcome::inserted)
          return false;
      }
    }
    return true;
  }

  /// False for a table that is less than a quarter full: then it is keys of the same few candidate buckets that find no
  /// room, which may be meant to make it grow. But with one slot a bucket, or few kicks, tables are planned to be that
  /// empty: these double from half of their share of the keys on, up to the capacity. They do not below 1 key in 64
  /// slots, because bytes from anywhere may say that a table is made to be empty.
  [[nodiscard]] bool may_double_for_room(const Params& params) const {
    const std::uint64_t slots = slot_count(params);
    if (4 * size_ >= slots) return true;
    const bool has_half_its_share = 2 * size_ >= params.capacity >> params.reserved_bits;
    return has_half_its_share && size_ < params.capacity && 64 * size_ >= slots;
  }

  Params params_;
  Table table_;
  Building building_;
  KickPath path_;
  std::uint64_t size_ = 0;
  std::uint64_t grow_at_ = kNever;    ///< the size at which the table doubles
  bool is_fixed_;                     ///< no bits are reserved, and no doubling is under way
  std::uint64_t least_bucket_count_;  ///< what the table is not halved below
  [[no_unique_address]] mutable Trace trace_;
};

}  // namespace cuckoo
