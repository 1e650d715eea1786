#include "cuckoo/detail/table/table.h"

#include <gtest/gtest.h>

#include <vector>

#include "cases.h"
#include "cuckoo/detail/entries/location.h"
#include "random.h"

namespace cuckoo {

using namespace detail;
namespace {

TEST(Table, EverySlotKeepsItsOwnValue) {
  testing::for_all_params({1, 3, 17}, [](const Params& params) {
    testing::Random random(params.seed);
    Table table = std::move(*Table::create(params));
    ASSERT_EQ(table.byte_count(), table_bytes(params));
    if (table.layout().is_semi_sorted()) return;
    std::vector<std::uint32_t> model(slot_count(params));
    for (std::size_t i = 0; i < 4 * model.size(); ++i) {
      const std::uint64_t at = random.below(model.size());
      model[at] = static_cast<std::uint32_t>(random.next() & testing::all_ones(table.layout()));
      table.set(at / params.bucket_size, static_cast<std::uint32_t>(at % params.bucket_size), model[at]);
    }
    for (std::size_t at = 0; at < model.size(); ++at) {
      ASSERT_EQ(table.read(at / params.bucket_size)[at % params.bucket_size], model[at]) << testing::text_of(params);
    }
  });
}

TEST(Table, SlotJOfBucketIStartsAtBitIBPlusJTimesF) {
  Table table = std::move(*Table::create(testing::params_of(5, 3, 7)));
  table.set(2, 1, 0x7F);
  const std::uint64_t first = (2 * 3 + 1) * 7;
  for (std::uint64_t bit = 0; bit < 8 * table.byte_count(); ++bit) {
    EXPECT_EQ((table.bytes()[bit / 8] >> (bit % 8)) & 1, bit >= first && bit < first + 7) << bit;
  }
}

TEST(Table, ALookupInTwoBucketsFindsWhatEitherHolds) {
  testing::for_all_params({3, 17}, [](const Params& params) {
    testing::Random random(params.seed);
    Table table = std::move(*Table::create(params));
    const BucketLayout& layout = table.layout();
    // Only four fingerprints, which share most bits: many lanes are nearly equal.
    const auto entry = [&] { return stored_fingerprint(raw_fingerprint(Hash{random.below(4) * 0x15555555}, params)); };
    for (std::uint64_t i = 0; i < slot_count(params); ++i)
      (void)table.insert(random.below(params.bucket_count), entry());
    for (int i = 0; i < 50; ++i) {
      const std::uint64_t one = random.below(params.bucket_count);
      const std::uint64_t other = random.below(params.bucket_count);
      const std::uint32_t in_one = entry();
      const std::uint32_t in_other = i % 2 == 0 ? in_one : entry();
      const bool holds =
          table.find(one, in_one) != params.bucket_size || table.find(other, in_other) != params.bucket_size;
      ASSERT_EQ(table.any_holds(one, in_one, other, in_other), holds) << testing::text_of(params);
      if (layout.groups > 1 || layout.has_narrow_lanes) continue;
      ASSERT_EQ(layout.is_semi_sorted() ? table.any_coded_holds(one, in_one, other, in_other)
                                        : table.any_plain_holds(layout, one, in_one, other, in_other),
                holds)
          << testing::text_of(params);
    }
  });
}

TEST(Table, ATableThatCannotBeAllocatedIsAnError) {
  const auto table = Table::create(testing::params_of(kMaxBucketCount, 8, 32));
  // 128 GiB: refused outright on small machines; where the system promises memory it does not have, it is
  // granted.
  EXPECT_TRUE(table || table.error() == Error::out_of_memory);
}

}  // namespace
}  // namespace cuckoo
