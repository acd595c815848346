// Decoding piece by piece, for libraries that can stop when their output is full.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "validator/codec/codec.h"
#include "validator/integers.h"

namespace hepcheck::codec {

// Where the next piece of output goes.
class Space {
 public:
  // `input`: the size of the input.
  Space(const Wanted& wanted, std::uint64_t input) : wanted_(wanted) {
    constexpr std::uint64_t kStep = std::uint64_t{64} << 10;
    // Output that is kept begins with as much as most streams need, by the size of the input.
    first_ = wanted.output ? std::max(kStep, product(input, 8)) : kStep;
  }
  // `size`: the output so far, less than is wanted.
  std::span<std::byte> behind(std::uint64_t size) {
    if (!wanted_.output) return counted_.take(first_).first(std::min(first_, wanted_.most - size));
    if (size == held_) {
      held_ = std::min(wanted_.most, std::max(first_, 2 * size));
      kept_ = wanted_.output->extend(held_, size);
    }
    return kept_.subspan(size);
  }

 private:
  const Wanted& wanted_;
  std::uint64_t first_, held_ = 0;
  std::span<std::byte> kept_{};
  Slab counted_{};
};

// What the library did in one step.
struct Step {
  std::size_t in = 0, out = 0;  // bytes taken and put out
  bool ended = false;
  const char* error = nullptr;
};

// `step(input, output)` decodes as much of the input as the output holds.
template <class Library>
Decoded in_pieces(Input input, const Wanted& wanted, const Library& step) {
  Decoded made;
  Space space(wanted, input.size());
  while (!made.ended && made.error.empty() && made.size < wanted.most) {
    const Step done = step(input.subspan(made.taken), space.behind(made.size));
    made.taken += done.in;
    if (done.error) {
      made.error = done.error;
      break;
    }
    made.size += done.out;
    made.ended = done.ended;
    if (!made.ended && done.in == 0 && done.out == 0) made.error = "the frame is cut short";
  }
  return made;
}

}  // namespace hepcheck::codec
