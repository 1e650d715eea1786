// What a filter of one table has besides objects.h: how it is described, merged and loaded.
// Invariant: as there.
#pragma once

#include "cuckoo/filters/merge.h"
#include "saved.h"

namespace objects {

inline Result<Params> plan_table(const Request& request) { return plan(request); }

template <class Filter>
void describe(Address filter) {
  put_results(sizes_of(at<Filter>(filter).params()));
}
template <class Filter>
std::uint32_t doubling_count(Address filter) {
  return at<Filter>(filter).watch().statistics().doubling_count;
}
template <class Filter>
void read_counts(Address filter) {
  put_results(counts_of(at<Filter>(filter).watch().statistics()));
}

/// Gathers the next `count` keys in a plain table until `finish_building`. False if that gains nothing.
template <class Filter>
bool begin_building(Address filter, double count) {
  return cuckoo::detail::Access::entries(at<Filter>(filter)).begin_encoding(saturated<std::uint64_t>(count));
}
template <class Filter>
void finish_building(Address filter) {
  cuckoo::detail::Access::entries(at<Filter>(filter)).end_encoding();
}

/// An InsertOutcome; or -1 minus the field that differs, where `none` means that memory is short.
template <class Filter>
int merge(Address into, Address from) {
  const Result<InsertOutcome> outcome = cuckoo::merge(at<Filter>(into), at<Filter>(from));
  return outcome ? static_cast<int>(*outcome) : -1 - static_cast<int>(outcome.field());
}
/// The same for all entries, or only for those that are not found.
template <class Filter>
int merge_some(Address into, Address from, bool only_if_absent) {
  const Result<InsertOutcome> outcome = cuckoo::merge(at<Filter>(into), at<Filter>(from), only_if_absent);
  return outcome ? static_cast<int>(*outcome) : -1 - static_cast<int>(outcome.field());
}

/// Takes the header from the scratch buffer and returns where the payload belongs.
template <class Filter>
Address begin_load(std::uint32_t head_bytes, double total_bytes, double max_bytes, bool has_secret) {
  const SecretKey secret = scratch_secret();
  auto result = Loading<Filter>::Loader::begin(scratch_bytes(head_bytes), saturated<std::uint64_t>(total_bytes),
                                               saturated<std::uint64_t>(max_bytes), has_secret ? &secret : nullptr, {},
                                               Filter::kKind);
  if (!succeeded(result)) return 0;
  loader_of<Filter>.emplace(std::move(*result));
  return address_of(loader_of<Filter>->table().data());
}

}  // namespace objects
