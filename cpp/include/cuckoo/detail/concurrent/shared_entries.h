// SPDX-License-Identifier: MIT
// The entries of a shared filter, in which any number of threads look up, insert and erase at once.
// Invariant: an entry is in one of its two buckets at every moment from the end of its insert to the start of its
// erase. A move copies the entry to where it goes, counts up its version, and then lets another entry take its old
// place; an erase counts up the version, too, before it empties a slot. So a reader that saw neither copy, although one
// was there at each moment, finds another version and reads again. Source of moving from a path's far end: Fan,
// Andersen, Kaminsky, MemC3, NSDI 2013, section 4.2. Proof by trying all interleavings:
// tests/cpp/concurrent/interleaving_test.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "cuckoo/detail/concurrent/shared_state.h"
#include "cuckoo/detail/concurrent/writers_lock.h"
#include "cuckoo/detail/entries/batch.h"
#include "cuckoo/detail/entries/distinct.h"
#include "cuckoo/detail/entries/insert.h"
#include "cuckoo/detail/entries/location.h"
#include "cuckoo/detail/table/bucket.h"
#include "cuckoo/entries/outcome.h"

namespace cuckoo::detail {

/// One thread's way to a shared table, or that of several: it holds addresses and what never changes.
template <class Machine>
class SharedEntries {
 public:
  SharedEntries(SharedState& state, std::uint64_t* words)
      : params_(state.params), layout_(params_, nullptr), state_(&state), words_(words) {}

  [[nodiscard]] const Params& params() const { return params_; }
  [[nodiscard]] const BucketLayout& layout() const { return layout_; }
  [[nodiscard]] SharedState& state() const { return *state_; }
  /// The buckets, for a loader that writes them before anybody else knows of the filter.
  [[nodiscard]] std::uint64_t* words_for_loading() const { return words_; }
  /// Entries stored. While other threads insert and erase, a number between those before and after.
  [[nodiscard]] std::uint64_t size() const {
    std::uint64_t size = 0;
    for (const PaddedWord& part : state_->sizes) size += Machine::load(part.word);
    // Parts are read one after the other, so erases of entries whose inserts were missed may outnumber them.
    return static_cast<std::int64_t>(size) < 0 ? 0 : std::min(size, slot_count(params_));
  }
  [[nodiscard]] double expected_false_positive_rate() const { return false_positive_rate(*this, params_, size()); }

  /// Whether an entry alike to that of `hash` is there. Waits for nobody.
  [[nodiscard, gnu::always_inline]] bool contains(Hash hash) const {
    const Location at = locate(hash);
    return until_still(at, [&] { return holds(at); });
  }
  /// Writes 1 for each hash whose entry is there, else 0.
  void contains_many(std::span<const Hash> hashes, std::span<std::uint8_t> found) const {
    assert(found.size() >= hashes.size());
    for (std::size_t first = 0; first < hashes.size(); first += kChunk) {
      const std::size_t count = std::min(kChunk, hashes.size() - first);
      contains_chunk(hashes.subspan(first, count), found.subspan(first, count));
    }
  }
  /// As `Table::touch`: what is read is not looked at.
  void touch(std::uint64_t bucket) const { (void)load(bucket); }
  /// How many there are; none if the lock cannot be taken. Takes the lock, because an entry on its way is there twice.
  /// Counts again if one of two alike entries was erased meanwhile, because the other may have come after its bucket
  /// was read. If others erase such entries all the time, the answer is the most that was counted.
  [[nodiscard]] std::optional<std::uint32_t> count(Hash hash) const {
    const Location at = locate(hash);
    const WritersLock<Machine> lock(state_->lock.word);
    if (!lock.is_held()) return std::nullopt;
    std::uint32_t most = 0;
    for (std::uint32_t attempt = 0; attempt < kMaxCountAttempts; ++attempt) {
      const std::uint64_t before = changes();
      std::uint32_t copies = count(at.primary.bucket, at.primary.entry);
      if (at.primary != at.alternate) copies += count(at.alternate.bucket, at.alternate.entry);
      if (changes() == before) return copies;
      most = std::max(most, copies);
    }
    return most;
  }

