#include "validator/formats/arrow/budget.h"

#include <algorithm>

#include "validator/integers.h"

namespace hepcheck::arrow {

namespace {

// An array has reason to read every byte a few times.
constexpr std::uint64_t kTimes = 16, kSmall = std::uint64_t{64} << 20;
// The output of compressed buffers: LZ4 gives at most 255 times its input.
constexpr std::uint64_t kAlways = std::uint64_t{256} << 20, kRatio = 256;

}  // namespace

InputBudget::InputBudget(std::uint64_t file_size, std::uint64_t memory, const Limits& limits)
    : memory_(std::max(memory, kSmall)), most_decoded_(limits.value_bytes),
      ratio_(std::min(kRatio, limits.ratio)), examined_(kSmall),
      decoded_(std::min(most_decoded_, kAlways)) {
  add(file_size);
}

void InputBudget::add(std::uint64_t bytes) {
  examined_.add(product(bytes, kTimes));
  decoded_.add(product(bytes, ratio_), most_decoded_);
}

}  // namespace hepcheck::arrow
