// Keys seen in the last N periods: beside each fingerprint its slot holds the generation, the period of the last
// sighting. Invariant: a key seen in the current period or one of the N - 1 before it is found. What is dropped is an
// entry that no key has had as its own for N periods, never one by name: keys with equal fingerprint and homes share an
// entry, which keeps the newest generation, so none takes another's away.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string_view>

#include "cuckoo/filter.h"

namespace cuckoo {

inline constexpr std::uint32_t kMaxPeriods = 256;

/// A set of keys, each of which is forgotten N periods after it was seen last.
class ExpiringFilter {
 public:
  /// An empty filter of `periods` periods, from 1 to 256. `params` as for `Filter`: its table takes
  /// bit_width(periods - 1) bits a slot more, and `params.capacity` counts the distinct keys of all periods together.
  /// `Error::out_of_range` (with `Field::none` for `periods`, and `Field::fingerprint_bits` where fingerprint and
  /// generation take more than 32 bits), `Error::out_of_memory`, or `Error::wrong_key`, as `Filter::create`.
  static Result<ExpiringFilter> create(const Params& params, std::uint32_t periods, const SecretKey* secret = nullptr) {
    if (const Field field = invalid_field(params); field != Field::none) return {Error::out_of_range, field};
    if (periods < 1 || periods > kMaxPeriods) return Error::out_of_range;
    if (params.reserved_bits != 0) return {Error::out_of_range, Field::max_capacity};
    if (!Hasher::fit(params, secret)) return Error::wrong_key;
    Params slots = params;
    slots.fingerprint_bits += static_cast<std::uint32_t>(std::bit_width(periods - 1));
    if (slots.fingerprint_bits > kMaxFingerprintBits) return {Error::out_of_range, Field::fingerprint_bits};
    Result<Table> table = Table::create(slots);
    if (!table) return table.error();
    std::unique_ptr<std::uint8_t[]> path(new (std::nothrow) std::uint8_t[params.max_kicks]);
    if (path == nullptr) return Error::out_of_memory;
    return ExpiringFilter(params, Hasher(params, secret), std::move(*table), std::move(path), periods);
  }

  [[nodiscard]] Hash hash(std::string_view key) const { return hasher_(key); }
  [[nodiscard]] Hash hash(std::span<const std::uint8_t> key) const { return hasher_(key); }
  [[nodiscard]] Hash hash(std::uint64_t key) const { return hasher_(key); }
  [[nodiscard]] Hash hash(Hash hash) const { return hash; }

  /// Marks `key` as seen in the current period. `inserted`: it was not found, so it surely was not seen in the last N
  /// periods; `present`: it was, or is taken for a key that was; `full`: not found, and no room for it; nothing
  /// changed.
  template <class Key>
  InsertOutcome insert_if_absent(const Key& key) {
    return see(locate(hash(key), params_));
  }

  /// Marks the hashes as seen, in order, until one finds no room; writes 1 for each that was not found.
  BatchOutcome insert_many_if_absent(std::span<const Hash> hashes, std::span<std::uint8_t> is_new) {
    BatchOutcome batch;
    for (; batch.done < hashes.size(); ++batch.done) {
      const InsertOutcome outcome = insert_if_absent(hashes[batch.done]);
      if (outcome == InsertOutcome::full) return {batch.done, outcome};
      is_new[batch.done] = outcome == InsertOutcome::inserted;
    }
    return batch;
  }

  /// False: `key` was not seen in the last N periods. True: it was, or is taken for one that was. Two bucket reads.
  template <class Key>
  [[nodiscard]] bool contains(const Key& key) const {
    const Location at = locate(hash(key), params_);
    const std::uint32_t b = params_.bucket_size;
    return find(at.primary, at.fingerprint) != b || find(at.alternate, at.fingerprint) != b;
  }

