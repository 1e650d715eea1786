// SPDX-License-Identifier: MIT
// A table whose buckets may have pending work, which is done before a bucket is used. There are three kinds: moving the
// entries of a table that doubles, sweeping out forgotten entries, and semi-sorting entries that were gathered in a
// plain table. Invariant: `read` and `count` tell what a bucket holds once its work is done, and change nothing, so
// many threads may call them, and so do `has_room` and `visit_alike`; every other call with a bucket comes after
// `work_on`. The order in which blocks are worked on makes no difference to any call: the same calls lead to the same
// entries.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "cuckoo/detail/entries/growth.h"
#include "cuckoo/detail/entries/location.h"
#include "cuckoo/detail/table/bucket_appender.h"
#include "cuckoo/detail/table/table.h"
#include "cuckoo/entries/outcome.h"
#include "cuckoo/params.h"

namespace cuckoo::detail {

/// Blocks of buckets that move together when a table doubles: 2^6 become 2^7.
inline constexpr std::uint32_t kMovedBlockBits = 7;

/// Buckets are swept in blocks of 2^6, each in about 1 us.
inline constexpr std::uint32_t kSweptBlockBits = 6;
/// Blocks that are swept when a period begins.
inline constexpr std::uint32_t kBlocksSweptAtOnce = 16;

/// Kinds of pending work.
enum class Work : std::uint8_t {
  moving,    ///< the table doubles: their entries lie in a table of half as many buckets
  sweeping,  ///< some of their entries are forgotten
  encoding,  ///< they lie in a plain table and become semi-sorted ones, all at once
};

/// Entries whose values are among the `count` values from `oldest` on. Values stand for periods, modulo `periods`.
struct Forgotten {
  std::uint32_t value_at = 0;  ///< the bit of an entry where its value begins
  std::uint32_t periods = 1;
  std::uint32_t oldest = 0;
  std::uint32_t count = 0;

  /// The same for the `length` periods from number `period` on.
  [[nodiscard]] Forgotten from(std::uint64_t period, std::uint64_t length) const {
    return {value_at, periods, static_cast<std::uint32_t>(period % periods), static_cast<std::uint32_t>(length)};
  }
  [[nodiscard]] bool operator()(std::uint32_t entry) const {
    const auto value = static_cast<std::uint32_t>(std::uint64_t{entry} >> value_at);
    return (value >= oldest ? value - oldest : value + periods - oldest) < count;
  }
  /// Takes these entries out of a bucket. The others keep their order, after the empty slots, as a semi-sorted bucket
  /// requires. Returns whether there were any.
  bool take_out_of(Slots& slots, std::uint32_t bucket_size) const {
    std::uint32_t free = bucket_size;
    std::uint32_t used = 0;
    for (std::uint32_t slot = bucket_size; slot-- > 0;) {
      if (slots[slot] == 0) continue;
      ++used;
      if (!(*this)(slots[slot])) slots[--free] = slots[slot];
    }
    std::fill_n(slots.begin(), free, 0);
    return bucket_size - free != used;
  }
};

/// Which blocks of buckets have pending work, and which. Each block begins and ends on a word, so no block touches
/// another.
struct Pending {
  Work work{};
  std::uint32_t block_bits = 0;            ///< a block is 2^block_bits buckets of the table
  Table other;                             ///< moving: where entries come from; encoding: where they go
  std::uint32_t top = 0;                   ///< moving: the number of an entry's highest reserved bit
  std::uint64_t since = 0;                 ///< sweeping: the number of the oldest period that is remembered
  Forgotten values;                        ///< sweeping: what values are
  std::unique_ptr<std::uint32_t[]> marks;  ///< of each block: 1 once it is moved; the period since which it is swept
  std::uint64_t blocks = 0;
  std::uint64_t next = 0;  ///< the block that comes next
  std::uint64_t left = 0;  ///< blocks to go through until none is pending

