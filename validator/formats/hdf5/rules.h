// All rules of the container, for the judge.
#pragma once

#include <span>

#include "validator/rule.h"

namespace hepcheck::hdf5 {

std::span<const RuleHead> rule_heads();

}  // namespace hepcheck::hdf5
