// Chapter 2.10: the slots of unions.
#include <array>
#include <format>

#include "validator/formats/arrow/array.h"
#include "validator/formats/arrow/rule.h"

namespace hepcheck::arrow {

namespace {

constexpr Rule kIdsSize("arrow-union-type-ids-buffer-size", [](const Array& it, Look& look) {
  look.ask(
      it.first.size >= it.length(),
      [&] { return std::format("{} type ids for {} slots", it.first.size, it.length()); },
      "one for each slot");
});

constexpr Rule kOffsetsSize("arrow-dense-union-offsets-size", [](const Array& it, Look& look) {
  look.ask(
      has_room(it.second, it.length(), 4),
      [&] { return std::format("{} bytes of offsets for {} slots", it.second.size, it.length()); },
      "4 for each slot");
});

// The first wrong slot, and the number of wrong slots.
struct Slots {
  const Array& array;
  std::uint64_t bad = 0, count = 0;
  std::int64_t value = 0, limit = 0;
};

constexpr Rule kIds("arrow-union-type-id-known", [](const Slots& it, Look& look) {
  look.looked(it.array.length());
  if (it.count == 0) return;
  const Place place = it.array.in(it.array.first, it.array.number_of_first(), it.bad);
  look.move_to(*place.within, place.byte);
  look.fail(std::format("slot {}: type id {}", it.bad, it.value), "a type id of the union", {},
            it.count - 1);
});

void move_to_offset(const Slots& it, Look& look) {
  const Place place = it.array.in(it.array.second, it.array.number_of_first() + 1, 4 * it.bad);
  look.move_to(*place.within, place.byte);
}

constexpr Rule kUnionInChild("arrow-dense-union-offset-in-child", [](const Slots& it, Look& look) {
  look.looked(it.array.length());
  if (it.count == 0) return;
  move_to_offset(it, look);
  look.fail(std::format("slot {}: offset {}", it.bad, it.value),
            std::format("an offset inside the child of {}", it.limit), {}, it.count - 1);
});

constexpr Rule kUnionAscending("arrow-dense-union-offsets-ascending", [](const Slots& it,
                                                                         Look& look) {
  look.looked(it.array.length());
  if (it.count == 0) return;
  move_to_offset(it, look);
  look.fail(std::format("slot {}: offset {} after {}", it.bad, it.value, it.limit),
            "offsets into one child that do not go back", {}, it.count - 1);
});

// The slots that count: in version V4 a union has nulls, whose type ids and offsets may be
// anything.
Seen valid_slots(const Array& array) {
  return {.validity = array.has_validity && array.zeros.value_or(0) > 0 ? array.validity.bytes
                                                                        : ByteSpan()};
}

Slots unknown_ids(const Array& array, const std::vector<int>& children) {
  Slots found{array};
  valid_slots(array).each(array.length(), [&](std::uint64_t i) {
    const auto id = static_cast<std::int8_t>(array.first.bytes[i]);
    if (id >= 0 && children[static_cast<std::size_t>(id)] >= 0) return;
    if (found.count++ > 0) return;
    found.bad = i;
    found.value = id;
  });
  return found;
}

std::int32_t dense_offset(const Array& array, std::uint64_t i) {
  return load<std::int32_t>(array.second.bytes.data() + 4 * i, array.order);
}

int child_at(const Array& array, const std::vector<int>& children, std::uint64_t i) {
  return children[static_cast<std::size_t>(array.first.bytes[i])];
}

Slots outside(const Array& array, const std::vector<int>& children,
              std::span<const std::int64_t> lengths) {
  Slots found{array};
  valid_slots(array).each(array.length(), [&](std::uint64_t i) {
    const std::int64_t length = lengths[static_cast<std::size_t>(child_at(array, children, i))];
    const std::int32_t offset = dense_offset(array, i);
    if (length < 0 || (offset >= 0 && offset < length) || found.count++ > 0) return;
    found.bad = i;
    found.value = offset;
    found.limit = length;
  });
  return found;
}

Slots going_back(const Array& array, const std::vector<int>& children) {
  Slots found{array};
  std::array<std::int32_t, 128> before{};
  valid_slots(array).each(array.length(), [&](std::uint64_t i) {
    std::int32_t& last = before[static_cast<std::size_t>(child_at(array, children, i))];
    const std::int32_t offset = dense_offset(array, i);
    if (offset < last && found.count++ == 0) {
      found.bad = i;
      found.value = offset;
      found.limit = last;
    }
    last = offset;
  });
  return found;
}

void judge_offsets(const Array& array, const std::vector<int>& children,
                   std::span<const std::int64_t> lengths, UnionSlots& slots, Notes& notes) {
  block_if_unexamined<kOffsetsSize, kUnionInChild, kUnionAscending>(
      array, array.second, array.number_of_first() + 1, notes);
  if (!array.second.usable()) return;
  const Place place{
      .path = &array.path, .buffer = array.number_of_first() + 1, .byte = array.second.byte};
  if (!judge<kOffsetsSize>(array, place, notes)) return;
  judge_unpadded(array, array.second, array.number_of_first() + 1, product(4, array.length()),
                 notes);
  if (!slots.ids_known || array.second.bytes.size() < array.second.size) return;
  if (!judge<kUnionInChild>(outside(array, children, lengths), place, notes)) return;
  slots.offsets_known = true;
  judge_each<kUnionAscending>(going_back(array, children), place, notes);
}

}  // namespace

std::vector<int> children_by_id(const Field& field) {
  std::vector<int> children(128, -1);
  for (std::size_t i = 0; i < field.children.size(); ++i) {
    const std::int64_t id =
        i < field.type.type_ids.size() ? field.type.type_ids[i] : static_cast<std::int64_t>(i);
    if (id >= 0 && id < 128) children[static_cast<std::size_t>(id)] = static_cast<int>(i);
  }
  return children;
}

UnionSlots judge_union(const Array& array, std::span<const std::int64_t> child_lengths,
                       Notes& notes) {
  UnionSlots slots;
  const std::vector<int> children = children_by_id(array.field);
  const Place place{
      .path = &array.path, .buffer = array.number_of_first(), .byte = array.first.byte};
  block_if_unexamined<kIdsSize, kIds>(array, array.first, array.number_of_first(), notes);
  if (array.layout.kind == ArrayLayout::Kind::kDenseUnion)
    block_if_unexamined<kUnionInChild, kUnionAscending>(array, array.first, array.number_of_first(),
                                                        notes);
  if (array.has_validity && array.validity.unexamined())
    block_if_unexamined<kIds>(array, array.validity, 0, notes);
  if (array.first.usable() && judge<kIdsSize>(array, place, notes)) {
    judge_unpadded(array, array.first, array.number_of_first(), array.length(), notes);
    const bool valid_known = !array.has_validity || array.nulls_known;
    if (array.field.slots_known && valid_known && array.first.bytes.size() == array.first.size)
      slots.ids_known = judge<kIds>(unknown_ids(array, children), place, notes);
    if (array.layout.kind == ArrayLayout::Kind::kDenseUnion)
      judge_offsets(array, children, child_lengths, slots, notes);
  }
  return slots;
}

void union_rules(RuleList& list) {
  list.structure<kIdsSize, kOffsetsSize>();
  list.values<kIds, kUnionInChild, kUnionAscending>();
}

}  // namespace hepcheck::arrow
