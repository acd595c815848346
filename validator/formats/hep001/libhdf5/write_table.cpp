#include "validator/formats/hep001/libhdf5/write_table.h"

#include <algorithm>
#include <map>
#include <utility>

#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/index_dataset.h"
#include "validator/formats/hep001/libhdf5/make_type.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

// The rows of a chunk of about this many bytes.
constexpr std::uint64_t kChunkBytes = std::uint64_t{1} << 19, kMostChunkRows = 65536;

// Thrown if the library fails; the operation.
struct Failed {
  std::string where;
};

void check(bool right, const std::string& where) {
  if (!right) throw Failed{where};
}

// Nothing if the library fails; no object can be made with it then.
PropertyHandle untimed(hid_t cls) {
  PropertyHandle made{H5Pcreate(cls)};
  return H5Pset_obj_track_times(made.get(), false) >= 0 ? std::move(made) : PropertyHandle{};
}

void put(hid_t object, const NewAttribute& attribute) {
  const TypeHandle type = make_type(attribute.type);
  const hsize_t count = attribute.count.value_or(0);
  const SpaceHandle space{attribute.count ? H5Screate_simple(1, &count, nullptr)
                                          : H5Screate(H5S_SCALAR)};
  const AttributeHandle made{H5Acreate2(object, attribute.name.c_str(), type.get(), space.get(),
                                        H5P_DEFAULT, H5P_DEFAULT)};
  check(made &&
            (attribute.count == 0 || H5Awrite(made.get(), type.get(), attribute.bytes.data()) >= 0),
        attribute.name);
}

ObjectHandle make_group(hid_t parent) {
  const PropertyHandle list = untimed(H5P_GROUP_CREATE);
  ObjectHandle made{H5Gcreate_anon(parent, list.get(), H5P_DEFAULT)};
  check(bool(made), "a group");
  return made;
}

void link_or_throw(hid_t object, hid_t group, const std::string& name) {
  const PropertyHandle utf8{H5Pcreate(H5P_LINK_CREATE)};
  check(H5Pset_char_encoding(utf8.get(), H5T_CSET_UTF8) >= 0 &&
            H5Olink(object, group, name.c_str(), utf8.get(), H5P_DEFAULT) >= 0,
        name);
}

class Writer {
 public:
  Writer(hid_t file, const NewTable& table) : file_(file), table_(table) {}

  // Everything except the link.
  void fill(hid_t group) {
    check(put_uint64(group, "NROWS", 0), "NROWS");
    if (!table_.categories.empty()) {
      const ObjectHandle folder = make_group(group);
      for (const NewDataset& each : table_.categories) {
        categories_.push_back(make(folder.get(), each));
        link_or_throw(categories_.back().get(), folder.get(), each.name);
      }
      link_or_throw(folder.get(), group, "CATEGORIES");
    }
    for (const auto& column : table_.columns) add(group, column, &columns_);
    for (const NewAttribute& each : table_.attributes) put(group, each);
    if (table_.index_columns) put_index_columns(group, *table_.index_columns);
  }

 private:
  using Member = std::variant<NewDataset, NewGroup>;
  using Handles = std::map<std::string, ObjectHandle>;

  void add(hid_t group, const Member& member, Handles* kept) {
    if (const auto* data = std::get_if<NewDataset>(&member)) {
      ObjectHandle made = make(group, *data);
      link_or_throw(made.get(), group, data->name);
      if (kept) kept->emplace(data->name, std::move(made));
      return;
    }
    const auto& folder = std::get<NewGroup>(member);
    const ObjectHandle made = make_group(group);
    for (const Member& inside : folder.members) add(made.get(), inside, nullptr);
    for (const NewAttribute& each : folder.attributes) put(made.get(), each);
    link_or_throw(made.get(), group, folder.name);
  }

  ObjectHandle make(hid_t group, const NewDataset& data) {
    const TypeHandle type = make_type(data.type);
    check(bool(type), data.name);
    const PropertyHandle list = untimed(H5P_DATASET_CREATE);
    const hsize_t rows = data.rows, unlimited = H5S_UNLIMITED;
    const hsize_t chunk = std::clamp<hsize_t>(
        std::min<hsize_t>(rows, kChunkBytes / std::max<std::size_t>(1, data.type.size)), 1,
        kMostChunkRows);
    const SpaceHandle space{H5Screate_simple(1, &rows, &unlimited)};
    check(space && H5Pset_chunk(list.get(), 1, &chunk) >= 0, data.name);
    if (data.fill)
      check(H5Pset_fill_value(list.get(), type.get(), data.fill->data()) >= 0, data.name);
    ObjectHandle made{H5Dcreate_anon(group, type.get(), space.get(), list.get(), H5P_DEFAULT)};
    check(bool(made), data.name);
    check(rows == 0 ||
              H5Dwrite(made.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data.values) >= 0,
          data.name);
    for (const NewAttribute& each : data.attributes) put(made.get(), each);
    if (data.categories) {
      const ObjectReference reference(categories_[*data.categories].get());
      const SpaceHandle scalar{H5Screate(H5S_SCALAR)};
      const AttributeHandle attribute{H5Acreate2(made.get(), "CATEGORIES", H5T_STD_REF,
                                                 scalar.get(), H5P_DEFAULT, H5P_DEFAULT)};
      check(reference && attribute && H5Awrite(attribute.get(), H5T_STD_REF, &reference.get()) >= 0,
            data.name);
    }
    return made;
  }

