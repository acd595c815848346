#include "validator/rewrite.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <format>
#include <fstream>
#include <map>
#include <thread>

#include "validator/copy_file.h"
#include "validator/read_whole.h"
#include "validator/testing/random.h"

namespace hepcheck {

namespace {

namespace fs = std::filesystem;

// A directory with a file of 10,000 bytes.
class Replacing : public ::testing::Test {
 protected:
  Replacing() {
    fs::create_directory(folder_);
    std::ofstream(path_) << before_;
  }
  ~Replacing() override { fs::remove_all(folder_); }

  std::unique_ptr<Rewrite> begun(Rewrite::Options options) const {
    auto made = Rewrite::of(path_, std::move(options));
    if (!made) throw std::runtime_error(made.error().text());
    if (const auto copied = (*made)->begin(); !copied)
      throw std::runtime_error(copied.error().text());
    return std::move(*made);
  }
  static void put(Rewrite& rewrite, std::uint64_t offset, std::string_view text) {
    rewrite.write(offset, std::as_bytes(std::span(text)));
  }
  std::string contents() const { return read_whole(path_).value_or("none"); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }
  // The message of a Rewrite that fails.
  std::string refusal(Rewrite::Options options) const {
    const auto made = Rewrite::of(path_, std::move(options));
    return made ? "none" : made.error().cause;
  }

  const fs::path folder_ = std::format("{}/rewrite-{}", ::testing::TempDir(), getpid());
  const std::string path_ = folder_ / "file";
  const std::string before_ = std::string(10000, 'x');
};

class EitherWay : public Replacing, public ::testing::WithParamInterface<bool> {
 protected:
  static Rewrite::Options manner() { return {.in_place = GetParam()}; }
};
INSTANTIATE_TEST_SUITE_P(Rewrite, EitherWay, ::testing::Bool(),
                         [](const auto& manner) { return manner.param ? "InPlace" : "Replacing"; });

TEST_P(EitherWay, ChangesTakeEffectAtTheCommit) {
  const auto rewrite = begun(manner());
  put(*rewrite, 3, "abc");
  put(*rewrite, 12000, "end");
  EXPECT_EQ(rewrite->size(), 12003u);
  EXPECT_EQ(contents() == before_, !GetParam());
  ASSERT_TRUE(rewrite->finish());
  const std::string after = contents();
  EXPECT_EQ(after.substr(0, 8), "xxxabcxx");
  EXPECT_EQ(after.substr(9999), "x" + std::string(2000, '\0') + "end");
  EXPECT_EQ(files(), 1u);
}

TEST_P(EitherWay, WithoutACommitNothingChanges) {
  {
    const auto rewrite = begun(manner());
    put(*rewrite, 0, "a");
    put(*rewrite, 9998, "bcd");
    put(*rewrite, 0, "e");
    rewrite->resize(30000);
    rewrite->resize(5);
    put(*rewrite, 7, "f");
  }
  EXPECT_EQ(contents(), before_);
  EXPECT_EQ(files(), 1u);
}

TEST_P(EitherWay, TruncatedAndExtendedAgain) {
  const auto rewrite = begun(manner());
  rewrite->resize(5);
  EXPECT_EQ(rewrite->size(), 5u);
  rewrite->resize(20);
  put(*rewrite, 10, "ab");
  rewrite->resize(11);
  ASSERT_TRUE(rewrite->finish());
  EXPECT_EQ(contents().size(), 11u);
  EXPECT_EQ(contents().substr(0, 5), "xxxxx");
  EXPECT_EQ(contents()[10], 'a');
}

// Any order of writes and sizes, compared with the same changes of a text.
TEST_P(EitherWay, AnyChanges) {
  Random random(2912);
  for (int round = 0; round < 24; ++round) {
    std::ofstream(path_) << before_;
    const auto rewrite = begun(manner());
    std::string expected = before_;
    for (std::uint64_t i = 0, steps = random.below(9); i < steps; ++i) {
      const std::uint64_t at = random.below(12000);
      if (random.below(3) == 0) {
        rewrite->resize(at);
        expected.resize(at);
      } else {
        const std::string text(random.below(3000), static_cast<char>('a' + i));
        put(*rewrite, at, text);
        if (expected.size() < at + text.size()) expected.resize(at + text.size());
        expected.replace(at, text.size(), text);
      }
      EXPECT_EQ(rewrite->size(), expected.size());
    }
    if (round % 3 == 0) {
      EXPECT_TRUE(rewrite->abandon());
      EXPECT_EQ(contents(), before_);
    } else {
      EXPECT_TRUE(rewrite->finish());
      EXPECT_EQ(contents(), expected) << round;
    }
    EXPECT_EQ(files(), 1u);
  }
}

// The copy is removed at once; changes in place end first, one way or the other.
TEST_P(EitherWay, SignalsLeaveAWholeFile) {
  for (const bool finishes : {false, true}) {
    std::ofstream(path_) << before_;
    const auto interrupted = [&] {
      signal(SIGTERM, Rewrite::on_signal);
      const auto rewrite = begun(manner());
      put(*rewrite, 3, "abc");
      raise(SIGTERM);
      if (finishes) (void)rewrite->finish();
      (void)rewrite->abandon();
      _exit(7);
    };
    EXPECT_EXIT(interrupted(), ::testing::KilledBySignal(SIGTERM), "");
    EXPECT_EQ(contents(), GetParam() && finishes ? "xxxabc" + before_.substr(6) : before_);
    EXPECT_EQ(files(), 1u);
  }
}

TEST_P(EitherWay, NothingIsRemovedAfterTheEnd) {
  const auto late = [&] {
    {
      const auto rewrite = begun(manner());
      put(*rewrite, 3, "abc");
      (void)rewrite->finish();
    }
    signal(SIGTERM, Rewrite::on_signal);
    Rewrite::on_failure();
    raise(SIGTERM);
    _exit(7);
  };
  EXPECT_EXIT(late(), ::testing::KilledBySignal(SIGTERM), "");
  EXPECT_EQ(contents(), "xxxabc" + before_.substr(6));
  EXPECT_EQ(files(), 1u);
}

TEST_P(EitherWay, FailedWriteIsReportedAtTheCommit) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 20000, .rlim_max = before.rlim_max};
  const auto rewrite = begun(manner());
  setrlimit(RLIMIT_FSIZE, &small);
  put(*rewrite, 0, "first");
  EXPECT_FALSE(rewrite->failed());
  put(*rewrite, 30000, "too far");
  EXPECT_TRUE(rewrite->failed());
  put(*rewrite, 1, "third");
  rewrite->resize(40000);
  EXPECT_EQ(rewrite->size(), 40000u);
  const auto done = rewrite->finish();
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().context, path_);
  EXPECT_EQ(done.error().cause, GetParam()
                                    ? "it could not be written (File too large); it is unchanged"
                                    : "a copy of it could not be written (File too large)");
  EXPECT_EQ(contents(), before_);
  EXPECT_EQ(files(), 1u);
}

