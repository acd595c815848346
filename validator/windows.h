// Reads a file in pieces that are worth a system call. Metadata consists of many small blocks,
// which are often close to one another.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "validator/bytes.h"

namespace hepcheck {

class Windows {
 public:
  // `file` must outlive it.
  explicit Windows(const Bytes& file) : file_(file) {}

  const Bytes& file() const { return file_; }
  // Returns false if the file does not have these bytes, or they cannot be read.
  bool read(std::uint64_t offset, std::span<std::byte> into);

 private:
  struct Window {
    std::uint64_t begin = 0;
    std::vector<std::byte> bytes{};

    bool holds(std::uint64_t offset, std::uint64_t size) const {
      return offset >= begin && offset - begin <= bytes.size() &&
             size <= bytes.size() - (offset - begin);
    }
  };

  bool fill(Window& window, std::uint64_t begin, std::uint64_t size);

  const Bytes& file_;
  std::array<Window, 8> far_{};  // for reading onward
  std::vector<Window> near_{};   // for other reading, each for the positions of its own
  std::size_t next_ = 0;         // of the first ones, that is filled next
  std::uint64_t expected_ = 0;   // where the window filled last ends
};

}  // namespace hepcheck
