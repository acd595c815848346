// The elements of a SORTED_ROWS index.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "validator/formats/hep001/derive/fold.h"

namespace hepcheck::hep001 {

// Calls use(rows) for the row numbers that a run of the index holds, a few at a time and in order,
// until it returns false. An Error if the index cannot be read.
std::optional<Error> for_each_element_group(
    const FoldContext& context, const Dataset& index, const Run& run,
    const std::function<bool(std::span<const std::uint64_t>)>& use);

}  // namespace hepcheck::hep001
