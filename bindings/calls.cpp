// The calls made once per key or per batch, and those that go through a whole table, as plain exports on a filter's
// address: twice as fast as embind's methods.
// Invariant: each converts, calls the core once, and converts back.
#include "objects.h"
#ifdef CUCKOO_SCALABLE
#include "chain.h"
#endif

namespace {

using namespace cuckoo;

/// In place of a length: the key came in pieces, and `long_key` has hashed it.
constexpr std::size_t kLongKey = static_cast<std::size_t>(-1);
Hasher::Streaming long_key;

Hash key(const Cuckoo* filter, std::size_t length) {
  return length == kLongKey ? long_key.finish() : filter->hash(exchanged_bytes(length));
}
std::span<const Hash> hashes(std::size_t count) { return {reinterpret_cast<const Hash*>(exchange.words), count}; }
std::span<std::uint8_t> answers(std::size_t count) { return {exchange.answers, count}; }
void put(std::size_t at, Hash hash) { exchange.words[at] = static_cast<std::uint64_t>(hash); }

/// How many keys were done; the answer of the first that was not says why.
std::size_t report(BatchOutcome batch, std::size_t count) {
  if (batch.done < count) exchange.answers[batch.done] = static_cast<std::uint8_t>(batch.outcome);
  return batch.done;
}

}  // namespace

extern "C" {
#define EXPORT [[gnu::used, gnu::visibility("default")]]
EXPORT int contains(const Cuckoo* filter, std::size_t length) { return filter->contains(key(filter, length)); }
EXPORT int insert_if_absent(Cuckoo* filter, std::size_t length) {
  return static_cast<int>(filter->insert_if_absent(key(filter, length)));
}

EXPORT void begin_long_key(const Cuckoo* filter) { long_key = Hasher::Streaming(filter->hasher()); }
EXPORT void long_key_piece(std::size_t length) { long_key.update(exchanged_bytes(length)); }
EXPORT void finish_long_key() { put(0, long_key.finish()); }

/// Integer keys in the words become their hashes.
EXPORT void hash_words(const Cuckoo* filter, std::size_t count) {
  filter->hasher().with([=](const auto& hash) {
    for (std::size_t i = 0; i < count; ++i) put(i, hash(exchange.words[i]));
  });
}
/// The hashes of the keys in the bytes, each up to its end, become the words.
EXPORT void hash_keys(const Cuckoo* filter, std::size_t count) {
  filter->hasher().with([=](const auto& hash) {
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i < count; begin = exchange.ends[i++]) {
      put(i, hash(std::span<const std::uint8_t>{exchange.bytes + begin, exchange.ends[i] - begin}));
    }
  });
}
EXPORT std::size_t insert_many_if_absent(Cuckoo* filter, std::size_t count) {
  return report(filter->insert_many_if_absent(hashes(count), answers(count)), count);
}

#ifndef CUCKOO_EXPIRING
EXPORT unsigned count(const Cuckoo* filter, std::size_t length) { return filter->count(key(filter, length)); }
EXPORT int erase(Cuckoo* filter, std::size_t length) { return filter->erase(key(filter, length)); }
EXPORT int insert(Cuckoo* filter, std::size_t length) { return static_cast<int>(filter->insert(key(filter, length))); }
EXPORT void contains_many(const Cuckoo* filter, std::size_t count) {
  filter->contains_many(hashes(count), answers(count));
}
EXPORT std::size_t insert_many(Cuckoo* filter, std::size_t count) {
  return report(filter->insert_many(hashes(count)), count);
}
EXPORT std::size_t erase_many(Cuckoo* filter, std::size_t count) { return filter->erase_many(hashes(count)); }
EXPORT std::size_t save_piece() { return objects::save_piece(); }
EXPORT objects::Address finish_load() { return objects::finish_load(); }
#ifdef CUCKOO_SCALABLE
EXPORT int finish_layer() { return objects::finish_layer(); }
#endif
#endif
}
