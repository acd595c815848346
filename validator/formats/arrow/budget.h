// Bounds the cost of examining an input, whatever it claims.
#pragma once

#include <cstdint>

#include "validator/budget.h"
#include "validator/limits.h"

namespace hepcheck::arrow {

// Threads may share it.
class InputBudget {
 public:
  // `memory`: the maximum number of bytes held at a time; a small amount is always granted.
  InputBudget(std::uint64_t file_size, std::uint64_t memory, const Limits& limits);

  // More of the input has arrived.
  void add(std::uint64_t bytes);

  // Grants the examination of bytes, which many arrays may claim; false when the budget is
  // exhausted.
  bool examine(std::uint64_t bytes) { return examined_.take(bytes); }
  // Counts bytes produced by decompression.
  void decoded(std::uint64_t bytes) { decoded_.spend(bytes); }
  std::uint64_t left_to_decode() const { return decoded_.left(); }
  std::uint64_t memory() const { return memory_; }

 private:
  std::uint64_t memory_, most_decoded_, ratio_;
  Budget examined_, decoded_;
};

}  // namespace hepcheck::arrow
