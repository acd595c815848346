// Estimates the memory of a report.
#pragma once

#include <cstdint>

#include "validator/report.h"

namespace hepcheck::isolate {

// In bytes, without results that subjects share with others (clause_results.h).
std::uint64_t bytes_held(const FileReport& report);

// The size in bytes of results, including shared ones.
std::uint64_t bytes_held(const ClauseResults& results);

}  // namespace hepcheck::isolate
