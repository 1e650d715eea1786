// The golden files, which WebAssembly wrote: the native library reads them, and gives the same bytes,
// outcomes and trace when it does the same operations. See tests/golden/README.md.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "cuckoo/format.h"

namespace cuckoo {
namespace {

struct Golden {
  std::string name;
  Params params;
  std::vector<std::string> operations;
};

std::vector<Golden> manifest() {
  std::vector<Golden> all;
  std::ifstream file(std::filesystem::path(GOLDEN) / "manifest.txt");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Golden one;
    Params& p = one.params;
    std::string storage, addressing;
    double width = 0;
    words >> one.name >> p.bucket_count >> p.bucket_size >> width >> storage >> addressing >> p.max_kicks >>
        p.capacity >> p.seed;
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

std::string key_of(const std::string& operation) {
  std::string key;
  for (std::size_t i = 1; i + 1 < operation.size(); i += 2) {
    key.push_back(static_cast<char>(std::stoi(operation.substr(i, 2), nullptr, 16)));
  }
  return key;
}

/// The sign that the manifest has for what became of the operation.
template <class Trace>
char done(Filter<Trace>& filter, const std::string& operation) {
  const std::string key = key_of(operation);
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
    Filter<> filter = std::move(*Filter<>::create(golden.params));
    for (const std::string& operation : golden.operations) {
      ASSERT_EQ(done(filter, operation), operation[0]) << golden.name << " " << operation;
    }
    std::vector<std::uint8_t> bytes(saved_bytes(filter));
    save(filter, bytes);
    EXPECT_EQ(bytes, read(golden.name)) << golden.name;
  }
}

TEST(Golden, EveryFileLoadsAndAnswers) {
  for (const Golden& golden : manifest()) {
    auto filter = load(read(golden.name));
    ASSERT_TRUE(filter) << golden.name;
    for (auto at = golden.operations.rbegin(); at != golden.operations.rend(); ++at) {
      if ((*at)[0] != '?' && (*at)[0] != '~') break;
      EXPECT_EQ(done(*filter, *at), (*at)[0]) << golden.name << " " << *at;
    }
  }
}

TEST(Golden, TheSameOperationsGiveTheSameTrace) {
  std::ostringstream lines;
  for (const Golden& golden : manifest()) {
    if (golden.name != "widths-of-five" && golden.name != "semi-sorted-quarters") continue;
    auto filter = std::move(*Filter<TraceLog>::create(golden.params));
    ASSERT_TRUE(filter.trace().open(TraceLevel::all, 1 << 20));
    for (const std::string& operation : golden.operations) done(filter, operation);
    for (const Event& event : filter.trace().events()) {
      const char* const kinds[] = {"", "", "", "place", "kick", "undo", "remove", "", "", ""};
      const std::string kind = kinds[static_cast<int>(event.kind)];
      if (kind.empty()) continue;
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
