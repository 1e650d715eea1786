// Checks that small planned tables hold their capacity: builds tables of every capacity up to 2,000 from random keys,
// more of them for small capacities, and counts those that refuse a key. Then it does the same with other options, and
// for filters with values. `small [builds [seed [last capacity]]]`: `builds` is the number of builds with default
// options; other kinds get a tenth.
// Invariant: exits with 1 if a plan fails clearly more often than is promised.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "../../cpp/support/random.h"
#include "cuckoo/filters/counting.h"
#include "cuckoo/filters/expiring.h"
#include "cuckoo/filters/filter.h"
#include "cuckoo/filters/value.h"
#include "cuckoo/plan.h"

namespace {

using cuckoo::Filter;
using cuckoo::Hash;
using cuckoo::Params;
using cuckoo::Request;

using Hashes = std::vector<Hash>;

/// How many of the hashes go into an empty filter of `params`.
using Build = std::function<std::size_t(const Hashes&)>;
using Builder = std::function<Build(const Params&)>;

constexpr std::uint32_t kValueBits = 4;  ///< of a counter, a value and 16 periods

/// Fills one filter again and again by `insert_all(filter, hashes)`.
template <class AnyFilter, class InsertAll>
Build refilling(AnyFilter filter, InsertAll insert_all) {
  const auto shared = std::make_shared<AnyFilter>(std::move(filter));
  return [=](const Hashes& hashes) mutable {
    shared->clear();
    return insert_all(*shared, hashes).done;
  };
}

Build plain(const Params& params) {
  return refilling(std::move(*Filter::create(params)), [](auto& it, const Hashes& all) { return it.insert_many(all); });
}
/// Begins with the first table each time.
Build growing(const Params& params) {
  return [=](const Hashes& hashes) { return Filter::create(params)->insert_many(hashes).done; };
}
Build counters(const Params& params) {
  const std::vector<std::uint32_t> ones(cuckoo::grown(params).capacity, 1);
  return refilling(std::move(*cuckoo::CountingFilter::create(params, kValueBits)),
                   [=](auto& it, const Hashes& all) { return it.insert_many(all, ones); });
}
Build values(const Params& params) {
  const std::vector<std::uint32_t> ones(params.capacity, 1);
  return refilling(std::move(*cuckoo::ValueFilter::create(params, kValueBits)),
                   [=](auto& it, const Hashes& all) { return it.insert_many(all, ones); });
}
Build periods(const Params& params) {
  return refilling(std::move(*cuckoo::ExpiringFilter::create(params, 1u << kValueBits)),
                   [is_new = std::vector<std::uint8_t>(params.capacity)](auto& it, const Hashes& all) mutable {
                     return it.insert_many_if_absent(all, is_new);
                   });
}

struct Shape {
  Params params;
  std::uint64_t builds = 0;
  std::uint64_t refused = 0;
  double excess = 0;  ///< share of bits above the smallest table of its layout that refuses in one build in a million
};

void build(Shape& shape, const Builder& builder, std::uint64_t seed) {
  const Build fill = builder(shape.params);
  cuckoo::testing::Random random(seed << 32 | shape.params.capacity);
  Hashes hashes(static_cast<std::size_t>(shape.params.capacity));
  for (std::uint64_t i = 0; i < shape.builds; ++i) {
    for (Hash& hash : hashes) hash = Hash{random.next()};
    shape.refused += fill(hashes) < hashes.size() ? 1 : 0;
  }
}

/// Calls `work(i)` for every i from 0 to `count` - 1, on all processors.
template <class Work>
void in_parallel(std::size_t count, Work work) {
  std::mutex mutex;
  std::size_t next = 0;
  const auto take = [&] {
    const std::scoped_lock lock(mutex);
    return next++;
  };
  std::vector<std::jthread> threads(std::max(1u, std::thread::hardware_concurrency()));
  for (std::jthread& thread : threads) {
    thread = std::jthread([&] {
      for (std::size_t i = take(); i < count; i = take()) work(i);
    });
  }
}

double excess_of(const Params& planned, double rate) {
  if (cuckoo::detail::fits_one_bucket(planned)) return 0;
  Params params = planned;
  const auto is_enough = [&] {
    return cuckoo::detail::is_safely_filled(params) &&
           cuckoo::detail::expected_obstructions(params) < cuckoo::detail::kMaxFailures &&
           cuckoo::false_positive_rate(params, params.capacity) <= rate;
  };
  const bool is_xor = params.addressing == cuckoo::Addressing::xor_power_of_two;
  const auto smaller = [&] { return is_xor ? params.bucket_count / 2 : params.bucket_count - 1; };
  std::uint64_t least = params.bucket_count;
  for (; is_enough() && params.bucket_count > 1; params.bucket_count = smaller()) least = params.bucket_count;
  return static_cast<double>(planned.bucket_count) / static_cast<double>(least) - 1;
}

struct Count {
  std::uint64_t builds = 0;
  std::uint64_t refused = 0;
  bool is_kept = true;
};

/// Prints each plan that refused a key, and the sums of all.
Count print(const char* name, const std::vector<Shape>& shapes) {
  Count all;
  double promised = 0, excess = 0, most = 0;
  for (const Shape& shape : shapes) {
    const Params& params = shape.params;
    const double own = cuckoo::detail::most_failures(params) * static_cast<double>(shape.builds);
    promised += cuckoo::detail::fits_one_bucket(params) ? 0 : own;
    excess += shape.excess / static_cast<double>(shapes.size());
    most = std::max(most, shape.excess);
    all.builds += shape.builds;
    all.refused += shape.refused;
    if (shape.refused == 0) continue;
    // Chance leaves some more than are promised.
    const bool is_kept = static_cast<double>(shape.refused) <= own + 5 * std::sqrt(own) + 3;
    all.is_kept &= is_kept;
    std::printf("  capacity %llu, %llu x %u slots of %.2f bits%s: %llu of %llu refused a key: %s\n",
                static_cast<unsigned long long>(params.capacity), static_cast<unsigned long long>(params.bucket_count),
                params.bucket_size, cuckoo::fingerprint_width(params),
                params.storage == cuckoo::Storage::plain ? "" : " semi-sorted",
                static_cast<unsigned long long>(shape.refused), static_cast<unsigned long long>(shape.builds),
                is_kept ? "kept" : "BROKEN");
  }
  std::printf(
      "%s: %llu tables of %zu plans, %llu refused a key, %.2f promised at most; bits %.2f %% more, at most %.0f %%\n",
      name, static_cast<unsigned long long>(all.builds), shapes.size(), static_cast<unsigned long long>(all.refused),
      promised, 100 * excess, 100 * most);
  std::fflush(stdout);
  return all;
}

/// Builds about `builds` tables for `request` over every capacity up to `last`, the smallest most often.
Count measure(const char* name, const Request& request, std::uint64_t builds, std::uint64_t seed, std::uint64_t last,
              const Builder& builder) {
  double sum = 0;
  for (std::uint64_t capacity = 1; capacity <= last; ++capacity) sum += 1 / static_cast<double>(capacity);
  std::vector<Shape> shapes;
  for (std::uint64_t capacity = 1; capacity <= last; ++capacity) {
    Request it = request;
    it.capacity = capacity;
    if (request.max_capacity) it.capacity = (*(it.max_capacity = capacity) + 15) / 16;
    const double each = static_cast<double>(builds) / sum / static_cast<double>(capacity);
    // Some capacities have no plan: no table of two slots a bucket reaches every rate.
    const auto params = cuckoo::plan(it);
    if (!params) continue;
    shapes.push_back({*params, static_cast<std::uint64_t>(std::ceil(each)), 0, 0});
    if (!request.max_capacity) shapes.back().excess = excess_of(*params, request.false_positive_rate);
  }
  // A table that takes every key need not be built.
  in_parallel(shapes.size(), [&](std::size_t i) {
    if (!cuckoo::detail::fits_one_bucket(shapes[i].params)) build(shapes[i], builder, seed);
  });
  return print(name, shapes);
}

}  // namespace

