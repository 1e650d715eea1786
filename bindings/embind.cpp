// The names that JavaScript may call, bound by embind. The only file that includes Emscripten's headers.
// Invariant: nothing is decided here. What is called once per key is a plain export, in calls.cpp.
#include <emscripten/bind.h>

#ifdef CUCKOO_SCALABLE
#include "chain.h"
#else
#include "objects.h"
#endif

// Take the place of embind's own list of built-in types, which brings strings, views of memory and much more: 9 kB of
// 29 compressed. Only functions of numbers are bound here, which need no types.
extern "C" {
const char* __getTypeName(const std::type_info*) { return nullptr; }
void _embind_initialize_bindings() {}
void emscripten::internal::_embind_register_bindings(InitFunc*) {}
}

/// js/src/embind.ts gives it.
extern "C" [[clang::import_module("env"), clang::import_name("now")]] double now();
double milliseconds() { return now(); }

EMSCRIPTEN_BINDINGS(cuckoo) {
  using emscripten::constant;
  using emscripten::function;
  function("plan", &objects::make_plan);
  function("describe", &objects::describe);
  function("create", &objects::create);
  function("destroy", &objects::destroy);
  function("clear", &objects::clear);
  function("size", &objects::size);
  function("falsePositiveRate", &objects::expected_rate);
  function("lastError", &objects::last_error);
  function("lastField", &objects::last_field);
#ifdef CUCKOO_EXPIRING
  function("advance", &objects::advance);
  function("byteCount", &objects::byte_count);
#else
  function("clone", &objects::clone);
  function("loadFactor", &objects::load_factor);
#ifdef CUCKOO_SCALABLE
  function("layerCount", &objects::layer_count);
  function("changes", &objects::changes);
  function("describeLayer", &objects::describe_layer);
  function("hasMoreLayers", &objects::has_more_layers);
  function("beginLayer", &objects::begin_layer);
  function("tableOfLayer", &objects::table_of_layer);
  constant("chainHeaderBytes", static_cast<unsigned>(cuckoo::kChainHeaderBytes));
#else
  function("merge", &objects::merge);
  function("doublings", &objects::doubling_count);
#endif
  function("readStatistics", &objects::read_statistics);
  function("savedBytes", &objects::saved_length);
  function("beginSave", &objects::begin_save);
  function("beginLoad", &objects::begin_load);
#endif
#ifdef CUCKOO_TRACE
  function("openTrace", &objects::open_trace);
  function("eventCount", &objects::event_count);
  function("eventsAddress", &objects::events_address);
  function("hasOverflowed", &objects::has_overflowed);
  function("drainTrace", &objects::drain_trace);
  function("readSlots", &objects::read_slots);
#endif
  constant("words", objects::address_of(exchange.words));
  constant("ends", objects::address_of(exchange.ends));
  constant("answers", objects::address_of(exchange.answers));
  constant("bytes", objects::address_of(exchange.bytes));
  constant("batchLength", static_cast<unsigned>(kBatch));
  constant("bytesLength", static_cast<unsigned>(sizeof exchange.bytes));
  constant("headerBytes", static_cast<unsigned>(cuckoo::kHeaderBytes));
  constant("trailerBytes", static_cast<unsigned>(cuckoo::kTrailerBytes));
}
