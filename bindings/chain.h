// What embind binds of filters without a largest size besides objects.h: their layers, one by one, and how they are
// loaded. Invariant: as there.
#pragma once

#include "objects.h"

namespace objects {

inline std::uint32_t layer_count(Address filter) { return at(filter).layer_count(); }
/// Layers and doublings there were: another number than before where anything has changed.
inline std::uint32_t changes(Address filter) {
  std::uint32_t count = layer_count(filter);
  for (std::uint32_t k = layer_count(filter); k-- > 0;) {
    count += at(filter).layer(k).trace().statistics().doubling_count;
  }
  return count;
}

/// Puts a number as a double into one of the exchange's words.
inline void put_at(std::size_t word, auto number) {
  const auto value = static_cast<double>(number);
  std::memcpy(&exchange.words[word], &value, sizeof value);
}

/// Puts what a chain's layers have together, or the last plan for address 0.
inline void describe(Address filter) {
  if (filter == 0) return put(planned);
  const Cuckoo& it = at(filter);
  put(it.first());
  put_at(0, it.capacity());
  put_at(1, it.bucket_count());
  put_at(10, it.byte_count());
  put_at(12, capacity_of_layers(it.first()));
  put_at(14, 1);  // sizes may still change
}

/// Puts a layer's parameters, and behind them its size, load factor and rate, in the order of js/src/scalable.ts.
inline void describe_layer(Address filter, std::uint32_t layer) {
  const auto& it = at(filter).layer(layer);
  put(it.params());
  put_at(15, it.size());
  put_at(16, it.load_factor());
  put_at(17, it.expected_false_positive_rate());
}

/// Puts the statistics of a layer.
inline void read_statistics(Address filter, std::uint32_t layer) { put(at(filter).layer(layer).trace().statistics()); }

/// Keeps why a step of the loading failed, if it did, and then nothing else of it.
inline bool succeeded(Error error) {
  last = {error, Field::none};
  if (error != Error::none) loader.reset();
  return error == Error::none;
}

/// Takes the chain's header from the exchange.
inline bool begin_load(std::uint32_t head_bytes, double total_bytes, double max_bytes, bool has_secret) {
  const SecretKey secret = exchanged_secret();
  auto result = ChainLoader<Tracing>::begin(exchanged_bytes(head_bytes), saturated<std::uint64_t>(total_bytes),
                                            saturated<std::uint64_t>(max_bytes), has_secret ? &secret : nullptr);
  if (!succeeded(result)) return false;
  loader.emplace(std::move(*result));
  return true;
}
inline bool has_more_layers() { return loader->has_more(); }
/// Takes a layer's header from the exchange; 0, or the bytes of its payload and 1.
inline double begin_layer(std::uint32_t head_bytes) {
  if (!succeeded(loader->begin_layer(exchanged_bytes(head_bytes)))) return 0;
  return 1 + static_cast<double>(loader->table().size());
}
inline Address table_of_layer() { return address_of(loader->table().data()); }
/// Takes the layer's checksum from the exchange.
inline bool finish_layer() { return succeeded(loader->finish_layer(load_word(exchange.bytes))); }
/// Takes the chain's checksum from the exchange.
inline Address finish_load() {
  const Address filter = keep(loader->finish(load_word(exchange.bytes)));
  loader.reset();
  return filter;
}

}  // namespace objects