  /// Marks each block of a table of `bucket_count` buckets; false if there is no memory.
  bool mark(std::uint32_t bits, std::uint64_t bucket_count, std::uint64_t mark) {
    block_bits = bits;
    blocks = left = std::uint64_t{block_of(bucket_count - 1)} + 1;
    marks.reset(new (std::nothrow) std::uint32_t[static_cast<std::size_t>(blocks)]);
    if (marks == nullptr) return false;
    std::fill_n(marks.get(), blocks, static_cast<std::uint32_t>(mark));
    return true;
  }
  [[nodiscard]] std::size_t block_of(std::uint64_t bucket) const {
    return static_cast<std::size_t>(bucket >> block_bits);
  }
  /// Whether the block is still to be worked on.
  [[nodiscard]] bool is_pending(std::size_t block) const {
    return work == Work::moving ? marks[block] == 0 : pending_periods(block) != 0;
  }
  /// Sweeping: how many periods were forgotten since the block was last swept; it holds no entries of earlier ones.
  /// Modulo 2^32, which is enough, because every period sweeps some blocks.
  [[nodiscard]] std::uint32_t pending_periods(std::size_t block) const {
    return static_cast<std::uint32_t>(since) - marks[block];
  }
  /// Sweeping: which entries of the block are forgotten.
  [[nodiscard]] Forgotten forgotten_in(std::size_t block) const {
    return values.from(since - pending_periods(block), pending_periods(block));
  }
};

/// An entry, and where it lies.
struct FoundEntry {
  std::uint32_t bucket;
  std::uint32_t slot;
  std::uint32_t entry;
};

/// A table, and the pending work of its buckets.
class Buckets {
 public:
  explicit Buckets(Table table) : table_(std::move(table)) {}

  /// The current table. The content of a bucket is right once it has no pending work.
  [[nodiscard]] const Table& table() const { return table_; }
  [[nodiscard]] Table& table() { return table_; }
  /// The layout of buckets once all work is done.
  [[nodiscard]] const BucketLayout& layout() const {
    return has(Work::encoding) ? pending_->other.layout() : table_.layout();
  }

  /// Whether there is pending work: of any kind, or of this one.
  [[nodiscard]] bool has_work() const { return pending_ != nullptr; }
  [[nodiscard]] bool has(Work work) const { return has_work() && pending_->work == work; }

  /// Whether a bucket may need `work_on` before it is used.
  [[nodiscard]] bool has_pending_buckets() const { return has_work() && pending_->work != Work::encoding; }
  /// Does the pending work of `bucket`, with that of its whole block.
  void work_on(std::uint64_t bucket) {
    if (has_pending_buckets()) [[unlikely]]
      work_on_block(pending_->block_of(bucket));
  }
  /// Does the work of `blocks` more blocks, or of all that are left.
  void work_some(std::uint64_t blocks) {
    if (!has_work()) return;
    if (pending_->work == Work::encoding) return encode();
    for (; pending_->left > 0; --pending_->left) {
      const auto block = static_cast<std::size_t>(pending_->next);
      if (pending_->is_pending(block)) {
        if (blocks-- == 0) return;
        work_on_block(block);
      }
      pending_->next = pending_->next + 1 == pending_->blocks ? 0 : pending_->next + 1;
    }
    pending_.reset();
  }

  // What inserts ask of a table: see detail/entries/insert.h.

  static constexpr bool kIsShared = false;
  /// The entries of `bucket`, in any order.
  [[nodiscard]] Slots read(std::uint64_t bucket) const {
    return has_pending_buckets() ? read_pending(bucket) : table_.read(bucket);
  }
  [[nodiscard]] bool has_room(std::uint64_t bucket) const {
    return has_empty_slot(read(bucket), table_.layout().bucket_size);
  }
  /// Calls `use(has_room)`, with the kind of buckets looked up only once.
  template <class Use>
  void with_has_room(Use use) const {
    if (!has_pending_buckets()) [[likely]]
      return table_.with_has_room(use);
    use([this](std::uint64_t bucket) { return has_room(bucket); });
  }
  [[gnu::always_inline]] InsertOutcome store_directly(Operation operation, const Location& at) {
    if (operation == Operation::insert_if_absent && holds(at)) return InsertOutcome::present;
    // Prefetched, because many inserts need it, and would otherwise wait for one bucket after the other.
    table_.prefetch_bucket(at.alternate.bucket);
    const bool is_in =
        table_.insert(at.primary.bucket, at.primary.entry) || table_.insert(at.alternate.bucket, at.alternate.entry);
    return is_in ? InsertOutcome::inserted : InsertOutcome::full;
  }
  [[nodiscard]] bool holds(const Location& at) const {
    return table_.any_holds(at.primary.bucket, at.primary.entry, at.alternate.bucket, at.alternate.entry);
  }
  [[nodiscard]] std::uint32_t alike(std::uint64_t bucket, std::uint32_t entry) const {
    return table_.alike(bucket, entry);
  }
  static constexpr bool begin_kicks() { return true; }
  bool insert(Candidate here) {
    work_on(here.bucket);
    return table_.insert(here.bucket, here.entry);
  }
  bool replace(std::uint64_t bucket, std::uint32_t before, std::uint32_t after) {
    work_on(bucket);
    table_.set(bucket, table_.find(bucket, before), after);
    return true;
  }

