// Reverses the filters of a stored chunk without the HDF5 library, so that several threads can do
// it concurrently.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001 {

// Every filter is shuffle, deflate or fletcher32, with valid parameters.
bool can_decode(std::span<const Filter> filters);
// Every filter is one of these, N-bit, scale-offset, szip or LZF, except those that all chunks
// skipped, given as bits by position.
bool can_decode_some(std::span<const Filter> filters, std::uint32_t skipped_by_all);

// The checksum that the fletcher32 filter appends, least significant byte first.
std::uint32_t fletcher32(std::span<const std::byte> data);

// Decodes chunks of one dataset. A decoder must not be used by two threads at a time.
class ChunkDecoder {
 public:
  ChunkDecoder();
  ChunkDecoder(ChunkDecoder&&) noexcept;
  ChunkDecoder& operator=(ChunkDecoder&&) noexcept;
  ~ChunkDecoder();

  // Reverses `filters` on a stored chunk and fills `into`, the whole chunk. Bit i of `filter_mask`
  // means that filter i was skipped when the chunk was written. A hostile chunk cannot cause writes
  // beyond `into`, or allocations much larger than its size. The error describes the defect of the
  // chunk.
  std::expected<void, std::string> decode(std::span<const Filter> filters,
                                          std::uint32_t filter_mask,
                                          std::span<const std::byte> stored,
                                          std::span<std::byte> into);

  // Buffers for the stored bytes of a chunk before they are decoded.
  std::span<std::byte> room_for_stored(std::size_t bytes);

 private:
  struct Inflater;
  std::expected<std::span<const std::byte>, std::string> inflate(std::span<const std::byte> from,
                                                                 std::span<std::byte> into);

  std::unique_ptr<Inflater> inflater_;
  std::vector<std::byte> stored_{}, scratch_[2]{};  // they only grow
};

}  // namespace hepcheck::hep001
