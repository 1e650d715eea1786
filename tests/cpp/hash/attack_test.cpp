// What keys made against the hash can do, and what they cannot: see attack.h.
#include "attack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "cases.h"
#include "cuckoo/filters/filter.h"
#include "random.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::for_all_params;
using testing::key_with_hash;
using testing::keys_for_any_seed;
using testing::keys_that_share;
using testing::params_of;
using testing::Random;
using testing::text_of;

constexpr SecretKey kFilterSecret{0x0123456789ABCDEFu, 0xFEDCBA9876543210u};

std::span<const std::uint8_t> bytes_of(const std::array<std::uint64_t, 8>& key) {
  return {reinterpret_cast<const std::uint8_t*>(key.data()), sizeof key};
}

/// Keys that the filter takes before it refuses one.
std::size_t taken(Filter& filter, const std::vector<std::uint64_t>& keys) {
  const auto refused = std::find_if(keys.begin(), keys.end(),
                                    [&](std::uint64_t key) { return filter.insert(key) != InsertOutcome::inserted; });
  return static_cast<std::size_t>(refused - keys.begin());
}

TEST(Attack, AnIntegerKeyIsFoundForEveryHash) {
  Random random(1);
  for (int round = 0; round < 1000; ++round) {
    const std::uint64_t hash = random.next(), seed = random.next();
    EXPECT_EQ(xxh64_of_integer(key_with_hash(hash, seed), seed), Hash{hash});
  }
}

TEST(Attack, UnderAKnownSeedTheKeyPastBothHomesIsRefusedAndOthersGoIn) {
  for_all_params({5, 64, 1009}, [](const Params& params) {
    // A target whose candidate buckets differ, as nearly all do.
    Random random(params.seed);
    Hash target{random.next()};
    while (locate(target, params).primary.bucket == locate(target, params).alternate.bucket)
      target = Hash{random.next()};
    const std::size_t room = 2 * params.bucket_size;
    const auto keys = keys_that_share(target, params, room + 1);
    ASSERT_EQ(std::set(keys.begin(), keys.end()).size(), room + 1);
    Filter filter = std::move(*Filter::create(params));
    ASSERT_EQ(taken(filter, keys), room) << text_of(params);
    ASSERT_EQ(filter.insert(keys.back()), InsertOutcome::too_many_copies);
    // The attack fills two buckets, not the filter, and nothing that went in is lost.
    std::size_t others = 0;
    for (int i = 0; i < 50 && others == 0; ++i) others += filter.insert(random.next()) == InsertOutcome::inserted;
    EXPECT_EQ(others, 1u) << text_of(params);
    for (const std::uint64_t key : keys) ASSERT_TRUE(filter.contains(key));
  });
}

TEST(Attack, TheSameKeysAreOrdinaryUnderAnotherSeedAndUnderASecretKey) {
  for_all_params({1009}, [](const Params& params) {
    if (params.fingerprint_bits < 8) return;
    const auto keys = keys_that_share(Hash{params.seed << 40 | 0x123456}, params, 2 * params.bucket_size + 1);
    Params reseeded = params, keyed = params;
    reseeded.seed += 1;
    keyed.seed = 0;
    keyed.hash = HashAlgorithm::siphash_1_3;
    Filter another = std::move(*Filter::create(reseeded));
    Filter secret = std::move(*Filter::create(keyed, &kFilterSecret));
    for (Filter* filter : {&another, &secret}) {
      std::set<std::pair<std::uint32_t, std::uint64_t>> places;
      for (const std::uint64_t key : keys) {
        const Location at = locate(filter->hash(key), params);
        places.insert({at.primary.entry, at.primary.bucket});
      }
      EXPECT_EQ(places.size(), keys.size()) << text_of(params);
      EXPECT_EQ(taken(*filter, keys), keys.size()) << text_of(params);
    }
  });
}

TEST(Attack, LongKeysShareOneHashUnderEverySeedButNotUnderASecretKey) {
  const auto keys = keys_for_any_seed();
  const auto most_of_one_hash = [&](const Hasher& hasher) {
    std::map<Hash, int> counts;
    int most = 0;
    for (const auto& key : keys) most = std::max(most, ++counts[hasher(bytes_of(key))]);
    return most;
  };
  Random random(2);
  for (int round = 0; round < 1000; ++round) {
    EXPECT_EQ(most_of_one_hash(Hasher(random.next())), 16);
    EXPECT_EQ(most_of_one_hash(Hasher(SecretKey{random.next(), random.next()})), 1);
  }
}

TEST(Attack, ARandomSeedDoesNotStopLongKeys) {
  Params params = params_of(1009, 4, 32);
  params.seed = 0x9B1DA7F06E3C2481u;  // nobody knows it
  Filter filter = std::move(*Filter::create(params));
  int refused = 0;
  for (const auto& key : keys_for_any_seed()) refused += filter.insert(bytes_of(key)) != InsertOutcome::inserted;
  EXPECT_GE(refused, 16 - 8);
}

}  // namespace
}  // namespace cuckoo
