// What the examination of an input may take, whatever the input claims.
#pragma once

#include <cstdint>

#include "validator/budget.h"
#include "validator/limits.h"

namespace hepcheck::arrow {

// Threads may share it.
class InputBudget {
 public:
  // `memory`: bytes that may be held at a time; a little is always granted.
  InputBudget(std::uint64_t file_size, std::uint64_t memory, const Limits& limits);

  // More of the input has come.
  void add(std::uint64_t bytes);

  // Grants the examination of bytes, which many arrays may claim; false once it is too much.
  bool examine(std::uint64_t bytes) { return examined_.take(bytes); }
  // Counts bytes that came out of compressed buffers.
  void decoded(std::uint64_t bytes) { decoded_.spend(bytes); }
  std::uint64_t left_to_decode() const { return decoded_.left(); }
  std::uint64_t memory() const { return memory_; }

 private:
  std::uint64_t memory_, most_decoded_, ratio_;
  Budget examined_, decoded_;
};

}  // namespace hepcheck::arrow
