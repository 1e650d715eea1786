#include "cuckoo/format/format.h"

#include <gtest/gtest.h>

#include <vector>

#include "cases.h"
#include "random.h"
#include "raw_bucket.h"
#include "saved.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::for_all_params;
using testing::params_of;
using testing::Random;
using testing::resealed;
using testing::saved;
using testing::text_of;

Filter filled(const Params& params, double load, std::uint64_t seed) {
  Filter filter = std::move(*Filter::create(params));
  Random random(seed);
  while (static_cast<double>(filter.size()) < load * static_cast<double>(slot_count(params))) {
    if (filter.insert(Hash{random.next()}) != InsertOutcome::inserted) break;
  }
  return filter;
}

TEST(Format, SaveLoadSaveGivesEqualBytes) {
  for_all_params({1, 3, 16, 131}, [](const Params& params) {
    const Filter filter = filled(params, 0.8, params.seed);
    const auto bytes = saved(filter);
    ASSERT_EQ(bytes.size(), kHeaderBytes + table_bytes(params) + kTrailerBytes);
    const auto loaded = load(bytes);
    ASSERT_TRUE(loaded) << text_of(params) << " " << static_cast<int>(loaded.error());
    ASSERT_EQ(saved(*loaded), bytes) << text_of(params);
    ASSERT_EQ(loaded->size(), filter.size());
  });
}

TEST(Format, ALoadedFilterGoesOnAsItsOriginalDoes) {
  for_all_params({1, 5, 64}, [](const Params& params) {
    Filter filter = filled(params, 0.7, params.seed);
    Filter loaded = std::move(*load(saved(filter)));
    Random random(params.seed + 1);
    for (std::uint64_t i = 0; i < slot_count(params); ++i) {
      const Hash key{random.next()};
      ASSERT_EQ(filter.insert(key), loaded.insert(key)) << text_of(params);
      const bool erases = i % 4 == 0;
      ASSERT_EQ(erases && filter.erase(key), erases && loaded.erase(key));
    }
    ASSERT_EQ(saved(filter), saved(loaded)) << text_of(params);
  });
}

TEST(Format, TheOrderInWhichSlotsWereFilledDoesNotShow) {
  const Params params = params_of(4, 4, 12);
  Filter forward = std::move(*Filter::create(params));
  Filter backward = std::move(*Filter::create(params));
  const std::vector<std::uint64_t> keys = {1, 2, 3, 4};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(forward.insert(keys[i]), InsertOutcome::inserted);
    ASSERT_EQ(backward.insert(keys[keys.size() - 1 - i]), InsertOutcome::inserted);
  }
  EXPECT_EQ(saved(forward), saved(backward));
  EXPECT_TRUE(forward == backward);
}

TEST(Format, FiltersAreEqualWhereTheirSavedBytesAre) {
  for_all_params({1, 3, 16, 131}, [](const Params& params) {
    Filter filter = filled(params, 0.8, params.seed);
    Filter other = std::move(*load(saved(filter)));
    ASSERT_TRUE(filter == other && filter == filter) << text_of(params);
    const Hash key{Random(params.seed + 1).next()};
    const bool is_changed = other.insert(key) == InsertOutcome::inserted || other.erase(key);
    ASSERT_EQ(filter == other, !is_changed) << text_of(params);
    ASSERT_EQ(other == filter, saved(other) == saved(filter)) << text_of(params);
  });
}

