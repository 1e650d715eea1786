// Expiring filters, made of parameters, and the plain model that they are compared with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "alike.h"
#include "cuckoo/filters/expiring.h"

namespace cuckoo::testing {

using namespace detail;

using Expiring = ExpiringFilter;

inline Expiring created(const Params& params, std::uint32_t periods) {
  return std::move(*Expiring::create(params, periods));
}

/// What an expiring filter must answer: for each fingerprint with its candidate buckets, the period it was seen in
/// last.
class ExpiringModel {
 public:
  ExpiringModel(const Params& params, std::uint32_t periods) : params_(grown(params)), periods_(periods) {}

  void see(Hash hash) { last_[entry_of(hash, params_)] = now_; }
  [[nodiscard]] bool contains(Hash hash) const { return last_.count(entry_of(hash, params_)) != 0; }
  std::uint64_t advance(std::int64_t passed = 1) {
    now_ += passed;
    return remember(std::min<std::int64_t>(periods_, now_ - since_ + 1));
  }
  /// Forgets all but the last periods.
  std::uint64_t remember(std::int64_t periods) {
    since_ = now_ - periods + 1;
    return std::erase_if(last_, [&](const auto& entry) { return entry.second < since_; });
  }
  void clear() {
    last_.clear();
    since_ = now_ - periods_ + 1;
  }
  void take(const ExpiringModel& other) {
    remember(std::min(remembered(), other.remembered()));
    for (const auto& [entry, period] : other.last_) {
      if (period - other.now_ + now_ >= since_) last_[entry] = std::max(last_[entry], period - other.now_ + now_);
    }
  }
  [[nodiscard]] std::uint64_t size() const { return last_.size(); }
  [[nodiscard]] std::int64_t remembered() const { return now_ - since_ + 1; }

 private:
  Params params_;
  std::int64_t periods_;
  std::int64_t now_ = 1'000'000;  // so that taking from another model does not begin below 1
  std::int64_t since_ = 1'000'000 - periods_ + 1;
  std::map<Entry, std::int64_t> last_;
};

}  // namespace cuckoo::testing
