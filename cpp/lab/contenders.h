// The filters of the evaluation (Fan et al. 2014, section 7) behind one interface, made as in the paper: with the same
// memory. Invariant: a call takes many keys, and inside it nothing is virtual; every contender hashes each key with
// XXH64 in the same loop, as the paper's hash each with CityHash.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lab/binary_fuse.h"
#include "lab/blocked_bloom.h"
#include "lab/bloom.h"
#include "lab/counting_bloom.h"
#include "lab/cuckoo.h"
#include "lab/d_left.h"
#include "lab/filter.h"
#include "lab/quotient.h"

namespace lab {

/// In the order of the paper's Table 3, then those that it does not have. `planned` is this library's filter with
/// everything that the paper's does not have: any bucket count, fractional bits, planned for the keys and the rate of
/// the Bloom filter.
enum class Kind : std::uint8_t {
  cuckoo,
  semi_sorted,
  bloom,
  blocked_bloom,
  quotient,
  d_left,
  planned,
  split_block_bloom,
  counting_bloom,
  binary_fuse,
};
inline constexpr std::array<const char*, 10> kNames = {
    "CF", "ss-CF", "BF", "blk-BF", "QF", "dl-CBF", "planned CF", "split block BF", "CBF", "binary fuse"};

/// Bytes of the table's unit: tables of powers of two with 12 bits a slot or less have this many, times 2^n.
inline constexpr std::uint64_t kBytesPerBucket = 6;
/// Bits per key of the Bloom filters, as in the paper: k is 9.
inline constexpr double kBloomBits = 13;

class Contender {
 public:
  virtual ~Contender() = default;
  Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;

  /// How many of the keys were inserted, in order, until one was refused.
  virtual std::uint64_t insert(std::span<const std::uint64_t> keys) = 0;
  /// How many of the keys are found.
  [[nodiscard]] virtual std::uint64_t find(std::span<const std::uint64_t> keys) const = 0;
  /// How many of the keys were erased; 0 if the filter cannot.
  virtual std::uint64_t erase(std::span<const std::uint64_t> keys) = 0;
  [[nodiscard]] virtual bool can_erase() const = 0;
  /// False if it is built from all keys at once, by the only call of `insert`.
  [[nodiscard]] virtual bool can_grow() const = 0;
  /// Appends what a lookup of `key` reads, as pairs of first byte and bytes. Returns whether the key is found.
  virtual bool watch(std::uint64_t key, std::vector<std::pair<std::uint64_t, std::uint32_t>>& reads) const = 0;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  [[nodiscard]] virtual std::uint64_t capacity() const = 0;
  [[nodiscard]] virtual std::uint64_t byte_count() const = 0;
  [[nodiscard]] virtual double expected_rate() const = 0;
};

inline Hash hash_of(std::uint64_t key) { return cuckoo::detail::xxh64_of_integer(key, 0); }

/// A filter as a contender.
template <Filter F>
class ContenderOf : public Contender {
 public:
  explicit ContenderOf(F filter) : filter_(std::move(filter)) {}

  std::uint64_t insert(std::span<const std::uint64_t> keys) override {
    std::uint64_t done = 0;
    if constexpr (GrowingSet<F>) {
      while (done < keys.size() && filter_.insert(hash_of(keys[done]))) ++done;
    }
    return done;
  }
  [[nodiscard]] std::uint64_t find(std::span<const std::uint64_t> keys) const override {
    std::uint64_t found = 0;
    for (const std::uint64_t key : keys) found += filter_.contains(hash_of(key)) ? 1 : 0;
    return found;
  }
  std::uint64_t erase(std::span<const std::uint64_t> keys) override {
    std::uint64_t erased = 0;
    if constexpr (ErasingSet<F>) {
      for (const std::uint64_t key : keys) erased += filter_.erase(hash_of(key)) ? 1 : 0;
    }
    return erased;
  }
  [[nodiscard]] bool can_erase() const override { return ErasingSet<F>; }
  [[nodiscard]] bool can_grow() const override { return GrowingSet<F>; }
  bool watch(std::uint64_t key, std::vector<std::pair<std::uint64_t, std::uint32_t>>& reads) const override {
    return filter_.look_up(hash_of(key),
                           [&](std::uint64_t byte, std::uint32_t bytes) { reads.emplace_back(byte, bytes); });
  }
  [[nodiscard]] std::uint64_t size() const override { return filter_.size(); }
  [[nodiscard]] std::uint64_t capacity() const override { return filter_.capacity(); }
  [[nodiscard]] std::uint64_t byte_count() const override { return filter_.byte_count(); }
  [[nodiscard]] double expected_rate() const override { return filter_.expected_rate(); }