TEST(Format, FiltersAreComparedToTheirLastBucket) {
  Filter one = std::move(*Filter::create(testing::params_of(20'000, 4, 12)));
  Filter other = std::move(*one.clone());
  EXPECT_TRUE(one == other);
  ASSERT_EQ(other.insert(Hash{~std::uint64_t{0}}), InsertOutcome::inserted);
  EXPECT_FALSE(one == other);
  ASSERT_EQ(one.insert(Hash{~std::uint64_t{0}}), InsertOutcome::inserted);
  EXPECT_TRUE(one == other);
}

TEST(Format, FiltersOfManyPiecesDifferInOneSlotAndInAParameter) {
  const Params params = params_of(10'000, 4, 12);
  const Filter filter = filled(params, 0.9, 1);
  Params other_params = params;
  --other_params.capacity;
  EXPECT_FALSE(filter == filled(other_params, 0.9, 1));
  Random random(1);
  for (std::uint64_t i = 0; i < 20; ++i) {
    Filter other = std::move(*filter.clone());
    ASSERT_TRUE(filter == other);
    ASSERT_TRUE(other.erase(Hash{random.next()}));
    ASSERT_FALSE(filter == other || other == filter);
  }
}

TEST(Format, EverySingleByteChangeIsFound) {
  for (const Params& params :
       {params_of(1, 1, 2), params_of(7, 4, 13), params_of(8, 3, 5, Addressing::xor_power_of_two)}) {
    const auto bytes = saved(filled(params, 0.6, 1));
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (int change = 1; change < 256; ++change) {
        auto damaged = bytes;
        damaged[at] ^= static_cast<std::uint8_t>(change);
        // The minor version may differ, but then the checksum does not fit.
        ASSERT_FALSE(load(damaged)) << at << " " << change;
      }
    }
  }
}

TEST(Format, EveryOtherLengthIsFound) {
  auto bytes = saved(filled(params_of(7, 4, 13), 0.6, 1));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const auto loaded = load(std::span(bytes).first(length));
    ASSERT_FALSE(loaded);
    ASSERT_EQ(loaded.error(), length == 0 ? Error::not_a_filter : Error::cut_short) << length;
  }
  bytes.push_back(0);
  EXPECT_EQ(load(bytes).error(), Error::cut_short);
}

TEST(Format, NamesWhatIsWrong) {
  namespace d = detail;
  const auto bytes = saved(filled(params_of(7, 4, 13), 0.6, 1));
  const auto error_with = [&](std::size_t at, std::uint8_t value) {
    auto changed = bytes;
    changed[at] = value;
    return load(resealed(changed)).error();
  };
  EXPECT_EQ(error_with(0, 'x'), Error::not_a_filter);
  EXPECT_EQ(error_with(d::kAtMajor, 2), Error::unsupported_version);
  EXPECT_EQ(error_with(d::kAtMinor, 9), Error::none);
  EXPECT_EQ(error_with(d::kAtStorage, 2), Error::unsupported_version);
  EXPECT_EQ(error_with(d::kAtStorage, 1), Error::inconsistent);  // then the payload is too long
  EXPECT_EQ(error_with(d::kAtHash, 0), Error::unsupported_version);
  EXPECT_EQ(error_with(d::kAtHash, 2), Error::inconsistent);  // a keyed filter has no seed
  EXPECT_EQ(error_with(d::kAtHash, 3), Error::unsupported_version);
  EXPECT_EQ(error_with(d::kAtMustUnderstand, kIsGrowable), Error::inconsistent);  // without a reserved bit
  EXPECT_EQ(error_with(d::kAtMustUnderstand, 2), Error::unsupported_version);
  EXPECT_EQ(error_with(d::kAtMayIgnore, 1), Error::none);
  EXPECT_EQ(error_with(d::kAtAddressing, 2), Error::inconsistent);
  EXPECT_EQ(error_with(d::kAtAddressing, 1), Error::inconsistent);  // xor with 7 buckets
  EXPECT_EQ(error_with(d::kAtSparedQuarters, 1), Error::inconsistent);
  EXPECT_EQ(error_with(d::kAtSparedQuarters, 1 << 2), Error::inconsistent);  // reserved bits without their flag
  EXPECT_EQ(error_with(d::kAtBucketSize, 0), Error::inconsistent);
  EXPECT_EQ(error_with(d::kAtBucketSize, 9), Error::inconsistent);
  EXPECT_EQ(error_with(d::kAtFingerprintBits, 1), Error::inconsistent);
  EXPECT_EQ(error_with(d::kAtFingerprintBits, 33), Error::inconsistent);
  EXPECT_EQ(error_with(d::kAtBucketCount, 8), Error::inconsistent);
  EXPECT_EQ(error_with(d::kAtCapacity, 0), Error::inconsistent);
  EXPECT_EQ(error_with(d::kAtCapacity + 3, 1), Error::inconsistent);
  EXPECT_EQ(error_with(d::kAtSize, 1), Error::inconsistent);
  EXPECT_EQ(error_with(d::kAtSize + 7, 1), Error::inconsistent);
  EXPECT_EQ(error_with(d::kAtSeed + 7, 1), Error::inconsistent);
  EXPECT_EQ(error_with(d::kAtHashCheck, static_cast<std::uint8_t>(bytes[d::kAtHashCheck] + 1)), Error::inconsistent);
  EXPECT_EQ(error_with(d::kAtPayloadBytes, 1), Error::inconsistent);
  EXPECT_EQ(error_with(d::kAtMaxKicks + 2, 1), Error::inconsistent);  // past 65,535 kicks
}

TEST(Format, AHeaderTellsOfNoMoreKeysThanSlotsAndOfAllBytesOfTheTable) {
  const Params params = params_of(7, 4, 13);
  const auto error_of = [&](std::uint64_t size, std::uint64_t payload_bytes) {
    auto header = write_header({params, size}, Hasher(params.seed));
    store_word(&header[kAtPayloadBytes], payload_bytes);
    return read_header(header).error();
  };
  EXPECT_EQ(error_of(7 * 4, table_bytes(params)), Error::none);
  EXPECT_EQ(error_of(7 * 4 + 1, table_bytes(params)), Error::inconsistent);
  EXPECT_EQ(error_of(1, table_bytes(params) - 1), Error::inconsistent);
  EXPECT_EQ(error_of(1, table_bytes(params) + 1), Error::inconsistent);
}

// Tables are checked some thousand buckets at a time.
TEST(Format, RefusesSlotsOutOfOrderInALargeTableWhateverItsSizeIsSaidToBe) {
  const Filter filter = filled(params_of(5000, 2, 8), 0.5, 1);
  auto bytes = saved(filter);
  ASSERT_TRUE(load(bytes));
  const auto slots_in_use = [&](std::uint64_t from) {
    std::uint64_t used = 0;
    for (std::uint64_t bucket = from; bucket < 5000; ++bucket)
      used += 2 - Access::entries(filter).table().count(bucket, 0);
    return used;
  };
  const BucketLayout layout(filter.params());
  testing::write_bucket(layout, &bytes[kHeaderBytes], 0, {2, 1});
  for (const std::uint64_t size : {filter.size(), slots_in_use(1) + 2, slots_in_use(4096), slots_in_use(4096) - 1}) {
    store_word(&bytes[detail::kAtSize], size);
    EXPECT_EQ(load(resealed(bytes)).error(), Error::inconsistent) << size;
  }
}

TEST(Format, RefusesSlotsOutOfOrderAndBitsBehindTheLast) {
  Filter filter = std::move(*Filter::create(params_of(3, 3, 7)));
  for (std::uint64_t key = 0; filter.insert(key) == InsertOutcome::inserted; ++key) {
  }
  auto bytes = saved(filter);
  auto spare = bytes;
  spare[spare.size() - kTrailerBytes - 1] |= 0x80;  // 63 bits are used
  EXPECT_EQ(load(resealed(spare)).error(), Error::inconsistent);
  const BucketLayout layout(filter.params());
  for (std::uint64_t bucket = 0; bucket < 3; ++bucket) {
    auto unordered = bytes;
    std::uint8_t* const table = &unordered[kHeaderBytes];
    Slots slots = testing::read_bucket(layout, table, bucket * layout.bucket_bits);
    if (slots[0] == slots[2]) continue;
    std::swap(slots[0], slots[2]);
    testing::write_bucket(layout, table, bucket * layout.bucket_bits, slots);
    EXPECT_EQ(load(resealed(unordered)).error(), Error::inconsistent);
  }
}

TEST(Format, RefusesCodesThatStandForNothingAndSlotsOutOfOrderBehindOneCode) {
  for (std::uint32_t quarters = 0; quarters < 4; ++quarters) {
    Params params = params_of(3, 4, 9);
    params.storage = Storage::semi_sorted;
    params.spared_quarters = quarters;
    const BucketLayout layout(params);
    Filter filter = filled(params, 0.9, 1);
    const auto with = [&](std::uint32_t code, std::uint32_t first_lane) {
      auto bytes = saved(filter);
      set_bits(&bytes[kHeaderBytes], 0, layout.code_bits, code);
      for (std::uint32_t lane = 0; lane < 4; ++lane) {
        const std::uint32_t rest = lane == 0 ? first_lane : 1;
        set_bits(&bytes[kHeaderBytes], layout.code_bits + lane * layout.lane_bits, layout.lane_bits, rest);
      }
      const std::uint64_t used =
          4 + 4 - Access::entries(filter).table().count(1, 0) + 4 - Access::entries(filter).table().count(2, 0);
      store_word(&bytes[detail::kAtSize], used);
      return load(resealed(bytes)).error();
    };
    const std::uint32_t codes = quadruple_count(low_values(quarters));
    EXPECT_EQ(with(codes - 1, 1), Error::none);
    EXPECT_EQ(with(codes, 1), Error::inconsistent);
    EXPECT_EQ(with((1u << layout.code_bits) - 1, 1), Error::inconsistent);
    EXPECT_EQ(with(codes - 1, 2), Error::inconsistent);  // of four equal low parts, the first has the largest rest
  }
}

TEST(Format, NamesWhatIsWrongWithReservedBits) {
  namespace d = detail;
  Params params = params_of(7, 4, 13);
  params.reserved_bits = 5;
  params.capacity = 600;
  const auto bytes = saved(filled(params, 0.6, 1));
  EXPECT_EQ(bytes.size(), kHeaderBytes + (7 * 4 * 18 + 7) / 8 + kTrailerBytes);
  EXPECT_EQ(bytes[d::kAtMinor], 1);
  EXPECT_EQ(saved(filled(params_of(7, 4, 13), 0.6, 1))[d::kAtMinor], 0);
  const auto error_with = [&](auto change) {
    auto changed = bytes;
    change(changed);
    return load(resealed(changed)).error();
  };
  const auto byte = [&](std::size_t at, std::uint8_t value) {
    return error_with([=](std::vector<std::uint8_t>& changed) { changed[at] = value; });
  };
  EXPECT_EQ(byte(d::kAtMinor, 0), Error::none);
  EXPECT_EQ(byte(d::kAtMustUnderstand, 0), Error::inconsistent);
  EXPECT_EQ(byte(d::kAtMustUnderstand, 3), Error::unsupported_version);
  EXPECT_EQ(byte(d::kAtSparedQuarters, 5 << 2 | 1), Error::inconsistent);
  EXPECT_EQ(byte(d::kAtSparedQuarters, 4 << 2), Error::inconsistent);   // then the payload is too long
  EXPECT_EQ(byte(d::kAtSparedQuarters, 20 << 2), Error::inconsistent);  // 33 bits a slot
  EXPECT_EQ(byte(d::kAtSparedQuarters, 63 << 2), Error::inconsistent);
  const auto capacity = [&](std::uint64_t value) {
    return error_with([=](std::vector<std::uint8_t>& changed) { store_word(&changed[d::kAtCapacity], value); });
  };
  EXPECT_EQ(capacity(7 * 4 << 5), Error::none);
  EXPECT_EQ(capacity((7 * 4 << 5) + 1), Error::inconsistent);
  // A slot whose reserved bits are set, but whose fingerprint is 0.
  const auto content = [&](std::uint32_t value) {
    return error_with([=](std::vector<std::uint8_t>& changed) {
      const std::uint64_t used = 4 - testing::count_in_bucket(BucketLayout(params), &changed[kHeaderBytes], 0, 0);
      store_word(&changed[d::kAtSize], load_word(&changed[d::kAtSize]) - used + 1);
      testing::write_bucket(BucketLayout(params), &changed[kHeaderBytes], 0, {0, 0, 0, value});
    });
  };
  EXPECT_EQ(content(1), Error::none);
  EXPECT_EQ(content(3 << 13 | 1), Error::none);
  EXPECT_EQ(content(3 << 13), Error::inconsistent);
  // More buckets, once grown, than a hash reaches.
  params.bucket_count = (kMaxBucketCount >> 5) + 1;
  const auto header = write_header({params, 0}, Hasher(params.seed));
  EXPECT_EQ(read_header(header).error(), Error::inconsistent);
}

TEST(Format, AllocatesNothingThatTheBytesDoNotHold) {
  Params params = params_of(kMaxBucketCount, 8, 32);
  params.capacity = 1;
  auto bytes = write_header({params, 0}, Hasher(params.seed));
  EXPECT_EQ(load(bytes).error(), Error::cut_short);
}

TEST(Format, KeepsToTheCallersLimit) {
  const auto bytes = saved(filled(params_of(100, 4, 8), 0.5, 1));
  EXPECT_EQ(load(bytes, 399).error(), Error::too_large);
  EXPECT_TRUE(load(bytes, 400));
}

TEST(Format, PiecesOfAnySizeGiveTheSameBytes) {
  for_all_params({1, 29, 200}, [](const Params& params) {
    const Filter filter = filled(params, 0.5, params.seed);
    const auto bytes = saved(filter);
    std::vector<std::uint8_t> room(PieceRoom::kLeast + params.seed % 700), joined;
    Saver saver(filter);
    for (std::size_t length; (length = saver.next(*PieceRoom::of(room))) != 0;)
      joined.insert(joined.end(), room.begin(), room.begin() + length);
    ASSERT_EQ(joined, bytes) << text_of(params);
  });
}

constexpr SecretKey kSecret{0x0706050403020100u, 0x0F0E0D0C0B0A0908u};

Params keyed(Params params) {
  params.hash = HashAlgorithm::siphash_1_3;
  params.seed = 0;
  return params;
}

TEST(Format, AKeyedFilterLoadsWithItsKeyAndGoesOnAsBefore) {
  for_all_params({1, 3, 16}, [](const Params& seeded) {
    const Params params = keyed(seeded);
    const SecretKey secret{seeded.seed, ~seeded.seed};
    Filter filter = std::move(*Filter::create(params, &secret));
    std::uint64_t key = 0;
    while (filter.insert(key) == InsertOutcome::inserted) ++key;
    const auto bytes = saved(filter);
    auto loaded = load(bytes, bytes.size(), &secret);
    ASSERT_TRUE(loaded) << text_of(params);
    ASSERT_EQ(saved(*loaded), bytes);
    for (std::uint64_t i = 0; i < key; ++i) ASSERT_TRUE(loaded->contains(i)) << text_of(params);
    ASSERT_EQ(saved(*loaded->clone()), bytes);
    ASSERT_EQ(loaded->clone()->hash(key), filter.hash(key));
  });
}

TEST(Format, AKeyedFilterNeedsItsKeyAndNoOtherFilterTakesOne) {
  const SecretKey wrong{kSecret.low, kSecret.high + 1};
  const Params params = params_of(7, 4, 13);
  EXPECT_EQ(Filter::create(params, &kSecret).error(), Error::wrong_key);
  EXPECT_EQ(Filter::create(keyed(params)).error(), Error::wrong_key);
  auto bytes = saved(*Filter::create(keyed(params), &kSecret));
  EXPECT_TRUE(load(bytes, bytes.size(), &kSecret));
  EXPECT_EQ(load(bytes).error(), Error::wrong_key);
  EXPECT_EQ(load(bytes, bytes.size(), &wrong).error(), Error::wrong_key);
  EXPECT_EQ(load(saved(filled(params, 0.5, 1)), bytes.size(), &kSecret).error(), Error::wrong_key);
  EXPECT_EQ(load(std::span(bytes).first(72), 0, &wrong).error(), Error::wrong_key);  // before length and limit
  bytes[detail::kAtSeed] = 1;
  EXPECT_EQ(load(resealed(bytes), bytes.size(), &kSecret).error(), Error::inconsistent);
}

TEST(Format, TheKeyIsNotInTheBytes) {
  const SecretKey secret{0x1122334455667788u, 0x99AABBCCDDEEFF01u};
  const auto bytes = saved(*Filter::create(keyed(params_of(7, 4, 13)), &secret));
  for (std::size_t at = 0; at + 8 <= bytes.size(); ++at) {
    EXPECT_NE(load_word(&bytes[at]), secret.low);
    EXPECT_NE(load_word(&bytes[at]), secret.high);
  }
}

TEST(Format, FiltersThatDifferFarBehindTheHeaderAreNotEqual) {
  const Params params = testing::params_of(5000, 4, 12);
  Filter one = std::move(*Filter::create(params));
  Filter other = std::move(*Filter::create(params));
  // The first keys whose buckets both lie in the table's second half.
  for (std::uint64_t key = 0; one.size() + other.size() < 2; ++key) {
    const Location at = locate_fixed(one.hash(key), params);
    if (std::min(at.primary.bucket, at.alternate.bucket) < 2500) continue;
    ASSERT_EQ((one.empty() ? one : other).insert(key), InsertOutcome::inserted);
  }
  EXPECT_FALSE(one == other);
  EXPECT_TRUE(one == *one.clone());
}

TEST(Format, ASinkGetsTheSavedBytesUntilItRefuses) {
  const Filter filter = filled(params_of(1000, 4, 12), 0.9, 1);
  const std::vector<std::uint8_t> bytes = save(filter);
  EXPECT_EQ(bytes.size(), saved_bytes(filter));
  std::vector<std::uint8_t> joined;
  EXPECT_TRUE(save(filter, [&](std::span<const std::uint8_t> piece) {
    joined.insert(joined.end(), piece.begin(), piece.end());
    return true;
  }));
  EXPECT_EQ(joined, bytes);
  int pieces = 0;
  EXPECT_FALSE(save(filter, [&](std::span<const std::uint8_t>) { return ++pieces < 2; }));
  EXPECT_EQ(pieces, 2);
}

}  // namespace
}  // namespace cuckoo
