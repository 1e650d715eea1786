// A Bloom filter (Bloom 1970), for the page that shows one beside the cuckoo filter: same keys, same bits, same hash.
// Invariant: the k places of a key are the same at every call, so no key that was inserted is ever missed.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cuckoo/detail/hash/xxh64.h"

namespace {

constexpr std::size_t kMaxBits = 1 << 14;
constexpr std::uint32_t kMaxProbes = 16;

std::uint8_t key[4096];
std::uint8_t bits[kMaxBits];  // one byte a bit: the page draws them
std::uint32_t places[kMaxProbes];
std::uint32_t bit_count = 256;
std::uint32_t probe_count = 4;

/// k places, each from a hash of its own: one hash in place of them all would err more in a filter this small.
void locate(std::size_t length) {
  for (std::uint32_t i = 0; i < probe_count; ++i) {
    const auto hash = static_cast<std::uint64_t>(cuckoo::detail::xxh64({key, length}, i));
    places[i] = static_cast<std::uint32_t>(((hash >> 32) * bit_count) >> 32);
  }
}

}  // namespace

extern "C" {
#define EXPORT [[gnu::used, gnu::visibility("default")]]
/// An empty filter of so many bits, each key setting `probes` of them.
EXPORT void bloom_reset(std::uint32_t count, std::uint32_t probes) {
  bit_count = count < kMaxBits ? count : kMaxBits;
  probe_count = probes < kMaxProbes ? probes : kMaxProbes;
  std::memset(bits, 0, sizeof bits);
}
/// The key of `length` bytes goes in; its places can be read afterwards.
EXPORT void bloom_insert(std::size_t length) {
  locate(length);
  for (std::uint32_t i = 0; i < probe_count; ++i) bits[places[i]] = 1;
}
/// 1 if all the key's bits are set. They are read in order, up to the first that is not; returns how many in the
/// upper half.
EXPORT std::uint32_t bloom_contains(std::size_t length) {
  locate(length);
  for (std::uint32_t i = 0; i < probe_count; ++i) {
    if (bits[places[i]] == 0) return (i + 1) << 16;
  }
  return probe_count << 16 | 1;
}
EXPORT std::uint8_t* bloom_key() { return key; }
EXPORT const std::uint8_t* bloom_bits() { return bits; }
EXPORT const std::uint32_t* bloom_places() { return places; }
}
