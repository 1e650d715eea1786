// What is bound of a scalable filter besides objects.h: its layers, one by one, and how they are saved and loaded.
// Invariant: as there.
#pragma once

#include "saved.h"

namespace objects {

inline Result<Params> plan_first_layer(const Request& request) { return plan_scalable(request); }
/// The keys that all layers can take of a filter as planned last.
inline double planned_capacity() { return static_cast<double>(scalable_capacity(planned)); }

inline double byte_count_of_layers(Address filter) { return static_cast<double>(at<Bound>(filter).byte_count()); }

/// Puts what the layers have together.
inline void describe(Address filter) {
  const Bound& it = at<Bound>(filter);
  Sizes sizes = sizes_of(it.first());
  sizes.capacity = static_cast<double>(it.capacity());
  sizes.max_capacity = static_cast<double>(scalable_capacity(it.first()));
  sizes.doublings = 1;  // sizes may still change
  sizes.bucket_count = static_cast<double>(it.bucket_count());
  sizes.byte_length = static_cast<double>(it.byte_count());
  put_results(sizes);
}

inline std::uint32_t layer_count(Address filter) { return at<Bound>(filter).layer_count(); }
/// Layers and doublings there were: another number than before where anything has changed.
inline std::uint32_t changes(Address filter) {
  std::uint32_t count = layer_count(filter);
  for (std::uint32_t k = layer_count(filter); k-- > 0;) {
    count += at<Bound>(filter).layer(k).trace().statistics().doubling_count;
  }
  return count;
}
inline void describe_layer(Address filter, std::uint32_t layer) {
  const auto& it = at<Bound>(filter).layer(layer);
  put_results(Layer{.sizes = sizes_of(it.params()),
                    .size = static_cast<double>(it.size()),
                    .load_factor = it.load_factor(),
                    .false_positive_rate = it.expected_false_positive_rate()});
}
inline void read_counts(Address filter, std::uint32_t layer) {
  put_results(counts_of(at<Bound>(filter).layer(layer).trace().statistics()));
}

/// Keeps why a step of the loading failed, if it did, and then nothing else of it.
inline bool succeeded(Error error) {
  last = {error, Field::none};
  if (error != Error::none) loader.reset();
  return error == Error::none;
}

/// Takes the filter's header from the scratch buffer.
inline bool begin_load(std::uint32_t head_bytes, double total_bytes, double max_bytes, bool has_secret) {
  const SecretKey secret = scratch_secret();
  auto result = BoundLoader::begin(scratch_bytes(head_bytes), saturated<std::uint64_t>(total_bytes),
                                   saturated<std::uint64_t>(max_bytes), has_secret ? &secret : nullptr);
  if (!succeeded(result)) return false;
  loader.emplace(std::move(*result));
  return true;
}
inline bool has_more_layers() { return loader->has_more(); }
/// Takes a layer's header from the scratch buffer; 0, or the bytes of its payload and 1.
inline double begin_layer(std::uint32_t head_bytes) {
  if (!succeeded(loader->begin_layer(scratch_bytes(head_bytes)))) return 0;
  return 1 + static_cast<double>(loader->table().size());
}
inline Address table_of_layer() { return address_of(loader->table().data()); }
/// Takes the layer's checksum from the scratch buffer.
inline bool finish_layer() { return succeeded(loader->finish_layer(load_word(scratch.bytes))); }

}  // namespace objects
