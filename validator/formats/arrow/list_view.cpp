// Format 1.5, chapter 3.8.2: list views.
#include <format>

#include "validator/formats/arrow/array.h"
#include "validator/formats/arrow/faults.h"

namespace hepcheck::arrow {

namespace {

void entry_for_each_slot(const Loaded& loaded, const Array& it, const char* what, Look& look) {
  look.ask(
      has_room(loaded, it.length(), it.layout.width),
      [&] { return std::format("{} bytes of {} for {} slots", loaded.size, what, it.length()); },
      [&] { return std::format("{} bytes for each slot", it.layout.width); });
}

constexpr Rule kListOffsetsSize("arrow-list-view-offsets-size", [](const Array& it, Look& look) {
  entry_for_each_slot(it.first, it, "offsets", look);
});
constexpr Rule kListSizesSize("arrow-list-view-sizes-size", [](const Array& it, Look& look) {
  entry_for_each_slot(it.second, it, "sizes", look);
});
constexpr Rule<Faults> kListOffset("arrow-list-view-offset-in-child", report_faults);
constexpr Rule<Faults> kListSizePositive("arrow-list-view-size-not-negative", report_faults);
constexpr Rule<Faults> kListEnd("arrow-list-view-end-in-child", report_faults);

}  // namespace

bool judge_list_view(const Array& array, std::int64_t child_length, Notes& notes) {
  const unsigned number = array.number_of_first();
  const std::uint64_t length = array.length(), width = array.layout.width;
  const Place offsets{.path = &array.path, .buffer = number, .byte = array.first.byte},
      sizes{.path = &array.path, .buffer = number + 1, .byte = array.second.byte};
  block_if_unexamined<kListOffsetsSize, kListOffset, kListEnd>(array, array.first, number, notes);
  block_if_unexamined<kListSizesSize, kListSizePositive, kListEnd>(array, array.second, number + 1,
                                                                   notes);
  const bool with_offsets = array.first.usable() && judge<kListOffsetsSize>(array, offsets, notes);
  const bool with_sizes = array.second.usable() && judge<kListSizesSize>(array, sizes, notes);
  if (with_offsets) judge_unpadded(array, array.first, number, product(length, width), notes);
  if (with_sizes) judge_unpadded(array, array.second, number + 1, product(length, width), notes);
  if (!with_offsets || !array.first.open() || child_length < 0) return false;
  const bool both = with_sizes && array.second.open();
  Faults offset{&array, &array.first, number, width},
      size{&array, &array.second, number + 1, width}, end{&array, &array.second, number + 1, width};
  const auto limit = [&] {
    return std::format("{} or less, the length of the child", child_length);
  };
  for (std::uint64_t i = 0; i < length; ++i) {
    const std::int64_t begin = offset_at(array.first.bytes, i, width, array.order);
    const bool inside = begin >= 0 && begin <= child_length;
    if (!inside)
      offset.add(
          i, [&] { return std::format("offset {}", begin); },
          [&] {
            return std::format("an offset between 0 and {}, the length of the child", child_length);
          });
    if (!both) continue;
    const std::int64_t count = offset_at(array.second.bytes, i, width, array.order);
    if (count < 0)
      size.add(
          i, [&] { return std::format("size {}", count); }, [] { return "a size of 0 or more"; });
    else if (inside && count > child_length - begin)
      end.add(i, [&] { return std::format("offset {}, size {}", begin, count); }, limit);
  }
  bool sound = judge<kListOffset>(offset, offsets, notes);
  if (!both) return false;
  sound &= judge<kListSizePositive>(size, sizes, notes);
  return judge<kListEnd>(end, sizes, notes) && sound;
}

void list_view_rules(RuleList& list) {
  list.structure<kListOffsetsSize, kListSizesSize>();
  list.values<kListOffset, kListSizePositive, kListEnd>();
}

}  // namespace hepcheck::arrow
