#include "validator/examine_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <format>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/bytes.h"
#include "validator/catalogue/clause.h"
#include "validator/descriptor.h"
#include "validator/format.h"

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
    ASSERT_EQ(report.subjects.size(), most == 0 ? 0u : 1u) << most;
    // What was to be examined, and why it was not.
    if (most > 0) {
      ASSERT_FALSE(report.subjects[0].notes.empty());
      const std::string& note = report.subjects[0].notes[0];
      const std::size_t why = note.find("; examined instead: the HDF5 file itself, ");
      EXPECT_NE(why, note.npos) << note;
      EXPECT_GT(why, 0u) << note;
    }
  }
}

// A folder of one format is not examined by the specification of another one.
TEST(ExamineFile, FoldersOfAnotherFormat) {
  const std::filesystem::path folder =
      testing::TempDir() + std::format("folder_of_another_format_{}", getpid());
  std::filesystem::create_directories(folder / "__schema");
  for (const char* format : {"hep001", "arrow"}) {
    const FileReport report =
        examine_file(folder.string(), std::nullopt, &default_revision(format), {});
    ASSERT_TRUE(report.error) << format;
    EXPECT_EQ(report.error->cause, "it is a directory");
  }
  std::filesystem::remove_all(folder);
}

// A signature decides; of several formats that a name and its folder suggest, the first one.
TEST(Recognise, FilesByContentsAndByName) {
  constexpr std::string_view kContainer("\x89HDF\r\n\x1a\n", 8), kTable("ARROW1\0\0ARROW1", 14);
  const auto format_of = [](std::string_view contents, const std::string& name) {
    const Format* found = recognise(Bytes::of_image(std::as_bytes(std::span(contents)), name));
    return found ? std::string(found->name) : "none";
  };
  for (const char* name : {"x", "x.arrow", "x.tdb", "a/__schema/x", "a/__schema/x.arrow"}) {
    EXPECT_EQ(format_of(kContainer, name), "hep001") << name;
    EXPECT_EQ(format_of(kTable, name), "arrow") << name;
  }
  EXPECT_EQ(format_of("text", "x"), "none");
  EXPECT_EQ(format_of("text", "x.arrow"), "arrow");
  EXPECT_EQ(format_of("text", "x.tdb"), "tiledb");
  EXPECT_EQ(format_of("text", "a/__schema/x"), "tiledb");
  EXPECT_EQ(format_of("text", "a/__schema/x.arrow"), "arrow");
}

// What may be opened, and why nothing else.
TEST(OpenInput, OfEveryKindOfPath) {
  namespace fs = std::filesystem;
  const fs::path at = testing::TempDir() + std::format("every_kind_of_path_{}", getpid());
  fs::create_directories(at);
  std::ofstream(at / "text") << "text";
  std::ofstream(at / "empty");
  fs::create_directory(at / "directory");
  fs::create_symlink("loop", at / "loop");
  fs::create_symlink("text", at / "link");
  ASSERT_EQ(mkfifo((at / "pipe").c_str(), 0600), 0);
  for (const bool may_be_empty : {false, true}) {
    const auto why_not = [&](const std::string& name) {
      const Result<OpenedInput> opened = open_input(at / name, {}, may_be_empty);
      return opened ? "" : opened.error().cause;
    };
    EXPECT_EQ(why_not("text"), "");
    EXPECT_EQ(why_not("link"), "");
    EXPECT_EQ(why_not("empty"), may_be_empty ? "" : "the file is empty");
    EXPECT_EQ(why_not("directory"), "is a directory");
    EXPECT_EQ(why_not("pipe"), "is not a regular file; use - to read standard input");
    EXPECT_EQ(why_not("missing"), "no such file");
    EXPECT_EQ(why_not("missing/text"), "no such file");
    EXPECT_EQ(why_not("text/inside"), "cannot be read");
    EXPECT_EQ(why_not("loop"), "cannot be read");
    EXPECT_EQ(why_not(std::string(300, 'x')), "cannot be read");
  }
  fs::remove_all(at);
}

// Number 0 is a descriptor like others; an image has none.
TEST(OpenInput, DescriptorsThatAreKeptOpen) {
  EXPECT_EQ(Input(Bytes::of_descriptor(0, "")).descriptors(), std::vector{0});
  EXPECT_EQ(Input(Bytes::of_descriptor(7, "")).descriptors(), std::vector{7});
  EXPECT_EQ(Input(Bytes::of_image({}, "")).descriptors(), std::vector<int>());
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
