// Containers behind a block of the user: their maps and lists of chunks are those without it, but
// for the addresses; what is reported about them, and what repairs make of them, equals the golden
// file, which has a line for each directory of the corpus.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <format>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/examine_file.h"
#include "validator/fnv1a.h"
#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/region.h"
#include "validator/formats/hdf5/repair/repair_container.h"
#include "validator/formats/hdf5/testing/lists.h"
#include "validator/formats/hdf5/testing/map_of.h"
#include "validator/formats/hdf5/testing/private_copy.h"
#include "validator/formats/hdf5/testing/repairs.h"
#include "validator/formats/hdf5/testing/report_text.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::user_blocks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = 1'024;

// Where a superblock has its base address, and how far behind it is the address of the end; the
// width of its addresses; and where its checksum is, if it has one.
struct Fields {
  std::size_t base, end;
  unsigned width;
  std::optional<std::size_t> sum{};
};

std::optional<Fields> fields_of(const std::string& image) {
  if (image.size() < 100 || !image.starts_with("\x89HDF\r\n\x1a\n")) return std::nullopt;
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(image[at]); };
  const unsigned version = byte(8), width = byte(version < 2 ? 13 : 9);
  if (width > 8 || width == 0) return std::nullopt;
  const std::size_t base = version == 0 ? 24 : version == 1 ? 28 : 12;
  return Fields{.base = base,
                .end = base + 2 * std::size_t{width},
                .width = width,
                .sum = version < 2 ? std::nullopt : std::optional(base + 4 * std::size_t{width})};
}

// The addresses in the superblock count from the file's begin, all others from the superblock.
std::optional<std::string> behind_a_block(const std::string& image, bool base_stated) {
  const std::optional<Fields> fields = fields_of(image);
  if (!fields) return std::nullopt;
  std::string made = image;
  const auto add = [&](std::size_t at) {
    std::uint64_t value = kBlock;
    for (unsigned i = 0; i < fields->width; ++i)
      value += std::uint64_t{static_cast<unsigned char>(made[at + i])} << 8 * i;
    made.replace(at, fields->width, number(value, fields->width));
  };
  if (base_stated) add(fields->base);
  add(fields->end);
  if (fields->sum) {
    const auto whole = std::as_bytes(std::span(made));
    // A wrong checksum stays wrong.
    const std::uint32_t before = lookup3(std::as_bytes(std::span(image)).first(*fields->sum));
    if (image.substr(*fields->sum, kChecksum) == number(before, kChecksum))
      made.replace(*fields->sum, kChecksum, number(lookup3(whole.first(*fields->sum)), kChecksum));
  }
  return std::string(kBlock, 'u') + made;
}

Bytes bytes_of_image(const std::string& image) {
  return Bytes::of_image(std::as_bytes(std::span(image)), "copy");
}

std::string repaired(const std::string& image, bool compact) {
  const auto copy = testing::copy_of(image);
  const auto made = repair_container(
      *copy, "copy",
      {.spec = &default_revision("hdf5"), .file = {.examine = {.jobs = 1}}, .compact = compact});
  if (!made) return made.error().text() + '\n';
  const std::string bytes = testing::bytes_of(*copy);
  EXPECT_TRUE(bytes.starts_with(std::string(kBlock, 'u')));
  return testing::text_of(*made) + golden::digest_of(bytes) + '\n';
}

std::string packed(const std::string& image) {
  const auto copy = testing::copy_of("");
  const RepairedSubject made = pack_container(bytes_of_image(image), *copy, Limits());
  return testing::text_of(made) + golden::digest_of(testing::bytes_of(*copy)) + '\n';
}

struct Sum {
  std::size_t files = 0;
  std::string reports{}, maps{}, repairs{};
};

TEST(UserBlocks, ReportsAndRepairsEqualTheGoldenFile) {
  std::map<std::string, Sum> all;
  for (const fs::path& path : testing::containers()) {
    const std::uint64_t number = fnv1a(path.filename().string()) >> 8;
    if (fs::file_size(path) > 20'000 || number / 128 % 2 == 0) continue;
    const std::string image = testing::marked(golden::file_text(path), number % 4 == 0   ? 1
                                                                       : number % 4 == 1 ? 5
                                                                                         : 0);
    const auto behind = behind_a_block(image, number / 4 % 16 > 0);
    if (!behind) continue;
    Sum& sum = all[path.parent_path()
                       .lexically_relative(fs::path(HEPCHECK_SOURCE) / "fixtures/hdf5")
                       .string()];
    ++sum.files;
    sum.reports += testing::text_of(
        examine_image(std::as_bytes(std::span(*behind)), path.filename().string(), std::nullopt,
                      &default_revision("hdf5"), {.examine = {.jobs = 1}}));
    const Bytes bytes = bytes_of_image(*behind);
    sum.maps += testing::all_of(testing::map_of(bytes, {.fields = true}));
    sum.maps += testing::text_of(testing::chunks_of(bytes));
    sum.repairs += repaired(*behind, number / 64 % 2 == 0);
    sum.repairs += packed(*behind);
  }
  std::string text;
  for (const auto& [folder, sum] : all)
    text += std::format("{}: {} files, reports {}, maps {}, repairs {}\n", folder, sum.files,
                        golden::digest_of(sum.reports), golden::digest_of(sum.maps),
                        golden::digest_of(sum.repairs));
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/user_blocks.txt"));
}

TEST(UserBlocks, MoveAllAddressesAndNothingElse) {
  std::size_t ranges = 0, chunks = 0;
  for (const fs::path& path : testing::containers()) {
    if (fs::file_size(path) > 20'000 || path.string().contains("/invalid/")) continue;
    const std::string image = golden::file_text(path);
    const auto behind = behind_a_block(image, true);
    if (!behind) continue;
    const Bytes before = bytes_of_image(image), after = bytes_of_image(*behind);
    const FileMap wanted = testing::map_of(before), found = testing::map_of(after);
    EXPECT_EQ(found.base, wanted.base + kBlock) << path;
    EXPECT_EQ(found.end, wanted.end + kBlock) << path;
    EXPECT_EQ(found.kinds, wanted.kinds) << path;
    EXPECT_EQ(found.trouble, wanted.trouble) << path;
    ASSERT_EQ(found.ranges.size(), wanted.ranges.size()) << path;
    for (std::size_t i = 0; i < found.ranges.size(); ++i) {
      const FileRange &one = found.ranges[i], &other = wanted.ranges[i];
      EXPECT_EQ(one.address, other.address + kBlock) << path;
      EXPECT_EQ(one.size, other.size) << path;
      EXPECT_EQ(one.kind, other.kind) << path;
      EXPECT_EQ(one.object, other.object) << path;
      ++ranges;
    }
    ChunkLists lists = testing::chunks_of(after);
    for (ChunkList& each : lists.datasets)
      for (std::size_t at = each.rank() + 1; at < each.numbers.size(); at += each.rank() + 3) {
        each.numbers[at] -= kBlock;  // after the position of a chunk and its mask
        ++chunks;
      }
    EXPECT_EQ(testing::text_of(lists), testing::text_of(testing::chunks_of(before))) << path;
  }
  EXPECT_GT(ranges, 1'000u);
  EXPECT_GT(chunks, 100u);
}

}  // namespace
}  // namespace hepcheck::hdf5::user_blocks
