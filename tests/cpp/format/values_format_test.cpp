// The saved form of filters with values, of every kind of value. What they share with other filters is in format_test.
#include <gtest/gtest.h>

#include <vector>

#include "cases.h"
#include "cuckoo/filters/counting.h"
#include "cuckoo/filters/expiring.h"
#include "cuckoo/filters/value.h"
#include "cuckoo/format/format.h"
#include "random.h"
#include "raw_bucket.h"
#include "saved.h"

namespace cuckoo {

using namespace detail;
namespace {

namespace d = detail;
using testing::for_all_valued_params;
using testing::params_of;
using testing::Random;
using testing::resealed;
using testing::saved;
using testing::text_of;

/// A filter of this class, which the next operations of `random` fill.
template <class AnyFilter>
AnyFilter filled(const Params& params, std::uint32_t value_bits, Random& random, std::uint64_t keys) {
  AnyFilter filter = std::move(*AnyFilter::create(params, value_bits));
  for (std::uint64_t i = 0; i < keys; ++i) {
    const Hash key{random.next()};
    (void)filter.insert(key, 1 + static_cast<std::uint32_t>(random.below((std::uint64_t{1} << value_bits) - 1)));
  }
  return filter;
}

/// Both classes load what they save, with the same state.
template <class AnyFilter>
void expect_the_same_again(const Params& params, std::uint32_t value_bits) {
  Random random(params.seed + value_bits);
  AnyFilter filter = filled<AnyFilter>(params, value_bits, random, slot_count(params));
  const auto bytes = saved(filter);
  ASSERT_EQ(bytes.size(), kExtendedHeaderBytes + table_bytes(filter.params()) + kTrailerBytes);
  ASSERT_EQ(bytes[d::kAtMinor], 2);
  ASSERT_EQ(bytes[d::kAtMustUnderstand], filter.params().reserved_bits == 0 ? 2 : 3);
  ASSERT_EQ(bytes[d::kAtValueKind], static_cast<std::uint8_t>(AnyFilter::kKind));
  ASSERT_EQ(bytes[d::kAtValueBits], value_bits);
  Result<AnyFilter> loaded = load<AnyFilter>(bytes);
  ASSERT_TRUE(loaded) << text_of(params) << " v=" << value_bits << " " << static_cast<int>(loaded.error());
  ASSERT_EQ(saved(*loaded), bytes) << text_of(params) << " v=" << value_bits;
  ASSERT_EQ(loaded->size(), filter.size());
  // They go on alike.
  for (std::uint64_t i = 0; i < slot_count(params); ++i) {
    const Hash key{random.next()};
    ASSERT_EQ(filter.insert(key, 1), loaded->insert(key, 1)) << text_of(params);
    const bool erases = i % 3 == 0;
    ASSERT_EQ(erases && filter.erase(key, 1), erases && loaded->erase(key, 1)) << text_of(params);
  }
  ASSERT_EQ(saved(filter), saved(*loaded)) << text_of(params) << " v=" << value_bits;
  EXPECT_EQ(load(bytes).error(), Error::unsupported_version);
}

TEST(ValuesFormat, SaveLoadSaveGivesEqualBytes) {
  for_all_valued_params(kMaxValueBits, expect_the_same_again<ValueFilter>);
  for_all_valued_params(kMaxCounterBits, expect_the_same_again<CountingFilter>);
}

TEST(ValuesFormat, EveryWidthOfAValueIsSaved) {
  for (std::uint32_t value_bits = 1; value_bits <= kMaxValueBits; ++value_bits) {
    expect_the_same_again<ValueFilter>(params_of(7, 4, 8), value_bits);
    if (value_bits <= kMaxCounterBits) expect_the_same_again<CountingFilter>(params_of(7, 4, 8), value_bits);
  }
}

TEST(ValuesFormat, TheOrderOfInsertsDoesNotMatter) {
  ValueFilter forward = std::move(*ValueFilter::create(params_of(64, 4, 12), 8));
  ValueFilter backward = std::move(*ValueFilter::create(params_of(64, 4, 12), 8));
  for (std::uint32_t key = 0; key < 40; ++key) {
    ASSERT_EQ(forward.insert(std::uint64_t{key}, key), InsertOutcome::inserted);
    ASSERT_EQ(backward.insert(std::uint64_t{39 - key}, 39 - key), InsertOutcome::inserted);
  }
  EXPECT_EQ(saved(forward), saved(backward));
}

TEST(ValuesFormat, EverySingleByteChangeIsFound) {
  Random random(1);
  const auto check = [](const auto& filter) {
    const auto bytes = saved(filter);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (int change = 1; change < 256; ++change) {
        auto damaged = bytes;
        damaged[at] ^= static_cast<std::uint8_t>(change);
        ASSERT_FALSE(load<std::decay_t<decltype(filter)>>(damaged)) << at << " " << change;
        ASSERT_FALSE(load(damaged)) << at << " " << change;
      }
    }
  };
  check(filled<ValueFilter>(params_of(7, 4, 13), 9, random, 17));
  check(filled<CountingFilter>(params_of(8, 3, 5), 6, random, 17));
}

TEST(ValuesFormat, EveryOtherLengthIsFound) {
  Random random(1);
  auto bytes = saved(filled<ValueFilter>(params_of(7, 4, 13), 9, random, 17));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const auto loaded = load<ValueFilter>(std::span(bytes).first(length));
    ASSERT_EQ(loaded.error(), length == 0 ? Error::not_a_filter : Error::cut_short) << length;
  }
  bytes.push_back(0);
  EXPECT_EQ(load<ValueFilter>(bytes).error(), Error::cut_short);
}

