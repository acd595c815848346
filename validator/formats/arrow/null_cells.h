// The distribution of the nulls of a field, for its picture.
#pragma once

#include <cstdint>
#include <vector>

#include "validator/spread.h"

namespace hepcheck::arrow {

// Counts over equal cells of slots, which become wider as slots are added. Only the counts of the
// batches are known: the nulls of each are assumed to be spread evenly.
class NullCells {
 public:
  // Adds a batch. Impossible counts are ignored.
  void add(std::uint64_t slots, std::uint64_t nulls);

  MissingCells cells() const { return {slots_ > 0 ? width_ : 0, nulls_}; }

 private:
  void widen();

  std::uint64_t slots_ = 0, width_ = 1;
  std::vector<std::uint64_t> nulls_{};  // of each cell
};

}  // namespace hepcheck::arrow
