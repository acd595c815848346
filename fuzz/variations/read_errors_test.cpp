// The valid files of the corpus on a disk of which one read fails. Nothing of a file is judged that
// could not be read: each report says that a read failed, and none that the file is broken.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <format>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/corpus.h"
#include "conformance/findings_text.h"
#include "validator/bytes.h"
#include "validator/examine_file.h"
#include "validator/fnv1a.h"
#include "validator/testing/memory_file.h"
#include "validator/testing/next_function.h"

namespace {

// Reads of this descriptor are counted, and the one with this number fails.
int watched = -1;
std::size_t reads = 0, failing = 0;

}  // namespace

// Takes precedence over the function of the system, which it calls.
extern "C" ssize_t pread64(int descriptor, void* into, size_t size, off64_t offset) {
  static auto* const system =
      hepcheck::testing::next_function<ssize_t(int, void*, size_t, off64_t)>("pread64");
  if (descriptor == watched && reads++ == failing) {
    errno = EIO;
    return -1;
  }
  return system(descriptor, into, size, offset);
}

namespace hepcheck::conformance {
namespace {

FileReport read_with_failure(const Fixture& fixture, std::size_t number) {
  const Descriptor file = memory_file(fixture.image);
  FileOptions options;
  options.examine.jobs = 1;
  const Bytes bytes = Bytes::of_descriptor(file.get(), fixture.file);
  watched = file.get();
  reads = 0;
  failing = number;
  FileReport report = examine_bytes(
      Input(bytes), {.spec = find_specification(fixture.spec),
                     .subject = fixture.asserted ? std::optional(fixture.group) : std::nullopt,
                     .options = options});
  watched = -1;
  return report;
}

bool states(const FileReport& report, SubjectVerdict verdict) {
  return std::ranges::contains(report.subjects, verdict, &SubjectReport::verdict);
}

class ReadErrors : public ::testing::TestWithParam<const char*> {};

TEST_P(ReadErrors, AreNoViolations) {
  std::size_t failures = 0;
  for (const Fixture* fixture : files_of_corpus()) {
    if (fixture->format != GetParam() || fixture->image.empty() || !fixture->valid) continue;
    const FileReport whole = read_with_failure(*fixture, ~std::size_t{0});
    const std::size_t all = reads;
    EXPECT_FALSE(whole.error && whole.error->cause.contains("read failed")) << fixture->file;
    constexpr std::size_t kMost = 4;
    for (std::size_t i = 0; i < std::min(all, kMost); ++i) {
      const std::size_t number =
          all <= kMost ? i : fnv1a(std::format("{} {}", fixture->file, i)) % all;
      const FileReport report = read_with_failure(*fixture, number);
      const std::string place = std::format("{}: read {} of {}", fixture->file, number, all);
      EXPECT_TRUE(report.error) << place;
      EXPECT_FALSE(states(report, SubjectVerdict::kFail)) << place << findings_text(report);
      ++failures;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(failures, 100u);
}

INSTANTIATE_TEST_SUITE_P(OfFormats, ReadErrors,
                         ::testing::Values("hep001", "hdf5", "arrow", "rntuple", "tiledb"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace hepcheck::conformance
