#include "cuckoo/format/scalable_format.h"

#include <gtest/gtest.h>

#include <vector>

#include "cases.h"
#include "random.h"
#include "saved.h"

namespace cuckoo {

using namespace detail;
namespace {

using testing::Random;
using testing::saved;

ScalableFilter filled(const Request& request, std::uint64_t keys, const SecretKey* secret = nullptr) {
  ScalableFilter filter = std::move(*ScalableFilter::create(*plan_scalable(request), secret));
  for (std::uint64_t key = 0; key < keys; ++key) EXPECT_EQ(filter.insert(key), InsertOutcome::inserted);
  return filter;
}

/// The three numbers that a chain's checksum is of made to fit again.
void reseal(std::vector<std::uint8_t>& bytes) {
  Xxh64Stream hash;
  const auto header = read_scalable_header(bytes);
  if (!header) return;
  hash.update(std::span(bytes).first(kScalableHeaderBytes));
  std::size_t at = kScalableHeaderBytes;
  for (std::uint32_t k = 0; k < header->layer_count && at + kHeaderBytes < bytes.size(); ++k) {
    const std::uint64_t payload = load_word(&bytes[at + detail::kAtPayloadBytes]);
    at += kHeaderBytes + payload;
    if (at + 2 * kTrailerBytes > bytes.size()) return;
    hash.update(std::span(bytes).subspan(at, kTrailerBytes));
    at += kTrailerBytes;
  }
  store_word(&bytes[bytes.size() - kTrailerBytes], static_cast<std::uint64_t>(hash.finish()));
}

TEST(ScalableFormat, AChainGoesOnFromItsSavedBytesAtAnySize) {
  for (const std::uint64_t most : {100u, 200u, 1600u}) {
    const Request request{.capacity = 100, .false_positive_rate = 0.01, .max_capacity = most};
    ScalableFilter filter = filled(request, 0), loaded = filled(request, 0);
    Random random(most);
    std::vector<Hash> keys;
    std::uint32_t layers = 1;
    for (int i = 0; i < 20'000; ++i) {
      if (i / 4000 % 2 == 0 || random.below(8) == 0) {
        keys.push_back(Hash{random.next()});
        ASSERT_EQ(filter.insert(keys.back()), InsertOutcome::inserted);
        ASSERT_EQ(loaded.insert(keys.back()), InsertOutcome::inserted);
      } else if (!keys.empty()) {
        std::swap(keys[random.below(keys.size())], keys.back());
        ASSERT_TRUE(filter.erase(keys.back()));
        ASSERT_TRUE(loaded.erase(keys.back()));
        keys.pop_back();
      }
      layers = std::max(layers, filter.layer_count());
      if (i % 500 != 0) continue;
      const auto bytes = saved(filter);
      ASSERT_EQ(saved(loaded), bytes);
      auto again = load_scalable(bytes);
      ASSERT_TRUE(again) << static_cast<int>(again.error());
      loaded = std::move(*again);
      ASSERT_EQ(saved(loaded), bytes);
      for (const Hash key : keys) ASSERT_TRUE(loaded.contains(key));
    }
    EXPECT_GE(layers, 2u);
  }
}

TEST(ScalableFormat, EveryChangedByteAndEveryLengthGivesAnError) {
  const auto bytes = saved(filled({.capacity = 20, .max_capacity = 40}, 600));
  ASSERT_TRUE(load_scalable(bytes));
  ASSERT_GE(read_scalable_header(bytes)->layer_count, 3u);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int bit : {0, 3, 7}) {
      auto changed = bytes;
      changed[at] = static_cast<std::uint8_t>(changed[at] ^ (1 << bit));
      ASSERT_FALSE(load_scalable(changed)) << at;
    }
    ASSERT_FALSE(load_scalable(std::span(bytes).first(at))) << at;
  }
  auto longer = bytes;
  longer.resize(bytes.size() + 1);
  EXPECT_EQ(load_scalable(longer).error(), Error::cut_short);
  EXPECT_EQ(load_scalable({}).error(), Error::not_a_filter);
  EXPECT_EQ(load_scalable(saved(std::move(*Filter::create(testing::params_of(4, 4, 8))))).error(), Error::not_a_filter);
  EXPECT_EQ(load(bytes).error(), Error::not_a_filter);
}

