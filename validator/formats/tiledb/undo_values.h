// Undoes filters over the values of a chunk.             [tile.md, filters/delta.md]
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hepcheck::tiledb {

// What is behind a filter, on the way back: the metadata of the filters before it, and the data.
struct Values {
  std::vector<std::byte> metadata{}, data{};
};

// Each returns nothing if metadata and data are not laid out as the filter writes them for values
// of `width` bytes. Differences are modulo 2^(8 * width).
std::optional<Values> undo_delta(std::span<const std::byte> metadata,
                                 std::span<const std::byte> data, unsigned width);
std::optional<Values> undo_positive_delta(std::span<const std::byte> metadata,
                                          std::span<const std::byte> data, unsigned width);
// `most`: bytes of output.
std::optional<Values> undo_bit_width(std::span<const std::byte> metadata,
                                     std::span<const std::byte> data, unsigned width,
                                     std::uint64_t most);

}  // namespace hepcheck::tiledb
