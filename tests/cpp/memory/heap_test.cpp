// Invariant tested: blocks never overlap and keep what is in them, whatever is taken and given back meanwhile; and once
// all is given back, the whole region can be taken as one.
#include "heap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <vector>

namespace {

constexpr std::size_t kRegion = 1 << 20;
alignas(16) std::uint8_t region[kRegion];
std::size_t limit = kRegion;  // bytes of the region that can be had

std::uintptr_t begin() { return reinterpret_cast<std::uintptr_t>(region); }
bool reach(std::uintptr_t end) { return end - begin() <= limit; }
using TestedHeap = Heap<reach>;

class HeapTest : public testing::Test {
 protected:
  void SetUp() override {
    std::memset(region, 0, sizeof region);
    limit = kRegion;
  }

  /// Takes a block, checks where it lies, and marks all of its bytes; false if it is refused.
  bool take(std::size_t bytes) {
    const std::uintptr_t untouched = heap.untouched();
    auto* block = static_cast<std::uint8_t*>(heap.take(bytes));
    if (block == nullptr) return false;
    const auto address = reinterpret_cast<std::uintptr_t>(block);
    EXPECT_EQ(address % 16, 0u);
    EXPECT_TRUE(block >= region && block + bytes <= region + limit);
    const auto next = blocks.upper_bound(block);
    EXPECT_TRUE(next == blocks.end() || block + bytes <= next->first);
    EXPECT_TRUE(next == blocks.begin() || std::prev(next)->first + std::prev(next)->second <= block);
    const std::size_t used = untouched > address ? std::min(bytes, untouched - address) : 0;
    EXPECT_TRUE(std::all_of(block + used, block + bytes, [](std::uint8_t byte) { return byte == 0; }));
    std::memset(block, mark(block), bytes);
    blocks[block] = bytes;
    return true;
  }

  void give_back(std::size_t which) {
    const auto it = std::next(blocks.begin(), static_cast<std::ptrdiff_t>(which));
    std::uint8_t* block = it->first;
    EXPECT_TRUE(std::all_of(block, block + it->second, [=](std::uint8_t byte) { return byte == mark(block); }));
    heap.give_back(block);
    blocks.erase(it);
  }

  static std::uint8_t mark(const std::uint8_t* block) {
    return static_cast<std::uint8_t>(1 + (block - region) / 16 % 255);
  }

  TestedHeap heap{begin() + 3};
  std::map<std::uint8_t*, std::size_t> blocks;  ///< those in use, with their sizes
};

TEST_F(HeapTest, BlocksKeepApartAndJoinAgainInAnyOrder) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    limit = kRegion >> random() % 6;
    const std::size_t widest = 4 + random() % 14;
    for (int step = 0; step < 3000; ++step) {
      const std::size_t bytes = random() & ((std::size_t{1} << random() % widest) - 1);
      const bool is_taken = random() % 8 < (step / 500 % 2 == 0 ? 5u : 3u) && take(bytes);
      if (!is_taken && !blocks.empty()) give_back(random() % blocks.size());
      if (HasFailure()) FAIL() << "seed " << seed << ", step " << step;
    }
    std::size_t bytes = 0;
    for (const auto& [block, size] : blocks) bytes += size;
    EXPECT_TRUE(heap.used() >= bytes && heap.used() <= bytes + 48 * blocks.size()) << "seed " << seed;
    while (!blocks.empty()) give_back(random() % blocks.size());
    EXPECT_EQ(heap.used(), 0u) << "seed " << seed;
    ASSERT_TRUE(take(limit - 64)) << "seed " << seed;
    give_back(0);
  }
}

TEST_F(HeapTest, ARefusedBlockChangesNothing) {
  limit = 4096;
  ASSERT_TRUE(take(1000));
  for (const std::size_t bytes : {std::size_t{4096}, SIZE_MAX, SIZE_MAX - 16, SIZE_MAX - 64, SIZE_MAX / 2}) {
    EXPECT_FALSE(take(bytes));
  }
  EXPECT_TRUE(take(2000));
  heap.give_back(nullptr);
  give_back(0);
  EXPECT_TRUE(take(900));
  EXPECT_EQ(blocks.size(), 2u);
}

TEST_F(HeapTest, ZeroBytesAreABlockOfTheirOwn) {
  EXPECT_TRUE(take(0));
  EXPECT_TRUE(take(0));
  EXPECT_EQ(blocks.size(), 2u);
}

}  // namespace
