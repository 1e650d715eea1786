// The switches of the mutants in the copy of the headers that scripts/mutants/rewrite.mjs writes. A place has the
// original and its mutants as functors of the operands, which are evaluated once; or it asks `is_on` for each.
// Invariant: with no mutant on, and in code that the compiler evaluates, the original runs. CUCKOO_MUTANT names the
// mutant that is on. CUCKOO_REACHED names a file with a number for each mutant. A run without a mutant counts there how
// often each place is reached, and for which of its mutants the value would differ.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace cuckoo_mutants {

/// What is recorded of a mutant.
inline constexpr std::uint8_t kReached = 1;
inline constexpr std::uint8_t kCompiles = 2;
inline constexpr std::uint8_t kDiffers = 4;

/// The mutants from `low` to `high` are on: one, none, or all where it is recorded what they would do.
inline int low = 0;
inline int high = 0;
inline std::uint8_t* reached = nullptr;
/// Whether a mutant of the function may be on; the others run as they were written.
inline bool functions[1 << 14];
/// How often each function was called while it was recorded.
inline std::uint32_t calls[1 << 14];

// Before any other constructor, as those of the tests may use the library.
[[gnu::constructor(101)]] inline void choose_mutant() {
  if (const char* id = std::getenv("CUCKOO_MUTANT")) low = high = std::atoi(id);
  if (const char* number = std::getenv("CUCKOO_FUNCTION")) functions[std::atoi(number)] = true;
  if (const char* path = std::getenv("CUCKOO_REACHED")) {
    const int file = open(path, O_RDWR);
    const off_t bytes = lseek(file, 0, SEEK_END);
    void* const mapped = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) _exit(2);
    close(file);
    reached = static_cast<std::uint8_t*>(mapped);
    std::memset(functions, true, sizeof functions);
    low = 0;
    high = static_cast<int>(bytes) - 1;
  }
}

inline void record(int id, int bits) { reached[id] |= kReached | bits; }

/// Whether the mutant, which is among those from `low` to `high`, takes the place of the original.
inline bool takes_place(int id) { return low == id && reached == nullptr; }

[[gnu::noinline, gnu::cold]] inline bool is_on_now(int id) {
  if (reached != nullptr) record(id, kCompiles | kDiffers);
  return takes_place(id);
}

/// To record takes long, so after many calls only some are.
[[gnu::noinline, gnu::cold]] inline bool is_turn_of(int function) {
  constexpr std::uint32_t kAll = 3000;
  constexpr std::uint32_t kStep = 61;
  return reached == nullptr || calls[function]++ < kAll || calls[function] % kStep == 0;
}

/// Whether a mutant of the `count` from `first` on may be on.
[[gnu::always_inline]] constexpr bool may_be_on(int first, int count) {
  return !std::is_constant_evaluated() && high >= first && low < first + count;
}

[[gnu::always_inline]] constexpr bool is_here(int function) {
  return !std::is_constant_evaluated() && functions[function] && is_turn_of(function);
}

[[gnu::always_inline]] constexpr bool is_on(int id) { return may_be_on(id, 1) && is_on_now(id); }

struct Divided;

constexpr bool is_zero(const auto&) { return false; }
constexpr bool is_zero(const auto&, const auto& divisor) { return divisor == 0; }

template <class Mutated>
bool would_differ(const auto& original, auto&... operands) {
  if constexpr (std::is_same_v<Mutated, Divided>)
    if (is_zero(operands...)) return true;
  if constexpr (std::is_scalar_v<std::remove_cvref_t<decltype(original)>>)
    return static_cast<std::remove_cvref_t<decltype(original)>>(Mutated{}(operands...)) != original;
  return true;
}

/// Puts into `result`, which is what the original gives, what the mutant gives, if it is on and compiles.
template <class Mutated, class Value>
void consider(int id, Value& result, const Value& original, auto&... operands) {
  if constexpr (requires { static_cast<Value>(Mutated{}(operands...)); }) {
    if (reached != nullptr) {
      record(id, kCompiles | (would_differ<Mutated>(original, operands...) ? kDiffers : 0));
    } else if (takes_place(id)) {
      result = static_cast<Value>(Mutated{}(operands...));
    }
  } else if (reached != nullptr) {
    record(id, 0);
  }
}

template <class... Mutated, class Value>
[[gnu::noinline, gnu::cold]] Value chosen(int id, Value original, auto&... operands) {
  Value result = original;
  (consider<Mutated>(id++, result, original, operands...), ...);
  return result;
}

template <class Original, class... Mutated>
[[gnu::always_inline]] constexpr auto binary(int first, auto&& left, auto&& right) {
  if (may_be_on(first, sizeof...(Mutated))) [[unlikely]]
    return chosen<Mutated...>(first, Original{}(left, right), left, right);
  return Original{}(left, right);
}

template <class... Mutated>
[[gnu::always_inline]] constexpr auto value(int first, auto original) {
  if (may_be_on(first, sizeof...(Mutated))) [[unlikely]]
    return chosen<Mutated...>(first, original, original);
  return original;
}

#define CUCKOO_OPERATOR(name, operation)                                                                    \
  struct name {                                                                                             \
    [[gnu::always_inline]] constexpr auto operator()(auto&& a, auto&& b) const -> decltype(a operation b) { \
      return a operation b;                                                                                 \
    }                                                                                                       \
  };
CUCKOO_OPERATOR(Less, <)
CUCKOO_OPERATOR(LessEqual, <=)
CUCKOO_OPERATOR(Greater, >)
CUCKOO_OPERATOR(GreaterEqual, >=)
CUCKOO_OPERATOR(Equal, ==)
CUCKOO_OPERATOR(NotEqual, !=)
CUCKOO_OPERATOR(Plus, +)
CUCKOO_OPERATOR(Minus, -)
CUCKOO_OPERATOR(Times, *)
CUCKOO_OPERATOR(Divided, /)
CUCKOO_OPERATOR(Modulo, %)
CUCKOO_OPERATOR(And, &)
CUCKOO_OPERATOR(Or, |)
CUCKOO_OPERATOR(Xor, ^)
CUCKOO_OPERATOR(Left, <<)
CUCKOO_OPERATOR(Right, >>)
#undef CUCKOO_OPERATOR

struct True {
  constexpr bool operator()(const auto&...) const { return true; }
};
struct False {
  constexpr bool operator()(const auto&...) const { return false; }
};
struct Next {
  constexpr auto operator()(auto number) const { return number + 1; }
};
struct Before {
  constexpr auto operator()(auto number) const { return number - 1; }
};
struct Negated {
  constexpr auto operator()(auto number) const -> decltype(-number) { return -number; }
};
struct Complement {
  constexpr auto operator()(auto number) const -> decltype(~number) { return ~number; }
};

}  // namespace cuckoo_mutants
