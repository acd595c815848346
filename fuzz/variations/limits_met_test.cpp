// The least value of each limit with which files of the corpus are reported as without it: it is
// what the file needs exactly, and one less is too little. The golden files, one for each format,
// have a line for each limit, with a digest of all that was reported with too little, and some
// files and these values.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <format>
#include <map>
#include <string>
#include <string_view>

#include "conformance/corpus.h"
#include "conformance/findings_text.h"
#include "fuzz/variations/limits.h"
#include "validator/examine_file.h"
#include "validator/fnv1a.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::conformance {
namespace {

constexpr std::size_t kLargest = 8'000;  // bytes of a file
constexpr std::size_t kOfAValue = 2;     // files that need the same value

struct Family {
  std::string_view format, name;
  Reader reader = Reader::kOwn;
  std::uint64_t step = 3;  // each limit is tried with one of so many files
};

std::string report_of(const Fixture& fixture, const FileOptions& options) {
  return findings_text(examine_image(fixture.image, fixture.file, std::nullopt,
                                     find_specification(fixture.spec), options));
}

// The least value with which the report is that without the limit; 0 if it has no effect. Adds the
// other reports to `less`.
std::uint64_t least(const Fixture& fixture, Reader reader, std::uint64_t Limits::* limit,
                    Fnv1a& less) {
  FileOptions options{.examine = {.jobs = 1}, .reader = reader};
  const std::string wanted = report_of(fixture, options);
  const auto enough = [&](std::uint64_t value) {
    options.limits.*limit = value;
    const std::string report = report_of(fixture, options);
    if (report != wanted) less.add(report);
    return report == wanted;
  };
  std::uint64_t below = 0;
  if (enough(below)) return 0;
  std::uint64_t above = 1;
  while (!enough(above)) {
    below = above;
    above *= 2;
  }
  while (above - below > 1) {
    const std::uint64_t middle = below + (above - below) / 2;
    (enough(middle) ? above : below) = middle;
  }
  return above;
}

class LimitsMet : public ::testing::TestWithParam<Family> {};

TEST_P(LimitsMet, ExactlyEqualTheGoldenFile) {
  if (GetParam().reader == Reader::kLibrary && HEPCHECK_HDF5 < 2)
    GTEST_SKIP() << "HDF5 1 describes in other words what it cannot read";
  std::string text;
  for (const auto& [name, limit] : fuzz::kLimits) {
    std::string values;
    std::map<std::uint64_t, std::size_t> found;
    Fnv1a less;
    for (const Fixture* fixture : files_of_corpus()) {
      if (fixture->format != GetParam().format || !fixture->valid || fixture->image.empty() ||
          fixture->image.size() > kLargest ||
          (fnv1a(std::format("{} {}", name, fixture->file)) >> 8) % GetParam().step > 0)
        continue;
      const std::uint64_t value = least(*fixture, GetParam().reader, limit, less);
      if (value > 0 && found[value]++ < kOfAValue)
        values += std::format("  {} {}\n", value, fixture->file);
    }
    text += std::format("{}: {:016x}\n{}", name, less.value(), values);
  }
  EXPECT_TRUE(
      golden::equals(text, std::format("fuzz/variations/golden/{}-least.txt", GetParam().name)));
}

INSTANTIATE_TEST_SUITE_P(OfFormats, LimitsMet,
                         ::testing::Values(Family{"hep001", "hep001"},
                                           Family{"hep001", "hep001_libhdf5", Reader::kLibrary, 9},
                                           Family{"hdf5", "hdf5"}, Family{"arrow", "arrow"},
                                           Family{"rntuple", "rntuple"},
                                           Family{"tiledb", "tiledb"}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace hepcheck::conformance
