// Structures that a test makes at random, of which some have a mistake or two.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "validator/formats/hdf5/testing/bytes.h"
#include "validator/testing/random.h"

namespace hepcheck::hdf5::testing {

class Mistakes {
 public:
  explicit Mistakes(Random& random, std::uint64_t rarely = 50)
      : random_(random), rarely_(rarely), left_(random.once_in(3) ? 2 : 1) {}

  // Rarely, and only once or twice.
  bool made() {
    if (left_ == 0 || !random_.once_in(rarely_)) return false;
    --left_;
    return any_ = true;
  }
  bool any() const { return any_; }
  // The number, or one beside it.
  std::uint64_t perhaps(std::uint64_t right) {
    if (!made()) return right;
    return random_.once_in(2) ? right + 1 : right - 1;
  }
  // A signature, with a wrong letter.
  std::string letters(std::string right) {
    if (made()) right[random_.below(right.size())] = 'x';
    return right;
  }
  // With the checksum, and a wrong byte.
  std::string block(const std::string& bytes) {
    std::string all = summed(bytes);
    if (made()) ++all[random_.below(all.size())];
    return all;
  }

 private:
  Random& random_;
  std::uint64_t rarely_;
  unsigned left_;
  bool any_ = false;
};

}  // namespace hepcheck::hdf5::testing
