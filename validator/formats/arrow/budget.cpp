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
    : memory_(std::max(memory, kSmall)), examined_(sum(product(file_size, kTimes), kSmall)),
      decoded_(std::min(limits.value_bytes,
                        sum(kAlways, product(file_size, std::min(kRatio, limits.ratio))))) {}

bool Budget::take(std::atomic<std::uint64_t>& left, std::uint64_t bytes) {
  std::uint64_t there = left.load(std::memory_order_relaxed);
  while (true) {
    if (bytes > there) return false;
    if (left.compare_exchange_weak(there, there - bytes, std::memory_order_relaxed)) return true;
  }
}

}  // namespace hepcheck::arrow
