// The seam between the core and the formats.
#pragma once

#include "validator/catalogue/clause.h"

namespace hepcheck {

// The specification that is used when none is named: the default revision of the first format.
const Specification& default_specification();

}  // namespace hepcheck
