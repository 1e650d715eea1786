// SPDX-License-Identifier: MIT
// A cuckoo filter that any number of threads, or processes that share its memory, read and change at once. Invariant: a
// key is found at every moment from the end of its insert to the start of its erase, whatever other threads do. With
// one thread, saved bytes are those of a plain filter after the same calls. Threads: every call may run at once with
// every other, except the constructors, `operator=` and the destructor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cuckoo/concurrent/machine.h"
#include "cuckoo/concurrent/word_plan.h"
#include "cuckoo/detail/concurrent/shared_entries.h"
#include "cuckoo/detail/concurrent/shared_state.h"
#include "cuckoo/detail/concurrent/table_copy.h"
#include "cuckoo/error.h"
#include "cuckoo/filters/filter.h"
#include "cuckoo/filters/key_range.h"
#include "cuckoo/filters/table_filter.h"
#include "cuckoo/format/format.h"
#include "cuckoo/hash/hash.h"
#include "cuckoo/hash/hasher.h"
#include "cuckoo/params.h"

namespace cuckoo {

/// A set of keys with the calls of `Filter`, for several threads. Lookups and most inserts and erases never wait;
/// inserts that must move entries take turns. It does not grow, and its buckets are single words: `plan_shared` makes
/// its parameters.
///
/// `insert` and `insert_if_absent` return `InsertOutcome::busy` only in a thread that is not allowed to block. If
/// several threads call `insert_if_absent` with one key at the same time, exactly one gets `inserted`, provided that
/// nobody erases from this filter, and that no thread is suspended for 0.2 s while it moves entries. If several threads
/// `erase` one key at the same time, more than one may get true. While others insert and erase, `size` is a number that
/// the filter had, or could have had, during the call; batches count up to 256 entries at once. A thread that is killed
/// in the middle of a call leaves those uncounted.
template <class Machine = NativeMachine>
class BasicConcurrentFilter : public detail::HashedEntries<detail::SharedEntries<Machine>, ValueKind::none> {
  using Base = detail::HashedEntries<detail::SharedEntries<Machine>, ValueKind::none>;
  using Base::entries_, Base::hasher_;

 public:
  using Base::params, Base::hasher;

  /// Bytes of memory that a filter takes. `create_in` needs that many, from an address that is a multiple of 64.
  static std::uint64_t memory_bytes(const Params& params) {
    return sizeof(detail::SharedState) + shared_table_bytes(params);
  }

  /// An empty filter in its own memory. Errors: `out_of_range` with the field, also for parameters that threads cannot
  /// share (see `unshareable_field`); `out_of_memory`; and `wrong_key`, as `Filter::create`.
  static Result<BasicConcurrentFilter> create(const Params& params, const SecretKey* secret = nullptr) {
    if (const Field field = invalid(params); field != Field::none) return {Error::out_of_range, field};
    if (!Hasher::fit(params, secret)) return Error::wrong_key;
    return make(params, Hasher(params, secret));
  }
  /// An empty filter for `capacity` keys. When full, it finds an absent key with at most the probability
  /// `false_positive_rate`. Errors as `plan_shared`, and `out_of_memory`.
  static Result<BasicConcurrentFilter> create(std::uint64_t capacity, double false_positive_rate,
                                              const SecretKey* secret = nullptr) {
    const Result<Params> params = plan_shared(
        {.capacity = capacity, .false_positive_rate = false_positive_rate, .hash = Hasher::algorithm(secret)});
    return params ? create(*params, secret) : Result<BasicConcurrentFilter>(params.error(), params.field());
  }
  /// A filter with the parameters and entries of a plain one, such as one that was loaded. Errors as `create`.
  template <class AnyEntries>
  static Result<BasicConcurrentFilter> create(const BasicFilter<AnyEntries>& plain) {
    if (const Field field = invalid(plain.params()); field != Field::none) return {Error::out_of_range, field};
    if (detail::Access::entries(plain).has_work()) {  // a clone is moved as a whole
      const Result<BasicFilter<AnyEntries>> moved = plain.clone();
      return moved ? create(*moved) : Result<BasicConcurrentFilter>(moved.error());
    }
    Result<BasicConcurrentFilter> filter = make(plain.params(), plain.hasher());
    if (!filter) return filter;
    const detail::Table& table = detail::Access::entries(plain).table();
    std::byte* const memory = filter->memory_.get();
    detail::unpack(table.layout(), table.bytes().data(), table.bucket_count(), detail::words_in(memory));
    detail::state_in(memory).sizes[0].word = plain.size();
    return filter;
  }
  /// An empty filter in the caller's memory, which must outlive it. Any number of threads, or of processes that are
  /// compiled for the same machine, may then `attach` to it. If others may attach during this call, memory that held a
  /// filter before must be zeroed first. Whoever can read the memory can read the secret key. Errors: as `create`; and
  /// `not_aligned` if the address is not a multiple of 64, or `cut_short` if the memory is too short.
  static Result<BasicConcurrentFilter> create_in(std::span<std::byte> memory, const Params& params,
                                                 const SecretKey* secret = nullptr) {
    if (const Field field = invalid(params); field != Field::none) return {Error::out_of_range, field};
    if (!Hasher::fit(params, secret)) return Error::wrong_key;
    if (!is_aligned(memory)) return Error::not_aligned;
    if (memory.size() < memory_bytes(params)) return Error::cut_short;
    return made_in(memory.data(), params, Hasher(params, secret));
  }
  /// The filter that another thread or process has made in this memory. `not_a_filter` if there is none (yet);
  /// `cut_short` if the memory is shorter than the filter; `not_aligned` as `create_in`.
  static Result<BasicConcurrentFilter> attach(std::span<std::byte> memory) {
    if (!is_aligned(memory)) return Error::not_aligned;
    if (memory.size() < sizeof(detail::SharedState)) return Error::cut_short;
    const detail::SharedState& state = detail::state_in(memory.data());
    if (Machine::load(state.magic) != detail::SharedState::kMagic) return Error::not_a_filter;
    if (memory.size() < memory_bytes(state.params)) return Error::cut_short;
    return BasicConcurrentFilter(memory.data());
  }

