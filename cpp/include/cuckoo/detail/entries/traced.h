// SPDX-License-Identifier: MIT
// The entries of a traced filter: the same operations with the same results, each reported to a log.
// Invariant: inserts, lookups and erases have no hook for it. This class asks the table what one of them will do, and
// reports it; then the core does it. The core itself reports only changes of the whole table (`NoWatch` lists them). So
// a traced filter has the bytes of one that is not, unless it is asked to kick by a random walk.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <utility>

#include "cuckoo/detail/entries/entries.h"
#include "cuckoo/entries/trace.h"

namespace cuckoo::detail {

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
    std::uint32_t kicks = 0;
    InsertOutcome outcome{};
    const bool is_direct = (asks && buckets_.holds(at)) || tell_place(at.primary, at.alternate.bucket, 0) ||
                           tell_place(at.alternate, at.primary.bucket, 0) ||
                           is_filled_with_alike(buckets_, params_, at);
    if (!is_direct && watch_.kicking() == Kicking::random_walk) {
      const Stored stored = walk(at);
      kicks = stored.kicks;
      outcome = Base::counted(stored);
    } else {
      if (!is_direct) kicks = tell_search(at);
      outcome = Base::store(operation, at);
    }
    watch_.end(operation, static_cast<std::uint8_t>(outcome), size_, kicks);
    return outcome;
  }
  /// Tells that an entry is put into the first empty slot of its bucket, after `kicks` kicks; false if there is none.
  bool tell_place(Candidate here, std::uint32_t other_bucket, std::uint32_t kicks) {
    const Slots slots = probe(here.bucket, 0);
    const std::uint32_t slot = buckets_.table().find(here.bucket, 0);
    if (slot == params_.bucket_size) return false;
    watch_.change(EventKind::place, layout(), slots, {here.bucket, slot, 0, here.entry, other_bucket}, kicks);
    return true;
  }
  /// Tells how a path is searched, and of its kicks from the near end, as the paper does. Returns how many.
  [[gnu::noinline]] std::uint32_t tell_search(const Location& at) {
    const Table& table = buckets_.table();
    Search search(buckets_, params_);
    const bool is_found = search.find(at);
    tell_looks(search);
    if (!is_found) return 0;
    const std::uint32_t kicks = search.size();
    Kick kick{};
    for (std::uint32_t number = 1; number <= kicks; ++number) {
      std::uint32_t left = kicks - number;
      search.each_kick([&](const Kick& it) { return kick = it, left-- > 0; });
      watch_.change(
          EventKind::kick, layout(), table.read(kick.bucket),
          {kick.bucket, table.find(kick.bucket, kick.victim), kick.victim, kick.incoming, kick.destination.bucket},
          number, number == kicks ? kHasRoom : 0);
    }
    tell_place(search.end(), kick.bucket, kicks);
    return kicks;
  }
  void tell_looks(const Search<Buckets>& search) {
    const Table& table = buckets_.table();
    for (std::uint32_t i = 0, reported = 0; i < search.read_count(); ++i) {
      const std::uint32_t bucket = search.bucket_read(i);
      const Slots slots = table.read(bucket);
      for (std::uint32_t slot = 0; slot < params_.bucket_size; ++slot) {
        const std::uint32_t there = other({bucket, slots[slot]}, params_).bucket;
        const bool is_last = ++reported == kMaxLooks && (slot + 1 < params_.bucket_size || i + 1 < search.read_count());
        const int flags = (table.has_room(there) ? kHasRoom : 0) | (is_last ? kMoreLooks : 0);
        watch_.look(bucket, slot, slots[slot], there, search.kicks_to(i) + 1, static_cast<std::uint8_t>(flags));
        if (is_last) return;
      }
    }
  }

  /// Kicks as Fan et al. 2014, Algorithm 1: out of one of the two buckets a random entry, out of its other bucket a
  /// random entry again, until one finds room. If none does, all kicks are taken back. The numbers come from Knuth's
  /// MMIX generator, of which the upper half is used, because the lowest bits have short periods.
  [[gnu::noinline]] Stored walk(const Location& at) {
    Table& table = buckets_.table();
    std::uint64_t state = std::uint64_t{at.primary.bucket} << 32 | at.primary.entry;
    const auto draw = [&state] {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return static_cast<std::uint32_t>(state >> 32);
    };
    (void)draw();
    Candidate here = draw() >> 31 != 0 ? at.alternate : at.primary;
    std::array<SlotChange, kMaxWalkKicks> made;
    std::uint32_t kicks = 0;
    while (kicks < watch_.walk_kicks()) {
      const std::uint32_t odd = draw() | 1;  // so that entries are drawn independently
      const Slots slots = table.read(here.bucket);
      std::uint32_t slot = 0;
      for (std::uint32_t i = 1; i < params_.bucket_size; ++i) {
        if (slots[i] * odd >= slots[slot] * odd) slot = i;
      }
      const Candidate there = other({here.bucket, slots[slot]}, params_);
      SlotChange& kick = made[kicks++] = {here.bucket, slot, slots[slot], here.entry, there.bucket};
      watch_.change(EventKind::kick, layout(), slots, kick, kicks, table.has_room(there.bucket) ? kHasRoom : 0, odd);
      kick.slot = table.set(here.bucket, slot, here.entry);
      here = there;
      if (!tell_place(here, kick.bucket, kicks)) continue;
      (void)buckets_.insert(here);
      return {InsertOutcome::inserted, kicks};
    }
    for (std::uint32_t number = kicks; number > 0; --number) {
      const SlotChange& it = made[number - 1];
      watch_.change(EventKind::undo, layout(), table.read(it.bucket),
                    {it.bucket, it.slot, it.after, it.before, it.other_bucket}, number);
      (void)table.set(it.bucket, it.slot, it.before);
    }
    return {InsertOutcome::full, kicks};
  }
};

}  // namespace cuckoo::detail
