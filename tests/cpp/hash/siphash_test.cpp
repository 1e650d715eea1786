#include "cuckoo/hash/siphash.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

#include "random.h"

namespace cuckoo {

using namespace detail;
namespace {

/// The key and the messages of all published vectors: bytes 0 to 15, and the bytes 0, 1, ... of each length.
constexpr SecretKey kKey{0x0706050403020100u, 0x0F0E0D0C0B0A0908u};

std::vector<std::uint8_t> message(std::size_t length) {
  std::vector<std::uint8_t> bytes(length);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  return bytes;
}

template <class Siphash>
std::uint64_t hash_of(std::span<const std::uint8_t> bytes, const SecretKey& key = kKey) {
  Siphash hash(key);
  hash.update(bytes);
  return static_cast<std::uint64_t>(hash.finish());
}

// From the tests of Rust's standard library (library/core/tests/hash/sip.rs, test_siphash_1_3), lengths 0 to 16 and 63.
TEST(SipHash, GivesThePublishedVectorsOf13) {
  constexpr std::array<std::uint64_t, 17> kVectors = {
      0xABAC0158050FC4DC, 0xC9F49BF37D57CA93, 0x82CB9B024DC7D44D, 0x8BF80AB8E7DDF7FB, 0xCF75576088D38328,
      0xDEF9D52F49533B67, 0xC50D2B50C59F22A7, 0xD3927D989BB11140, 0x369095118D299A8E, 0x25A48EB36C063DE4,
      0x79DE85EE92FF097F, 0x70C118C1F94DC352, 0x78A384B157B4D9A2, 0x306F760C1229FFA7, 0x605AA111C0F95D34,
      0xD320D86D2A519956, 0xCC4FDD1A7D908B66};
  for (std::size_t length = 0; length < kVectors.size(); ++length) {
    EXPECT_EQ((hash_of<SipHash<1, 3>>(message(length))), kVectors[length]) << length;
  }
  EXPECT_EQ((hash_of<SipHash<1, 3>>(message(63))), 0x9D199062B7BBB3A8u);
}

// From the reference implementation (github.com/veorq/SipHash, vectors.h), lengths 0, 1, 7, 8, 15 and 63; the one of
// length 15 stands in the paper's appendix A as well.
TEST(SipHash, GivesThePublishedVectorsOf24) {
  EXPECT_EQ((hash_of<SipHash<2, 4>>(message(0))), 0x726FDB47DD0E0E31u);
  EXPECT_EQ((hash_of<SipHash<2, 4>>(message(1))), 0x74F839C593DC67FDu);
  EXPECT_EQ((hash_of<SipHash<2, 4>>(message(7))), 0xAB0200F58B01D137u);
  EXPECT_EQ((hash_of<SipHash<2, 4>>(message(8))), 0x93F5F5799A932462u);
  EXPECT_EQ((hash_of<SipHash<2, 4>>(message(15))), 0xA129CA6149BE45E5u);
  EXPECT_EQ((hash_of<SipHash<2, 4>>(message(63))), 0x958A324CEB064572u);
}

TEST(SipHash, ASecretThatIsNotGivenIsZero) {
  EXPECT_EQ(SecretKey{}, (SecretKey{0, 0}));
  EXPECT_EQ((hash_of<SipHash<1, 3>>(message(9), {})), (hash_of<SipHash<1, 3>>(message(9), {0, 0})));
}

TEST(SipHash, AKeyInPiecesHashesAsTheWhole) {
  testing::Random random(1);
  for (int round = 0; round < 500; ++round) {
    std::vector<std::uint8_t> bytes(random.below(300));
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
    const SecretKey key{random.next(), random.next()};
    SipHash<1, 3> pieces(key);
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t length = std::min<std::size_t>(random.below(20), bytes.size() - at);
      pieces.update(std::span(bytes).subspan(at, length));
      (void)pieces.finish();  // changes nothing
      at += length;
    }
    EXPECT_EQ(static_cast<std::uint64_t>(pieces.finish()), (hash_of<SipHash<1, 3>>(bytes, key))) << "round " << round;
  }
}

}  // namespace
}  // namespace cuckoo
