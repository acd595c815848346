#include "validator/format.h"

namespace hepcheck {

const Specification& default_specification() { return default_revision("hep001"); }

}  // namespace hepcheck
