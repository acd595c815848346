// HDF5 files in memory, and what changes make of them.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <format>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validator/bytes.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/handle.h"
#include "validator/formats/hep001/libhdf5/index_dataset.h"
#include "validator/formats/hep001/libhdf5/read_dataset.h"
#include "validator/formats/hep001/libhdf5/write_table.h"
#include "validator/rewrite.h"
#include "validator/testing/memory_file.h"

namespace hepcheck::hep001::libhdf5::testing {

using Extent = std::vector<hsize_t>;
using Values = std::vector<std::int32_t>;

inline std::vector<std::byte> image_of(hid_t file) {
  H5Fflush(file, H5F_SCOPE_LOCAL);
  std::vector<std::byte> made(static_cast<std::size_t>(H5Fget_file_image(file, nullptr, 0)));
  EXPECT_GT(H5Fget_file_image(file, made.data(), made.size()), 0);
  return made;
}

// A scalar if it has no extent.
inline void write_attribute(hid_t object, const char* name, hid_t type, const Extent& extent,
                            const void* value) {
  const SpaceHandle space{
      extent.empty() ? H5Screate(H5S_SCALAR)
                     : H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr)};
  const AttributeHandle made{H5Acreate2(object, name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT)};
  EXPECT_GE(H5Awrite(made.get(), type, value), 0) << name;
}

inline TypeHandle text_type(std::size_t size, H5T_str_t padding = H5T_STR_NULLTERM,
                            H5T_cset_t set = H5T_CSET_ASCII) {
  TypeHandle type{H5Tcopy(H5T_C_S1)};
  H5Tset_size(type.get(), size);
  H5Tset_strpad(type.get(), padding);
  H5Tset_cset(type.get(), set);
  return type;
}

// A file in memory, open for reading and writing.
class MemoryFile {
 public:
  MemoryFile() : MemoryFile(empty_file().value()) {}
  // `version`: of the format, for new objects, if it is not the library's choice.
  explicit MemoryFile(std::span<const std::byte> image,
                      std::optional<H5F_libver_t> version = std::nullopt) {
    initialise(false);
    const PropertyHandle access{H5Pcreate(H5P_FILE_ACCESS)};
    H5Pset_fapl_core(access.get(), 4096, false);
    if (version) H5Pset_libver_bounds(access.get(), *version, H5F_LIBVER_LATEST);
    H5Pset_file_image(access.get(), const_cast<std::byte*>(image.data()), image.size());
    // The library takes files of one name for the same.
    static int number = 0;
    const std::string name = std::format("memory {}", ++number);
    file_ = FileHandle{H5Fopen(name.c_str(), H5F_ACC_RDWR, access.get())};
    EXPECT_TRUE(file_);
  }
  hid_t id() const { return file_.get(); }
  FileContext context() const {
    std::string name(100, '\0');
    name.resize(static_cast<std::size_t>(H5Fget_name(id(), name.data(), name.size())));
    return {.file = id(), .name = name};
  }
  std::vector<std::byte> image() const { return image_of(id()); }

  ObjectHandle group(const char* path) const {
    return ObjectHandle{H5Gcreate2(id(), path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
  }
  ObjectHandle open(const std::string& path) const {
    return ObjectHandle{H5Oopen(id(), path.c_str(), H5P_DEFAULT)};
  }
  bool has(const char* path) const {
    const bool made = H5Oexists_by_name(id(), path, H5P_DEFAULT) > 0;
    H5Eclear2(H5E_DEFAULT);
    return made;
  }
  ObjectToken token(const char* path) const {
    H5O_info2_t info;
    EXPECT_GE(H5Oget_info_by_name3(id(), path, &info, H5O_INFO_BASIC, H5P_DEFAULT), 0);
    return token_of(info.token);
  }
  // Numbers from 0 on.
  void dataset(const char* path, const Extent& extent, hid_t properties = H5P_DEFAULT,
               bool growable = false) const {
    const Extent most(extent.size(), H5S_UNLIMITED);
    const SpaceHandle space{H5Screate_simple(static_cast<int>(extent.size()), extent.data(),
                                             growable ? most.data() : nullptr)};
    const ObjectHandle made{
        H5Dcreate2(id(), path, H5T_STD_I32LE, space.get(), H5P_DEFAULT, properties, H5P_DEFAULT)};
    Values values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
    std::iota(values.begin(), values.end(), 0);
    EXPECT_GE(H5Dwrite(made.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              0);
  }
  Extent extent(const char* path) const {
    const ObjectHandle opened = open(path);
    const SpaceHandle space{H5Dget_space(opened.get())};
    Extent made(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.get())));
    H5Sget_simple_extent_dims(space.get(), made.data(), nullptr);
    return made;
  }
  Values values(const char* path) const {
    const ObjectHandle opened = open(path);
    const SpaceHandle space{H5Dget_space(opened.get())};
    Values made(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
    EXPECT_GE(H5Dread(opened.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, made.data()),
              0);
    return made;
  }
  void put_numbers(const char* path, const char* name, Values numbers) const {
    const ObjectHandle opened = open(path);
    const hsize_t count = numbers.size();
    const SpaceHandle space{H5Screate_simple(1, &count, nullptr)};
    const AttributeHandle made{
        H5Acreate2(opened.get(), name, H5T_STD_I32LE, space.get(), H5P_DEFAULT, H5P_DEFAULT)};
    EXPECT_GE(H5Awrite(made.get(), H5T_NATIVE_INT32, numbers.data()), 0);
  }
  std::optional<Values> numbers(const char* path, const char* name) const {
    const ObjectHandle opened = open(path);
    if (H5Aexists(opened.get(), name) <= 0) return std::nullopt;
    const AttributeHandle attribute{H5Aopen(opened.get(), name, H5P_DEFAULT)};
    const SpaceHandle space{H5Aget_space(attribute.get())};
    Values made(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
    EXPECT_GE(H5Aread(attribute.get(), H5T_NATIVE_INT32, made.data()), 0);
    return made;
  }
  void refer(const char* path, const char* name, const char* target) const {
    const ObjectHandle from = open(path), to = open(target);
    const ObjectReference reference(to.get());
    const SpaceHandle scalar{H5Screate(H5S_SCALAR)};
    const AttributeHandle made{
        H5Acreate2(from.get(), name, H5T_STD_REF, scalar.get(), H5P_DEFAULT, H5P_DEFAULT)};
    EXPECT_GE(H5Awrite(made.get(), H5T_STD_REF, &reference.get()), 0);
  }

 private:
  FileHandle file_{};
};

// Calls `use` with the file as commands that change it have it; the changed file.
inline MemoryFile changed(const MemoryFile& before, const std::function<void(const File&)>& use) {
  const auto rewrite = Rewrite::of_private(memory_file(before.image()), "changed").value();
  const Limits limits;
  {
    auto opened = File::open_for_writing(*rewrite, "changed", limits);
    EXPECT_TRUE(opened);
    use(*opened);
    EXPECT_TRUE(opened->close());
  }
  const Bytes bytes = Bytes::of_descriptor(rewrite->descriptor(), "changed");
  std::vector<std::byte> after(bytes.size());
  EXPECT_TRUE(bytes.read(0, after));
  return MemoryFile(after);
}

}  // namespace hepcheck::hep001::libhdf5::testing
