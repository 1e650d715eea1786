// Many threads read a filter at once, amid a doubling or a building. Compiled with ThreadSanitizer by readers.cmake: it
// ends with an error if any `const` call writes. Returns 1 if an answer is wrong.
#include <cstdint>
#include <thread>
#include <vector>

#include "cuckoo/cuckoo.h"

namespace {

using namespace cuckoo;
using namespace cuckoo::detail;

/// Everything that a reader may call.
bool is_read_right(const Filter& filter, std::uint64_t keys, const std::vector<std::uint8_t>& expected) {
  std::vector<Hash> hashes;
  for (std::uint64_t key = 0; key < keys; ++key) hashes.push_back(filter.hash(key));
  std::vector<std::uint8_t> found(hashes.size());
  filter.contains_many(hashes, found);
  bool is_right = true;
  for (std::uint64_t key = 0; key < keys; ++key) {
    is_right &= found[key] == 1 && filter.contains(key) && filter.count(key) > 0;
  }
  Filter into = std::move(*Filter::create(grown(filter.params())));
  const auto merged = merge(into, filter);
  is_right &= merged && *merged == InsertOutcome::inserted && into.size() == keys;
  const Result<Filter> copy = filter.clone();
  is_right &= filter == *copy;
  is_right &= filter.load_factor() > 0 &&
              Access::entries(filter).buckets().table().bucket_count() == filter.params().bucket_count;
  return is_right && save(filter) == expected && save(*copy) == expected;
}

bool are_readers_right(const Filter& filter, std::uint64_t keys, const std::vector<std::uint8_t>& expected) {
  bool is_right[4] = {};
  std::vector<std::thread> readers;
  for (bool& it : is_right) readers.emplace_back([&] { it = is_read_right(filter, keys, expected); });
  for (std::thread& reader : readers) reader.join();
  return is_right[0] && is_right[1] && is_right[2] && is_right[3];
}

bool is_right_amid_a_doubling(Storage storage) {
  Params params;
  params.bucket_count = 1000;
  params.fingerprint_bits = 12;
  params.storage = storage;
  params.reserved_bits = 2;
  params.capacity = 15'000;
  params.tuning.buckets_per_call = 64;
  Filter filter = std::move(*Filter::create(params));
  std::uint64_t keys = 0;
  while (!Access::entries(filter).has_work()) (void)filter.insert(keys++);
  Filter settled = std::move(*filter.clone());
  Access::entries(settled).finish_work();
  return are_readers_right(filter, keys, save(settled)) && Access::entries(filter).has_work();
}

bool is_right_amid_a_building() {
  Filter filter = std::move(*Filter::create(*plan({.capacity = 2000, .false_positive_rate = 0.01})));
  if (!Access::entries(filter).begin_encoding(2000)) return false;
  Filter settled = std::move(*filter.clone());
  for (std::uint64_t key = 0; key < 1500; ++key) {
    (void)filter.insert(key);
    (void)settled.insert(key);
  }
  return are_readers_right(filter, 1500, save(settled));
}

}  // namespace

int main() {
  const bool is_right = is_right_amid_a_doubling(Storage::plain) && is_right_amid_a_doubling(Storage::semi_sorted) &&
                        is_right_amid_a_building();
  return is_right ? 0 : 1;
}