  /// Whether `other`, which has the same parameters, has the same entries.
  [[nodiscard]] bool has_same(const SharedEntries& other) const {
    for (std::uint64_t bucket = 0; bucket < params_.bucket_count; ++bucket) {
      if (sorted(layout_, read(bucket)) != sorted(layout_, other.read(bucket))) return false;
    }
    return true;
  }

  /// Stores an entry by this operation. Of threads that `insert_if_absent` one hash at once, one stores it, unless
  /// others erase from the same buckets meanwhile.
  InsertOutcome insert(Operation operation, Hash hash) {
    const InsertOutcome outcome = store(operation, locate(hash));
    if (outcome == InsertOutcome::inserted) add_to_size(1);
    return outcome;
  }
  /// `insert` for each hash in order, until one is refused. Writes to `is_new`, unless it is empty, 1 for each hash
  /// that was stored and 0 for others. What is stored is counted chunk by chunk, as others wait for a count.
  BatchOutcome insert_many(Operation operation, std::span<const Hash> hashes, std::span<std::uint8_t> is_new) {
    assert(is_new.empty() || is_new.size() >= hashes.size());
    BatchOutcome batch;
    std::uint64_t stored = 0;
    in_chunks(*this, params_, hashes, [&](std::size_t i, const Location& at) {
      batch.outcome = store(operation, at);
      const bool is_stored = batch.outcome == InsertOutcome::inserted;
      if (!is_new.empty()) is_new[i] = is_stored;
      if (!is_stored && batch.outcome != InsertOutcome::present) return false;
      batch = {i + 1, InsertOutcome::inserted};
      stored += is_stored ? 1u : 0u;
      if (batch.done % kChunk == 0) add_to_size(std::exchange(stored, 0));
      return true;
    });
    add_to_size(stored);
    return batch;
  }
  /// Takes out one entry alike to that of `hash`; false if there is none.
  bool erase(Hash hash) {
    if (!take_out(locate(hash))) return false;
    add_to_size(~std::uint64_t{0});
    return true;
  }
  /// `erase` for each hash. Returns how many were erased.
  std::size_t erase_many(std::span<const Hash> hashes) {
    std::size_t erased = 0;
    std::uint64_t counted = 0;
    in_chunks(*this, params_, hashes, [&](std::size_t i, const Location& at) {
      erased += take_out(at) ? 1u : 0u;
      if ((i + 1) % kChunk == 0) add_to_size(std::exchange(counted, erased) - erased);
      return true;
    });
    add_to_size(counted - erased);
    return erased;
  }
  /// Takes out everything; false if the lock cannot be taken. What others insert meanwhile may stay or go.
  bool clear() {
    WritersLock<Machine> lock(state_->lock.word);
    if (!lock.is_held()) return false;
    for (std::uint64_t bucket = 0; bucket < params_.bucket_count; ++bucket) {
      std::uint64_t seen = load(bucket);
      while (seen != 0 && !Machine::compare_exchange(words_[bucket], seen, 0)) {
      }
      const auto empty = static_cast<std::uint32_t>(std::popcount(zero_lanes(layout_, seen, layout_.high)));
      if (empty != layout_.bucket_size) add_to_size(0 - std::uint64_t{layout_.bucket_size - empty});
      if (bucket % kBucketsPerRenewal == 0) lock.renew();
    }
    return true;
  }

  /// How often a count looks, at most.
  static constexpr std::uint32_t kMaxCountAttempts = 1000;
  /// Buckets that a holder of the lock goes through, at most, before it tells that it is alive.
  static constexpr std::uint64_t kBucketsPerRenewal = 4096;

  // What inserts ask of a table: see detail/entries/insert.h.

