// Files: the footer, its blocks, and the stream inside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/judge.h"

namespace hepcheck::arrow {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

struct BlockOf {
  std::int64_t offset;
  std::int32_t metadata, padding;
  std::int64_t body;
};

// Two batches of integers. Each test mutates a new copy.
struct IntFile {
  Bytes stream = Bytes("ARROW1\0\0", 8) + schema_message();
  std::vector<BlockOf> blocks{};
  TableOf footer_schema = schema({field("a", kIntTag, int_type())});
  std::int16_t version = 4;
  Bytes end = end_of_stream(), magic = "ARROW1";

  IntFile() {
    add(raw_all(1, 2, 3), 3);
    add(raw_all(4, 5), 2);
  }

  static Bytes schema_message() {
    return message(kSchemaTag, schema({field("a", kIntTag, int_type())}));
  }
  void add(const Bytes& values, std::int64_t rows) {
    const Bytes one = batch(rows, {{rows, 0}}, {"", values});
    const std::size_t body = padded(values).size();
    blocks.push_back({static_cast<std::int64_t>(stream.size()),
                      static_cast<std::int32_t>(one.size() - body), 0,
                      static_cast<std::int64_t>(body)});
    stream += one;
  }
  Bytes bytes() const {
    Bytes all;
    for (const BlockOf& block : blocks)
      all += raw_all(block.offset, block.metadata, block.padding, block.body);
    const Bytes footer =
        padded(flatbuffer({{{0, raw(version)}, {1, footer_schema}, {3, Elements{24, all}}}}));
    return stream + end + footer + raw(static_cast<std::int32_t>(footer.size())) + magic;
  }
};

TEST(File, ValidFile) { EXPECT_THAT(first_findings(IntFile().bytes()), IsEmpty()); }

// A footer directly behind the magic is as large as it can be.
TEST(File, LargestFooter) {
  IntFile file;
  file.stream.resize(8);
  file.blocks.clear();
  file.end.clear();
  Bytes all = file.bytes();
  EXPECT_THAT(broken(all), Not(Contains("arrow-file-footer-size-in-range")));
  ++all[all.size() - 10];
  EXPECT_THAT(broken(all), Contains("arrow-file-footer-size-in-range"));
}

TEST(File, RevisionBySignsOfBatches) {
  const BodyOf body = body_of({"", raw_all(1, 2)});
  TableOf data = record_batch(2, {{2, 0}}, body);
  const auto choice_by = [&](std::uint8_t tag, const TableOf& header) {
    return sign_of_revision(IntFile::schema_message() + message(tag, header, body.bytes));
  };
  EXPECT_EQ(choice_by(kRecordTag, data), "|");
  data.fields.emplace_back(4u, Elements{8, raw_all(std::int64_t{0})});
  EXPECT_EQ(choice_by(kRecordTag, data), "a batch with variadicBufferCounts|batch[0]");
  EXPECT_EQ(choice_by(kDictionaryTag, dictionary_batch(0, data)),
            "a batch with variadicBufferCounts|dictionary[0]");
}

TEST(File, Blocks) {
  IntFile file;
  std::swap(file.blocks[0], file.blocks[1]);
  EXPECT_THAT(broken(file.bytes()), ElementsAre("arrow-footer-blocks-in-stream-order"));
  file = {};
  file.blocks.pop_back();
  EXPECT_THAT(broken(file.bytes()), ElementsAre("arrow-footer-record-batches-complete"));
  file = {};
  file.blocks.push_back(file.blocks[0]);
  EXPECT_THAT(broken(file.bytes()), ElementsAre("arrow-footer-block-once"));
  file = {};
  file.blocks[0].metadata += 8;
  EXPECT_THAT(broken(file.bytes()), ElementsAre("arrow-block-metadata-length"));
  file = {};
  file.blocks[1].body += 8;
  EXPECT_THAT(broken(file.bytes()), ElementsAre("arrow-block-body-length"));
  file = {};
  file.blocks[1].offset += 4;
  EXPECT_THAT(broken(file.bytes()), ElementsAre("arrow-block-offset-aligned"));
  file = {};
  file.blocks[1].offset += 8;
  EXPECT_THAT(broken(file.bytes()), ElementsAre("arrow-block-points-to-message"));
  for (const std::int64_t offset : {std::int64_t{-8}, std::int64_t{0}, std::int64_t{1} << 40,
                                    std::numeric_limits<std::int64_t>::max() - 7}) {
    file = {};
    file.blocks[1].offset = offset;
    EXPECT_THAT(broken(file.bytes()), ElementsAre("arrow-block-in-file")) << offset;
  }
}

// What follows a block that is listed twice is judged all the same.
TEST(File, BlocksBehindARepeatedOne) {
  IntFile file;
  file.add(raw_all(6), 1);
  file.blocks.insert(file.blocks.begin() + 1, file.blocks[0]);
  EXPECT_THAT(broken(file.bytes()), ElementsAre("arrow-footer-block-once"));
  file.blocks[3].body += 8;
  EXPECT_THAT(broken(file.bytes()),
              ElementsAre("arrow-footer-block-once", "arrow-block-body-length"));
}

TEST(File, Footer) {
  IntFile file;
  file.footer_schema = schema({field("b", kIntTag, int_type())});
  EXPECT_THAT(broken(file.bytes()), ElementsAre("arrow-footer-schema-equal"));
  file = {};
  file.footer_schema = schema({field("a", kIntTag, int_type())}, true);
  EXPECT_THAT(broken(file.bytes()), ElementsAre("arrow-footer-schema-equal"));
  file = {};
  file.version = 3;
  EXPECT_THAT(broken(file.bytes()), ElementsAre("arrow-footer-version-equal"));
  file = {};
  file.end = "";
  EXPECT_THAT(broken(file.bytes()), ElementsAre("arrow-file-eos-present"));
  file = {};
  file.end += Bytes(8, '\0');
  EXPECT_THAT(broken(file.bytes()), ElementsAre("arrow-file-nothing-between-eos-and-footer"));
  file = {};
  file.magic = "ARROW2";
  EXPECT_THAT(broken(file.bytes()), ElementsAre("arrow-file-magic-end"));
  file = {};
  file.stream[5] = '2';
  EXPECT_THAT(broken(file.bytes()), ElementsAre("arrow-file-magic-start"));
  file = {};
  file.stream[7] = '\1';
  EXPECT_THAT(broken(file.bytes()), ElementsAre("arrow-file-magic-padding-zero"));
}

// Zeros after the leading magic: the stream may begin at byte 64 at the latest.
TEST(File, BeginOfTheStream) {
  const auto shifted = [](std::size_t by) {
    IntFile file;
    file.stream.insert(8, Bytes(by, '\0'));
    for (BlockOf& block : file.blocks) block.offset += static_cast<std::int64_t>(by);
    return file.bytes();
  };
  EXPECT_THAT(broken(shifted(8)), ElementsAre("arrow-file-stream-at-eight"));
  EXPECT_THAT(broken(shifted(56)), ElementsAre("arrow-file-stream-at-eight"));
  EXPECT_THAT(broken(shifted(64)), Not(Contains("arrow-file-stream-at-eight")));
}

// The size before the magic: zero, one byte too large, and exact.
TEST(File, FooterSize) {
  const Bytes sound = IntFile().bytes();
  const std::size_t at = sound.size() - 10;
  for (const std::int32_t size :
       {0, -1, static_cast<std::int32_t>(at) - 7, std::int32_t{0x7FFFFFFF}}) {
    Bytes bytes = sound;
    bytes.replace(at, 4, raw(size));
    EXPECT_THAT(broken(bytes), ElementsAre("arrow-file-footer-size-in-range")) << size;
  }
}

// A broken message ends the walk; the blocks lead to the messages after it.
TEST(File, BatchesAfterABrokenOne) {
  IntFile file;
  file.add(Bytes(4, '\1'), 2);
  const auto at = static_cast<std::size_t>(file.blocks[0].offset);
  file.stream.replace(at + 8, 4, raw(1 << 30));
  EXPECT_THAT(broken(file.bytes()),
              ElementsAre("arrow-primitive-data-size", "arrow-fb-root-in-bounds"));
}

}  // namespace
}  // namespace hepcheck::arrow
