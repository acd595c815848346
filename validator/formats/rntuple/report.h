// Converts the results of the examination to the contents of reports.
#pragma once

#include "validator/formats/rntuple/examination.h"
#include "validator/report.h"

namespace hepcheck::rntuple {

void describe(const Examination& seen, SubjectReport& into);
// The columns, for reports that list them; and the use of the bytes of the file.
void describe_parts(const Examination& seen, std::uint64_t file_size, SubjectReport& into);

}  // namespace hepcheck::rntuple
