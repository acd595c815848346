#include "validator/formats/hep001/libhdf5/apply_step.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <set>

#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/index_dataset.h"
#include "validator/formats/hep001/libhdf5/make_type.h"
#include "validator/formats/hep001/libhdf5/tidy_references.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

constexpr const char* kBeingWritten = "hepcheck: being written";

ObjectHandle object_at(const File& file, const std::string& path) {
  return ObjectHandle{H5Oopen(file.context().file, path.c_str(), stay_in_file())};
}

ObjectHandle object_of(const File& file, const ObjectToken& token) {
  return ObjectHandle{H5Oopen_by_token(file.context().file, native_token(token))};
}

// Nothing if the library fails; no link can be made with it then.
PropertyHandle utf8_names() {
  PropertyHandle list{H5Pcreate(H5P_LINK_CREATE)};
  return H5Pset_char_encoding(list.get(), H5T_CSET_UTF8) >= 0 ? std::move(list) : PropertyHandle{};
}

// --- attributes

SpaceHandle space_of(const Dataspace& space) {
  if (space.scalar()) return SpaceHandle{H5Screate(H5S_SCALAR)};
  const std::vector<hsize_t> extent(space.extent.begin(), space.extent.end());
  return SpaceHandle{
      H5Screate_simple(static_cast<int>(extent.size()), extent.data(), extent.data())};
}

// The elements of a reference attribute in memory; null references stay zero.
bool write_references(const File& file, hid_t attribute, const std::vector<Reference>& targets) {
  std::deque<ObjectReference> made;
  std::vector<H5R_ref_t> elements(targets.size());
  std::memset(static_cast<void*>(elements.data()), 0, elements.size() * sizeof(H5R_ref_t));
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i].null()) continue;
    // An object that was created again is known by its path alone.
    const ObjectHandle object = targets[i].token == ObjectToken{}
                                    ? object_at(file, targets[i].path)
                                    : object_of(file, targets[i].token);
    if (!object || !made.emplace_back(object.get())) return false;
    elements[i] = made.back().get();
  }
  return elements.empty() || H5Awrite(attribute, H5T_STD_REF, elements.data()) >= 0;
}

bool put_complete(const File& file, hid_t object, const Attribute& value) {
  const TypeHandle type = make_type(value.type);
  const SpaceHandle space = space_of(value.space);
  if (!type || !space) return false;
  {
    const AttributeHandle made{
        H5Acreate2(object, kBeingWritten, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT)};
    if (!made) return false;
    const bool written = value.type.is(TypeClass::kReference)
                             ? write_references(file, made.get(), value.references)
                             : value.space.elements() == 0 ||
                                   H5Awrite(made.get(), type.get(), value.bytes.data()) >= 0;
    if (!written) return false;
  }
  const char* name = value.name.c_str();
  return (H5Aexists(object, name) <= 0 || H5Adelete(object, name) >= 0) &&
         H5Arename(object, kBeingWritten, name) >= 0;
}

bool put(const File& file, hid_t object, const Attribute& value) {
  if (put_complete(file, object, value)) return true;
  // Nothing of it stays, and the error is that of the write.
  if (H5Aexists(object, kBeingWritten) > 0) H5Adelete(object, kBeingWritten);
  return false;
}

// Memory of the library in a buffer of elements, freed on every path.
class ReclaimGuard {
 public:
  ReclaimGuard(hid_t type, hid_t space, void* buffer)
      : type_(type), space_(space), buffer_(buffer) {}
  ReclaimGuard(const ReclaimGuard&) = delete;
  ReclaimGuard& operator=(const ReclaimGuard&) = delete;
  ~ReclaimGuard() { H5Treclaim(type_, space_, H5P_DEFAULT, buffer_); }

 private:
  hid_t type_, space_;
  void* buffer_;
};

// Copies an attribute to another object of the same file.
herr_t copy_to(hid_t from, const char* name, const H5A_info_t*, void* into) {
  const AttributeHandle old{H5Aopen(from, name, H5P_DEFAULT)};
  const TypeHandle type{H5Aget_type(old.get())};
  const SpaceHandle space{H5Aget_space(old.get())};
  if (!old || !type || !space) return -1;
  const AttributeHandle made{H5Acreate2(*static_cast<hid_t*>(into), name, type.get(), space.get(),
                                        H5P_DEFAULT, H5P_DEFAULT)};
  if (!made) return -1;
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (count <= 0) return 0;
  std::vector<std::byte> bytes(static_cast<std::size_t>(count) * H5Tget_size(type.get()));
  if (H5Aread(old.get(), type.get(), bytes.data()) < 0) return -1;
  const ReclaimGuard guard(type.get(), space.get(), bytes.data());
  if (!tidy_if_references(type.get(), bytes)) return -1;
  return H5Awrite(made.get(), type.get(), bytes.data()) < 0 ? -1 : 0;
}

