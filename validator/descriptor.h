// A file that this process opened.
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

// Opens a regular file or block device read-only: takes no lock, cannot write, and preserves the
// access time if the system allows it.
Result<Descriptor> open_for_reading(const std::string& path, bool may_be_empty = false);

}  // namespace hepcheck
