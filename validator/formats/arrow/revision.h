// The revision of the format by which an input is judged.
#pragma once

#include "validator/bytes.h"
#include "validator/format.h"
#include "validator/limits.h"

namespace hepcheck::arrow {

struct RevisionChoice {
  const Specification* spec = nullptr;
  Choice choice{};
};

// The requested revision; otherwise 1.5 if the schema or the first batch use what 1.0 does not
// know, and the default revision if not. Reads the metadata of two messages at most, or of a
// footer.
RevisionChoice choose_revision(const Bytes& input, const Request& wanted);

}  // namespace hepcheck::arrow
