// A filter made for a million keys, asked, saved and loaded.
#include <cuckoo/cuckoo.h>

#include <cstdio>
#include <string_view>
#include <vector>

int main() {
  using namespace std::literals;
  const auto params = cuckoo::plan({.capacity = 1'000'000, .false_positive_rate = 0.001});
  if (!params) return 1;
  auto filter = cuckoo::Filter::create(*params);
  if (!filter) return 1;

  if (filter->insert("alice"sv) != cuckoo::InsertOutcome::inserted) return 1;
  std::printf("alice: %s\n", filter->contains("alice"sv) ? "probably there" : "certainly not");
  std::printf("bob: %s\n", filter->contains("bob"sv) ? "probably there" : "certainly not");

  const std::vector<std::uint8_t> bytes = cuckoo::save(*filter);
  auto loaded = cuckoo::load(bytes);
  if (!loaded) return 1;
  std::printf("loaded: %llu key in %zu bytes\n", static_cast<unsigned long long>(loaded->size()), bytes.size());
  return loaded->erase("alice"sv) ? 0 : 1;
}
