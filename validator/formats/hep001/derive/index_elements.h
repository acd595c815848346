// The elements of a SORTED_ROWS index.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "validator/formats/hep001/derive/fold.h"
#include "validator/formats/hep001/derive/order.h"

namespace hepcheck::hep001 {

// Represents an element that does not fit into 64 bits; there is no such row.
inline constexpr std::uint64_t kBeyond64Bits = ~std::uint64_t{0};

// The row that an element of the index names, for any unsigned datatype.
std::uint64_t index_element(const Datatype& type, StoredValue stored);

// Calls use(rows) for the row numbers in a run of the index, a few at a time and in order, until it
// returns false. An Error if the index cannot be read.
std::optional<Error> for_each_element_group(
    const FoldContext& context, const Dataset& index, const Run& run,
    const std::function<bool(std::span<const std::uint64_t>)>& use);

}  // namespace hepcheck::hep001
