// What the library says of files that it cannot open, in hepcheck's words, and the filters that it
// finds in plugins.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <format>
#include <fstream>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "validator/exchange/testing/folder.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/plugins.h"
#include "validator/formats/hep001/libhdf5/read_attributes.h"
#include "validator/formats/hep001/libhdf5/read_dataset.h"
#include "validator/formats/hep001/libhdf5/testing/memory_hdf5.h"
#include "validator/formats/hep001/own/own_file.h"
#include "validator/rewrite.h"
#include "validator/testing/file_text.h"
#include "validator/testing/memory_file.h"

namespace hepcheck::hep001::libhdf5::opening {
namespace {

using testing::MemoryFile;
using testing::Values;
using Image = std::vector<std::byte>;

// From memory, and as an open file.
std::vector<std::string> reasons(const Image& image) {
  const auto by_image = File::open_image(image);
  const Descriptor file = memory_file(image);
  const auto by_descriptor = File::open_descriptor(file.get(), "name");
  return {by_image ? "" : by_image.error().text(),
          by_descriptor ? "" : by_descriptor.error().text()};
}

TEST(Opening, SaysWhyNot) {
  using Texts = std::vector<std::string>;
  initialise(false);
  const Image image = [] {
    const MemoryFile file(empty_file().value(), H5F_LIBVER_EARLIEST);
    file.dataset("/d", {100});
    return file.image();
  }();
  EXPECT_EQ(reasons(image), (Texts{"", ""}));
  EXPECT_EQ(reasons(Image(100)), (Texts{"not an HDF5 file", "name: not an HDF5 file"}));
  EXPECT_EQ(reasons({}), (Texts{"the file is empty", "name: not an HDF5 file"}));
  Image cut = image;
  cut.resize(cut.size() - 7);
  const std::string truncated =
      std::format("truncated: {} of {} bytes are there", cut.size(), image.size());
  EXPECT_EQ(reasons(cut)[1], "name: " + truncated);
  // A version of the superblock that no library has.
  const std::string hint = std::format("; an HDF5 library later than {}.{}.{} may support it",
                                       H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
  Image newest = image;
  newest[8] = std::byte{9};
  for (const std::string& each : reasons(newest)) EXPECT_TRUE(each.ends_with(hint)) << each;
  // A version of a message that no library has.
  std::uint64_t address = 0;
  {
    const auto opened = File::open_image(image);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->bytes(), image.size());
    const ObjectHandle dataset{H5Dopen2(opened->context().file, "/d", H5P_DEFAULT)};
    H5O_info2_t info;
    H5Oget_info3(dataset.get(), &info, H5O_INFO_BASIC);
    const ObjectToken token = token_of(info.token);
    std::memcpy(&address, token.bytes.data(), sizeof address);
  }
  // Messages of a header of version 1: their type, size and flags in eight bytes, and their data.
  Image later = image;
  std::size_t at = address + 16;
  constexpr std::byte kLayout{8};
  while (at + 8 < later.size() && later[at] != kLayout)
    at += 8 + std::to_integer<std::size_t>(later[at + 2]);
  ASSERT_LT(at + 8, later.size());
  later[at + 8] = std::byte{9};
  const auto broken = File::open_image(later);
  ASSERT_TRUE(broken);
  EXPECT_FALSE(ObjectHandle{H5Dopen2(broken->context().file, "/d", H5P_DEFAULT)});
  const std::string text = last_error("/d").text();
  EXPECT_TRUE(text.starts_with("/d: bad version number")) << text;
  EXPECT_TRUE(text.ends_with(hint)) << text;
  const auto nowhere = File::open("/no such folder/file.h5");
  ASSERT_FALSE(nowhere);
  EXPECT_TRUE(nowhere.error().text().starts_with("/no such folder/file.h5: "));
  EXPECT_EQ(last_error("nothing").text(), "nothing: the HDF5 library gives no reason");
}

// A file has the limits with which it was opened, in whatever way.
TEST(Opening, KeepsTheLimits) {
  initialise(false);
  const Limits limits{.attributes = 17};
  const Image image = empty_file().value();
  const exchange::testing::Folder folder;
  const std::string path = folder.file("limits.h5");
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(image.data()),
             static_cast<std::streamsize>(image.size()));
  const Descriptor memory = memory_file(image);
  const auto rewrite = Rewrite::of_private(memory_file(image), "changed").value();
  std::vector<Result<File>> files;
  files.push_back(File::open(path, limits));
  files.push_back(File::open_image(image, limits));
  files.push_back(File::open_descriptor(memory.get(), "name", limits));
  files.push_back(File::open_for_writing(*rewrite, "changed", limits));
  for (const Result<File>& each : files) {
    ASSERT_TRUE(each) << each.error().text();
    EXPECT_EQ(each->context().limits.attributes, 17u) << &each - files.data();
  }
}

// The extent of a virtual dataset is the stored one, whatever its source has: both readers say so.
TEST(VirtualDatasets, HaveTheExtentThatIsStored) {
  initialise(false);
  constexpr hsize_t kRows = 4, kMore = 8, kAny = H5S_UNLIMITED, kOne = 1, kNone = 0;
  const exchange::testing::Folder folder;
  const PropertyHandle latest{H5Pcreate(H5P_FILE_ACCESS)}, chunks{H5Pcreate(H5P_DATASET_CREATE)};
  H5Pset_libver_bounds(latest.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  H5Pset_chunk(chunks.get(), 1, &kRows);
  const SpaceHandle more{H5Screate_simple(1, &kMore, &kAny)};
  const auto created = [&](const std::string& name) {
    return FileHandle{
        H5Fcreate(folder.file(name).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, latest.get())};
  };
  const auto with_source = [&](hid_t file) {
    EXPECT_TRUE(ObjectHandle(H5Dcreate2(file, "source", H5T_STD_I32LE, more.get(), H5P_DEFAULT,
                                        chunks.get(), H5P_DEFAULT)));
  };
  with_source(created("source.h5").get());
  for (const char* source : {"source.h5", "missing.h5", "."})
    for (const bool growable : {false, true}) {
      {
        const FileHandle file = created("virtual.h5");
        with_source(file.get());
        const SpaceHandle space{H5Screate_simple(1, &kRows, growable ? &kAny : nullptr)};
        const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
        if (growable)
          for (const SpaceHandle* each : {&space, &more})
            H5Sselect_hyperslab(each->get(), H5S_SELECT_SET, &kNone, nullptr, &kAny, &kOne);
        else
          H5Sselect_hyperslab(more.get(), H5S_SELECT_SET, &kNone, nullptr, &kRows, nullptr);
        ASSERT_GE(H5Pset_virtual(list.get(), space.get(), source, "source", more.get()), 0);
        H5Sselect_all(space.get());
        ASSERT_TRUE(ObjectHandle(H5Dcreate2(file.get(), "d", H5T_STD_I32LE, space.get(),
                                            H5P_DEFAULT, list.get(), H5P_DEFAULT)));
      }
      const auto library = File::open(folder.file("virtual.h5")).value();
      const std::string bytes = golden::file_text(folder.file("virtual.h5"));
      const auto own =
          own::open_file(hepcheck::Bytes::of_image(std::as_bytes(std::span(bytes)), "v.h5"), {})
              .value();
      const ObjectToken token = own->find("/d").value();
      const ObjectHandle opened{H5Dopen2(library.context().file, "d", H5P_DEFAULT)};
      const Dataset models[] = {own->open(token).value()->dataset("d", "/d", token),
                                read_dataset(library.context(), opened.get(), "d", "/d", token)};
      for (const Dataset& each : models)
        EXPECT_EQ(each.space.extent, std::vector<std::uint64_t>{kRows}) << source << growable;
    }
}

// The plugin inverts every bit. Files beside it, and folders that do not exist, do not matter.
TEST(Plugins, AreLoadedFromEachFolder) {
  constexpr H5Z_filter_t kInvert = 333;
  initialise(false);
  EXPECT_EQ(H5Zfilter_avail(kInvert), 0);
  const exchange::testing::Folder folder;
  std::filesystem::copy(HEPCHECK_PLUGINS, folder.file("plugins"));
  std::ofstream(folder.file("plugins/broken.so")) << "no library";
  std::ofstream(folder.file("plugins/a.txt")) << "text";
  ASSERT_GE(H5PLprepend(folder.file("plugins").c_str()), 0);
  ASSERT_GE(H5PLprepend("/no such folder"), 0);
  load_filter_plugins();
  ASSERT_GT(H5Zfilter_avail(kInvert), 0);
  const MemoryFile file;
  const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
  const hsize_t rows = 8;
  H5Pset_chunk(list.get(), 1, &rows);
  H5Pset_filter(list.get(), kInvert, H5Z_FLAG_MANDATORY, 0, nullptr);
  file.dataset("/d", {rows}, list.get());
  Values wanted(rows);
  std::iota(wanted.begin(), wanted.end(), 0);
  EXPECT_EQ(file.values("/d"), wanted);
  ASSERT_GE(H5Zunregister(kInvert), 0);
  // One that is there already stays.
  load_filter_plugins();
  load_filter_plugins();
  EXPECT_GT(H5Zfilter_avail(kInvert), 0);
  H5Zunregister(kInvert);
  for (int i = 0; i < 2; ++i) H5PLremove(0);
}

}  // namespace
}  // namespace hepcheck::hep001::libhdf5::opening
