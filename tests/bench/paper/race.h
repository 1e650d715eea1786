// The workloads that the library runs natively and in WebAssembly alike: 64-bit keys in a table of 2^n buckets of 4
// slots, as the paper's own code has them. Invariant: a workload returns nanoseconds a key and adds what it found to
// `found`, so that no compiler leaves the work out; making keys is not timed.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cuckoo/filters/filter.h"

/// Milliseconds since some moment; the platform's.
double now();

namespace race {

/// Keys whose buckets are looked up together, as in the package.
inline constexpr std::size_t kBatch = 4096;
inline constexpr std::size_t kAsked = 1 << 21;
inline constexpr double kLoad = 0.95;

/// The i-th key: a bijection that looks random (the finalizer of MurmurHash3, which is public domain).
inline std::uint64_t key(std::uint64_t i) {
  i = (i ^ (i >> 33)) * 0xFF51AFD7ED558CCDu;
  i = (i ^ (i >> 33)) * 0xC4CEB9FE1A85EC53u;
  return i ^ (i >> 33);
}

/// Keys 0 to n - 1, in blocks made before the clock starts: nanoseconds a key of `act(block)`.
template <class Act>
double in_blocks(std::uint64_t first, std::uint64_t n, Act act) {
  std::vector<std::uint64_t> block(16 * kBatch);
  double spent = 0;
  for (std::uint64_t done = 0; done < n; done += block.size()) {
    block.resize(static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), n - done)));
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = key(first + done + i);
    const double start = now();
    act(std::span<const std::uint64_t>(block));
    spent += now() - start;
  }
  return spent * 1e6 / static_cast<double>(n);
}

/// Keys to look up in a filter that holds the keys 0 to n - 1: half of them are there. Which ones is random, as a
/// branch predictor learns any order that repeats.
inline std::vector<std::uint64_t> asked_keys(std::uint64_t n) {
  std::vector<std::uint64_t> asked(kAsked);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const std::uint64_t random = key(~std::uint64_t{i});
    asked[i] = key(random >> 63 != 0 ? random % n : n + i);
  }
  return asked;
}

/// One filter of this library and the keys it is asked.
class Library {
 public:
  Library(std::uint32_t fingerprint_bits, std::uint32_t log2_buckets)
      : filter_(make(fingerprint_bits, log2_buckets)),
        n_(static_cast<std::uint64_t>(kLoad * 4 * static_cast<double>(filter_.params().bucket_count))),
        asked_(asked_keys(n_)) {}

  [[nodiscard]] std::uint64_t bytes() const { return cuckoo::detail::Access::entries(filter_).table().byte_count(); }
  [[nodiscard]] std::uint64_t found() const { return found_; }

  double insert() {
    filter_.clear();
    return in_blocks(0, n_, [&](std::span<const std::uint64_t> keys) {
      std::uint64_t inserted = 0;
      for (const std::uint64_t it : keys) inserted += filter_.insert(it) == cuckoo::InsertOutcome::inserted;
      found_ += inserted;
    });
  }
  double insert_many() {
    filter_.clear();
    return in_blocks(0, n_, [&](std::span<const std::uint64_t> keys) {
      hashed(keys,
             [&](std::span<const cuckoo::Hash> hashes, std::size_t) { found_ += filter_.insert_many(hashes).done; });
    });
  }
  double contains() {
    return each_asked([&] {
      std::uint64_t found = 0;
      for (const std::uint64_t it : asked_) found += filter_.contains(it);
      found_ += found;
    });
  }
  /// `contains` of hashes that are there.
  double contains_hash() {
    hashes_.clear();
    for (const std::uint64_t it : asked_) hashes_.push_back(filter_.hash(it));
    return each_asked([&] {
      std::uint64_t found = 0;
      for (const cuckoo::Hash it : hashes_) found += filter_.contains(it);
      found_ += found;
    });
  }
  double contains_many() {
    answers_.resize(asked_.size());
    return each_asked([&] {
      hashed(asked_, [&](std::span<const cuckoo::Hash> hashes, std::size_t first) {
        filter_.contains_many(hashes, std::span(answers_).subspan(first, hashes.size()));
      });
      found_ += answers_[n_ % answers_.size()];
    });
  }
  /// The bound: two random words of the table a key, and nothing else.
  double reads() {
    const std::uint8_t* bytes = cuckoo::detail::Access::entries(filter_).table().bytes().data();
    const std::uint64_t words = bytes_of_words() / 8;
    return each_asked([&] {
      std::uint64_t sum = 0;
      for (const std::uint64_t it : asked_) {
        sum += cuckoo::detail::load_word(bytes + 8 * (((it >> 32) * words) >> 32));
        sum += cuckoo::detail::load_word(bytes + 8 * (((it & 0xFFFFFFFFu) * words) >> 32));
      }
      found_ += sum;
    });
  }

 private:
  static cuckoo::Filter make(std::uint32_t fingerprint_bits, std::uint32_t log2_buckets) {
    cuckoo::Params params;
    params.bucket_size = 4;
    params.fingerprint_bits = fingerprint_bits;
    params.bucket_count = std::uint64_t{1} << log2_buckets;
    params.capacity = params.bucket_count * 4;
    return std::move(*cuckoo::Filter::create(params));
  }

  [[nodiscard]] std::uint64_t bytes_of_words() const { return bytes() & ~std::uint64_t{7}; }

  template <class Use>
  void hashed(std::span<const std::uint64_t> keys, Use use) {
    cuckoo::Hash hashes[kBatch];
    for (std::size_t first = 0; first < keys.size(); first += kBatch) {
      const std::size_t count = std::min(kBatch, keys.size() - first);
      filter_.hasher().with([&](const auto& hash) {
        for (std::size_t i = 0; i < count; ++i) hashes[i] = hash(keys[first + i]);
      });
      use(std::span<const cuckoo::Hash>(hashes, count), first);
    }
  }

  template <class Act>
  double each_asked(Act act) {
    const double start = now();
    act();
    return (now() - start) * 1e6 / static_cast<double>(asked_.size());
  }

  cuckoo::Filter filter_;
  std::uint64_t n_;
  std::vector<std::uint64_t> asked_;
  std::vector<cuckoo::Hash> hashes_;
  std::vector<std::uint8_t> answers_;
  std::uint64_t found_ = 0;
};

}  // namespace race
