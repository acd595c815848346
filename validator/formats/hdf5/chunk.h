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

// Where the walk through an index brings its chunks, one by one.
class Chunks {
 public:
  // What else wants to know of a chunk; it may be one that does not hold. `sound`: it does.
  using Also = std::function<void(const Dataset& dataset, const Chunk& chunk, bool sound)>;

  // All must outlive it; `also` may be empty.
  Chunks(Container& file, const Dataset& dataset, const Also& also)
      : file_(file), dataset_(dataset), also_(also), bytes_(dataset.layout.chunk_bytes()) {}

  void take(const Chunk& chunk);
  // Chunks that lie one behind the other as one block of raw data, and need no look at each.
  void take_all(std::uint64_t count, std::uint64_t address, std::uint64_t size);

  std::uint64_t count() const { return count_; }          // that the index names
  std::uint64_t inside() const { return inside_; }        // of those, that begin inside the size
  std::uint64_t stored_bytes() const { return stored_; }  // of those that hold
  std::uint64_t chunk_bytes() const { return bytes_; }
  bool wanted() const { return static_cast<bool>(also_); }
  void show(const Chunk& chunk, bool sound) const { also_(dataset_, chunk, sound); }

 private:
  Container& file_;
  const Dataset& dataset_;
  const Also& also_;
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
