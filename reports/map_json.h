// The parts of a map of a file as JSON: for hepcheck layout, and for the pages on which its blocks
// are opened.
#pragma once

#include <vector>

#include "reports/json_stream.h"
#include "validator/file_map.h"

namespace hepcheck::reports {

// Each writes a member of the open object.
void write_ranges(JsonStream& to, const FileMap& map, bool with_fields);  // "ranges"
void write_gaps(JsonStream& to, const std::vector<FileMap::Gap>& gaps);   // "gaps"
void write_findings(JsonStream& to, const FileMap& map);                  // "findings"

}  // namespace hepcheck::reports
