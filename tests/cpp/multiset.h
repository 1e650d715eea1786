// The plain model that a filter is compared with: what a filter's answers must be, from fingerprints kept in
// a map. A filter holds a multiset of (fingerprint, unordered pair of homes); nothing else about it can be
// seen.
#pragma once

#include <algorithm>
#include <map>
#include <tuple>

#include "cuckoo/location.h"

namespace cuckoo::testing {

class Multiset {
 public:
  explicit Multiset(const Params& params) : params_(params) {}

  void insert(Hash hash) {
    ++copies_[key(hash)];
    ++size_;
  }
  bool erase(Hash hash) {
    const auto found = copies_.find(key(hash));
    if (found == copies_.end()) return false;
    if (--found->second == 0) copies_.erase(found);
    --size_;
    return true;
  }
  [[nodiscard]] std::uint32_t count(Hash hash) const {
    const auto found = copies_.find(key(hash));
    return found == copies_.end() ? 0 : found->second;
  }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  void clear() {
    copies_.clear();
    size_ = 0;
  }

 private:
  using Key = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>;
  [[nodiscard]] Key key(Hash hash) const {
    const Location at = locate(hash, params_);
    return {at.fingerprint, std::min(at.primary, at.alternate), std::max(at.primary, at.alternate)};
  }

  Params params_;
  std::map<Key, std::uint32_t> copies_;
  std::uint64_t size_ = 0;
};

}  // namespace cuckoo::testing
