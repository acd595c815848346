#include "validator/exchange/new_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <utility>

#include "validator/exchange/testing/folder.h"

namespace hepcheck::exchange {
namespace {

namespace fs = std::filesystem;
using testing::Folder;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::size_t entries(const Folder& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path), {}));
}

std::string refusal(const std::string& path, const NewFile::Options& options = {}) {
  const auto file = NewFile::of(path, options);
  return file ? "" : file.error().cause;
}

// Pieces of every size around those that are written at once, in any order.
TEST(NewFiles, HaveWhatWasWritten) {
  constexpr std::size_t kSizes[] = {0,
                                    1,
                                    100,
                                    (64 << 10) - 1,
                                    64 << 10,
                                    (64 << 10) + 1,
                                    (256 << 10) - 1,
                                    256 << 10,
                                    (256 << 10) + 1,
                                    700'000};
  std::mt19937_64 random(20261128);
  for (int run = 0; run < 40; ++run) {
    const Folder folder;
    const std::string path = folder.file("a");
    Result<NewFile> file = NewFile::of(path, {.durable = run % 4 == 0});
    ASSERT_TRUE(file) << file.error().text();
    std::string all;
    for (std::uint64_t n = random() % 8; n > 0; --n) {
      std::string piece(kSizes[random() % std::size(kSizes)], '\0');
      for (std::size_t i = 0; i < piece.size(); i += 97) piece[i] = static_cast<char>(random());
      file->write(bytes_of(piece));
      all += piece;
      EXPECT_EQ(file->size(), all.size());
      if (random() % 4 == 0) {
        file->flush();
        EXPECT_EQ(content(file->temporary()), all);
      }
    }
    EXPECT_FALSE(fs::exists(path));  // only at the end
    EXPECT_GE(file->descriptor(), 0);
    ASSERT_TRUE(file->finish());
    EXPECT_EQ(content(path), all);
    EXPECT_EQ(entries(folder), 1u);
  }
}

TEST(NewFiles, HaveTheRightsOfTheProcess) {
  const Folder folder;
  for (const mode_t mask : {0022, 0077, 0007}) {
    const mode_t before = umask(mask);
    const std::string path = folder.file(std::to_string(mask));
    EXPECT_TRUE(NewFile::of(path, {})->finish());
    EXPECT_EQ(umask(before), mask);
    struct stat status{};
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0666 & ~mask);
  }
}

TEST(NewFiles, LeaveNothingUnlessTheyAreFinished) {
  const Folder folder;
  {
    Result<NewFile> file = NewFile::of(folder.file("a"), {});
    ASSERT_TRUE(file);
    file->write(bytes_of("text"));
    EXPECT_EQ(entries(folder), 1u);
    // What is moved belongs to its new owner.
    const NewFile moved = std::move(*file);
    EXPECT_EQ(moved.size(), 4u);
    EXPECT_TRUE(file->temporary().empty());
    EXPECT_EQ(file->descriptor(), -1);
    EXPECT_EQ(entries(folder), 1u);
  }
  EXPECT_EQ(entries(folder), 0u);
}

TEST(NewFiles, ReplaceOnlyFilesAndOnRequest) {
  const Folder folder;
  const std::string path = folder.file("a"), link = folder.file("link");
  put(path, "old");
  EXPECT_EQ(refusal(path), "it exists already");
  {
    Result<NewFile> file = NewFile::of(path, {.replace = true});
    ASSERT_TRUE(file);
    file->write(bytes_of("new"));
    EXPECT_EQ(content(path), "old");
  }
  EXPECT_EQ(content(path), "old");
  Result<NewFile> file = NewFile::of(path, {.replace = true});
  ASSERT_TRUE(file);
  file->write(bytes_of("new"));
  ASSERT_TRUE(file->finish());
  EXPECT_EQ(content(path), "new");
  // A link is replaced, and not the file that it leads to.
  fs::create_symlink(path, link);
  EXPECT_EQ(refusal(link), "it exists already");
  ASSERT_TRUE(NewFile::of(link, {.replace = true})->finish());
  EXPECT_FALSE(fs::is_symlink(link));
  EXPECT_EQ(content(path), "new");
  // A link that leads nowhere exists as well.
  fs::create_symlink(folder.file("nowhere"), folder.file("dangling"));
  EXPECT_EQ(refusal(folder.file("dangling")), "it exists already");
}

