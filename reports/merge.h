// Reports of parts of a run, such as shards, as one.
#pragma once

#include <optional>
#include <string>

#include "validator/report.h"

namespace hepcheck::reports {

// Takes what `part` says into `whole`, which is empty at first. Why it cannot be, if so.
std::optional<std::string> merge(Report& whole, Report part);

}  // namespace hepcheck::reports
