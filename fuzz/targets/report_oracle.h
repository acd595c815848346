// The invariants of every report, whatever was examined.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "validator/report.h"

namespace hepcheck::fuzz {

// Nothing passes without having been examined, nothing fails without a finding, the verdict follows
// from the clauses.
void check_verdicts(const Report& report);

// Whether two reports are about the same tables, with equal verdicts and texts.
bool alike(const Report& a, const Report& b);

// Ways to write a report, and the requirements on them: UTF-8 and the syntax of the format always,
// and that JSON round-trips. Writing takes long, so each input tests one way.
std::size_t ways_to_write();
void check_writing(const Report& report, std::size_t way);

// It is valid UTF-8.
bool is_utf8(std::string_view text);

}  // namespace hepcheck::fuzz
