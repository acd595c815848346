// What reports show of a file or an array beside findings.
#pragma once

#include "validator/formats/tiledb/array.h"
#include "validator/report.h"

namespace hepcheck::tiledb {

void describe(const SchemaFile& file, SubjectReport& into);
void describe(const EnumerationFile& file, SubjectReport& into);
void describe(const Array& array, SubjectReport& into);
// Dimensions, attributes, labels and enumerations, as a person would want to see them.
void describe_parts(const SchemaFile& file, SubjectReport& into);
void describe_parts(const EnumerationFile& file, SubjectReport& into);
void describe_parts(const Array& array, SubjectReport& into);

}  // namespace hepcheck::tiledb
