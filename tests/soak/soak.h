// A random life of one filter beside its exact model. Every answer is compared, so a false negative, a wrong count or a
// changed size ends the run; false positives are counted, and compared with their number's exact distribution.
// Invariant: the keys in `keys_` are those added and not deleted since; each must be found at any time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../cpp/support/cases.h"
#include "../cpp/support/random.h"
#include "cuckoo/filters/merge.h"
#include "cuckoo/format/format.h"
#include "model.h"

namespace cuckoo::testing {

using namespace detail;

inline unsigned long long ull(std::uint64_t value) { return value; }

/// Sums over all parameter sets.
struct Totals {
  std::uint64_t operations = 0, added = 0, refused = 0, deleted = 0, clears = 0, loads = 0, doublings = 0, merges = 0;
  std::uint64_t present = 0;  ///< lookups of keys that are stored
  std::uint64_t absent = 0, positives = 0;
  double expected_positives = 0;
  double furthest = 0;       ///< a set's false positives less their expectation, in standard deviations
  double furthest_rate = 0;  ///< a set's mean `expected_false_positive_rate` from the exact one, where known to 1 %
};

/// Every bucket size, width and storage over odd, prime and power-of-two tables, the latter with both addressings; and
/// such that begin small and grow.
inline std::vector<Params> soak_params() {
  std::vector<Params> sets;
  for_all_params(
      {1, 3, 16, 67, 256, 1021}, [&](const Params& params) { sets.push_back(params); }, true);
  for_all_growing_params([&](const Params& params) { sets.push_back(params); }, true);
  return sets;
}

class Soak {
 public:
  Soak(const Params& params, Totals& totals)
      : totals_(totals),
        random_(params.seed),
        first_(params),
        filter_(created(params)),
        model_(grown(params)),
        target_(slot_count(grown(params))) {}

  /// A few dozen operations of one kind, chosen at random.
  void step() {
    switch (random_.below(16)) {
      case 0:
        return turn();
      case 1:
        return erase_absent();
      case 2:
        return count_some();
      case 3:
        return look_up_many();
      case 4:
      case 5:
      case 6:
        return look_up();
      case 7:
        return rarely();
      default:
        return change();
    }
  }

  /// Every key stored is found, and the false positives are as many as they should be.
  void finish() {
    for (const Hash key : keys_) require_found(key);
    save_and_load();
    if (variance_ > 0) {
      const double off = std::abs(static_cast<double>(positives_) - expected_) / std::sqrt(variance_);
      // 6 deviations come once in 5 * 10^8 sets; where few are expected, one count more or less is no deviation.
      require(std::abs(static_cast<double>(positives_) - expected_) < 6 * std::sqrt(variance_) + 3);
      if (variance_ > 100) totals_.furthest = std::max(totals_.furthest, off);
    }
    totals_.expected_positives += expected_;
    totals_.doublings += first_.reserved_bits - filter_.params().reserved_bits;
    compare_rates();
  }

 private:
  static constexpr int kRun = 32;

  static Filter created(const Params& params) { return std::move(*Filter::create(params)); }

  /// What the life until the next clear is: a set without deletes, different keys, or keys in copies.
  enum class Life { set, keys, copies };

  void require(bool claim) const {
    if (claim) return;
    std::printf("a difference from the model after %llu operations: %s\n", ull(totals_.operations),
                text_of(filter_.params()).c_str());
    std::exit(1);
  }

  /// A key that is new but for a chance of 2^-40 or less.
  Hash fresh() { return filter_.hash(random_.next()); }
  std::size_t any() { return static_cast<std::size_t>(random_.below(keys_.size())); }

  /// The rate that is planned for is the mean over many states: within the error that lives show among each other, and
  /// 2 % for what the formula leaves out (inserts refused favour some fingerprints).
  void compare_rates() {
    end_life();
    if (rate_of_state_ == 0) return;
    const double apart = std::abs(rate_ / rate_of_state_ - 1);
    const double error = std::sqrt(squares_) / rate_of_state_;
    require(apart < 0.02 + 6 * error);
    if (error < 0.01) totals_.furthest_rate = std::max(totals_.furthest_rate, apart);
  }

  void end_life() {
    squares_ += life_difference_ * life_difference_;
    life_difference_ = 0;
  }

  /// Chooses another size to make for, and sometimes starts another life.
  void turn() {
    const std::uint64_t slots = slot_count(grown(first_));
    target_ = random_.below(2) == 0 ? slots : random_.below(slots + 1);
    if (random_.below(16) != 0) return;
    filter_.clear();
    model_.clear();
    keys_.clear();
    end_life();
    life_ = static_cast<Life>(random_.below(3));
    ++totals_.operations;
    ++totals_.clears;
  }

  void rarely() {
    const std::uint64_t draw = random_.below(64);
    return draw == 0 ? save_and_load() : draw == 1 ? merge_some() : look_up();
  }

  void change() {
    for (int i = 0; i < kRun; ++i) {
      if (life_ == Life::set) {
        add_if_absent();
      } else if (keys_.size() < target_ && random_.below(8) != 0) {
        add(life_ == Life::copies && !keys_.empty() && random_.below(8) == 0 ? keys_[any()] : fresh());
      } else if (!keys_.empty()) {
        erase_stored();
      }
    }
    if (life_ == Life::set && filter_.size() >= target_) turn();
  }

