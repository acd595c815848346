// What holds of every report, whatever was examined.
#pragma once

#include <string>
#include <string_view>

#include "validator/finding.h"

namespace hepcheck::fuzz {

std::string json_of(const Report& report);

// Nothing is passed that was not looked at, nothing fails without a finding, the verdict follows
// from the clauses; every format can be written, and JSON can be read back.
void check_report(const Report& report);

// It is valid UTF-8.
bool is_utf8(std::string_view text);

}  // namespace hepcheck::fuzz
