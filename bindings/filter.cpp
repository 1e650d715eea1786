// Binds the calls of CuckooFilter that are made less often than once per key.
// Invariant: nothing is decided here.
#include "filter.h"

#include <emscripten/bind.h>

EMSCRIPTEN_BINDINGS(filter) {
  using emscripten::function;
  function("filter.plan", &objects::make_plan<objects::plan_table>);
  function("filter.describePlan", &objects::describe_plan);
  function("filter.describe", &objects::describe);
  function("filter.create", &objects::create<Bound>);
  function("filter.clone", &objects::clone<Bound>);
  function("filter.destroy", &objects::destroy<Bound>);
  function("filter.clear", &objects::clear<Bound>);
  function("filter.size", &objects::size<Bound>);
  function("filter.byteCount", &objects::byte_count<Bound>);
  function("filter.loadFactor", &objects::load_factor<Bound>);
  function("filter.falsePositiveRate", &objects::expected_rate<Bound>);
  function("filter.merge", &objects::merge);
  function("filter.doublings", &objects::doubling_count);
  function("filter.readCounts", &objects::read_counts);
  function("filter.savedBytes", &objects::saved_length<Bound>);
  function("filter.beginSave", &objects::begin_save);
  function("filter.beginLoad", &objects::begin_load);
}
