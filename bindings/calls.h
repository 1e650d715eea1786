// The calls on a filter that are made once per key or per batch, and those that go through a whole table.
// Invariant: each converts, calls the core, and converts back; `erase_many_values` calls it once per key, all others
// once per call. calls.cpp, which is built for speed, and shared.cpp instantiate them for their classes.
#pragma once

#include <algorithm>
#include <optional>

#include "bind.h"
#include "keys.h"

namespace calls {

using namespace cuckoo;
using objects::Address;
using objects::at;

/// The key of `length` bytes in the scratch buffer, or the `number`, hashed as the filter does.
template <class Filter>
Hash key(const Filter& filter, std::size_t length, double number) {
  return keys::hash(filter.hasher(), length, number);
}

template <class Filter>
bool contains(Address filter, std::size_t length, double number) {
  const Filter& it = at<Filter>(filter);
  return it.contains(key(it, length, number));
}
template <class Filter>
unsigned count(Address filter, std::size_t length, double number) {
  const Filter& it = at<Filter>(filter);
  return static_cast<unsigned>(it.count(key(it, length, number)));
}
template <class Filter>
bool erase(Address filter, std::size_t length, double number) {
  Filter& it = at<Filter>(filter);
  return it.erase(key(it, length, number));
}
template <class Filter>
int insert(Address filter, std::size_t length, double number) {
  Filter& it = at<Filter>(filter);
  return static_cast<int>(it.insert(key(it, length, number)));
}
template <class Filter>
int insert_if_absent(Address filter, std::size_t length, double number) {
  Filter& it = at<Filter>(filter);
  return static_cast<int>(it.insert_if_absent(key(it, length, number)));
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

// Of filters with values, which are the scratch buffer's numbers: those of the keys of a batch, or those found.

template <class Filter>
int insert_value(Address filter, std::size_t length, double number, std::uint32_t value) {
  Filter& it = at<Filter>(filter);
  return static_cast<int>(it.insert(key(it, length, number), value));
}
template <class Filter>
std::size_t insert_many_values(Address filter, std::size_t count) {
  return keys::report(at<Filter>(filter).insert_many(keys::hashes(count), keys::values(count)), count);
}
/// Erases a value of a key, or copies; with `any`, whichever value there is.
template <class Filter>
bool erase_one_value(Filter& filter, Hash hash, std::uint32_t value, bool any) {
  if constexpr (Filter::kKind == cuckoo::ValueKind::values) {
    return filter.erase(hash, any ? std::nullopt : std::optional(value));
  } else {
    return filter.erase(hash, value);
  }
}
template <class Filter>
bool erase_value(Address filter, std::size_t length, double number, std::uint32_t value, bool any) {
  Filter& it = at<Filter>(filter);
  return erase_one_value(it, key(it, length, number), value, any);
}
template <class Filter>
std::size_t erase_many_values(Address filter, std::size_t count, bool any) {
  std::size_t erased = 0;
  for (std::size_t i = 0; i < count; ++i) {
    erased += erase_one_value(at<Filter>(filter), keys::hashes(count)[i], scratch.numbers[i], any) ? 1 : 0;
  }
  return erased;
}
/// How many values there are.
std::size_t find_values(Address filter, std::size_t length, double number) {
  const bound::Values& it = at<bound::Values>(filter);
  const FoundValues found = it.find(key(it, length, number));
  std::copy_n(found.values.begin(), found.count, scratch.numbers);
  return found.count;
}
/// Continues with the hash at `first`, and returns the next one. The answers are the numbers of values.
std::size_t find_many_values(Address filter, std::size_t first, std::size_t count) {
  return first +
         at<bound::Values>(filter)
             .find_many(keys::hashes(count).subspan(first), keys::answers(count).subspan(first), scratch.numbers)
             .done;
}
void count_many(Address filter, std::size_t count) {
  at<bound::Counter>(filter).count_many(keys::hashes(count), keys::values(count));
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

inline void hash_piece(std::size_t length) { keys::long_key.update(scratch_bytes(length)); }
inline void finish_long_key() { keys::put(0, keys::long_key.finish()); }

}  // namespace calls

template <class Filter>
void binding::hash_calls() {
  function("filter.contains", &calls::contains<Filter>);
  function("filter.containsMany", &calls::contains_many<Filter>);
  function("filter.hashWords", &calls::hash_words<Filter>);
  function("filter.hashKeys", &calls::hash_keys<Filter>);
  function("filter.describeHash", &calls::describe_hash<Filter>);
  function("filter.beginLongKey", &calls::begin_long_key<Filter>);
}

template <class Filter>
void binding::key_calls() {
  hash_calls<Filter>();
  function("filter.insertIfAbsent", &calls::insert_if_absent<Filter>);
  function("filter.insertManyIfAbsent", &calls::insert_many_if_absent<Filter>);
}

template <class Filter>
void binding::entry_calls() {
  function("filter.count", &calls::count<Filter>);
  function("filter.erase", &calls::erase<Filter>);
  function("filter.insert", &calls::insert<Filter>);
  function("filter.eraseMany", &calls::erase_many<Filter>);
  function("filter.insertMany", &calls::insert_many<Filter>);
}

template <class Filter>
void binding::filter_calls() {
  key_calls<Filter>();
  entry_calls<Filter>();
  function("filter.savePiece", &objects::save_piece<Filter>);
  function("filter.equals", &objects::equals<Filter>);
  function("filter.finishLoad", &objects::finish_load<Filter>);
}

template <class Filter>
void binding::value_calls() {
  hash_calls<Filter>();
  function("filter.insert", &calls::insert_value<Filter>);
  function("filter.insertMany", &calls::insert_many_values<Filter>);
  function("filter.erase", &calls::erase_value<Filter>);
  function("filter.eraseMany", &calls::erase_many_values<Filter>);
  function("filter.savePiece", &objects::save_piece<Filter>);
  function("filter.equals", &objects::equals<Filter>);
  function("filter.finishLoad", &objects::finish_load<Filter>);
  if constexpr (Filter::kKind == cuckoo::ValueKind::values) {
    function("filter.find", &calls::find_values);
    function("filter.findMany", &calls::find_many_values);
  } else {
    function("filter.count", &calls::count<Filter>);
    function("filter.countMany", &calls::count_many);
  }
}
