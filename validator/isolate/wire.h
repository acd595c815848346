// Encodes reports as bytes, for the pipe between a worker and its parent.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "validator/report.h"

namespace hepcheck::isolate {

// `base`: the results that the last subject shares with later ones. It is sent once; both ends
// remember it and begin without one.
std::string to_wire(const SubjectReport& report, ClauseResults& base);
// The report without its path, its subjects and its stop.
std::string to_wire(const FileReport& report);
std::string to_wire(const Stop& stop);

// The decoder. The bytes may come from a process that a hostile file has compromised: everything
// that to_wire cannot produce is rejected. Memory is bounded by a small multiple of the number of
// bytes.
std::optional<SubjectReport> subject_from_wire(std::string_view bytes, ClauseResults& base);
std::optional<FileReport> file_from_wire(std::string_view bytes);
std::optional<Stop> stop_from_wire(std::string_view bytes);

}  // namespace hepcheck::isolate
