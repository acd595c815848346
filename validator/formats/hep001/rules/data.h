// What the rules of the data tier share.
#pragma once

#include <optional>

#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/rules/rule.h"

namespace hepcheck::hep001 {

// The facts of a subject can be used. If a failed clause or an unreadable part kept them from
// being established, the clause is not checked; if there was nothing to look at, not applicable.
inline bool established(const std::optional<Obstacle>& obstacle, Probe& probe) {
  if (obstacle && obstacle->broken) probe.blocked(obstacle->reason, obstacle->by);
  return !obstacle;
}

}  // namespace hepcheck::hep001
