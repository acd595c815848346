// hepcheck clauses coverage, ambiguities and page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validator/catalogue/clause.h"

namespace hepcheck::cli {

// Prints how each clause is tested; returns the exit status.
int print_coverage(const Specification& spec, bool json);

// Prints the ambiguities of a specification; returns the exit status.
int print_ambiguities(const Specification& spec, bool json);

// Prints docs/clauses.md, or compares it with the file `check`; returns the exit status.
int write_page(const Specification& spec, const std::string& check);

}  // namespace hepcheck::cli
