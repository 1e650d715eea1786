#include "cuckoo/hash/hasher.h"

#include <gtest/gtest.h>

#include <vector>

#include "random.h"

namespace cuckoo {

using namespace detail;
namespace {

constexpr SecretKey kSecret{0x0706050403020100u, 0x0F0E0D0C0B0A0908u};

Hash siphash(std::span<const std::uint8_t> bytes, const SecretKey& secret) {
  SipHash<1, 3> hash(secret);
  hash.update(bytes);
  return hash.finish();
}

TEST(Hasher, HashesWithItsAlgorithmWhateverAKeyIs) {
  testing::Random random(2);
  for (int round = 0; round < 500; ++round) {
    const std::uint64_t seed = random.next();
    const SecretKey secret{random.next(), random.next()};
    std::vector<std::uint8_t> key(random.below(100));
    for (auto& byte : key) byte = static_cast<std::uint8_t>(random.next());
    const std::string_view text(reinterpret_cast<const char*>(key.data()), key.size());
    EXPECT_EQ(Hasher(seed)(key), xxh64(key, seed));
    EXPECT_EQ(Hasher(seed)(text), xxh64(key, seed));
    EXPECT_EQ(Hasher(secret)(key), siphash(key, secret));
    EXPECT_EQ(Hasher(secret)(text), siphash(key, secret));
  }
}

TEST(Hasher, AnIntegerStandsForItsEightLittleEndianBytes) {
  const std::vector<std::uint8_t> bytes = {1, 2, 3, 4, 5, 6, 7, 0xF8};
  for (const Hasher& hasher : {Hasher(7), Hasher(kSecret)}) EXPECT_EQ(hasher(0xF807060504030201u), hasher(bytes));
}

TEST(Hasher, AKeyInPiecesHashesAsTheWhole) {
  const std::string_view text = "a key that comes in pieces, longer than one stripe of thirty-two bytes";
  const std::vector<std::uint8_t> key(text.begin(), text.end());
  for (const Hasher& hasher : {Hasher(7), Hasher(kSecret)}) {
    Hasher::Streaming pieces(hasher);
    for (std::size_t at = 0; at < key.size(); at += 7) {
      pieces.update(std::span(key).subspan(at, std::min<std::size_t>(7, key.size() - at)));
    }
    EXPECT_EQ(pieces.finish(), hasher(key));
  }
}

TEST(Hasher, EveryBitOfTheSecretCounts) {
  for (int bit = 0; bit < 128; ++bit) {
    SecretKey other = kSecret;
    (bit < 64 ? other.low : other.high) ^= std::uint64_t{1} << (bit % 64);
    EXPECT_NE(Hasher(other)("key"), Hasher(kSecret)("key")) << bit;
  }
}

TEST(Hasher, WithoutASeedItIsZero) {
  EXPECT_EQ(Hasher()("key"), Hasher(0)("key"));
  EXPECT_EQ(Xxh64{}(std::uint64_t{5}), xxh64_of_integer(5, 0));
}

TEST(Hasher, TellsItsSeedAndNothingOfItsSecret) {
  EXPECT_FALSE(Hasher(7).is_keyed());
  EXPECT_EQ(Hasher(7).seed(), 7u);
  EXPECT_TRUE(Hasher(kSecret).is_keyed());
  EXPECT_EQ(Hasher(kSecret).seed(), 0u);
}

TEST(Hasher, ASecretFitsKeyedParametersOnly) {
  Params keyed, seeded;
  keyed.hash = HashAlgorithm::siphash_1_3;
  EXPECT_TRUE(Hasher::fit(keyed, &kSecret));
  EXPECT_TRUE(Hasher::fit(seeded, nullptr));
  EXPECT_FALSE(Hasher::fit(keyed, nullptr));
  EXPECT_FALSE(Hasher::fit(seeded, &kSecret));
}

}  // namespace
}  // namespace cuckoo
