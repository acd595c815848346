// Tables with datasets of any datatype, storage and fill value, with attributes of any datatype and
// links of any kind, some to one another. Both readers read the same of them, which equals the
// golden file: a line for each group of files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validator/formats/hep001/libhdf5/testing/random_file.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/random.h"

namespace hepcheck::hep001::libhdf5 {
namespace {

using testing::MemoryFile;
using testing::RandomFile;
using testing::tables_of;
using testing::text_type;
using testing::write_attribute;

// Both readers read the same of the file; returns it.
std::string read_alike(std::span<const std::byte> image,
                       const std::optional<Limits>& limits = std::nullopt) {
  const std::string own = tables_of(image, hepcheck::Reader::kOwn, limits);
  const std::string library = tables_of(image, hepcheck::Reader::kLibrary, limits);
  const auto differs = std::ranges::mismatch(own, library);
  const auto shown = [](auto from, auto end) {
    return std::string(from, from + std::min<std::ptrdiff_t>(200, end - from));
  };
  EXPECT_EQ(shown(differs.in1, own.end()), shown(differs.in2, library.end()));
  return own;
}

TEST(RandomObjects, AreReadAlikeAndEqualTheGoldenFile) {
  constexpr std::uint64_t kGroups = 6, kFiles = 80;
  std::string text;
  for (std::uint64_t group = 0; group < kGroups; ++group) {
    std::string all;
    for (std::uint64_t i = 0; i < kFiles; ++i) {
      const std::vector<std::byte> image = RandomFile(group * kFiles + i).image();
      const ::testing::ScopedTrace trace(__FILE__, __LINE__, group * kFiles + i);
      all += read_alike(image);
    }
    text += std::format("{}: {}\n", group, golden::digest_of(all));
  }
  if (HEPCHECK_HDF5 >= 2) {
    EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/random_objects.txt"));
  }
}

// Under small limits, of which each may end in the middle of an object.
TEST(RandomObjects, AreReadAlikeUnderAnyLimits) {
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    RandomFile file(10'000 + seed);
    file.nested_types(20);
    const std::vector<std::byte> image = file.image();
    for (int round = 0; round < 6; ++round) {
      Random random(100 * seed + static_cast<std::uint64_t>(round));
      Limits limits;
      std::string what = std::format("{}", seed);
      const auto lower = [&](std::uint64_t& limit, std::uint64_t end, const char* name) {
        if (!random.once_in(3)) return;
        limit = random.below(end);
        what += std::format(" {} {}", name, limit);
      };
      lower(limits.attributes, 4, "attributes");
      lower(limits.links, 8, "links");
      lower(limits.objects, 8, "objects");
      lower(limits.group_depth, 3, "group_depth");
      lower(limits.type_depth, 5, "type_depth");
      lower(limits.type_members, 4, "type_members");
      lower(limits.subjects, 2, "subjects");
      lower(limits.string_bytes, 6, "string_bytes");
      const ::testing::ScopedTrace trace(__FILE__, __LINE__, what);
      read_alike(image, limits);
    }
  }
}

// Two deflates make a chunk of zeros much smaller than one can.
TEST(DeflatedTwice, ChunksAreReadByBoth) {
  const MemoryFile file;
  const ObjectHandle table = file.group("/t");
  write_attribute(table.get(), "CLASS", text_type(13).get(), {}, "COLUMN_TABLE");
  for (const hsize_t size : {1'000, 100'000, 300'000})
    for (const int times : {1, 2}) {
      const PropertyHandle list{H5Pcreate(H5P_DATASET_CREATE)};
      H5Pset_chunk(list.get(), 1, &size);
      for (int i = 0; i < times; ++i) H5Pset_deflate(list.get(), 9);
      const SpaceHandle space{H5Screate_simple(1, &size, nullptr)};
      const ObjectHandle made{H5Dcreate2(table.get(), std::format("d{} {}", size, times).c_str(),
                                         H5T_STD_U8LE, space.get(), H5P_DEFAULT, list.get(),
                                         H5P_DEFAULT)};
      const std::vector<std::byte> zeros(size);
      ASSERT_GE(H5Dwrite(made.get(), H5T_STD_U8LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data()), 0);
    }
  const std::string own = tables_of(file.image(), hepcheck::Reader::kOwn);
  EXPECT_TRUE(own == tables_of(file.image(), hepcheck::Reader::kLibrary));
  EXPECT_FALSE(own.contains("deflate:"));
}

}  // namespace
}  // namespace hepcheck::hep001::libhdf5
