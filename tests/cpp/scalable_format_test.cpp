#include "cuckoo/scalable_format.h"

#include <gtest/gtest.h>

#include <vector>

#include "cases.h"
#include "random.h"

namespace cuckoo {
namespace {

using testing::Random;

template <class Saved>
std::vector<std::uint8_t> saved(const Saved& filter) {
  std::vector<std::uint8_t> bytes(saved_bytes(filter));
  save(filter, bytes);
  return bytes;
}

ScalableFilter<> filled(const Request& request, std::uint64_t keys, const SecretKey* secret = nullptr) {
  ScalableFilter<> filter = std::move(*ScalableFilter<>::create(*plan_layers(request), secret));
  for (std::uint64_t key = 0; key < keys; ++key) EXPECT_EQ(filter.insert(key), InsertOutcome::inserted);
  return filter;
}

/// The three numbers that a chain's checksum is of made to fit again.
void reseal(std::vector<std::uint8_t>& bytes) {
  StreamingHash hash;
  const auto header = read_chain_header(bytes);
  hash.update(std::span(bytes).first(kChainHeaderBytes));
  std::size_t at = kChainHeaderBytes;
  for (std::uint32_t k = 0; k < header->layer_count && at + kHeaderBytes < bytes.size(); ++k) {
    const std::uint64_t payload = format_detail::read_u64(bytes, at + format_detail::kAtPayloadBytes);
    at += kHeaderBytes + payload;
    if (at + 2 * kTrailerBytes > bytes.size()) return;
    hash.update(std::span(bytes).subspan(at, kTrailerBytes));
    at += kTrailerBytes;
  }
  format_detail::write_u64(bytes, bytes.size() - kTrailerBytes, static_cast<std::uint64_t>(hash.finish()));
}

TEST(ScalableFormat, AChainGoesOnFromItsSavedBytesAtAnySize) {
  for (const std::uint64_t most : {100u, 200u, 1600u}) {
    const Request request{.capacity = 100, .false_positive_rate = 0.01, .max_capacity = most};
    ScalableFilter<> filter = filled(request, 0), loaded = filled(request, 0);
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
      auto again = load_chain(bytes);
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
  ASSERT_TRUE(load_chain(bytes));
  ASSERT_GE(read_chain_header(bytes)->layer_count, 3u);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int bit : {0, 3, 7}) {
      auto changed = bytes;
      changed[at] = static_cast<std::uint8_t>(changed[at] ^ (1 << bit));
      ASSERT_FALSE(load_chain(changed)) << at;
    }
    ASSERT_FALSE(load_chain(std::span(bytes).first(at))) << at;
  }
  auto longer = bytes;
  longer.resize(bytes.size() + 1);
  EXPECT_EQ(load_chain(longer).error(), Error::cut_short);
  EXPECT_EQ(load_chain({}).error(), Error::not_a_filter);
  EXPECT_EQ(load_chain(saved(std::move(*Filter<>::create(testing::params_of(4, 4, 8))))).error(), Error::not_a_filter);
  EXPECT_EQ(load(bytes).error(), Error::not_a_filter);
}

TEST(ScalableFormat, LayersThatDoNotBelongTogetherAreInconsistent) {
  const ScalableFilter<> filter = filled({.capacity = 20, .max_capacity = 40}, 600);
  const auto bytes = saved(filter);
  const std::size_t first = saved_bytes(filter.layer(0)), second = saved_bytes(filter.layer(1));
  const auto error = [](std::vector<std::uint8_t> changed) {
    reseal(changed);
    const auto result = load_chain(changed);
    return result ? Error::none : result.error();
  };
  EXPECT_EQ(error(bytes), Error::none);
  // Another minor version, resealed, is one to come.
  auto changed = bytes;
  changed[9] = 3;
  EXPECT_EQ(error(changed), Error::none);
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
  std::rotate(changed.begin() + kChainHeaderBytes, changed.begin() + kChainHeaderBytes + static_cast<long>(first),
              changed.begin() + kChainHeaderBytes + static_cast<long>(first + second));
  EXPECT_EQ(error(changed), Error::inconsistent);
  // A layer of another chain, that differs in a parameter.
  const auto with_second_of = [&](const Request& request) {
    const ScalableFilter<> other = filled(request, 600);
    const auto others = saved(other.layer(1));
    std::vector<std::uint8_t> joined(bytes.begin(), bytes.begin() + static_cast<long>(kChainHeaderBytes + first));
    joined.insert(joined.end(), others.begin(), others.end());
    joined.insert(joined.end(), bytes.begin() + static_cast<long>(kChainHeaderBytes + first + second), bytes.end());
    format_detail::write_u64(joined, format_detail::kChainAtTotalBytes, joined.size());
    return error(joined);
  };
  EXPECT_EQ(with_second_of({.capacity = 20, .max_capacity = 40}), Error::none);
  EXPECT_EQ(with_second_of({.capacity = 20, .max_capacity = 40, .seed = 1}), Error::inconsistent);
  EXPECT_EQ(with_second_of({.capacity = 20, .max_capacity = 40, .max_kicks = 400}), Error::inconsistent);
  EXPECT_EQ(with_second_of({.capacity = 20, .false_positive_rate = 0.01, .max_capacity = 40}), Error::inconsistent);
  EXPECT_EQ(with_second_of({.capacity = 20, .max_capacity = 160}), Error::inconsistent);
  EXPECT_EQ(with_second_of({.capacity = 20, .max_capacity = 40, .semi_sort = false}), Error::inconsistent);
}

TEST(ScalableFormat, TablesPastTheLimitAndOtherKeysAreRefused) {
  const SecretKey secret{1, 2}, other{1, 3};
  const Request request{.capacity = 20, .max_capacity = 40, .hash = HashAlgorithm::siphash_1_3};
  const ScalableFilter<> filter = filled(request, 600, &secret);
  const auto bytes = saved(filter);
  const std::uint64_t tables = filter.byte_count();
  EXPECT_TRUE(load_chain(bytes, tables, &secret));
  EXPECT_EQ(load_chain(bytes, tables - 1, &secret).error(), Error::too_large);
  EXPECT_EQ(load_chain(bytes, 0, &secret).error(), Error::too_large);
  EXPECT_EQ(load_chain(bytes, tables, &other).error(), Error::wrong_key);
  EXPECT_EQ(load_chain(bytes).error(), Error::wrong_key);
  const ScalableFilter<> loaded = std::move(*load_chain(bytes, tables, &secret));
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
    if (round % 2 == 0 && read_chain_header(bytes)) reseal(bytes);
    auto chain = load_chain(bytes, 1 << 16);
    if (!chain) continue;
    ++sound;
    ASSERT_EQ(load_chain(saved(*chain))->size(), chain->size());
    for (std::uint64_t key = 1000; key < 1040; ++key) {
      if (chain->insert(key) == InsertOutcome::inserted) {
        ASSERT_TRUE(chain->contains(key));
      }
    }
  }
  EXPECT_GT(sound, 5u);
}

}  // namespace
}  // namespace cuckoo
