// Converts the results of the examination to the contents of reports.
#pragma once

#include "validator/formats/arrow/examination.h"
#include "validator/report.h"

namespace hepcheck::arrow {

// The words that a part of the report needs.
void describe(const Examination& seen, SubjectReport& into);
// The fields of the schema, for reports that list them.
void describe_parts(const Examination& seen, SubjectReport& into);

}  // namespace hepcheck::arrow
