// Packing moves structures of every size, with gaps of every size between them: values of one byte
// to several MiB, and blocks with many addresses and one checksum. What each dataset holds is the
// same afterwards, and no gap stays that could be closed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/chunk_list.h"
#include "validator/formats/hdf5/repair/repair_container.h"
#include "validator/formats/hdf5/testing/bytes.h"
#include "validator/formats/hdf5/testing/lists.h"
#include "validator/formats/hdf5/testing/map_of.h"
#include "validator/formats/hdf5/testing/private_copy.h"
#include "validator/testing/random.h"

namespace hepcheck::hdf5::packed_sizes {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20, kRootBytes = 1'024;

// Letters of which pieces differ.
std::string letters(Random& random, std::uint64_t size) {
  std::string made(size, '\0');
  std::uint64_t state = random.below(1'000);
  for (char& each : made) {
    state = state * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    each = static_cast<char>(state >> 56);
  }
  return made;
}

class Made {
 public:
  explicit Made(Random& random)
      : random_(random), image_(testing::kSuperblockBytes + kRootBytes, '\0') {}

  // Appends bytes after a gap, and tells where.
  std::uint64_t put(const std::string& bytes) {
    const std::uint64_t gap = random_.once_in(3) ? 0 : random_.below(60);
    image_.resize(image_.size() + gap, '\xee');
    image_ += bytes;
    return image_.size() - bytes.size();
  }
  void dataset(const std::string& name, std::uint64_t size, const std::string& layout) {
    const std::uint64_t at = put(testing::header(
        testing::message(
            1, number(2, 1) + number(1, 1) + number(0, 1) + number(1, 1) + number(size, 8)) +
        testing::message(3, testing::byte_type()) +
        testing::message(5, number(3, 1) + number(10, 1)) + testing::message(8, layout)));
    links_ += testing::link_to(name, at);
  }
  std::string file() {
    const std::string root = testing::header(testing::link_info() + links_);
    EXPECT_LE(root.size(), kRootBytes);
    image_.replace(0, testing::kSuperblockBytes,
                   testing::superblock(0, kUndefined, image_.size(), testing::kSuperblockBytes));
    image_.replace(testing::kSuperblockBytes, root.size(), root);
    return image_;
  }

 private:
  Random& random_;
  std::string image_, links_{};
};

std::string packed(const std::string& image, RepairedSubject& made) {
  const auto copy = testing::copy_of("");
  made = pack_container(Bytes::of_image(std::as_bytes(std::span(image)), "image"), *copy, Limits());
  return testing::bytes_of(*copy);
}

// The largest gap in front of a structure whose address has to keep its remainder.
std::uint64_t largest_gap(const FileMap& map) {
  std::uint64_t largest = 0;
  for (const FileMap::Gap& each : map.gaps()) largest = std::max(largest, each.size);
  return largest;
}

TEST(PackedSizes, OfContiguousValues) {
  constexpr std::uint64_t kSizes[] = {1,        7,        4'096,        65'535,
                                      65'536,   65'537,   kMiB - 1,     kMiB,
                                      kMiB + 1, 2 * kMiB, 2 * kMiB + 3, 3 * kMiB + 5};
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    Random random(seed);
    Made made(random);
    std::vector<std::string> contents;
    for (int i = 0; i < 10; ++i) {
      contents.push_back(letters(random, random.one_of(kSizes)));
      const std::uint64_t size = contents.back().size(), at = made.put(contents.back());
      made.dataset(std::format("d{}", i), size,
                   number(3, 1) + number(1, 1) + number(at, 8) + number(size, 8));
    }
    RepairedSubject done;
    const std::string image = packed(made.file(), done);
    ASSERT_EQ(done.changes.size(), 1u) << seed;
    const FileMap map = testing::map_of(Bytes::of_image(std::as_bytes(std::span(image)), "packed"));
    EXPECT_TRUE(map.trouble.empty());
    EXPECT_LT(largest_gap(map), 8u);
    std::map<std::string, std::string> found;
    for (const FileRange& each : map.ranges)
      if (each.kind == FileMap::kRaw)
        found[map.objects[each.object]] += image.substr(each.address, each.size);
    ASSERT_EQ(found.size(), contents.size());
    for (std::size_t i = 0; i < contents.size(); ++i)
      EXPECT_TRUE(found[std::format("/d{}", i)] == contents[i]) << seed << ' ' << i;
  }
}

// Chunks of one byte, in a fixed array that is one block.
TEST(PackedSizes, OfBlocksOfAddresses) {
  for (const std::uint64_t count : {100, 8'190, 8'192, 20'000}) {
    Random random(count);
    Made made(random);
    const std::string content = letters(random, count);
    const std::string client = number(0, 1) + number(0, 1);
    std::string records;
    for (std::uint64_t begin = 0; begin < count;) {
      const std::uint64_t some = std::min(1 + random.below(200), count - begin);
      const std::uint64_t at = made.put(content.substr(begin, some));
      for (std::uint64_t i = 0; i < some; ++i) records += number(at + i, 8);
      begin += some;
    }
    // Each contains the address of the other.
    const std::string unknown = testing::summed("FAHD" + client + number(8, 1) + number(20, 1) +
                                                number(count, 8) + number(0, 8));
    const std::uint64_t head = made.put(unknown);
    const std::uint64_t block =
        made.put(testing::summed("FADB" + client + number(head, 8) + records));
    made.dataset("d", count,
                 number(4, 1) + number(2, 1) + number(0, 1) + number(2, 1) + number(1, 1) +
                     number(1, 1) + number(1, 1) + number(3, 1) + number(20, 1) + number(head, 8));
    std::string before = made.file();
    before.replace(head, unknown.size(),
                   testing::summed("FAHD" + client + number(8, 1) + number(20, 1) +
                                   number(count, 8) + number(block, 8)));
    RepairedSubject done;
    const std::string image = packed(before, done);
    ASSERT_EQ(done.changes.size(), 1u) << count;
    const Bytes bytes = Bytes::of_image(std::as_bytes(std::span(image)), "packed");
    EXPECT_LT(largest_gap(testing::map_of(bytes)), 8u);
    const ChunkLists lists = testing::chunks_of(bytes);
    ASSERT_TRUE(lists.whole);
    ASSERT_EQ(lists.datasets.size(), 1u);
    ASSERT_EQ(lists.datasets[0].count(), count);
    std::string found(count, '\0');
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<const std::uint64_t> chunk = lists.datasets[0].at(i);
      found.at(chunk[0]) = image.at(chunk[2]);
    }
    EXPECT_TRUE(found == content) << count;
  }
}

}  // namespace
}  // namespace hepcheck::hdf5::packed_sizes