  void add(Hash key) {
    ++totals_.operations;
    const InsertOutcome outcome = filter_.insert(key);
    if (outcome == InsertOutcome::inserted) {
      model_.insert(key);
      keys_.push_back(key);
      ++totals_.added;
    } else {
      const Location at = locate(key, filter_.params());
      const bool is_crowded =
          model_.count(key) == filter_.params().bucket_size * (at.primary.bucket == at.alternate.bucket ? 1u : 2u);
      require(is_crowded == (outcome == InsertOutcome::too_many_copies));
      ++totals_.refused;
    }
    require(filter_.size() == model_.size());
  }

  void add_if_absent() {
    ++totals_.operations;
    const Hash key = keys_.empty() || random_.below(2) == 0 ? fresh() : keys_[any()];
    const bool is_there = model_.count(key) != 0;
    const InsertOutcome outcome = filter_.insert_if_absent(key);
    require((outcome == InsertOutcome::present) == is_there);
    if (outcome == InsertOutcome::inserted) {
      model_.insert(key);
      ++totals_.added;
    }
    if (outcome == InsertOutcome::full || outcome == InsertOutcome::too_many_copies) {
      ++totals_.refused;
    } else if (keys_.size() < 2 * slot_count(grown(first_))) {
      keys_.push_back(key);  // also where it was found: it must stay so
    }
    require(filter_.size() == model_.size());
  }

  void erase_stored() {
    ++totals_.operations;
    const std::size_t at = any();
    require(filter_.erase(keys_[at]) && model_.erase(keys_[at]));
    keys_[at] = keys_.back();
    keys_.pop_back();
    ++totals_.deleted;
    require(filter_.size() == model_.size());
  }

  void erase_absent() {
    for (int i = 0; i < kRun; ++i) {
      const Hash key = fresh();
      if (model_.count(key) != 0) continue;
      ++totals_.operations;
      require(!filter_.erase(key) && filter_.size() == model_.size());
    }
  }

  void count_some() {
    for (int i = 0; i < kRun; ++i) {
      const Hash key = i % 2 == 0 || keys_.empty() ? fresh() : keys_[any()];
      ++totals_.operations;
      require(filter_.count(key) == model_.count(key));
    }
  }

  void require_found(Hash key) {
    ++totals_.operations;
    ++totals_.present;
    require(filter_.contains(key));
  }

  /// Notes the answer for a key with a fresh hash.
  void note_absent(Hash key, bool is_found, double probability) {
    ++totals_.operations;
    ++totals_.absent;
    require(is_found == (model_.count(key) != 0));
    expected_ += probability;
    variance_ += probability * (1 - probability);
    positives_ += is_found ? 1 : 0;
    totals_.positives += is_found ? 1 : 0;
  }

  void look_up() {
    const double probability = model_.found_probability();
    if (life_ == Life::keys) {  // the rate that is planned for counts on keys that differ
      rate_of_state_ += probability;
      rate_ += filter_.expected_false_positive_rate();
      life_difference_ += filter_.expected_false_positive_rate() - probability;
    }
    for (int i = 0; i < kRun; ++i) {
      if (!keys_.empty()) require_found(keys_[any()]);
      const Hash key = fresh();
      note_absent(key, filter_.contains(key), probability);
    }
  }

  void look_up_many() {
    Hash keys[3 * kRun];  // more than the core looks up together
    std::uint8_t found[3 * kRun];
    const std::size_t stored = keys_.empty() ? 0 : kRun;
    for (std::size_t i = 0; i < std::size(keys); ++i) keys[i] = i < stored ? keys_[any()] : fresh();
    filter_.contains_many(keys, found);
    const double probability = model_.found_probability();
    for (std::size_t i = 0; i < std::size(keys); ++i) {
      if (i >= stored) {
        note_absent(keys[i], found[i] != 0, probability);
        continue;
      }
      ++totals_.operations;
      ++totals_.present;
      require(found[i] == 1);
    }
  }

  /// Merges a filter of a few keys, which is as small as this one was at first; refused, it changes nothing.
  void merge_some() {
    Filter other = created(first_);
    std::vector<Hash> keys;
    for (std::uint64_t left = random_.below(kRun + 1); left > 0; --left) {
      const Hash key = keys_.empty() || random_.below(4) != 0 ? fresh() : keys_[any()];
      if (other.insert(key) == InsertOutcome::inserted) keys.push_back(key);
    }
    ++totals_.operations;
    const bool is_set = life_ == Life::set;
    const auto merged = merge(filter_, other, is_set);
    require(merged.has_value());
    if (*merged == InsertOutcome::inserted) {
      ++totals_.merges;
      for (const Hash key : keys) {
        if (!is_set || model_.count(key) == 0) model_.insert(key);
        keys_.push_back(key);
      }
    }
    require(filter_.size() == model_.size());
    for (const Hash key : keys) require(filter_.count(key) == model_.count(key));
  }

  void save_and_load() {
    const std::vector<std::uint8_t> bytes = save(filter_);
    Result<Filter> loaded = load(bytes);
    require(loaded.has_value() && loaded->size() == filter_.size());
    filter_ = std::move(*loaded);
    totals_.operations += 2;
    ++totals_.loads;
  }

  Totals& totals_;
  Random random_;
  Params first_;  ///< as the filter was made
  Filter filter_;
  FastMultiset model_;
  std::vector<Hash> keys_;  ///< added and not deleted; of a set, those asked to be added
  std::uint64_t target_;
  Life life_ = Life::keys;
  std::uint64_t positives_ = 0;
  double expected_ = 0, variance_ = 0;
  double rate_ = 0, rate_of_state_ = 0;       ///< sums over lookups: planned for, and exact
  double life_difference_ = 0, squares_ = 0;  ///< of the two within a life, and its square over all lives
};

}  // namespace cuckoo::testing