  /// Starts the next period and drops the entries last seen N periods before it; returns how many. Linear in the table.
  std::uint64_t advance() {
    current_ = (current_ + 1) % periods_;
    const std::uint64_t before = size_;
    for (std::uint64_t bucket = 0; bucket < params_.bucket_count; ++bucket) {
      Slots slots = table_.read(bucket);
      // What stays moves up in its order, and empty slots come first, as in a semi-sorted bucket they must.
      std::uint32_t first = params_.bucket_size;
      for (std::uint32_t slot = params_.bucket_size; slot-- > 0;) {
        if (slots[slot] == 0 || generation_of(slots[slot]) != current_) slots[--first] = slots[slot];
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

  /// Entries stored now: at most the distinct keys seen in the last N periods.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint32_t periods() const { return periods_; }
  /// The probability, at the present size, that a key not seen in the last N periods is found.
  [[nodiscard]] double expected_false_positive_rate() const { return false_positive_rate(params_, size_); }
  /// As given to `create`: `fingerprint_bits` without the generation.
  [[nodiscard]] const Params& params() const { return params_; }
  [[nodiscard]] const Hasher& hasher() const { return hasher_; }
  [[nodiscard]] const Table& table() const { return table_; }

 private:
  /// The other home of what a slot holds: that of its fingerprint.
  static std::uint64_t other_home(std::uint64_t bucket, std::uint32_t content, const Params& params) {
    return alternate(bucket, fingerprint_in(content, params), params.addressing, params.bucket_count);
  }
  struct OtherHomes {
    Buckets operator()(std::uint64_t bucket, const Slots& slots, const Params& params) const {
      Buckets others;
      for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
        others[slot] = other_home(bucket, slots[slot], params);
      }
      return others;
    }
  };

  ExpiringFilter(const Params& params, const Hasher& hasher, Table table, std::unique_ptr<std::uint8_t[]> path,
                 std::uint32_t periods)
      : params_(params), hasher_(hasher), table_(std::move(table)), path_(std::move(path)), periods_(periods) {}

  // 64 bits, as a shift by 32, which a fingerprint without generation may have, is undefined in 32.
  [[nodiscard]] std::uint32_t generation_of(std::uint32_t content) const {
    return static_cast<std::uint32_t>(std::uint64_t{content} >> params_.fingerprint_bits);
  }
  [[nodiscard]] std::uint32_t with_generation(std::uint32_t fingerprint) const {
    return static_cast<std::uint32_t>(std::uint64_t{current_} << params_.fingerprint_bits | fingerprint);
  }

  /// The slot of `bucket` that holds `fingerprint` in any generation, or b.
  [[nodiscard]] std::uint32_t find(std::uint64_t bucket, std::uint32_t fingerprint) const {
    const Slots slots = table_.read(bucket);
    std::uint32_t slot = 0;
    while (slot < params_.bucket_size && fingerprint_in(slots[slot], params_) != fingerprint) ++slot;
    return slot;
  }

  InsertOutcome see(const Location& at) {
    const std::uint32_t content = with_generation(at.fingerprint);
    for (const std::uint64_t bucket : {at.primary, at.alternate}) {
      const std::uint32_t slot = find(bucket, at.fingerprint);
      if (slot == params_.bucket_size) continue;
      table_.set(bucket, slot, content);
      return InsertOutcome::present;
    }
    if (!try_place(at.primary, content) && !try_place(at.alternate, content) && !kick_until_placed(at, content)) {
      return InsertOutcome::full;
    }
    ++size_;
    return InsertOutcome::inserted;
  }

  bool try_place(std::uint64_t bucket, std::uint32_t content) {
    const std::uint32_t slot = table_.room(bucket);
    if (slot == params_.bucket_size) return false;
    table_.set(bucket, slot, content);
    return true;
  }

  /// As `Filter` does, with generations that go along: a random walk that looks ahead, and is undone if it fails.
  bool kick_until_placed(const Location& at, std::uint32_t homeless) {
    KickChoice choice(at);
    std::uint64_t bucket = choice.first_home(at).bucket;
    for (std::uint32_t kicks = 0; kicks < params_.max_kicks;) {
      const Kick kick = choose_kick(table_, params_, bucket, choice.next_draw(), kicks, OtherHomes());
      path_[kicks++] = static_cast<std::uint8_t>(table_.set(bucket, kick.slot, homeless));
      homeless = kick.victim;
      bucket = kick.destination;
      if (kick.reach == Reach::room) return try_place(bucket, homeless);
    }
    for (std::uint32_t kicks = params_.max_kicks; kicks > 0; --kicks) {
      bucket = other_home(bucket, homeless, params_);
      const std::uint32_t slot = path_[kicks - 1];
      const std::uint32_t intruder = table_.get(bucket, slot);
      table_.set(bucket, slot, homeless);
      homeless = intruder;
    }
    return false;
  }

  Params params_;
  Hasher hasher_;
  Table table_;                           ///< a slot: the fingerprint, and above it the generation
  std::unique_ptr<std::uint8_t[]> path_;  ///< where each kick of the insert under way put what it placed
  std::uint32_t periods_ = 1;             ///< N
  std::uint32_t current_ = 0;             ///< generation of the current period, below N; the others follow in a ring
  std::uint64_t size_ = 0;
};

}  // namespace cuckoo
