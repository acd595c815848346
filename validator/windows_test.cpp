#include "validator/windows.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "validator/descriptor.h"

namespace hepcheck {

namespace {

// 10,000 bytes, each the low byte of its position.
class WindowsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "hepcheck-windows-XXXXXX";
    descriptor_ = Descriptor{mkstemp(name.data())};
    unlink(name.c_str());
    std::vector<unsigned char> bytes(kSize);
    for (std::size_t i = 0; i < kSize; ++i) bytes[i] = static_cast<unsigned char>(i);
    ASSERT_EQ(write(descriptor_.get(), bytes.data(), kSize), static_cast<ssize_t>(kSize));
    file_ = Bytes::of_descriptor(descriptor_.get(), "bytes");
  }

  static constexpr std::size_t kSize = 10'000;
  Descriptor descriptor_{};
  Bytes file_ = Bytes::of_image({}, "");
};

TEST_F(WindowsTest, ReadsTheBytesOfEachPosition) {
  Windows windows(file_);
  std::array<std::byte, 16> bytes{};
  for (const std::uint64_t at : {0u, 4090u, 16u, 9984u, 8u, 5000u, 9980u}) {
    ASSERT_TRUE(windows.read(at, bytes)) << at;
    for (std::size_t i = 0; i < bytes.size(); ++i)
      EXPECT_EQ(bytes[i], static_cast<std::byte>(at + i)) << at;
  }
}

// Forwards, backwards, and back and forth, in steps that cross the borders of windows.
TEST_F(WindowsTest, ReadsInAnyOrder) {
  std::array<std::byte, 100> bytes{};
  constexpr std::uint64_t kLast = kSize - bytes.size();
  for (const std::uint64_t step : {1u, 99u, 700u, 4095u, 4096u, 4097u, 8191u}) {
    Windows windows(file_);
    for (std::uint64_t at = 0, k = 0; k < 3 * kSize / step; ++k, at = (at + step) % kLast)
      for (const std::uint64_t place : {at, kLast - at}) {
        ASSERT_TRUE(windows.read(place, bytes)) << place;
        for (std::size_t i = 0; i < bytes.size(); i += 33)
          ASSERT_EQ(bytes[i], static_cast<std::byte>(place + i)) << place;
      }
  }
}

TEST_F(WindowsTest, RefusesWhatLiesBehindTheEnd) {
  Windows windows(file_);
  std::array<std::byte, 16> bytes{};
  EXPECT_FALSE(windows.read(kSize - 15, bytes));
  EXPECT_FALSE(windows.read(kSize, bytes));
  EXPECT_FALSE(windows.read(kSize + 1, bytes));
  EXPECT_FALSE(windows.read(~std::uint64_t{0}, bytes));
  EXPECT_TRUE(windows.read(kSize, std::span(bytes).first(0)));
}

}  // namespace

}  // namespace hepcheck
