#include "validator/formats/hdf5/fields.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hepcheck::hdf5 {

namespace {

std::vector<Field> by_address(std::vector<Field> fields) {
  std::ranges::stable_sort(fields, {}, &Field::address);
  return fields;
}

// Adds what `rests` have between fields; `fields`: by address, without common bytes.
std::vector<Field> fill(std::vector<Field> fields, const std::vector<Field>& rests) {
  std::vector<Field> between;
  std::uint64_t reached = 0;
  auto next = fields.begin();
  for (const Field& rest : by_address(rests)) {
    reached = std::max(reached, rest.address);
    const auto take = [&](std::uint64_t end) {
      Field part = rest;
      part.address = reached;
      part.size = end - reached;
      if (reached < end) between.push_back(part);
    };
    for (; next != fields.end() && next->address < rest.end(); ++next) {
      if (next->end() <= reached) continue;
      take(next->address);
      if (next->end() > rest.end()) {
        reached = rest.end();
        break;
      }
      reached = next->end();
    }
    take(rest.end());
    reached = std::max(reached, rest.end());
  }
  fields.insert(fields.end(), between.begin(), between.end());
  return by_address(std::move(fields));
}

}  // namespace

void record_field(const Place& place, std::uint64_t at, std::uint64_t size, const char* name,
                  const std::uint64_t* value) {
  if (place.kind.empty() || place.decoded) return;  // bytes that are not in the file as they are
  field_recording->add({.address = place.block + place.offset + at,
                        .size = size,
                        .name = name,
                        .value = value ? *value : 0,
                        .number = value != nullptr});
}

void record_rest(const Place& place, std::uint64_t size, Rest rest, const char* name) {
  if (place.kind.empty() || place.decoded) return;
  field_recording->add_rest({.address = place.block + place.offset, .size = size, .name = name},
                            rest);
}

void record_group(const Region& region, const char* name) {
  if (!field_recording || region.place.kind.empty() || region.place.decoded) return;
  field_recording->add_group(region.place.block + region.place.offset, region.size(), name);
}

void FieldRecording::add(const Field& field) {
  full_ |= fields_.size() >= kMost;
  if (!full_ && field.size > 0) fields_.push_back(field);
}

void FieldRecording::add_rest(const Field& field, Rest rest) {
  std::vector<Field>& into = rests_[static_cast<std::size_t>(rest)];
  full_ |= into.size() >= kMost;
  if (into.size() < kMost && field.size > 0) into.push_back(field);
}

void FieldRecording::add_group(std::uint64_t address, std::uint64_t size, const char* name) {
  const auto after = std::ranges::upper_bound(groups_, address, {}, &Field::address);
  const bool known = after != groups_.begin() && std::prev(after)->address == address;
  if (!known && groups_.size() < kMost)
    groups_.insert(after, {.address = address, .size = size, .name = name});
}

std::vector<Field> FieldRecording::sorted() const {
  std::vector<Field> made;
  for (const Field& each : by_address(fields_))
    if (made.empty() || made.back().end() <= each.address) made.push_back(each);
  for (const std::vector<Field>& rests : rests_) made = fill(std::move(made), rests);
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
