// All rules of the format, for the judge.
#pragma once

#include <span>

#include "validator/rule.h"

namespace hepcheck::rntuple {

std::span<const RuleHead> rule_heads();

}  // namespace hepcheck::rntuple
