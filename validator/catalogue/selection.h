// The ways in which a user selects clauses: by an id, by a pattern such as "bloom-*", or by a
// section such as "10.4", which includes its subsections.
#pragma once

#include <string>

#include "validator/catalogue/clause.h"

namespace hepcheck {

bool is_of_section(const Clause& clause, std::string_view section);
bool names(const std::string& word, const Clause& clause);

}  // namespace hepcheck
