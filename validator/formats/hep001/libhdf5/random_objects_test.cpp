// Tables with datasets of any datatype, storage and fill value, with attributes of any datatype and
// links of any kind, some to one another. Both readers read the same of them, which equals the
// golden file: a line for each group of files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <string>
#include <vector>

#include "validator/formats/hep001/libhdf5/testing/random_file.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hep001::libhdf5 {
namespace {

using testing::RandomFile;
using testing::tables_of;

TEST(RandomObjects, AreReadAlikeAndEqualTheGoldenFile) {
  constexpr std::uint64_t kGroups = 6, kFiles = 80;
  std::string text;
  for (std::uint64_t group = 0; group < kGroups; ++group) {
    std::string all;
    for (std::uint64_t i = 0; i < kFiles; ++i) {
      const std::vector<std::byte> image = RandomFile(group * kFiles + i).image();
      const std::string own = tables_of(image, hepcheck::Reader::kOwn);
      const std::string library = tables_of(image, hepcheck::Reader::kLibrary);
      const auto differs = std::ranges::mismatch(own, library);
      const auto shown = [](auto from, auto end) {
        return std::string(from, from + std::min<std::ptrdiff_t>(200, end - from));
      };
      EXPECT_EQ(shown(differs.in1, own.end()), shown(differs.in2, library.end()))
          << group * kFiles + i;
      all += own;
    }
    text += std::format("{}: {}\n", group, golden::digest_of(all));
  }
  if (HEPCHECK_HDF5 >= 2) {
    EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/random_objects.txt"));
  }
}

}  // namespace
}  // namespace hepcheck::hep001::libhdf5
