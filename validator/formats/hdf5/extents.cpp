#include "validator/formats/hdf5/extents.h"

#include <algorithm>

namespace hepcheck::hdf5 {

void Extents::add(std::string_view kind, std::uint64_t address, std::uint64_t size,
                  std::uint32_t object) {
  if (size == 0) return;
  sorted_ = sorted_ && (extents_.empty() || extents_.back().address <= address);
  extents_.push_back({address, size, object, number_of(kind)});
}

void Extents::add_raw(std::uint64_t address, std::uint64_t size, std::uint32_t object) {
  if (last_raw_ != kNone) {
    Extent& last = extents_[last_raw_];
    if (last.object == object && last.end() == address) {
      last.size += size;
      return;
    }
  }
  if (size == 0) return;
  add(kinds_.front(), address, size, object);
  last_raw_ = extents_.size() - 1;
}

std::uint16_t Extents::number_of(std::string_view kind) {
  const auto number = std::ranges::find(kinds_, kind) - kinds_.begin();
  if (number == std::ssize(kinds_)) kinds_.push_back(kind);
  return static_cast<std::uint16_t>(number);
}

const std::vector<Extent>& Extents::sorted() {
  if (!sorted_) std::ranges::stable_sort(extents_, {}, &Extent::address);
  sorted_ = true;
  last_raw_ = kNone;
  return extents_;
}

}  // namespace hepcheck::hdf5
