// Chapters 2.5 and 2.12: buffers with fixed-width slots; 4.3: their padding.
#include <format>

#include "validator/formats/arrow/array.h"
#include "validator/formats/arrow/rule.h"

namespace hepcheck::arrow {

namespace {

void room_for(const Array& it, Look& look) {
  const bool bits = it.layout.kind == ArrayLayout::Kind::kBool;
  const bool enough = bits ? divided_up(it.length(), 8) <= it.first.size
                           : has_room(it.first, it.length(), it.layout.width);
  look.ask(
      enough, [&] { return std::format("{} bytes for {} slots", it.first.size, it.length()); },
      [&] {
        return bits ? std::string("a bit for each slot")
                    : std::format("{} bytes for each slot", it.layout.width);
      });
}

void data_size(const Array& it, Look& look) {
  if (it.layout.kind != ArrayLayout::Kind::kFixedWidth ||
      it.field.type.tag == TypeTag::kFixedSizeBinary)
    return;
  room_for(it, look);
}
void bool_size(const Array& it, Look& look) {
  if (it.layout.kind == ArrayLayout::Kind::kBool) room_for(it, look);
}
void fixed_size_binary_size(const Array& it, Look& look) {
  if (it.layout.kind == ArrayLayout::Kind::kFixedWidth &&
      it.field.type.tag == TypeTag::kFixedSizeBinary)
    room_for(it, look);
}
void indices_size(const Array& it, Look& look) {
  if (it.layout.kind == ArrayLayout::Kind::kDictionary) room_for(it, look);
}

struct Padding {
  const Loaded& loaded;
  std::uint64_t exact;
};

constexpr Rule kPadding("arrow-buffer-length-unpadded", [](const Padding& it, Look& look) {
  look.ask(
      it.loaded.stated == it.exact, [&] { return std::format("{} bytes", it.loaded.stated); },
      [&] { return std::format("{} bytes, the size without padding", it.exact); });
});

constexpr Rule<Array> kSizes[] = {
    {"arrow-primitive-data-size", data_size},
    {"arrow-bool-data-size", bool_size},
    {"arrow-fixed-size-binary-data-size", fixed_size_binary_size},
    {"arrow-dictionary-indices-size", indices_size},
};

const ClauseId& size_clause(const Array& array) {
  switch (array.layout.kind) {
    case ArrayLayout::Kind::kBool: return kSizes[1].id;
    case ArrayLayout::Kind::kDictionary: return kSizes[3].id;
    default: return kSizes[array.field.type.tag == TypeTag::kFixedSizeBinary ? 2 : 0].id;
  }
}

}  // namespace

bool judge_slots(const Array& array, Notes& notes) {
  const unsigned buffer = array.number_of_first();
  if (array.first.unexamined()) {
    const Place place = array.in(array.first, buffer);
    notes.blocked(size_clause(array), std::format("{}: {}", place.object(), array.first.why));
  }
  if (!array.first.usable()) return false;
  const Place place{.path = &array.path, .buffer = buffer, .byte = array.first.byte};
  if (!judge<kSizes>(array, place, notes)) return false;
  const bool bits = array.layout.kind == ArrayLayout::Kind::kBool;
  judge_unpadded(array, array.first, buffer,
                 bits ? divided_up(array.length(), 8) : product(array.length(), array.layout.width),
                 notes);
  return true;
}

void judge_unpadded(const Array& array, const Loaded& loaded, unsigned buffer, std::uint64_t exact,
                    Notes& notes) {
  if (loaded.stated == 0 || loaded.compressed || array.length() == 0) return;
  judge_each<kPadding>(Padding{loaded, exact},
                       {.path = &array.path, .buffer = buffer, .byte = loaded.byte}, notes);
}

void slot_rules(RuleList& list) { list.structure<kSizes, kPadding>(); }

}  // namespace hepcheck::arrow