TEST_P(EitherWay, ConcurrentChangesAreNotLost) {
  const auto rewrite = begun(manner());
  put(*rewrite, 0, "ours");
  fs::rename(path_, path_ + ".old");
  std::ofstream(path_) << "theirs";
  EXPECT_TRUE(rewrite->changed());
  const auto done = rewrite->finish();
  ASSERT_FALSE(done);
  EXPECT_TRUE(done.error().cause.starts_with("another program changed the file in the meantime"))
      << done.error().cause;
  EXPECT_EQ(contents(), "theirs");
  EXPECT_EQ(files(), 2u);
}

// Neither is one whose modification time was set back afterwards.
TEST_P(EitherWay, ConcurrentChangesInPlaceAreNotLost) {
  for (const bool set_back : {false, true}) {
    struct stat before{};
    ASSERT_EQ(stat(path_.c_str(), &before), 0);
    const auto rewrite = begun(manner());
    EXPECT_FALSE(rewrite->changed());
    std::fstream(path_, std::ios::in | std::ios::out) << "theirs";
    if (set_back) {
      const timespec times[] = {before.st_atim, before.st_mtim};
      ASSERT_EQ(utimensat(AT_FDCWD, path_.c_str(), times, 0), 0);
    }
    EXPECT_TRUE(rewrite->changed());
    if (GetParam()) continue;  // changes in place are written beside those of others
    put(*rewrite, 0, "ours");
    EXPECT_FALSE(rewrite->finish());
    EXPECT_TRUE(contents().starts_with("theirs"));
  }
}

TEST_P(EitherWay, LockOfAnotherProgramIsRespected) {
  const Descriptor other{open(path_.c_str(), O_RDONLY)};
  ASSERT_EQ(flock(other.get(), LOCK_EX), 0);
  EXPECT_EQ(refusal(manner()), "another program has it open");
  EXPECT_EQ(refusal({.in_place = GetParam(), .lock = false}), "none");
  ASSERT_EQ(flock(other.get(), LOCK_SH), 0);
  EXPECT_EQ(refusal(manner()), GetParam() ? "another program has it open" : "none");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Replacing, OneAfterAnother) {
  auto first = begun({});
  put(*first, 0, "first");
  bool waited = false;
  std::thread other([&] {
    auto second = begun({.waiting = [&] {
      waited = true;
      EXPECT_TRUE(first->finish());
      first.reset();
    }});
    put(*second, 5, "second");
    EXPECT_TRUE(second->finish());
  });
  other.join();
  EXPECT_TRUE(waited);
  EXPECT_EQ(contents().substr(0, 12), "firstsecondx");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Replacing, LeftoversOfAKilledProcess) {
  std::ofstream(folder_ / ".file.hepcheck") << "half of something";
  EXPECT_TRUE(begun({})->finish());
  EXPECT_EQ(contents(), before_);
  EXPECT_EQ(files(), 1u);
}

