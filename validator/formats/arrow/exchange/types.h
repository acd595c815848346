// Types of the format and neutral ones.
#pragma once

#include <optional>
#include <string>

#include "validator/exchange/table.h"
#include "validator/formats/arrow/schema.h"

namespace hepcheck::arrow {

// What an integer or a struct stands for, in words: "date[day]", "timestamp[ns, UTC]",
// "decimal128(10, 2)", "interval[day-time]". Nothing for a type that stands for itself.
std::optional<std::string> meaning_of(const Type& type);
// The type with that meaning, if values of the neutral type can be its values.
std::optional<Type> type_meant(const exchange::Type& type);

}  // namespace hepcheck::arrow
