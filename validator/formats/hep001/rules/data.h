// Common functions of the rules of the data tier.
#pragma once

#include <optional>

#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/rules/rule.h"

namespace hepcheck::hep001 {

// The facts of a subject are usable. If a violated clause or an unreadable part prevented them, the
// clause is not checked; if there was nothing to examine, it is not applicable.
inline bool established(const std::optional<Obstacle>& obstacle, Probe& probe) {
  if (obstacle && obstacle->broken) probe.blocked(obstacle->reason, obstacle->by);
  return !obstacle;
}

}  // namespace hepcheck::hep001
