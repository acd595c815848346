// Comparing adjacent numbers of a buffer, many at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "validator/integers.h"

namespace hepcheck::arrow {

constexpr std::uint64_t kAdjacentTogether = 512;

// Whether wrong(next, number) for one of kAdjacentTogether numbers, which another one follows, in
// the byte order of the machine. For functions with HEPCHECK_VECTORS; with a bool, the compiler
// would not vectorise the loop.
template <class T, class Wrong>
[[gnu::always_inline]] inline bool any_adjacent(const std::byte* data, Wrong wrong) {
  T found = 0;
  for (std::uint64_t i = 0; i < kAdjacentTogether; ++i)
    found |=
        wrong(load<T>(data + (i + 1) * sizeof(T)), load<T>(data + i * sizeof(T))) ? T{1} : T{0};
  return found != 0;
}

}  // namespace hepcheck::arrow
