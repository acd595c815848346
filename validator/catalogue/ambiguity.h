// Where the text of a specification is open or contradicts itself, and the reading that its
// clauses take. Apart from the clauses, since no rule needs to know.
#pragma once

#include <span>
#include <string_view>

#include "validator/catalogue/clause.h"

namespace hepcheck {

// All texts live as long as the program.
struct Ambiguity {
  std::string_view id;
  std::string_view section;
  std::string_view question;
  std::string_view reading;      // the one taken
  std::string_view alternative;  // the one not taken
  std::string_view why;
  std::string_view effect;                    // what the choice does to findings
  std::span<const std::string_view> clauses;  // those that hang on it

  bool concerns(std::string_view clause_id) const;
};

// The register of a specification, in the order of its text.
std::span<const Ambiguity> ambiguities(const Specification& spec);
const Ambiguity* find_ambiguity(const Specification& spec, std::string_view id);

}  // namespace hepcheck
