#include "validator/formats/arrow/offsets.h"

#include <algorithm>
#include <format>

namespace hepcheck::arrow {

namespace {

// Whether `count` offsets and one more ascend, without a branch for each.
template <class T>
bool ascend(const std::byte* data, std::uint64_t count, std::endian order) {
  bool descends = false;
  if (order == std::endian::native)
    for (std::uint64_t i = 0; i < count; ++i)
      descends |= load<T>(data + (i + 1) * sizeof(T)) < load<T>(data + i * sizeof(T));
  else
    for (std::uint64_t i = 0; i < count; ++i)
      descends |= load<T>(data + (i + 1) * sizeof(T), order) < load<T>(data + i * sizeof(T), order);
  return !descends;
}

// Of the slots from `slot` on, `count` of them.
template <class T>
void find_descents(ByteSpan part, std::uint64_t slot, std::uint64_t count, Offsets& into) {
  const std::endian order = into.array.order;
  if (ascend<T>(part.data(), count, order)) return;
  for (std::uint64_t i = 0; i < count; ++i) {
    const T begin = load<T>(part.data() + i * sizeof(T), order);
    const T end = load<T>(part.data() + (i + 1) * sizeof(T), order);
    if (end >= begin || into.descents++ > 0) continue;
    into.descent = slot + i;
    into.begin = begin;
    into.end = end;
  }
}

template <class T>
Offsets read(const Array& array) {
  constexpr std::uint64_t kSlots = Parts::kSize / sizeof(T) - 1;
  Offsets offsets{.array = array};
  Parts parts(*array.body, array.first);
  for (std::uint64_t slot = 0; slot < array.length(); slot += kSlots) {
    const std::uint64_t count = std::min(kSlots, array.length() - slot);
    const ByteSpan part = parts.read(slot * sizeof(T), (count + 1) * sizeof(T));
    offsets.known = !part.empty();
    if (!offsets.known) break;
    if (slot == 0) offsets.first = load<T>(part.data(), array.order);
    offsets.last = load<T>(part.data() + count * sizeof(T), array.order);
    find_descents<T>(part, slot, count, offsets);
  }
  return offsets;
}

}  // namespace

std::int64_t offset_at(ByteSpan bytes, std::uint64_t i, std::uint64_t width, std::endian order) {
  const std::byte* at = bytes.data() + i * width;
  return width == 4 ? load<std::int32_t>(at, order) : load<std::int64_t>(at, order);
}

Offsets read_offsets(const Array& array) {
  return array.layout.width == 4 ? read<std::int32_t>(array) : read<std::int64_t>(array);
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
  look.fail(std::format("slot {}: offsets {}, {}", slot, it.begin, it.end),
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
