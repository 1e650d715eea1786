#include "cuckoo/detail/format/canonical.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cases.h"
#include "cuckoo/detail/entries/location.h"
#include "random.h"
#include "raw_bucket.h"

namespace cuckoo {

using namespace detail;
namespace {

constexpr std::uint64_t kBuckets = 24;

/// Buckets at the start of a table, at bits of every kind, canonical or nearly so.
class Buckets {
 public:
  explicit Buckets(const Params& params)
      : params_(params),
        layout_(params),
        random_(params.seed),
        bytes_((kBuckets * layout_.bucket_bits + 7) / 8 + kTablePadding) {}

  /// What `CanonicalForm` asks of one bucket, said once more.
  [[nodiscard]] std::uint64_t expected(std::uint64_t bucket) const {
    if (code_in(layout_, load_bucket_word(bytes(), at(bucket))) >= codes()) return kNotCanonical;
    const Slots slots = testing::read_bucket(layout_, bytes(), at(bucket));
    std::uint64_t used = 0;
    for (std::uint32_t slot = 0; slot < layout_.bucket_size; ++slot) {
      if (slot > 0 && layout_.order(slots[slot]) < layout_.order(slots[slot - 1])) return kNotCanonical;
      if (slots[slot] != 0 && fingerprint_of(slots[slot], params_) == 0) return kNotCanonical;
      used += slots[slot] != 0;
    }
    return used;
  }

  /// Fills all buckets with contents of which neighbours share all bits but a few, in order.
  void fill() {
    for (auto& byte : bytes_) byte = static_cast<std::uint8_t>(random_.next());
    for (std::uint64_t bucket = 0; bucket < kBuckets; ++bucket) {
      const std::uint64_t distinct = 1 + random_.below(6);
      std::vector<std::uint32_t> contents(layout_.bucket_size);
      for (std::uint32_t& each : contents) each = content(distinct);
      std::sort(contents.begin(), contents.end(),
                [&](std::uint32_t one, std::uint32_t other) { return layout_.order(one) < layout_.order(other); });
      Slots slots{};
      std::copy(contents.begin(), contents.end(), slots.begin());
      testing::write_bucket(layout_, bytes_.data(), at(bucket), slots);
    }
  }

  /// Two lanes change places, a lane gets other bits, or the code becomes another.
  void spoil(std::uint64_t bucket) {
    const std::uint64_t lanes = at(bucket) + layout_.code_bits;
    const std::uint64_t one = lanes + random_.below(layout_.bucket_size) * layout_.lane_bits;
    const std::uint64_t other = lanes + random_.below(layout_.bucket_size) * layout_.lane_bits;
    const std::uint64_t left = get_bits(bytes(), one, layout_.lane_bits);
    const std::uint64_t right = get_bits(bytes(), other, layout_.lane_bits);
    switch (random_.below(layout_.is_semi_sorted() ? 4 : 3)) {
      case 0:
        set_bits(bytes_.data(), one, layout_.lane_bits, right);
        set_bits(bytes_.data(), other, layout_.lane_bits, left);
        break;
      case 1:
        set_bits(bytes_.data(), one, layout_.lane_bits, left ^ std::uint64_t{1} << random_.below(layout_.lane_bits));
        break;
      case 2:  // no fingerprint, if bits are reserved
        set_bits(bytes_.data(), one, layout_.lane_bits,
                 left >> (params_.fingerprint_bits - layout_.low_bits)
                             << (params_.fingerprint_bits - layout_.low_bits));
        break;
      default:
        set_bits(bytes_.data(), at(bucket), layout_.code_bits,
                 random_.below(2) == 0 ? codes() : random_.below(std::uint64_t{1} << layout_.code_bits));
    }
  }

  void expect_agreement(const CanonicalForm& form) const {
    std::uint64_t used = 0;
    for (std::uint64_t bucket = 0; bucket < kBuckets; ++bucket) {
      const std::uint64_t size = expected(bucket);
      ASSERT_EQ(form.size(bytes(), at(bucket), 1), size) << testing::text_of(params_);
      ASSERT_EQ(form.size_by_slots(bytes(), at(bucket), 1), size) << testing::text_of(params_);
      used = used == kNotCanonical || size == kNotCanonical ? kNotCanonical : used + size;
      ASSERT_EQ(form.size(bytes(), 0, bucket + 1), used) << testing::text_of(params_);
      ASSERT_EQ(form.size_by_slots(bytes(), 0, bucket + 1), used) << testing::text_of(params_);
    }
  }

  [[nodiscard]] const BucketLayout& layout() const { return layout_; }

 private:
  [[nodiscard]] const std::uint8_t* bytes() const { return bytes_.data(); }
  [[nodiscard]] std::uint64_t at(std::uint64_t bucket) const { return bucket * layout_.bucket_bits; }
  [[nodiscard]] std::uint32_t codes() const {
    return layout_.is_semi_sorted() ? quadruple_count(low_values(params_.spared_quarters)) : 1;
  }
  std::uint32_t content(std::uint64_t distinct) {
    if (random_.below(3) == 0) return 0;
    const std::uint64_t hash = (random_.below(distinct) + 1) * 0x1555555515555555;
    const std::uint64_t bucket_bit = random_.below(2) << params_.fingerprint_bits;
    return (raw_fingerprint(Hash{hash}, params_) | static_cast<std::uint32_t>(bucket_bit)) &
           static_cast<std::uint32_t>(testing::all_ones(layout_));
  }

  Params params_;
  BucketLayout layout_;
  testing::Random random_;
  std::vector<std::uint8_t> bytes_;
};

void expect_agreement(const Params& params) {
  if (params.addressing != Addressing::reflect) return;
  Buckets buckets(params);
  const CanonicalForm form(params, buckets.layout());
  for (int round = 0; round < 4; ++round) {
    buckets.fill();
    buckets.expect_agreement(form);
    for (std::uint64_t bucket = kBuckets; bucket-- > 0;) {
      if (bucket % 3 == 0) buckets.spoil(bucket);
    }
    buckets.expect_agreement(form);
  }
}

TEST(CanonicalForm, IsToldByWordsAndBySlotsAsItIsDefined) { testing::for_all_params({3}, expect_agreement); }

TEST(CanonicalForm, IsToldOfTablesThatAreToGrow) { testing::for_all_growing_params(expect_agreement); }

}  // namespace
}  // namespace cuckoo
