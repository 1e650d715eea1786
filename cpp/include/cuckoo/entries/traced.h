// SPDX-License-Identifier: MIT
// The entries of a traced filter: the same operations with the same results, each told to a log. Invariant: the core
// has no hook for lookups and kicks. Lookups are told by asking the buckets that a location names, and kicks from the
// path of an insert, which is planned before it is made; a path that is given up is told and taken back, though nothing
// of it was made.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <utility>

#include "cuckoo/entries/entries.h"
#include "cuckoo/entries/trace.h"

namespace cuckoo::detail {

/// The buckets of a filter, for a walk that tells which slots it reads.
class ToldBuckets {
 public:
  ToldBuckets(Buckets& buckets, TraceLog& log) : buckets_(buckets), log_(log) {}
  /// The path that is planned, which knows what its kicks change.
  void follow(const Path<ToldBuckets>& path) { path_ = &path; }

  /// Without looking ahead, a bucket is read only once an entry comes to it.
  [[nodiscard]] bool has_room(std::uint64_t bucket) const {
    if (looks_ahead()) tell(bucket);
    return buckets_.has_room(bucket);
  }
  void tell(std::uint64_t bucket) const { log_.probe(table().layout().bucket_size, bucket, path_->read(bucket), 0); }
  [[nodiscard]] bool looks_ahead() const { return log_.looks_ahead(); }
  static constexpr bool kForgetsLoops = Buckets::kForgetsLoops;
  [[nodiscard]] const Table& table() const { return std::as_const(buckets_).table(); }
  [[nodiscard]] bool has_work() const { return buckets_.has_work(); }
  void ready(std::uint64_t bucket) { buckets_.ready(bucket); }

 private:
  Buckets& buckets_;
  TraceLog& log_;
  const Path<ToldBuckets>* path_ = nullptr;
};

/// `Watch` is a TraceLog, or reports to one.
template <class Watch = TraceLog>
class TracedEntries : public Entries<Watch> {
  using Base = Entries<Watch>;
  using Base::buckets_, Base::params_, Base::size_, Base::watch_;

 public:
  using Base::Base;
  TracedEntries(Base entries) : Base(std::move(entries)) {}  // NOLINT: the same entries

  static Result<TracedEntries> create(const Params& params) { return made(Base::create(params)); }
  [[nodiscard]] Result<TracedEntries> clone() const { return made(Base::clone()); }

  [[nodiscard]] bool contains(Hash hash) const {
    const Location at = begin(Operation::contains, hash);
    probe_both(at);
    const bool is_found = Base::contains(hash);
    watch_.end(Operation::contains, is_found, size_);
    return is_found;
  }
  [[nodiscard]] std::uint32_t count(Hash hash) const {
    const Location at = begin(Operation::count, hash);
    probe_both(at);
    const std::uint32_t copies = Base::count(hash);
    watch_.end(Operation::count, copies != 0, size_, 0, copies);
    return copies;
  }
  InsertOutcome insert(Operation operation, Hash hash) {
    return Base::insert(hash, [=, this](const Location&) { return store(operation, hash); });
  }
  bool erase(Hash hash) {
    const Location at = begin(Operation::erase, hash);
    for (const auto& [here, there] : {std::pair(at.primary, at.alternate), std::pair(at.alternate, at.primary)}) {
      const Slots slots = probe(here.bucket, here.entry);
      const std::uint32_t slot = buckets_.table().find(here.bucket, here.entry);
      if (slot == params_.bucket_size) continue;
      watch_.change(EventKind::remove, layout(), slots, {here.bucket, slot, here.entry, 0, there.bucket});
      break;
    }
    const bool is_erased = Base::erase(hash);
    watch_.end(Operation::erase, is_erased, size_);
    return is_erased;
  }
  void clear() {
    watch_.begin(Operation::clear, size_);
    Base::clear();
    watch_.reset(Operation::clear);
    watch_.end(Operation::clear, true, size_);
  }

  // Many hashes, one after the other.

  BatchOutcome insert_many(Operation operation, std::span<const Hash> hashes, std::span<std::uint8_t> is_new) {
    assert(is_new.empty() || is_new.size() >= hashes.size());
    return Base::insert_many(hashes, [&](std::size_t i, const Location&) {
      const InsertOutcome outcome = store(operation, hashes[i]);
      if (!is_new.empty()) is_new[i] = outcome == InsertOutcome::inserted;
      return outcome;
    });
  }
  void contains_many(std::span<const Hash> hashes, std::span<std::uint8_t> found) const {
    assert(found.size() >= hashes.size());
    for (std::size_t i = 0; i < hashes.size(); ++i) found[i] = contains(hashes[i]);
  }
  std::size_t erase_many(std::span<const Hash> hashes) {
    std::size_t erased = 0;
    for (const Hash hash : hashes) erased += erase(hash) ? 1u : 0u;
    return erased;
  }
  /// A trace is about one table, so there must be no second one.
  static bool begin_encoding(std::uint64_t) { return false; }

