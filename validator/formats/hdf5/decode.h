// The bytes of chunks: filters undone, and what the values must be.
#pragma once

#include <cstdint>
#include <span>

#include "validator/formats/hdf5/chunk.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"
#include "validator/slab.h"

namespace hepcheck::hdf5 {

// Of bytes, as the filter of that name computes it: 16-bit words, the high byte first.
std::uint32_t fletcher32(std::span<const std::byte> bytes);

// A reference of a kind that its element says (datatype class 7, kind 2), other than to an object
// of this file: its data lie in a heap that has no order of writing.
bool leads_to_heap(std::span<const std::byte> reference);

// Decodes the chunks of one dataset, where its filters are known here.
class Decoder {
 public:
  Decoder(Container& file, const Dataset& dataset);

  // There is something to decode, or to look at.
  bool wanted() const { return wanted_; }
  // A chunk that holds. False if it does not decode.
  bool take(const Chunk& chunk);
  // Some element refers to what lies in a heap.
  bool heap_reference() const { return heap_reference_; }

 private:
  bool readable();
  bool undo(const Filter& filter, std::uint64_t most, const Chunk& chunk);
  void look_at_references();

  Container& file_;
  const Dataset& dataset_;
  std::uint64_t bytes_;
  bool wanted_ = false, heap_reference_ = false;
  // The bytes of a chunk on their way through the filters.
  struct Buffer {
    Slab memory{};
    std::uint64_t size = 0;

    std::span<const std::byte> bytes() const { return memory.first(size); }
    // Makes it that large; what was in it is lost.
    std::span<std::byte> resize(std::uint64_t bytes) {
      size = bytes;
      return memory.take(bytes);
    }
  };
  Buffer data_{}, spare_{};
};

}  // namespace hepcheck::hdf5
