// The names that JavaScript may call, bound by embind. The only file that includes Emscripten's headers.
// Invariant: nothing is decided here. What is called once per key is a plain export, in calls.cpp.
#include <emscripten/bind.h>
#include <emscripten/emscripten.h>

#ifdef CUCKOO_SCALABLE
#include "chain.h"
#else
#include "objects.h"
#endif

using emscripten::internal::TypeID;

// Takes the place of embind's own list of built-in types, which brings strings, views of memory and much more: 9 kB of
// 29 compressed. Only functions of numbers are bound here.
extern "C" {
const char* __getTypeName(const std::type_info*) { return nullptr; }
void _embind_initialize_bindings() {}
void emscripten::internal::_embind_register_bindings(InitFunc*) {}
}

double milliseconds() { return emscripten_get_now(); }

EMSCRIPTEN_BINDINGS(types) {
  using namespace emscripten::internal;
  _embind_register_void(TypeID<void>::get(), "void");
  _embind_register_bool(TypeID<bool>::get(), "bool", true, false);
  _embind_register_integer(TypeID<int>::get(), "int", 4, std::numeric_limits<int>::min(),
                           std::numeric_limits<int>::max());
  _embind_register_integer(TypeID<unsigned>::get(), "unsigned", 4, 0, std::numeric_limits<unsigned>::max());
  _embind_register_integer(TypeID<objects::Address>::get(), "unsigned long", 4, 0,
                           std::numeric_limits<objects::Address>::max());
  _embind_register_float(TypeID<double>::get(), "double", 8);
}

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
