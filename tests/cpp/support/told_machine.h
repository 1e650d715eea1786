// A machine for shared filters that does as a test says: which thread it is, who waits how long, and what another
// thread does between two operations.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "cuckoo/concurrent/machine.h"

namespace cuckoo::testing {

/// What the machine does, as a test says, and what it was told.
struct Told {
  std::uint32_t thread = 1;
  Waited waited = Waited::give_up;
  std::function<void(const std::uint64_t&)> before_exchange;  ///< another thread's turn
  std::function<void(const std::uint64_t&)> on_load;          ///< likewise, after each load
  std::vector<std::uint64_t> added;
  InsertOutcome outcome = InsertOutcome::inserted;
  std::uint32_t kicks = 0;
};
inline Told told;

/// The native machine, except for what `told` says.
struct ToldMachine : NativeMachine {
  static std::uint64_t load(const std::uint64_t& word) {
    const std::uint64_t loaded = NativeMachine::load(word);
    if (told.on_load) told.on_load(word);
    return loaded;
  }
  static bool compare_exchange(std::uint64_t& word, std::uint64_t& seen, std::uint64_t wanted) {
    if (told.before_exchange) std::exchange(told.before_exchange, {})(word);
    return NativeMachine::compare_exchange(word, seen, wanted);
  }
  static void add(std::uint64_t& word, std::uint64_t number) {
    told.added.push_back(number);
    NativeMachine::add(word, number);
  }
  static std::uint32_t thread() { return told.thread; }
  static void end_insert(InsertOutcome outcome, std::uint32_t kicks) {
    told.outcome = outcome;
    told.kicks = kicks;
  }
  struct Patience {
    Waited operator()(const std::uint64_t&, std::uint64_t) { return told.waited; }
  };
};

/// Begins with a machine that was told nothing.
class ToldTest : public ::testing::Test {
 protected:
  void SetUp() override { told = {}; }
};
}  // namespace cuckoo::testing
