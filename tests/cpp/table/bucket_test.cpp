#include "cuckoo/detail/table/bucket.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cases.h"
#include "cuckoo/detail/entries/location.h"
#include "random.h"

namespace cuckoo {

using namespace detail;
namespace {

/// The slots of one bucket as a plain array, in each of eight buckets (so at every bit position that occurs) of a
/// buffer full of noise.
class BucketTest : public ::testing::Test {
 protected:
  /// Calls `check(params, layout, position)` for every b, f, storage and each of eight buckets.
  template <class Check>
  void for_all_layouts(Check check) {
    testing::for_all_params({1}, [&](const Params& params) {
      if (params.addressing != Addressing::reflect) return;
      const BucketLayout layout(params);
      for (std::uint64_t bucket = 0; bucket < 8; ++bucket) check(params, layout, bucket * layout.bucket_bits);
    });
  }
  /// One of `distinct` fingerprints. Neighbours share all bits but a few, which is where a test of many slots at once
  /// may go wrong.
  std::uint32_t fingerprint(const Params& params, std::uint64_t distinct) {
    if (params.spared_quarters != 0) return raw_fingerprint(Hash{(random_.below(distinct) + 1) * 0x15555555}, params);
    return static_cast<std::uint32_t>((random_.below(distinct) + 1) * 0x55555555u &
                                      testing::all_ones(BucketLayout(params)));
  }
  void fill(const Params& params, const BucketLayout& layout, std::uint64_t position, std::uint32_t distinct) {
    for (auto& byte : bytes_) byte = static_cast<std::uint8_t>(random_.next());
    slots_.assign(layout.bucket_size, 0);
    bucket_write(layout, bytes_.data(), position, Slots{});
    for (std::uint32_t slot = 0; slot < layout.bucket_size; ++slot) {
      if (random_.below(3) == 0) continue;
      slots_[slot] = fingerprint(params, distinct);
      // In a semi-sorted bucket the empty slots come first.
      (void)bucket_set(layout, bytes_.data(), position, layout.is_semi_sorted() ? 0 : slot, slots_[slot]);
    }
    if (!layout.is_semi_sorted()) return;
    std::sort(slots_.begin(), slots_.end(),
              [&](std::uint32_t one, std::uint32_t other) { return layout.order(one) < layout.order(other); });
  }
  std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(256 + kTablePadding);
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
        ASSERT_LE((begin + layout.group_begin(group)) % 8 + lanes * layout.lane_bits, 64u) << testing::text_of(params);
      }
    }
  });
}

TEST_F(BucketTest, AChangeChangesNoBitOfAnotherSlotOrBucket) {
  for_all_layouts([&](const Params& params, const BucketLayout& layout, std::uint64_t position) {
    fill(params, layout, position, 100);
    const std::vector<std::uint8_t> before = bytes_;
    const auto slot = static_cast<std::uint32_t>(random_.below(layout.bucket_size));
    (void)bucket_set(layout, bytes_.data(), position, slot, fingerprint(params, 100));
    const std::uint64_t begin = layout.is_semi_sorted() ? position : position + slot * layout.lane_bits;
    const std::uint64_t end = begin + (layout.is_semi_sorted() ? layout.bucket_bits : layout.lane_bits);
    for (std::uint64_t bit = 0; bit < 8 * bytes_.size(); ++bit) {
      if (bit >= begin && bit < end) continue;
      ASSERT_EQ((bytes_[bit / 8] >> (bit % 8)) & 1, (before[bit / 8] >> (bit % 8)) & 1) << testing::text_of(params);
    }
  });
}