 private:
  F filter_;
};

/// The fuse filter, which is built by the first insert.
class FuseContender : public Contender {
 public:
  explicit FuseContender(std::uint64_t capacity, std::uint32_t fingerprint_bits)
      : capacity_(capacity), fingerprint_bits_(fingerprint_bits) {}

  std::uint64_t insert(std::span<const std::uint64_t> keys) override {
    if (built_) return 0;
    std::vector<Hash> hashes;
    hashes.reserve(keys.size());
    for (const std::uint64_t key : keys) hashes.push_back(hash_of(key));
    Result<BinaryFuseFilter> filter = BinaryFuseFilter::build(hashes, fingerprint_bits_);
    if (!filter) return 0;
    built_ = std::make_unique<ContenderOf<BinaryFuseFilter>>(std::move(*filter));
    return keys.size();
  }
  [[nodiscard]] std::uint64_t find(std::span<const std::uint64_t> keys) const override {
    return built_ ? built_->find(keys) : 0;
  }
  std::uint64_t erase(std::span<const std::uint64_t>) override { return 0; }
  [[nodiscard]] bool can_erase() const override { return false; }
  [[nodiscard]] bool can_grow() const override { return false; }
  bool watch(std::uint64_t key, std::vector<std::pair<std::uint64_t, std::uint32_t>>& reads) const override {
    return built_ && built_->watch(key, reads);
  }
  [[nodiscard]] std::uint64_t size() const override { return built_ ? built_->size() : 0; }
  [[nodiscard]] std::uint64_t capacity() const override { return capacity_; }
  [[nodiscard]] std::uint64_t byte_count() const override { return built_ ? built_->byte_count() : 0; }
  [[nodiscard]] double expected_rate() const override { return built_ ? built_->expected_rate() : 0; }

 private:
  std::uint64_t capacity_;
  std::uint32_t fingerprint_bits_;
  std::unique_ptr<Contender> built_;
};

template <class F>
std::unique_ptr<Contender> contender_of(Result<F> filter) {
  return filter ? std::make_unique<ContenderOf<F>>(std::move(*filter)) : nullptr;
}

/// The contender in tables of 2^`log2_buckets` buckets of four slots of 12 bits, as the paper's, or of as many bytes:
/// 192 MB for 25. Null if memory is short. Of `planned`, which takes fewer bytes, the keys are those of the Bloom
/// filter.
inline std::unique_ptr<Contender> make_contender(Kind kind, std::uint32_t log2_buckets) {
  const std::uint64_t bytes = kBytesPerBucket << log2_buckets;
  const auto bloom_keys = static_cast<std::uint64_t>(8 * static_cast<double>(bytes) / kBloomBits);
  cuckoo::Params params;
  params.bucket_count = std::uint64_t{1} << log2_buckets;
  params.addressing = cuckoo::Addressing::xor_power_of_two;
  params.capacity = params.bucket_count * 4 * 95 / 100;
  switch (kind) {
    case Kind::cuckoo:
      return contender_of(CuckooFilter::create(params));
    case Kind::semi_sorted:
      params.fingerprint_bits = 13;  // of which a slot takes 12
      params.storage = cuckoo::Storage::semi_sorted;
      return contender_of(CuckooFilter::create(params));
    case Kind::planned: {
      cuckoo::Request request;
      request.capacity = bloom_keys;
      request.false_positive_rate =
          bloom_rate(8 * static_cast<double>(bytes), best_hash_count(kBloomBits), static_cast<double>(bloom_keys));
      const Result<cuckoo::Params> planned = cuckoo::plan(request);
      return planned ? contender_of(CuckooFilter::create(*planned)) : nullptr;
    }
    case Kind::bloom:
      return contender_of(BloomFilter::create(bloom_keys, kBloomBits));
    case Kind::blocked_bloom:
      return contender_of(BlockedBloomFilter::create(bloom_keys, kBloomBits));
    case Kind::split_block_bloom:
      return contender_of(SplitBlockBloomFilter::create(bloom_keys, kBloomBits));
    case Kind::counting_bloom:
      return contender_of(CountingBloomFilter::create(bloom_keys / CountingBloomFilter::kCounterBits,
                                                      kBloomBits * CountingBloomFilter::kCounterBits));
    case Kind::quotient:
      return contender_of(QuotientFilter::create(log2_buckets + 2, 9));
    case Kind::d_left:
      // 11 bits of remainder and one that says that the cell is in use: the rate nearest the paper's.
      return contender_of(DLeftCountingBloomFilter::create((std::uint64_t{1} << log2_buckets) / 4, 11, 1));
    case Kind::binary_fuse:
      return std::make_unique<FuseContender>(bloom_keys, 9);  // about the rate of the Bloom filter
  }
  return nullptr;
}

}  // namespace lab
