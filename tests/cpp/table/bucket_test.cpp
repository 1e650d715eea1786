#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cases.h"
#include "cuckoo/detail/entries/location.h"
#include "cuckoo/detail/table/table.h"
#include "random.h"

namespace cuckoo {

using namespace detail;
namespace {

/// The slots of one bucket as a plain array, in each of eight buckets (so at every bit position that occurs) of a
/// table full of noise.
class BucketTest : public ::testing::Test {
 protected:
  /// Calls `check(params, table, bucket)` for every b, f, storage and each of eight buckets but the last.
  template <class Check>
  void for_all_layouts(Check check) {
    testing::for_all_params({9}, [&](const Params& params) {
      if (params.addressing != Addressing::reflect) return;
      Table table = std::move(*Table::create(params));
      for (std::uint64_t bucket = 0; bucket < 8; ++bucket) check(params, table, bucket);
    });
  }
  /// One of `distinct` fingerprints. Neighbours share all bits but a few, which is where a test of many slots at once
  /// may go wrong.
  std::uint32_t fingerprint(const Params& params, std::uint64_t distinct) {
    if (params.spared_quarters != 0) return raw_fingerprint(Hash{(random_.below(distinct) + 1) * 0x15555555}, params);
    return static_cast<std::uint32_t>((random_.below(distinct) + 1) * 0x55555555u &
                                      testing::all_ones(BucketLayout(params)));
  }
  void fill(const Params& params, Table& table, std::uint64_t bucket, std::uint32_t distinct) {
    const BucketLayout& layout = table.layout();
    for (auto& byte : table.bytes()) byte = static_cast<std::uint8_t>(random_.next());
    slots_.assign(layout.bucket_size, 0);
    table.write(bucket, Slots{});
    for (std::uint32_t slot = 0; slot < layout.bucket_size; ++slot) {
      if (random_.below(3) == 0) continue;
      slots_[slot] = fingerprint(params, distinct);
      // In a semi-sorted bucket the empty slots come first.
      (void)table.set(bucket, layout.is_semi_sorted() ? 0 : slot, slots_[slot]);
    }
    if (!layout.is_semi_sorted()) return;
    std::sort(slots_.begin(), slots_.end(),
              [&](std::uint32_t one, std::uint32_t other) { return layout.order(one) < layout.order(other); });
  }
  static std::vector<std::uint8_t> copy_of(const Table& table) { return {table.bytes().begin(), table.bytes().end()}; }

