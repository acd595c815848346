// Numbers in blocks and messages, at the last valid and at the first invalid value: each violates
// its clause exactly then, whatever other effects the value has.
#include <gtest/gtest.h>

#include <algorithm>
#include <format>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/hdf5/checksums.h"
#include "validator/catalogue/clause.h"
#include "validator/examine_file.h"
#include "validator/testing/file_text.h"

namespace hepcheck::hdf5 {

namespace {

using Image = std::vector<std::uint8_t>;

struct Field {
  const char* fixture;      // of fixtures/hdf5/valid
  std::string_view before;  // the bytes at its position, and the distance from their beginning
  std::size_t offset, width;
  std::string_view clause;
  std::vector<std::uint64_t> good, bad;
};

constexpr std::string_view kSuperblock("\x89HDF", 4);
// The types and sizes of messages in version 2 headers.
constexpr std::string_view kLinkInfo("\x02\x12\0", 3), kGroupInfo("\x0a\x02\0", 3),
    kAttributeInfo("\x15\x12\0", 3), kInteger("\x03\x0c\0", 3), kSharedType("\x03\x0a\0\x02", 4);

constexpr const char *kHeap = "FF-III.G/swmr-fractal-heap-block-offset--blocks-in-blocks.h5",
                     *kTree = "9.2/swmr-btree2-depth--depth-2.h5",
                     *kAttributes = "FF-IV.A.2.v/swmr-attribute-info-version--twenty-attributes.h5",
                     *kDataset = "FF-IV.A.2.i/swmr-compact-size--ten-integers.h5",
                     *kShared = "FF-IV.A.2.d/swmr-dataset-has-datatype--of-committed-datatype.h5";

const std::vector<Field>& fields() {
  static const std::vector<Field> all = {
      {kHeap, "FRHP", 4, 1, "swmr-fractal-heap-version", {0}, {1, 255}},
      {kHeap, "FRHP", 110, 2, "swmr-fractal-heap-geometry", {1, 2, 4, 1024}, {0, 3, 6, 1025}},
      {kHeap, "FRHP", 112, 8, "swmr-fractal-heap-geometry", {256, 512}, {0, 255, 384, 1024}},
      {kHeap, "FRHP", 120, 8, "swmr-fractal-heap-geometry", {256, 1 << 20}, {128, 513}},
      {kHeap, "FRHP", 128, 2, "swmr-fractal-heap-geometry", {32, 64}, {65, 1000}},
      // The rows of a heap of 2^32 bytes that begins with two blocks of 256.
      {kHeap, "FRHP", 140, 2, "swmr-fractal-heap-geometry", {0, 23, 24}, {25, 255}},
      {kTree, "BTHD", 4, 1, "swmr-btree2-header-version", {0}, {1, 2}},
      {kTree, "BTHD", 12, 2, "swmr-btree2-depth", {0, 31, 32}, {33, 256}},
      {kHeap, "BTHD", 14, 1, "swmr-btree2-percentages", {81, 100}, {0, 80, 101}},
      {kHeap, "BTHD", 15, 1, "swmr-btree2-percentages", {1, 40, 49}, {0, 50, 51}},
      {kAttributes, kLinkInfo, 5, 1, "swmr-link-info-version", {0}, {1, 4, 7, 8, 16, 128}},
      {kAttributes, kGroupInfo, 5, 1, "swmr-group-info-version", {0}, {1, 4, 7, 8, 16, 128}},
      {kAttributes,
       kAttributeInfo,
       5,
       1,
       "swmr-attribute-info-version",
       {0},
       {1, 4, 7, 8, 16, 128}},
      {kDataset,
       kSuperblock,
       11,
       1,
       "swmr-superblock-status-reserved",
       {0, 1, 4, 5},
       {8, 16, 32, 64, 128}},
      {kDataset, kSuperblock, 11, 1, "swmr-superblock-status-swmr-with-write", {0, 1, 5}, {4}},
      {kDataset, kSuperblock, 11, 1, "swmr-superblock-status-closed", {0}, {1, 5}},
      {kDataset,
       kInteger,
       4,
       1,
       "swmr-datatype-version",
       {0x10, 0x20, 0x40, 0x50},
       {0x00, 0x60, 0x70, 0xf0}},
      {kDataset, kInteger, 4, 1, "swmr-datatype-class", {0x10, 0x1a, 0x1b}, {0x1c, 0x1d, 0x1f}},
      {kDataset, kInteger, 8, 4, "swmr-datatype-size", {1, 4}, {0}},
      // The version in the first byte; the kind in the second, since version 3.
      {kShared,
       kSharedType,
       4,
       2,
       "swmr-shared-message-form",
       {0x0203, 0x0002, 0x0102, 0xff02},
       {0x0200, 0x0204, 0x0003, 0x0303, 0x0201}},
  };
  return all;
}

// Repairs all checksums on the path to the change.
FileReport examined(Image image) {
  constexpr int kLevels = 6;
  const FileOptions options{.examine = {.jobs = 1}};
  for (int level = 0;; ++level) {
    FileReport report = examine_image(std::as_bytes(std::span(image)), "image", std::nullopt,
                                      find_specification("hdf5-swmr-2013-10-10"), options);
    if (level == kLevels || !fuzz::repair_checksums(image, report)) return report;
  }
}

bool breaks(const FileReport& report, std::string_view clause) {
  for (const SubjectReport& subject : report.subjects)
    for (const ClauseResult& result : subject.clauses)
      if (result.clause->id == clause) return result.verdict == Verdict::kFail;
  return false;
}

TEST(FieldBoundaries, InvalidValuesViolateExactlyTheirClauses) {
  for (const Field& field : fields()) {
    const std::string bytes =
        golden::file_text(std::string(HEPCHECK_FIXTURES "/hdf5/valid/") + field.fixture);
    const std::size_t place = bytes.find(field.before);
    ASSERT_NE(place, bytes.npos) << field.fixture << ' ' << field.offset;
    const auto with = [&](std::uint64_t value) {
      Image image(bytes.begin(), bytes.end());
      fuzz::put_number(image, place + field.offset, field.width, value);
      return examined(std::move(image));
    };
    const auto about = [&](std::uint64_t value) {
      return std::format("{} byte {}: {}", field.clause, field.offset, value);
    };
    for (const std::uint64_t value : field.good)
      EXPECT_FALSE(breaks(with(value), field.clause)) << about(value);
    for (const std::uint64_t value : field.bad)
      EXPECT_TRUE(breaks(with(value), field.clause)) << about(value);
  }
}

}  // namespace

}  // namespace hepcheck::hdf5
