// How a user names clauses: an id, a pattern of ids as "bloom-*", or a section as "10.4", which
// stands for those below it, too.
#pragma once

#include <string>

#include "validator/catalogue/clause.h"

namespace hepcheck {

bool is_of_section(const Clause& clause, std::string_view section);
bool names(const std::string& word, const Clause& clause);

}  // namespace hepcheck
