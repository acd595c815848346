// The chunks in an index.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"

namespace hepcheck::hdf5 {

struct Chunk {
  std::span<const std::uint64_t> scaled{};  // its position by dimension, counted in chunks
  std::uint64_t address = kUndefined, size = 0;
  std::uint32_t mask = 0;  // one bit for each filter that was skipped
  Place at{};              // of its index entry
};

class Decoder;

// Receives the chunks from the walk through an index, one by one.
class Chunks {
 public:
  // Called for every chunk, valid or not.
  using Listener = std::function<void(const Dataset& dataset, const Chunk& chunk)>;

  // All must outlive it; `decoder` may be null, `listener` empty.
  Chunks(Container& file, const Dataset& dataset, Decoder* decoder, const Listener& listener)
      : file_(file), dataset_(dataset), decoder_(decoder), listener_(listener),
        bytes_(dataset.layout.chunk_bytes()) {}

  // False if it is invalid. Otherwise its bytes are included in the search for overlaps.
  bool take(const Chunk& chunk);
  // Adjacent chunks as one block of raw data, which do not have to be examined separately.
  void take_all(std::uint64_t count, std::uint64_t address, std::uint64_t size);

  std::uint64_t count() const { return count_; }  // in the index
  std::uint64_t inside() const {
    return inside_;
  }  // of those, the chunks that begin inside the extent
  std::uint64_t stored_bytes() const { return stored_; }  // of those, the valid ones
  std::uint64_t chunk_bytes() const { return bytes_; }
  bool listened() const { return static_cast<bool>(listener_); }
  void show(const Chunk& chunk) const { listener_(dataset_, chunk); }

 private:
  Container& file_;
  const Dataset& dataset_;
  Decoder* decoder_;
  const Listener& listener_;
  std::uint64_t bytes_;
  std::uint64_t count_ = 0, inside_ = 0, stored_ = 0;
};

// The chunk extends beyond the current extent.
bool over_the_edge(const Dataset& dataset, const Chunk& chunk);
// It begins inside it.
bool inside_extent(const Dataset& dataset, const Chunk& chunk);

// With early allocation, the index contains every chunk.
void judge_early_allocation(const Dataset& dataset, std::uint64_t inside, const Place& at,
                            Container& file);

}  // namespace hepcheck::hdf5
