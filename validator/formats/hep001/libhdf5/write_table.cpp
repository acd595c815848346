#include "validator/formats/hep001/libhdf5/write_table.h"

#include <algorithm>
#include <map>

#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/index_dataset.h"
#include "validator/formats/hep001/libhdf5/make_type.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

// Rows of a chunk, so that about this many bytes are in it.
constexpr std::uint64_t kChunkBytes = std::uint64_t{1} << 19, kMostChunkRows = 65536;

// Thrown where the library fails; what it was about.
struct Failed {
  std::string where;
};

void check(bool right, const std::string& where) {
  if (!right) throw Failed{where};
}

PropertyHandle untimed(hid_t cls) {
  PropertyHandle made{H5Pcreate(cls)};
  H5Pset_obj_track_times(made.get(), false);
  return made;
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

void link(hid_t object, hid_t group, const std::string& name) {
  const PropertyHandle utf8{H5Pcreate(H5P_LINK_CREATE)};
  check(H5Pset_char_encoding(utf8.get(), H5T_CSET_UTF8) >= 0 &&
            H5Olink(object, group, name.c_str(), utf8.get(), H5P_DEFAULT) >= 0,
        name);
}

class Writer {
 public:
  Writer(hid_t file, const NewTable& table) : file_(file), table_(table) {}

  // Everything but what says that it is there.
  void fill(hid_t group) {
    put_uint64(group, "NROWS", 0);
    if (!table_.categories.empty()) {
      const ObjectHandle folder = make_group(group);
      for (const NewDataset& each : table_.categories) {
        categories_.push_back(make(folder.get(), each));
        link(categories_.back().get(), folder.get(), each.name);
      }
      link(folder.get(), group, "CATEGORIES");
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
      link(made.get(), group, data->name);
      if (kept) kept->emplace(data->name, std::move(made));
      return;
    }
    const auto& folder = std::get<NewGroup>(member);
    const ObjectHandle made = make_group(group);
    for (const Member& inside : folder.members) add(made.get(), inside, nullptr);
    for (const NewAttribute& each : folder.attributes) put(made.get(), each);
    link(made.get(), group, folder.name);
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

// The group that the last name of a path is to be linked in; the groups on the way are made.
ObjectHandle parent_of(hid_t file, const std::string& path, std::string& name) {
  const std::size_t slash = path.find_last_of('/');
  name = path.substr(slash + 1);
  const std::string folder = slash == 0 ? "/" : path.substr(0, slash);
  for (std::size_t at = folder.find('/', 1); folder.size() > 1; at = folder.find('/', at + 1)) {
    const std::string part = folder.substr(0, at);
    if (H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0) {
      const PropertyHandle list = untimed(H5P_GROUP_CREATE);
      const ObjectHandle made{H5Gcreate2(file, part.c_str(), H5P_DEFAULT, list.get(), H5P_DEFAULT)};
      check(bool(made), part);
    }
    if (at == std::string::npos) break;
  }
  ObjectHandle parent{H5Gopen2(file, folder.c_str(), H5P_DEFAULT)};
  check(bool(parent), folder);
  return parent;
}

}  // namespace

Result<void> write_table(hid_t file, const std::string& path, const NewTable& table) {
  const auto flush = [&] { check(H5Fflush(file, H5F_SCOPE_LOCAL) >= 0, path); };
  try {
    Writer writer(file, table);
    const bool root = path == "/";
    std::string name;
    const ObjectHandle parent =
        root ? ObjectHandle{H5Gopen2(file, "/", H5P_DEFAULT)} : parent_of(file, path, name);
    const ObjectHandle anonymous = root ? ObjectHandle{} : make_group(parent.get());
    const hid_t group = root ? parent.get() : anonymous.get();
    writer.fill(group);
    flush();
    check(put_uint64(group, "NROWS", table.rows), "NROWS");
    flush();
    if (!root) link(group, parent.get(), name);
    flush();
    return {};
  } catch (const Failed& failed) {
    return library_failure(failed.where);
  }
}

}  // namespace hepcheck::hep001::libhdf5