  static constexpr bool kIsShared = true;
  [[nodiscard]] Slots read(std::uint64_t bucket) const {
    Slots slots{};
    std::uint64_t word = load(bucket);
    for (std::uint32_t slot = 0; slot < layout_.bucket_size; ++slot, word >>= layout_.lane_bits) {
      slots[slot] = static_cast<std::uint32_t>(word & layout_.lane_mask);
    }
    return slots;
  }
  [[nodiscard]] bool has_room(std::uint64_t bucket) const { return any_matching_lane(layout_, load(bucket), 0) != 0; }
  [[nodiscard]] std::uint32_t alike(std::uint64_t bucket, std::uint32_t entry) const {
    return slots_of(layout_, matches(bucket, entry));
  }
  /// How many slots of `bucket` hold `entry`.
  [[nodiscard]] std::uint32_t count(std::uint64_t bucket, std::uint32_t entry) const {
    return static_cast<std::uint32_t>(std::popcount(matches(bucket, entry)));
  }
  InsertOutcome store_directly(Operation operation, const Location& at) {
    if (operation == Operation::insert_if_absent) return store_if_absent(at);
    return insert(at.primary) || insert(at.alternate) ? InsertOutcome::inserted : InsertOutcome::full;
  }
  [[nodiscard]] WritersLock<Machine> begin_kicks() { return WritersLock<Machine>(state_->lock.word); }
  bool insert(Candidate here) { return try_replace(here.bucket, 0, here.entry); }
  /// A kick. If another thread has erased the victim here meanwhile, the copy that the kick before made of it is one
  /// too many, and is taken out. If that is gone as well, two threads have erased one key, and each has counted its
  /// erase.
  bool replace(std::uint64_t bucket, std::uint32_t victim, std::uint32_t incoming) {
    Machine::add(state_->kicks.word, 1);
    if (try_replace(bucket, victim, incoming)) return true;
    const Candidate here{static_cast<std::uint32_t>(bucket), victim};
    if (!take_out({other_fixed(here, params_), here})) add_to_size(1);
    return false;
  }

 private:
  [[nodiscard]] Location locate(Hash hash) const { return locate_fixed(hash, params_); }
  [[nodiscard]] std::uint64_t& version_of(std::uint32_t entry) const { return state_->versions[entry % kVersions]; }

  // Reading. A bucket is never torn, because one atomic load reads it.