TEST_F(BucketTest, AChangeTellsWhereItsContentSettles) {
  for_all_layouts([&](const Params& params, const BucketLayout& layout, std::uint64_t position) {
    fill(params, layout, position, 5);
    const auto slot = static_cast<std::uint32_t>(random_.below(layout.bucket_size));
    const std::uint32_t content = fingerprint(params, 5);
    const std::uint32_t settled = bucket_set(layout, bytes_.data(), position, slot, content);
    slots_.erase(slots_.begin() + slot);
    slots_.insert(slots_.begin() + settled, content);
    const Slots read = bucket_read(layout, bytes_.data(), position);
    ASSERT_TRUE(std::equal(slots_.begin(), slots_.end(), read.begin())) << testing::text_of(params);
    // Taking it back leaves the bucket as it was.
    const std::vector<std::uint8_t> changed = bytes_;
    const std::uint32_t other = bucket_set(layout, bytes_.data(), position, settled, fingerprint(params, 5));
    (void)bucket_set(layout, bytes_.data(), position, other, content);
    ASSERT_EQ(bytes_, changed) << testing::text_of(params);
  });
}

TEST_F(BucketTest, AChangeOfASortedWordIsTheSameAsOneOfItsSlots) {
  for_all_layouts([&](const Params& params, const BucketLayout& layout, std::uint64_t position) {
    if (!layout.is_semi_sorted()) return;
    for (const std::uint32_t distinct : {2u, 5u, 1000u}) {
      fill(params, layout, position, distinct);
      Slots slots = bucket_read(layout, bytes_.data(), position);
      const auto slot = static_cast<std::uint32_t>(random_.below(layout.bucket_size));
      slots[slot] = random_.below(4) == 0 ? 0 : fingerprint(params, distinct);
      const std::uint32_t settled = bucket_set(layout, bytes_.data(), position, slot, slots[slot]);
      ASSERT_EQ(settled, move_entry_into_order(layout, slots.data(), slot, layout.bucket_size))
          << testing::text_of(params);
      const std::vector<std::uint8_t> changed = bytes_;
      bucket_write(layout, bytes_.data(), position, slots);
      ASSERT_EQ(bytes_, changed) << testing::text_of(params);
    }
  });
}

TEST_F(BucketTest, AnInsertIsAChangeOfTheFirstEmptySlotAndNothingWhereNoneIs) {
  for_all_layouts([&](const Params& params, const BucketLayout& layout, std::uint64_t position) {
    for (const std::uint32_t distinct : {2u, 1000u}) {
      fill(params, layout, position, distinct);
      for (std::uint32_t taken = 0; taken <= layout.bucket_size; ++taken) {
        const std::uint32_t entry = fingerprint(params, distinct);
        const std::uint32_t room = bucket_find(layout, bytes_.data(), position, 0);
        std::vector<std::uint8_t> expected = bytes_;
        const std::uint32_t settled =
            room == layout.bucket_size ? room : bucket_set(layout, expected.data(), position, room, entry);
        ASSERT_EQ(bucket_insert(layout, bytes_.data(), position, entry), settled) << testing::text_of(params);
        ASSERT_EQ(bytes_, expected) << testing::text_of(params);
      }
    }
  });
}

TEST_F(BucketTest, GetFindAndCountAgreeWithAPlainArray) {
  for_all_layouts([&](const Params& params, const BucketLayout& layout, std::uint64_t position) {
    for (const std::uint32_t distinct : {1u, 2u, 100u}) {
      fill(params, layout, position, distinct);
      std::vector<std::uint32_t> sought = slots_;
      sought.insert(sought.end(), {0, 1, fingerprint(params, 1000), fingerprint(params, 1000)});
      if (!layout.is_semi_sorted()) sought.push_back(static_cast<std::uint32_t>(testing::all_ones(layout)));
      for (const std::uint32_t value : sought) {
        const auto first = std::find(slots_.begin(), slots_.end(), value) - slots_.begin();
        const auto copies = std::count(slots_.begin(), slots_.end(), value);
        ASSERT_EQ(bucket_find(layout, bytes_.data(), position, value), first) << testing::text_of(params);
        ASSERT_EQ(bucket_count_of(layout, bytes_.data(), position, value), copies);
      }
      ASSERT_EQ(bucket_has_room(layout, bytes_.data(), position),
                bucket_count_of(layout, bytes_.data(), position, 0) != 0);
      for (std::uint32_t slot = 0; slot < layout.bucket_size; ++slot) {
        ASSERT_EQ(bucket_read(layout, bytes_.data(), position)[slot], slots_[slot]);
      }
    }
  });
}

}  // namespace
}  // namespace cuckoo
