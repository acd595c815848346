#include "validator/formats/hep001/libhdf5/edit.h"

#include <algorithm>
#include <utility>

#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/handle.h"
#include "validator/formats/hep001/libhdf5/image_driver.h"
#include "validator/formats/hep001/libhdf5/tidy_references.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

// The maximum growth of a file.
constexpr std::size_t kMore = std::size_t{64} << 20;

PropertyHandle access_list(WritableImage& image) {
  PropertyHandle list{H5Pcreate(H5P_FILE_ACCESS)};
  H5Pset_fclose_degree(list.get(), H5F_CLOSE_STRONG);
  if (!write_into(list.get(), image)) list = PropertyHandle{};
  return list;
}

Result<FileHandle> open(WritableImage& image, unsigned mode) {
  FileHandle file{H5Fopen("copy", mode, access_list(image).get())};
  if (!file) return library_failure("a copy of the file");
  return file;
}

Result<Image> contents(WritableImage& image) {
  if (image.failed) return failure("a copy of the file", "became too large");
  return std::move(image.bytes);
}

// The values of a one-dimensional attribute in memory; memory that the library allocated is freed.
struct ReadElements {
  TypeHandle type{};
  SpaceHandle space{};
  std::vector<std::byte> bytes{};

  ReadElements() = default;
  ReadElements(const ReadElements&) = delete;
  ReadElements& operator=(const ReadElements&) = delete;
  ~ReadElements() {
    if (!bytes.empty()) H5Treclaim(type.get(), space.get(), H5P_DEFAULT, bytes.data());
  }
};

bool drop_elements(hid_t object, const Edit& edit) {
  AttributeHandle old{H5Aopen(object, edit.name.c_str(), H5P_DEFAULT)};
  if (!old) return false;
  ReadElements all;
  const TypeHandle stored{H5Aget_type(old.get())};
  all.type = TypeHandle{H5Tget_native_type(stored.get(), H5T_DIR_DEFAULT)};
  all.space = SpaceHandle{H5Aget_space(old.get())};
  hsize_t length = 0;
  if (H5Sget_simple_extent_ndims(all.space.get()) != 1 ||
      H5Sget_simple_extent_dims(all.space.get(), &length, nullptr) < 0 || edit.elements.empty() ||
      *edit.elements.rbegin() >= length)
    return false;
  if (edit.elements.size() == length) return H5Adelete(object, edit.name.c_str()) >= 0;
  const std::size_t size = H5Tget_size(all.type.get());
  all.bytes.resize(length * size);
  if (H5Aread(old.get(), all.type.get(), all.bytes.data()) < 0) {
    all.bytes.clear();
    return false;
  }
  if (!tidy_if_references(all.type.get(), all.bytes)) return false;
  // The removed elements move to the end, where they are freed with the others but not written.
  std::vector<std::byte> ordered;
  const auto take = [&](std::uint64_t i) {
    const auto at = all.bytes.begin() + static_cast<std::ptrdiff_t>(i * size);
    ordered.insert(ordered.end(), at, at + static_cast<std::ptrdiff_t>(size));
  };
  for (std::uint64_t i = 0; i < length; ++i)
    if (!edit.elements.contains(i)) take(i);
  for (const std::uint64_t i : edit.elements) take(i);
  all.bytes = std::move(ordered);
  old = AttributeHandle{};
  const hsize_t fewer = length - edit.elements.size();
  const SpaceHandle space{H5Screate_simple(1, &fewer, nullptr)};
  if (H5Adelete(object, edit.name.c_str()) < 0) return false;
  const AttributeHandle made{
      H5Acreate2(object, edit.name.c_str(), stored.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT)};
  return made && H5Awrite(made.get(), all.type.get(), all.bytes.data()) >= 0;
}

bool set_number(hid_t object, const Edit& edit) {
  const AttributeHandle attribute{H5Aopen(object, edit.name.c_str(), H5P_DEFAULT)};
  return attribute && H5Awrite(attribute.get(), H5T_NATIVE_UINT64, &edit.number) >= 0;
}

