// The clause ids of HEP001, all revisions together.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "validator/formats/hep001/clause_ids.h"
#include "validator/rule.h"

namespace hepcheck::hep001 {

using ClauseId = ClauseIdOf<kClauseIds>;

// The clauses that stand in the way of another: probe.blocked("...", by({"sorted-permutation"})).
inline std::vector<std::string_view> by(std::initializer_list<ClauseId> clauses) {
  std::vector<std::string_view> ids;
  for (const ClauseId& clause : clauses) ids.push_back(clause.str());
  return ids;
}

}  // namespace hepcheck::hep001
