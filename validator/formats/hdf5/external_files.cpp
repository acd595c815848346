// IV.A.2.h: external data files.
#include "validator/formats/hdf5/external_files.h"

#include <format>
#include <string_view>

#include "validator/formats/hdf5/local_heap.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

void efl_version(const ExternalFiles& it, Look& look) {
  look.looked();
  if (it.version != 1) look.fail(0, std::format("version {}", it.version), "version 1");
}

void efl_slots(const ExternalFiles& it, Look& look) {
  look.looked();
  if (it.used == 0 || it.used > it.allocated)
    look.fail(4, std::format("{} slots in use of {}", it.used, it.allocated),
              "one or more, and no more than there are");
}

void efl_fits(const ExternalFiles& it, Look& look) {
  look.looked();
  if (!it.whole)
    look.fail(0, std::format("the message ends before the last of {} slots", it.used),
              "a message that holds its slots");
}

void efl_heap_address(const ExternalFiles& it, Look& look) {
  look.looked();
  if (it.heap == kUndefined) look.fail(8, "an undefined address of the heap", "that of its names");
}

constexpr Rule<ExternalFiles> kListRules[] = {
    {"h5-efl-version", efl_version},
    {"h5-efl-slots", efl_slots},
    {"h5-efl-fits", efl_fits},
    {"h5-efl-heap-address", efl_heap_address},
};

constexpr Rule kEflReservedRule("h5-efl-reserved", [](const ExternalFiles& it, Look& look) {
  look.looked();
  if (it.reserved) look.fail(1, "reserved bytes that are not zero", "zeros");
});

// What the heap has at an offset; none if no text ends there.
struct EflText {
  std::uint64_t at;
  std::optional<std::string_view> text;
};

constexpr Rule kHeapEmptyRule("h5-efl-heap-empty-name", [](const EflText& it, Look& look) {
  look.looked();
  if (it.text != std::string_view()) look.fail(0, "a heap that begins with a letter", "a zero");
});

void efl_name_in_heap(const EflText& it, Look& look) {
  look.looked();
  if (!it.text)
    look.fail(0, std::format("a name at {} of the heap", it.at),
              "a text that begins and ends inside the heap");
}

void efl_name_not_empty(const EflText& it, Look& look) {
  look.looked();
  if (it.text && it.text->empty()) look.fail(0, "a file without a name", "a name");
}

constexpr Rule<EflText> kEflNameRules[] = {
    {"h5-efl-name-in-heap", efl_name_in_heap},
    {"h5-efl-name-not-empty", efl_name_not_empty},
};

void efl_segment(const ExternalFiles& it, Look& look) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 63;
  for (std::size_t i = 0; i < it.slots.size(); ++i) {
    const ExternalFiles::Slot& slot = it.slots[i];
    look.looked();
    const bool limited = slot.size != kUndefined;
    if (slot.offset >= kMost || slot.size == 0 || (limited && sum(slot.offset, slot.size) >= kMost))
      return look.fail(0, std::format("{} bytes from {} on of file {}", slot.size, slot.offset, i),
                       "a piece of one byte or more, inside 2^63 bytes");
  }
}

void efl_unlimited_last(const ExternalFiles& it, Look& look) {
  look.looked();
  for (std::size_t i = 0; i + 1 < it.slots.size(); ++i)
    if (it.slots[i].size == kUndefined)
      return look.fail(0, std::format("file {} of {} has no limit", i, it.slots.size()),
                       "a size, except of the last file");
}

constexpr Rule<ExternalFiles> kPieceRules[] = {
    {"h5-efl-segment", efl_segment},
    {"h5-efl-unlimited-last", efl_unlimited_last},
};

ExternalFiles parse_list(const Region& message, const Container& file) {
  Cursor read(message);
  ExternalFiles made{.version = read.u8("version"), .reserved = read.number(3, "reserved") != 0};
  made.at = message.place;
  made.allocated = read.u16("allocated");
  made.used = read.u16("used");
  made.heap = read.address(file.offset_size, "heap");
  const std::uint64_t slot = 3 * std::uint64_t{file.length_size};
  made.whole = read.good() && read.rest() / slot >= made.used;
  for (unsigned i = 0; made.whole && i < made.used; ++i) {
    ExternalFiles::Slot one{.name_at = read.number(file.length_size, "name at")};
    one.offset = read.number(file.length_size, "offset");
    one.size = read.number_or_undefined(file.length_size, "size");
    made.slots.push_back(std::move(one));
  }
  return made;
}

}  // namespace

void external_file_rules(RuleList& list) {
  list.structure<kListRules, kEflReservedRule, kHeapEmptyRule, kEflNameRules, kPieceRules>();
}

std::uint64_t ExternalFiles::bytes() const {
  std::uint64_t all = 0;
  for (const Slot& slot : slots) all = sum(all, slot.size);
  return all;
}

std::optional<ExternalFiles> read_external_files(const Region& message, Container& file) {
  ExternalFiles made = parse_list(message, file);
  if (!judge<kListRules>(made, message.place, file.notes)) return std::nullopt;
  judge<kEflReservedRule>(made, message.place, file.notes);
  const std::optional<LocalHeap> heap = LocalHeap::read(made.heap, file);
  if (!heap) return std::nullopt;
  judge<kHeapEmptyRule>(EflText{0, heap->text(0)}, message.place, file.notes);
  for (ExternalFiles::Slot& slot : made.slots) {
    const EflText name{slot.name_at, heap->text(slot.name_at)};
    if (!judge<kEflNameRules>(name, message.place, file.notes) ||
        !file.charge(name.text ? name.text->size() : 0))
      return std::nullopt;
    slot.name = name.text.value_or(std::string_view());
  }
  made.segments = judge<kPieceRules>(made, message.place, file.notes);
  return made;
}

std::uint64_t encoded_external_files(const Region& message, const Container& file) {
  return 8 + std::uint64_t{file.offset_size} +
         3 * std::uint64_t{file.length_size} * parse_list(message, file).used;
}

}  // namespace hepcheck::hdf5
