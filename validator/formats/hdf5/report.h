// From the walk through a file to what reports show of it.
#pragma once

#include "validator/formats/hdf5/walk.h"
#include "validator/report.h"

namespace hepcheck::hdf5 {

// The words that some part of a report needs; `most`: lines of a kind.
void describe(const Walk& walk, std::uint64_t most, SubjectReport& into);
// What of it is for those who want to see tables and datasets one by one; and a picture of the
// file.
void describe_parts(const Walk& walk, SubjectReport& into);
void describe_layout(const Walk& walk, SubjectReport& into);

}  // namespace hepcheck::hdf5
