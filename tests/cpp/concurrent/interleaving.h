// Tries every interleaving of a few threads: each atomic operation of theirs is a step, and the explorer decides whose
// is next. Threads are fibers, so a run is repeated exactly; states that were met before are not followed again.
// Invariant: what a thread does next depends only on what it has read, so memory and what each has read are the state.
#pragma once

#include <ucontext.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cuckoo/concurrent/machine.h"

namespace cuckoo::testing {

/// Runs threads in every order.
class Explorer {
 public:
  /// What may happen besides steps: a thread may end at any point; one that waits may take the other for ended.
  struct Faults {
    bool kills_first = false;
    bool gives_up_waiting = false;
  };
  /// How many states there were, and whether that is all of them.
  struct Explored {
    std::size_t states = 0;
    std::size_t runs = 0;
    bool is_complete = false;
    bool is_right = true;
  };

  /// `reset` brings `memory` back to how it begins; `bodies` are the threads; `is_right` judges a run that has ended.
  Explorer(std::span<const std::byte> memory, std::span<const std::byte> ignored, std::function<void()> reset,
           std::vector<std::function<void()>> bodies, std::function<bool()> is_right, Faults faults)
      : memory_(memory), ignored_(ignored), reset_(std::move(reset)), is_right_(std::move(is_right)), faults_(faults) {
    for (auto& body : bodies) fibers_.push_back({.body = std::move(body), .stack = std::make_unique<Stack>()});
  }

  Explored explore(std::size_t most_states) {
    Explored result;
    do {
      ++result.runs;
      if (!run()) continue;
      if (!has_failed_ && is_right_()) continue;
      result.is_right = false;
      break;
    } while (next_path() && seen_.size() < most_states);
    result.states = seen_.size();
    result.is_complete = path_.empty();
    return result;
  }

  /// To be called by a thread that finds that it was told something wrong.
  static void fail() { current_->has_failed_ = true; }

  // For the machine below.

