// Facts: what one pass over a table's data established, in the terms of the clauses.
//
// The engine asks for the facts of each column and index once (collect_facts); the rules of
// the data tier then are small functions of a Table and these values. Facts never hold a
// column: only counts, first places, and the first few differences of each kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validator/model/table.h"
#include "validator/model/values.h"

namespace hepcheck {

// What kept the facts of a subject from being established. `broken` tells a failed MUST of
// the structure tier or an unreadable part (the data clauses are then not checked) from
// there being nothing to look at (they are not applicable).
struct Obstacle {
  std::string reason;
  bool broken = true;
};

}  // namespace hepcheck
