// Invariant tested: XXH64 is that of the xxHash project, for the vectors it publishes and beside its own library, for
// every length around the steps that the specification makes; in one call, as an integer and in pieces.
#include "cuckoo/detail/hash/xxh64.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "random.h"

// The reference implementation, compiled here.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace cuckoo {

using namespace detail;
namespace {

std::uint64_t value(Hash hash) { return static_cast<std::uint64_t>(hash); }

std::vector<std::uint8_t> random_bytes(testing::Random& random, std::size_t length) {
  std::vector<std::uint8_t> bytes(length);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
  return bytes;
}

// From the xxHash project's own sanity check (xsum_sanity_check.c), whose buffer this computes.
TEST(Xxh64, GivesThePublishedVectors) {
  constexpr std::uint32_t kSeed = 2654435761u;
  std::vector<std::uint8_t> buffer;
  for (std::uint64_t state = kSeed; buffer.size() < 222; state *= 11400714785074694797u) {
    buffer.push_back(static_cast<std::uint8_t>(state >> 56));
  }
  const struct {
    std::size_t length;
    std::uint64_t seed, hash;
  } vectors[] = {{0, 0, 0xEF46DB3751D8E999u},      {0, kSeed, 0xAC75FDA2929B17EFu}, {1, 0, 0xE934A84ADB052768u},
                 {1, kSeed, 0x5014607643A9B4C3u},  {4, 0, 0x9136A0DCA57457EEu},     {14, 0, 0x8282DCC4994E35C8u},
                 {14, kSeed, 0xC3BD6BF63DEB6DF0u}, {222, 0, 0xB641AE8CB691C174u},   {222, kSeed, 0x20CB8AB7AE10C14Au}};
  for (const auto& [length, seed, hash] : vectors) {
    EXPECT_EQ(value(xxh64(std::span(buffer).first(length), seed)), hash) << length << " bytes, seed " << seed;
  }
  EXPECT_EQ(value(xxh64(std::vector<std::uint8_t>{'a', 'b', 'c'}, 0)), 0x44BC2CF5AD770999u);
}

TEST(Xxh64, AgreesWithTheReferenceImplementation) {
  testing::Random random(3);
  for (std::size_t length = 0; length < 300; ++length) {
    for (int round = 0; round < 20; ++round) {
      const auto bytes = random_bytes(random, length + 8);
      const std::uint64_t seed = round == 0 ? 0 : random.next();
      // From any address: words need not be aligned.
      const auto key = std::span(bytes).subspan(static_cast<std::size_t>(round % 8), length);
      ASSERT_EQ(value(xxh64(key, seed)), XXH64(key.data(), key.size(), seed)) << length << " bytes, seed " << seed;
    }
  }
  const auto bytes = random_bytes(random, 100'003);
  EXPECT_EQ(value(xxh64(bytes, 5)), XXH64(bytes.data(), bytes.size(), 5));
}

TEST(Xxh64, AnIntegerStandsForItsEightLittleEndianBytes) {
  const std::array<std::uint8_t, 8> five = {5, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(xxh64_of_integer(5, 7), xxh64(five, 7));
  const std::array<std::uint8_t, 8> minus_two = {0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  EXPECT_EQ(xxh64_of_integer(static_cast<std::uint64_t>(-2), 7), xxh64(minus_two, 7));
}

TEST(Xxh64, AKeyInPiecesHashesAsTheWhole) {
  testing::Random random(1);
  for (int round = 0; round < 2000; ++round) {
    const auto key = random_bytes(random, random.below(300));
    const std::uint64_t seed = random.next();
    Xxh64Stream stream(seed);
    for (std::size_t at = 0; at < key.size();) {
      const std::size_t length = std::min<std::size_t>(random.below(90), key.size() - at);
      stream.update(std::span(key).subspan(at, length));
      at += length;
      ASSERT_EQ(stream.finish(), xxh64(std::span(key).first(at), seed)) << "round " << round;
    }
    ASSERT_EQ(value(stream.finish()), XXH64(key.data(), key.size(), seed)) << "round " << round;
  }
}

}  // namespace
}  // namespace cuckoo