  static void step(const void* word) {
    if (current_ == nullptr || current_->running_ == kNone || current_->is_ignored(word)) return;
    current_->yield();
  }
  static void note(std::uint64_t value) {
    if (current_ == nullptr || current_->running_ == kNone) return;
    std::uint64_t& history = current_->fibers_[current_->running_].history;
    history = (history ^ value) * 0x9E3779B97F4A7C15u;
    history ^= history >> 29;
  }
  static std::uint32_t thread() {
    return current_ == nullptr || current_->running_ == kNone ? 99 : static_cast<std::uint32_t>(current_->running_);
  }
  /// Waits until `word` is other than `seen`; false if the thread is to take its owner for ended.
  static bool wait(const std::uint64_t& word, std::uint64_t seen) {
    Fiber& fiber = current_->fibers_[current_->running_];
    fiber.waits_for = &word;
    fiber.seen = seen;
    current_->yield();
    fiber.waits_for = nullptr;
    note(fiber.has_given_up ? 1 : 2);
    return !std::exchange(fiber.has_given_up, false);
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  using Stack = std::array<char, 128 << 10>;

  struct Fiber {
    std::function<void()> body;
    std::unique_ptr<Stack> stack;
    ucontext_t context{};
    std::uint64_t history = 0;
    const std::uint64_t* waits_for = nullptr;
    std::uint64_t seen = 0;
    bool has_given_up = false;
    bool has_ended = false;
  };
  enum class Kind { step, give_up, kill };
  struct Choice {
    Kind kind;
    std::size_t fiber;
  };

  [[nodiscard]] bool is_ignored(const void* word) const {
    const auto* byte = static_cast<const std::byte*>(word);
    return byte >= ignored_.data() && byte < ignored_.data() + ignored_.size();
  }
  void yield() {
    Fiber& fiber = fibers_[running_];
    swapcontext(&fiber.context, &scheduler_);
  }
  static void enter() {
    Fiber& fiber = current_->fibers_[current_->running_];
    fiber.body();
    fiber.has_ended = true;
  }

  void begin() {
    reset_();
    has_failed_ = false;
    has_killed_ = false;
    give_ups_ = 0;
    for (Fiber& fiber : fibers_) {
      fiber.history = 0;
      fiber.waits_for = nullptr;
      fiber.has_given_up = false;
      fiber.has_ended = false;
      getcontext(&fiber.context);
      fiber.context.uc_stack = {fiber.stack->data(), 0, fiber.stack->size()};
      fiber.context.uc_link = &scheduler_;
      makecontext(&fiber.context, &Explorer::enter, 0);
    }
  }
  [[nodiscard]] std::vector<Choice> choices() const {
    std::vector<Choice> all;
    for (std::size_t i = 0; i < fibers_.size(); ++i) {
      const Fiber& fiber = fibers_[i];
      if (fiber.has_ended) continue;
      const bool waits = fiber.waits_for != nullptr && *fiber.waits_for == fiber.seen;
      if (!waits) all.push_back({Kind::step, i});
      if (waits && (has_killed_ || (faults_.gives_up_waiting && give_ups_ == 0))) all.push_back({Kind::give_up, i});
      if (i == 0 && faults_.kills_first && !has_killed_) all.push_back({Kind::kill, i});
    }
    return all;
  }
  void make(Choice choice) {
    Fiber& fiber = fibers_[choice.fiber];
    if (choice.kind == Kind::kill) {
      has_killed_ = fiber.has_ended = true;
      return;
    }
    if (choice.kind == Kind::give_up) {
      fiber.has_given_up = true;
      ++give_ups_;
    }
    running_ = choice.fiber;
    note(4);  // that it went on, whatever it reads then
    swapcontext(&scheduler_, &fiber.context);
    running_ = kNone;
  }
  [[nodiscard]] std::uint64_t state() const {
    std::uint64_t hash = has_killed_ ? 1 : 2 + 4 * give_ups_;
    const auto mix = [&](std::uint64_t value) {
      hash = (hash ^ value) * 0xD6E8FEB86659FD93u;
      hash ^= hash >> 32;
    };
    for (std::size_t at = 0; at < memory_.size(); at += 8) {
      if (is_ignored(memory_.data() + at)) continue;
      std::uint64_t word;
      std::memcpy(&word, memory_.data() + at, 8);
      if (word != 0) mix(word + at);
    }
    for (const Fiber& fiber : fibers_) {
      mix(fiber.history);
      mix((fiber.has_ended ? 1 : 2) + (fiber.waits_for != nullptr ? fiber.seen : 0));
    }
    return hash;
  }
  /// False if the run came to a state that was followed before.
  bool run() {
    current_ = this;
    begin();
    bool is_new = true;
    for (std::size_t depth = 0;; ++depth) {
      const std::vector<Choice> all = choices();
      if (all.empty()) break;
      if (depth == path_.size()) {
        is_new = seen_.insert(state()).second;
        if (!is_new) break;
        path_.push_back({0, all.size()});
      }
      make(all[path_[depth].chosen]);
    }
    for (const Fiber& fiber : fibers_) has_failed_ |= is_new && !fiber.has_ended;  // all wait for each other
    current_ = nullptr;
    return is_new;
  }
  bool next_path() {
    while (!path_.empty() && ++path_.back().chosen == path_.back().count) path_.pop_back();
    return !path_.empty();
  }

  struct Taken {
    std::size_t chosen;
    std::size_t count;
  };
  static inline Explorer* current_ = nullptr;

  std::span<const std::byte> memory_;
  std::span<const std::byte> ignored_;
  std::function<void()> reset_;
  std::function<bool()> is_right_;
  Faults faults_;
  std::vector<Fiber> fibers_;
  ucontext_t scheduler_{};
  std::size_t running_ = kNone;
  std::vector<Taken> path_;
  std::unordered_set<std::uint64_t> seen_;
  bool has_failed_ = false;
  bool has_killed_ = false;
  std::uint32_t give_ups_ = 0;
};

/// The machine of a filter whose threads the explorer runs.
struct ExploredMachine {
  static std::uint64_t load(const std::uint64_t& word) {
    Explorer::step(&word);
    Explorer::note(word);
    return word;
  }
  static bool compare_exchange(std::uint64_t& word, std::uint64_t& seen, std::uint64_t wanted) {
    Explorer::step(&word);
    const bool is_as_seen = word == seen;
    Explorer::note(is_as_seen ? 3 : word);
    (is_as_seen ? word : seen) = is_as_seen ? wanted : word;
    return is_as_seen;
  }
  static void add(std::uint64_t& word, std::uint64_t number) {
    Explorer::step(&word);
    word += number;
  }
  static std::uint32_t thread() { return Explorer::thread(); }
  static void end_insert(InsertOutcome, std::uint32_t) {}
  struct Patience {
    Waited operator()(const std::uint64_t& word, std::uint64_t seen) {
      return Explorer::wait(word, seen) ? Waited::again : Waited::take_over;
    }
  };
};

}  // namespace cuckoo::testing