  /// As `Filter::count`. Waits for threads that move entries; returns no value in a thread that is not allowed to block
  /// that long.
  template <Key K>
  [[nodiscard]] std::optional<std::uint32_t> count(const K& key) const {
    return entries_.count(this->hash(key));
  }
  /// Inserts the keys in order until one fails. Other threads may change the filter between any two of the keys, here
  /// as in the other batches.
  template <Keys R>
  BatchOutcome insert_many(R&& keys) {
    return detail::insert_in_batches(hasher_, keys, {}, entries_, Operation::insert);
  }
  /// Removes everything. Keys that others insert during the call may be removed as well. Linear in the table's size.
  /// False, and nothing changed, only in the case where `count` returns no value.
  bool clear() { return entries_.clear(); }

  /// A plain filter with the current entries, to save or to inspect; or `Error::out_of_memory`. Keys that others insert
  /// or erase during the call may or may not be in it; every other key is. Linear in the table's size; inserts that
  /// must move entries wait for it. `Error::busy` in a thread that is not allowed to block that long; `Error::spoiled`
  /// if every attempt was spoiled (see `kMaxCopyAttempts`).
  [[nodiscard]] Result<Filter> snapshot() const {
    for (std::uint32_t attempt = 0; attempt < detail::kMaxCopyAttempts; ++attempt) {
      Result<detail::Table> table = detail::Table::create_uncleared(params());
      if (!table) return table.error();
      detail::TableCopy<Machine> copy(entries_);
      if (!copy.has_begun()) return Error::busy;
      copy.next(copy.left(), table->bytes().data());
      if (!copy.end()) continue;
      return detail::Access::adopt<Filter>(
          detail::Entries<>(params(), std::move(*table), copy.size(), params().bucket_count), hasher());
    }
    return Error::spoiled;
  }

  /// Bytes of the table.
  [[nodiscard]] std::uint64_t byte_count() const { return shared_table_bytes(params()); }

  /// Whether both have the same parameters, hash and entries. Of filters that change meanwhile, it compares each bucket
  /// as it was at some moment during the call.
  bool operator==(const BasicConcurrentFilter& other) const {
    Params of_other = other.params();
    of_other.tuning = params().tuning;
    return params() == of_other && hasher_ == other.hasher_ && entries_.has_same(other.entries_);
  }

 protected:
  /// Access to the filter that is in this memory. For programs without a heap, which may call nothing that could need
  /// one, such as `Result` or this class's destructor.
  explicit BasicConcurrentFilter(std::byte* memory)
      : Base({detail::state_in(memory), detail::words_in(memory)}, detail::state_in(memory).hasher) {}

 private:
  friend detail::Access;

  static constexpr std::align_val_t kAlignment{detail::kCacheLine};

  struct Free {
    void operator()(std::byte* memory) const { ::operator delete(memory, kAlignment); }
  };
  using Memory = std::unique_ptr<std::byte, Free>;
  /// An empty filter in its own memory, or `Error::out_of_memory`.
  static Result<BasicConcurrentFilter> make(const Params& params, const Hasher& hasher) {
    if (memory_bytes(params) > std::numeric_limits<std::size_t>::max()) return Error::out_of_memory;
    const auto bytes = static_cast<std::size_t>(memory_bytes(params));
    Memory memory(static_cast<std::byte*>(::operator new(bytes, kAlignment, std::nothrow)));
    if (memory == nullptr) return Error::out_of_memory;
    if (params.tuning.wants_huge_pages) detail::ask_for_huge_pages(memory.get(), bytes);
    BasicConcurrentFilter filter = made_in(memory.get(), params, hasher);
    filter.memory_ = std::move(memory);
    return filter;
  }

  static Field invalid(const Params& params) {
    const Field field = invalid_field(params);
    return field == Field::none ? unshareable_field(params) : field;
  }
  static bool is_aligned(std::span<std::byte> memory) {
    return reinterpret_cast<std::uintptr_t>(memory.data()) % detail::kCacheLine == 0;
  }
  static BasicConcurrentFilter made_in(std::byte* memory, const Params& params, const Hasher& hasher) {
    detail::begin_in<Machine>(memory, params, hasher, false);
    return BasicConcurrentFilter(memory);
  }

  Memory memory_;  ///< null where the caller has it
};

/// The filter of the threads of one program.
using ConcurrentFilter = BasicConcurrentFilter<>;

/// Saves a `snapshot` of `filter`, or gives its error.
template <class Machine>
[[nodiscard]] Result<std::vector<std::uint8_t>> save(const BasicConcurrentFilter<Machine>& filter) {
  const Result<Filter> plain = filter.snapshot();
  return plain ? Result(save(*plain)) : plain.error();
}
/// The same into a sink. False if it returns false, or if there is no snapshot.
template <class Machine, ByteSink Sink>
[[nodiscard]] bool save(const BasicConcurrentFilter<Machine>& filter, Sink sink) {
  const Result<Filter> plain = filter.snapshot();
  return plain && save(*plain, sink);
}

}  // namespace cuckoo
