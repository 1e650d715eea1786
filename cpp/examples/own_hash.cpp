// A hash function of your own: hash the key yourself, and pass `Hash{value}` wherever a key goes. All 64 bits must be
// well mixed; the standard library's hash of an integer is that integer, so it is mixed once more here.
#include <cuckoo/cuckoo.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <utility>

namespace {

using Point = std::pair<int, int>;

/// The last steps of SplitMix64, in which every bit of the input decides about every bit of the result.
std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
  return bits ^ bits >> 31;
}

cuckoo::Hash hash(const Point& point) {
  const std::uint64_t first = mixed(std::hash<int>()(point.first));
  return cuckoo::Hash{mixed(first + std::hash<int>()(point.second))};
}

}  // namespace

int main() {
  const auto params = cuckoo::plan({.capacity = 1000, .false_positive_rate = 0.001});
  if (!params) return 1;
  auto filter = cuckoo::Filter::create(*params);
  if (!filter) return 1;
  if (filter->insert(hash({3, 4})) != cuckoo::InsertOutcome::inserted) return 1;
  std::printf("(3, 4): %s\n", filter->contains(hash({3, 4})) ? "probably there" : "certainly not");
  std::printf("(4, 3): %s\n", filter->contains(hash({4, 3})) ? "probably there" : "certainly not");
  return filter->erase(hash({3, 4})) ? 0 : 1;
}
