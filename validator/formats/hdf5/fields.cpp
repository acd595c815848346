#include "validator/formats/hdf5/fields.h"

#include <algorithm>
#include <array>

namespace hepcheck::hdf5 {

void record_field(const Place& place, std::uint64_t at, std::uint64_t size, const char* name,
                  const std::uint64_t* value) {
  if (place.kind.empty() || place.decoded) return;  // bytes that are not in the file as they are
  field_recording->add({.address = place.block + place.offset + at,
                        .size = size,
                        .name = name,
                        .value = value ? *value : 0,
                        .number = value != nullptr});
}

void record_group(const Region& region, const char* name) {
  if (!field_recording || region.place.kind.empty() || region.place.decoded) return;
  field_recording->add_group(region.place.block + region.place.offset, region.size(), name);
}

void FieldRecording::add(const Field& field) {
  full_ |= fields_.size() >= kMost;
  if (!full_ && field.size > 0) fields_.push_back(field);
}

void FieldRecording::add_group(std::uint64_t address, std::uint64_t size, const char* name) {
  const auto after = std::ranges::upper_bound(groups_, address, {}, &Field::address);
  const bool known = after != groups_.begin() && std::prev(after)->address == address;
  if (!known && groups_.size() < kMost)
    groups_.insert(after, {.address = address, .size = size, .name = name});
}

std::vector<Field> FieldRecording::sorted() const {
  std::vector<std::size_t> order(fields_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return fields_[i].address; });
  std::vector<Field> made;
  for (const std::size_t i : order)
    if (made.empty() || made.back().end() <= fields_[i].address) made.push_back(fields_[i]);
  return made;
}

std::string FieldRecording::full_name(const Field& field) const {
  const auto after = std::ranges::upper_bound(groups_, field.address, {}, &Field::address);
  const bool inside = after != groups_.begin() && field.end() <= std::prev(after)->end();
  return inside ? std::string(std::prev(after)->name) + ": " + field.name : field.name;
}

const char* message_name(std::uint16_t type) {
  constexpr std::array kNames = {"nil",
                                 "dataspace",
                                 "link info",
                                 "datatype",
                                 "old fill value",
                                 "fill value",
                                 "link",
                                 "external files",
                                 "data layout",
                                 "bogus",
                                 "group info",
                                 "filter pipeline",
                                 "attribute",
                                 "comment",
                                 "old modification time",
                                 "shared message table",
                                 "continuation",
                                 "symbol table",
                                 "modification time",
                                 "K values",
                                 "driver",
                                 "attribute info",
                                 "reference count",
                                 "file space info",
                                 "metadata cache image"};
  return type < kNames.size() ? kNames[type] : "unknown message";
}

}  // namespace hepcheck::hdf5
