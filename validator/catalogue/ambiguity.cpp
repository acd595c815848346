#include "validator/catalogue/ambiguity.h"

#include <algorithm>

namespace hepcheck {

bool Ambiguity::concerns(std::string_view clause_id) const {
  return std::ranges::contains(clauses, clause_id);
}

const Ambiguity* find_ambiguity(const Specification& spec, std::string_view id) {
  const auto all = ambiguities(spec);
  const auto it = std::ranges::find(all, id, &Ambiguity::id);
  return it == all.end() ? nullptr : &*it;
}

}  // namespace hepcheck