// --- datasets

struct ChunkPlace {
  std::vector<hsize_t> offset{};
  unsigned mask = 0;
  hsize_t size = 0;
};

// Copies the stored chunks byte by byte, without decoding them.
bool copy_chunks(hid_t from, hid_t to, int rank, std::set<std::vector<hsize_t>>& stored) {
  hsize_t count = 0;
  if (H5Dget_num_chunks(from, H5S_ALL, &count) < 0) return false;
  std::vector<std::byte> bytes;
  for (hsize_t i = 0; i < count; ++i) {
    ChunkPlace chunk{.offset = std::vector<hsize_t>(static_cast<std::size_t>(rank))};
    haddr_t address = HADDR_UNDEF;
    if (H5Dget_chunk_info(from, H5S_ALL, i, chunk.offset.data(), &chunk.mask, &address,
                          &chunk.size) < 0)
      return false;
    constexpr hsize_t kMost = hsize_t{1} << 32;
    if (chunk.size > kMost) return false;
    bytes.resize(chunk.size);
    std::uint32_t mask = 0;
#if H5_VERSION_GE(2, 0, 0)
    std::size_t size = bytes.size();
    if (H5Dread_chunk2(from, H5P_DEFAULT, chunk.offset.data(), &mask, bytes.data(), &size) < 0)
      return false;
#else
    if (H5Dread_chunk(from, H5P_DEFAULT, chunk.offset.data(), &mask, bytes.data()) < 0)
      return false;
#endif
    if (H5Dwrite_chunk(to, H5P_DEFAULT, mask, chunk.offset.data(), bytes.size(), bytes.data()) < 0)
      return false;
    stored.insert(chunk.offset);
  }
  return true;
}

// Rows of a one-dimensional dataset, in its own datatype. `as` is the datatype of the new one,
// whose values have the same bytes.
bool copy_rows(hid_t from, hid_t to, hid_t type, hid_t as, hsize_t first, hsize_t rows) {
  constexpr hsize_t kBlock = hsize_t{1} << 22;
  const std::size_t size = H5Tget_size(type);
  const hsize_t most = std::max<hsize_t>(1, kBlock / size);
  std::vector<std::byte> bytes;
  for (hsize_t done = 0; done < rows;) {
    const hsize_t start = first + done, count = std::min(most, rows - done);
    bytes.resize(count * size);
    const SpaceHandle memory{H5Screate_simple(1, &count, nullptr)};
    const SpaceHandle source{H5Dget_space(from)}, target{H5Dget_space(to)};
    const bool copied =
        H5Sselect_hyperslab(source.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr) >= 0 &&
        H5Sselect_hyperslab(target.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr) >= 0 &&
        H5Dread(from, type, memory.get(), source.get(), H5P_DEFAULT, bytes.data()) >= 0 &&
        H5Dwrite(to, as, memory.get(), target.get(), H5P_DEFAULT, bytes.data()) >= 0;
    if (!copied) return false;
    done += count;
  }
  return true;
}

// Chunks that were never written read as the old fill value; they are written, because the new one
// differs.
bool copy_values(hid_t from, hid_t to, hid_t type, hid_t as, hid_t properties) {
  const SpaceHandle space{H5Dget_space(from)};
  hsize_t rows = 0;
  if (H5Sget_simple_extent_ndims(space.get()) != 1 ||
      H5Sget_simple_extent_dims(space.get(), &rows, nullptr) < 0)
    return false;
  const H5D_layout_t layout = H5Pget_layout(properties);
  if (layout == H5D_LAYOUT_ERROR) return false;
  if (layout != H5D_CHUNKED) return copy_rows(from, to, type, as, 0, rows);
  hsize_t chunk = 0;
  if (H5Pget_chunk(properties, 1, &chunk) != 1 || chunk == 0) return false;
  std::set<std::vector<hsize_t>> stored;
  if (!copy_chunks(from, to, 1, stored)) return false;
  // A file may claim more chunks than anyone could write.
  constexpr hsize_t kMost = 100'000'000;
  if (rows / chunk >= kMost) return false;
  for (hsize_t start = 0; start < rows; start += chunk)
    if (!stored.contains({start}) &&
        !copy_rows(from, to, type, as, start, std::min(chunk, rows - start)))
      return false;
  return true;
}

