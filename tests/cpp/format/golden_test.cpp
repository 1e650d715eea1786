// The golden files, which WebAssembly wrote: the native library reads them, and gives the same bytes,
// outcomes and trace when it does the same operations. See tests/conformance/README.md and tests/golden/README.md.
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
  std::string file;
  Params params;
  std::optional<SecretKey> secret;
  std::vector<std::string> operations;
  std::vector<std::string> answers;  ///< a key in hexadecimal, `=`, and how many copies of it there are
  std::uint64_t size = 0;

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

/// What a line of the manifest, which is an object of JSON, has under this name: nothing else in it has quotes or
/// commas.
std::string field(const std::string& line, const std::string& name) {
  const std::size_t at = line.find("\"" + name + "\":");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + name.size() + 3;
  return line[begin] == '"' ? line.substr(begin + 1, line.find('"', begin + 1) - begin - 1)
                            : line.substr(begin, line.find_first_of(",}", begin) - begin);
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

Params params_of_line(const std::string& line) {
  Params p;
  const double width = std::stod(field(line, "bits"));
  p.bucket_count = std::stoull(field(line, "buckets"));
  p.bucket_size = static_cast<std::uint32_t>(std::stoul(field(line, "slots")));
  p.fingerprint_bits = static_cast<std::uint32_t>(std::ceil(width));
  p.spared_quarters = static_cast<std::uint32_t>(4 * (p.fingerprint_bits - width));
  p.storage = field(line, "storage") == "plain" ? Storage::plain : Storage::semi_sorted;
  p.addressing = field(line, "addressing") == "xor" ? Addressing::xor_power_of_two : Addressing::reflect;
  p.reserved_bits = static_cast<std::uint32_t>(std::stoul(field(line, "reserved")));
  p.capacity = std::stoull(field(line, "capacity"));
  if (field(line, "secret").empty()) {
    p.seed = std::stoull(field(line, "seed"));
  } else {
    p.hash = HashAlgorithm::siphash_1_3;
  }
  return p;
}

/// The files of filters without values, in this folder, with the operations that made them or without.
std::vector<Golden> manifest(const std::string& folder = "", bool is_made = true) {
  std::vector<Golden> all;
  std::ifstream file(std::filesystem::path(CONFORMANCE) / "manifest.json");
  for (std::string line; std::getline(file, line);) {
    Golden one;
    one.file = field(line, "file");
    const bool is_here = folder.empty() ? one.file.find('/') == std::string::npos : one.file.starts_with(folder + "/");
    if (one.file.empty() || !is_here || field(line, "class") != "filter") continue;
    if (is_made) one.params = params_of_line(line);
    if (const std::string secret = field(line, "secret"); !secret.empty()) one.secret = secret_of(secret);
    one.operations = words_of(field(line, "made"));
    one.answers = words_of(field(line, "answers"));
    one.size = std::stoull(field(line, "size"));
    all.push_back(one);
  }
  return all;
}

std::vector<std::uint8_t> read(const std::string& name) {
  std::ifstream file(std::filesystem::path(CONFORMANCE) / "files" / name, std::ios::binary);
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
    default:
      filter.clear();
      return '*';
  }
}

TEST(Golden, TheSameOperationsGiveTheSameOutcomesAndBytes) {
  ASSERT_GE(manifest().size(), 10u);
  for (const Golden& golden : manifest()) {
    Filter filter = std::move(*Filter::create(golden.params, golden.given()));
    for (const std::string& operation : golden.operations) {
      ASSERT_EQ(done(filter, operation), operation[0]) << golden.file << " " << operation;
    }
    const std::vector<std::uint8_t> bytes = save(filter);
    EXPECT_EQ(bytes, read(golden.file)) << golden.file;
  }
}

/// Loads files, asks them, and returns how many there are.
std::size_t files_that_answer(const std::vector<Golden>& files) {
  for (const Golden& golden : files) {
    const auto bytes = read(golden.file);
    const auto filter = load(bytes, bytes.size(), golden.given());
    EXPECT_TRUE(filter) << golden.file;
    if (!filter) return 0;
    EXPECT_EQ(filter->size(), golden.size) << golden.file;
    EXPECT_GE(golden.answers.size(), 1u) << golden.file;
    for (const std::string& answer : golden.answers) {
      const std::size_t at = answer.find('=');
      const std::string key = bytes_of(answer.substr(0, at));
      const std::uint64_t copies = std::stoull(answer.substr(at + 1));
      EXPECT_EQ(filter->count(std::string_view(key)), copies) << golden.file << " " << answer;
      EXPECT_EQ(filter->contains(std::string_view(key)), copies > 0) << golden.file << " " << answer;
    }
  }
  return files.size();
}

TEST(Golden, EveryFileLoadsAndAnswers) { EXPECT_EQ(files_that_answer(manifest()), 38u); }
TEST(Golden, WhatVersionOneSavedStillLoadsAndAnswers) { EXPECT_EQ(files_that_answer(manifest("1.0", false)), 22u); }
TEST(Golden, WhatKicksByARandomWalkLedToStillLoadsAndAnswers) {
  EXPECT_EQ(files_that_answer(manifest("walked", false)), 17u);
}

TEST(Golden, EverySingleByteChangeOfEveryFileIsFound) {
  for (const Golden& golden : manifest()) {
    auto bytes = read(golden.file);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      // Each single bit; in a long run each change.
      for (int change = 1; change < 256; change += testing::runs(change, 1)) {
        bytes[at] ^= static_cast<std::uint8_t>(change);
        const Error error = load(bytes, bytes.size(), golden.given()).error();
        bytes[at] ^= static_cast<std::uint8_t>(change);
        const bool is_precise = at < kMagic.size()   ? error == Error::not_a_filter
                                : at >= kHeaderBytes ? error == Error::damaged
                                                     : error != Error::none && error != Error::out_of_memory;
        ASSERT_TRUE(is_precise) << golden.file << " byte " << at << " by " << change << ": " << static_cast<int>(error);
      }
    }
  }
}

TEST(Golden, EveryTruncationOfEveryFileIsFound) {
  for (const Golden& golden : manifest()) {
    auto bytes = read(golden.file);
    EXPECT_EQ(load(std::span(bytes).first(0), bytes.size(), golden.given()).error(), Error::not_a_filter);
    for (std::size_t length = 1; length < bytes.size(); ++length) {
      // Of its own size, so that a read behind its end is seen.
      const std::vector<std::uint8_t> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
      ASSERT_EQ(load(cut, bytes.size(), golden.given()).error(), Error::cut_short) << golden.file << " at " << length;
    }
    bytes.push_back(0);
    EXPECT_EQ(load(bytes, bytes.size(), golden.given()).error(), Error::cut_short) << golden.file;
  }
}

TEST(Golden, TheSameOperationsGiveTheSameTrace) {
  std::ostringstream lines;
  for (const Golden& golden : manifest()) {
    if (golden.file != "widths-of-five.bin" && golden.file != "semi-sorted-quarters.bin") continue;
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
