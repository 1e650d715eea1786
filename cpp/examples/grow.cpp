// Which words came before, without knowing how many will come: a filter that grows with them.
#include <cuckoo/cuckoo.h>

#include <cstdio>
#include <sstream>
#include <string>

int main() {
  auto seen = cuckoo::ScalableFilter::create(100, 0.001);  // begins with room for 100 keys
  if (!seen) return 1;

  std::istringstream text("the cat sat on the mat and the dog sat on the cat");
  for (std::string word; text >> word;) {
    switch (seen->insert_if_absent(word)) {
      case cuckoo::InsertOutcome::inserted:
        std::printf("%s is new\n", word.c_str());
        break;
      case cuckoo::InsertOutcome::present:
        std::printf("%s probably came before\n", word.c_str());
        break;
      default:
        return 1;  // no memory for another layer
    }
  }

  for (int number = 0; number < 100'000; ++number) {
    if (seen->insert(number) != cuckoo::InsertOutcome::inserted) return 1;
  }
  std::printf("%llu keys in %llu bytes\n", static_cast<unsigned long long>(seen->size()),
              static_cast<unsigned long long>(seen->byte_count()));
  return seen->contains("cat") && seen->contains(99'999) ? 0 : 1;
}