  [[nodiscard]] std::uint64_t load(std::uint64_t bucket) const { return Machine::load(words_[bucket]); }
  [[nodiscard]] std::uint64_t matches(std::uint64_t bucket, std::uint32_t entry) const {
    return zero_lanes(layout_, load(bucket) ^ entry * layout_.ones, layout_.high);
  }
  [[nodiscard]] bool holds(const Location& at) const {
    const std::uint64_t primary = load(at.primary.bucket);
    return either_holds(layout_, primary, at.primary.entry, load(at.alternate.bucket), at.alternate.entry);
  }
  /// `find()`; again if it found nothing while an entry of that version moved or was erased. Each turn takes another
  /// thread's work between two of this thread's reads, and one version in `kVersions` is that of the entry.
  template <class Find>
  [[gnu::always_inline]] bool until_still(const Location& at, Find find) const {
    for (std::uint64_t version = Machine::load(version_of(at.primary.entry));;) {
      if (find()) return true;
      const std::uint64_t now = Machine::load(version_of(at.primary.entry));
      if (now == version) return false;
      version = now;
    }
  }
  /// How often entries moved, or were erased from beside one alike. Both counts only rise, so their sum is enough.
  [[nodiscard]] std::uint64_t changes() const {
    return Machine::load(state_->kicks.word) + Machine::load(state_->alike_erases.word);
  }
  /// As `contains_words` of detail/entries/batch.h: the reads of a chunk overlap. If there was no such change
  /// meanwhile, that is all. Otherwise, the hashes that were not found are looked up again, one by one.
  void contains_chunk(std::span<const Hash> hashes, std::span<std::uint8_t> found) const {
    // Copies: the compiler cannot rule out that writing answers changes the originals, and would read them each time.
    const BucketLayout layout = layout_;
    const Params params = params_;
    std::uint64_t words[2 * kChunk];
    std::uint32_t sought[kChunk];
    const std::uint64_t before = changes();
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      const Location at = locate_fixed(hashes[i], params);
      sought[i] = at.primary.entry;
      words[2 * i] = at.primary.bucket;
      words[2 * i + 1] = at.alternate.bucket;
      __builtin_prefetch(&words_[at.primary.bucket]);
      __builtin_prefetch(&words_[at.alternate.bucket]);
    }
    for (std::size_t i = 0; i < 2 * hashes.size(); ++i) words[i] = Machine::load(words_[words[i]]);
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      found[i] = either_holds(layout, words[2 * i], sought[i], words[2 * i + 1], sought[i]);
    }
    if (changes() == before) [[likely]]
      return;
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      if (found[i] == 0) found[i] = contains(hashes[i]);
    }
  }

  // Changes of one bucket.

  static constexpr std::uint32_t kNone = 64;
  /// The bit where the first slot that holds `entry` (0: is empty) begins in the bucket `word`; `kNone` if none does.
  [[nodiscard]] std::uint32_t find(std::uint64_t word, std::uint32_t entry) const {
    const std::uint64_t lanes = any_matching_lane(layout_, word, entry);
    return lanes == 0 ? kNone : static_cast<std::uint32_t>(std::countr_zero(lanes)) + 1 - layout_.lane_bits;
  }
  /// Puts `after` in the place of `before`, if the bucket has that; 0 is an empty slot. The version of an entry is
  /// counted up before the entry goes.
  bool try_replace(std::uint64_t bucket, std::uint32_t before, std::uint32_t after) {
    bool is_counted = before == 0;
    for (std::uint64_t seen = load(bucket);;) {
      const std::uint32_t bit = find(seen, before);
      if (bit == kNone) return false;
      if (!std::exchange(is_counted, true)) Machine::add(version_of(before), 1);
      if (Machine::compare_exchange(words_[bucket], seen, seen ^ std::uint64_t{before ^ after} << bit)) return true;
    }
  }
  /// Takes one entry out of the buckets; false if there is none.
  bool take_out(const Location& at) {
    return until_still(at,
                       [&] { return take_out_of(at.primary, at.alternate) || take_out_of(at.alternate, at.primary); });
  }
  /// If both buckets hold the entry, a reader may look at `there` before its copy arrives and at `here` after this
  /// erase, and see neither: so such an erase is counted. A copy of the table might then never end; so while one is
  /// made, the entry in the lower bucket is erased (see table_copy.h).
  bool take_out_of(Candidate here, Candidate there) {
    if (matches(here.bucket, here.entry) == 0) return false;
    const bool is_alone = here.bucket == there.bucket || matches(there.bucket, there.entry) == 0;
    if (is_alone) return try_replace(here.bucket, here.entry, 0);
    Machine::add(state_->alike_erases.word, 1);
    if (there.bucket < here.bucket && WritersLock<Machine>::is_taken(state_->lock.word)) std::swap(here, there);
    return try_replace(here.bucket, here.entry, 0) || try_replace(there.bucket, there.entry, 0);
  }
  void add_to_size(std::uint64_t number) { Machine::add(state_->sizes[Machine::thread() % kCounts].word, number); }

  // Inserts, which the size does not count yet.

  InsertOutcome store(Operation operation, const Location& at) {
    const Stored stored = detail::insert(*this, params_, operation, at);
    Machine::end_insert(stored.outcome, stored.kicks);
    return stored.outcome;
  }

  InsertOutcome store_if_absent(const Location& at) {
    const std::uint32_t entry = at.primary.entry;
    for (;;) {
      const std::uint64_t version = Machine::load(version_of(entry));
      std::uint64_t primary = load(at.primary.bucket);
      std::uint64_t alternate = load(at.alternate.bucket);
      if (either_holds(layout_, primary, entry, alternate, entry)) return InsertOutcome::present;
      if (Machine::load(version_of(entry)) != version) continue;
      // A thread that stored the same hash since then put it into the same bucket, so the exchange below fails.
      const bool goes_first = find(primary, 0) != kNone;
      std::uint64_t& seen = goes_first ? primary : alternate;
      const std::uint32_t bit = find(seen, 0);
      if (bit == kNone) return InsertOutcome::full;
      std::uint64_t& word = words_[(goes_first ? at.primary : at.alternate).bucket];
      if (Machine::compare_exchange(word, seen, seen | std::uint64_t{entry} << bit)) return InsertOutcome::inserted;
    }
  }

  Params params_;
  BucketLayout layout_;
  SharedState* state_;
  std::uint64_t* words_;
};

}  // namespace cuckoo::detail