TEST_F(Replacing, OtherFilesAreNotTouched) {
  const fs::path in_the_way = folder_ / ".file.hepcheck";
  const auto refused = [&] {
    return refusal({}) ==
           ".file.hepcheck exists and was not left by an earlier run of this user; remove it if no "
           "program is using it";
  };
  fs::create_symlink(path_, in_the_way);
  EXPECT_TRUE(refused());
  fs::remove(in_the_way);
  fs::create_directory(in_the_way);
  EXPECT_TRUE(refused());
  fs::remove(in_the_way);
  std::ofstream(folder_ / "two names") << "something";
  fs::create_hard_link(folder_ / "two names", in_the_way);
  EXPECT_TRUE(refused());
  EXPECT_EQ(read_whole(folder_ / "two names"), "something");
}

TEST_F(Replacing, FilesThatCannotBeReplaced) {
  fs::create_hard_link(path_, folder_ / "other name");
  EXPECT_TRUE(refusal({}).starts_with("it has 2 names")) << refusal({});
  EXPECT_EQ(refusal({.in_place = true}), "none");
  EXPECT_EQ(files(), 2u);
}

TEST_F(Replacing, LinkStillLeadsToTheFile) {
  fs::create_directory(folder_ / "elsewhere");
  const std::string link = folder_ / "elsewhere" / "link";
  fs::create_symlink("../file", link);
  auto made = Rewrite::of(link, {});
  ASSERT_TRUE(made && (*made)->begin());
  put(**made, 0, "new");
  ASSERT_TRUE((*made)->finish());
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_TRUE(contents().starts_with("newx"));
}

TEST_F(Replacing, LongNameIsTruncatedBetweenCharacters) {
  std::string name(240, 'n');
  for (int i = 0; i < 5; ++i) name += "\u20ac";  // three bytes
  const std::string path = folder_ / name;
  std::ofstream(path) << "short";
  const auto made = Rewrite::of(path, {});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_TRUE(fs::exists(folder_ / ("." + std::string(240, 'n') + "\u20ac.hepcheck")));
  ASSERT_TRUE((*made)->begin() && (*made)->finish());
  EXPECT_EQ(read_whole(path), "short");
}

TEST_F(Replacing, ModeOwnerAndAttributesAreKept) {
  fs::permissions(path_, fs::perms::owner_all | fs::perms::others_read);
  const bool attributes = setxattr(path_.c_str(), "user.note", "kept", 4, 0) == 0;
  const bool owned = chown(path_.c_str(), 12345, 54321) == 0;
  struct stat before{}, after{};
  stat(path_.c_str(), &before);
  EXPECT_TRUE(begun({})->finish());
  stat(path_.c_str(), &after);
  EXPECT_NE(before.st_ino, after.st_ino);
  EXPECT_EQ(before.st_mode, after.st_mode);
  EXPECT_EQ(before.st_uid, after.st_uid);
  EXPECT_EQ(before.st_gid, after.st_gid);
  char note[8] = {};
  EXPECT_EQ(getxattr(path_.c_str(), "user.note", note, sizeof note), attributes ? 4 : -1);
  if (!attributes || !owned) GTEST_SKIP() << "no extended attributes here, or not root";
}

TEST_F(Replacing, CopyIsRemovedAtAFailure) {
  const auto failing = [&] {
    const auto rewrite = begun({});
    Rewrite::on_failure();
    _exit(7);
  };
  EXPECT_EXIT(failing(), ::testing::ExitedWithCode(7), "");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Replacing, FilesOfOtherKinds) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, (folder_ / "missing").string(), folder_.string()}) {
    const auto made = Rewrite::of(path, {});
    ASSERT_FALSE(made) << path;
    EXPECT_EQ(made.error().context, path);
  }
  EXPECT_EQ(files(), 2u);
}