bool shrink(hid_t dataset, std::uint64_t rows) {
  const SpaceHandle space{H5Dget_space(dataset)};
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 1) return false;
  std::vector<hsize_t> extent(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr);
  if (rows >= extent[0]) return false;
  // HDF5 2.2 with assertions aborts on a fixed array without chunks (H5Ocopy), and on an index of a
  // single chunk without it.
  H5D_chunk_index_t index = H5D_CHUNK_IDX_NONE;
  if (rows == 0 && H5Dget_chunk_index_type(dataset, &index) >= 0 &&
      (index == H5D_CHUNK_IDX_FARRAY || index == H5D_CHUNK_IDX_SINGLE))
    return false;
  extent[0] = rows;
  return H5Dset_extent(dataset, extent.data()) >= 0;
}

herr_t copy_attribute(hid_t from, const char* name, const H5A_info_t*, void* into);

// The properties of a link like the one at the path: the character set of its name.
PropertyHandle link_like(hid_t file, const std::string& path) {
  H5L_info2_t info;
  PropertyHandle list{H5Pcreate(H5P_LINK_CREATE)};
  if (H5Lget_info2(file, path.c_str(), &info, H5P_DEFAULT) >= 0)
    H5Pset_char_encoding(list.get(), info.cset);
  return list;
}

// Replaces a dataset that cannot be shrunk by a shorter one.
bool cut(hid_t file, const std::string& path, hid_t dataset, std::uint64_t rows) {
  if (shrink(dataset, rows)) return true;
  const SpaceHandle space{H5Dget_space(dataset)};
  const TypeHandle type{H5Dget_type(dataset)};
  const PropertyHandle properties{H5Dget_create_plist(dataset)};
  const std::size_t size = H5Tget_size(type.get());
  hsize_t extent = 0;
  const hsize_t fewer = rows;
  // There is not enough memory for the allocations of the library.
  if (H5Sget_simple_extent_ndims(space.get()) != 1 ||
      H5Sget_simple_extent_dims(space.get(), &extent, nullptr) < 0 || fewer >= extent ||
      H5Pget_layout(properties.get()) == H5D_CHUNKED ||
      H5Pget_external_count(properties.get()) != 0 || H5Tdetect_class(type.get(), H5T_VLEN) != 0 ||
      H5Tdetect_class(type.get(), H5T_REFERENCE) != 0 || H5Tis_variable_str(type.get()) != 0 ||
      (fewer > 0 && size > H5Dget_storage_size(dataset) / fewer))
    return false;
  std::vector<std::byte> bytes(fewer * size);
  const SpaceHandle shorter{H5Screate_simple(1, &fewer, nullptr)};
  const hsize_t start = 0;
  if (fewer > 0 &&
      (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &fewer, nullptr) < 0 ||
       H5Dread(dataset, type.get(), shorter.get(), space.get(), H5P_DEFAULT, bytes.data()) < 0))
    return false;
  const ObjectHandle made{
      H5Dcreate_anon(file, type.get(), shorter.get(), properties.get(), H5P_DEFAULT)};
  const PropertyHandle link = link_like(file, path);
  hid_t target = made.get();
  hsize_t at = 0;
  return made &&
         (fewer == 0 ||
          H5Dwrite(made.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0) &&
         H5Aiterate2(dataset, H5_INDEX_NAME, H5_ITER_NATIVE, &at, copy_attribute, &target) >= 0 &&
         H5Ldelete(file, path.c_str(), H5P_DEFAULT) >= 0 &&
         H5Olink(made.get(), file, path.c_str(), link.get(), H5P_DEFAULT) >= 0;
}

bool apply(hid_t file, const Edit& edit) {
  if (edit.kind == Edit::Kind::kUnlink) return H5Ldelete(file, edit.path.c_str(), H5P_DEFAULT) >= 0;
  const ObjectHandle object{H5Oopen(file, edit.path.c_str(), H5P_DEFAULT)};
  if (!object) return false;
  switch (edit.kind) {
    case Edit::Kind::kUnlink: break;
    case Edit::Kind::kDropAttribute: return H5Adelete(object.get(), edit.name.c_str()) >= 0;
    case Edit::Kind::kDropElements: return drop_elements(object.get(), edit);
    case Edit::Kind::kSetNumber: return set_number(object.get(), edit);
    case Edit::Kind::kShrink: return shrink(object.get(), edit.number);
    case Edit::Kind::kCut: return cut(file, edit.path, object.get(), edit.number);
  }
  return false;
}