TEST(NewFiles, DoNotReplaceWhatHasOtherUsers) {
  const Folder folder;
  const std::string directory = folder.file("directory"), pipe = folder.file("pipe");
  fs::create_directory(directory);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {directory, pipe, std::string("/dev/null")})
    EXPECT_EQ(refusal(path, {.replace = true}), "it is not a regular file, and is not replaced")
        << path;
  EXPECT_EQ(refusal(folder.file("none/a")), "No such file or directory");
}

TEST(NewFiles, DoNotReplaceTheirSource) {
  const Folder folder;
  const std::string source = folder.file("source"), hard = folder.file("hard"),
                    soft = folder.file("soft"), other = folder.file("other");
  put(source, "source");
  put(other, "other");
  fs::create_hard_link(source, hard);
  fs::create_symlink(source, soft);
  for (const std::string& path : {source, hard, soft})
    EXPECT_EQ(refusal(path, {.replace = true, .source = source}),
              "it is the file that is read, and is not replaced")
        << path;
  EXPECT_EQ(refusal(other, {.replace = true, .source = source}), "");
  EXPECT_EQ(refusal(folder.file("new"), {.replace = true, .source = source}), "");
}

// A file of that name that appears in the meantime stays.
TEST(NewFiles, KeepAFileThatAppearsInTheMeantime) {
  const Folder folder;
  const std::string path = folder.file("a");
  {
    Result<NewFile> file = NewFile::of(path, {});
    ASSERT_TRUE(file);
    file->write(bytes_of("mine"));
    put(path, "theirs");
    const auto done = file->finish();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().cause, "File exists");
  }
  EXPECT_EQ(content(path), "theirs");
  EXPECT_EQ(entries(folder), 1u);
}

// Nothing is written after a failure, which is reported once, at the end.
TEST(NewFiles, ReportAFailureAtTheEnd) {
  const Folder folder;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 100'000, .rlim_max = before.rlim_max};
  for (const bool at_once : {false, true}) {
    Result<NewFile> file = NewFile::of(folder.file("a"), {});
    ASSERT_TRUE(file);
    file->write(bytes_of(std::string(at_once ? 0 : 50'000, 'x')));
    EXPECT_FALSE(file->failed());
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    file->write(bytes_of(std::string(200'000, 'y')));
    const std::string partly = content(file->temporary());
    EXPECT_TRUE(file->failed());
    file->write(bytes_of("more"));
    file->flush();
    EXPECT_EQ(content(file->temporary()), partly);
    const auto done = file->finish();
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().cause, "File too large");
    EXPECT_FALSE(fs::exists(folder.file("a")));
  }
  signal(SIGXFSZ, handler);
  EXPECT_EQ(entries(folder), 0u);
}

// A handler of a fatal signal removes the file that is not finished, and no other.
TEST(NewFiles, AreRemovedBySignals) {
  const Folder folder;
  ASSERT_TRUE(NewFile::of(folder.file("done"), {})->finish());
  NewFile::on_signal();
  EXPECT_EQ(entries(folder), 1u);
  const Result<NewFile> file = NewFile::of(folder.file("a"), {});
  ASSERT_TRUE(file);
  EXPECT_EQ(entries(folder), 2u);
  NewFile::on_signal();
  EXPECT_EQ(entries(folder), 1u);
  EXPECT_TRUE(fs::exists(folder.file("done")));
}

// Standard output is written as it is, and cannot be taken back.
TEST(NewFiles, OfStandardOutput) {
  const Folder folder;
  const std::string path = folder.file("output");
  const Descriptor kept{dup(STDOUT_FILENO)};
  const Descriptor to{open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)};
  ASSERT_GE(dup2(to.get(), STDOUT_FILENO), 0);
  {
    Result<NewFile> file = NewFile::of("-", {});
    ASSERT_TRUE(file);
    EXPECT_EQ(file->descriptor(), -1);
    EXPECT_TRUE(file->temporary().empty());
    file->write(bytes_of("text"));
    EXPECT_TRUE(file->finish());
  }
  ASSERT_GE(dup2(kept.get(), STDOUT_FILENO), 0);
  EXPECT_EQ(content(path), "text");
}

}  // namespace
}  // namespace hepcheck::exchange
