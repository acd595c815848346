// Merges reports of parts of a run, such as shards.
#pragma once

#include <optional>
#include <string>

#include "validator/report.h"

namespace hepcheck::reports {

// Adds `part` to `whole`, which is empty at first. Returns the reason if that is impossible.
std::optional<std::string> merge(Report& whole, Report part);

}  // namespace hepcheck::reports
