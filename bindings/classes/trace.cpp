// The traced CuckooFilter: what CuckooFilter has, its events, and a copy of its slots.
// Invariant: nothing is decided here.
#include "../bind.h"

namespace {

using namespace cuckoo;
using objects::Address;

TraceLog& log_of(Address filter) { return objects::at<bound::Traced>(filter).watch(); }

bool open_trace(Address filter, std::uint32_t level, std::uint32_t capacity, bool is_random_walk,
                std::uint32_t walk_kicks) {
  return log_of(filter).open(static_cast<TraceLevel>(level), capacity,
                             is_random_walk ? Kicking::random_walk : Kicking::search, walk_kicks);
}
std::uint32_t event_count(Address filter) { return static_cast<std::uint32_t>(log_of(filter).events().size()); }
Address events_address(Address filter) { return objects::address_of(log_of(filter).events().data()); }
bool has_overflowed(Address filter) { return log_of(filter).has_overflowed(); }
void drain_trace(Address filter) { log_of(filter).drain(); }

/// Puts the entries of the slots from `first` on, two per word, into the scratch buffer; returns how many.
std::uint32_t read_slots(Address filter, double first) {
  const bound::Traced& it = objects::at<bound::Traced>(filter);
  const auto begin = static_cast<std::uint64_t>(first);
  const std::uint32_t b = it.params().bucket_size;
  const std::uint64_t count = std::min<std::uint64_t>(2 * kBatch, slot_count(it.params()) - begin);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t slot = cuckoo::detail::Access::entries(it).table().read((begin + i) / b)[(begin + i) % b];
    std::memcpy(reinterpret_cast<std::uint8_t*>(scratch.words) + 4 * i, &slot, sizeof slot);
  }
  return static_cast<std::uint32_t>(count);
}

}  // namespace

EMSCRIPTEN_BINDINGS(trace) {
  using binding::function;
  binding::filter<bound::Traced>();
  function("trace.open", &open_trace);
  function("trace.eventCount", &event_count);
  function("trace.eventsAddress", &events_address);
  function("trace.hasOverflowed", &has_overflowed);
  function("trace.drain", &drain_trace);
  function("trace.readSlots", &read_slots);
}
