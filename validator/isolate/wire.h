// Reports as bytes, between a worker and its parent.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "validator/report.h"

namespace hepcheck::isolate {

// `base`: what the last subject has in common with those to come. It is sent once; each end
// remembers it, and begins with none.
std::string to_wire(const SubjectReport& report, ClauseResults& base);
// The report without its path, its subjects and what stopped it.
std::string to_wire(const FileReport& report);
std::string to_wire(const Stop& stop);

// The way back. The bytes come from a process that a hostile file may have taken over: anything
// that to_wire could not have made gives nothing. Memory is bounded by a small multiple of the
// bytes.
std::optional<SubjectReport> subject_from_wire(std::string_view bytes, ClauseResults& base);
std::optional<FileReport> file_from_wire(std::string_view bytes);
std::optional<Stop> stop_from_wire(std::string_view bytes);

}  // namespace hepcheck::isolate
