// SPDX-License-Identifier: MIT
// Many keys at once: any range of keys, hashed some at a time for the batches of a filter. Invariant: the keys are
// handled in their order, and no more of them than there is room for the answers.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

#include "cuckoo/detail/entries/batch.h"
#include "cuckoo/entries/outcome.h"
#include "cuckoo/hash/hash.h"
#include "cuckoo/hash/hasher.h"

namespace cuckoo {

/// Keys in a container, a view or another range that is not itself a key, as a string or bytes are. They may be hashes.
template <class R>
concept Keys = std::ranges::input_range<R> && Key<std::remove_cvref_t<std::ranges::range_reference_t<R>>> &&
    !Key<std::remove_cvref_t<R>>;

namespace detail {

/// Stands for the room for answers in a batch that gives no answers: it is never too small.
inline constexpr std::size_t kNoAnswers = std::numeric_limits<std::size_t>::max();

/// `hashes`, which must not be more than `room`. Without assertions, only as many as `room`, so that nothing is read or
/// written past a span of that length.
inline std::span<const Hash> with_room(std::span<const Hash> hashes, std::size_t room) {
  assert(room >= hashes.size());
  return hashes.first(std::min(hashes.size(), room));
}

/// Calls `act(hashes, first)` for the hashes of all keys in their order, until it returns false: `first` keys came
/// before those. Hashes that lie next to each other are passed on as they are. Requires no more keys than `room`;
/// without assertions, extra keys are ignored.
template <class R, class Act>
void in_batches(const Hasher& hasher, R& keys, std::size_t room, Act act) {
  if constexpr (std::convertible_to<R&, std::span<const Hash>>) {
    (void)act(with_room(keys, room), std::size_t{0});
  } else {
    std::array<Hash, kChunk> hashes;
    std::size_t first = 0;
    std::size_t count = 0;
    const auto act_on_chunk = [&] {
      const std::span<const Hash> chunk = with_room(std::span(hashes).first(count), room - first);
      const bool goes_on = act(chunk, first) && chunk.size() == count;
      first += std::exchange(count, 0);
      return goes_on;
    };
    for (const auto& key : keys) {
      hashes[count++] = hasher(key);
      if (count == kChunk && !act_on_chunk()) return;
    }
    if (count > 0) (void)act_on_chunk();
  }
}

/// The same for `insert(hashes, first)`, which says how many went in: together until one is refused.
template <class R, class Insert>
BatchOutcome insert_in_batches(const Hasher& hasher, R& keys, std::size_t room, Insert insert) {
  BatchOutcome batch;
  in_batches(hasher, keys, room, [&](std::span<const Hash> hashes, std::size_t first) {
    const BatchOutcome part = insert(hashes, first);
    batch = {first + part.done, part.outcome};
    return part.done == hashes.size();
  });
  return batch;
}
/// The same for `insert(hashes, is_new)`, which answers for each key, unless `is_new` is empty.
template <class R, class Insert>
BatchOutcome insert_in_batches(const Hasher& hasher, R& keys, std::span<std::uint8_t> is_new, Insert insert) {
  const std::size_t room = is_new.empty() ? kNoAnswers : is_new.size();
  return insert_in_batches(hasher, keys, room, [&](std::span<const Hash> hashes, std::size_t first) {
    return insert(hashes, is_new.empty() ? is_new : is_new.subspan(first));
  });
}

/// The same for these entries.
template <class R, class AnyEntries>
BatchOutcome insert_in_batches(const Hasher& hasher, R& keys, std::span<std::uint8_t> is_new, AnyEntries& entries,
                               Operation operation) {
  return insert_in_batches(hasher, keys, is_new, [&](std::span<const Hash> hashes, std::span<std::uint8_t> answers) {
    return entries.insert_many(operation, hashes, answers);
  });
}

}  // namespace detail

}  // namespace cuckoo
