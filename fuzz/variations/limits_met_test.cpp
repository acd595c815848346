// The least value of each limit with which files of the corpus are reported as without it: it is
// what the file needs exactly, and one less is too little. The golden files, one for each format,
// have a line for each limit, with some files and these values.
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
constexpr std::uint64_t kStep = 8;       // each limit is tried with one of so many files
constexpr std::size_t kOfAValue = 2;     // files that need the same value

std::string report_of(const Fixture& fixture, const FileOptions& options) {
  return findings_text(examine_image(fixture.image, fixture.file, std::nullopt,
                                     find_specification(fixture.spec), options));
}

// The least value with which the report is that without the limit; 0 if it has no effect.
std::uint64_t least(const Fixture& fixture, std::uint64_t Limits::* limit) {
  FileOptions options{.examine = {.jobs = 1}};
  const std::string wanted = report_of(fixture, options);
  const auto enough = [&](std::uint64_t value) {
    options.limits.*limit = value;
    return report_of(fixture, options) == wanted;
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

class LimitsMet : public ::testing::TestWithParam<const char*> {};

TEST_P(LimitsMet, ExactlyEqualTheGoldenFile) {
  std::string text;
  for (const auto& [name, limit] : fuzz::kLimits) {
    text += std::format("{}:\n", name);
    std::map<std::uint64_t, std::size_t> found;
    for (const Fixture* fixture : files_of_corpus()) {
      if (fixture->format != GetParam() || !fixture->valid || fixture->image.empty() ||
          fixture->image.size() > kLargest ||
          (fnv1a(std::format("{} {}", name, fixture->file)) >> 8) % kStep > 0)
        continue;
      const std::uint64_t value = least(*fixture, limit);
      if (value > 0 && found[value]++ < kOfAValue)
        text += std::format("  {} {}\n", value, fixture->file);
    }
  }
  EXPECT_TRUE(golden::equals(text, std::format("fuzz/variations/golden/{}-least.txt", GetParam())));
}

INSTANTIATE_TEST_SUITE_P(OfFormats, LimitsMet,
                         ::testing::Values("hdf5", "arrow", "rntuple", "tiledb"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace hepcheck::conformance
