// Invariant tested: the parts of an entry do not touch each other, in every width that fits.
#include "cuckoo/detail/table/entry.h"

#include <gtest/gtest.h>

#include "random.h"

namespace cuckoo {

using namespace detail;
namespace {

TEST(Entry, HoldsFingerprintReservedBitsAndValueSideBySide) {
  testing::Random random(11);
  const auto below = [&](std::uint32_t bits) { return random.next() & ((std::uint64_t{1} << bits) - 1); };
  Params params;
  for (params.fingerprint_bits = 2; params.fingerprint_bits <= 32; ++params.fingerprint_bits) {
    for (params.reserved_bits = 0; params.fingerprint_bits + params.reserved_bits <= 32; ++params.reserved_bits) {
      params.value_bits = 32 - params.fingerprint_bits - params.reserved_bits;
      for (int round = 0; round < 20; ++round) {
        const auto fingerprint = static_cast<std::uint32_t>(below(params.fingerprint_bits));
        const std::uint64_t reserved = below(params.reserved_bits), value = below(params.value_bits);
        std::uint32_t entry = with_value(with_reserved(fingerprint, reserved, params), value, params);
        ASSERT_EQ(fingerprint_of(entry, params), fingerprint);
        ASSERT_EQ(reserved_of(entry, params), reserved);
        ASSERT_EQ(value_of(entry, params), value);
        const std::uint64_t other_reserved = below(params.reserved_bits), other_value = below(params.value_bits);
        entry = with_reserved(with_value(entry, other_value, params), other_reserved, params);
        ASSERT_EQ(fingerprint_of(entry, params), fingerprint);
        ASSERT_EQ(reserved_of(entry, params), other_reserved);
        ASSERT_EQ(value_of(entry, params), other_value);
        ASSERT_EQ(without_value(entry, params), with_reserved(fingerprint, other_reserved, params));
      }
    }
  }
}

}  // namespace
}  // namespace cuckoo
