// The names that JavaScript may call on objects, bound by embind. The only file that includes Emscripten's headers.
// Invariant: nothing is decided here. What is called once per key is a plain export, in calls.cpp.
#include <emscripten/bind.h>

#include "objects.h"

// Embind prints the address of a type that was never bound, which happens to none here, and brings in printf for it:
// 3 kB of the 15 kB that the module takes compressed. These come before the C library's.
extern "C" int sprintf(char* text, const char*, ...) { return *text = 0; }
extern "C" int siprintf(char* text, const char*, ...) { return *text = 0; }

EMSCRIPTEN_BINDINGS(cuckoo) {
  using namespace emscripten;
  class_<cuckoo::Params>("Params")
      .property("capacity", &objects::capacity)
      .property("bucketCount", &objects::bucket_count)
      .property("bucketSize", &cuckoo::Params::bucket_size)
      .property("fingerprintBits", &cuckoo::fingerprint_width)
      .property("isSemiSorted", &objects::is_semi_sorted)
      .property("isXor", &objects::is_xor)
      .property("maxKicks", &cuckoo::Params::max_kicks)
      .property("seedLow", &objects::seed_low)
      .property("seedHigh", &objects::seed_high)
      .property("byteLength", &objects::byte_length)
      .property("falsePositiveRate", &objects::rate_when_full);
  class_<Cuckoo>("Filter")
      .property("address", &objects::filter_address)
      .property("size", &objects::size)
      .property("loadFactor", &Cuckoo::load_factor)
      .property("falsePositiveRate", &Cuckoo::expected_false_positive_rate)
      .property("savedBytes", &objects::saved_length)
#ifdef CUCKOO_TRACE
      .property("eventCount", &objects::event_count)
      .property("eventsAddress", &objects::events_address)
      .property("hasOverflowed", &objects::has_overflowed)
      .function("openTrace", &objects::open_trace)
      .function("drainTrace", &objects::drain_trace)
      .function("readSlots", &objects::read_slots)
#endif
      .function("params", &objects::params)
      .function("clear", &Cuckoo::clear)
      .function("clone", &objects::clone, allow_raw_pointers())
      .function("beginSave", &objects::begin_save);
  function("plan", &objects::plan_params, allow_raw_pointers());
  function("create", &objects::create, allow_raw_pointers());
  function("savePiece", &objects::save_piece);
  function("beginLoad", &objects::begin_load);
  function("finishLoad", &objects::finish_load, allow_raw_pointers());
  function("lastError", &objects::last_error);
  function("lastField", &objects::last_field);
  constant("words", objects::address(exchange.words));
  constant("ends", objects::address(exchange.ends));
  constant("answers", objects::address(exchange.answers));
  constant("bytes", objects::address(exchange.bytes));
  constant("batchLength", kBatch);
  constant("bytesLength", sizeof exchange.bytes);
  constant("headerBytes", static_cast<std::uint32_t>(cuckoo::kHeaderBytes));
  constant("trailerBytes", static_cast<std::uint32_t>(cuckoo::kTrailerBytes));
}
