// How much memory a report takes.
#pragma once

#include <cstdint>

#include "validator/report.h"

namespace hepcheck::isolate {

// Bytes, but for the results that subjects share with others (clause_results.h).
std::uint64_t bytes_held(const FileReport& report);

// Of results, with all that is shared.
std::uint64_t bytes_held(const ClauseResults& results);

}  // namespace hepcheck::isolate
