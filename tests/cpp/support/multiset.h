// The plain model that a filter is compared with: what a filter's answers must be, from fingerprints kept in
// a map. A filter holds a multiset of (fingerprint, unordered pair of candidate buckets); nothing else about it can be
// seen.
#pragma once

#include <map>

#include "alike.h"

namespace cuckoo::testing {

class Multiset {
 public:
  explicit Multiset(const Params& params) : params_(params) {}

  void insert(Hash hash) {
    ++copies_[entry_of(hash, params_)];
    ++size_;
  }
  bool erase(Hash hash) {
    const auto found = copies_.find(entry_of(hash, params_));
    if (found == copies_.end()) return false;
    if (--found->second == 0) copies_.erase(found);
    --size_;
    return true;
  }
  [[nodiscard]] std::uint32_t count(Hash hash) const {
    const auto found = copies_.find(entry_of(hash, params_));
    return found == copies_.end() ? 0 : found->second;
  }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  void clear() {
    copies_.clear();
    size_ = 0;
  }

 private:
  Params params_;
  std::map<Entry, std::uint32_t> copies_;
  std::uint64_t size_ = 0;
};

}  // namespace cuckoo::testing
