// Determines whether all values of an array are UTF-8, many bytes at a time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "validator/formats/arrow/array.h"
#include "validator/utf8.h"

namespace hepcheck::arrow {

// For adjacent slots, null or not: their data as a whole is UTF-8, and none of them begins inside a
// character. T: the type of their offsets.
template <class T>
class Texts {
 public:
  // The second buffer of the array is open.
  explicit Texts(const Array& array) : array_(array), data_(*array.body, array.second) {}

  // For the next slots, by their offsets and the following one, which ascend. False if not all are.
  bool add(ByteSpan offsets) {
    const std::uint64_t count = offsets.size() / sizeof(T) - 1;
    if (load<T>(offsets.data(), array_.order) < 0) return false;
    const std::uint64_t end = at(offsets, count);
    if (end > array_.second.size) return false;
    std::uint64_t slot = 0;
    for (std::uint64_t begin = at(offsets, 0); begin < end; begin += Parts::kSize) {
      const ByteSpan data = data_.read(begin, std::min(Parts::kSize, end - begin));
      if (data.empty()) return false;
      if (check_.add(data)) continue;
      const std::uint64_t first = first_from(offsets, slot, begin);
      slot = first_from(offsets, first, begin + data.size());
      if (array_.order == std::endian::native
              ? any_inside<std::endian::native>(offsets, first, slot, data, begin)
              : any_inside<kForeign>(offsets, first, slot, data, begin))
        return false;
    }
    return true;
  }
  // Requires that the last character is complete.
  bool well_formed() const { return check_.well_formed(); }

 private:
  static constexpr std::endian kForeign =
      std::endian::native == std::endian::little ? std::endian::big : std::endian::little;

  // Whether one of the slots [first, last) begins inside a character.
  template <std::endian kOrder>
  static bool any_inside(ByteSpan offsets, std::uint64_t first, std::uint64_t last, ByteSpan data,
                         std::uint64_t begin) {
    const std::byte* const from = offsets.data();
    bool inside = false;
    for (std::uint64_t i = first; i < last; ++i)
      inside |= is_continuation(
          data[static_cast<std::uint64_t>(load<T>(from + i * sizeof(T), kOrder)) - begin]);
    return inside;
  }

  std::uint64_t at(ByteSpan offsets, std::uint64_t i) const {
    return static_cast<std::uint64_t>(load<T>(offsets.data() + i * sizeof(T), array_.order));
  }
  // The first slot from `slot` on that does not begin before this byte.
  std::uint64_t first_from(ByteSpan offsets, std::uint64_t slot, std::uint64_t byte) const {
    std::uint64_t end = offsets.size() / sizeof(T) - 1;
    while (slot < end) {
      const std::uint64_t middle = slot + (end - slot) / 2;
      if (at(offsets, middle) < byte)
        slot = middle + 1;
      else
        end = middle;
    }
    return slot;
  }

  const Array& array_;
  Parts data_;
  Utf8Check check_{};
};

}  // namespace hepcheck::arrow
