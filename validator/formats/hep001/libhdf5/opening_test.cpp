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
#include "validator/formats/hep001/libhdf5/testing/memory_hdf5.h"
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
  EXPECT_TRUE(text.ends_with(std::format("; an HDF5 library later than {}.{}.{} may support it",
                                         H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE)))
      << text;
  const auto nowhere = File::open("/no such folder/file.h5");
  ASSERT_FALSE(nowhere);
  EXPECT_TRUE(nowhere.error().text().starts_with("/no such folder/file.h5: "));
  EXPECT_EQ(last_error("nothing").text(), "nothing: the HDF5 library gives no reason");
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