TEST(ValuesFormat, OtherKindsAreNamed) {
  Random random(1);
  const auto values = saved(filled<ValueFilter>(params_of(7, 4, 13), 9, random, 17));
  const auto counters = saved(filled<CountingFilter>(params_of(7, 4, 13), 9, random, 17));
  const auto plain = saved(*Filter::create(params_of(7, 4, 13)));
  EXPECT_EQ(load<ValueFilter>(counters).error(), Error::not_a_filter);
  EXPECT_EQ(load<ValueFilter>(plain).error(), Error::not_a_filter);
  EXPECT_EQ(load<CountingFilter>(values).error(), Error::not_a_filter);
  EXPECT_EQ(load(values).error(), Error::unsupported_version);
  EXPECT_EQ(load(counters).error(), Error::unsupported_version);
}

TEST(ValuesFormat, NamesWhatIsWrong) {
  Random random(1);
  const auto values = saved(filled<ValueFilter>(params_of(7, 4, 8), 20, random, 17));
  const auto error_with = [&](std::size_t at, std::uint8_t value) {
    auto changed = values;
    changed[at] = value;
    return load<ValueFilter>(resealed(changed)).error();
  };
  EXPECT_EQ(error_with(d::kAtMinor, 0), Error::none);
  EXPECT_EQ(error_with(d::kAtMustUnderstand, 0), Error::not_a_filter);
  EXPECT_EQ(error_with(d::kAtMustUnderstand, 3), Error::inconsistent);  // without a reserved bit
  EXPECT_EQ(error_with(d::kAtMustUnderstand, 6), Error::unsupported_version);
  EXPECT_EQ(error_with(d::kAtValueKind, 0), Error::unsupported_version);
  EXPECT_EQ(error_with(d::kAtValueKind, 4), Error::unsupported_version);
  EXPECT_EQ(error_with(d::kAtValueKind, 2), Error::not_a_filter);
  EXPECT_EQ(error_with(d::kAtValueBits, 0), Error::inconsistent);
  EXPECT_EQ(error_with(d::kAtValueBits, 19), Error::inconsistent);  // then the payload is too long
  EXPECT_EQ(error_with(d::kAtValueBits, 25), Error::inconsistent);
  for (std::size_t at = d::kAtLastPeriod; at < kExtendedHeaderBytes; ++at) {
    EXPECT_EQ(error_with(at, 1), Error::inconsistent) << at;
  }
  // A slot that has a value, but no fingerprint.
  auto without = values;
  const BucketLayout layout(load<ValueFilter>(values)->params());
  const std::uint64_t used = 4 - testing::count_in_bucket(layout, &without[kExtendedHeaderBytes], 0, 0);
  store_word(&without[d::kAtSize], load_word(&without[d::kAtSize]) - used + 1);
  testing::write_bucket(layout, &without[kExtendedHeaderBytes], 0, {0, 0, 0, 5 << 8 | 1});
  EXPECT_EQ(load<ValueFilter>(resealed(without)).error(), Error::none);
  testing::write_bucket(layout, &without[kExtendedHeaderBytes], 0, {0, 0, 0, 5 << 8});
  EXPECT_EQ(load<ValueFilter>(resealed(without)).error(), Error::inconsistent);
}

