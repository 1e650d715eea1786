// The cuckoo hash table (Pagh and Rodler 2001), with k functions (Fotakis et al. 2003) and buckets of b slots
// (Dietzfelbinger and Weidling 2005): whole keys, each in one of its k buckets. An insert moves keys to their other
// buckets by a random walk or along the shortest path, and when it finds no empty slot, the functions are drawn anew.
// Invariant: every key lies in one of its k buckets; an insert that fails leaves the keys as they were, though maybe
// elsewhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "lab/filter.h"

namespace lab {

/// How an insert looks for an empty slot.
enum class Search : std::uint8_t { random_walk, breadth_first };

/// The load up to which large tables of k functions, 2 to 4, and buckets of b slots, 1 to 8, can be filled: past it
/// some keys have no place. It is where the buckets that more than b keys compete for hold b keys each: for x with
/// x P(b, x) = k b P(b + 1, x), where P(j, x) is the probability of j or more at mean x, x / (k b P(b, x)^(k - 1)).
/// Cain, Sanders, Wormald 2007 and Fernholz, Ramachandran 2007 for k = 2; Fountoulakis, Khosla, Panagiotou 2011.
inline double load_threshold(std::uint32_t k, std::uint32_t b) {
  if (k == 2 && b == 1) return 0.5;  // the limit of the formula
  const auto at_least = [](std::uint32_t j, double x) {
    double term = std::exp(-x), less = 0;
    for (std::uint32_t i = 0; i < j; term *= x / ++i) less += term;
    return 1 - less;
  };
  double low = 0.1, high = 64;
  for (int i = 0; i < 60; ++i) {
    const double x = (low + high) / 2;
    (x * at_least(b, x) < k * b * at_least(b + 1, x) ? low : high) = x;
  }
  return low / (k * b * std::pow(at_least(b, low), k - 1));
}

/// A move of an insert: `key` leaves or enters a slot.
struct Move {
  std::uint64_t key;
  std::uint64_t slot;      ///< where it lies now
  std::uint64_t replaces;  ///< the key that lay there, or 0
};

class CuckooHashTable {
 public:
  static constexpr std::uint32_t kMaxFunctions = 4;
  static constexpr std::uint32_t kMaxBucketSize = 8;

  struct Shape {
    std::uint64_t bucket_count = 0;    ///< all together, up to 2^32; with `is_split` a multiple of `function_count`
    std::uint32_t function_count = 2;  ///< k, 2 to 4
    std::uint32_t bucket_size = 1;     ///< b, 1 to 8
    bool is_split = false;             ///< each function has a table of its own, as in Pagh and Rodler
    Search search = Search::random_walk;
    std::uint32_t max_moves = 500;  ///< of one walk, or buckets of one search
    std::uint64_t seed = 0;
  };

  static Result<CuckooHashTable> create(const Shape& shape) {
    const bool is_valid = shape.function_count >= 2 && shape.function_count <= kMaxFunctions &&
                          shape.bucket_size >= 1 && shape.bucket_size <= kMaxBucketSize && shape.bucket_count >= 1 &&
                          shape.bucket_count <= std::uint64_t{1} << 32 &&
                          !(shape.is_split && shape.bucket_count % shape.function_count != 0);
    if (!is_valid) return Error::out_of_range;
    Result<Memory> memory = Memory::create(8 * shape.bucket_count * shape.bucket_size);
    if (!memory) return memory.error();
    return CuckooHashTable(std::move(*memory), shape);
  }

  /// Adds a key, unless it is there. False, and the keys are the same as before, if no empty slot is found; then
  /// `rehash` may help. `see(Move)` gets each move, also those that take back a failed walk. Key 0 is stored as 1,
  /// because 0 marks an empty slot.
  template <class See>
  bool insert(std::uint64_t key, See see) {
    key = key != 0 ? key : 1;
    if (find(key) != kNowhere) return true;
    const bool is_in = shape_.search == Search::random_walk ? walk(key, see) : search(key, see);
    if (is_in) ++size_;
    return is_in;
  }
  bool insert(std::uint64_t key) {
    return insert(key, [](const Move&) {});
  }
  [[nodiscard]] bool contains(std::uint64_t key) const { return find(key != 0 ? key : 1) != kNowhere; }
  bool erase(std::uint64_t key) {
    const std::uint64_t slot = find(key != 0 ? key : 1);
    if (slot == kNowhere) return false;
    write(slot, 0);
    --size_;
    return true;
  }

  /// Draws other functions and puts every key where they say, and `key` besides; tried `attempts` times. False, and the
  /// table is as it was, if none fits or memory is short.
  bool rehash(std::uint64_t key, std::uint32_t attempts) {
    Shape shape = shape_;
    for (std::uint32_t attempt = 0; attempt < attempts; ++attempt) {
      shape.seed = mix(shape.seed + 1);
      Result<CuckooHashTable> other = create(shape);
      if (!other) return false;
      bool is_done = other->insert(key);
      for (std::uint64_t slot = 0; is_done && slot < slot_count(); ++slot) {
        if (const std::uint64_t stored = read(slot); stored != 0) is_done = other->insert(stored);
      }
      if (!is_done) continue;
      other->random_ = random_;
      *this = std::move(*other);
      return true;
    }
    return false;
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] std::uint64_t slot_count() const { return shape_.bucket_count * shape_.bucket_size; }
  [[nodiscard]] std::uint64_t byte_count() const { return memory_.byte_count(); }
  [[nodiscard]] double load_factor() const { return static_cast<double>(size_) / static_cast<double>(slot_count()); }
  /// The key in a slot, or 0.
  [[nodiscard]] std::uint64_t read(std::uint64_t slot) const {
    return cuckoo::detail::load_word(memory_.bytes() + 8 * slot);
  }
  /// The bucket of a key by function `i`.
  [[nodiscard]] std::uint64_t bucket_of(std::uint64_t key, std::uint32_t i) const {
    const std::uint32_t random = high_half(mix(key ^ mix(shape_.seed * kMaxFunctions + i + 1)));
    if (!shape_.is_split) return below(random, shape_.bucket_count);
    const std::uint64_t share = shape_.bucket_count / shape_.function_count;
    return i * share + below(random, share);
  }