  /// The entries of `bucket`, in the order in which they are saved.
  [[nodiscard]] Slots read_sorted(std::uint64_t bucket) const {
    const Slots slots = read(bucket);
    return table_.layout().is_semi_sorted() ? slots : sorted(layout(), slots);
  }
  /// How many slots of `bucket` hold `entry`. Not to be called while sweeping is pending.
  [[nodiscard]] std::uint32_t count(std::uint64_t bucket, std::uint32_t entry) const {
    assert(!has(Work::sweeping));
    if (!has(Work::moving) || !pending_->is_pending(pending_->block_of(bucket))) return table_.count(bucket, entry);
    return pending_->other.count(bucket / 2, of_whole(entry, pending_->top, bucket % 2));
  }
  /// Calls `act(found)`, with a `FoundEntry`, for each entry that equals the entry of `at` in all but its value, until
  /// `act` returns true. Returns whether it did. Skips forgotten entries. Must not be called while the table doubles.
  template <class Act>
  bool visit_alike(const Location& at, Act act) const {
    assert(!has(Work::moving));
    // Both are always read, because the processor cannot predict which one holds an entry.
    const std::uint32_t in_primary = alike(at.primary.bucket, at.primary.entry);
    const std::uint32_t in_alternate = alike(at.alternate.bucket, at.alternate.entry);
    if ((in_primary | in_alternate) == 0) return false;
    return visit_slots(in_primary, at.primary, act) ||
           (at.primary != at.alternate && visit_slots(in_alternate, at.alternate, act));
  }
  /// While the table doubles: the table that entries come from.
  [[nodiscard]] const Table& moving_from() const {
    assert(has(Work::moving));
    return pending_->other;
  }
  /// A table of the entries of every bucket, without pending work, or `Error::out_of_memory`.
  [[nodiscard]] Result<Table> finished_copy(const Params& params) const {
    Result<Table> copy = Table::create_uncleared(params);
    if (!copy) return copy;
    if (!has_work()) {
      std::memcpy(copy->bytes().data(), table_.bytes().data(), table_.bytes().size());
      return copy;
    }
    BucketAppender writer(copy->layout(), copy->bytes().data());
    const bool is_encoding = has(Work::encoding);
    for (std::uint64_t bucket = 0; bucket < params.bucket_count; ++bucket) {
      writer.put(is_encoding ? read_sorted(bucket) : read(bucket));
    }
    writer.finish();
    return copy;
  }

  /// Begins to double the table, which has the parameters `params`. False, and nothing changed, if there is no memory.
  bool begin_moving(const Params& params) {
    assert(!has_work() && params.reserved_bits > 0);
    Result<Table> table = Table::create_uncleared(doubled(params));
    if (!table) return false;
    std::unique_ptr<Pending> pending = begin(Work::moving);
    // 2^6 of the buckets that entries come from.
    if (pending == nullptr || !pending->mark(kMovedBlockBits, table->bucket_count(), 0)) return false;
    pending->top = value_at(params) - 1;
    pending->other = std::exchange(table_, std::move(*table));
    pending_ = std::move(pending);
    return true;
  }
  /// From now on, gathers inserts in a plain table, to encode it at the end: changing a plain bucket needs no decoding,
  /// sorting and encoding. The table must be empty, semi-sorted and for `params`. False, and nothing changed, if there
  /// is no memory.
  bool begin_encoding(Params params) {
    assert(!has_work() && params.storage == Storage::semi_sorted);
    params.storage = Storage::plain;
    params.spared_quarters = 0;
    Result<Table> plain = Table::create(params);
    std::unique_ptr<Pending> pending = begin(Work::encoding);
    if (!plain || pending == nullptr) return false;
    pending->other = std::exchange(table_, std::move(*plain));
    pending_ = std::move(pending);
    return true;
  }
  /// Forgets the entries of the periods from `last_since` to before `since`; `values` says which values periods have.
  /// A table of at most `kBlocksSweptAtOnce` blocks is swept at once. So is a larger one if there is no memory to mark
  /// its blocks.
  void begin_sweeping(std::uint64_t last_since, std::uint64_t since, const Forgotten& values) {
    assert(!has(Work::moving) && !has(Work::encoding) && last_since <= since);
    if (!has_work()) {
      pending_ = begin(Work::sweeping);
      const bool is_small = (table_.bucket_count() - 1) >> kSweptBlockBits < kBlocksSweptAtOnce;
      if (pending_ == nullptr || is_small || !pending_->mark(kSweptBlockBits, table_.bucket_count(), last_since)) {
        pending_.reset();
        return sweep(0, table_.bucket_count(), values.from(last_since, since - last_since));
      }
      pending_->values = values;
    }
    pending_->since = since;
    pending_->left = pending_->blocks;
  }
  /// Empties the table, which then has no pending work.
  void clear() {
    if (has(Work::encoding)) table_ = std::move(pending_->other);
    pending_.reset();
    table_.clear();
  }

