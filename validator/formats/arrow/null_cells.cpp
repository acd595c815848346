#include "validator/formats/arrow/null_cells.h"

#include <algorithm>

#include "validator/integers.h"

namespace hepcheck::arrow {

namespace {

// The share below `at` of `nulls` that are spread evenly over `slots`.
std::uint64_t before(std::uint64_t at, std::uint64_t slots, std::uint64_t nulls) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(nulls) * at / slots);
}

}  // namespace

void NullCells::add(std::uint64_t slots, std::uint64_t nulls) {
  constexpr std::uint64_t kMostSlots = std::uint64_t{1} << 62;
  if (slots == 0 || nulls > slots || slots > kMostSlots - slots_) return;
  const std::uint64_t begin = slots_, end = begin + slots;
  while (divided_up(end, width_) > MissingCells::kMostCells) widen();
  nulls_.resize(divided_up(end, width_));
  for (std::uint64_t at = begin; at < end;) {
    const std::uint64_t next = std::min(end, (at / width_ + 1) * width_);
    nulls_[at / width_] += before(next - begin, slots, nulls) - before(at - begin, slots, nulls);
    at = next;
  }
  slots_ = end;
}

void NullCells::widen() {
  width_ *= 2;
  for (std::size_t i = 0; i < nulls_.size(); ++i) {
    const std::uint64_t count = nulls_[i];
    nulls_[i] = 0;
    nulls_[i / 2] += count;
  }
  nulls_.resize(divided_up(nulls_.size(), 2));
}

}  // namespace hepcheck::arrow