// Changed where it is; what was written stays.
TEST_F(Replacing, PrivateFile) {
  const std::string_view tail = "tail";
  const auto rewrite = Rewrite::of_private(Descriptor{open(path_.c_str(), O_RDWR)}, "a copy");
  ASSERT_TRUE(rewrite);
  EXPECT_EQ((*rewrite)->size(), before_.size());
  EXPECT_FALSE((*rewrite)->changed());
  put(**rewrite, 0, "abc");
  EXPECT_TRUE(contents().starts_with("abcx"));
  put(**rewrite, 20000, tail);
  EXPECT_TRUE((*rewrite)->finish());
  EXPECT_EQ(contents().size(), 20004u);
  (*rewrite)->resize(5);
  EXPECT_TRUE((*rewrite)->finish());
  EXPECT_EQ(contents(), "abcxx");
  (*rewrite)->resize(7);
  EXPECT_TRUE((*rewrite)->finish());
  EXPECT_EQ(contents(), std::string("abcxx\0\0", 7));
  EXPECT_TRUE((*rewrite)->abandon());
  EXPECT_EQ(contents().size(), 7u);
}

TEST_F(Replacing, AttributesAreTheSame) {
  const auto set = [](const Descriptor& file, const char* name, std::string_view value) {
    return fsetxattr(file.get(), name, value.data(), value.size(), 0) == 0;
  };
  const auto all = [](const Descriptor& file) {
    std::map<std::string, std::string> found;
    char names[4096], value[4096];
    const ssize_t size = flistxattr(file.get(), names, sizeof names);
    for (ssize_t at = 0; at < size; at += static_cast<ssize_t>(std::strlen(names + at)) + 1) {
      const ssize_t length = fgetxattr(file.get(), names + at, value, sizeof value);
      found[names + at] =
          std::string(value, static_cast<std::size_t>(std::max<ssize_t>(0, length)));
    }
    return found;
  };
  const Descriptor from{open(path_.c_str(), O_RDWR)};
  const Descriptor to{open((folder_ / "copy").c_str(), O_RDWR | O_CREAT, 0600)};
  if (!set(from, "user.first", "one")) GTEST_SKIP() << "no extended attributes here";
  ASSERT_TRUE(set(from, "user.second", "") && set(from, "user.third", std::string(300, 't')));
  ASSERT_TRUE(set(from, "user.same", "same") && set(to, "user.same", "same"));
  ASSERT_TRUE(set(to, "user.first", "another") && set(to, "user.none", "too many"));
  std::string what;
  EXPECT_TRUE(copy_metadata(from.get(), to.get(), what)) << what;
  EXPECT_EQ(all(to), all(from));
  EXPECT_EQ(all(from).size(), 4u);
}

// A file of any pieces and holes.
TEST_F(Replacing, PiecesAndHolesAreCopied) {
  Random random(2913);
  for (int round = 0; round < 20; ++round) {
    const std::string sparse = folder_ / "sparse", copy = folder_ / "copy";
    const Descriptor from{open(sparse.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600)};
    const Descriptor to{open(copy.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600)};
    for (std::uint64_t i = 0, pieces = random.below(4); i < pieces; ++i) {
      const std::string text(1 + random.below(20000), static_cast<char>('a' + i));
      ASSERT_TRUE(write_bytes(from.get(), std::as_bytes(std::span(text)), random.below(1 << 18)));
    }
    if (random.once_in(2)) {
      ASSERT_EQ(ftruncate(from.get(), 1 << 18), 0);
    }
    const std::string all = read_whole(sparse).value();
    ASSERT_TRUE(copy_bytes(from.get(), to.get(), all.size()));
    EXPECT_EQ(read_whole(copy), all);
    ASSERT_TRUE(copy_bytes(from.get(), to.get(), all.size() / 2));
    EXPECT_EQ(read_whole(copy), all.substr(0, all.size() / 2));
  }
}

TEST_F(Replacing, HolesArePreserved) {
  const std::string sparse = folder_ / "sparse", copy = folder_ / "copy";
  const Descriptor from{open(sparse.c_str(), O_RDWR | O_CREAT, 0600)};
  const Descriptor to{open(copy.c_str(), O_RDWR | O_CREAT, 0600)};
  constexpr std::uint64_t kFar = std::uint64_t{1} << 26;
  const std::string_view text = "text";
  ASSERT_TRUE(write_bytes(from.get(), std::as_bytes(std::span(text)), kFar));
  ASSERT_EQ(ftruncate(from.get(), kFar * 2), 0);
  ASSERT_TRUE(copy_bytes(from.get(), to.get(), kFar * 2));
  EXPECT_EQ(fs::file_size(copy), kFar * 2);
  char read[6] = {};
  ASSERT_EQ(pread(to.get(), read, 5, kFar), 5);
  EXPECT_STREQ(read, "text");
  struct stat original{}, copied{};
  fstat(from.get(), &original);
  fstat(to.get(), &copied);
  EXPECT_LE(copied.st_blocks, original.st_blocks + 256);
}

}  // namespace

}  // namespace hepcheck
