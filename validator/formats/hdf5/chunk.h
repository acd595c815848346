// The chunks that an index names.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"

namespace hepcheck::hdf5 {

struct Chunk {
  std::span<const std::uint64_t> scaled{};  // its place by dimension, counted in chunks
  std::uint64_t address = kUndefined, size = 0;
  std::uint32_t mask = 0;  // a bit for each filter that was skipped
  Place at{};              // of what names it
};

class Decoder;

// Where the walk through an index brings its chunks, one by one.
class Chunks {
 public:
  // Wants to know of every chunk; it may be one that does not hold.
  using Listener = std::function<void(const Dataset& dataset, const Chunk& chunk)>;

  // All must outlive it; `decoder` may be null, `listener` empty.
  Chunks(Container& file, const Dataset& dataset, Decoder* decoder, const Listener& listener)
      : file_(file), dataset_(dataset), decoder_(decoder), listener_(listener),
        bytes_(dataset.layout.chunk_bytes()) {}

  // False if it does not hold. Its bytes take part in the search for overlaps if it does.
  bool take(const Chunk& chunk);
  // Chunks that lie one behind the other as one block of raw data, and need no look at each.
  void take_all(std::uint64_t count, std::uint64_t address, std::uint64_t size);

  std::uint64_t count() const { return count_; }          // that the index names
  std::uint64_t inside() const { return inside_; }        // of those, that begin inside the size
  std::uint64_t stored_bytes() const { return stored_; }  // of those that hold
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

// The chunk reaches over the edge of the current size.
bool over_the_edge(const Dataset& dataset, const Chunk& chunk);
// It begins inside it.
bool inside_extent(const Dataset& dataset, const Chunk& chunk);

// With early allocation the index names every chunk.
void judge_early_allocation(const Dataset& dataset, std::uint64_t inside, const Place& at,
                            Container& file);

}  // namespace hepcheck::hdf5