TEST(ScalableFormat, LayersThatDoNotBelongTogetherAreInconsistent) {
  const ScalableFilter filter = filled({.capacity = 20, .max_capacity = 40}, 600);
  const auto bytes = saved(filter);
  const std::size_t first = saved_bytes(filter.layer(0)), second = saved_bytes(filter.layer(1));
  const auto error = [](std::vector<std::uint8_t> changed) {
    reseal(changed);
    const auto result = load_scalable(changed);
    return result ? Error::none : result.error();
  };
  EXPECT_EQ(error(bytes), Error::none);
  // Another minor version, resealed, is one to come.
  auto changed = bytes;
  changed[9] = 3;
  EXPECT_EQ(error(changed), Error::none);
  changed = bytes;
  changed[8] = 2;
  EXPECT_EQ(error(changed), Error::unsupported_version);
  EXPECT_EQ(load_scalable(std::span(changed).first(9)).error(), Error::unsupported_version);
  for (const std::uint8_t count : std::initializer_list<std::uint8_t>{0, 1, 2, 18, 255}) {
    changed = bytes;
    changed[12] = count;
    EXPECT_NE(error(changed), Error::none) << int{count};
  }
  for (const std::uint8_t doublings : std::initializer_list<std::uint8_t>{0, 2, 3, 31, 33, 64, 255}) {
    changed = bytes;
    changed[13] = doublings;
    EXPECT_EQ(error(changed), Error::inconsistent) << int{doublings};
  }
  for (const std::size_t at : {10, 11}) {
    changed = bytes;
    changed[at] = 1;
    EXPECT_EQ(error(changed), Error::unsupported_version);
  }
  for (const std::size_t at : {14, 15}) {
    changed = bytes;
    changed[at] = 1;
    EXPECT_EQ(error(changed), Error::inconsistent);
  }
  // The layers the other way round.
  changed = bytes;
  std::rotate(changed.begin() + kScalableHeaderBytes, changed.begin() + kScalableHeaderBytes + static_cast<long>(first),
              changed.begin() + kScalableHeaderBytes + static_cast<long>(first + second));
  EXPECT_EQ(error(changed), Error::inconsistent);
  // A layer of another chain, that differs in a parameter.
  const auto with_second_of = [&](const Request& request) {
    const ScalableFilter other = filled(request, 600);
    const auto others = saved(other.layer(1));
    std::vector<std::uint8_t> joined(bytes.begin(), bytes.begin() + static_cast<long>(kScalableHeaderBytes + first));
    joined.insert(joined.end(), others.begin(), others.end());
    joined.insert(joined.end(), bytes.begin() + static_cast<long>(kScalableHeaderBytes + first + second), bytes.end());
    store_word(&joined[detail::kScalableAtTotalBytes], joined.size());
    return error(joined);
  };
  EXPECT_EQ(with_second_of({.capacity = 20, .max_capacity = 40}), Error::none);
  EXPECT_EQ(with_second_of({.capacity = 20, .max_capacity = 40, .seed = 1}), Error::inconsistent);
  EXPECT_EQ(with_second_of({.capacity = 20, .false_positive_rate = 0.01, .max_capacity = 40}), Error::inconsistent);
  EXPECT_EQ(with_second_of({.capacity = 20, .max_capacity = 160}), Error::inconsistent);
  EXPECT_EQ(with_second_of({.capacity = 20, .max_capacity = 40, .semi_sort = false}), Error::inconsistent);
}

TEST(ScalableFormat, ALayerOfMoreKeysThanGoIntoItIsInconsistent) {
  const Params first = *plan_scalable({.capacity = 20, .max_capacity = 40});
  const Params second = *layer_params(first, 1);
  for (const std::uint64_t excess : {0u, 1u}) {
    Filter oldest = std::move(*Filter::create(first)), newest = std::move(*Filter::create(second));
    for (std::uint64_t key = 0; key < layer_capacity(first, 0); ++key) {
      ASSERT_EQ(oldest.insert(key), InsertOutcome::inserted);
    }
    for (std::uint64_t key = 0; key < layer_capacity(second, 1) + excess; ++key) {
      ASSERT_EQ(newest.insert(key), InsertOutcome::inserted);
    }
    ScalableFilter chain = std::move(*Access::with_layer<ScalableFilter>(first, std::move(oldest)));
    ASSERT_TRUE(Access::push(chain, std::move(newest)));
    const auto loaded = load_scalable(saved(chain));
    EXPECT_EQ(loaded ? Error::none : loaded.error(), excess == 0 ? Error::none : Error::inconsistent);
  }
}

