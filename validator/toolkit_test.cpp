// The common tools of the formats: integers, budgets, reused memory, windows, maps of bytes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <format>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "validator/budget.h"
#include "validator/integers.h"
#include "validator/read_whole.h"
#include "validator/report.h"
#include "validator/slab.h"
#include "validator/windows.h"

namespace hepcheck {
namespace {

constexpr std::uint64_t kHuge = kLargestNumber;

// Everything up to the limit, or nothing: not what a file has that is missing, or none.
TEST(ReadWhole, FilesUpToTheLimit) {
  const std::string folder = testing::TempDir(),
                    path = folder + std::format("read_whole_{}", getpid());
  EXPECT_EQ(read_whole(path), std::nullopt);
  EXPECT_EQ(read_whole(folder), std::nullopt);
  EXPECT_EQ(read_whole(path + "/x"), std::nullopt);
  // Some are as long as the parts in which they are read.
  for (const std::size_t size : {0, 1, 65'535, 65'536, 65'537, 131'072, 200'000}) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(i * 7 % 251);
    std::ofstream(path, std::ios::binary) << text;
    EXPECT_EQ(read_whole(path), text) << size;
    EXPECT_EQ(read_whole(path, size), text) << size;
    EXPECT_EQ(read_whole(path, size + 1), text) << size;
    if (size > 0) {
      EXPECT_EQ(read_whole(path, size - 1), std::nullopt) << size;
    }
  }
  std::remove(path.c_str());
}

TEST(Integers, SumsAndProductsStopAtTheLargestNumber) {
  EXPECT_EQ(sum(2, 3), 5U);
  EXPECT_EQ(sum(kHuge - 1, 1), kHuge);
  EXPECT_EQ(sum(kHuge, 1), kHuge);
  EXPECT_EQ(product(3, 4), 12U);
  EXPECT_EQ(product(kHuge, 0), 0U);
  EXPECT_EQ(product(std::uint64_t{1} << 32, (std::uint64_t{1} << 32) - 1),
            kHuge - (std::uint64_t{1} << 32) + 1);
  EXPECT_EQ(product(std::uint64_t{1} << 32, std::uint64_t{1} << 32), kHuge);
}

TEST(Integers, CheckedProductsAreEmptyOnOverflow) {
  EXPECT_EQ(checked_product({}), 1U);
  EXPECT_EQ(checked_product(std::array<std::uint64_t, 3>{2, 3, 4}, 5), 120U);
  EXPECT_EQ(checked_product(std::array<std::uint64_t, 2>{0, kHuge}, kHuge), 0U);
  EXPECT_EQ(checked_product(std::array<std::uint64_t, 2>{kHuge, 0}, 2), std::nullopt);
}

TEST(Integers, AreRoundedUp) {
  EXPECT_EQ(divided_up(0, 8), 0U);
  EXPECT_EQ(divided_up(8, 8), 1U);
  EXPECT_EQ(divided_up(9, 8), 2U);
  EXPECT_EQ(divided_up(kHuge, 2), std::uint64_t{1} << 63);
  EXPECT_EQ(rounded_up(9, 8), 16U);
  EXPECT_EQ(rounded_up(kHuge, 8), kHuge);
}

TEST(Integers, BytesNeededForANumber) {
  EXPECT_EQ(bytes_for(0), 1U);
  EXPECT_EQ(bytes_for(255), 1U);
  EXPECT_EQ(bytes_for(256), 2U);
  EXPECT_EQ(bytes_for(kHuge), 8U);
}

TEST(Integers, AreLoadedInEitherOrder) {
  const std::byte bytes[] = {std::byte{9}, std::byte{1}, std::byte{2}};
  EXPECT_EQ(load<std::uint16_t>(bytes + 1), 0x0201);
  EXPECT_EQ(load<std::uint16_t>(bytes + 1, std::endian::big), 0x0102);
  EXPECT_EQ(load<std::uint8_t>(bytes, std::endian::big), 9);
}

TEST(Budgets, AreTakenWholeOrNotAtAll) {
  Budget budget(10);
  EXPECT_TRUE(budget.take(7));
  EXPECT_FALSE(budget.take(4));
  EXPECT_EQ(budget.left(), 3U);
  EXPECT_TRUE(budget.take(3));
  EXPECT_TRUE(budget.take(0));
  EXPECT_FALSE(budget.take(1));
}

TEST(Budgets, AreSpentToTheEnd) {
  Budget budget(10);
  EXPECT_TRUE(budget.spend(10));
  budget.add(5);
  EXPECT_FALSE(budget.spend(6));
  EXPECT_EQ(budget.left(), 0U);
}

TEST(Budgets, GrowUpToALimit) {
  Budget budget(10);
  budget.add(5, 12);
  EXPECT_EQ(budget.left(), 12U);
  budget.add(kHuge);
  EXPECT_EQ(budget.left(), kHuge);
}

TEST(Budgets, ThreadsNeverTakeMoreThanTheBudget) {
  Budget budget(1000);
  std::atomic<int> taken = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 500; ++j)
        if (budget.take(1)) ++taken;
    });
  threads.clear();
  EXPECT_EQ(taken, 1000);
  EXPECT_EQ(budget.left(), 0U);
}

