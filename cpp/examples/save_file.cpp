// A filter saved to a file, and loaded from it again.
#include <cuckoo/cuckoo.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

int main() {
  auto filter = cuckoo::Filter::create(1000, 0.001);
  if (!filter) return 1;
  const std::vector<std::string> names = {"alice", "bob", "carol"};
  if (filter->insert_many(names).done != names.size()) return 1;

  std::ofstream out("names.cuckoo", std::ios::binary);
  const auto write = [&](std::span<const std::uint8_t> piece) {
    out.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(piece.size()));
    return out.good();
  };
  if (!cuckoo::save(*filter, write)) return 1;  // save(*filter) gives all bytes at once
  out.close();

  std::ifstream in("names.cuckoo", std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  const auto loaded = cuckoo::load({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  if (!loaded) {
    std::printf("names.cuckoo: %s\n", std::string(cuckoo::describe(loaded.error())).c_str());
    return 1;
  }
  std::printf("%llu keys in %zu bytes\n", static_cast<unsigned long long>(loaded->size()), bytes.size());
  return *loaded == *filter && loaded->contains("bob") ? 0 : 1;
}
