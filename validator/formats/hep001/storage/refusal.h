// Why the values of a dataset are not read.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "validator/formats/hep001/model/table.h"
#include "validator/limits.h"
#include "validator/result.h"

namespace hepcheck::hep001 {

// It is unreadable, its values are in other files, its filters are not available, or a chunk
// exceeds a limit. The filters of chunks count only in needs_missing_filter.
std::optional<Error> refusal(const Dataset& dataset, const Limits& limits);

// The first filter that cannot be reversed, unless all stored chunks skipped it.
// `skipped_by_all`: the filters that they all skipped, as bits by position.
std::optional<Error> needs_missing_filter(const Dataset& dataset,
                                          const std::function<std::uint32_t()>& skipped_by_all);

// Bytes of everything below one position of the first dimension, in memory; nothing if it exceeds
// 64 bits.
std::optional<std::uint64_t> row_bytes(const Dataset& dataset);

}  // namespace hepcheck::hep001
