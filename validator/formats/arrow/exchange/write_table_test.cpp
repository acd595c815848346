#include "validator/formats/arrow/exchange/write_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "validator/descriptor.h"
#include "validator/examine_file.h"
#include "validator/exchange/testing/build.h"
#include "validator/formats/arrow/examination.h"
#include "validator/formats/arrow/exchange/read_table.h"
#include "validator/formats/arrow/schema_rules.h"
#include "validator/formats/arrow/shapes.h"

namespace hepcheck::arrow {

namespace {

using namespace exchange::testing;
using exchange::Array;
using exchange::Kind;
using NeutralTable = exchange::Table;
using NeutralType = exchange::Type;

// A whole table in one batch.
class Whole : public exchange::Source {
 public:
  explicit Whole(const NeutralTable& table) : table_(table) {}
  const exchange::Schema& schema() const override { return table_.schema; }
  Result<std::optional<exchange::Batch>> next() override {
    if (std::exchange(done_, true) || table_.rows == 0) return std::optional<exchange::Batch>{};
    return exchange::Batch{.rows = table_.rows, .columns = table_.columns};
  }

 private:
  const NeutralTable& table_;
  bool done_ = false;
};

struct Out {
  std::string error{}, types{};
  std::uint64_t batches = 0;
};

// The classes of all fields, the outermost first.
void add_types(const std::vector<Field>& fields, std::string& into) {
  for (const Field& field : fields) {
    into += (into.empty() ? "" : " ") + type_name(static_cast<unsigned>(field.type.tag));
    add_types(field.children, into);
  }
}

// Writes a table, judges it and reads it again.
Out round_trip(const NeutralTable& table, const WriteOptions& options) {
  std::string path = std::filesystem::temp_directory_path() / "arrow-XXXXXX";
  const Descriptor taken{mkstemp(path.data())};
  Out out;
  {
    Whole source(table);
    auto file = exchange::NewFile::of(path, {.replace = true});
    const auto written = write_table(source, *file, options);
    if (written)
      out.batches = written->batches;
    else
      out.error = written.error().text();
  }
  if (out.error.empty()) {
    const FileReport report =
        examine_file(path, std::nullopt, find_specification("arrow-columnar-1.0"), {});
    EXPECT_EQ(report.subjects.at(0).verdict, SubjectVerdict::kPass);
    const auto opened = open_for_reading(path);
    const Bytes bytes = Bytes::of_descriptor(opened->get(), path);
    const auto back = read_table(bytes, {}, 1 << 30);
    EXPECT_EQ(back ? difference(back->table, table) : back.error().text(), "");
    Notes silent(default_revision("arrow"), 0);
    MessageWalk walk(bytes, options.stream ? 0 : 8, bytes.size(), false, {}, silent);
    if (walk.next() == MessageWalk::Step::kMessage)
      add_types(read_schema(header_of(walk.metadata()), 1000).fields, out.types);
  }
  std::filesystem::remove(path);
  return out;
}

NeutralType large(NeutralType type) {
  type.large = true;
  return type;
}

// --- E6

TEST(Offsets, BeyondTheirLimitDivideTheBatch) {
  const NeutralTable table = one(kText, texts({"abcd", "efgh", std::nullopt, "ijkl", "mnop"}));
  EXPECT_EQ(round_trip(table, {}).batches, 1u);
  EXPECT_EQ(round_trip(table, {.most_offset = 16}).batches, 1u);
  EXPECT_EQ(round_trip(table, {.most_offset = 15}).batches, 2u);
  EXPECT_EQ(round_trip(table, {.stream = true, .most_offset = 4}).batches, 5u);
  const Out out = round_trip(table, {.most_offset = 3});
  EXPECT_TRUE(out.error.contains("column \"x\": row 0 needs offsets of more than 32 bits"))
      << out.error;
}

TEST(Offsets, OfLaterRowsAreRefusedByTheirNumber) {
  const NeutralTable table = one(list_of(kInt), lists({1, 3}, numbers<std::int32_t>({1, 2, 3, 4})));
  EXPECT_EQ(round_trip(table, {.most_offset = 3}).batches, 2u);
  const Out out = round_trip(table, {.most_offset = 2});
  EXPECT_TRUE(out.error.contains("row 1 needs offsets of more than 32 bits")) << out.error;
}

TEST(Offsets, OfChildrenCountAsWell) {
  const Array words = texts({"abcd", "efgh", "ijkl"});
  const NeutralTable table = one(list_of(kText), lists({1, 2}, words));
  EXPECT_EQ(round_trip(table, {.most_offset = 8}).batches, 2u);
  EXPECT_EQ(round_trip(table, {.most_offset = 12}).batches, 1u);
}

TEST(Offsets, OfLargeTypesHave64Bits) {
  const WriteOptions few{.most_offset = 2};
  const Array words = texts({"abcd", std::nullopt, "efgh"});
  Out out = round_trip(one(large(kText), words), few);
  EXPECT_EQ((std::pair{out.types, out.batches}), (std::pair{std::string("LargeUtf8"), 1ul}));
  out = round_trip(one(large({.kind = Kind::kBytes}), words), few);
  EXPECT_EQ((std::pair{out.types, out.batches}), (std::pair{std::string("LargeBinary"), 1ul}));
  const Array threes = lists({3, std::nullopt, 0}, numbers<std::int32_t>({1, 2, 3}));
  out = round_trip(one(large(list_of(kInt)), threes), few);
  EXPECT_EQ((std::pair{out.types, out.batches}), (std::pair{std::string("LargeList Int"), 1ul}));
  // The level above does not have to be large.
  out = round_trip(one(list_of(large(kText)), lists({1, 2}, words)), few);
  EXPECT_EQ(out.types, "List LargeUtf8");
}

TEST(Offsets, OfADictionaryAreIndependent) {
  const NeutralTable table =
      one(labelled(integer(1, true), {"abcd", "efgh"}), numbers<std::int8_t>({0, 1, std::nullopt}));
  EXPECT_EQ(round_trip(table, {.most_offset = 8}).error, "");
  EXPECT_TRUE(round_trip(table, {.most_offset = 7}).error.contains("a dictionary"));
}

// --- E4, E7

TEST(Written, HasTheRequestedFormat) {
  const NeutralTable table =
      one(kInt, numbers<std::int32_t>(std::vector<std::optional<std::int32_t>>(500, 7)));
  for (const bool stream : {false, true})
    for (const Compression each : {Compression::kNone, Compression::kLz4, Compression::kZstd})
      EXPECT_EQ(round_trip(table, {.stream = stream, .compression = each}).error, "");
  EXPECT_EQ(round_trip(one(kInt, Array()), {}).batches, 0u);
}

}  // namespace

}  // namespace hepcheck::arrow
