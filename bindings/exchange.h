// The memory that both sides write and read, and the kind of filter this build has.
// Invariant: JavaScript fills a part and calls; what the call leaves there holds until the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "cuckoo/statistics.h"

/// Milliseconds since some moment.
double milliseconds();

#ifdef CUCKOO_TRACE
using Tracing = cuckoo::Watched<cuckoo::TraceLog, milliseconds>;
#else
using Tracing = cuckoo::Watched<cuckoo::NoTrace, milliseconds>;
#endif
#ifdef CUCKOO_EXPIRING
#include "cuckoo/expiring.h"
using Cuckoo = cuckoo::ExpiringFilter;
#elif defined(CUCKOO_SCALABLE)
#include "cuckoo/scalable_format.h"
using Cuckoo = cuckoo::ScalableFilter<Tracing>;
#else
using Cuckoo = cuckoo::Filter<Tracing>;
#endif

/// Keys of a batch at most.
inline constexpr std::size_t kBatch = 4096;

struct Exchange {
  std::uint64_t words[kBatch];      ///< integer keys, then in their place the hashes
  std::uint32_t ends[kBatch];       ///< where each key of a batch ends in `bytes`
  std::uint8_t answers[kBatch];     ///< one answer a key
  std::uint8_t bytes[16 * kBatch];  ///< one key, the keys of a batch, or a piece of a saved filter
};
inline Exchange exchange;

/// A secret key from the first two words, which forget it.
inline cuckoo::SecretKey exchanged_secret() {
  return {std::exchange(exchange.words[0], 0), std::exchange(exchange.words[1], 0)};
}
inline std::span<const std::uint8_t> exchanged_bytes(std::size_t length) { return {exchange.bytes, length}; }
