// Fuzz body: loads any bytes as a filter. The result must be an error, or a sound filter that saves to bytes that load
// as the same filter.
#pragma once

#include "cuckoo/cuckoo.h"
#include "operations.h"

namespace cuckoo::testing {

using namespace detail;

/// The same for a chain of layers. Where the minor version is 0xFF, its length and checksums are made to fit.
inline void fuzz_chain(std::vector<std::uint8_t> bytes) {
  constexpr std::uint64_t kMaxBytes = 1 << 18;
  namespace d = detail;
  if (bytes.size() > kScalableHeaderBytes + kTrailerBytes && bytes[detail::kScalableAtMinor] == 0xFF) {
    store_word(&bytes[detail::kScalableAtTotalBytes], bytes.size());
    Xxh64Stream hash;
    hash.update(std::span(bytes).first(kScalableHeaderBytes));
    for (std::size_t at = kScalableHeaderBytes; at + kHeaderBytes + 2 * kTrailerBytes < bytes.size();) {
      const std::uint64_t payload = load_word(&bytes[at + d::kAtPayloadBytes]);
      if (payload > bytes.size() - at - kHeaderBytes - 2 * kTrailerBytes) break;
      const auto layer = std::span(bytes).subspan(at, kHeaderBytes + static_cast<std::size_t>(payload));
      at += layer.size();
      store_word(&bytes[at], static_cast<std::uint64_t>(xxh64(layer, 0)));
      hash.update(std::span(bytes).subspan(at, kTrailerBytes));
      at += kTrailerBytes;
    }
    store_word(&bytes[bytes.size() - kTrailerBytes], static_cast<std::uint64_t>(hash.finish()));
  }
  Result<ScalableFilter> chain = load_scalable(bytes, kMaxBytes);
  if (!chain) return;
  const std::vector<std::uint8_t> saved = save(*chain);
  require(load_scalable(saved, kMaxBytes)->size() == chain->size());
  const std::uint64_t size = chain->size();
  std::uint64_t inside = 0;
  for (std::uint64_t key = 0; key < 16; ++key) inside += chain->insert(key) == InsertOutcome::inserted ? 1 : 0;
  require(chain->size() == size + inside);
}

/// Inserts `key` into a filter with values, whichever there are.
template <class Valued>
InsertOutcome insert_any(Valued& filter, std::uint64_t key) {
  if constexpr (Valued::kKind == ValueKind::periods) {
    return filter.insert_if_absent(key);
  } else {
    return filter.insert(key, 1);
  }
}

/// The same for a filter with values. Where the minor version is 0xFF, its lengths and checks are made to fit.
template <class Valued>
void fuzz_valued(std::vector<std::uint8_t> bytes) {
  constexpr std::uint64_t kMaxBytes = 1 << 18;
  namespace d = detail;
  if (bytes.size() >= kExtendedHeaderBytes + kTrailerBytes && bytes[d::kAtMinor] == 0xFF) {
    bytes[d::kAtValueKind] = static_cast<std::uint8_t>(Valued::kKind);
    store_word(&bytes[d::kAtHashCheck], d::hash_check(Hasher(load_word(&bytes[d::kAtSeed]))));
    store_word(&bytes[d::kAtPayloadBytes], bytes.size() - kExtendedHeaderBytes - kTrailerBytes);
    const auto body = std::span(bytes).first(bytes.size() - kTrailerBytes);
    store_word(&bytes[body.size()], static_cast<std::uint64_t>(xxh64(body, 0)));
  }
  Result<Valued> filter = load<Valued>(bytes, kMaxBytes);
  if (!filter) return;
  const std::vector<std::uint8_t> saved = save(*filter);
  const std::vector<std::uint8_t> again = save(*load<Valued>(saved));
  require(again == saved);
  const std::uint64_t size = filter->size();
  std::uint64_t inside = 0;
  for (std::uint64_t key = 0; key < 16; ++key) {
    if (insert_any(*filter, key) == InsertOutcome::inserted) ++inside;
  }
  require(filter->size() <= size + inside);
  require(merge(*filter, *load<Valued>(saved)).error() != Error::different);
}

inline void fuzz_format(std::span<const std::uint8_t> input) {
  constexpr std::uint64_t kMaxBytes = 1 << 20;
  if (input.size() >= kHeaderBytes && (input[detail::kAtMustUnderstand] & kHasValues) != 0) {
    fuzz_valued<ValueFilter>({input.begin(), input.end()});
    fuzz_valued<CountingFilter>({input.begin(), input.end()});
    fuzz_valued<ExpiringFilter>({input.begin(), input.end()});
  }
  if (input.size() >= kScalableMagic.size() &&
      std::equal(kScalableMagic.begin(), kScalableMagic.end(), input.begin())) {
    return fuzz_chain({input.begin(), input.end()});
  }
  std::vector<std::uint8_t> bytes(input.begin(), input.end());
  // Keyed filters get a key.
  const bool is_keyed = bytes.size() >= kHeaderBytes && bytes[detail::kAtHash] == 2;
  const SecretKey given{1, 2};
  const SecretKey* const secret = is_keyed ? &given : nullptr;
  // With lengths and checks that fit, the rules behind them are reached as well. The sign for it is a value that its
  // byte must not have: one for filters that do not grow, and another, among the flags, for all.
  const bool is_long = bytes.size() >= kHeaderBytes + kTrailerBytes;
  const bool is_to_fit = is_long && bytes[detail::kAtSparedQuarters] >= 0xFC;
  const bool is_to_fit_growing = is_long && bytes[detail::kAtMustUnderstand + 1] == 0xFF;
  if (is_to_fit || is_to_fit_growing) {
    if (is_to_fit) bytes[detail::kAtSparedQuarters] ^= 0xFF;
    if (is_to_fit_growing) {
      bytes[detail::kAtMustUnderstand] = bytes[detail::kAtSparedQuarters] >= 4 ? kIsGrowable : 0;
      bytes[detail::kAtMustUnderstand + 1] = 0;
    }
    const Hasher hasher = is_keyed ? Hasher(given) : Hasher(load_word(&bytes[detail::kAtSeed]));
    store_word(&bytes[detail::kAtHashCheck], detail::hash_check(hasher));
    store_word(&bytes[detail::kAtPayloadBytes], bytes.size() - kHeaderBytes - kTrailerBytes);
    const auto body = std::span(bytes).first(bytes.size() - kTrailerBytes);
    store_word(&bytes[body.size()], static_cast<std::uint64_t>(xxh64(body, 0)));
  }
  Result<Filter> filter = load(bytes, kMaxBytes, secret);
  if (!filter) return;
  require(invalid_field(filter->params()) == Field::none && table_bytes(filter->params()) <= kMaxBytes);
  const std::vector<std::uint8_t> saved = save(*filter);
  Result<Filter> again = load(saved, kMaxBytes, secret);
  require(again.has_value() && again->size() == filter->size());
  if (const auto shared = ConcurrentFilter::create(*filter)) require(*save(*shared) == saved);
  for (std::uint64_t key = 0; key < 64; ++key) require(again->count(key) == filter->count(key));
  const std::uint64_t size = filter->size();
  if (filter->insert(std::uint64_t{1}) == InsertOutcome::inserted) require(filter->erase(std::uint64_t{1}));
  require(filter->size() == size);
  if (table_bytes(grown(filter->params())) > kMaxBytes) return;
  // What grows keeps what it holds.
  std::uint32_t copies[64];
  for (std::uint64_t key = 0; key < 64; ++key) copies[key] = filter->count(key);
  while (filter->grow()) {
    for (std::uint64_t key = 0; key < 64; ++key) require(filter->count(key) == copies[key]);
  }
  require(filter->size() == size && filter->params().reserved_bits == 0);
}

}  // namespace cuckoo::testing
