// The workloads of race.h natively, beside the paper's own code where a checkout of it was found at configuration.
// Reads one command a line, and answers each with one line, so that a script can take turns with other contenders:
//   "table F N"    fill tables of 2^N buckets with fingerprints of F bits: their bytes
//   a workload     nanoseconds a key
// Invariant: both libraries get the same keys, and tables of the same buckets and slots.
#include "race.h"

#include <chrono>
#include <iostream>
#include <memory>
#include <string>

#ifdef CUCKOO_PAPER
#include "cuckoofilter.h"
#endif

double now() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(since).count();
}

namespace {

#ifdef CUCKOO_PAPER
/// A filter of the paper's code; one lookup or insert a call, as it has no other.
class Paper {
 public:
  virtual ~Paper() = default;
  virtual double insert() = 0;
  virtual double contains() = 0;
  [[nodiscard]] virtual std::uint64_t found() const = 0;

  static std::unique_ptr<Paper> make(std::uint32_t fingerprint_bits, std::uint32_t log2_buckets);
};

template <std::size_t bits>
class PaperOf : public Paper {
 public:
  explicit PaperOf(std::uint32_t log2_buckets)
      : slots_(std::uint64_t{4} << log2_buckets),
        n_(static_cast<std::uint64_t>(race::kLoad * static_cast<double>(slots_))),
        asked_(race::asked_keys(n_)) {}

  double insert() override {
    filter_ = std::make_unique<Filter>(slots_ * 95 / 100);
    return race::in_blocks(0, n_, [&](std::span<const std::uint64_t> keys) {
      std::uint64_t added = 0;
      for (const std::uint64_t it : keys) added += filter_->Add(it) == cuckoofilter::Ok;
      found_ += added;
    });
  }
  double contains() override {
    const double start = now();
    std::uint64_t found = 0;
    for (const std::uint64_t it : asked_) found += filter_->Contain(it) == cuckoofilter::Ok;
    found_ += found;
    return (now() - start) * 1e6 / static_cast<double>(asked_.size());
  }
  [[nodiscard]] std::uint64_t found() const override { return found_; }

 private:
  using Filter = cuckoofilter::CuckooFilter<std::uint64_t, bits>;
  std::uint64_t slots_;
  std::uint64_t n_;
  std::vector<std::uint64_t> asked_;
  std::unique_ptr<Filter> filter_;
  std::uint64_t found_ = 0;
};

std::unique_ptr<Paper> Paper::make(std::uint32_t fingerprint_bits, std::uint32_t log2_buckets) {
  if (fingerprint_bits == 12) return std::make_unique<PaperOf<12>>(log2_buckets);
  return std::make_unique<PaperOf<16>>(log2_buckets);
}
#endif

}  // namespace

int main() {
  std::unique_ptr<race::Library> library;
#ifdef CUCKOO_PAPER
  std::unique_ptr<Paper> paper;
#endif
  std::uint64_t used = 0;
  for (std::string command; std::cin >> command;) {
    double answer = 0;
    if (command == "table") {
      std::uint32_t fingerprint_bits = 0;
      std::uint32_t log2_buckets = 0;
      std::cin >> fingerprint_bits >> log2_buckets;
      library = std::make_unique<race::Library>(fingerprint_bits, log2_buckets);
#ifdef CUCKOO_PAPER
      paper = Paper::make(fingerprint_bits, log2_buckets);
#endif
      answer = static_cast<double>(library->bytes());
    }
#ifdef CUCKOO_PAPER
    if (command == "paper_insert") answer = paper->insert();
    if (command == "paper_contains") answer = paper->contains();
#endif
    if (command == "insert") answer = library->insert();
    if (command == "insert_many") answer = library->insert_many();
    if (command == "contains") answer = library->contains();
    if (command == "contains_hash") answer = library->contains_hash();
    if (command == "contains_many") answer = library->contains_many();
    if (command == "reads") answer = library->reads();
#ifdef CUCKOO_PAPER
    used += paper->found();
#endif
    used += library->found();
    std::cout << answer << std::endl;
  }
  return used == 0 ? 1 : 0;
}
