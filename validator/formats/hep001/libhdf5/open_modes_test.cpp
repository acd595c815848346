// What the library of this machine does when two processes open a file, and when a file grows.
#include "validator/formats/hep001/libhdf5/open_modes.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace hepcheck::hep001::libhdf5 {
namespace {

// A folder that is removed with everything in it.
class Folder {
 public:
  Folder() {
    std::string made = ::testing::TempDir() + "modes-XXXXXX";
    EXPECT_NE(mkdtemp(made.data()), nullptr);
    path_ = made;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string path() const { return path_; }

 private:
  std::string path_;
};

bool reads(OpenMode mode) { return mode == OpenMode::kRead || mode == OpenMode::kSwmrRead; }

// A writer is alone, except that SWMR readers may follow a SWMR writer. Without locks, the mark of
// an open file keeps others out in the same way, but readers do not set it.
TEST(OpenModes, AdmitThoseThatMayFollow) {
  if (std::getenv("HDF5_USE_FILE_LOCKING")) GTEST_SKIP() << "the library obeys this variable";
  const Folder folder;
  for (const bool locking : {true, false}) {
    const auto attempts = try_openings(folder.path(), locking);
    ASSERT_TRUE(attempts) << attempts.error().text();
    ASSERT_EQ(attempts->size(), 16u);
    std::size_t number = 0;
    for (const OpenMode held : kOpenModes)
      for (const OpenMode tried : kOpenModes) {
        const OpenAttempt& each = (*attempts)[number++];
        const std::string pair = std::string(to_string(held)) + ", then " +
                                 std::string(to_string(tried)) + (locking ? "" : " without locks");
        EXPECT_EQ(each.held, held);
        EXPECT_EQ(each.tried, tried);
        const bool follows = held == OpenMode::kSwmrWrite && tried == OpenMode::kSwmrRead;
        EXPECT_EQ(each.opened, follows || (reads(held) && (reads(tried) || !locking))) << pair;
        EXPECT_EQ(each.message.empty(), each.opened) << pair;
        // A writer marks the file.
        EXPECT_EQ(each.changed, each.opened && !reads(tried)) << pair;
      }
  }
}

TEST(OpenModes, AppendsAreFollowed) {
  const Folder folder;
  const auto appends = try_appends(folder.path());
  ASSERT_TRUE(appends) << appends.error().text();
  EXPECT_GT(appends->plain_seconds, 0);
  EXPECT_LT(appends->plain_seconds, 5);
  EXPECT_GT(appends->swmr_seconds, 0);
  EXPECT_LT(appends->swmr_seconds, 5);
  EXPECT_TRUE(appends->followed);
  EXPECT_TRUE(appends->unchecksummed_refused);
  EXPECT_FALSE(appends->refusal.empty());
  EXPECT_FALSE(appends->refusal.starts_with("-"));
}

TEST(OpenModes, AFolderThatDoesNotExistIsAnError) {
  const std::string nowhere = ::testing::TempDir() + "no such folder";
  const auto openings = try_openings(nowhere, true);
  ASSERT_FALSE(openings);
  EXPECT_EQ(openings.error().context, nowhere + "/modes.h5");
  const auto appends = try_appends(nowhere);
  ASSERT_FALSE(appends);
  EXPECT_EQ(appends.error().context, nowhere + "/appends.h5");
}

}  // namespace
}  // namespace hepcheck::hep001::libhdf5
