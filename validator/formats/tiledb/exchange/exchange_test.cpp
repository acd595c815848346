// Layouts of tables as arrays, and schemas of arrays as tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <format>
#include <fstream>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "validator/examine_file.h"
#include "validator/exchange/testing/folder.h"
#include "validator/formats/tiledb/array.h"
#include "validator/formats/tiledb/exchange/read_array.h"
#include "validator/formats/tiledb/exchange/write_array.h"
#include "validator/read_whole.h"

namespace hepcheck::tiledb {
namespace {

using exchange::ColumnLayout;

exchange::TableLayout layout() {
  exchange::TableLayout made{.path = "/t", .rows = 10};
  made.columns.push_back({.name = "id",
                          .kind = ColumnLayout::Kind::kInteger,
                          .width = 4,
                          .is_signed = true,
                          .fill = {std::byte{7}, std::byte{}, std::byte{}, std::byte{}},
                          .chunk = 4,
                          .filters = {{"shuffle", {}}, {"deflate", 6}}});
  made.columns.push_back({.name = "x",
                          .kind = ColumnLayout::Kind::kFloat,
                          .width = 8,
                          .fill = std::vector<std::byte>(8),
                          .chunk = 4});
  return made;
}

// The schema that was written, and what its views are of.
struct Written {
  NewArray array{};
  Opened opened{};
  Notes notes{default_revision("tiledb"), 10};
  Schema schema{};

