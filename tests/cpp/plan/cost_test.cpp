#include "../../../bindings/cost.h"

#include <gtest/gtest.h>

#include "cases.h"

namespace cuckoo {

using namespace detail;
namespace {

TEST(Cost, IsOneForPlainBucketsOfOneWordAndMoreForSortedAndWiderOnes) {
  testing::for_all_params({8}, [](const Params& params) {
    const Cost cost = relative_cost(params);
    Params plain = params;
    plain.storage = Storage::plain;
    plain.spared_quarters = 0;
    const bool is_fastest = params.storage == Storage::plain && has_one_word(params);
    ASSERT_EQ(cost.lookup == 1 && cost.insert == 1, is_fastest) << testing::text_of(params);
    ASSERT_GE(cost.lookup, 1) << testing::text_of(params);
    ASSERT_GE(cost.insert, 1) << testing::text_of(params);
    if (params.storage == Storage::plain && !is_fastest) {
      ASSERT_EQ(cost.lookup < 2, groups_per_bucket(params) <= 2) << testing::text_of(params);
    }
    const bool are_alike =
        has_one_word(params) == has_one_word(plain) && groups_per_bucket(params) == groups_per_bucket(plain);
    if (params.storage == Storage::semi_sorted && are_alike) {
      ASSERT_GT(cost.lookup, relative_cost(plain).lookup) << testing::text_of(params);
    }
  });
}

}  // namespace
}  // namespace cuckoo
