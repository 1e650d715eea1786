// SPDX-License-Identifier: MIT
// Logarithms and powers near 1, computed only with sums, products and quotients, which are the same on every machine,
// and so are the plans made with them. The functions of different standard libraries differ in the last bit, and are
// large in WebAssembly. Invariant: the relative error of `log1p` is below 1e-15, and that of `expm1` below 1e-15 (1 +
// |x|); a test compares them with the standard library.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace cuckoo::detail::portable {

inline constexpr double kLog2 = 0.693147180559945309417232121458;

/// Natural logarithm of 1 + x, for x > -1, also where x is so small that 1 + x is 1.
/// With 1 + x = 2^k (1 + f) and s = f / (2 + f): k log 2 + 2 (s + s^3 / 3 + s^5 / 5 + ...), where s is below 0.172.
inline double log1p(double x) {
  double f = x;
  double k = 0;
  if (x < -0.25 || x > 0.375) {
    constexpr std::uint64_t kRootOfHalf = std::bit_cast<std::uint64_t>(0.70710678118654752);
    const auto bits = std::bit_cast<std::uint64_t>(1 + x) - kRootOfHalf;
    k = static_cast<double>(static_cast<std::int64_t>(bits) >> 52);
    f = std::bit_cast<double>((bits & (~std::uint64_t{0} >> 12)) + kRootOfHalf) - 1;
  }
  const double s = f / (2 + f);
  double sum = 0;
  double power = 2 * s;
  for (double i = 1; sum + power / i != sum; i += 2) {
    sum += power / i;
    power *= s * s;
  }
  return k * kLog2 + sum;
}

/// Natural logarithm of x, above 0.
inline double log(double x) { return log1p(x - 1); }

/// exp(x) - 1, also where x is so small that exp(x) is 1. Below -700 and above 709, `x` counts as that limit. With
/// x = k log 2 + r, where r is at most 0.35: 2^k exp(r) - 1, and by a continued fraction
/// exp(r) = 1 + 2 r / (2 - r + r^2 / (6 + r^2 / (10 + r^2 / (14 + r^2 / (18 + r^2 / 22))))).
[[gnu::noinline]] inline double expm1(double x) {
  x = std::clamp(x, -700.0, 709.0);
  const auto k = static_cast<std::int64_t>(x / kLog2 + (x < 0 ? -0.5 : 0.5));
  const double r = x - static_cast<double>(k) * kLog2;
  double fraction = 22;
  for (double c = 18; c > 2; c -= 4) fraction = c + r * r / fraction;
  const auto power = std::bit_cast<double>(static_cast<std::uint64_t>(1023 + k) << 52);
  const double rest = 2 * r / (2 - r + r * r / fraction);
  return power * rest + (power - 1);
}

}  // namespace cuckoo::detail::portable
