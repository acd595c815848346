#include "store.h"

#include <algorithm>

namespace adapter {

namespace {

Id space_of(std::size_t count) {
  const hsize_t size = count;
  return Id(H5Screate_simple(1, &size, nullptr));
}

}  // namespace

Json unsigned_type(std::size_t size) {
  return {{"class", "integer"}, {"size", size}, {"order", "little"}, {"signed", false}};
}

Json text_type(std::size_t size, bool ascii) {
  return {{"class", "string"},
          {"size", ascii ? size + 1 : std::max<std::size_t>(size, 1)},
          {"charset", ascii ? "ascii" : "utf-8"},
          {"padding", ascii ? "null-term" : "null-pad"}};
}

void put(hid_t owner, const std::string& name, const Json& type, const std::vector<Json>& values,
         bool scalar) {
  const Id made = make_type(type),
           space = scalar ? Id(H5Screate(H5S_SCALAR)) : space_of(values.size());
  const Id attribute(H5Acreate2(owner, name.c_str(), made, space, H5P_DEFAULT, H5P_DEFAULT));
  Encoder encoder;
  if (!values.empty()) H5_CHECK(H5Awrite(attribute, made, encoder.all(made, values).data()));
}

void put_text(hid_t owner, const std::string& name, const std::string& text, bool ascii) {
  put(owner, name, text_type(text.size(), ascii), {text}, true);
}

void put_text(hid_t owner, const std::string& name, const Json& from, const char* member) {
  if (from.contains(member) && from.at(member).is_string())
    put_text(owner, name, from.at(member).get<std::string>());
}

void put_references(hid_t owner, const std::string& name, const std::vector<std::string>& paths,
                    bool scalar) {
  const Id space = scalar ? Id(H5Screate(H5S_SCALAR)) : space_of(paths.size());
  const Id attribute(H5Acreate2(owner, name.c_str(), H5T_STD_REF, space, H5P_DEFAULT, H5P_DEFAULT));
  std::vector<H5R_ref_t> stored(paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i)
    H5_CHECK(H5Rcreate_object(owner, paths[i].c_str(), H5P_DEFAULT, &stored[i]));
  if (!paths.empty()) H5_CHECK(H5Awrite(attribute, H5T_STD_REF, stored.data()));
  for (H5R_ref_t& reference : stored) H5Rdestroy(&reference);
}

void put_token(hid_t owner, const char* name, std::uint64_t value) {
  if (H5Aexists(owner, name) <= 0)
    return put(owner, name, unsigned_type(8), {std::to_string(value)}, true);
  H5_CHECK(H5Awrite(Id(H5Aopen(owner, name, H5P_DEFAULT)), H5T_NATIVE_UINT64, &value));
}

void put_rows(hid_t group, std::uint64_t rows) {
  H5_CHECK(H5Awrite(Id(H5Aopen(group, "NROWS", H5P_DEFAULT)), H5T_NATIVE_UINT64, &rows));
}

Id subgroup(hid_t group, const char* name) {
  return H5Lexists(group, name, H5P_DEFAULT) > 0
             ? Id(H5Gopen2(group, name, H5P_DEFAULT))
             : Id(H5Gcreate2(group, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

Id put_dataset(hid_t group, const std::string& name, const Json& type,
               const std::vector<Json>& values, bool grows) {
  const hsize_t count = values.size(), unlimited = H5S_UNLIMITED;
  const Id plist(H5Pcreate(H5P_DATASET_CREATE));
  if (grows) H5_CHECK(H5Pset_chunk(plist, 1, &kChunk));
  Id dataset(H5Dcreate2(group, name.c_str(), make_type(type),
                        Id(H5Screate_simple(1, &count, grows ? &unlimited : nullptr)), H5P_DEFAULT,
                        plist, H5P_DEFAULT));
  write_rows(dataset, 0, values);
  return dataset;
}

std::vector<Json> with_fill(std::vector<Json> values, const std::optional<Json>& fill) {
  for (Json& value : values)
    if (value.is_null()) value = fill.value_or(nullptr);
  return values;
}

}  // namespace adapter
