#include "validator/examine_file.h"

#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>

#include "validator/descriptor.h"

namespace hepcheck {
namespace {

// A container that is broken explains why no table can be reached in it, as long as subjects may be
// reported.
TEST(ExamineFile, BrokenContainersWithinTheLimitOfSubjects) {
  std::string image("\x89HDF\r\n\x1a\n\x03\x08\x08\x00", 12);
  image.resize(200);
  for (const std::uint64_t most : {0, 1, 2}) {
    FileOptions options;
    options.limits.subjects = most;
    const FileReport report =
        examine_image(std::as_bytes(std::span(image)), "x.h5", std::nullopt, nullptr, options);
    EXPECT_EQ(report.error.has_value(), most == 0) << most;
    EXPECT_EQ(report.subjects.size(), most == 0 ? 0u : 1u) << most;
  }
}

// A process that was started without standard input opens its first file as number 0.
TEST(Descriptor, MayBeZero) {
  Descriptor first(0);
  EXPECT_TRUE(first);
  EXPECT_EQ(first.release(), 0);  // it stays open
  EXPECT_FALSE(first);
  EXPECT_FALSE(Descriptor());
}

}  // namespace
}  // namespace hepcheck
