#include "cuckoo/detail/format/sorted_copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cases.h"
#include "random.h"
#include "raw_bucket.h"

namespace cuckoo {

using namespace detail;
namespace {

using Copy = void(const BucketLayout&, const std::uint8_t*, std::uint8_t*, std::uint64_t);

constexpr std::uint8_t kUntouched = 0xA5;
constexpr std::uint64_t kMaxBuckets = 27;  // three times eight and some

/// Copies of 1 to `kMaxBuckets` buckets of random content, or of content in which slots are often equal, empty and
/// greatest.
void expect_sorted(Copy copy) {
  testing::for_all_params({1}, [&](const Params& params) {
    if (params.storage != Storage::plain || params.addressing != Addressing::reflect) return;
    const BucketLayout layout(params);
    testing::Random random(params.seed);
    std::vector<std::uint8_t> from((kMaxBuckets * layout.bucket_bits + 7) / 8 + kTablePadding);
    for (std::uint64_t buckets = 1; buckets <= kMaxBuckets; ++buckets) {
      const std::uint64_t often_set = buckets % 2 == 0 ? 0 : 0x7E;
      for (auto& byte : from) byte = static_cast<std::uint8_t>(random.next() | often_set);
      for (std::uint64_t slot = 0; slot < buckets * params.bucket_size; slot += 1 + random.below(4)) {
        set_bits(from.data(), slot * layout.lane_bits, layout.lane_bits, 0);
      }
      const std::uint64_t length = (buckets * layout.bucket_bits + 7) / 8;
      std::vector<std::uint8_t> to(length + 16, kUntouched);
      copy(layout, from.data(), to.data(), buckets);
      for (std::uint64_t at = length + 8; at < to.size(); ++at) ASSERT_EQ(to[at], kUntouched);
      for (std::uint64_t bucket = 0; bucket < buckets; ++bucket) {
        const Slots slots = testing::read_bucket(layout, from.data(), bucket * layout.bucket_bits);
        std::vector<std::uint32_t> sorted(slots.begin(), slots.begin() + layout.bucket_size);
        std::sort(sorted.begin(), sorted.end());
        const Slots copied = testing::read_bucket(layout, to.data(), bucket * layout.bucket_bits);
        ASSERT_TRUE(std::equal(sorted.begin(), sorted.end(), copied.begin()))
            << testing::text_of(params) << " " << buckets;
      }
      const std::uint64_t bits = buckets * layout.bucket_bits;
      const int behind = bits % 8 == 0 ? 0 : to[length - 1] >> (bits % 8);
      ASSERT_EQ(behind, 0) << testing::text_of(params);
    }
  });
}

TEST(SortedCopy, HoldsTheSameSlotsInOrderAndNoOtherBit) { expect_sorted(copy_sorted); }

TEST(SortedCopy, SlotBySlotIsTheSame) { expect_sorted(copy_by_slots); }

}  // namespace
}  // namespace cuckoo
