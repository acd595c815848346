#include "validator/windows.h"

#include <algorithm>

namespace hepcheck {

namespace {

constexpr std::uint64_t kNear = std::uint64_t{4} << 10, kFar = std::uint64_t{128} << 10;
// Together they hold 8 MiB. A window begins at a multiple of kNear and holds twice as much, so
// small blocks that begin in the first half are in one window.
constexpr std::size_t kNearWindows = 1024;

}  // namespace

bool Windows::fill(Window& window, std::uint64_t begin, std::uint64_t size) {
  window.begin = begin;
  window.bytes.resize(std::min(size, file_.size() - begin));
  if (!file_.read(begin, window.bytes)) {
    window.bytes.clear();
    return false;
  }
  expected_ = begin + window.bytes.size();
  return true;
}

// Reading that continues where the last window ended reads far ahead; other reading, a little.
bool Windows::read(std::uint64_t offset, std::span<std::byte> into) {
  if (file_.descriptor() < 0 || into.size() > kFar / 4) return file_.read(offset, into);
  if (offset > file_.size() || into.size() > file_.size() - offset) return false;
  const auto copy = [&](const Window& window) {
    std::ranges::copy(std::span(window.bytes).subspan(offset - window.begin, into.size()),
                      into.begin());
    return true;
  };
  for (const Window& window : far_)
    if (window.holds(offset, into.size())) return copy(window);
  const std::uint64_t place = offset / kNear;
  if (near_.empty()) near_.resize(kNearWindows);
  Window& here = near_[place % kNearWindows];
  for (const Window* window : {&here, &near_[(place + kNearWindows - 1) % kNearWindows]})
    if (window->holds(offset, into.size())) return copy(*window);
  if (offset >= expected_ && offset - expected_ < kNear) {
    Window& window = far_[next_];
    next_ = (next_ + 1) % far_.size();
    return fill(window, offset, std::max<std::uint64_t>(into.size(), kFar)) && copy(window);
  }
  const std::uint64_t begin = place * kNear;
  return fill(here, begin, std::max(2 * kNear, offset - begin + into.size())) && copy(here);
}

}  // namespace hepcheck