  explicit Written(const exchange::TableLayout& table) : array(array_of(table, 1)) {
    open_tile(Bytes::of_image(array.members.at(0).bytes, "schema"), Limits{}, notes, opened);
    EXPECT_TRUE(read_schema(opened, notes, schema));
    EXPECT_EQ(schema.reached, Reached::kEnd);
    EXPECT_TRUE(notes.broken().empty());
  }
};

TEST(WriteArray, DatatypesFillsAndFilters) {
  const Written made(layout());
  ASSERT_EQ(made.schema.attributes.size(), 2u);
  const Attribute &id = made.schema.attributes[0], &x = made.schema.attributes[1];
  EXPECT_EQ(id.datatype.value, kInt32);
  EXPECT_EQ(std::to_integer<int>(id.fill.value[0]), 7);
  EXPECT_EQ(pipeline_text(id.filters), "byteshuffle, gzip 6");
  EXPECT_EQ(x.datatype.value, kFloat64);
  EXPECT_TRUE(x.filters.empty());
  const Dimension& row = made.schema.dimensions.at(0);
  EXPECT_EQ(integer_at(row.low(), kUint64), 0);
  EXPECT_EQ(integer_at(row.high(), kUint64), 9);
  EXPECT_EQ(integer_at(row.extent.value, kUint64), 4);
  EXPECT_TRUE(made.array.losses.empty());
}

TEST(WriteArray, ChunksThatDifferAreNamed) {
  exchange::TableLayout table = layout();
  table.columns[1].chunk = 5;
  const std::vector<std::string> expected = {"column \"x\": chunks of 5 rows"};
  EXPECT_EQ(Written(table).array.losses, expected);
  table.columns[1].chunk = 0;
  EXPECT_TRUE(Written(table).array.losses.empty());
}

std::expected<ArrayTable, std::string> read_fixture(const std::string& name) {
  const std::string bytes =
      read_whole(std::string(HEPCHECK_SOURCE) + "/fixtures/tiledb/" + name).value_or("");
  const Bytes file = Bytes::of_image(std::as_bytes(std::span(bytes)), name);
  return read_array(file, FileOptions{});
}

TEST(ReadArray, AWrittenSchemaComesBack) {
  const NewArray array = array_of(layout(), 1);
  const auto read = read_array(Bytes::of_image(array.members.at(0).bytes, "__schema"), {});
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->table.rows, 10u);
  ASSERT_EQ(read->table.schema.fields.size(), 2u);
  EXPECT_EQ(read->table.schema.fields[0].name, "id");
  ASSERT_TRUE(read->table.schema.fields[0].find("hep001:fill"));
  EXPECT_EQ(*read->table.schema.fields[0].find("hep001:fill"), "7");
  EXPECT_EQ(read->table.columns[0].nulls, 10u);
  EXPECT_FALSE(std::ranges::contains(read->losses, "row numbers start at 0"));
}

// Of any length, as a whole.
TEST(ReadArray, FillValuesOfOpaqueValues) {
  exchange::TableLayout table{.path = "/t", .rows = 3};
  std::vector<std::string> expected;
  for (const std::size_t size : {1, 16, 17, 40}) {
    std::vector<std::byte> fill(size);
    std::string text;
    for (std::size_t i = 0; i < size; ++i) {
      fill[i] = static_cast<std::byte>(3 * i + size);
      text += std::format("{:02x}", (3 * i + size) & 255);
    }
    table.columns.push_back({.name = std::format("c{}", size),
                             .kind = ColumnLayout::Kind::kOpaque,
                             .count = size,
                             .fill = fill});
    expected.push_back(text);
  }
  const NewArray array = array_of(table, 1);
  const auto read = read_array(Bytes::of_image(array.members.at(0).bytes, "__schema"), {});
  ASSERT_TRUE(read) << read.error();
  std::vector<std::string> found;
  for (const exchange::Field& each : read->table.schema.fields) {
    EXPECT_TRUE(each.type.kind == exchange::Kind::kFixedBytes);
    const std::string* const fill = each.find("hep001:fill");
    found.push_back(fill ? *fill : "none");
  }
  EXPECT_EQ(found, expected);
}

TEST(ReadArray, TextsAndBooleansComeBack) {
  exchange::TableLayout table{.path = "/t", .rows = 3};
  table.columns.push_back({.name = "fixed",
                           .kind = ColumnLayout::Kind::kText,
                           .utf8 = true,
                           .count = 2,
                           .fill = {std::byte{'-'}, std::byte{}}});
  table.columns.push_back({.name = "free", .kind = ColumnLayout::Kind::kText, .variable = true});
  table.columns.push_back({.name = "flag", .kind = ColumnLayout::Kind::kBoolean});
  const NewArray array = array_of(table, 1);
  const auto read = read_array(Bytes::of_image(array.members.at(0).bytes, "__schema"), {});
  ASSERT_TRUE(read) << read.error();
  const auto& fields = read->table.schema.fields;
  ASSERT_EQ(fields.size(), 3u);
  ASSERT_TRUE(fields[0].find("hep001:type") && fields[0].find("hep001:fill"));
  EXPECT_EQ(*fields[0].find("hep001:type"), "string(2,nullpad,utf8)");
  EXPECT_EQ(*fields[0].find("hep001:fill"), "-");
  ASSERT_TRUE(fields[1].find("hep001:type"));
  EXPECT_EQ(*fields[1].find("hep001:type"), "string(*,nullterm,ascii)");
  EXPECT_TRUE(fields[1].type.kind == exchange::Kind::kText);
  EXPECT_TRUE(fields[2].type.kind == exchange::Kind::kBoolean);
  EXPECT_FALSE(fields[2].find("hep001:fill"));
}

void put(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

// Each of the members is named.
TEST(ExaminedArray, MembersThatChangeMeanwhile) {
  exchange::TableLayout table = layout();
  table.categories = {{.name = "colours", .values = {"red"}}, {.name = "sizes", .values = {"S"}}};
  table.columns[0].categories = 0;
  const exchange::testing::Folder folder;
  const NewArray array = array_of(table, 1);
  for (const NewMember& each : array.members) put(folder.path / each.path, each.bytes);
  const auto opened = open_input(folder.path.string(), {});
  ASSERT_TRUE(opened) << opened.error().text();
  const FileOptions options;
  EXPECT_TRUE(examine_within_memory(opened->input, {.options = options}).unreadable.empty());
  std::set<std::string> changed, found;
  for (const NewMember& each : array.members) {
    std::ofstream(folder.path / each.path, std::ios::app) << "more";
    changed.insert(each.path);
  }
  EXPECT_EQ(changed.size(), 3u);
  for (const Error& each : examine_within_memory(opened->input, {.options = options}).unreadable)
    if (each.cause == "it changed while it was examined") found.insert(each.context);
  EXPECT_EQ(found, changed);
}

// Each has its own labels and order, and attributes that share an enumeration share both.
TEST(ReadArray, EnumerationsOfSeveralAttributesComeBack) {
  exchange::TableLayout table{.path = "/t", .rows = 3};
  table.categories = {{.name = "colours", .ordered = true, .values = {"red", "green"}},
                      {.name = "sizes", .ordered = false, .values = {"S", "M", "L"}},
                      {.name = "days", .ordered = true, .values = {"Mon"}}};
  for (const std::size_t categories : {0, 1, 2, 0})
    table.columns.push_back({.name = std::format("c{}", table.columns.size()),
                             .kind = ColumnLayout::Kind::kInteger,
                             .is_signed = true,
                             .fill = {std::byte{0xFF}},
                             .categories = categories});
  const exchange::testing::Folder folder;
  for (const NewMember& each : array_of(table, 1).members) put(folder.path / each.path, each.bytes);
  const auto opened = open_input(folder.path.string(), {});
  ASSERT_TRUE(opened) << opened.error().text();
  const auto read = read_array(opened->input, {});
  ASSERT_TRUE(read) << read.error();
  std::vector<std::string> types;
  for (const exchange::Field& each : read->table.schema.fields)
    types.push_back(exchange::describe(each.type));
  EXPECT_EQ(types,
            (std::vector<std::string>{
                "int8 among labels of text, ordered", "int8 among labels of text",
                "int8 among labels of text, ordered", "int8 among labels of text, ordered"}));
  const auto& fields = read->table.schema.fields;
  EXPECT_EQ(fields[0].type.labels, fields[3].type.labels);
  EXPECT_EQ(fields[0].type.labels->values.length, 2u);
  EXPECT_EQ(fields[1].type.labels->values.text(2), "L");
  EXPECT_EQ(fields[2].type.labels->values.text(0), "Mon");
}

TEST(ReadArray, SparseArraysAreNoTables) {
  const auto read = read_fixture("valid/array-schema/tiledb-schema-dups-flag--sparse.tdb");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error(), "it is sparse, and a table has a value in every row");
}

}  // namespace
}  // namespace hepcheck::tiledb
