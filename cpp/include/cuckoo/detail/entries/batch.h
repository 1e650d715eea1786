// SPDX-License-Identifier: MIT
// Many hashes at once: a chunk of hashes is located, and its buckets are read, before the first is looked at, so that
// the reads overlap. Invariant: the hashes are handled in order, with the same answers as one by one.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cuckoo/detail/entries/location.h"
#include "cuckoo/detail/table/table.h"

namespace cuckoo::detail {

/// Keys located before their buckets are read, so that the reads overlap. Fewer overlap less, more gain nothing.
inline constexpr std::size_t kChunk = 256;

/// Writes the location of each hash to `locations`.
[[gnu::noinline]] inline void locate_chunk(const Params& params, std::span<const Hash> hashes, Location* locations) {
  // Two loops, because a choice inside would make the first one slow.
  if (params.reserved_bits == 0) {
    for (std::size_t i = 0; i < hashes.size(); ++i) locations[i] = locate_fixed(hashes[i], params);
  } else {
    for (std::size_t i = 0; i < hashes.size(); ++i) locations[i] = locate_growable(hashes[i], params);
  }
}

/// Calls `act(i, location)` for each hash in order until it returns false.
template <class AnyTable, class Act>
void in_chunks(const AnyTable& table, const Params& params, std::span<const Hash> hashes, Act act) {
  Location locations[kChunk];
  for (std::size_t first = 0; first < hashes.size(); first += kChunk) {
    const std::size_t chunk = std::min(kChunk, hashes.size() - first);
    locate_chunk(params, hashes.subspan(first, chunk), locations);
    for (std::size_t i = 0; i < chunk; ++i) table.touch(locations[i].primary.bucket);
    for (std::size_t i = 0; i < chunk; ++i) table.touch(locations[i].alternate.bucket);
    for (std::size_t i = 0; i < chunk; ++i) {
      if (!act(first + i, locations[i])) return;
    }
  }
}

/// In a fixed table of buckets of one word: locates, loads and compares in three loops, so that the loads of a chunk
/// overlap (npm run bench -- race).
template <bool is_semi_sorted>
void contains_words(const Table& table, Params params, std::span<const Hash> hashes, std::span<std::uint8_t> found) {
  const BucketLayout layout = table.layout();
  if constexpr (!is_semi_sorted) params.spared_quarters = 0;  // known here, it leaves the loop
  std::uint64_t words[2 * kChunk];  // first the bit where each candidate bucket begins, then its lanes
  std::uint64_t low_parts[is_semi_sorted ? 2 * kChunk : 1];
  std::uint32_t sought[kChunk];
  const bool is_narrow = layout.has_narrow_lanes;
  const std::uint64_t* const narrow = is_narrow ? words : low_parts;
  const std::uint64_t* const wide = is_narrow ? low_parts : words;
  for (std::size_t first = 0; first < hashes.size(); first += kChunk) {
    const std::size_t chunk = std::min(kChunk, hashes.size() - first);
    for (std::size_t i = 0; i < chunk; ++i) {
      const Location at = locate_fixed(hashes[first + i], params);
      words[2 * i] = at.primary.bucket * layout.bucket_bits;
      words[2 * i + 1] = at.alternate.bucket * layout.bucket_bits;
      sought[i] = at.primary.entry;
      table.prefetch(words[2 * i]);
      table.prefetch(words[2 * i + 1]);
    }
    for (std::size_t i = 0; i < 2 * chunk; ++i) {
      words[i] = load_bucket_word(table.bytes().data(), words[i]);
      if constexpr (is_semi_sorted) {
        low_parts[i] = layout.codes->decode(code_in(layout, words[i]));
        words[i] >>= layout.code_bits;
      }
    }
    for (std::size_t i = 0; i < chunk; ++i) {
      const auto matches = [&](std::size_t at) {
        if constexpr (!is_semi_sorted) return any_matching_lane(layout, words[at], sought[i]);
        const std::uint64_t low = layout.low_part(sought[i]);
        const std::uint64_t rest = sought[i] >> layout.low_bits;
        return any_zero_lane(
            layout, coded_difference(layout, narrow[at], wide[at], is_narrow ? rest : low, is_narrow ? low : rest));
      };
      found[first + i] = (matches(2 * i) | matches(2 * i + 1)) != 0;
    }
  }
}

/// The same in any table whose buckets have one or two groups of lanes. It loads `kWords` words of each bucket: the
/// word that the bucket or its code begins with, and the groups that are not in that word.
template <bool has_code, std::size_t kWords>
[[gnu::noinline]] void contains_lanes(const Table& table, const Params& params, std::span<const Hash> hashes,
                                      std::span<std::uint8_t> found) {
  constexpr std::size_t kHashes = kChunk / kWords;
  const BucketLayout layout = table.layout();
  Location locations[kHashes];
  std::uint64_t words[2 * kChunk];
  const auto load = [&](std::uint64_t bucket, std::uint64_t* word) {
    const std::uint64_t position = bucket * layout.bucket_bits;
    const std::uint8_t* const bytes = table.bytes().data();
    word[0] = load_bucket_word(bytes, position);
    for (std::uint32_t k = 1; k < kWords; ++k) word[k] = load_lanes(layout, bytes, position, has_code ? k - 1 : k);
  };
  const auto holds = [&](const std::uint64_t* word, std::uint32_t entry) {
    if constexpr (!has_code) {
      return any_matching_lane(layout, word[0], entry) | (any_matching_lane(layout, word[1], entry) & layout.last_high);
    } else {
      const std::uint32_t low_parts = layout.codes->decode(code_in(layout, word[0]));
      std::uint64_t matches = any_zero_lane(layout, coded_difference(layout, low_parts, word[1], entry));
      if constexpr (kWords > 2) {
        const std::uint32_t last = low_parts >> layout.lanes * kLowPartBits;
        matches |= any_zero_lane(layout, coded_difference(layout, last, word[2], entry)) & layout.last_high;
      }
      return matches;
    }
  };
  for (std::size_t first = 0; first < hashes.size(); first += kHashes) {
    const std::size_t chunk = std::min(kHashes, hashes.size() - first);
    locate_chunk(params, hashes.subspan(first, chunk), locations);
    for (std::size_t i = 0; i < chunk; ++i) {
      load(locations[i].primary.bucket, words + 2 * kWords * i);
      load(locations[i].alternate.bucket, words + 2 * kWords * i + kWords);
    }
    for (std::size_t i = 0; i < chunk; ++i) {
      const std::uint64_t* word = words + 2 * kWords * i;
      found[first + i] =
          (holds(word, locations[i].primary.entry) | holds(word + kWords, locations[i].alternate.entry)) != 0;
    }
  }
}

/// Writes 1 for each hash whose entry is in one of its candidate buckets in `table`, else 0.
[[gnu::noinline]] inline void contains_many(const Table& table, const Params& params, std::span<const Hash> hashes,
                                            std::span<std::uint8_t> found) {
  const BucketLayout& layout = table.layout();
  assert(layout.is_semi_sorted() == (params.storage == Storage::semi_sorted));
  if (params.reserved_bits == 0 && layout.is_one_word) {
    return layout.is_semi_sorted() ? contains_words<true>(table, params, hashes, found)
                                   : contains_words<false>(table, params, hashes, found);
  }
  if (!layout.is_one_word && layout.groups <= 2) {
    if (!layout.is_semi_sorted()) return contains_lanes<false, 2>(table, params, hashes, found);
    return layout.groups == 1 ? contains_lanes<true, 2>(table, params, hashes, found)
                              : contains_lanes<true, 3>(table, params, hashes, found);
  }
  in_chunks(table, params, hashes, [&](std::size_t i, const Location& at) {
    found[i] = table.any_holds(at.primary.bucket, at.primary.entry, at.alternate.bucket, at.alternate.entry);
    return true;
  });
}

}  // namespace cuckoo::detail
