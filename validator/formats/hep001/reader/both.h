// Reads a file with both readers, and compares everything that they return.
#pragma once

#include <memory>

#include "validator/formats/hep001/reader/table_file.h"

namespace hepcheck::hep001 {

// The beginning of the cause of every remark about a disagreement.
inline constexpr std::string_view kReadersDisagree = "the two readers disagree: ";
// Of one where both returned something, and not only one of them.
inline constexpr std::string_view kReadersContradict = "the two readers disagree: own reader: has ";

// Returns what `own` reads; its remarks are the disagreements, each with both readings.
std::unique_ptr<TableFile> compare_readers(std::unique_ptr<TableFile> own,
                                           std::unique_ptr<TableFile> library);

}  // namespace hepcheck::hep001
