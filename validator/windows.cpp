#include "validator/windows.h"

#include <algorithm>

namespace hepcheck {

bool Windows::read(std::uint64_t offset, std::span<std::byte> into) {
  // Reading that continues where the last window ended reads far ahead; other reading, a little.
  constexpr std::uint64_t kNear = std::uint64_t{4} << 10, kFar = std::uint64_t{128} << 10;
  if (file_.descriptor() < 0 || into.size() > kFar / 4) return file_.read(offset, into);
  if (offset > file_.size() || into.size() > file_.size() - offset) return false;
  const auto copy = [&](const Window& window) {
    std::ranges::copy(std::span(window.bytes).subspan(offset - window.begin, into.size()),
                      into.begin());
    return true;
  };
  for (const Window& window : windows_)
    if (window.holds(offset, into.size())) return copy(window);
  const bool onward = offset >= expected_ && offset - expected_ < kNear;
  const std::uint64_t size = std::max<std::uint64_t>(into.size(), onward ? kFar : kNear);
  Window& window = windows_[next_];
  next_ = (next_ + 1) % windows_.size();
  window = {offset, std::move(window.bytes)};
  window.bytes.resize(std::min(size, file_.size() - offset));
  if (!file_.read(offset, window.bytes)) {
    window.bytes.clear();
    return false;
  }
  expected_ = offset + window.bytes.size();
  return copy(window);
}

}  // namespace hepcheck
