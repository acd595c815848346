// The common part of the targets: the interface to libFuzzer, and how an oracle reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "fuzz/choices.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// Changes `data` in place; returns its new size, at most `max_size`.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);
// Defined by targets with their own mutator.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed);

namespace hepcheck::fuzz {

inline std::span<const std::byte> input(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const std::byte*>(data), size};
}
inline std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// An oracle failed: the input becomes a failure.
[[noreturn]] inline void object(const std::string& why) {
  std::fprintf(stderr, "oracle: %s\n", why.c_str());
  std::abort();
}
// `why`, in parts, is concatenated only if it is printed.
template <class... Parts>
void require(bool holds, const Parts&... why) {
  if (!holds) object((std::string(why) + ...));
}

}  // namespace hepcheck::fuzz
