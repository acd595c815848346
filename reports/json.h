// The JSON report: one document for a run. Names are a contract; see reports/schema.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "validator/finding.h"

namespace hepcheck::reports {

// Writes the report as one JSON document, indented, ending in a newline.
void write_json(std::ostream& out, const Report& report);

// The same document as a value.
nlohmann::ordered_json to_json(const Report& report);

}  // namespace hepcheck::reports
