// Where the nulls of a field are, for the picture of it.
#pragma once

#include <cstdint>
#include <vector>

#include "validator/spread.h"

namespace hepcheck::arrow {

// Over equal cells of slots, which become wider as slots are added. Only the counts of the batches
// are known: the nulls of each are taken to lie evenly in it.
class NullCells {
 public:
  // A batch more. Counts that cannot be are left out.
  void add(std::uint64_t slots, std::uint64_t nulls);

  MissingCells cells() const { return {slots_ > 0 ? width_ : 0, nulls_}; }

 private:
  void widen();

  std::uint64_t slots_ = 0, width_ = 1;
  std::vector<std::uint64_t> nulls_{};  // of each cell
};

}  // namespace hepcheck::arrow
