// Compiled by trace_cost.cmake with the headers as they are and with every trace call deleted from them.
#include "cuckoo/filters/filter.h"

using cuckoo::Filter;
using cuckoo::Hash;

bool contains(const Filter<>& filter, Hash hash) { return filter.contains(hash); }
int insert(Filter<>& filter, Hash hash) { return static_cast<int>(filter.insert(hash)); }
int insert_if_absent(Filter<>& filter, Hash hash) { return static_cast<int>(filter.insert_if_absent(hash)); }
bool erase(Filter<>& filter, Hash hash) { return filter.erase(hash); }
unsigned count(const Filter<>& filter, Hash hash) { return filter.count(hash); }
void clear(Filter<>& filter) { filter.clear(); }
void contains_many(const Filter<>& filter, std::span<const Hash> hashes, std::span<std::uint8_t> found) {
  filter.contains_many(hashes, found);
}
