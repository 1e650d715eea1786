// Replays the fuzz bodies over their stored corpus, and over random inputs with a fixed seed.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "../../fuzz/format.h"
#include "../../fuzz/kinds.h"
#include "../../fuzz/operations.h"
#include "long_run.h"
#include "random.h"

namespace cuckoo::testing {

using namespace detail;
namespace {

std::vector<std::uint8_t> read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class Body>
int replay(const char* name, Body body) {
  const auto archive = read(std::filesystem::path(CORPUS) / name);
  int inputs = 0;
  for (std::size_t at = 0; at < archive.size(); ++inputs) {
    // Each input stands behind its length (scripts/fuzz.mjs).
    std::uint32_t length = 0;
    for (int i = 0; i < 4; ++i) length |= std::uint32_t{archive.at(at++)} << (8 * i);
    const auto begin = archive.begin() + static_cast<std::ptrdiff_t>(at);
    body(std::vector<std::uint8_t>(begin, begin + static_cast<std::ptrdiff_t>(length)));
    at += length;
  }
  return inputs;
}

std::vector<std::uint8_t> random_input(Random& random, std::size_t longest) {
  std::vector<std::uint8_t> input(random.below(longest));
  for (auto& byte : input) byte = static_cast<std::uint8_t>(random.next());
  return input;
}

TEST(Fuzz, EveryStoredSequenceOfOperationsAgreesWithAMultiset) {
  EXPECT_GT(replay("operations.bin", fuzz_operations), 0);
}

TEST(Fuzz, RandomSequencesOfOperationsAgreeWithAMultiset) {
  Random random(11);
  for (int round = 0; round < testing::runs(200, 800); ++round) fuzz_operations(random_input(random, 600));
}

TEST(Fuzz, EveryStoredSequenceOnFiltersOfOtherKindsAgreesWithItsModel) {
  EXPECT_GT(replay("kinds.bin", fuzz_kinds), 0);
}

TEST(Fuzz, RandomSequencesOnFiltersOfOtherKindsAgreeWithTheirModels) {
  Random random(14);
  for (int round = 0; round < testing::runs(200, 800); ++round) fuzz_kinds(random_input(random, 600));
}

TEST(Fuzz, EveryStoredByteStringGivesAnErrorOrASoundFilter) { EXPECT_GT(replay("format.bin", fuzz_format), 0); }

TEST(Fuzz, ChangedFiltersGiveAnErrorOrASoundFilter) {
  Random random(12);
  std::vector<std::vector<std::uint8_t>> files;
  replay("format.bin", [&](std::vector<std::uint8_t> bytes) { files.push_back(std::move(bytes)); });
  for (int round = 0; round < 4000; ++round) {
    auto bytes = files[random.below(files.size())];
    for (std::uint64_t changes = random.below(4); changes > 0 && !bytes.empty(); --changes) {
      bytes[random.below(bytes.size())] = static_cast<std::uint8_t>(random.next());
    }
    if (bytes.size() > detail::kAtSparedQuarters && round % 2 == 0) {
      bytes[detail::kAtSparedQuarters] = static_cast<std::uint8_t>(random.next() | 0xFC);
    }
    if (bytes.size() > detail::kAtMustUnderstand + 1 && round % 4 == 1) {
      bytes[detail::kAtMustUnderstand + 1] = 0xFF;
      if (round % 8 == 1) bytes[detail::kAtSparedQuarters] = static_cast<std::uint8_t>(random.next() % 64);
    }
    fuzz_format(bytes);
  }
}

TEST(Fuzz, ChangedChainsGiveAnErrorOrASoundChain) {
  Random random(13);
  const auto chain = read(std::filesystem::path(CONFORMANCE) / "files" / "layers.bin");
  ASSERT_TRUE(load_scalable(chain));
  for (int round = 0; round < 3000; ++round) {
    auto bytes = chain;
    for (std::uint64_t changes = random.below(4); changes > 0; --changes) {
      // Half of them in the headers.
      const std::uint64_t at = random.below(random.below(2) == 0 ? bytes.size() : kScalableHeaderBytes + kHeaderBytes);
      bytes[at] = static_cast<std::uint8_t>(random.next());
    }
    if (round % 2 == 0) bytes[detail::kScalableAtMinor] = 0xFF;
    fuzz_format(bytes);
  }
}

}  // namespace
}  // namespace cuckoo::testing
