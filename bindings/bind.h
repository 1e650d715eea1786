// How embind binds names, and the calls that every class binds. A name consists of a group, a dot, and a name within
// the group. Only functions of numbers and numeric constants are bound.
#pragma once

#include <emscripten/bind.h>

#include "filter.h"
#include "objects.h"
#include "saved.h"

/// Defines what binds the names of a part of the module, which JavaScript calls once it has added the part: see
/// scripts/build/split.mjs.
#define PART(name) extern "C" [[clang::export_name(#name)]] void bind_##name()

namespace binding {

// JavaScript calls what `function` binds without the invoker that embind makes for each signature, which would convert
// other types, and takes as long as a call (js/src/engine/embind.ts). The invokers take 0.75 kB of the core,
// compressed.
using emscripten::function;
using objects::Address;

inline void constant(const char* name, std::size_t number) {
  emscripten::constant(name, static_cast<unsigned>(number));
}

/// What every class has, besides the calls below.
template <class Filter>
void object() {
  function("filter.destroy", &objects::destroy<Filter>);
  function("filter.clear", &objects::clear<Filter>);
  function("filter.size", &objects::size<Filter>);
  function("filter.byteCount", &objects::byte_count<Filter>);
  function("filter.falsePositiveRate", &objects::expected_rate<Filter>);
}

// calls.h defines what is called once per key or per batch, or goes through a whole table.

/// What every class has.
template <class Filter>
void hash_calls();
/// The calls of classes that add a key only if it is absent.
template <class Filter>
void key_calls();
/// The calls of classes whose keys can be added again, counted and deleted.
template <class Filter>
void entry_calls();
/// Further calls of filters from which keys can be deleted.
template <class Filter>
void filter_calls();
/// The calls that filters whose entries have values have instead.
template <class Filter>
void value_calls();
/// The calls that hash a long key in pieces.
void long_key_calls();

/// The calls of every filter that can be saved; `choose` plans it.
template <class Filter, cuckoo::Result<cuckoo::Params> (*choose)(const cuckoo::Request&)>
void saved_filter() {
  object<Filter>();
  function("filter.plan", &objects::make_plan<choose>);
  function("filter.create", &objects::create<Filter>);
  function("filter.clone", &objects::clone<Filter>);
  function("filter.loadFactor", &objects::load_factor<Filter>);
  function("filter.savedBytes", &objects::saved_length<Filter>);
  function("filter.beginSave", &objects::begin_save<Filter>);
}

/// What a filter of one table has.
template <class Filter>
void table_filter() {
  saved_filter<Filter, objects::plan_table>();
  function("filter.describe", &objects::describe<Filter>);
  function("filter.doublings", &objects::doubling_count<Filter>);
  function("filter.readCounts", &objects::read_counts<Filter>);
  function("filter.beginLoad", &objects::begin_load<Filter>);
}
/// The same without values.
template <class Filter>
void filter() {
  table_filter<Filter>();
  filter_calls<Filter>();
  function("filter.merge", &objects::merge_some<Filter>);
  function("filter.shrink", &objects::shrink<Filter>);
  function("filter.beginBuilding", &objects::begin_building<Filter>);
  function("filter.finishBuilding", &objects::finish_building<Filter>);
}

}  // namespace binding
