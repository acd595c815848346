// The progress of a long examination.
#pragma once

#include <cstdint>

namespace hepcheck {

// Receives counts of bytes of column and index data; called from any thread.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void expect(std::uint64_t bytes) = 0;   // this many more bytes will be read
  virtual void advance(std::uint64_t bytes) = 0;  // this many bytes were read
};

}  // namespace hepcheck
