// Chapter 2.6: variable-size binary arrays; Schema.fbs: text is UTF-8.
#include <algorithm>
#include <format>

#include "validator/formats/arrow/array.h"
#include "validator/formats/arrow/offsets.h"
#include "validator/shortage.h"
#include "validator/utf8.h"

namespace hepcheck::arrow {

namespace {

// The first value that is not UTF-8, and the number of such values.
struct BadText {
  const Array& array;
  std::uint64_t slot = 0, count = 0;
  std::uint64_t byte = 0;  // of the data, and its value
  std::byte value{};
};

bool is_text(const Array& array) {
  return array.field.type.tag == TypeTag::kUtf8 || array.field.type.tag == TypeTag::kLargeUtf8;
}

template <class T>
std::uint64_t offset(const Array& array, const std::byte* offsets, std::uint64_t i) {
  return static_cast<std::uint64_t>(load<T>(offsets + i * sizeof(T), array.order));
}

// One by one; offsets and data are in memory.
template <class T>
BadText find_bad(const Array& array, ByteSpan offsets, ByteSpan data, const Seen& seen) {
  BadText found{array};
  seen.each(array.length(), [&](std::uint64_t i) {
    const std::uint64_t begin = offset<T>(array, offsets.data(), i);
    const ByteSpan text = data.subspan(begin, offset<T>(array, offsets.data(), i + 1) - begin);
    const std::uint64_t good = well_formed_utf8(text);
    if (good == text.size() || found.count++ > 0) return;
    found.slot = i;
    found.byte = begin + good;
    found.value = text[good];
  });
  return found;
}

template <class T>
std::optional<BadText> bad_texts(const Array& array, const Seen& seen) {
  Loaded offsets = array.first, data = array.second;
  if (!array.body->load_all(offsets) || !array.body->load_all(data)) return std::nullopt;
  return find_bad<T>(array, offsets.bytes, data.bytes, seen);
}

constexpr Rule kText("arrow-utf8-values-valid", [](const BadText& it, Look& look) {
  look.looked(it.array.length());
  if (it.count == 0) return;
  const Place place = it.array.in(it.array.second, it.array.number_of_first() + 1, it.byte);
  look.move_to(*place.within, place.byte);
  look.fail(std::format("slot {}: the byte {:#04x}", it.slot, static_cast<unsigned>(it.value)),
            "UTF-8 in each value", {}, it.count - 1);
});

constexpr Rule<Array> kBinaryOffsetsSize("arrow-binary-offsets-size", offsets_size);
constexpr Rule<Offsets> kBinaryFirst("arrow-binary-first-offset-not-negative",
                                     first_offset_not_negative);
constexpr Rule<Offsets> kBinaryAscending("arrow-binary-offsets-ascending", offsets_ascending);
constexpr Rule<Offsets> kStart("arrow-binary-offsets-start-at-zero", offsets_start_at_zero);
constexpr Rule<Room> kInData("arrow-binary-offsets-in-data", last_offset_inside);

void judge_text(const Offsets& offsets, Notes& notes) {
  const Array& array = offsets.array;
  const Place data{
      .path = &array.path, .buffer = array.number_of_first() + 1, .byte = array.second.byte};
  if (offsets.texts) return void(judge_each<kText>(BadText{array}, data, notes));
  const VisibleSlots visible(array, array.length());
  if (!visible) return visible.block_if_unexamined<kText>(data, notes);
  const std::optional<BadText> bad = array.layout.width == 4
                                         ? bad_texts<std::int32_t>(array, visible.seen())
                                         : bad_texts<std::int64_t>(array, visible.seen());
  if (bad) {
    judge_each<kText>(*bad, data, notes);
  } else {
    record_memory_shortage();
    notes.blocked(kText.id, data.object() + ": it does not fit in memory completely");
  }
}

}  // namespace

bool judge_binary(Array& array, Notes& notes) {
  const unsigned number = array.number_of_first();
  const auto block_offsets = [&] {
    block_if_unexamined<kBinaryOffsetsSize, kBinaryFirst, kBinaryAscending, kStart, kInData>(
        array, array.first, number, notes);
    if (is_text(array)) block_if_unexamined<kText>(array, array.first, number, notes);
    return false;
  };
  if (!array.first.usable()) return block_offsets();
  const Place place{.path = &array.path, .buffer = number, .byte = array.first.byte};
  if (!judge<kBinaryOffsetsSize>(array, place, notes)) return false;
  judge_unpadded(array, array.first, number, product(array.length() + 1, array.layout.width),
                 notes);
  if (array.length() == 0 || !array.first.open()) return false;
  const Offsets offsets = read_offsets(array, is_text(array) && array.second.open());
  if (!offsets.known) {
    break_off(array.first);
    return block_offsets();
  }
  const bool positive = judge<kBinaryFirst>(offsets, place, notes);
  const bool ascending = judge<kBinaryAscending>(offsets, place, notes);
  judge_each<kStart>(offsets, place, notes);
  block_if_unexamined<kInData>(array, array.second, number + 1, notes);
  if (is_text(array)) block_if_unexamined<kText>(array, array.second, number + 1, notes);
  if (!ascending || !array.second.usable()) return false;
  const bool inside = judge<kInData>(Room{offsets, array.second.size}, place, notes);
  if (!positive || !inside) return false;
  if (is_text(array) && array.second.open()) judge_text(offsets, notes);
  return true;
}

void binary_rules(RuleList& list) {
  list.structure<kBinaryOffsetsSize>();
  list.values<kBinaryFirst, kBinaryAscending, kStart, kInData, kText>();
}

}  // namespace hepcheck::arrow
