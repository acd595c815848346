#include "validator/incoming.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <vector>

#include "validator/bytes.h"
#include "validator/descriptor.h"
#include "validator/read_failure.h"
#include "validator/testing/incoming.h"
#include "validator/testing/memory_file.h"

namespace hepcheck {
namespace {

using namespace hepcheck::testing;

std::string held(const Incoming& incoming, std::uint64_t offset, std::uint64_t size) {
  const std::span<const std::byte> bytes = incoming.held(offset, size);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(Incoming, ReadsOnlyRequestedBytes) {
  const Descriptor file = memory_file(counted(100));
  Incoming incoming(file.get(), 1 << 20);
  EXPECT_TRUE(incoming.reach(0));
  EXPECT_EQ(incoming.size(), Incoming::kWithoutEnd);
  EXPECT_EQ(lseek(file.get(), 0, SEEK_CUR), 0);
}

// A worker gets what it reads from.
TEST(Incoming, ItsFileIsTheOneOfTheBytes) {
  const Descriptor file = memory_file(counted(100));
  Incoming incoming(file.get(), 1 << 20);
  EXPECT_EQ(Bytes::of_incoming(incoming, "-").descriptor(), file.get());
  EXPECT_LT(Bytes::of_image({}, "image").descriptor(), 0);
}

// The error is that of the first read that fails; the end of the input is none.
TEST(Incoming, AReadThatFailsIsRecorded) {
  forget_read_failures();
  const Descriptor file = memory_file(counted(100));
  Incoming whole(file.get(), 1 << 20);
  EXPECT_FALSE(whole.reach(101));
  EXPECT_EQ(read_failure(), std::nullopt);
  const Descriptor directory{open("/", O_RDONLY | O_DIRECTORY)};
  Incoming incoming(directory.get(), 1 << 20);
  EXPECT_FALSE(incoming.reach(1));
  EXPECT_EQ(read_failure(), "a read failed: Is a directory");
  record_read_failure(0);
  EXPECT_EQ(read_failure(), "a read failed: Is a directory");
  forget_read_failures();
  record_read_failure(0);
  EXPECT_EQ(read_failure(), "the file has become shorter");
  forget_read_failures();
  EXPECT_EQ(read_failure(), std::nullopt);
}

// A pipe whose other end stays open.
TEST(Incoming, WaitsUntilTheDeadline) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const Descriptor from{ends[0]}, to{ends[1]};
  ASSERT_EQ(write(to.get(), "abc", 3), 3);
  Incoming incoming(from.get(), 1 << 20);
  incoming.wait_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(50));
  EXPECT_TRUE(incoming.reach(3));
  EXPECT_FALSE(incoming.late());
  EXPECT_FALSE(incoming.reach(4));
  EXPECT_TRUE(incoming.late());
  EXPECT_EQ(incoming.size(), 3u);
}

TEST(Incoming, BytesInTimeAreNotLate) {
  const Descriptor file = memory_file(counted(100));
  Incoming incoming(file.get(), 1 << 20);
  incoming.wait_until(std::chrono::steady_clock::now());
  EXPECT_FALSE(incoming.reach(101));
  EXPECT_FALSE(incoming.late());
  EXPECT_EQ(incoming.size(), 100u);
}

TEST(Incoming, HoldsRequestedParts) {
  const std::string bytes = counted(100);
  const Descriptor file = memory_file(bytes);
  Incoming incoming(file.get(), 1 << 20);
  EXPECT_TRUE(incoming.reach(100));
  EXPECT_EQ(incoming.size(), Incoming::kWithoutEnd);
  EXPECT_FALSE(incoming.reach(101));
  EXPECT_EQ(incoming.size(), 100u);
  EXPECT_EQ(held(incoming, 0, 100), bytes);
  EXPECT_EQ(held(incoming, 0, 101), "");
  incoming.let_go(40);
  EXPECT_EQ(held(incoming, 40, 60), bytes.substr(40));
  EXPECT_EQ(held(incoming, 40, 61), "");
  EXPECT_EQ(held(incoming, 99, 1), bytes.substr(99));
  for (const std::uint64_t offset : {0, 39, 101, 140, 1000}) {
    EXPECT_EQ(incoming.held(offset, 0).data(), nullptr) << offset;
    EXPECT_EQ(held(incoming, offset, 1), "") << offset;
  }
  EXPECT_NE(incoming.held(100, 0).data(), nullptr);
  incoming.let_go(20);  // already released
  EXPECT_EQ(held(incoming, 40, 60), bytes.substr(40));
}

TEST(Incoming, ReadsPartsInSequence) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  const Descriptor from{pipe[0]};
  Descriptor to{pipe[1]};
  const std::string bytes = counted(30);
  Incoming incoming(from.get(), 1 << 20);
  for (std::size_t at = 0; at < 30; at += 10) {
    ASSERT_EQ(write(to.get(), bytes.data() + at, 10), 10);
    EXPECT_TRUE(incoming.reach(at + 10));
    EXPECT_EQ(held(incoming, 0, at + 10), bytes.substr(0, at + 10));
  }
  to = Descriptor();
  EXPECT_FALSE(incoming.reach(31));
  EXPECT_EQ(incoming.size(), 30u);
}

TEST(Incoming, BufferGrowsToTheMaximum) {
  const std::string bytes = counted(5 * kStep);
  const Descriptor file = memory_file(bytes);
  Incoming incoming(file.get(), 4 * kStep);
  EXPECT_TRUE(incoming.reach(4 * kStep));
  EXPECT_EQ(held(incoming, 0, 4 * kStep), bytes.substr(0, 4 * kStep));
  // Bytes that do not fit are discarded, with all bytes after them until the hole is released.
  EXPECT_TRUE(incoming.reach(4 * kStep + 100));
  EXPECT_EQ(held(incoming, 0, 4 * kStep), bytes.substr(0, 4 * kStep));
  EXPECT_EQ(held(incoming, 4 * kStep, 100), "");
  incoming.let_go(4 * kStep + 100);
  EXPECT_TRUE(incoming.reach(5 * kStep));
  EXPECT_EQ(held(incoming, 4 * kStep + 100, kStep - 100), bytes.substr(4 * kStep + 100));
  EXPECT_FALSE(incoming.reach(5 * kStep + 1));
  EXPECT_EQ(incoming.size(), 5 * kStep);
}

}  // namespace
}  // namespace hepcheck
