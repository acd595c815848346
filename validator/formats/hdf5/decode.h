// Reads the bytes of chunks: undoes their filters, and examines the values.
#pragma once

#include <cstdint>
#include <span>

#include "validator/formats/hdf5/chunk.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"
#include "validator/slab.h"

namespace hepcheck::hdf5 {

// The checksum of the filter of that name: over 16-bit words, the high byte first.
std::uint32_t fletcher32(std::span<const std::byte> bytes);

// Whether a reference whose element states its kind (datatype class 7, kind 2) is not one to an
// object of this file. Its data then lie in a heap, which is written in no particular order.
bool leads_to_heap(std::span<const std::byte> reference);

class Values;

// Decodes the chunks of one dataset whose filters this program implements.
class Decoder {
 public:
  // `values`: receives the values of chunks; null if nobody wants them.
  Decoder(Container& file, const Dataset& dataset, Values* values = nullptr);

  // Whether there is anything to decode or to examine.
  bool wanted() const { return wanted_; }
  // Takes a chunk whose record is sound. Returns false if it does not decode.
  bool take(const Chunk& chunk);
  // Whether an element refers to data in a heap.
  bool heap_reference() const { return heap_reference_; }

 private:
  bool readable();
  bool is_decoded(std::uint16_t filter) const;
  std::uint64_t enlarged(std::uint16_t filter) const;
  bool undo(const Filter& filter, std::uint64_t most, const Chunk& chunk);
  bool unpack(const Filter& filter);
  void look_at_references();

  Container& file_;
  const Dataset& dataset_;
  Values* values_;
  std::uint64_t bytes_;
  bool wanted_ = false, heap_reference_ = false;
  bool packed_ = false;  // by n-bit or scale-offset
  // The bytes of a chunk on their way through the filters.
  struct Buffer {
    Slab memory{};
    std::uint64_t size = 0;

    std::span<const std::byte> bytes() const { return memory.first(size); }
    // Resizes it; the contents are lost.
    std::span<std::byte> resize(std::uint64_t bytes) {
      size = bytes;
      return memory.take(bytes);
    }
  };
  Buffer data_{}, spare_{};
};

}  // namespace hepcheck::hdf5
