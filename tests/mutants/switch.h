// What `npm run mutants` puts into a header, so that one program holds all its mutants: the environment chooses one by
// its number. Between two equal operators, `At<n>()` is the operator of mutant `n`: `a < At<7>() < b` is `a < b`, or
// `a <= b` in mutant 7. So the script need not find where the operands begin.
// Invariant: in a constant expression, and unless its number is chosen, a mutant does nothing.
#pragma once

#include <cstdlib>
#include <type_traits>

namespace mutants {

inline const char* const text = std::getenv("CUCKOO_MUTANT");
inline const int chosen = text == nullptr ? -1 : std::atoi(text);

template <int n>
constexpr bool is_on() {
  return !std::is_constant_evaluated() && chosen == n;
}

template <int n>
struct At {};
template <int n, class T>
struct Operand {
  T value;
};

#define CUCKOO_MUTANTS_OF(one, another)                    \
  template <class A, int n>                                \
  constexpr Operand<n, A> operator one(A a, At<n>) {       \
    return {a};                                            \
  }                                                        \
  template <int n, class A, class B>                       \
  constexpr auto operator one(Operand<n, A> a, B b) {      \
    return is_on<n>() ? a.value another b : a.value one b; \
  }
#define CUCKOO_MUTANTS(one, another) CUCKOO_MUTANTS_OF(one, another) CUCKOO_MUTANTS_OF(another, one)
CUCKOO_MUTANTS(<, <=)
CUCKOO_MUTANTS(>, >=)
CUCKOO_MUTANTS(==, !=)
CUCKOO_MUTANTS(+, -)
CUCKOO_MUTANTS(*, /)
CUCKOO_MUTANTS(<<, >>)
CUCKOO_MUTANTS(&, |)

// The second operand is a function, because it may not have to be computed.
#define CUCKOO_LAZY_MUTANTS_OF(one, another)                   \
  template <class A, int n>                                    \
  constexpr Operand<n, bool> operator one(const A& a, At<n>) { \
    return {static_cast<bool>(a)};                             \
  }                                                            \
  template <int n, class B>                                    \
  constexpr bool operator one(Operand<n, bool> a, B b) {       \
    return is_on<n>() ? a.value another b() : a.value one b(); \
  }
CUCKOO_LAZY_MUTANTS_OF(&&, ||)
CUCKOO_LAZY_MUTANTS_OF(||, &&)

// `x += At<n>() += b`, from right to left.
#define CUCKOO_ASSIGNING_MUTANTS_OF(one, another)          \
  template <int n, class B>                                \
  constexpr Operand<n, B> operator one(At<n>, B b) {       \
    return {b};                                            \
  }                                                        \
  template <class A, int n, class B>                       \
  constexpr A& operator one(A& a, Operand<n, B> b) {       \
    return is_on<n>() ? a another b.value : a one b.value; \
  }
CUCKOO_ASSIGNING_MUTANTS_OF(+=, -=)
CUCKOO_ASSIGNING_MUTANTS_OF(-=, +=)

// `++At<n>()->*x`.
template <int n, bool is_up>
struct Step {
  template <class A>
  constexpr A& operator->*(A& a) const {
    return is_up != is_on<n>() ? ++a : --a;
  }
};
template <int n>
constexpr Step<n, true> operator++(At<n>) {
  return {};
}
template <int n>
constexpr Step<n, false> operator--(At<n>) {
  return {};
}

}  // namespace mutants