 private:
  static Result<TracedEntries> made(Result<Base> entries) {
    return entries ? Result<TracedEntries>(std::move(*entries)) : entries.error();
  }
  [[nodiscard]] const BucketLayout& layout() const { return buckets_.table().layout(); }

  Location begin(Operation operation, Hash hash) const {
    const Location at = locate(hash, params_);
    watch_.begin(operation, size_, hash);
    watch_.locate(hash, at, params_);
    return at;
  }
  /// Tells of the slots of a bucket up to the first that holds `sought`, and returns all.
  Slots probe(std::uint32_t bucket, std::uint32_t sought) const {
    const Slots slots = buckets_.table().read(bucket);
    watch_.probe(params_.bucket_size, bucket, slots, sought);
    return slots;
  }
  void probe_both(const Location& at) const {
    (void)probe(at.primary.bucket, at.primary.entry);
    (void)probe(at.alternate.bucket, at.alternate.entry);
  }

  InsertOutcome store(Operation operation, Hash hash) {
    const Location at = begin(operation, hash);
    const bool asks = operation == Operation::insert_if_absent;
    if (asks) probe_both(at);
    const Stored stored = asks && Base::holds(at) ? Stored{InsertOutcome::present} : insert_told(at);
    (void)Base::counted(stored);
    watch_.end(operation, static_cast<std::uint8_t>(stored.outcome), size_, stored.kicks);
    return stored.outcome;
  }
  Stored insert_told(const Location& at) {
    if (insert_told(at.primary, at.alternate.bucket, 0) || insert_told(at.alternate, at.primary.bucket, 0))
      return {InsertOutcome::inserted};
    if (is_filled_with_alike(buckets_, params_, at)) return {InsertOutcome::too_many_copies};
    ToldBuckets told(buckets_, watch_);
    Path path(told, params_);
    told.follow(path);
    path.begin(at);
    while (!path.is_whole() && path.step()) {
      tell_kick(path);
      if (!path.is_whole() && !path.looks_ahead()) told.tell(path.end().bucket);
    }
    if (path.is_whole()) {
      make_kicks(buckets_.table(), path);
      const bool is_in = insert_told(path.end(), path[path.size() - 1].bucket, path.size());
      assert(is_in);
      return {is_in ? InsertOutcome::inserted : InsertOutcome::full, path.size()};
    }
    for (std::uint32_t kicks = path.size(); kicks > 0; --kicks) tell_undo(path, kicks);
    return {InsertOutcome::full, path.size()};
  }
  /// Stores an entry in an empty slot of its bucket, after `kicks` kicks; false if there is none.
  bool insert_told(Candidate here, std::uint32_t other_bucket, std::uint32_t kicks) {
    const Slots slots = probe(here.bucket, 0);
    const std::uint32_t slot = buckets_.table().find(here.bucket, 0);
    if (!buckets_.insert(here)) return false;
    watch_.change(EventKind::place, layout(), slots, {here.bucket, slot, 0, here.entry, other_bucket}, kicks);
    return true;
  }
  /// The last kick of a path.
  void tell_kick(const Path<ToldBuckets>& path) {
    const std::uint32_t kicks = path.size();
    const Kick& kick = path[kicks - 1];
    const std::uint8_t flags = path.reach() == Reach::room       ? kHasRoom
                               : path.reach() == Reach::one_kick ? kLeadsToRoom
                                                                 : 0;
    watch_.change(EventKind::kick, layout(), path.read_after(kicks - 1, kick.bucket),
                  {kick.bucket, kick.slot, kick.victim, kick.incoming, path.end().bucket}, kicks, flags, path.draw());
  }
  /// That kick number `kicks` is taken back, after those that came later.
  void tell_undo(const Path<ToldBuckets>& path, std::uint32_t kicks) {
    const Kick& kick = path[kicks - 1];
    Slots slots = path.read_after(kicks - 1, kick.bucket);
    const std::uint32_t slot = put_sorted(layout(), slots, kick.slot, kick.incoming);
    const std::uint32_t from = kicks == path.size() ? path.end().bucket : path[kicks].bucket;
    watch_.change(EventKind::undo, layout(), slots, {kick.bucket, slot, kick.incoming, kick.victim, from}, kicks);
  }
};

}  // namespace cuckoo::detail
