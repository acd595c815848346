#include "validator/members.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <format>
#include <fstream>

namespace hepcheck {

namespace {

namespace fs = std::filesystem;

class MembersOf : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / std::format("hepcheck-members-{}", getpid());
    fs::create_directories(folder_ / "b/c");
    write("b/c/d", "deep");
    write("a", "four");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  Result<Members> open(const Limits& limits = {}) {
    return Members::open(folder_.string(), limits);
  }
  std::string error(const Limits& limits) {
    const Result<Members> members = open(limits);
    return members ? "" : members.error().cause;
  }

  fs::path folder_;
};

TEST_F(MembersOf, AreListedByName) {
  fs::create_symlink("a", folder_ / "link");
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  const Result<Members> members = open();
  ASSERT_TRUE(members) << members.error().text();
  std::string listed;
  for (const Member& each : members->all())
    listed += each.name + ": " + std::string(to_string(each.kind)) + "\n";
  EXPECT_EQ(listed,
            "a: a file\nb: a directory\nb/c: a directory\nb/c/d: a file\nlink: a symbolic link\n"
            "pipe: a named pipe\n");
  EXPECT_EQ(members->descriptors().size(), 2U);
  EXPECT_EQ(members->find("b/c/e"), nullptr);
  EXPECT_EQ(members->find("link")->bytes.size(), 0U);
  std::array<std::byte, 4> bytes{};
  ASSERT_TRUE(members->find("b/c/d")->bytes.read(0, bytes));
  EXPECT_EQ(static_cast<char>(bytes[3]), 'p');
}

TEST_F(MembersOf, StayWithinTheLimits) {
  EXPECT_EQ(error({.members = 4}), "");
  EXPECT_EQ(error({.members = 3}), "more members than the limit of 3 members");
  EXPECT_EQ(error({.member_depth = 2}), "");
  EXPECT_NE(error({.member_depth = 1}), "");
  EXPECT_EQ(error({.member_name = 5}), "");
  EXPECT_NE(error({.member_name = 4}), "");
  EXPECT_EQ(error({.member_bytes = 8}), "");
  EXPECT_NE(error({.member_bytes = 7}), "");
}

// Of several files and directories beside each other, each limit is met exactly.
TEST_F(MembersOf, AreCountedTogether) {
  fs::create_directories(folder_ / "b/c/e/f");
  fs::create_directories(folder_ / ".hidden");
  write(".hidden/.x", "1");
  write(".y", "22");
  write("b/z", "333");
  write("b/c/e/f/g", "4444");
  write("b/c/e/empty", "");
  const Result<Members> members = open();
  ASSERT_TRUE(members) << members.error().text();
  std::uint64_t bytes = 0, name = 0, depth = 0;
  std::string listed;
  for (const Member& each : members->all()) {
    bytes += each.bytes.size();
    name = std::max<std::uint64_t>(name, each.name.size());
    depth = std::max<std::uint64_t>(depth,
                                    static_cast<std::uint64_t>(std::ranges::count(each.name, '/')));
    listed += each.name + ' ';
  }
  EXPECT_EQ(listed, ".hidden .hidden/.x .y a b b/c b/c/d b/c/e b/c/e/empty b/c/e/f b/c/e/f/g b/z ");
  EXPECT_EQ(bytes, 18U);
  for (const std::uint64_t less : {0, 1}) {
    const auto holds = [&](const Limits& limits) { return error(limits).empty() == (less == 0); };
    EXPECT_TRUE(holds({.members = members->all().size() - less}));
    EXPECT_TRUE(holds({.member_depth = depth - less}));
    EXPECT_TRUE(holds({.member_name = name - less}));
    EXPECT_TRUE(holds({.member_bytes = bytes - less}));
  }
}

// Lowers the number of files that this process may open, up to which it may raise it again.
class FewFiles {
 public:
  FewFiles() {
    getrlimit(RLIMIT_NOFILE, &before_);
    // The directories need three descriptors, the files two.
    const int next = dup(STDIN_FILENO);
    close(next);
    const rlimit few{static_cast<rlim_t>(next) + 4, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
  }
  FewFiles(const FewFiles&) = delete;
  FewFiles& operator=(const FewFiles&) = delete;
  ~FewFiles() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

TEST_F(MembersOf, MoreFilesAreOpenedThanTheDefaultLimitAllows) {
  for (int i = 0; i < 10; ++i) write(std::format("e{}", i), "x");
  const FewFiles few;
  const Result<Members> members = open();
  ASSERT_TRUE(members) << members.error().text();
  EXPECT_EQ(members->descriptors().size(), 12U);
}

TEST_F(MembersOf, FilesThatCannotBeOpenedAreNamed) {
  write("closed", "x");
  fs::permissions(folder_ / "closed", fs::perms::none);
  if (access((folder_ / "closed").c_str(), R_OK) == 0)
    GTEST_SKIP() << "this user may read every file";
  const Result<Members> members = open();
  ASSERT_TRUE(members) << members.error().text();
  ASSERT_TRUE(members->find("closed")->error);
  EXPECT_EQ(members->find("closed")->error->cause, "it cannot be read");
}

TEST_F(MembersOf, ChangedMembersAreNamed) {
  const Result<Members> members = open();
  ASSERT_TRUE(members);
  EXPECT_TRUE(members->changed().empty());
  write("a", "longer");
  EXPECT_EQ(members->changed(), std::vector<std::string>{"a"});
  // Truncated members cannot be read any more.
  fs::resize_file(folder_ / "b/c/d", 1);
  std::array<std::byte, 4> bytes{};
  EXPECT_FALSE(members->find("b/c/d")->bytes.read(0, bytes));
  EXPECT_EQ(members->changed(), (std::vector<std::string>{"a", "b/c/d"}));
}

TEST_F(MembersOf, CanBeProbedWithoutALink) {
  fs::create_directory_symlink("b", folder_ / "link");
  const DirectoryProbe probe(folder_.string());
  ASSERT_TRUE(probe);
  EXPECT_TRUE(probe.has_file("a"));
  EXPECT_FALSE(probe.has_directory("a"));
  EXPECT_TRUE(probe.has_directory("b/c"));
  EXPECT_TRUE(probe.has_file("b/c/d"));
  EXPECT_FALSE(probe.has_file("link/c/d"));
  EXPECT_FALSE(probe.has_directory("link"));
  EXPECT_EQ(probe.begin("b/c/d", 2).size(), 2U);
  EXPECT_EQ(probe.begin("b/c/d", 4).size(), 4U);
  EXPECT_EQ(probe.begin("b/c/d", 5).size(), 4U);
  write("long", std::string(5'000, 'l'));
  EXPECT_EQ(probe.begin("long", 4'095).size(), 4'095U);
  EXPECT_EQ(probe.begin("long", 5'000).size(), 4'096U);
  EXPECT_TRUE(probe.begin("link/c/d", 2).empty());
  EXPECT_TRUE(probe.begin("b", 2).empty());
  EXPECT_FALSE(DirectoryProbe((folder_ / "a").string()));
}

}  // namespace

}  // namespace hepcheck