TEST(ScalableFormat, LayersThatDifferInAnyParameterAreInconsistent) {
  const SecretKey secret{1, 2};
  Params first;
  first.bucket_count = 16;
  first.capacity = 64;
  first.addressing = Addressing::xor_power_of_two;
  first.fingerprint_bits = 12;
  first.reserved_bits = 1;
  const auto error_with = [&](auto change) {
    Params second = *layer_params(first, 1);
    change(second);
    EXPECT_EQ(invalid_field(second), Field::none);
    const bool is_keyed = second.hash == HashAlgorithm::siphash_1_3;
    ScalableFilter chain = std::move(*Access::with_layer<ScalableFilter>(first, std::move(*Filter::create(first))));
    EXPECT_TRUE(Access::push(chain, std::move(*Filter::create(second, is_keyed ? &secret : nullptr))));
    const auto loaded = load_scalable(saved(chain));
    return loaded ? Error::none : loaded.error();
  };
  EXPECT_EQ(error_with([](Params&) {}), Error::none);
  EXPECT_EQ(error_with([](Params& p) { --p.capacity; }), Error::inconsistent);
  EXPECT_EQ(error_with([](Params& p) { p.bucket_count *= 2; }), Error::inconsistent);
  EXPECT_EQ(error_with([](Params& p) { p.bucket_count *= 2, --p.reserved_bits; }), Error::none);  // it has doubled
  EXPECT_EQ(error_with([](Params& p) { p.bucket_count /= 2, ++p.reserved_bits; }), Error::inconsistent);
  EXPECT_EQ(error_with([](Params& p) { p.bucket_size = 5; }), Error::inconsistent);
  EXPECT_EQ(error_with([](Params& p) { ++p.fingerprint_bits; }), Error::inconsistent);
  EXPECT_EQ(error_with([](Params& p) { p.storage = Storage::semi_sorted; }), Error::inconsistent);
  EXPECT_EQ(error_with([](Params& p) { p.addressing = Addressing::reflect; }), Error::inconsistent);
  EXPECT_EQ(error_with([](Params& p) { ++p.seed; }), Error::inconsistent);
  EXPECT_EQ(error_with([](Params& p) { p.hash = HashAlgorithm::siphash_1_3; }), Error::inconsistent);
  first.storage = Storage::semi_sorted;
  first.spared_quarters = 1;
  EXPECT_EQ(error_with([](Params&) {}), Error::none);
  EXPECT_EQ(error_with([](Params& p) { ++p.spared_quarters; }), Error::inconsistent);
}

TEST(ScalableFormat, TheFirstLayerMustBeOneThatAChainBeginsWith) {
  Params first;
  first.bucket_count = 16;
  first.capacity = 64;
  first.fingerprint_bits = 12;
  const auto error_with = [&](std::uint8_t doublings) {
    ScalableFilter chain = std::move(*Access::with_layer<ScalableFilter>(first, std::move(*Filter::create(first))));
    auto bytes = saved(chain);
    bytes[detail::kScalableAtDoublings] = doublings;
    reseal(bytes);
    const auto loaded = load_scalable(bytes);
    return loaded ? Error::none : loaded.error();
  };
  EXPECT_EQ(error_with(0), Error::inconsistent);  // reflect
  first.addressing = Addressing::xor_power_of_two;
  EXPECT_EQ(error_with(0), Error::none);
  EXPECT_EQ(error_with(4), Error::none);          // one bucket that has doubled four times
  EXPECT_EQ(error_with(5), Error::inconsistent);  // half a bucket
  first.reserved_bits = 2;
  EXPECT_EQ(error_with(2), Error::none);
  EXPECT_EQ(error_with(1), Error::inconsistent);
  first.reserved_bits = 0;
  first.fingerprint_bits = 30;
  EXPECT_EQ(error_with(2), Error::none);
  EXPECT_EQ(error_with(3), Error::inconsistent);  // more bits than a slot has
}

TEST(ScalableFormat, ALoaderChecksTheLengthsBeforeItAllocates) {
  const auto bytes = saved(filled({.capacity = 20, .max_capacity = 40}, 600));
  const auto head = std::span(bytes).first(kScalableHeaderBytes);
  const auto error = [&](std::span<const std::uint8_t> begin, std::uint64_t total) {
    const auto loader = ScalableLoader<>::begin(begin, total);
    return loader ? Error::none : loader.error();
  };
  EXPECT_EQ(error(head, bytes.size()), Error::none);
  EXPECT_EQ(error(head, bytes.size() - 1), Error::cut_short);
  EXPECT_EQ(error(head, bytes.size() + 1), Error::cut_short);
  EXPECT_EQ(error(head.first(8), bytes.size()), Error::cut_short);
  const auto with_length = [&](std::uint32_t layers, std::uint64_t total) {
    const auto header = write_scalable_header({layers, 1, total});
    return error(header, total);
  };
  EXPECT_EQ(with_length(2, 24 + 2 * 80 + 8), Error::none);
  EXPECT_EQ(with_length(2, 24 + 2 * 80 + 7), Error::cut_short);
  EXPECT_EQ(with_length(kMaxLayers, 24 + kMaxLayers * 80 + 8), Error::none);
  EXPECT_EQ(with_length(kMaxLayers + 1, 24 + (kMaxLayers + 1) * 80 + 8), Error::inconsistent);
  EXPECT_EQ(with_length(0, 32), Error::inconsistent);
  // A layer longer than what is left.
  auto loader = ScalableLoader<>::begin(write_scalable_header({1, 1, 112}), 112);
  ASSERT_TRUE(loader);
  EXPECT_EQ(loader->begin_layer(std::span(bytes).subspan(kScalableHeaderBytes, kHeaderBytes)), Error::cut_short);
  // A second layer for which no bytes are left.
  auto one = saved(filled({.capacity = 200, .max_capacity = 200}, 1));
  ASSERT_GE(one.size(), kScalableHeaderBytes + 2 * (kHeaderBytes + kTrailerBytes) + kTrailerBytes);
  one[kScalableAtLayerCount] = 2;
  EXPECT_EQ(load_scalable(one).error(), Error::cut_short);
}

