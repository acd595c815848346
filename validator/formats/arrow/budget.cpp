#include "validator/formats/arrow/budget.h"

#include <algorithm>

#include "validator/formats/arrow/integers.h"

namespace hepcheck::arrow {

namespace {

// All that an array has reason to look at: every byte a few times.
constexpr std::uint64_t kTimes = 16, kSmall = std::uint64_t{64} << 20;
// What comes out of compressed buffers: LZ4 gives 255 times its input at most.
constexpr std::uint64_t kAlways = std::uint64_t{256} << 20, kRatio = 256;

}  // namespace

Budget::Budget(std::uint64_t file_size, std::uint64_t memory, const Limits& limits)
    : memory_(std::max(memory, kSmall)), most_decoded_(limits.value_bytes),
      ratio_(std::min(kRatio, limits.ratio)), examined_(kSmall),
      decoded_(std::min(most_decoded_, kAlways)) {
  add(file_size);
}

void Budget::add(std::uint64_t bytes) {
  examined_ = sum(examined_, product(bytes, kTimes));
  decoded_ = std::min(most_decoded_, sum(decoded_, product(bytes, ratio_)));
}

void Budget::decoded(std::uint64_t bytes) {
  while (!take(decoded_, std::min(bytes, left_to_decode()))) {
  }
}

bool Budget::take(std::atomic<std::uint64_t>& left, std::uint64_t bytes) {
  std::uint64_t there = left.load(std::memory_order_relaxed);
  while (true) {
    if (bytes > there) return false;
    if (left.compare_exchange_weak(there, there - bytes, std::memory_order_relaxed)) return true;
  }
}

}  // namespace hepcheck::arrow
