// Chapters 2.7 to 2.9 and 2.10.2: lists, fixed-size lists, structs, and the lengths of their
// children.
#include <format>

#include "validator/formats/arrow/array.h"
#include "validator/formats/arrow/offsets.h"

namespace hepcheck::arrow {

namespace {

struct FixedSize {
  const Array& array;
  std::uint64_t child;
};

constexpr Rule kFixedSize("arrow-fixed-size-list-child-length", [](const FixedSize& it,
                                                                   Look& look) {
  const std::uint64_t length = it.array.length(), size = it.array.layout.width;
  look.ask(
      product(length, size) <= it.child && (size == 0 || length <= kLargestNumber / size),
      [&] { return std::format("a child of {} values", it.child); },
      [&] { return std::format("{} for each of {} slots", size, length); });
});

struct ChildOf {
  const Array& parent;
  std::uint64_t length;
};

void child_not_shorter(const ChildOf& it, Look& look) {
  look.ask(
      it.length >= it.parent.length(), [&] { return std::format("a child of {}", it.length); },
      [&] { return std::format("{} values", it.parent.length()); });
}

void child_not_longer(const ChildOf& it, Look& look) {
  look.ask(
      it.length <= it.parent.length(), [&] { return std::format("a child of {}", it.length); },
      [&] { return std::format("{} values", it.parent.length()); });
}

constexpr Rule<Array> kListSize("arrow-list-offsets-size", offsets_size);
constexpr Rule<Offsets> kListFirst("arrow-list-first-offset-not-negative",
                                   first_offset_not_negative);
constexpr Rule<Offsets> kListAscending("arrow-list-offsets-ascending", offsets_ascending);
constexpr Rule<Offsets> kListStart("arrow-list-offsets-start-at-zero", offsets_start_at_zero);
constexpr Rule<Room> kListInChild("arrow-list-offsets-in-child", last_offset_inside);
constexpr Rule<ChildOf> kStruct[] = {{"arrow-struct-child-not-shorter", child_not_shorter},
                                     {"arrow-struct-child-not-longer", child_not_longer}};
constexpr Rule<ChildOf> kSparse[] = {{"arrow-sparse-union-child-not-shorter", child_not_shorter},
                                     {"arrow-sparse-union-child-not-longer", child_not_longer}};

}  // namespace

bool judge_list(const Array& array, std::int64_t child_length, Notes& notes) {
  block_if_unexamined<kListSize, kListFirst, kListAscending, kListStart, kListInChild>(
      array, array.first, array.number_of_first(), notes);
  if (!array.first.usable()) return false;
  const Place place{
      .path = &array.path, .buffer = array.number_of_first(), .byte = array.first.byte};
  if (!judge<kListSize>(array, place, notes)) return false;
  judge_unpadded(array, array.first, array.number_of_first(),
                 product(array.length() + 1, array.layout.width), notes);
  if (array.length() == 0 || !array.first.open()) return false;
  const Offsets offsets = read_offsets(array);
  if (!offsets.known) return false;
  const bool positive = judge<kListFirst>(offsets, place, notes);
  const bool ascending = judge<kListAscending>(offsets, place, notes);
  judge_each<kListStart>(offsets, place, notes);
  if (!ascending || child_length < 0) return false;
  return judge<kListInChild>(Room{offsets, static_cast<std::uint64_t>(child_length)}, place,
                             notes) &&
         positive;
}

void judge_fixed_size_list(const Array& array, std::int64_t child_length, Notes& notes) {
  if (child_length < 0) return;
  judge_each<kFixedSize>(FixedSize{array, static_cast<std::uint64_t>(child_length)}, array.place(),
                         notes);
}

void judge_child_length(const Array& array, const Path& child, std::uint64_t byte,
                        std::int64_t length, Notes& notes) {
  if (length < 0) return;
  const ChildOf it{array, static_cast<std::uint64_t>(length)};
  const Place place{.path = &child, .byte = byte};
  if (array.layout.kind == ArrayLayout::Kind::kStruct)
    judge_each<kStruct>(it, place, notes);
  else
    judge_each<kSparse>(it, place, notes);
}

void list_rules(RuleList& list) {
  list.structure<kListSize>();
  list.values<kListFirst, kListAscending, kListStart, kListInChild>();
  list.structure<kFixedSize, kStruct, kSparse>();
}

}  // namespace hepcheck::arrow
