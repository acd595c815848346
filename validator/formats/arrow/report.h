// From the examination of an input to what reports show of it.
#pragma once

#include "validator/formats/arrow/examination.h"
#include "validator/report.h"

namespace hepcheck::arrow {

// The words that some part of a report needs.
void describe(const Examination& seen, SubjectReport& into);
// The fields of the schema, for those who want to see them one by one.
void describe_parts(const Examination& seen, SubjectReport& into);

}  // namespace hepcheck::arrow
