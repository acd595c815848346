#include "validator/formats/arrow/offsets.h"

#include <algorithm>
#include <format>
#include <functional>
#include <vector>

#include "validator/formats/arrow/adjacent.h"
#include "validator/formats/arrow/texts.h"
#include "validator/parallel.h"
#include "validator/vectors.h"

namespace hepcheck::arrow {

namespace {

// Slots that a thread processes together, and that are examined together: their offsets and their
// text fit in the cache at the same time.
constexpr std::uint64_t kTogether = std::uint64_t{1} << 20, kSlots = Parts::kSize / 16;
constexpr std::uint64_t kWorthThreads = std::uint64_t{8} << 20;  // bytes

// Whether one of the offsets exceeds the next.
HEPCHECK_VECTORS bool some_descend(const std::byte* data, std::int32_t) {
  return any_adjacent<std::int32_t>(data, std::less<>());
}
HEPCHECK_VECTORS bool some_descend(const std::byte* data, std::int64_t) {
  return any_adjacent<std::int64_t>(data, std::less<>());
}

// Beginning with `slot`, one slot fewer than offsets.
template <class T>
void find_descents(ByteSpan part, std::uint64_t slot, Offsets& into) {
  const std::endian order = into.array.order;
  for (std::uint64_t i = 0; (i + 1) * sizeof(T) < part.size(); ++i) {
    const T begin = load<T>(part.data() + i * sizeof(T), order);
    const T end = load<T>(part.data() + (i + 1) * sizeof(T), order);
    if (end >= begin || into.descents++ > 0) continue;
    into.descent = slot + i;
    into.begin = begin;
    into.end = end;
  }
}

template <class T>
void look_for_descents(ByteSpan part, std::uint64_t slot, Offsets& into) {
  const std::uint64_t count = part.size() / sizeof(T) - 1;
  std::uint64_t i = 0;
  for (; i < count; i += kAdjacentTogether) {
    const std::uint64_t some = std::min(kAdjacentTogether, count - i);
    const ByteSpan block = part.subspan(i * sizeof(T), (some + 1) * sizeof(T));
    if (some < kAdjacentTogether || into.array.order != std::endian::native ||
        some_descend(block.data(), T{}))
      find_descents<T>(block, slot + i, into);
  }
}

template <class T>
void read_some(std::uint64_t begin, std::uint64_t end, Offsets& into) {
  const Array& array = into.array;
  Parts parts(*array.body, array.first);
  std::optional<Texts<T>> texts;
  if (into.texts) texts.emplace(array);
  for (std::uint64_t slot = begin; slot < end; slot += kSlots) {
    const std::uint64_t count = std::min(kSlots, end - slot);
    const ByteSpan part = parts.read(slot * sizeof(T), (count + 1) * sizeof(T));
    into.known = !part.empty();
    if (!into.known) return;
    if (slot == begin) into.first = load<T>(part.data(), array.order);
    into.last = load<T>(part.data() + count * sizeof(T), array.order);
    look_for_descents<T>(part, slot, into);
    into.texts = into.texts && into.descents == 0 && texts->add(part);
  }
  into.texts = into.texts && texts->well_formed();
}

void join(Offsets& into, const Offsets& next) {
  into.known &= next.known;
  into.last = next.last;
  into.texts &= next.texts;
  if (!into.descent) {
    into.descent = next.descent;
    into.begin = next.begin;
    into.end = next.end;
  }
  into.descents += next.descents;
}

template <class T>
Offsets read(const Array& array, bool texts) {
  const std::uint64_t length = array.length();
  std::vector<Offsets> pieces(divided_up(length, kTogether), {.array = array, .texts = texts});
  const std::uint64_t bytes = sum(array.first.size, texts ? array.second.size : 0);
  parallel_for(pieces.size(), bytes >= kWorthThreads ? array.body->jobs() : 1,
               [&](std::uint64_t i) {
                 read_some<T>(i * kTogether, std::min(length, (i + 1) * kTogether), pieces[i]);
               });
  Offsets all = pieces.front();
  for (std::size_t i = 1; i < pieces.size(); ++i) join(all, pieces[i]);
  return all;
}

}  // namespace

std::int64_t offset_at(ByteSpan bytes, std::uint64_t i, std::uint64_t width, std::endian order) {
  const std::byte* at = bytes.data() + i * width;
  switch (width) {
    case 1: return load<std::int8_t>(at, order);
    case 2: return load<std::int16_t>(at, order);
    case 4: return load<std::int32_t>(at, order);
    default: return load<std::int64_t>(at, order);
  }
}

Offsets read_offsets(const Array& array, bool texts) {
  return array.layout.width == 4 ? read<std::int32_t>(array, texts)
                                 : read<std::int64_t>(array, texts);
}

void offsets_size(const Array& array, Look& look) {
  const std::uint64_t length = array.length(), width = array.layout.width;
  const bool enough = (length == 0 && array.first.size == 0) ||
                      (length < kLargestNumber && has_room(array.first, length + 1, width));
  look.ask(
      enough,
      [&] { return std::format("{} bytes of offsets for {} slots", array.first.size, length); },
      [&] { return std::format("one more offset than slots, of {} bytes each", width); });
}

void first_offset_not_negative(const Offsets& it, Look& look) {
  look.ask(it.first >= 0, [&] { return std::format("first offset {}", it.first); }, "0 or more");
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
  look.ask(it.first == 0, [&] { return std::format("first offset {}", it.first); }, "0");
}

void last_offset_inside(const Room& it, Look& look) {
  const Offsets& offsets = it.offsets;
  look.ask(
      offsets.last < 0 || static_cast<std::uint64_t>(offsets.last) <= it.limit,
      [&] { return std::format("last offset {}", offsets.last); },
      [&] { return std::format("{} or less, the available size", it.limit); });
}

}  // namespace hepcheck::arrow