int main(int count, char** words) {
  const auto number = [&](int i, std::uint64_t otherwise) {
    return count > i ? std::strtoull(words[i], nullptr, 10) : otherwise;
  };
  const std::uint64_t builds = number(1, 10'000'000), seed = number(2, 1), last = number(3, 2'000);
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  Count all;
  const auto add = [&](const Count& more) {
    all = {all.builds + more.builds, all.refused + more.refused, all.is_kept && more.is_kept};
  };
  add(measure("default options", Request{}, builds, seed, last, plain));
  const auto other = [&](const char* name, auto change, const Builder& builder = plain) {
    Request request;
    change(request);
    add(measure(name, request, builds / 10, seed, last, builder));
  };
  other("rate 0.5", [](Request& it) { it.false_positive_rate = 0.5; });
  other("rate 0.03", [](Request& it) { it.false_positive_rate = 0.03; });
  other("rate 0.003", [](Request& it) { it.false_positive_rate = 0.003; });
  other("rate 0.00001", [](Request& it) { it.false_positive_rate = 0.00001; });
  const auto has_values = [](Request& it) { it.value_bits = kValueBits; };
  other("counters", has_values, counters);
  other("values", has_values, values);
  other("periods", has_values, periods);
  other(
      "growing 16-fold", [](Request& it) { it.max_capacity = 1; }, growing);
  other("not semi-sorted", [](Request& it) { it.semi_sort = false; });
  other("addressing by XOR", [](Request& it) { it.addressing = cuckoo::Addressing::xor_power_of_two; });
  for (std::uint32_t b = 2; b <= cuckoo::kMaxBucketSize; ++b) {
    char name[32];
    std::snprintf(name, sizeof name, "%u slots a bucket", b);
    other(name, [b](Request& it) { it.bucket_size = b; });
  }
  std::printf("all: %llu tables, %llu refused a key\n", static_cast<unsigned long long>(all.builds),
              static_cast<unsigned long long>(all.refused));
  return all.is_kept ? 0 : 1;
}
