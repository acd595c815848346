#include "validator/formats/hep001/libhdf5/read_content.h"

#include <algorithm>
#include <array>
#include <format>
#include <utility>
#include <vector>

#include "validator/examine_file.h"
#include "validator/formats/hep001/libhdf5/descriptor_driver.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/integers.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

using trace::Content;

struct Reading {
  Content& into;
  std::uint64_t left;  // bytes of values
};

bool has_text(hid_t object, const char* name, std::string_view text) {
  if (H5Aexists(object, name) <= 0) return false;
  const AttributeHandle attribute{H5Aopen(object, name, H5P_DEFAULT)};
  const TypeHandle type{H5Aget_type(attribute.get())};
  if (H5Tget_class(type.get()) != H5T_STRING) return false;
  const SpaceHandle space{H5Aget_space(attribute.get())};
  if (H5Sget_simple_extent_npoints(space.get()) != 1) return false;
  if (H5Tis_variable_str(type.get()) > 0) {
    char* value = nullptr;
    const bool same = H5Aread(attribute.get(), type.get(), static_cast<void*>(&value)) >= 0 &&
                      value && text == value;
    H5free_memory(value);
    return same;
  }
  std::string value(H5Tget_size(type.get()), '\0');
  return value.size() < 4096 && H5Aread(attribute.get(), type.get(), value.data()) >= 0 &&
         std::string_view(value.c_str()).substr(0, value.find_last_not_of(' ') + 1) == text;
}

bool rows_of(hid_t table, std::uint64_t& rows) {
  if (H5Aexists(table, "NROWS") <= 0) return false;
  const AttributeHandle attribute{H5Aopen(table, "NROWS", H5P_DEFAULT)};
  const SpaceHandle space{H5Aget_space(attribute.get())};
  return H5Sget_simple_extent_npoints(space.get()) == 1 &&
         H5Aread(attribute.get(), H5T_NATIVE_UINT64, &rows) >= 0;
}

void read_values(hid_t dataset, const std::string& path, Reading& reading) {
  Content& into = reading.into;
  const TypeHandle type{H5Dget_type(dataset)};
  const SpaceHandle space{H5Dget_space(dataset)};
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (!type || !space || rank < 0) {
    into.unreadable = last_error(path).text();
    return;
  }
  // They lead to other places of the file, and have no bytes of their own to compare.
  if (H5Tdetect_class(type.get(), H5T_VLEN) != 0 || H5Tis_variable_str(type.get()) != 0) {
    into.left_out.push_back(path + ": values of variable length");
    return;
  }
  if (H5Tdetect_class(type.get(), H5T_REFERENCE) != 0) {
    into.left_out.push_back(path + ": references");
    return;
  }
  Content::Values values{.element = H5Tget_size(type.get())};
  std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
  if (rank > 0) H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr);
  std::uint64_t bytes = H5Sget_simple_extent_type(space.get()) == H5S_NULL ? 0 : values.element;
  for (const hsize_t size : sizes) {
    values.sizes.push_back(size);
    bytes = product(bytes, size);
  }
  if (bytes > reading.left) {
    into.left_out.push_back(std::format("{}: {} bytes of values", path, bytes));
    return;
  }
  reading.left -= bytes;
  values.bytes.resize(bytes);
  if (bytes > 0 &&
      H5Dread(dataset, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.bytes.data()) < 0)
    into.unreadable = last_error(path).text();
  else
    into.values.emplace(path, std::move(values));
}

void read_table(hid_t group, const std::string& path, Content& into) {
  if (!has_text(group, "CLASS", "COLUMN_TABLE")) return;
  Content::Table table;
  if (!rows_of(group, table.rows)) {
    into.unreadable = path + ": NROWS cannot be read";
    return;
  }
  into.tables.emplace(path, std::move(table));
}

herr_t visit(hid_t root, const char* name, const H5O_info2_t* info, void* to) {
  Reading& reading = *static_cast<Reading*>(to);
  const std::string path = name == std::string_view(".") ? "/" : "/" + std::string(name);
  const ObjectHandle object{H5Oopen(root, name, H5P_DEFAULT)};
  if (!object)
    reading.into.unreadable = last_error(path).text();
  else if (info->type == H5O_TYPE_DATASET)
    read_values(object.get(), path, reading);
  else if (info->type == H5O_TYPE_GROUP)
    read_table(object.get(), path, reading.into);
  return reading.into.unreadable.empty() ? 0 : 1;
}

// The datasets directly in a table group are its columns.
void find_columns(Content& into) {
  for (auto& [path, table] : into.tables) {
    const std::string folder = path == "/" ? path : path + "/";
    for (const auto& [each, values] : into.values)
      if (each.starts_with(folder) && !each.substr(folder.size()).contains('/'))
        table.columns.push_back(each);
  }
}

// A SWMR reader retries when a checksum fails, which is pointless here.
constexpr unsigned kAttempts = 5;

PropertyHandle access_list(int descriptor, Opening opening) {
  PropertyHandle list{H5Pcreate(H5P_FILE_ACCESS)};
  H5Pset_fclose_degree(list.get(), H5F_CLOSE_STRONG);
  if (opening == Opening::kSwmrReader) H5Pset_metadata_read_attempts(list.get(), kAttempts);
  return read_from(list.get(), descriptor) ? std::move(list) : PropertyHandle();
}

}  // namespace

const char* why_unavailable() { return nullptr; }

Content read_content(int descriptor, Opening opening, std::uint64_t most) {
  initialise(/*allow_plugins=*/false);
  Content content;
  const PropertyHandle list = access_list(descriptor, opening);
  const unsigned flags = opening == Opening::kSwmrReader ? H5F_ACC_SWMR_READ : 0U;
  const FileHandle file{list ? H5Fopen("image", H5F_ACC_RDONLY | flags, list.get())
                             : H5I_INVALID_HID};
  if (!file) {
    content.unreadable = last_error("").text();
    return content;
  }
  Reading reading{content, most};
  if (H5Ovisit3(file.get(), H5_INDEX_NAME, H5_ITER_NATIVE, visit, &reading, H5O_INFO_BASIC) < 0 &&
      content.unreadable.empty())
    content.unreadable = last_error("/").text();
  if (content.unreadable.empty()) find_columns(content);
  return content;
}

namespace {

// The contents of an index decide which rows readers return. Equal lengths of columns, for example,
// do not: during an append they differ.
bool misleads(const Clause& clause) {
  static constexpr std::array<std::string_view, 4> kFamilies = {"chunk_minmax", "sorted_rows",
                                                                "bitmap", "chunk_bloom"};
  return std::ranges::contains(kFamilies, clause.object);
}

}  // namespace

void judge_tables(std::span<const std::byte> image, Content& into) {
  if (into.tables.empty()) return;
  // Each by the revision whose features it shows.
  FileOptions options;
  options.reader = Reader::kLibrary;
  const FileReport report = examine_image(image, "", std::nullopt, nullptr, options);
  for (const SubjectReport& subject : report.subjects)
    for (const ClauseResult& result : subject.clauses)
      if (result.verdict == hepcheck::Verdict::kFail && result.severity == Severity::kError &&
          misleads(*result.clause))
        into.broken.insert(std::string(result.clause->id) + " of " + subject.path);
}

}  // namespace hepcheck::hep001::libhdf5
