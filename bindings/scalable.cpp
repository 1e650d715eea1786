// Binds the calls of ScalableCuckooFilter that are made less often than once per key.
// Invariant: nothing is decided here.
#include "scalable.h"

#include <emscripten/bind.h>

EMSCRIPTEN_BINDINGS(scalable) {
  using emscripten::constant;
  using emscripten::function;
  function("filter.plan", &objects::make_plan<objects::plan_first_layer>);
  function("filter.describePlan", &objects::describe_plan);
  function("filter.describe", &objects::describe);
  function("filter.create", &objects::create<Bound>);
  function("filter.clone", &objects::clone<Bound>);
  function("filter.destroy", &objects::destroy<Bound>);
  function("filter.clear", &objects::clear<Bound>);
  function("filter.size", &objects::size<Bound>);
  function("filter.byteCount", &objects::byte_count_of_layers);
  function("filter.loadFactor", &objects::load_factor<Bound>);
  function("filter.falsePositiveRate", &objects::expected_rate<Bound>);
  function("filter.savedBytes", &objects::saved_length<Bound>);
  function("filter.beginSave", &objects::begin_save);
  function("layers.plannedCapacity", &objects::planned_capacity);
  function("layers.count", &objects::layer_count);
  function("layers.changes", &objects::changes);
  function("layers.describe", &objects::describe_layer);
  function("layers.readCounts", &objects::read_counts);
  function("layers.beginLoad", &objects::begin_load);
  function("layers.hasMore", &objects::has_more_layers);
  function("layers.begin", &objects::begin_layer);
  function("layers.table", &objects::table_of_layer);
  constant("layers.headerBytes", static_cast<unsigned>(cuckoo::kScalableHeaderBytes));
}
