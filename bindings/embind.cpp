// What all classes share: the scratch buffer, the fields of results, why a call failed. And embind itself, without the
// parts that only strings, objects and exceptions need. A name consists of a group, a dot, and a name within the group.
// Invariant: the place of a field is bound from the struct itself, so that JavaScript cannot have a wrong one.
#include "bind.h"
#include "cuckoo/format/format.h"

// The one place that goes around embind's public names, tested with the versions of Emscripten in
// scripts/bootstrap/emscripten.mjs. Replaces its list of built-in types, which brings strings,
// views of memory and much more: 9 kB of 29 compressed. Only functions of numbers are bound here, and they need no
// types.
extern "C" {
const char* __getTypeName(const std::type_info*) { return nullptr; }
void _embind_initialize_bindings() {}
void emscripten::internal::_embind_register_bindings(InitFunc*) {}
}

/// js/src/engine/embind.ts gives it.
extern "C" [[clang::import_module("env"), clang::import_name("now")]] double now();
double milliseconds() { return now(); }

namespace {

using binding::constant;
using binding::function;

/// Binds where a field, or an array's first element, lies in its struct, in doubles.
template <class Results, class Member>
void field(const char* name, Member Results::*member) {
  static const Results results;
  const auto* place = reinterpret_cast<const double*>(&(results.*member));
  constant(name, static_cast<std::size_t>(place - reinterpret_cast<const double*>(&results)));
}

void bind_scratch() {
  constant("scratch.words", objects::address_of(scratch.words));
  constant("scratch.numbers", objects::address_of(scratch.numbers));
  constant("scratch.answers", objects::address_of(scratch.answers));
  constant("scratch.bytes", objects::address_of(scratch.bytes));
  constant("scratch.batchLength", kBatch);
  constant("scratch.bytesLength", sizeof scratch.bytes);
}

void bind_wanted() {
  field("wanted.capacity", &Wanted::capacity);
  field("wanted.maxCapacity", &Wanted::max_capacity);
  field("wanted.falsePositiveRate", &Wanted::false_positive_rate);
  field("wanted.bucketSize", &Wanted::bucket_size);
  field("wanted.fingerprintBits", &Wanted::fingerprint_bits);
  field("wanted.bucketCount", &Wanted::bucket_count);
  field("wanted.semiSort", &Wanted::semi_sort);
  field("wanted.isXor", &Wanted::is_xor);
  field("wanted.isKeyed", &Wanted::is_keyed);
  field("wanted.seedLow", &Wanted::seed_low);
  field("wanted.seedHigh", &Wanted::seed_high);
  field("wanted.prefer", &Wanted::prefer);
  field("wanted.valueBits", &Wanted::value_bits);
  field("wanted.maxPause", &Wanted::max_pause);
}

void bind_results() {
  field("sizes.capacity", &Sizes::capacity);
  field("sizes.maxCapacity", &Sizes::max_capacity);
  field("sizes.doublings", &Sizes::doublings);
  field("sizes.bucketCount", &Sizes::bucket_count);
  field("sizes.bucketSize", &Sizes::bucket_size);
  field("sizes.fingerprintBits", &Sizes::fingerprint_bits);
  field("sizes.isSemiSorted", &Sizes::is_semi_sorted);
  field("sizes.isXor", &Sizes::is_xor);
  field("sizes.isKeyed", &Sizes::is_keyed);
  field("sizes.seedLow", &Sizes::seed_low);
  field("sizes.seedHigh", &Sizes::seed_high);
  field("sizes.byteLength", &Sizes::byte_length);
  field("sizes.maxByteLength", &Sizes::max_byte_length);
  field("sizes.falsePositiveRate", &Sizes::false_positive_rate);
  field("sizes.lookupCost", &Sizes::lookup_cost);
  field("sizes.insertCost", &Sizes::insert_cost);
  field("layer.size", &Layer::size);
  field("layer.loadFactor", &Layer::load_factor);
  field("layer.falsePositiveRate", &Layer::false_positive_rate);
  field("hash.isKeyed", &HashIdentity::is_keyed);
  field("hash.low", &HashIdentity::low);
  field("hash.high", &HashIdentity::high);
  field("counts.full", &Counts::full);
  field("counts.tooManyCopies", &Counts::too_many_copies);
  field("counts.kicks", &Counts::kicks);
  field("counts.doublingCount", &Counts::doubling_count);
  field("counts.doublingBuckets", &Counts::doubling_buckets);
  field("counts.doublingSizes", &Counts::doubling_sizes);
  field("counts.doublingPauses", &Counts::doubling_pauses);
  constant("counts.kickCounts", Counts::kKicks);
  constant("counts.doublingsKept", Counts::kDoublings);
}

}  // namespace

EMSCRIPTEN_BINDINGS(shared) {
  function("failure.error", &objects::last_error);
  function("failure.field", &objects::last_field);
  function("plan.describe", &objects::describe_plan);
  constant("format.headerBytes", cuckoo::kHeaderBytes);
  constant("format.trailerBytes", cuckoo::kTrailerBytes);
  bind_scratch();
  bind_wanted();
  bind_results();
  binding::long_key_calls();
}