herr_t copy_attribute(hid_t from, const char* name, const H5A_info_t*, void* into) {
  const AttributeHandle old{H5Aopen(from, name, H5P_DEFAULT)};
  const TypeHandle type{H5Aget_type(old.get())};
  // References and pointers into the heap are meaningless in another file.
  if (H5Tdetect_class(type.get(), H5T_REFERENCE) != 0 ||
      H5Tdetect_class(type.get(), H5T_VLEN) != 0 || H5Tis_variable_str(type.get()) != 0)
    return -1;
  const SpaceHandle space{H5Aget_space(old.get())};
  const AttributeHandle made{H5Acreate2(*static_cast<hid_t*>(into), name, type.get(), space.get(),
                                        H5P_DEFAULT, H5P_DEFAULT)};
  std::vector<std::byte> bytes(
      static_cast<std::size_t>(std::max<hssize_t>(1, H5Sget_simple_extent_npoints(space.get()))) *
      H5Tget_size(type.get()));
  if (!made || H5Aread(old.get(), type.get(), bytes.data()) < 0) return -1;
  return H5Awrite(made.get(), type.get(), bytes.data()) < 0 ? -1 : 0;
}

struct Copy {
  hid_t from, into, options;
};

herr_t copy_link(hid_t, const char* name, const H5L_info2_t* info, void* data) {
  const Copy& copy = *static_cast<Copy*>(data);
  if (info->type != H5L_TYPE_HARD)
    return H5Lcopy(copy.from, name, copy.into, name, H5P_DEFAULT, H5P_DEFAULT) < 0 ? -1 : 0;
  return H5Ocopy(copy.from, name, copy.into, name, copy.options, H5P_DEFAULT) < 0 ? -1 : 0;
}

}  // namespace

Result<Image> edited(std::span<const std::byte> image, std::span<const Edit> edits) {
  WritableImage copy{.bytes = {image.begin(), image.end()}, .most = image.size() + kMore};
  {
    Result<FileHandle> file = open(copy, H5F_ACC_RDWR);
    if (!file) return std::unexpected(file.error());
    for (const Edit& edit : edits)
      if (!apply(file->get(), edit)) return library_failure(edit.path);
    if (!file->close()) return library_failure("a copy of the file");
  }
  return contents(copy);
}

Result<Image> compacted(std::span<const std::byte> image) {
  WritableImage whole{.bytes = {image.begin(), image.end()}, .most = image.size() + kMore};
  WritableImage fresh{.most = image.size() + kMore};
  {
    const Result<FileHandle> old = open(whole, H5F_ACC_RDONLY);
    if (!old) return std::unexpected(old.error());
    const PropertyHandle access = access_list(fresh);
    const PropertyHandle creation{H5Pcreate(H5P_FILE_CREATE)};
    const PropertyHandle options{H5Pcreate(H5P_OBJECT_COPY)};
    // Equal files without times or references have equal copies.
    const bool prepared =
        H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_LATEST) >= 0 &&
        H5Pset_meta_block_size(access.get(), 256) >= 0 &&
        H5Pset_small_data_block_size(access.get(), 256) >= 0 &&
        H5Pset_obj_track_times(creation.get(), false) >= 0 &&
        H5Pset_copy_object(options.get(), H5O_COPY_EXPAND_REFERENCE_FLAG) >= 0;
    FileHandle made{prepared ? H5Fcreate("copy", H5F_ACC_TRUNC, creation.get(), access.get())
                             : H5I_INVALID_HID};
    if (!made) return library_failure("a new file");
    const ObjectHandle from{H5Oopen(old->get(), "/", H5P_DEFAULT)};
    const ObjectHandle into{H5Oopen(made.get(), "/", H5P_DEFAULT)};
    Copy copy{from.get(), into.get(), options.get()};
    hid_t target = into.get();
    hsize_t at = 0;
    if (H5Aiterate2(from.get(), H5_INDEX_NAME, H5_ITER_NATIVE, &at, copy_attribute, &target) < 0)
      return library_failure("attributes of /");
    at = 0;
    if (H5Literate2(from.get(), H5_INDEX_NAME, H5_ITER_NATIVE, &at, copy_link, &copy) < 0)
      return library_failure("links of /");
    if (!made.close()) return library_failure("a new file");
  }
  return contents(fresh);
}

}  // namespace hepcheck::hep001::libhdf5
