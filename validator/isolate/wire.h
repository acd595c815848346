// Reports as bytes, between a worker and its parent.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "validator/finding.h"

namespace hepcheck::isolate {

// What the last table had in common with others. It is sent once; each end remembers it.
using Common = ClauseResults::Common;

std::string to_wire(const TableReport& report, const Specification& spec, Common& common);
// The report without its tables.
std::string to_wire(const FileReport& report, const Specification& spec);
std::string to_wire(const Stop& stop, const Specification& spec);

// The way back. The bytes come from a process that a hostile file may have taken over: anything
// that to_wire could not have made gives nothing. Memory is bounded by a small multiple of the
// bytes.
std::optional<TableReport> table_from_wire(std::string_view bytes, const Specification& spec,
                                           Common& common);
std::optional<FileReport> file_from_wire(std::string_view bytes, const Specification& spec);
std::optional<Stop> stop_from_wire(std::string_view bytes, const Specification& spec);

}  // namespace hepcheck::isolate