 private:
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

  CuckooHashTable(Memory memory, const Shape& shape)
      : memory_(std::move(memory)), shape_(shape), random_(mix(shape.seed ^ 0x9E3779B97F4A7C15u)) {}

  void write(std::uint64_t slot, std::uint64_t key) { cuckoo::detail::store_word(memory_.bytes() + 8 * slot, key); }
  [[nodiscard]] std::uint64_t slot_with(std::uint64_t bucket, std::uint64_t key) const {
    for (std::uint64_t slot = bucket * shape_.bucket_size, end = slot + shape_.bucket_size; slot < end; ++slot) {
      if (read(slot) == key) return slot;
    }
    return kNowhere;
  }
  [[nodiscard]] std::uint64_t find(std::uint64_t key) const {
    for (std::uint32_t i = 0; i < shape_.function_count; ++i) {
      if (const std::uint64_t slot = slot_with(bucket_of(key, i), key); slot != kNowhere) return slot;
    }
    return kNowhere;
  }
  [[nodiscard]] std::uint64_t empty_slot(std::uint64_t key) const {
    for (std::uint32_t i = 0; i < shape_.function_count; ++i) {
      if (const std::uint64_t slot = slot_with(bucket_of(key, i), 0); slot != kNowhere) return slot;
    }
    return kNowhere;
  }
  std::uint64_t random_below(std::uint64_t bound) {
    random_ = mix(random_ + 0x9E3779B97F4A7C15u);
    return below(high_half(random_), bound);
  }

  /// Throws a random key out of a random bucket of the one in hand, until one finds an empty slot.
  template <class See>
  bool walk(std::uint64_t key, See see) {
    std::vector<std::uint64_t> path;
    std::uint64_t came_from = kNowhere;
    for (std::uint32_t moves = 0; moves <= shape_.max_moves; ++moves) {
      std::uint64_t slot = empty_slot(key);
      const bool is_empty = slot != kNowhere;
      if (!is_empty) {
        // Not back to where it came from, unless all its buckets are that one.
        std::uint64_t bucket = came_from;
        for (std::uint32_t tries = 0; bucket == came_from && tries < 8; ++tries) {
          bucket = bucket_of(key, static_cast<std::uint32_t>(random_below(shape_.function_count)));
        }
        slot = bucket * shape_.bucket_size + random_below(shape_.bucket_size);
        came_from = bucket;
      }
      const std::uint64_t victim = read(slot);
      write(slot, key);
      see(Move{key, slot, victim});
      if (is_empty) return true;
      path.push_back(slot);
      key = victim;
    }
    while (!path.empty()) {
      const std::uint64_t slot = path.back();
      path.pop_back();
      const std::uint64_t moved = read(slot);
      write(slot, key);
      see(Move{key, slot, moved});
      key = moved;
    }
    return false;
  }

  /// Moves keys along the shortest path from a bucket of `key` to an empty slot, the last one first; looks at up to
  /// `max_moves` buckets.
  template <class See>
  bool search(std::uint64_t key, See see) {
    struct Step {
      std::uint64_t bucket;
      std::uint64_t slot;  ///< whose key would move to `bucket`
      std::size_t before;  ///< the step to the bucket of that slot
    };
    constexpr std::size_t kFirst = ~std::size_t{0};
    std::vector<Step> steps;
    const auto add_step = [&](const Step& step) {
      const auto is_same = [&](const Step& other) { return other.bucket == step.bucket; };
      if (std::none_of(steps.begin(), steps.end(), is_same)) steps.push_back(step);
    };
    for (std::uint32_t i = 0; i < shape_.function_count; ++i) add_step({bucket_of(key, i), kNowhere, kFirst});
    for (std::size_t at = 0; at < steps.size() && at < shape_.max_moves; ++at) {
      std::uint64_t slot = slot_with(steps[at].bucket, 0);
      if (slot != kNowhere) {
        for (std::size_t step = at; steps[step].before != kFirst; step = steps[step].before) {
          const std::uint64_t moved = read(steps[step].slot);
          write(slot, moved);
          see(Move{moved, slot, 0});
          slot = steps[step].slot;
        }
        const std::uint64_t replaced = read(slot);
        write(slot, key);
        see(Move{key, slot, replaced});
        return true;
      }
      const std::uint64_t first = steps[at].bucket * shape_.bucket_size;
      for (std::uint64_t from = first; from < first + shape_.bucket_size; ++from) {
        for (std::uint32_t i = 0; i < shape_.function_count; ++i) add_step({bucket_of(read(from), i), from, at});
      }
    }
    return false;
  }

  Memory memory_;
  Shape shape_;
  std::uint64_t random_;
  std::uint64_t size_ = 0;
};

}  // namespace lab
