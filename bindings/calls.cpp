// The calls on a filter that are made once per key or per batch, and those that go through a whole table.
// Invariant: each converts, calls the core once, and converts back.
#include "bind.h"
#include "keys.h"

using namespace cuckoo;
using objects::Address;
using objects::at;

namespace {

/// The key of `length` bytes in the scratch buffer, hashed as the filter does.
template <class Filter>
Hash key(const Filter& filter, std::size_t length) {
  return keys::hash(filter.hasher(), length);
}

template <class Filter>
bool contains(Address filter, std::size_t length) {
  const Filter& it = at<Filter>(filter);
  return it.contains(key(it, length));
}
template <class Filter>
unsigned count(Address filter, std::size_t length) {
  const Filter& it = at<Filter>(filter);
  return it.count(key(it, length));
}
template <class Filter>
bool erase(Address filter, std::size_t length) {
  Filter& it = at<Filter>(filter);
  return it.erase(key(it, length));
}
template <class Filter>
int insert(Address filter, std::size_t length) {
  Filter& it = at<Filter>(filter);
  return static_cast<int>(it.insert(key(it, length)));
}
template <class Filter>
int insert_if_absent(Address filter, std::size_t length) {
  Filter& it = at<Filter>(filter);
  return static_cast<int>(it.insert_if_absent(key(it, length)));
}

template <class Filter>
void contains_many(Address filter, std::size_t count) {
  at<Filter>(filter).contains_many(keys::hashes(count), keys::answers(count));
}
template <class Filter>
std::size_t erase_many(Address filter, std::size_t count) {
  return at<Filter>(filter).erase_many(keys::hashes(count));
}
template <class Filter>
std::size_t insert_many(Address filter, std::size_t count) {
  return keys::report(at<Filter>(filter).insert_many(keys::hashes(count)), count);
}
template <class Filter>
std::size_t insert_many_if_absent(Address filter, std::size_t count) {
  return keys::report(at<Filter>(filter).insert_many_if_absent(keys::hashes(count), keys::answers(count)), count);
}

template <class Filter>
void hash_words(Address filter, std::size_t count) {
  keys::hash_words(at<Filter>(filter).hasher(), count);
}
template <class Filter>
void hash_keys(Address filter, std::size_t count) {
  keys::hash_keys(at<Filter>(filter).hasher(), count);
}
template <class Filter>
void describe_hash(Address filter) {
  put_results(identity_of(at<Filter>(filter).hasher()));
}
template <class Filter>
void begin_long_key(Address filter) {
  keys::long_key = Hasher::Streaming(at<Filter>(filter).hasher());
}

void hash_piece(std::size_t length) { keys::long_key.update(scratch_bytes(length)); }
void finish_long_key() { keys::put(0, keys::long_key.finish()); }

}  // namespace

template <class Filter>
void binding::key_calls() {
  function("filter.contains", &contains<Filter>);
  function("filter.containsMany", &contains_many<Filter>);
  function("filter.insertIfAbsent", &insert_if_absent<Filter>);
  function("filter.insertManyIfAbsent", &insert_many_if_absent<Filter>);
  function("filter.hashWords", &hash_words<Filter>);
  function("filter.hashKeys", &hash_keys<Filter>);
  function("filter.describeHash", &describe_hash<Filter>);
  function("filter.beginLongKey", &begin_long_key<Filter>);
}

template <class Filter>
void binding::filter_calls() {
  key_calls<Filter>();
  function("filter.count", &count<Filter>);
  function("filter.erase", &erase<Filter>);
  function("filter.insert", &insert<Filter>);
  function("filter.eraseMany", &erase_many<Filter>);
  function("filter.insertMany", &insert_many<Filter>);
  function("filter.savePiece", &objects::save_piece<Filter>);
  function("filter.equals", &objects::equals<Filter>);
  function("filter.finishLoad", &objects::finish_load<Filter>);
}

void binding::long_key_calls() {
  function("longKey.piece", &hash_piece);
  function("longKey.finish", &finish_long_key);
}

template void binding::filter_calls<bound::Plain>();
template void binding::filter_calls<bound::Traced>();
template void binding::filter_calls<bound::Scalable>();
template void binding::key_calls<bound::Expiring>();