  void put_index_columns(hid_t group, const std::vector<std::string>& names) {
    std::vector<H5R_ref_t> references(names.size());
    std::size_t made = 0;
    for (; made < names.size(); ++made)
      if (H5Rcreate_object(columns_.at(names[made]).get(), ".", H5P_DEFAULT, &references[made]) < 0)
        break;
    const hsize_t count = names.size();
    const SpaceHandle space{H5Screate_simple(1, &count, nullptr)};
    const AttributeHandle attribute{
        H5Acreate2(group, "INDEX_COLUMNS", H5T_STD_REF, space.get(), H5P_DEFAULT, H5P_DEFAULT)};
    const bool right =
        made == names.size() && attribute &&
        (count == 0 || H5Awrite(attribute.get(), H5T_STD_REF, references.data()) >= 0);
    while (made > 0) H5Rdestroy(&references[--made]);
    check(right, "INDEX_COLUMNS");
  }

  hid_t file_;
  const NewTable& table_;
  std::vector<ObjectHandle> categories_{};
  Handles columns_{};
};

// The part of a path that does not exist yet.
struct Way {
  ObjectHandle parent{};             // the last existing group
  std::vector<std::string> names{};  // the names after it, the last that of the table; none for "/"
};
Way way_to(hid_t file, const std::string& path) {
  Way way{.parent = ObjectHandle{H5Gopen2(file, "/", H5P_DEFAULT)}};
  check(bool(way.parent), "/");
  for (std::size_t begin = 1; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    std::string name = path.substr(begin, end - begin);
    const htri_t there = way.names.empty() && end < path.size()
                             ? H5Lexists(way.parent.get(), name.c_str(), H5P_DEFAULT)
                             : 0;
    check(there >= 0, path.substr(0, end));
    if (there > 0) {
      way.parent = ObjectHandle{H5Gopen2(way.parent.get(), name.c_str(), H5P_DEFAULT)};
      check(bool(way.parent), path.substr(0, end));
    } else {
      way.names.push_back(std::move(name));
    }
    begin = end + 1;
  }
  return way;
}

// Creates the missing groups in an unlinked group, and links it to the last existing one at the
// end.
void link_along(const Way& way, hid_t table, const auto& flush) {
  std::vector<ObjectHandle> made;
  hid_t inner = table;
  for (std::size_t i = way.names.size(); --i > 0;) {
    made.push_back(make_group(way.parent.get()));
    link_or_throw(inner, made.back().get(), way.names[i]);
    inner = made.back().get();
  }
  if (!made.empty()) flush();
  link_or_throw(inner, way.parent.get(), way.names.front());
}

// An object that is not linked yet is deleted if the library evicts its header and reads it again:
// it forgets that the object is in use. With some 2,000 columns, the metadata exceed its cache.
void keep_metadata(hid_t file) {
  H5AC_cache_config_t config{};
  config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  check(H5Fget_mdc_config(file, &config) >= 0, "the metadata cache");
  config.incr_mode = H5C_incr__off;
  config.flash_incr_mode = H5C_flash_incr__off;
  config.decr_mode = H5C_decr__off;
  config.evictions_enabled = false;
  check(H5Fset_mdc_config(file, &config) >= 0, "the metadata cache");
}

}  // namespace

Result<std::vector<std::byte>> empty_file() {
  const PropertyHandle creation = untimed(H5P_FILE_CREATE);
  const PropertyHandle access{H5Pcreate(H5P_FILE_ACCESS)};
  H5Pset_fapl_core(access.get(), std::size_t{4} << 10, false);
  const FileHandle file{H5Fcreate("empty", H5F_ACC_TRUNC, creation.get(), access.get())};
  if (!file || H5Fflush(file.get(), H5F_SCOPE_LOCAL) < 0) return library_failure("a new file");
  const ssize_t size = H5Fget_file_image(file.get(), nullptr, 0);
  std::vector<std::byte> image(size > 0 ? static_cast<std::size_t>(size) : 0);
  if (size <= 0 || H5Fget_file_image(file.get(), image.data(), image.size()) != size)
    return library_failure("a new file");
  return image;
}

Result<void> write_table(hid_t file, const std::string& path, const NewTable& table) {
  const auto flush = [&] { check(H5Fflush(file, H5F_SCOPE_LOCAL) >= 0, path); };
  try {
    keep_metadata(file);
    Writer writer(file, table);
    const Way way = way_to(file, path);
    const bool root = way.names.empty();
    const ObjectHandle anonymous = root ? ObjectHandle{} : make_group(way.parent.get());
    const hid_t group = root ? way.parent.get() : anonymous.get();
    writer.fill(group);
    flush();
    check(put_uint64(group, "NROWS", table.rows), "NROWS");
    flush();
    if (!root) link_along(way, group, flush);
    flush();
    return {};
  } catch (const Failed& failed) {
    return library_failure(failed.where);
  }
}

}  // namespace hepcheck::hep001::libhdf5
