// The class ScalableCuckooFilter: its layers, one by one, and how they are saved and loaded.
// Invariant: nothing is decided here; each function converts, asks the core, or some of its layers, and converts back.
#include "../bind.h"

namespace {

using namespace cuckoo;
using namespace objects;

Result<Params> plan_first_layer(const Request& request) { return plan_scalable(request); }
/// How many keys fit into all layers of the filter that was planned last.
double capacity_of_layers() { return static_cast<double>(scalable_capacity(planned)); }

/// Puts what the layers have together.
void describe_layers(Address filter) {
  const bound::Scalable& it = at<bound::Scalable>(filter);
  Sizes sizes = sizes_of(it.first());
  sizes.capacity = static_cast<double>(it.capacity());
  sizes.max_capacity = static_cast<double>(scalable_capacity(it.first()));
  sizes.doublings = 1;  // sizes may still change
  sizes.bucket_count = static_cast<double>(it.bucket_count());
  sizes.byte_length = static_cast<double>(it.byte_count());
  put_results(sizes);
}

std::uint32_t layer_count(Address filter) { return at<bound::Scalable>(filter).layer_count(); }
/// The number of layers and doublings so far: it changes whenever one of them does.
std::uint32_t changes(Address filter) {
  std::uint32_t count = layer_count(filter);
  for (std::uint32_t k = layer_count(filter); k-- > 0;) {
    count += at<bound::Scalable>(filter).layer(k).watch().statistics().doubling_count;
  }
  return count;
}
void describe_layer(Address filter, std::uint32_t layer) {
  const auto& it = at<bound::Scalable>(filter).layer(layer);
  put_results(Layer{.sizes = sizes_of(it.params()),
                    .size = static_cast<double>(it.size()),
                    .load_factor = it.load_factor(),
                    .false_positive_rate = it.expected_false_positive_rate()});
}
void read_layer_counts(Address filter, std::uint32_t layer) {
  put_results(counts_of(at<bound::Scalable>(filter).layer(layer).watch().statistics()));
}

/// Records why a step of loading failed, if it did; then the loading ends.
bool step_succeeded(Error error) {
  last = {error, Field::none};
  if (error != Error::none) loader_of<bound::Scalable>.reset();
  return error == Error::none;
}

/// Takes the filter's header from the scratch buffer.
bool begin_layers(std::uint32_t head_bytes, double total_bytes, double max_bytes, bool has_secret) {
  const SecretKey secret = scratch_secret();
  auto result =
      Loading<bound::Scalable>::Loader::begin(scratch_bytes(head_bytes), saturated<std::uint64_t>(total_bytes),
                                              saturated<std::uint64_t>(max_bytes), has_secret ? &secret : nullptr);
  if (!succeeded(result)) return false;
  loader_of<bound::Scalable>.emplace(std::move(*result));
  return true;
}
bool has_more_layers() { return loader_of<bound::Scalable>->has_more(); }
/// Takes a layer's header from the scratch buffer; 0, or the bytes of its payload and 1.
double begin_layer(std::uint32_t head_bytes) {
  if (!step_succeeded(loader_of<bound::Scalable>->begin_layer(scratch_bytes(head_bytes)))) return 0;
  return 1 + static_cast<double>(loader_of<bound::Scalable>->table().size());
}
Address table_of_layer() { return address_of(loader_of<bound::Scalable>->table().data()); }
/// Takes the layer's checksum from the scratch buffer.
bool finish_layer() {
  return step_succeeded(loader_of<bound::Scalable>->finish_layer(detail::load_word(scratch.bytes)));
}

}  // namespace

PART(scalable) {
  using binding::constant;
  using binding::function;
  binding::saved_filter<bound::Scalable, plan_first_layer>();
  binding::filter_calls<bound::Scalable>();
  function("filter.describe", &describe_layers);
  function("filter.shrink", &shrink<bound::Scalable>);
  function("layers.plannedCapacity", &capacity_of_layers);
  function("layers.count", &layer_count);
  function("layers.changes", &changes);
  function("layers.describe", &describe_layer);
  function("layers.readCounts", &read_layer_counts);
  function("layers.beginLoad", &begin_layers);
  function("layers.hasMore", &has_more_layers);
  function("layers.begin", &begin_layer);
  function("layers.table", &table_of_layer);
  function("layers.finish", &finish_layer);
  constant("layers.headerBytes", kScalableHeaderBytes);
}