TEST(ValuesFormat, APeriodThatIsNotRememberedIsInconsistent) {
  ExpiringFilter filter = std::move(*ExpiringFilter::create(params_of(16, 4, 12), 5));
  ASSERT_EQ(filter.insert_if_absent(1), InsertOutcome::inserted);
  filter.advance();
  ASSERT_EQ(filter.insert_if_absent(2), InsertOutcome::inserted);
  const auto bytes = saved(filter);
  ASSERT_TRUE(load<ExpiringFilter>(bytes));
  // Keys of the current period and of the one before: three periods fewer are still enough, four are not.
  auto changed = bytes;
  changed[d::kAtForgotten] = 3;
  EXPECT_TRUE(load<ExpiringFilter>(resealed(changed)));
  changed[d::kAtForgotten] = 4;
  EXPECT_EQ(load<ExpiringFilter>(resealed(changed)).error(), Error::inconsistent);
  // A value of three bits that none of five periods has.
  ExpiringFilter eight = std::move(*ExpiringFilter::create(params_of(16, 4, 12), 8));
  eight.advance(6);
  ASSERT_EQ(eight.insert_if_absent(1), InsertOutcome::inserted);
  changed = saved(eight);
  for (const std::uint8_t last : {std::uint8_t{6}, std::uint8_t{5}, std::uint8_t{4}}) {
    changed[d::kAtLastPeriod] = changed[d::kAtCurrentPeriod] = last;
    EXPECT_EQ(load<ExpiringFilter>(resealed(changed)).error(), last == 6 ? Error::none : Error::inconsistent);
  }
}

TEST(ValuesFormat, AHeaderHoldsWhatItsKindHas) {
  Params params = params_of(7, 4, 8);
  const auto read = [&](Extension extension, std::uint32_t value_bits) {
    params.value_bits = value_bits;
    const auto bytes = write_header({params, 3, extension}, Hasher(params.seed));
    return read_header(bytes, extension.kind);
  };
  const auto error_of = [&](Extension extension, std::uint32_t value_bits) {
    return read(extension, value_bits).error();
  };
  for (std::uint32_t bits = 0; bits <= 25; ++bits) {
    const bool is_value = bits >= 1 && bits <= 24;
    const bool is_counter = bits >= 1 && bits <= 16;
    EXPECT_EQ(error_of({ValueKind::values}, bits), is_value ? Error::none : Error::inconsistent) << bits;
    EXPECT_EQ(error_of({ValueKind::counters}, bits), is_counter ? Error::none : Error::inconsistent) << bits;
  }
  const Result<Header> periods = read({ValueKind::periods, 255, 255, 200, 1, ~std::uint64_t{0} - 1}, 8);
  ASSERT_TRUE(periods);
  EXPECT_EQ(periods->params.value_bits, 8u);
  EXPECT_EQ(periods->extension.last_period, 255u);
  EXPECT_EQ(periods->extension.forgotten, 255u);
  EXPECT_EQ(periods->extension.current_period, 200u);
  EXPECT_EQ(periods->extension.has_clock, 1u);
  EXPECT_EQ(periods->extension.clock, ~std::uint64_t{0} - 1);
  EXPECT_EQ(error_of({ValueKind::periods, 0, 0, 0, 0, 0}, 0), Error::none);
  EXPECT_EQ(error_of({ValueKind::periods, 0, 0, 0, 1, 0}, 0), Error::none);  // a period that began at 0
  EXPECT_EQ(error_of({ValueKind::periods, 0, 0, 0, 0, 1}, 0), Error::none);
  EXPECT_EQ(error_of({ValueKind::periods, 0, 0, 0, 2, 0}, 0), Error::inconsistent);
  EXPECT_EQ(error_of({ValueKind::periods, 5, 6, 0, 0, 0}, 3), Error::inconsistent);
  EXPECT_EQ(error_of({ValueKind::periods, 5, 0, 6, 0, 0}, 3), Error::inconsistent);
  EXPECT_EQ(error_of({ValueKind::periods, 5, 0, 5, 0, 0}, 4), Error::inconsistent);
}

TEST(ValuesFormat, AKeyedFilterLoadsWithItsKey) {
  Params params = params_of(7, 4, 13);
  params.hash = HashAlgorithm::siphash_1_3;
  params.seed = 0;
  const SecretKey secret{1, 2}, wrong{1, 3};
  CountingFilter filter = std::move(*CountingFilter::create(params, 4, &secret));
  ASSERT_EQ(filter.insert(std::uint64_t{5}, 3), InsertOutcome::inserted);
  const auto bytes = saved(filter);
  EXPECT_EQ(load<CountingFilter>(bytes, bytes.size(), &secret)->count(std::uint64_t{5}), 3u);
  EXPECT_EQ(load<CountingFilter>(bytes, bytes.size(), &wrong).error(), Error::wrong_key);
  EXPECT_EQ(load<CountingFilter>(bytes).error(), Error::wrong_key);
  EXPECT_EQ(load<CountingFilter>(bytes, 10, &secret).error(), Error::too_large);
}

}  // namespace
}  // namespace cuckoo
