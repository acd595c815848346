// Mutants that are compiled in and enabled one at a time: the copies of the sources that
// fuzz/mutants creates include this. HEPCHECK_MUTANT names the enabled one.
// HEPCHECK_MUTANTS_REACHED names a file with a byte for each; those that a run reaches are set.
#pragma once
#pragma GCC system_header  // mutated code must not cause warnings

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace hepcheck::mutants {

constinit inline int active = -1;
constinit inline unsigned char* reached = nullptr;
constinit inline long reached_size = 0;

// Before main, and therefore before any worker is sandboxed; children share the mapping.
inline bool prepare() {
  if (const char* number = std::getenv("HEPCHECK_MUTANT")) active = std::atoi(number);
  const char* path = std::getenv("HEPCHECK_MUTANTS_REACHED");
  const int file = path == nullptr ? -1 : open(path, O_RDWR | O_CLOEXEC);
  struct stat status;
  if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
    void* at = mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ | PROT_WRITE,
                    MAP_SHARED, file, 0);
    if (at != MAP_FAILED) {
      reached_size = status.st_size;
      reached = static_cast<unsigned char*>(at);
    }
  }
  if (file >= 0) close(file);
  return true;
}
inline const bool prepared = prepare();

// Whether a mutant is enabled. Never in constant evaluation, whose result stays.
constexpr bool on(int number) {
  if (__builtin_is_constant_evaluated()) return false;
  if (reached != nullptr && number < reached_size) reached[number] = 1;
  return active == number;
}

enum class Operator { kLess, kLessEqual, kGreater, kGreaterEqual };

// a < b, or in the mutant a <= b; likewise the others.
template <Operator op, class A, class B>
constexpr bool compare(int number, const A& a, const B& b) {
  const bool other = on(number);
  if constexpr (op == Operator::kLess) return other ? a <= b : a < b;
  if constexpr (op == Operator::kLessEqual) return other ? a < b : a <= b;
  if constexpr (op == Operator::kGreater) return other ? a >= b : a > b;
  if constexpr (op == Operator::kGreaterEqual) return other ? a > b : a >= b;
}

#define HEPCHECK_MUTANT_ARITHMETIC(name, right, wrong)                       \
  template <class A, class B>                                                \
  constexpr auto name(int number, const A& a, const B& b) {                  \
    if constexpr (requires { static_cast<decltype(a right b)>(a wrong b); }) \
      if (on(number)) return static_cast<decltype(a right b)>(a wrong b);    \
    return a right b;                                                        \
  }
HEPCHECK_MUTANT_ARITHMETIC(plus, +, -)
HEPCHECK_MUTANT_ARITHMETIC(minus, -, +)
HEPCHECK_MUTANT_ARITHMETIC(times, *, +)
HEPCHECK_MUTANT_ARITHMETIC(over, /, *)
HEPCHECK_MUTANT_ARITHMETIC(modulo, %, +)
HEPCHECK_MUTANT_ARITHMETIC(bit_and, &, |)
HEPCHECK_MUTANT_ARITHMETIC(bit_or, |, &)
HEPCHECK_MUTANT_ARITHMETIC(bit_xor, ^, |)
HEPCHECK_MUTANT_ARITHMETIC(shift_left, <<, >>)
HEPCHECK_MUTANT_ARITHMETIC(shift_right, >>, <<)
#undef HEPCHECK_MUTANT_ARITHMETIC

// One more than the constant.
template <class T>
constexpr T constant(int number, const T& value) {
  return on(number) ? static_cast<T>(value + 1) : value;
}

// The last instead of the worst, or of the best.
template <class T>
constexpr const T& last(int number, bool greatest, const T& a, const T& b) {
  if (on(number)) return b;
  return greatest ? (a < b ? b : a) : (b < a ? b : a);
}

}  // namespace hepcheck::mutants
