// What the examination of a file may take, whatever the file claims.
#pragma once

#include <atomic>
#include <cstdint>

#include "validator/limits.h"

namespace hepcheck::arrow {

// Shared by threads.
class Budget {
 public:
  // `memory`: bytes that may be held at a time; a little is always granted.
  Budget(std::uint64_t file_size, std::uint64_t memory, const Limits& limits);

  // More of the input has come. By one thread.
  void add(std::uint64_t bytes);

  // Bytes that are looked at: many arrays may claim the same ones. False once it is too much.
  bool examine(std::uint64_t bytes) { return take(examined_, bytes); }
  // Bytes that came out of compressed buffers.
  void decoded(std::uint64_t bytes);
  std::uint64_t left_to_decode() const { return decoded_.load(std::memory_order_relaxed); }
  std::uint64_t memory() const { return memory_; }

 private:
  static bool take(std::atomic<std::uint64_t>& left, std::uint64_t bytes);

  std::uint64_t memory_, most_decoded_, ratio_;
  std::atomic<std::uint64_t> examined_, decoded_;
};

}  // namespace hepcheck::arrow
