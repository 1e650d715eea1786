// Words counted by several threads. Each counts its part of the text in a filter of its own, and the counts are merged
// at the end. All threads share the filter that tells which words are new.
#include <cuckoo/cuckoo.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

int main() {
  const std::vector<std::string> parts = {"the cat sat on the mat", "the dog sat on the cat", "and the mat was flat"};
  auto seen = cuckoo::ConcurrentFilter::create(10'000, 0.001);
  if (!seen) return 1;
  std::vector<cuckoo::CountingFilter> counts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto made = cuckoo::CountingFilter::create(10'000, 0.001, 16);
    if (!made) return 1;
    counts.push_back(std::move(*made));
  }

  std::atomic<bool> has_room = true;
  std::atomic<int> distinct = 0;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    threads.emplace_back([&, i] {
      std::istringstream text(parts[i]);
      for (std::string word; text >> word;) {
        if (counts[i].insert(word) != cuckoo::InsertOutcome::inserted) has_room = false;
        if (seen->insert_if_absent(word) == cuckoo::InsertOutcome::inserted) ++distinct;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();

  for (std::size_t i = 1; i < counts.size(); ++i) {
    const auto merged = cuckoo::merge(counts[0], counts[i]);
    if (!merged || *merged != cuckoo::InsertOutcome::inserted) return 1;
  }
  for (const char* word : {"the", "cat", "flat"}) {
    std::printf("%s: %llu\n", word, static_cast<unsigned long long>(counts[0].count(word)));
  }
  std::printf("%d different words\n", distinct.load());
  return has_room && counts[0].count("the") == 5 && distinct == 9 ? 0 : 1;
}
