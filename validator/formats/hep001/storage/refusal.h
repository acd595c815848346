// Why the values of a dataset are not read.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "validator/formats/hep001/model/table.h"
#include "validator/limits.h"
#include "validator/result.h"

namespace hepcheck::hep001 {

// It is unreadable, its values are in other files, its filters are not available, or a chunk
// exceeds a limit. The filters of chunks count only in needs_missing_filter.
std::optional<Error> refusal(const Dataset& dataset, const Limits& limits);

// For a dataset of which nothing is stored: it has elements and no fill value, so they have no
// values. The library refuses to read such datasets as well, except for those whose fill value is
// never written.
std::optional<Error> no_values(const Dataset& dataset);

// The first filter that cannot be reversed, unless all stored chunks skipped it.
// `skipped_by_all`: the filters that they all skipped, as bits by position.
std::optional<Error> needs_missing_filter(const Dataset& dataset,
                                          const std::function<std::uint32_t()>& skipped_by_all);

// The bytes of a row in memory, if its rows [first, first + count) can be streamed
// (ValueSource::stream_rows): they exist, a row is within the limit, and variable-length values are
// in one dimension.
Result<std::uint64_t> streamed_row_bytes(const Dataset& dataset, std::uint64_t first,
                                         std::uint64_t count, const Limits& limits);
// The bytes of a rectangle in memory, if it can be read (ValueSource::read).
Result<std::uint64_t> rectangle_bytes(const Dataset& dataset, std::span<const std::uint64_t> start,
                                      std::span<const std::uint64_t> count);

}  // namespace hepcheck::hep001
