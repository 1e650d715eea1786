// The golden files, which WebAssembly wrote: the native library reads them, and gives the same bytes,
// outcomes and trace when it does the same operations. See tests/golden/README.md.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <vector>

#include "cuckoo/filters/traced.h"
#include "cuckoo/format/format.h"
#include "long_run.h"

namespace cuckoo {

using namespace detail;
namespace {

struct Golden {
  std::string name;
  Params params;
  std::optional<SecretKey> secret;
  std::vector<std::string> operations;

  const SecretKey* given() const { return secret ? &*secret : nullptr; }
};

/// The bytes that hexadecimal digits stand for.
std::string bytes_of(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

SecretKey secret_of(const std::string& hex) {
  const std::string bytes = bytes_of(hex);
  SecretKey secret;
  std::memcpy(&secret.low, &bytes[0], 8);
  std::memcpy(&secret.high, &bytes[8], 8);
  return {little_endian(secret.low), little_endian(secret.high)};
}

std::vector<Golden> manifest() {
  std::vector<Golden> all;
  std::ifstream file(std::filesystem::path(GOLDEN) / "manifest.txt");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Golden one;
    Params& p = one.params;
    std::string storage, addressing, capacity, seed;
    double width = 0;
    words >> one.name >> p.bucket_count >> p.bucket_size >> width >> storage >> addressing >> capacity >> seed;
    p.capacity = std::stoull(capacity);
    if (const auto at = capacity.find('*'); at != std::string::npos) {
      p.reserved_bits = static_cast<std::uint32_t>(std::stoul(capacity.substr(at + 1)));
    }
    if (seed.starts_with("key:")) {
      p.hash = HashAlgorithm::siphash_1_3;
      one.secret = secret_of(seed.substr(4));
    } else {
      p.seed = std::stoull(seed);
    }
    p.fingerprint_bits = static_cast<std::uint32_t>(std::ceil(width));
    p.spared_quarters = static_cast<std::uint32_t>(4 * (p.fingerprint_bits - width));
    p.storage = storage == "plain" ? Storage::plain : Storage::semi_sorted;
    p.addressing = addressing == "xor" ? Addressing::xor_power_of_two : Addressing::reflect;
    one.operations.assign(std::istream_iterator<std::string>(words), {});
    all.push_back(one);
  }
  return all;
}

std::vector<std::uint8_t> read(const std::string& name) {
  std::ifstream file(std::filesystem::path(GOLDEN) / (name + ".bin"), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The sign that the manifest has for what became of the operation.
template <class AnyFilter>
char done(AnyFilter& filter, const std::string& operation) {
  const std::string key = bytes_of(operation.substr(1));
  switch (operation[0]) {
    case '+':
    case '!':
    case '#':
      return "+!#"[static_cast<int>(filter.insert(std::string_view(key)))];
    case '-':
    case '=':
      return filter.erase(std::string_view(key)) ? '-' : '=';
    case '*':
      filter.clear();
      return '*';
    default:
      return filter.contains(std::string_view(key)) ? '?' : '~';
  }
}

TEST(Golden, TheSameOperationsGiveTheSameOutcomesAndBytes) {
  ASSERT_GE(manifest().size(), 10u);
  for (const Golden& golden : manifest()) {
    Filter filter = std::move(*Filter::create(golden.params, golden.given()));
    for (const std::string& operation : golden.operations) {
      ASSERT_EQ(done(filter, operation), operation[0]) << golden.name << " " << operation;
    }
    const std::vector<std::uint8_t> bytes = save(filter);
    EXPECT_EQ(bytes, read(golden.name)) << golden.name;
  }
}

TEST(Golden, EveryFileLoadsAndAnswers) {
  for (const Golden& golden : manifest()) {
    const auto bytes = read(golden.name);
    auto filter = load(bytes, bytes.size(), golden.given());
    ASSERT_TRUE(filter) << golden.name;
    for (auto at = golden.operations.rbegin(); at != golden.operations.rend(); ++at) {
      if ((*at)[0] != '?' && (*at)[0] != '~') break;
      EXPECT_EQ(done(*filter, *at), (*at)[0]) << golden.name << " " << *at;
    }
  }
}

/// Loads the files of a folder that nothing writes any more, asks them, and returns how many there are.
int files_that_answer(const std::string& folder) {
  std::ifstream file(std::filesystem::path(GOLDEN) / folder / "manifest.txt");
  int files = 0;
  for (std::string line; std::getline(file, line); ++files) {
    std::istringstream words(line);
    std::string name, hex;
    std::uint64_t size = 0;
    words >> name >> hex >> size;
    const SecretKey secret = hex == "-" ? SecretKey{} : secret_of(hex);
    const auto bytes = read(folder + "/" + name);
    auto filter = load(bytes, bytes.size(), hex == "-" ? nullptr : &secret);
    EXPECT_TRUE(filter) << name;
    if (!filter) return 0;
    EXPECT_EQ(filter->size(), size) << name;
    for (std::string asked; words >> asked;) EXPECT_EQ(done(*filter, asked), asked[0]) << name << " " << asked;
  }
  return files;
}

TEST(Golden, WhatVersionOneSavedStillLoadsAndAnswers) { EXPECT_EQ(files_that_answer("1.0"), 22); }
TEST(Golden, WhatKicksByARandomWalkLedToStillLoadsAndAnswers) { EXPECT_EQ(files_that_answer("walked"), 17); }

TEST(Golden, EverySingleByteChangeOfEveryFileIsFound) {
  for (const Golden& golden : manifest()) {
    auto bytes = read(golden.name);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      // Each single bit; in a long run each change.
      for (int change = 1; change < 256; change += testing::runs(change, 1)) {
        bytes[at] ^= static_cast<std::uint8_t>(change);
        const Error error = load(bytes, bytes.size(), golden.given()).error();
        bytes[at] ^= static_cast<std::uint8_t>(change);
        const bool is_precise = at < kMagic.size()   ? error == Error::not_a_filter
                                : at >= kHeaderBytes ? error == Error::damaged
                                                     : error != Error::none && error != Error::out_of_memory;
        ASSERT_TRUE(is_precise) << golden.name << " byte " << at << " by " << change << ": " << static_cast<int>(error);
      }
    }
  }
}

TEST(Golden, EveryTruncationOfEveryFileIsFound) {
  for (const Golden& golden : manifest()) {
    auto bytes = read(golden.name);
    EXPECT_EQ(load(std::span(bytes).first(0), bytes.size(), golden.given()).error(), Error::not_a_filter);
    for (std::size_t length = 1; length < bytes.size(); ++length) {
      // Of its own size, so that a read behind its end is seen.
      const std::vector<std::uint8_t> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
      ASSERT_EQ(load(cut, bytes.size(), golden.given()).error(), Error::cut_short) << golden.name << " at " << length;
    }
    bytes.push_back(0);
    EXPECT_EQ(load(bytes, bytes.size(), golden.given()).error(), Error::cut_short) << golden.name;
  }
}

TEST(Golden, TheSameOperationsGiveTheSameTrace) {
  std::ostringstream lines;
  for (const Golden& golden : manifest()) {
    if (golden.name != "widths-of-five" && golden.name != "semi-sorted-quarters") continue;
    auto filter = std::move(*TracedFilter::create(golden.params));
    ASSERT_TRUE(filter.watch().open(TraceLevel::all, 1 << 20));
    for (const std::string& operation : golden.operations) done(filter, operation);
    for (const Event& event : filter.watch().events()) {
      if (event.kind < EventKind::place || event.kind > EventKind::remove) continue;
      const char* const kinds[] = {"place", "kick", "undo", "remove"};
      const std::string kind = kinds[static_cast<int>(event.kind) - static_cast<int>(EventKind::place)];
      lines << event.operation << " " << kind << " " << event.bucket << " " << int{event.slot} << " " << event.before
            << " " << event.after << " " << event.other_bucket << " " << event.kick << "\n";
    }
  }
  std::ifstream file(std::filesystem::path(GOLDEN) / "trace.txt");
  const std::string pinned{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(lines.str(), pinned);
}

}  // namespace
}  // namespace cuckoo
