// A point on which the text of a specification is ambiguous or contradictory, and the
// interpretation that its clauses use. Separate from the clauses, because rules do not need it.
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
  std::string_view reading;      // the interpretation taken
  std::string_view alternative;  // the alternative
  std::string_view why;
  std::string_view effect;                    // the effect of the choice on findings
  std::span<const std::string_view> clauses;  // the clauses that depend on it

  bool concerns(std::string_view clause_id) const;
};

// The ambiguities of a specification, in the order of its text.
std::span<const Ambiguity> ambiguities(const Specification& spec);
const Ambiguity* find_ambiguity(const Specification& spec, std::string_view id);

}  // namespace hepcheck
