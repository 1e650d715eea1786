// The cuckoo hash table of the lab, for the page: a small table of names that tells its moves. Invariant: nothing is
// decided here; a name is told by the lower half of its hash.
#include <cstddef>
#include <cstdint>
#include <optional>

#include "cuckoo/detail/hash/xxh64.h"
#include "lab/cuckoo_hash_table.h"

namespace {

using lab::CuckooHashTable;

constexpr std::size_t kMaxMoves = 256;
constexpr std::uint32_t kRehashes = 64;

/// A name that entered a slot, and the one that lay there, or 0.
struct Move {
  std::uint32_t name;
  std::uint32_t slot;
  std::uint32_t replaces;
};

std::uint8_t key[256];
Move moves[kMaxMoves];
std::uint32_t move_count = 0;
std::optional<CuckooHashTable> names;

std::uint64_t hash_of(std::size_t length) {
  return static_cast<std::uint64_t>(cuckoo::detail::xxh64({key, length}, 0));
}

}  // namespace

extern "C" {
#define EXPORT [[gnu::used, gnu::visibility("default")]]
EXPORT std::uint8_t* table_key() { return key; }
EXPORT const Move* table_moves() { return moves; }
EXPORT std::uint32_t table_move_count() { return move_count; }

/// An empty table of names: two functions, each with a table of `bucket_count` slots of its own.
EXPORT bool table_create(std::uint32_t bucket_count, std::uint32_t max_moves, std::uint32_t seed) {
  CuckooHashTable::Shape shape;
  shape.bucket_count = 2 * std::uint64_t{bucket_count};
  shape.is_split = true;
  shape.max_moves = max_moves;
  shape.seed = seed;
  auto made = CuckooHashTable::create(shape);
  if (!made) return false;
  names.emplace(std::move(*made));
  return true;
}
/// What stands for the name of `length` bytes.
EXPORT std::uint32_t table_name(std::size_t length) { return static_cast<std::uint32_t>(hash_of(length)); }
/// The slot that function `i` gives to the name.
EXPORT std::uint32_t table_place(std::size_t length, std::uint32_t i) {
  return static_cast<std::uint32_t>(names->bucket_of(hash_of(length), i));
}
/// False, and all moves are taken back, if no empty slot was found.
EXPORT bool table_insert(std::size_t length) {
  move_count = 0;
  return names->insert(hash_of(length), [](const lab::Move& move) {
    if (move_count == kMaxMoves) return;
    moves[move_count++] = {static_cast<std::uint32_t>(move.key), static_cast<std::uint32_t>(move.slot),
                           static_cast<std::uint32_t>(move.replaces)};
  });
}
/// Other functions are drawn until all names have a place, this one too.
EXPORT bool table_rehash(std::size_t length) { return names->rehash(hash_of(length), kRehashes); }
/// The name in a slot, or 0.
EXPORT std::uint32_t table_read(std::uint32_t slot) { return static_cast<std::uint32_t>(names->read(slot)); }
}
