#include "lists.h"

#include <algorithm>
#include <stdexcept>

namespace adapter {

namespace {

constexpr const char *kList = "LIST_COLUMN", *kStrings = "STRING_VALUES";

bool has(hid_t group, const char* name) { return H5Lexists(group, name, H5P_DEFAULT) > 0; }
Id member(hid_t group, const char* name) { return Id(H5Oopen(group, name, H5P_DEFAULT)); }

bool is_dataset(hid_t object) { return H5Iget_type(object) == H5I_DATASET; }
bool is_texts(hid_t level) { return text_attribute(level, "CLASS") == kStrings; }
bool is_known(hid_t level) { return text_attribute(level, "KIND") == "OFFSETS"; }

// The boundaries of the entries: one more than there are entries.
std::vector<hsize_t> read_boundaries(hid_t level, hsize_t first, hsize_t count) {
  if (count == 0) return {0};
  std::vector<hsize_t> boundaries;
  for (const Json& boundary : read_rows(member(level, "OFFSETS"), first, count + 1))
    boundaries.push_back(std::stoull(boundary.get<std::string>()));
  return boundaries;
}

hsize_t end_of(hid_t level, hsize_t entries) {
  return entries == 0 ? 0 : read_boundaries(level, entries - 1, 1).back();
}

// Elements of a leaf, missing ones as null.
std::vector<Json> read_leaf(hid_t leaf, hsize_t first, hsize_t count) {
  std::vector<Json> elements = read_rows(leaf, first, count);
  if (const std::optional<Json> fill = fill_value(leaf)) {
    const Json type = describe_type(Id(H5Dget_type(leaf)));
    for (Json& element : elements)
      if (is_missing(type, element, *fill)) element = nullptr;
  }
  return elements;
}

std::string read_chars(hid_t level, hsize_t first, hsize_t count) {
  std::string bytes;
  for (const Json& byte : read_rows(member(level, "CHARS"), first, count))
    bytes += static_cast<char>(std::stoul(byte.get<std::string>()));
  return bytes;
}

void resize(hid_t dataset, hsize_t extent) { H5_CHECK(H5Dset_extent(dataset, &extent)); }

// Extends a member as far as needed, and writes.
void put(hid_t dataset, hsize_t first, const std::vector<Json>& values) {
  hsize_t extent = 0;
  H5_CHECK(H5Sget_simple_extent_dims(Id(H5Dget_space(dataset)), &extent, nullptr));
  if (extent < first + values.size()) resize(dataset, first + values.size());
  write_rows(dataset, first, values);
}

Id create_member(hid_t group, const char* name, hid_t type, hsize_t extent,
                 const std::optional<Json>& fill = {}) {
  const Id plist(H5Pcreate(H5P_DATASET_CREATE));
  H5_CHECK(H5Pset_chunk(plist, 1, &kChunk));
  if (fill) H5_CHECK(H5Pset_fill_value(plist, type, Encoder().all(type, {*fill}).data()));
  const hsize_t unlimited = H5S_UNLIMITED;
  return Id(H5Dcreate2(group, name, type, Id(H5Screate_simple(1, &extent, &unlimited)), H5P_DEFAULT,
                       plist, H5P_DEFAULT));
}

}  // namespace

bool is_list_column(hid_t group) { return text_attribute(group, "CLASS") == kList; }

Json describe_list(hid_t level) {
  if (is_dataset(level)) return describe_type(Id(H5Dget_type(level)));
  if (is_texts(level)) return {{"class", "text"}};
  Json made{{"class", "list"}};
  if (is_known(level) && has(level, "VALUES"))
    made["base"] = describe_list(member(level, "VALUES"));
  return made;
}

std::vector<Json> read_entries(hid_t level, hsize_t first, hsize_t count) {
  if (is_dataset(level)) return read_leaf(level, first, count);
  const std::vector<hsize_t> boundaries = read_boundaries(level, first, count);
  const hsize_t start = boundaries.front(), total = boundaries.back() - start;
  const bool texts = is_texts(level);
  const std::string chars = texts ? read_chars(level, start, total) : "";
  const std::vector<Json> elements =
      texts ? std::vector<Json>() : read_entries(member(level, "VALUES"), start, total);
  std::vector<Json> present(count, "1"), entries;
  if (has(level, "MASK")) present = read_rows(member(level, "MASK"), first, count);
  for (hsize_t i = 0; i < count; ++i) {
    const auto from = static_cast<std::ptrdiff_t>(boundaries[i] - start);
    const auto to = static_cast<std::ptrdiff_t>(boundaries[i + 1] - start);
    if (present[i] == "0")
      entries.emplace_back();
    else if (texts)
      entries.push_back(text_notation({chars.begin() + from, chars.begin() + to}));
    else
      entries.push_back(std::vector<Json>(elements.begin() + from, elements.begin() + to));
  }
  return entries;
}

Id create_list(hid_t parent, const std::string& name, const Json& type,
               const std::optional<Json>& fill, const Label& label) {
  const std::string cls = type.at("class");
  const bool texts = cls == "text";
  if (!texts && cls != "list") return create_member(parent, name.c_str(), make_type(type), 0, fill);
  Id level(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  label(level, "CLASS", texts ? kStrings : kList);
  if (!texts) label(level, "KIND", "OFFSETS");
  write_rows(create_member(level, "OFFSETS", H5T_STD_U64LE, 1), 0, {"0"});
  create_member(level, "MASK", make_type(kBoolean), 0);
  if (texts)
    create_member(level, "CHARS", H5T_STD_U8LE, 0);
  else
    create_list(level, "VALUES", type.at("base"), fill, label);
  return level;
}

void append_entries(hid_t level, hsize_t before, const std::vector<Json>& values) {
  if (is_dataset(level)) {
    const Json fill = fill_value(level).value_or(nullptr);
    std::vector<Json> elements = values;
    for (Json& element : elements)
      if (element.is_null()) element = fill;
    return put(level, before, elements);
  }
  const bool texts = is_texts(level);
  hsize_t end = end_of(level, before);
  std::vector<Json> below, present, ends;
  const hsize_t start = end;
  for (const Json& value : values) {
    present.emplace_back(value.is_null() ? "0" : "1");
    if (!value.is_null()) {
      if (texts)
        for (const char c : bytes_of(value))
          below.push_back(std::to_string(static_cast<unsigned char>(c)));
      else
        below.insert(below.end(), value.begin(), value.end());
    }
    end = start + below.size();
    ends.push_back(std::to_string(end));
  }
  if (texts)
    put(member(level, "CHARS"), start, below);
  else
    append_entries(member(level, "VALUES"), start, below);
  if (has(level, "MASK"))
    put(member(level, "MASK"), before, present);
  else if (std::find(present.begin(), present.end(), "0") != present.end())
    throw std::domain_error("a null list where there is no MASK");
  put(member(level, "OFFSETS"), before + 1, ends);
}

void reclaim_entries(hid_t level, hsize_t entries) {
  if (is_dataset(level)) return resize(level, entries);
  const hsize_t end = end_of(level, entries);
  if (is_texts(level))
    resize(member(level, "CHARS"), end);
  else
    reclaim_entries(member(level, "VALUES"), end);
  if (has(level, "MASK")) resize(member(level, "MASK"), entries);
  resize(member(level, "OFFSETS"), entries + 1);
}

}  // namespace adapter
