// Converts the results of the walk to the contents of reports.
#pragma once

#include "validator/formats/hdf5/walk.h"
#include "validator/report.h"

namespace hepcheck::hdf5 {

// The words that a part of the report needs; `most`: lines of a kind.
void describe(const ContainerWalk& walk, std::uint64_t most, SubjectReport& into);
// The parts for reports that list tables and datasets; and a picture of the file.
void describe_parts(const ContainerWalk& walk, SubjectReport& into);
void describe_layout(const ContainerWalk& walk, SubjectReport& into);

}  // namespace hepcheck::hdf5
