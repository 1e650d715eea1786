#include "cuckoo/hash.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "random.h"

namespace cuckoo {
namespace {

std::uint64_t value(Hash hash) { return static_cast<std::uint64_t>(hash); }

// The check values of the xxHash specification's reference implementation for the empty input and "abc".
TEST(Hash, IsXxh64) {
  EXPECT_EQ(value(hash_bytes("", 0)), 0xEF46DB3751D8E999u);
  EXPECT_EQ(value(hash_bytes("abc", 0)), 0x44BC2CF5AD770999u);
  EXPECT_NE(hash_bytes("abc", 0), hash_bytes("abc", 1));
}

TEST(Hash, AnIntegerStandsForItsEightLittleEndianBytes) {
  const std::array<std::uint8_t, 8> five = {5, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(hash_integer(5, 7), hash_bytes(five, 7));
  const std::array<std::uint8_t, 8> minus_two = {0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  EXPECT_EQ(hash_integer(static_cast<std::uint64_t>(-2), 7), hash_bytes(minus_two, 7));
}

TEST(Hash, AKeyInPiecesHashesAsTheWhole) {
  testing::Random random(1);
  for (int round = 0; round < 500; ++round) {
    std::vector<std::uint8_t> key(random.below(300));
    for (auto& byte : key) byte = static_cast<std::uint8_t>(random.next());
    const std::uint64_t seed = random.next();
    StreamingHash streaming(seed);
    for (std::size_t at = 0; at < key.size();) {
      const std::size_t length = std::min<std::size_t>(random.below(90), key.size() - at);
      streaming.update(std::span(key).subspan(at, length));
      at += length;
    }
    EXPECT_EQ(streaming.finish(), hash_bytes(key, seed)) << "round " << round;
  }
}

}  // namespace
}  // namespace cuckoo