 private:
  static std::unique_ptr<Pending> begin(Work work) {
    std::unique_ptr<Pending> pending(new (std::nothrow) Pending);
    if (pending != nullptr) pending->work = work;
    return pending;
  }

  /// `visit_alike` for the given slots (one bit each) of the bucket `here`.
  template <class Act>
  bool visit_slots(std::uint32_t slots, Candidate here, Act& act) const {
    for (; slots != 0; slots &= slots - 1) {
      const auto slot = static_cast<std::uint32_t>(std::countr_zero(slots));
      const FoundEntry it{here.bucket, slot, table_.get_alike(here.bucket, slot, here.entry)};
      if (!is_forgotten(it) && act(it)) return true;
    }
    return false;
  }
  [[nodiscard]] bool is_forgotten(const FoundEntry& it) const {
    return has(Work::sweeping) && pending_->forgotten_in(pending_->block_of(it.bucket))(it.entry);
  }
  [[nodiscard, gnu::noinline, gnu::cold]] Slots read_pending(std::uint64_t bucket) const {
    const std::size_t block = pending_->block_of(bucket);
    if (!pending_->is_pending(block)) return table_.read(bucket);
    const std::uint32_t b = table_.layout().bucket_size;
    if (pending_->work == Work::moving) return split(pending_->other.read(bucket / 2), b, pending_->top)[bucket % 2];
    Slots slots = table_.read(bucket);
    (void)pending_->forgotten_in(block).take_out_of(slots, b);
    return slots;
  }

  [[gnu::noinline]] void work_on_block(std::size_t block) {
    if (!pending_->is_pending(block)) return;
    const std::uint64_t first = std::uint64_t{block} << pending_->block_bits;
    const std::uint64_t last = std::min(first + (std::uint64_t{1} << pending_->block_bits), table_.bucket_count());
    if (pending_->work == Work::sweeping) {
      sweep(first, last, pending_->forgotten_in(block));
      pending_->marks[block] = static_cast<std::uint32_t>(pending_->since);
    } else {
      move(first, last);
      pending_->marks[block] = 1;
    }
  }
  /// Fills the buckets from `first` to before `last` by splitting the buckets that they come from. The last of them are
  /// read with bytes after them, which begin the next block. The table began uncleared, so these are cleared, unless
  /// they are filled already.
  void move(std::uint64_t first, std::uint64_t last) {
    const Table& from = pending_->other;
    BucketAppender writer(table_.layout(), table_.bytes().data() + first * table_.layout().bucket_bits / 8);
    for (std::uint64_t bucket = first / 2; bucket < last / 2; ++bucket) {
      const std::array<Slots, 2> halves = split(from.read(bucket), from.layout().bucket_size, pending_->top);
      writer.put(halves[0]);
      writer.put(halves[1]);
    }
    writer.finish();
    if (last < table_.bucket_count() && pending_->is_pending(pending_->block_of(last))) {
      std::memset(table_.bytes().data() + last * table_.layout().bucket_bits / 8, 0, kTablePadding);
    }
  }
  void sweep(std::uint64_t first, std::uint64_t last, const Forgotten& gone) {
    for (std::uint64_t bucket = first; bucket < last; ++bucket) {
      Slots slots = table_.read(bucket);
      if (gone.take_out_of(slots, table_.layout().bucket_size)) table_.write(bucket, slots);
    }
  }
  void encode() {
    const BucketLayout& layout = pending_->other.layout();
    BucketAppender writer(layout, pending_->other.bytes().data());
    for (std::uint64_t bucket = 0; bucket < table_.bucket_count(); ++bucket) {
      writer.put(sorted(layout, table_.read(bucket)));
    }
    writer.finish();
    table_ = std::move(pending_->other);
    pending_.reset();
  }

  Table table_;
  std::unique_ptr<Pending> pending_;
};

}  // namespace cuckoo::detail
