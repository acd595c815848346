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

// Changes `data` in place; returns its new size, at most `max_size`.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

// FUZZ_TARGET(NAME) { ... } defines what a target does with the input (data, size), and
// FUZZ_MUTATOR(NAME) { ... } how it changes the input to one of at most `max_size`, unless the
// default will do. With libFuzzer each target is a program of its own; replay_main.cpp finds all of
// them by name.
#ifdef HEPCHECK_FUZZ
#define FUZZ_TARGET(name) \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
#define FUZZ_MUTATOR(name)                                                             \
  extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, \
                                                 std::size_t max_size, unsigned seed)
#else
#define FUZZ_TARGET(name)                                                   \
  static int run_##name(const std::uint8_t* data, std::size_t size);        \
  static const bool registered_##name =                                     \
      (hepcheck::fuzz::replayed_target(#name).run = run_##name) != nullptr; \
  static int run_##name(const std::uint8_t* data, std::size_t size)
#define FUZZ_MUTATOR(name)                                                                     \
  static std::size_t mutate_##name(std::uint8_t* data, std::size_t size, std::size_t max_size, \
                                   unsigned seed);                                             \
  static const bool mutates_##name =                                                           \
      (hepcheck::fuzz::replayed_target(#name).mutate = mutate_##name) != nullptr;              \
  static std::size_t mutate_##name(std::uint8_t* data, std::size_t size, std::size_t max_size, \
                                   unsigned seed)
#endif

namespace hepcheck::fuzz {

// A target of the program that replays them.
struct ReplayedTarget {
  int (*run)(const std::uint8_t* data, std::size_t size) = nullptr;
  std::size_t (*mutate)(std::uint8_t* data, std::size_t size, std::size_t max_size,
                        unsigned seed) = nullptr;  // nullptr: LLVMFuzzerMutate
};
ReplayedTarget& replayed_target(std::string_view name);

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