// The properties of a dataset without its fill value, which the library cannot remove from a list.
PropertyHandle without_fill(hid_t before) {
  PropertyHandle made{H5Pcreate(H5P_DATASET_CREATE)};
  const H5D_layout_t layout = H5Pget_layout(before);
  H5D_alloc_time_t allocated{};
  H5D_fill_time_t filled{};
  hbool_t times = false;
  unsigned most = 0, least = 0, order = 0, options = 0;
  hsize_t chunk[H5S_MAX_RANK] = {};
  const int rank = layout == H5D_CHUNKED ? H5Pget_chunk(before, H5S_MAX_RANK, chunk) : 0;
  const bool copied =
      H5Pset_layout(made.get(), layout) >= 0 && rank >= 0 &&
      (rank == 0 ||
       (H5Pset_chunk(made.get(), rank, chunk) >= 0 && H5Pget_chunk_opts(before, &options) >= 0 &&
        H5Pset_chunk_opts(made.get(), options) >= 0)) &&
      H5Pget_alloc_time(before, &allocated) >= 0 && H5Pset_alloc_time(made.get(), allocated) >= 0 &&
      H5Pget_fill_time(before, &filled) >= 0 && H5Pset_fill_time(made.get(), filled) >= 0 &&
      H5Pget_obj_track_times(before, &times) >= 0 &&
      H5Pset_obj_track_times(made.get(), times) >= 0 &&
      H5Pget_attr_phase_change(before, &most, &least) >= 0 &&
      H5Pset_attr_phase_change(made.get(), most, least) >= 0 &&
      H5Pget_attr_creation_order(before, &order) >= 0 &&
      H5Pset_attr_creation_order(made.get(), order) >= 0;
  const int count = H5Pget_nfilters(before);
  if (count < 0) return {};
  for (int i = 0; copied && i < count; ++i) {
    unsigned flags = 0, config = 0;
    std::size_t size = 0;
    H5Pget_filter2(before, static_cast<unsigned>(i), &flags, &size, nullptr, 0, nullptr, &config);
    std::vector<unsigned> values(size);
    const H5Z_filter_t filter = H5Pget_filter2(before, static_cast<unsigned>(i), &flags, &size,
                                               values.data(), 0, nullptr, &config);
    if (filter < 0 || H5Pset_filter(made.get(), filter, flags, size, values.data()) < 0) return {};
  }
  return copied ? std::move(made) : PropertyHandle{};
}

// A fill value that is set keeps its bytes, like the values: the library would convert it.
bool keep_fill(hid_t properties, hid_t type, hid_t as) {
  H5D_fill_value_t state{};
  if (H5Pfill_value_defined(properties, &state) < 0) return false;
  if (state != H5D_FILL_VALUE_USER_DEFINED) return true;
  std::vector<std::byte> fill(H5Tget_size(type));
  return H5Pget_fill_value(properties, type, fill.data()) >= 0 &&
         H5Pset_fill_value(properties, as, fill.data()) >= 0;
}

bool recreate(const File& file, const Step& step) {
  const ObjectHandle old = object_at(file, step.path);
  if (!old || H5Iget_type(old.get()) != H5I_DATASET) return false;
  const TypeHandle type{H5Dget_type(old.get())};
  const TypeHandle as = step.type ? make_type(*step.type) : TypeHandle{H5Tcopy(type.get())};
  const SpaceHandle space{H5Dget_space(old.get())};
  const PropertyHandle before{H5Dget_create_plist(old.get())};
  PropertyHandle properties{H5Pcopy(before.get())};
  if (!type || !as || !space || !properties || H5Tget_size(as.get()) != H5Tget_size(type.get()) ||
      H5Tdetect_class(type.get(), H5T_VLEN) != 0 || H5Tis_variable_str(type.get()) != 0 ||
      H5Tdetect_class(type.get(), H5T_REFERENCE) != 0 ||
      H5Pget_external_count(properties.get()) != 0 ||
      H5Pget_layout(properties.get()) == H5D_VIRTUAL)
    return false;
  if (step.type && step.fill == Step::Fill::kKeep &&
      !keep_fill(properties.get(), type.get(), as.get()))
    return false;
  if (step.fill == Step::Fill::kSet &&
      (step.fill_value.size() != H5Tget_size(as.get()) ||
       H5Pset_fill_value(properties.get(), as.get(), step.fill_value.data()) < 0))
    return false;
  if (step.fill == Step::Fill::kRemove) {
    properties = without_fill(before.get());
    if (!properties) return false;
  }
  const ObjectHandle made{
      H5Dcreate_anon(file.context().file, as.get(), space.get(), properties.get(), H5P_DEFAULT)};
  hid_t target = made.get();
  hsize_t at = 0;
  const PropertyHandle names = utf8_names();
  return made && copy_values(old.get(), made.get(), type.get(), as.get(), properties.get()) &&
         H5Aiterate2(old.get(), H5_INDEX_NAME, H5_ITER_NATIVE, &at, copy_to, &target) >= 0 &&
         H5Ldelete(file.context().file, step.path.c_str(), H5P_DEFAULT) >= 0 &&
         H5Olink(made.get(), file.context().file, step.path.c_str(), names.get(), H5P_DEFAULT) >= 0;
}