  std::vector<std::uint32_t> slots_;
  testing::Random random_{4};
};

TEST_F(BucketTest, OneReadGetsEachGroupOfLanesWhereverItsBucketLies) {
  testing::for_all_growing_params([&](const Params& params) {
    const BucketLayout layout(params);
    ASSERT_EQ(layout.is_one_word, has_one_word(params)) << testing::text_of(params);
    for (std::uint64_t bucket = 0; bucket < 64; ++bucket) {
      const std::uint64_t begin = bucket * layout.bucket_bits;
      ASSERT_LE(begin % 8 + (layout.is_one_word ? layout.bucket_bits : layout.code_bits), 64u)
          << testing::text_of(params);
      for (std::uint32_t group = 0; group < layout.groups; ++group) {
        const std::uint32_t lanes = std::min(layout.lanes, layout.bucket_size - group * layout.lanes);
        const std::uint64_t first = begin + layout.code_bits + group * layout.group_bits;
        ASSERT_LE(first % 8 + lanes * layout.lane_bits, 64u) << testing::text_of(params);
      }
    }
  });
}

TEST_F(BucketTest, AChangeChangesNoBitOfAnotherSlotOrBucket) {
  for_all_layouts([&](const Params& params, Table& table, std::uint64_t bucket) {
    fill(params, table, bucket, 100);
    const std::vector<std::uint8_t> before = copy_of(table);
    const BucketLayout& layout = table.layout();
    const auto slot = static_cast<std::uint32_t>(random_.below(params.bucket_size));
    (void)table.set(bucket, slot, fingerprint(params, 100));
    const std::uint64_t position = bucket * layout.bucket_bits;
    const std::uint64_t begin = layout.is_semi_sorted() ? position : position + slot * layout.lane_bits;
    const std::uint64_t end = begin + (layout.is_semi_sorted() ? layout.bucket_bits : layout.lane_bits);
    for (std::uint64_t bit = 0; bit < 8 * before.size(); ++bit) {
      if (bit >= begin && bit < end) continue;
      ASSERT_EQ((table.bytes()[bit / 8] >> (bit % 8)) & 1, (before[bit / 8] >> (bit % 8)) & 1)
          << testing::text_of(params);
    }
  });
}

TEST_F(BucketTest, AChangeTellsWhereItsContentSettles) {
  for_all_layouts([&](const Params& params, Table& table, std::uint64_t bucket) {
    fill(params, table, bucket, 5);
    const auto slot = static_cast<std::uint32_t>(random_.below(params.bucket_size));
    const std::uint32_t content = fingerprint(params, 5);
    const std::uint32_t settled = table.set(bucket, slot, content);
    slots_.erase(slots_.begin() + slot);
    slots_.insert(slots_.begin() + settled, content);
    const Slots read = table.read(bucket);
    ASSERT_TRUE(std::equal(slots_.begin(), slots_.end(), read.begin())) << testing::text_of(params);
    // Taking it back leaves the bucket as it was.
    const std::vector<std::uint8_t> changed = copy_of(table);
    const std::uint32_t other = table.set(bucket, settled, fingerprint(params, 5));
    (void)table.set(bucket, other, content);
    ASSERT_EQ(copy_of(table), changed) << testing::text_of(params);
  });
}

TEST_F(BucketTest, AChangeOfASortedWordIsTheSameAsOneOfItsSlots) {
  for_all_layouts([&](const Params& params, Table& table, std::uint64_t bucket) {
    if (!table.layout().is_semi_sorted()) return;
    for (const std::uint32_t distinct : {2u, 5u, 1000u}) {
      fill(params, table, bucket, distinct);
      Slots slots = table.read(bucket);
      const auto slot = static_cast<std::uint32_t>(random_.below(params.bucket_size));
      slots[slot] = random_.below(4) == 0 ? 0 : fingerprint(params, distinct);
      const std::uint32_t settled = table.set(bucket, slot, slots[slot]);
      ASSERT_EQ(settled, move_entry_into_order(table.layout(), slots.data(), slot, params.bucket_size))
          << testing::text_of(params);
      const std::vector<std::uint8_t> changed = copy_of(table);
      table.write(bucket, slots);
      ASSERT_EQ(copy_of(table), changed) << testing::text_of(params);
    }
  });
}

TEST_F(BucketTest, AnInsertIsAChangeOfTheFirstEmptySlotAndNothingWhereNoneIs) {
  for_all_layouts([&](const Params& params, Table& table, std::uint64_t bucket) {
    for (const std::uint32_t distinct : {2u, 1000u}) {
      fill(params, table, bucket, distinct);
      for (std::uint32_t taken = 0; taken <= params.bucket_size; ++taken) {
        const std::uint32_t entry = fingerprint(params, distinct);
        const std::uint32_t room = table.find(bucket, 0);
        const Slots before = table.read(bucket);
        const bool has_room = room != params.bucket_size;
        if (has_room) (void)table.set(bucket, room, entry);
        const std::vector<std::uint8_t> expected = copy_of(table);
        table.write(bucket, before);
        ASSERT_EQ(table.insert(bucket, entry), has_room) << testing::text_of(params);
        ASSERT_EQ(copy_of(table), expected) << testing::text_of(params);
      }
    }
  });
}

TEST_F(BucketTest, GetFindAndCountAgreeWithAPlainArray) {
  for_all_layouts([&](const Params& params, Table& table, std::uint64_t bucket) {
    for (const std::uint32_t distinct : {1u, 2u, 100u}) {
      fill(params, table, bucket, distinct);
      std::vector<std::uint32_t> sought = slots_;
      sought.insert(sought.end(), {0, 1, fingerprint(params, 1000), fingerprint(params, 1000)});
      if (!table.layout().is_semi_sorted())
        sought.push_back(static_cast<std::uint32_t>(testing::all_ones(table.layout())));
      for (const std::uint32_t value : sought) {
        const auto first = std::find(slots_.begin(), slots_.end(), value) - slots_.begin();
        const auto copies = std::count(slots_.begin(), slots_.end(), value);
        ASSERT_EQ(table.find(bucket, value), first) << testing::text_of(params);
        ASSERT_EQ(table.count(bucket, value), copies);
      }
      ASSERT_EQ(table.has_room(bucket), table.count(bucket, 0) != 0);
      for (std::uint32_t slot = 0; slot < params.bucket_size; ++slot) {
        ASSERT_EQ(table.read(bucket)[slot], slots_[slot]);
      }
    }
  });
}

}  // namespace
}  // namespace cuckoo