TEST(Slabs, KeepTheirMemory) {
  Slab slab;
  const std::span<std::byte> first = slab.take(100);
  EXPECT_EQ(first.size(), 100U);
  EXPECT_EQ(slab.take(40).data(), first.data());
  EXPECT_EQ(slab.capacity(), 100U);
  slab.take(3)[2] = std::byte{7};
  EXPECT_EQ(slab.extend(5000, 3)[2], std::byte{7});
  EXPECT_EQ(slab.capacity(), 5000U);
  EXPECT_EQ(slab.first(3)[2], std::byte{7});
}

TEST(Slabs, SpareOnesBeyondTheLimitAreFreed) {
  SpareSlabs spare(100);
  Slabs slabs;
  for (const std::uint64_t size : {60, 60, 30}) {
    slabs.push_back(std::make_unique<Slab>());
    slabs.back()->take(size);
  }
  spare.give_back(std::move(slabs));
  const Slabs kept = spare.take();
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0]->capacity(), 60U);
  EXPECT_TRUE(spare.take().empty());
}

TEST(LargeBlocks, HoldTheirBytes) {
  for (const std::uint64_t size : {0, 1, 5'000'000}) {
    const LargeBlock block(size);
    ASSERT_NE(block.get(), nullptr);
    if (size > 0) block.get()[size - 1] = std::byte{1};
  }
}

// The same bytes are read from a file and from its image, at any position.
TEST(FileWindows, ReadTheContents) {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += std::to_string(i);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  ASSERT_TRUE(file);
  ASSERT_EQ(write(fileno(file.get()), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  const Bytes opened = Bytes::of_descriptor(fileno(file.get()), "file");
  const Bytes image = Bytes::of_image(std::as_bytes(std::span(text)), "image");
  Windows one(opened), two(image);
  std::uint64_t at = 1;
  for (int i = 0; i < 2000; ++i) {
    at = i % 7 == 0 ? at * 48'271 % 2'147'483'647 : at + 40;
    const std::uint64_t offset = at % (text.size() + 50), size = at % 61;
    std::string a(size, '?'), b(size, '!');
    const bool there = offset <= text.size() && size <= text.size() - offset;
    ASSERT_EQ(one.read(offset, std::as_writable_bytes(std::span(a))), there) << offset;
    ASSERT_EQ(two.read(offset, std::as_writable_bytes(std::span(b))), there) << offset;
    if (there) {
      ASSERT_EQ(a, text.substr(offset, size));
      ASSERT_EQ(b, a);
    }
  }
  std::string beyond(2, ' ');
  EXPECT_FALSE(one.read(kHuge, std::as_writable_bytes(std::span(beyond))));
}

TEST(ByteMaps, CountEachKindPerCell) {
  ByteMap map = ByteMap::of(1000, {"a", "b"});  // cells of 4 bytes
  ASSERT_EQ(map.bytes.size(), 500U);
  map.add(2, 7, 1);
  EXPECT_EQ(map.bytes[1], 2U);
  EXPECT_EQ(map.bytes[3], 4U);
  EXPECT_EQ(map.bytes[5], 1U);
  EXPECT_EQ(map.bytes[0], 0U);
  map.add(996, kHuge, 0);
  EXPECT_EQ(map.bytes[498], 4U);
  map.add(5000, 1, 0);
  std::uint64_t all = 0;
  for (const std::uint64_t bytes : map.bytes) all += bytes;
  EXPECT_EQ(all, 11U);
  ByteMap none = ByteMap::of(0, {"a"});
  none.add(0, 10, 0);
  EXPECT_TRUE(none.bytes.empty());
}

}  // namespace
}  // namespace hepcheck
