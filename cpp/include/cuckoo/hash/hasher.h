// SPDX-License-Identifier: MIT
// Keys to hashes, with the algorithm that a filter was made with: XXH64 under a seed, or SipHash-1-3 under a secret
// key. Invariant: the algorithm is chosen here and nowhere else; the secret leaves the object only for the
// hashes that `with` makes, and into the memory of a filter that threads share.
#pragma once

#include <algorithm>
#include <cassert>
#include <concepts>
#include <iterator>
#include <span>
#include <string_view>
#include <type_traits>

#include "cuckoo/detail/bits.h"
#include "cuckoo/detail/hash/xxh64.h"
#include "cuckoo/hash/hash.h"
#include "cuckoo/hash/siphash.h"
#include "cuckoo/params.h"

namespace cuckoo {

namespace detail {

// Bytes are hashed out of line, so that each algorithm has one body, whoever calls it. An integer's XXH64 is short, and
// inlined.

/// XXH64 of a key.
struct Xxh64 {
  std::uint64_t seed = 0;

  [[gnu::noinline]] Hash operator()(std::span<const std::uint8_t> key) const { return xxh64(key, seed); }
  Hash operator()(std::uint64_t key) const { return xxh64_of_integer(key, seed); }
};

/// SipHash-1-3 of a key, with the secret of a `Hasher`.
struct SipHash13 {
  const SecretKey& secret;

  [[gnu::noinline]] Hash operator()(std::span<const std::uint8_t> key) const {
    SipHash<1, 3> hash(secret);
    hash.update(key);
    return hash.finish();
  }
  Hash operator()(std::uint64_t key) const { return of_integer(secret, key); }

 private:
  // Inlined, it would give every lookup a stack frame.
  [[gnu::noinline]] static Hash of_integer(const SecretKey& secret, std::uint64_t key) {
    std::uint8_t bytes[8];
    store_word(bytes, key);
    return SipHash13{secret}(std::span<const std::uint8_t>(bytes));
  }
};

}  // namespace detail

/// Hashes the keys of one filter.
class Hasher {
 public:
  explicit Hasher(std::uint64_t seed = 0) : words_{seed, 0} {}
  explicit Hasher(const SecretKey& secret) : words_(secret), is_keyed_(true) {}

  /// The hasher of a filter with these parameters. Requires that parameters and secret `fit`.
  Hasher(const Params& params, const SecretKey* secret) : Hasher(params.seed) {
    assert(fit(params, secret));
    if (secret != nullptr) *this = Hasher(*secret);
  }
  /// Whether a secret is given exactly if `params.hash` needs one.
  static bool fit(const Params& params, const SecretKey* secret) { return params.hash == algorithm(secret); }
  /// The algorithm of filters with this secret, or with none.
  static HashAlgorithm algorithm(const SecretKey* secret) {
    return secret == nullptr ? HashAlgorithm::xxh64 : HashAlgorithm::siphash_1_3;
  }

  /// Whether there is a secret key, and the seed if there is none.
  [[nodiscard]] bool is_keyed() const { return is_keyed_; }
  [[nodiscard]] std::uint64_t seed() const { return is_keyed_ ? 0 : words_.low; }

  /// Whether both give every key the same hash.
  bool operator==(const Hasher&) const = default;

  /// `use(hash)`, where `hash` computes the hash of a key: the algorithm is chosen once, however many keys `use`
  /// hashes.
  template <class Use>
  decltype(auto) with(Use use) const {
    if (is_keyed_) [[unlikely]] {
      return use(detail::SipHash13{words_});
    }
    return use(detail::Xxh64{words_.low});
  }

  /// The hash of a key. A key that is already a hash is returned unchanged. Linear in the key's length.
  template <Key K>
  [[nodiscard]] Hash operator()(const K& key) const {
    if constexpr (std::same_as<K, Hash>) {
      return key;
    } else if constexpr (IntegerKey<K>) {
      return with([=](const auto& hash) { return hash(static_cast<std::uint64_t>(key)); });
    } else if constexpr (TextKey<K> && std::is_array_v<K>) {
      const char* const end = std::find(std::begin(key), std::end(key), '\0');
      return hash_bytes(std::string_view(key, static_cast<std::size_t>(end - key)));
    } else if constexpr (TextKey<K>) {
      return hash_bytes(std::string_view(key));
    } else {
      return hash_bytes(std::span(key));
    }
  }

  /// Takes a key in pieces, and gives the hash of the joined pieces.
  class Streaming {
   public:
    explicit Streaming(const Hasher& hasher = Hasher())
        : is_keyed_(hasher.is_keyed_), xxh64_(hasher.words_.low), siphash_(hasher.words_) {}
    void update(std::span<const std::uint8_t> piece) { is_keyed_ ? siphash_.update(piece) : xxh64_.update(piece); }
    [[nodiscard]] Hash finish() const { return is_keyed_ ? siphash_.finish() : xxh64_.finish(); }

   private:
    bool is_keyed_;
    detail::Xxh64Stream xxh64_;
    detail::SipHash<1, 3> siphash_;
  };

 private:
  [[nodiscard]] Hash hash_bytes(const auto& bytes) const {
    const std::span key(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    return with([=](const auto& hash) { return hash(key); });
  }

  SecretKey words_;  ///< the secret; without one, the seed and 0
  bool is_keyed_ = false;
};

}  // namespace cuckoo
