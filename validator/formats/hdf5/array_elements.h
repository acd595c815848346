// The common part of fixed and extensible arrays: elements that are chunks, and the numbers of
// chunks.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "validator/formats/hdf5/chunk.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"

namespace hepcheck::hdf5 {

// The bytes of the stored size of a filtered chunk in an index.
unsigned stored_size_width(const Dataset& dataset, const Container& file);
// The bytes of an element: the address and, for a filtered chunk, its size and mask.
std::uint64_t element_size(const Dataset& dataset, const Container& file);

// The position of a chunk by its number. The dimension without a maximum comes first, then the
// others in order, each with the maximum number of its chunks; the last varies fastest.
class Numbering {
 public:
  explicit Numbering(const Dataset& dataset);

  void go_to(std::uint64_t number);
  void next() {
    for (unsigned i = rank_; i > 1; --i) {
      if (++scaled_[order_[i - 1]] < counts_[order_[i - 1]]) return;
      scaled_[order_[i - 1]] = 0;
    }
    ++scaled_[order_[0]];
  }
  std::span<const std::uint64_t> scaled() const { return std::span(scaled_).first(rank_); }

 private:
  unsigned rank_;
  std::array<unsigned, kMostDimensions> order_{};  // the slowest first
  std::array<std::uint64_t, kMostDimensions> counts_{}, scaled_{};
};

// Reports the elements of an array that are chunks.
class Elements {
 public:
  Elements(const Dataset& dataset, Container& file, Chunks& chunks)
      : dataset_(dataset), file_(file), chunks_(chunks), numbering_(dataset),
        size_width_(stored_size_width(dataset, file)), size_(element_size(dataset, file)) {}

  std::uint64_t size() const { return size_; }
  // The elements of a block, beginning with this number. Readers ignore those from `most` on.
  void take(const Region& elements, std::uint64_t number, std::uint64_t most = kUndefined);
  // One more than the largest number of an element with an address; 0 if there is none.
  std::uint64_t beyond_last() const { return beyond_last_; }

 private:
  const Dataset& dataset_;
  Container& file_;
  Chunks& chunks_;
  Numbering numbering_;
  unsigned size_width_;
  std::uint64_t size_;
  std::uint64_t beyond_last_ = 0;
};

}  // namespace hepcheck::hdf5
