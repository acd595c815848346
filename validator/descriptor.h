// A file opened by us, and by nobody else.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "validator/result.h"

namespace hepcheck {

// Owns one file descriptor and closes it once.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }  // the caller closes it
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

// Opens a regular file or block device for reading alone: no lock is taken, nothing can be
// written, and the time of last access stays as it was where the system allows that.
Result<Descriptor> open_for_reading(const std::string& path, bool may_be_empty = false);

}  // namespace hepcheck
