// How far a long examination has come.
#pragma once

#include <cstdint>

namespace hepcheck {

// Told of bytes of column and index data; called from any thread.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void expect(std::uint64_t bytes) = 0;   // so many more are going to be read
  virtual void advance(std::uint64_t bytes) = 0;  // so many have been
};

}  // namespace hepcheck
