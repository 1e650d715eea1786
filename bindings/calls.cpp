// The calls on a filter that are made once per key or per batch, and those that go through a whole table, as plain
// exports: twice as fast as embind's functions.
// Invariant: each converts, calls the core once, and converts back.
#include "bound.h"
#include "keys.h"
#include "saved.h"

using namespace cuckoo;

namespace {

Hash key(const Bound* filter, std::size_t length) { return keys::hash(filter->hasher(), length); }

}  // namespace

#define EXPORT(name) [[clang::export_name(name)]]
extern "C" {
EXPORT("filter.contains") int filter_contains(const Bound* filter, std::size_t length) {
  return filter->contains(key(filter, length));
}
EXPORT("filter.count") unsigned filter_count(const Bound* filter, std::size_t length) {
  return filter->count(key(filter, length));
}
EXPORT("filter.erase") int filter_erase(Bound* filter, std::size_t length) {
  return filter->erase(key(filter, length));
}
EXPORT("filter.insert") int filter_insert(Bound* filter, std::size_t length) {
  return static_cast<int>(filter->insert(key(filter, length)));
}
EXPORT("filter.insertIfAbsent") int filter_insert_if_absent(Bound* filter, std::size_t length) {
  return static_cast<int>(filter->insert_if_absent(key(filter, length)));
}

EXPORT("filter.containsMany") void filter_contains_many(const Bound* filter, std::size_t count) {
  filter->contains_many(keys::hashes(count), keys::answers(count));
}
EXPORT("filter.eraseMany") std::size_t filter_erase_many(Bound* filter, std::size_t count) {
  return filter->erase_many(keys::hashes(count));
}
EXPORT("filter.insertMany") std::size_t filter_insert_many(Bound* filter, std::size_t count) {
  return keys::report(filter->insert_many(keys::hashes(count)), count);
}
EXPORT("filter.insertManyIfAbsent") std::size_t filter_insert_many_if_absent(Bound* filter, std::size_t count) {
  return keys::report(filter->insert_many_if_absent(keys::hashes(count), keys::answers(count)), count);
}

EXPORT("filter.hashWords") void filter_hash_words(const Bound* filter, std::size_t count) {
  keys::hash_words(filter->hasher(), count);
}
EXPORT("filter.hashKeys") void filter_hash_keys(const Bound* filter, std::size_t count) {
  keys::hash_keys(filter->hasher(), count);
}
EXPORT("filter.beginLongKey") void filter_begin_long_key(const Bound* filter) {
  keys::long_key = Hasher::Streaming(filter->hasher());
}
EXPORT("longKey.piece") void long_key_piece(std::size_t length) { keys::long_key.update(scratch_bytes(length)); }
EXPORT("longKey.finish") void long_key_finish() { keys::put(0, keys::long_key.finish()); }

EXPORT("filter.savePiece") std::size_t filter_save_piece() { return objects::save_piece(); }
EXPORT("filter.finishLoad") objects::Address filter_finish_load() { return objects::finish_load(); }
}
