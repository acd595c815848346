// The files that a settings file names, and the stamp of a run.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>

#include "cli/confined_file.h"
#include "cli/stamp.h"
#include "validator/read_whole.h"

namespace hepcheck::cli {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() {
    std::string name = (fs::temp_directory_path() / "hepcheck-files-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Files() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string put(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  ConfinedFile at(const std::string& path) const { return {folder_.string(), path}; }
  // Why a file is not opened; "opened", or "missing".
  std::string opened(const std::string& path, int flags = O_RDONLY) const {
    const Result<Descriptor> made = open_confined(at(path), flags);
    return !made ? made.error().cause : *made ? "opened" : "missing";
  }

  fs::path folder_;
};

TEST(ConfinedPaths, AreRelativeAndNotHidden) {
  for (const char* path : {"a", "a/b", "a.b/c.d", "a/b/c.toml"})
    EXPECT_TRUE(is_confined(path)) << path;
  for (const char* path :
       {"", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/..", "a/../b", "./a", ".git/x", "a/.x"})
    EXPECT_FALSE(is_confined(path)) << path;
  EXPECT_FALSE(is_confined(std::string_view("a\0b", 3)));
}

TEST_F(Files, OpensRegularFilesOnly) {
  put("a", "text");
  put("in/b", "");
  fs::create_symlink("a", folder_ / "link");
  fs::create_symlink("in", folder_ / "to");
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(opened("a"), "opened");
  EXPECT_EQ(opened("in/b"), "opened");
  EXPECT_EQ(opened("c"), "missing");
  EXPECT_EQ(opened("in/c"), "missing");
  EXPECT_EQ(opened("link"), "it is a link");
  EXPECT_EQ(opened("pipe"), "it is not a regular file");
  EXPECT_EQ(opened("in"), "it is not a regular file");
  EXPECT_EQ(opened("in", O_RDWR | O_CREAT), "it cannot be opened");
  const std::string outside = "the directory does not exist inside that of the settings";
  EXPECT_EQ(opened("to/b"), outside);
  EXPECT_EQ(opened("none/b"), outside);
  EXPECT_EQ(opened("a/b"), outside);
  EXPECT_EQ(open_confined({(folder_ / "none").string(), "a"}, O_RDONLY).error().cause,
            "the directory of the settings cannot be opened");
  fs::create_hard_link(folder_ / "a", folder_ / "hard");
  EXPECT_EQ(opened("a"), "it is a link");
}

TEST_F(Files, WorkingDirectoryIfNoneIsNamed) {
  put("a", "here");
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  EXPECT_EQ(read_confined({.path = "a"}).value_or("none"), "here");
  fs::current_path(before);
  EXPECT_EQ((ConfinedFile{.path = "a"}.whole()), "a");
  EXPECT_EQ((ConfinedFile{.folder = "x", .path = "a/b"}.whole()), "x/a/b");
}

TEST_F(Files, ReadsAndWritesWholeFiles) {
  const std::string text = std::string(200'000, 'x') + '\0' + "end";  // several pieces
  put("a", text);
  EXPECT_EQ(read_confined(at("a")).value_or("none"), text);
  EXPECT_EQ(read_confined(at("b")).error().cause, "no such file");
  fs::create_directory(folder_ / "in");
  EXPECT_EQ(read_confined(at("in")).error().cause, "it is not a regular file");

  Result<Descriptor> made = open_confined(at("b"), O_RDWR | O_CREAT);
  ASSERT_TRUE(made && *made);
  EXPECT_TRUE(write_through(std::move(*made), [&](std::ostream& out) { out << text; }));
  EXPECT_EQ(read_confined(at("b")).value_or("none"), text);
  // A descriptor that cannot be written to.
  EXPECT_FALSE(write_through(Descriptor{open((folder_ / "b").c_str(), O_RDONLY)},
                             [](std::ostream& out) { out << "more"; }));
}

TEST_F(Files, StampIsOfTheBytes) {
  const std::string a = put("a.h5", "abc"), b = put("b.h5", std::string(600'000, 'x'));
  const std::vector<Target> targets{
      {.path = a}, {.path = b}, {.path = "-"}, {.path = folder_ / "none"}};
  const Stamper stamper(targets, Limits{});
  std::vector<FileReport> reports;
  for (const Target& target : targets) reports.push_back({.path = target.path});
  testing::internal::CaptureStderr();
  stamper.stamp(reports);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_TRUE(reports[0].stamp && reports[1].stamp);
  EXPECT_EQ(reports[0].stamp->bytes, 3);
  EXPECT_EQ(reports[0].stamp->sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  // In several pieces.
  EXPECT_EQ(reports[1].stamp->bytes, 600'000);
  EXPECT_EQ(reports[1].stamp->sha256,
            "34e95fe8877d07873716a3f575a4ea908b2e776b18e0b5122d33f7a93ff012b4");
  EXPECT_FALSE(reports[2].stamp);
  EXPECT_FALSE(reports[3].stamp);
}

TEST_F(Files, ChangedFilesAreNotStamped) {
  const std::vector<Target> targets{{.path = put("longer.h5", "abc")},
                                    {.path = put("replaced.h5", "abc")},
                                    {.path = put("gone.h5", "abc")},
                                    {.path = put("touched.h5", "abc")},
                                    {.path = put("same.h5", "abc")}};
  const Stamper stamper(targets, Limits{});
  put("longer.h5", "abcd");
  put("other", "abc");
  fs::rename(folder_ / "other", targets[1].path);
  fs::remove(targets[2].path);
  fs::last_write_time(targets[3].path, fs::file_time_type::clock::now() + std::chrono::hours(1));
  std::vector<FileReport> reports;
  for (const Target& target : targets) reports.push_back({.path = target.path});
  testing::internal::CaptureStderr();
  stamper.stamp(reports);
  const std::string said = testing::internal::GetCapturedStderr();
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_FALSE(reports[i].stamp) << reports[i].path;
    EXPECT_TRUE(said.contains(reports[i].path + ": changed while it was examined")) << said;
  }
  EXPECT_TRUE(reports[4].stamp);
  EXPECT_FALSE(said.contains("same.h5"));
}

TEST(Stamp, DateIsThatOfTheEnvironment) {
  const char* const name = "SOURCE_DATE_EPOCH";
  setenv(name, "1767225599", 1);
  EXPECT_EQ(date_of_run(), "2025-12-31T23:59:59Z");
  setenv(name, "0", 1);
  EXPECT_EQ(date_of_run(), "1970-01-01T00:00:00Z");
  // What is no number of seconds is ignored.
  for (const char* wrong : {"", "1x", "-1", "99999999999"}) {
    setenv(name, wrong, 1);
    const std::string now = date_of_run();
    EXPECT_EQ(now.size(), 20);
    EXPECT_GT(now, "2026") << wrong;
  }
  unsetenv(name);
}

TEST(Stamp, OptionsAreThoseGiven) {
  CLI::App app;
  bool strict = false, other = false;
  std::vector<std::string> skip, paths;
  std::string depth;
  app.add_flag("--strict", strict);
  app.add_flag("--other", other);
  app.add_option("-s,--skip", skip);
  app.add_option("--depth", depth);
  app.add_option("PATH", paths);
  app.parse("x.h5 y.h5 --skip=a -s b --strict", false);
  EXPECT_EQ(options_given(app), (std::vector<std::string>{"--strict", "--skip=a", "--skip=b"}));
}

}  // namespace
}  // namespace hepcheck::cli
