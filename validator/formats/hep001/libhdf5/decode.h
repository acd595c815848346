// Undoing the filters shuffle, deflate and fletcher32 of a stored chunk without the library,
// so that many threads can do it at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001::libhdf5 {

// Every filter is one of the three, with parameters that make sense.
bool can_decode(std::span<const Filter> filters);

// The checksum that the fletcher32 filter appends, least significant byte first.
std::uint32_t fletcher32(std::span<const std::byte> data);

// Decodes chunks of one dataset. A decoder belongs to one thread at a time.
class ChunkDecoder {
 public:
  ChunkDecoder();
  ChunkDecoder(ChunkDecoder&&) noexcept;
  ChunkDecoder& operator=(ChunkDecoder&&) noexcept;
  ~ChunkDecoder();

  // Undoes `filters` on a chunk as it lies in the file and fills `into`, the whole chunk.
  // Bit i of `filter_mask` says that filter i was left out when the chunk was written. What a
  // hostile chunk claims never makes it write beyond `into`, or allocate much more than its
  // size. The error says what is wrong with the chunk.
  std::expected<void, std::string> decode(std::span<const Filter> filters,
                                          std::uint32_t filter_mask,
                                          std::span<const std::byte> stored,
                                          std::span<std::byte> into);

  // Room for a chunk's stored bytes, to be read into before they are decoded.
  std::span<std::byte> room_for_stored(std::size_t bytes);

 private:
  struct Inflater;
  std::expected<std::span<const std::byte>, std::string> inflate(std::span<const std::byte> from,
                                                                 std::span<std::byte> into);

  std::unique_ptr<Inflater> inflater_;
  std::vector<std::byte> stored_{}, scratch_[2]{};  // they only grow
};

}  // namespace hepcheck::hep001::libhdf5