TEST(ScalableFormat, TablesPastTheLimitAndOtherKeysAreRefused) {
  const SecretKey secret{1, 2}, other{1, 3};
  const Request request{.capacity = 20, .max_capacity = 40, .hash = HashAlgorithm::siphash_1_3};
  const ScalableFilter filter = filled(request, 600, &secret);
  const auto bytes = saved(filter);
  const std::uint64_t tables = filter.byte_count();
  EXPECT_TRUE(load_scalable(bytes, tables, &secret));
  EXPECT_EQ(load_scalable(bytes, tables - 1, &secret).error(), Error::too_large);
  EXPECT_EQ(load_scalable(bytes, 0, &secret).error(), Error::too_large);
  EXPECT_EQ(load_scalable(bytes, tables, &other).error(), Error::wrong_key);
  EXPECT_EQ(load_scalable(bytes).error(), Error::wrong_key);
  const ScalableFilter loaded = std::move(*load_scalable(bytes, tables, &secret));
  for (std::uint64_t key = 0; key < 600; ++key) EXPECT_TRUE(loaded.contains(key));
}

TEST(ScalableFormat, AnyBytesGiveAnErrorOrASoundChain) {
  Random random(8);
  std::uint64_t sound = 0;
  for (int round = 0; round < 3000; ++round) {
    auto bytes = saved(filled({.capacity = 4, .max_capacity = 8}, random.below(40)));
    for (std::uint64_t changes = 1 + random.below(3); changes > 0; --changes) {
      bytes[random.below(bytes.size())] = static_cast<std::uint8_t>(random.next());
    }
    if (round % 2 == 0) reseal(bytes);
    auto chain = load_scalable(bytes, 1 << 16);
    if (!chain) continue;
    ++sound;
    ASSERT_EQ(load_scalable(saved(*chain))->size(), chain->size());
    for (std::uint64_t key = 1000; key < 1040; ++key) {
      if (chain->insert(key) == InsertOutcome::inserted) {
        ASSERT_TRUE(chain->contains(key));
      }
    }
  }
  EXPECT_GT(sound, 5u);
}

TEST(ScalableFormat, ALoadedChainWantsHugePagesUnlessAskedNotTo) {
  const auto bytes = saved(filled({.capacity = 20}, 10));
  EXPECT_TRUE(load_scalable(bytes)->first().tuning.wants_huge_pages);
}

TEST(ScalableFormat, AChangedPayloadOfAnyLayerIsDamaged) {
  const ScalableFilter filter = filled({.capacity = 20, .max_capacity = 40}, 600);
  const auto bytes = saved(filter);
  std::size_t at = kScalableHeaderBytes;
  for (std::uint32_t k = 0; k < filter.layer_count(); ++k) {
    auto changed = bytes;
    changed[at + kHeaderBytes + 1] ^= 1;
    EXPECT_EQ(load_scalable(changed).error(), Error::damaged) << k;
    at += saved_bytes(filter.layer(k));
  }
}

TEST(ScalableFormat, ALayerWithoutRoomForItsHeaderAndChecksumIsCutShort) {
  const ScalableFilter filter = filled({.capacity = 200}, 100);
  ASSERT_EQ(filter.layer_count(), 1u);
  for (std::size_t left = 0; left < kHeaderBytes + kTrailerBytes; ++left) {
    auto bytes = saved(filter);
    bytes.resize(bytes.size() + left);
    const auto header = write_scalable_header({2, filter.first().reserved_bits, bytes.size()});
    std::copy(header.begin(), header.end(), bytes.begin());
    ASSERT_EQ(load_scalable(bytes).error(), Error::cut_short) << left;
  }
}

}  // namespace
}  // namespace cuckoo
