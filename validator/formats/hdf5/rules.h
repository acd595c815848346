// All rules of the container, for the judge.
#pragma once

#include <span>
#include <vector>

#include "validator/probe.h"
#include "validator/rule.h"

namespace hepcheck::hdf5 {

std::span<const RuleHead> rule_heads();

// The place of the clause of each of them among the ids of all clauses.
std::span<const std::size_t> rule_places();

}  // namespace hepcheck::hdf5
