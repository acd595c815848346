// System calls that fail, are interrupted, or do less than was asked, one at a time, while a file
// is changed or written. Whatever fails, a name leads to the complete old file or the complete new
// one, and a failure is reported if it is the old one; and what was interrupted or incomplete goes
// on.
//
// The functions of these names in this program take precedence over those of the system, which they
// call.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <format>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/exchange/new_file.h"
#include "validator/exchange/testing/folder.h"
#include "validator/read_whole.h"
#include "validator/rewrite.h"
#include "validator/testing/next_function.h"

namespace {

enum class Trouble { kNone, kFails, kInterrupted, kIncomplete };

// The calls since `on`, by their names.
struct Calls {
  bool on = false;
  std::size_t number = 0;  // of the call with the trouble
  Trouble trouble = Trouble::kNone;
  std::vector<std::string_view> made{};
};
Calls calls;

bool has_trouble(const char* function) {
  if (!calls.on) return false;
  calls.made.emplace_back(function);
  if (calls.made.size() != calls.number + 1) return false;
  errno = calls.trouble == Trouble::kInterrupted ? EINTR : EIO;
  return calls.trouble != Trouble::kNone;
}

}  // namespace

#define HEPCHECK_CALL(name, parameters, arguments)                                       \
  extern "C" int name parameters {                                                       \
    static auto* const system = hepcheck::testing::next_function<int parameters>(#name); \
    if (has_trouble(#name) && calls.trouble != Trouble::kIncomplete) return -1;          \
    return system arguments;                                                             \
  }

// `size`: the parameter that states how much is to be done, of which half is done.
#define HEPCHECK_TRANSFER(name, size, parameters, arguments)                                 \
  extern "C" ssize_t name parameters {                                                       \
    static auto* const system = hepcheck::testing::next_function<ssize_t parameters>(#name); \
    if (has_trouble(#name)) {                                                                \
      if (calls.trouble != Trouble::kIncomplete) return -1;                                  \
      size = (size + 1) / 2;                                                                 \
    }                                                                                        \
    return system arguments;                                                                 \
  }

// clang-format off
HEPCHECK_TRANSFER(pread64, c, (int a, void* b, size_t c, off64_t d), (a, b, c, d))
HEPCHECK_TRANSFER(pwrite64, c, (int a, const void* b, size_t c, off64_t d), (a, b, c, d))
HEPCHECK_TRANSFER(write, c, (int a, const void* b, size_t c), (a, b, c))
HEPCHECK_TRANSFER(copy_file_range, e, (int a, off64_t* b, int c, off64_t* d, size_t e, unsigned f), (a, b, c, d, e, f))
HEPCHECK_CALL(fsync, (int a), (a))
HEPCHECK_CALL(ftruncate64, (int a, off64_t b), (a, b))
HEPCHECK_CALL(fchmod, (int a, mode_t b), (a, b))
HEPCHECK_CALL(flock, (int a, int b), (a, b))
HEPCHECK_CALL(fstat64, (int a, struct stat64* b), (a, b))
HEPCHECK_CALL(fstatat64, (int a, const char* b, struct stat64* c, int d), (a, b, c, d))
HEPCHECK_CALL(mkostemp64, (char* a, int b), (a, b))
HEPCHECK_CALL(renameat, (int a, const char* b, int c, const char* d), (a, b, c, d))
HEPCHECK_CALL(renameat2, (int a, const char* b, int c, const char* d, unsigned e), (a, b, c, d, e))
HEPCHECK_CALL(rename, (const char* a, const char* b), (a, b))
// clang-format on

// The permissions are those of the file if it is created, and not looked at otherwise.
extern "C" int openat64(int directory, const char* name, int flags, ...) {
  static auto* const system =
      hepcheck::testing::next_function<int(int, const char*, int, ...)>("openat64");
  if (has_trouble("openat64") && calls.trouble != Trouble::kIncomplete) return -1;
  return system(directory, name, flags, 0600);
}

namespace hepcheck {
namespace {

namespace fs = std::filesystem;

class FailingSystemCalls : public ::testing::Test {
 protected:
  // Lets each call of `run` have each trouble in turn. `run` returns what it reports; `check` is
  // called afterwards, with that and the names of the files in the directory.
  using Run = std::function<Result<void>()>;
  void try_all(const std::function<void()>& prepare, const Run& run, const std::string& old,
               const std::string& made) {
    prepare();
    calls = {.on = true};
    ASSERT_TRUE(run());
    calls.on = false;
    ASSERT_EQ(contents(), made);
    const std::vector<std::string_view> all = calls.made;
    EXPECT_GT(all.size(), 5u);
    for (const Trouble trouble : {Trouble::kFails, Trouble::kInterrupted, Trouble::kIncomplete})
      for (std::size_t i = 0; i < all.size(); ++i) {
        prepare();
        calls = {.on = true, .number = i, .trouble = trouble};
        const Result<void> done = run();
        calls.on = false;
        const std::string place = std::format("{} {} {}", all[i], i, static_cast<int>(trouble));
        const std::string after = contents();
        const bool late = !done && done.error().cause.contains(", but ");
        EXPECT_TRUE(after == (done || late ? made : old))
            << place << ' ' << (done ? "" : done.error().text()) << ' ' << after.size();
        EXPECT_LE(std::distance(fs::directory_iterator(folder_), {}), 1) << place;
        static const std::set<std::string_view> kGoOn = {"pread64", "pwrite64", "write",
                                                         "copy_file_range", "flock"};
        if (trouble == Trouble::kIncomplete ||
            (trouble == Trouble::kInterrupted && kGoOn.contains(all[i]))) {
          EXPECT_TRUE(done) << place << done.error().text();
        } else if (!done) {
          EXPECT_TRUE(done.error().cause.contains(trouble == Trouble::kFails
                                                      ? "Input/output error"
                                                      : "Interrupted system call") ||
                      done.error().cause.contains("cannot be read") ||
                      done.error().cause.contains("another program changed") ||
                      done.error().cause.contains("was not left by"))
              << place << ": " << done.error().text();
        }
      }
  }
  std::string contents() const { return read_whole(path_).value_or("none"); }

  const exchange::testing::Folder whole_{};
  const fs::path folder_ = whole_.path / "files";
  const std::string path_ = folder_ / "file";
};

// Changes of every kind, to a file that becomes longer or shorter.
TEST_F(FailingSystemCalls, LeaveTheOldFileOrTheNewOne) {
  const std::string old = std::string(5'000, 'x') + std::string(5'000, 'y');
  const auto prepare = [&] {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    std::ofstream(path_) << old;
  };
  for (const bool in_place : {false, true})
    for (const std::uint64_t size : {3'000, 12'000}) {
      std::string made = old;
      made.replace(3, 3, "abc");
      made.replace(2'000, 6, "first!");
      made.replace(2'002, 2, "??");
      made.resize(11'000, '\0');
      made.replace(10'998, 2, "zz");
      made.resize(size, '\0');
      try_all(
          prepare,
          [&]() -> Result<void> {
            auto rewrite = Rewrite::of(path_, {.in_place = in_place});
            if (!rewrite) return std::unexpected(rewrite.error());
            if (auto begun = (*rewrite)->begin(); !begun) return begun;
            const auto put = [&](std::uint64_t at, std::string_view text) {
              (*rewrite)->write(at, std::as_bytes(std::span(text)));
            };
            put(3, "abc");
            put(2'000, "first!");
            (*rewrite)->sync();
            put(2'002, "??");
            (*rewrite)->resize(11'000);
            put(10'998, "zz");
            (*rewrite)->resize(size);
            return (*rewrite)->finish();
          },
          old, made);
    }
}

TEST_F(FailingSystemCalls, LeaveACompleteNewFileOrNone) {
  const std::string old = "what was there";
  for (const bool replace : {false, true})
    for (const bool durable : {false, true}) {
      std::string made;
      for (int i = 0; i < 30'000; ++i) made += std::format("{} ", i);
      try_all(
          [&] {
            fs::remove_all(folder_);
            fs::create_directory(folder_);
            if (replace) std::ofstream(path_) << old;
          },
          [&]() -> Result<void> {
            auto file = exchange::NewFile::of(path_, {.replace = replace, .durable = durable});
            if (!file) return std::unexpected(file.error());
            for (const std::size_t piece : {10, 70'000, 20, 65'536, 30})
              file->write(std::as_bytes(std::span(made).subspan(file->size(), piece)));
            file->write(std::as_bytes(std::span(made).subspan(file->size())));
            return file->finish();
          },
          replace ? old : "none", made);
    }
}

}  // namespace
}  // namespace hepcheck
