#include "cuckoo/bucket.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cases.h"
#include "random.h"

namespace cuckoo {
namespace {

/// The slots of one bucket as a plain array, in each of eight buckets (so at every bit position that occurs) of a
/// buffer full of noise.
class BucketTest : public ::testing::Test {
 protected:
  /// Calls `check(layout, position)` for every b, f and each of eight buckets.
  template <class Check>
  void for_all_layouts(Check check) {
    for (std::uint32_t b = 1; b <= kMaxBucketSize; ++b) {
      for (std::uint32_t f = kMinFingerprintBits; f <= kMaxFingerprintBits; ++f) {
        for (std::uint64_t bucket = 0; bucket < 8; ++bucket) check(BucketLayout(b, f), bucket * b * f);
      }
    }
  }
  void fill(const BucketLayout& layout, std::uint64_t position, std::uint32_t distinct) {
    for (auto& byte : bytes_) byte = static_cast<std::uint8_t>(random_.next());
    slots_.resize(layout.bucket_size);
    for (std::uint32_t slot = 0; slot < layout.bucket_size; ++slot) {
      // Neighbouring values share all bits but a few, which is where a test of many slots at once may go
      // wrong.
      slots_[slot] =
          static_cast<std::uint32_t>((random_.below(distinct) + 1) * 0x55555555u & layout.fingerprint_mask());
      if (random_.below(3) == 0) slots_[slot] = 0;
      slot_set(layout, bytes_.data(), position + slot * layout.fingerprint_bits, slots_[slot]);
    }
  }
  std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(256 + kTablePadding);
  std::vector<std::uint32_t> slots_;
  testing::Random random_{4};
};

TEST_F(BucketTest, SetChangesNoOtherBit) {
  for_all_layouts([&](const BucketLayout& layout, std::uint64_t position) {
    for (auto& byte : bytes_) byte = static_cast<std::uint8_t>(random_.next());
    const std::vector<std::uint8_t> before = bytes_;
    const auto slot = static_cast<std::uint32_t>(random_.below(layout.bucket_size));
    const auto value = static_cast<std::uint32_t>(random_.next() & layout.fingerprint_mask());
    const std::uint64_t at = position + slot * layout.fingerprint_bits;
    slot_set(layout, bytes_.data(), at, value);
    for (std::uint64_t bit = 0; bit < 8 * bytes_.size(); ++bit) {
      const bool is_inside = bit >= at && bit < at + layout.fingerprint_bits;
      const bool expected = is_inside ? (value >> (bit - at)) & 1 : (before[bit / 8] >> (bit % 8)) & 1;
      ASSERT_EQ((bytes_[bit / 8] >> (bit % 8)) & 1, expected) << layout.bucket_size << " " << layout.fingerprint_bits;
    }
  });
}

TEST_F(BucketTest, GetFindCountAndContainsAgreeWithAPlainArray) {
  for_all_layouts([&](const BucketLayout& layout, std::uint64_t position) {
    for (const std::uint32_t distinct : {1u, 2u, 100u}) {
      fill(layout, position, distinct);
      std::vector<std::uint32_t> sought = slots_;
      sought.push_back(0);
      sought.push_back(1);
      sought.push_back(static_cast<std::uint32_t>(layout.fingerprint_mask()));
      sought.push_back(static_cast<std::uint32_t>(random_.next() & layout.fingerprint_mask()));
      for (const std::uint32_t value : sought) {
        const auto first = std::find(slots_.begin(), slots_.end(), value) - slots_.begin();
        const auto copies = std::count(slots_.begin(), slots_.end(), value);
        ASSERT_EQ(bucket_find(layout, bytes_.data(), position, value), first);
        ASSERT_EQ(bucket_count_of(layout, bytes_.data(), position, value), copies);
        ASSERT_EQ(bucket_contains(layout, bytes_.data(), position, value), copies != 0);
      }
      for (std::uint32_t slot = 0; slot < layout.bucket_size; ++slot) {
        ASSERT_EQ(slot_get(layout, bytes_.data(), position + slot * layout.fingerprint_bits), slots_[slot]);
      }
    }
  });
}

}  // namespace
}  // namespace cuckoo