bool link_again(const File& file, const Step& step) {
  const ObjectHandle object = object_of(file, step.token);
  const PropertyHandle names = utf8_names();
  return object && H5Olink(object.get(), file.context().file, step.path.c_str(), names.get(),
                           H5P_DEFAULT) >= 0;
}

bool move(const File& file, const Step& step) {
  const hid_t root = file.context().file;
  const PropertyHandle names = utf8_names();
  return H5Lcopy(root, step.path.c_str(), root, step.other.c_str(), names.get(), H5P_DEFAULT) >=
             0 &&
         H5Ldelete(root, step.path.c_str(), H5P_DEFAULT) >= 0;
}

bool extend_dataset(hid_t dataset, std::uint64_t rows) {
  const SpaceHandle space{H5Dget_space(dataset)};
  const hsize_t extent = rows;
  return H5Sget_simple_extent_ndims(space.get()) == 1 && H5Dset_extent(dataset, &extent) >= 0;
}

bool make(const File& file, const Step& step) {
  switch (step.kind) {
    case Step::Kind::kUnlink:
      return H5Ldelete(file.context().file, step.path.c_str(), H5P_DEFAULT) >= 0;
    case Step::Kind::kLink: return link_again(file, step);
    case Step::Kind::kMove: return move(file, step);
    case Step::Kind::kRecreate: return recreate(file, step);
    default: break;
  }
  const ObjectHandle object = object_at(file, step.path);
  if (!object) return false;
  switch (step.kind) {
    case Step::Kind::kPutAttribute: return put(file, object.get(), step.value);
    case Step::Kind::kDropAttribute: return H5Adelete(object.get(), step.name.c_str()) >= 0;
    case Step::Kind::kRenameAttribute:
      return H5Arename(object.get(), step.name.c_str(), step.other.c_str()) >= 0;
    case Step::Kind::kExtend: return extend_dataset(object.get(), step.extent);
    default: return false;
  }
}

// --- references

struct Search {
  const File& file;
  const ObjectToken& target;
  const std::vector<ObjectToken>& known;
  std::optional<std::string> found{};
};

herr_t search_object(hid_t root, const char* name, const H5O_info2_t* info, void* data) {
  Search& search = *static_cast<Search*>(data);
  const ObjectToken token = token_of(info->token);
  if (info->type != H5O_TYPE_GROUP && info->type != H5O_TYPE_DATASET) return 0;
  const ObjectHandle object{H5Oopen(root, name, stay_in_file())};
  const std::string path = std::string("/") + (std::strcmp(name, ".") == 0 ? "" : name);
  if (!object) {
    search.found = path + " cannot be opened, and may refer to it";
    return 1;
  }
  if (info->type == H5O_TYPE_DATASET) {
    const TypeHandle type{H5Dget_type(object.get())};
    if (H5Tdetect_class(type.get(), H5T_REFERENCE) != 0) {
      search.found = path + " contains references, which may lead to it";
      return 1;
    }
  }
  if (std::ranges::contains(search.known, token)) return 0;
  std::optional<std::string> trouble;
  for (const auto& [attribute, value] :
       read_attributes(search.file.context(), object.get(), trouble)) {
    if (std::ranges::contains(value.references, search.target, &Reference::token)) {
      search.found = path + " refers to it by the attribute " + attribute;
      return 1;
    }
    if (!value.type.is(TypeClass::kReference) &&
        contains_class(value.type, TypeClass::kReference)) {
      search.found = path + " has an attribute " + attribute + " that may refer to it";
      return 1;
    }
  }
  if (trouble) search.found = path + " has attributes that cannot be read";
  return trouble ? 1 : 0;
}

}  // namespace

Result<void> apply_step(const File& file, const Step& step) {
  if (!make(file, step)) return library_failure(step.path);
  return {};
}

std::optional<std::string> referred_elsewhere(const File& file, const ObjectToken& target,
                                              const std::vector<ObjectToken>& known) {
  Search search{.file = file, .target = target, .known = known};
  if (H5Ovisit3(file.context().file, H5_INDEX_NAME, H5_ITER_NATIVE, search_object, &search,
                H5O_INFO_BASIC) < 0 &&
      !search.found) {
    H5Eclear2(H5E_DEFAULT);
    return "the objects of the file cannot all be read";
  }
  return search.found;
}

std::uint64_t hard_links(const File& file, const ObjectToken& object) {
  const ObjectHandle opened = object_of(file, object);
  H5O_info2_t info;
  if (!opened || H5Oget_info3(opened.get(), &info, H5O_INFO_BASIC) < 0) {
    H5Eclear2(H5E_DEFAULT);
    return 0;
  }
  return info.rc;
}

}  // namespace hepcheck::hep001::libhdf5
