// --limit: the cost of a file and of a run.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "validator/isolate/sandbox.h"
#include "validator/limits.h"

namespace hepcheck::cli {

struct AllLimits {
  isolate::Bounds worker{};  // their memory is that of all workers of a run together
  Limits reading{};
  std::uint64_t reports =
      0;  // bytes of the reports of all files; 0: a quarter of the memory of the machine
};

// The defaults, changed by words such as "time=60" and "memory=2GiB". An invalid word is a usage
// error.
AllLimits limits_of(const std::vector<std::string>& words);

// More than any machine has, and small enough that sums and products with it do not overflow.
inline constexpr std::uint64_t kMostOfAll = std::uint64_t{1} << 50;

// An option whose value is a size, such as 512MB or 2GiB, of at most kMostOfAll bytes.
CLI::Option* take_size(CLI::Option* option);

// The names, defaults and meanings, one line each.
std::string limits_help();

}  // namespace hepcheck::cli
