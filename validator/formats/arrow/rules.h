// All rules of the format, for the judge.
#pragma once

#include <span>

#include "validator/rule.h"

namespace hepcheck::arrow {

std::span<const RuleHead> rule_heads();

// The place of the clause of each of them among the ids of all clauses.
std::span<const std::size_t> rule_places();

}  // namespace hepcheck::arrow
