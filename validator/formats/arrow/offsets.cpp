#include "validator/formats/arrow/offsets.h"

#include <format>

namespace hepcheck::arrow {

namespace {

template <class T>
void find_descents(ByteSpan bytes, std::uint64_t length, std::endian order, Offsets& into) {
  T before = load<T>(bytes.data(), order);
  for (std::uint64_t i = 1; i <= length; ++i) {
    const T offset = load<T>(bytes.data() + i * sizeof(T), order);
    if (offset < before && into.descents++ == 0) into.descent = i - 1;
    before = offset;
  }
}

// Whether there are any, quickly.
template <class T>
bool ascend(ByteSpan bytes, std::uint64_t length, std::endian order) {
  bool ascending = true;
  T before = load<T>(bytes.data(), order);
  for (std::uint64_t i = 1; i <= length; ++i) {
    const T offset = load<T>(bytes.data() + i * sizeof(T), order);
    ascending &= offset >= before;
    before = offset;
  }
  return ascending;
}

}  // namespace

std::int64_t offset_at(ByteSpan bytes, std::uint64_t i, std::uint64_t width, std::endian order) {
  const std::byte* at = bytes.data() + i * width;
  return width == 4 ? load<std::int32_t>(at, order) : load<std::int64_t>(at, order);
}

Offsets read_offsets(const Array& array) {
  const ByteSpan bytes = array.first.bytes;
  const std::uint64_t length = array.length(), width = array.layout.width;
  Offsets offsets{.array = array,
                  .first = offset_at(bytes, 0, width, array.order),
                  .last = offset_at(bytes, length, width, array.order)};
  if (width == 4 ? !ascend<std::int32_t>(bytes, length, array.order)
                 : !ascend<std::int64_t>(bytes, length, array.order)) {
    if (width == 4)
      find_descents<std::int32_t>(bytes, length, array.order, offsets);
    else
      find_descents<std::int64_t>(bytes, length, array.order, offsets);
  }
  return offsets;
}

void offsets_size(const Array& array, Look& look) {
  const std::uint64_t length = array.length(), width = array.layout.width;
  const bool enough = (length == 0 && array.first.size == 0) ||
                      (length < kMost && has_room(array.first, length + 1, width));
  look.ask(
      enough,
      [&] { return std::format("{} bytes of offsets for {} slots", array.first.size, length); },
      [&] { return std::format("one more offset than slots, of {} bytes each", width); });
}

void first_offset_not_negative(const Offsets& it, Look& look) {
  look.ask(
      it.first >= 0, [&] { return std::format("first offset {}", it.first); },
      [] { return "0 or more"; });
}

void offsets_ascending(const Offsets& it, Look& look) {
  look.looked();
  if (!it.descent) return;
  const Array& array = it.array;
  const std::uint64_t slot = *it.descent, width = array.layout.width;
  const Place place = array.in(array.first, array.number_of_first(), (slot + 1) * width);
  look.move_to(*place.within, place.byte);
  look.fail(std::format("slot {}: offsets {}, {}", slot,
                        offset_at(array.first.bytes, slot, width, array.order),
                        offset_at(array.first.bytes, slot + 1, width, array.order)),
            "an offset that is not below the one before", {}, it.descents - 1);
}

void offsets_start_at_zero(const Offsets& it, Look& look) {
  if (it.first < 0) return;
  look.ask(
      it.first == 0, [&] { return std::format("first offset {}", it.first); }, [] { return "0"; });
}

void last_offset_inside(const Room& it, Look& look) {
  const Offsets& offsets = it.offsets;
  look.ask(
      offsets.last < 0 || static_cast<std::uint64_t>(offsets.last) <= it.limit,
      [&] { return std::format("last offset {}", offsets.last); },
      [&] { return std::format("{} or less, what there is", it.limit); });
}

}  // namespace hepcheck::arrow
