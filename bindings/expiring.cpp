// The class ExpiringFilter, whose keys expire. Its filters are planned as those of filter.cpp are.
// Invariant: nothing is decided here; each function converts, calls the core once, and converts back.
#include "cuckoo/variants/expiring.h"

#include <emscripten/bind.h>

#include "keys.h"
#include "objects.h"

using cuckoo::ExpiringFilter;

namespace {

cuckoo::Hash key(const ExpiringFilter* filter, std::size_t length) { return keys::hash(filter->hasher(), length); }

objects::Address create(bool has_secret, std::uint32_t periods) {
  const cuckoo::SecretKey secret = scratch_secret();
  return objects::keep(ExpiringFilter::create(objects::planned, periods, has_secret ? &secret : nullptr));
}
double advance(objects::Address filter) { return static_cast<double>(objects::at<ExpiringFilter>(filter).advance()); }

}  // namespace

// The calls made once per key or per batch, as in calls.cpp.
#define EXPORT(name) [[clang::export_name(name)]]
extern "C" {
EXPORT("expiring.contains") int expiring_contains(const ExpiringFilter* filter, std::size_t length) {
  return filter->contains(key(filter, length));
}
EXPORT("expiring.insertIfAbsent") int expiring_insert_if_absent(ExpiringFilter* filter, std::size_t length) {
  return static_cast<int>(filter->insert_if_absent(key(filter, length)));
}
EXPORT("expiring.insertManyIfAbsent")
std::size_t expiring_insert_many_if_absent(ExpiringFilter* filter, std::size_t count) {
  return keys::report(filter->insert_many_if_absent(keys::hashes(count), keys::answers(count)), count);
}
EXPORT("expiring.hashWords") void expiring_hash_words(const ExpiringFilter* filter, std::size_t count) {
  keys::hash_words(filter->hasher(), count);
}
EXPORT("expiring.hashKeys") void expiring_hash_keys(const ExpiringFilter* filter, std::size_t count) {
  keys::hash_keys(filter->hasher(), count);
}
EXPORT("expiring.beginLongKey") void expiring_begin_long_key(const ExpiringFilter* filter) {
  keys::long_key = cuckoo::Hasher::Streaming(filter->hasher());
}
}

EMSCRIPTEN_BINDINGS(expiring) {
  using emscripten::function;
  function("expiring.create", &create);
  function("expiring.destroy", &objects::destroy<ExpiringFilter>);
  function("expiring.clear", &objects::clear<ExpiringFilter>);
  function("expiring.size", &objects::size<ExpiringFilter>);
  function("expiring.byteCount", &objects::byte_count<ExpiringFilter>);
  function("expiring.falsePositiveRate", &objects::expected_rate<ExpiringFilter>);
  function("expiring.advance", &advance);
}
