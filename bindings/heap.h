// Memory for filters, out of a region that grows at its end: 0.6 kB less, compressed, than emmalloc.
// Invariant: blocks follow each other without gaps, from the start of the region to `top_`; no two free blocks are
// neighbours, and the last block is in use. Free blocks are kept in one list for each power of two of their size, so
// taking one costs time linear in the free blocks of similar size, and giving one back costs constant time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>

/// `grow(end)` makes the region reach to the address `end`; false if that is refused.
template <bool (*grow)(std::uintptr_t end)>
class Heap {
 public:
  /// An empty region that begins at address `begin`. All its bytes are 0, as are those it grows by.
  explicit Heap(std::uintptr_t begin)
      : top_((begin + kHeader + kAlignment - 1) / kAlignment * kAlignment - kHeader), touched_(top_) {}

  /// `bytes` bytes at a multiple of 16, or null. Bytes from the previous `untouched()` on are 0.
  void* take(std::size_t bytes) {
    if (bytes > SIZE_MAX - kHeader - kAlignment) return nullptr;
    const std::size_t size =
        (std::max(bytes, sizeof(Block) - kHeader) + kHeader + kAlignment - 1) / kAlignment * kAlignment;
    Block* block = take_listed(size);
    if (block == nullptr) block = take_top(size);
    if (block == nullptr) return nullptr;
    used_ += block->size & ~kInUse;
    return reinterpret_cast<std::uint8_t*>(block) + kHeader;
  }

  /// Takes back what `take` gave; nothing for null.
  void give_back(void* bytes) {
    if (bytes == nullptr) return;
    auto* block = reinterpret_cast<Block*>(static_cast<std::uint8_t*>(bytes) - kHeader);
    std::size_t size = block->size & ~kInUse;
    used_ -= size;
    if (Block* next = at(address(block) + size); address(next) != top_ && is_free(next)) {
      unlist(next);
      size += next->size;
    }
    if (Block* before = block->before; before != nullptr && is_free(before)) {
      unlist(before);
      size += before->size;
      block = before;
    }
    if (address(block) + size == top_) {
      last_ = block->before;
      top_ = address(block);
      return;
    }
    list(block, size);
  }

  /// Where the bytes begin that were never taken.
  [[nodiscard]] std::uintptr_t untouched() const { return touched_; }

  /// Bytes of the blocks in use, with what goes before each.
  [[nodiscard]] std::size_t used() const { return used_; }

 private:
  struct Block {
    Block* before;      ///< the one that lies before it; null for the first
    std::size_t size;   ///< of all of it in bytes, a multiple of 16, and `kInUse`
    Block* next;        ///< of a free block: the next in its list
    Block** reference;  ///< of a free block: what points to it
  };
  static constexpr std::size_t kAlignment = 16;
  static constexpr std::size_t kHeader = offsetof(Block, next);
  static constexpr std::size_t kInUse = 1;

  static Block* at(std::uintptr_t address) { return reinterpret_cast<Block*>(address); }
  static std::uintptr_t address(const Block* block) { return reinterpret_cast<std::uintptr_t>(block); }
  static bool is_free(const Block* block) { return (block->size & kInUse) == 0; }
  [[nodiscard]] Block*& list_of(std::size_t size) { return lists_[std::bit_width(size)]; }

  /// A free block that is large enough, cut to size.
  Block* take_listed(std::size_t size) {
    for (Block** first = &list_of(size); first != std::end(lists_); ++first) {
      for (Block* block = *first; block != nullptr; block = block->next) {
        if (block->size < size) continue;
        unlist(block);
        if (const std::size_t rest = block->size - size; rest >= sizeof(Block)) {
          Block* behind = at(address(block) + size);
          behind->before = block;
          list(behind, rest);
          block->size = size;
        }
        block->size |= kInUse;
        return block;
      }
    }
    return nullptr;
  }

  Block* take_top(std::size_t size) {
    const std::uintptr_t end = top_ + size;
    if (end < top_ || !grow(end)) return nullptr;
    Block* block = at(top_);
    block->before = last_;
    block->size = size | kInUse;
    last_ = block;
    top_ = end;
    if (end > touched_) touched_ = end;
    return block;
  }

  /// Makes `block`, which is not the last, a free one of this size.
  void list(Block* block, std::size_t size) {
    block->size = size;
    at(address(block) + size)->before = block;
    Block*& first = list_of(size);
    block->next = first;
    block->reference = &first;
    if (first != nullptr) first->reference = &block->next;
    first = block;
  }

  static void unlist(Block* block) {
    *block->reference = block->next;
    if (block->next != nullptr) block->next->reference = block->reference;
  }

  std::uintptr_t top_;                              ///< where the blocks end
  std::uintptr_t touched_;                          ///< the furthest that they ever reached
  std::size_t used_ = 0;                            ///< bytes of the blocks in use
  Block* last_ = nullptr;                           ///< the block that ends there
  Block* lists_[8 * sizeof(std::size_t) + 1] = {};  ///< the free blocks, by the bits of their sizes
};
