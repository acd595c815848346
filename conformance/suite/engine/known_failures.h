// Expected failures of a program.
#pragma once

#include <string>
#include <vector>

#include "reports/suite_report.h"
#include "validator/result.h"

namespace hepcheck::suite {

// Reads [[known]] entries: the clause, the reason, and the places if they are not all.
Result<std::vector<KnownFailure>> read_known(const std::string& path, const Specification& spec);

}  // namespace hepcheck::suite
