// Converts between types of the format and neutral types.
#pragma once

#include <optional>
#include <string>

#include "validator/exchange/table.h"
#include "validator/formats/arrow/schema.h"

namespace hepcheck::arrow {

// The logical type of an integer or a struct, as text: "date[day]", "timestamp[ns, UTC]",
// "decimal128(10, 2)", "interval[day-time]". Nothing for a type without one.
std::optional<std::string> meaning_of(const Type& type);
// The type with this logical type, if values of the neutral type can be its values.
std::optional<Type> type_meant(const exchange::Type& type);

}  // namespace hepcheck::arrow
