// The clause ids of the Arrow columnar format, all revisions together.
#pragma once

#include "validator/formats/arrow/clause_ids.h"
#include "validator/rule.h"

namespace hepcheck::arrow {

using ClauseId = ClauseIdOf<kClauseIds>;

}  // namespace hepcheck::arrow
