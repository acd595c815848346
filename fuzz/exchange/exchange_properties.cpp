// Exports random tables as Arrow, imports them as HEP001 and exports them again; they stay equal.
#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <format>

#include "fuzz/exchange/random_tables.h"
#include "fuzz/properties/random_values.h"
#include "validator/descriptor.h"
#include "validator/examine_file.h"
#include "validator/exchange/new_file.h"
#include "validator/exchange/table.h"
#include "validator/exchange/testing/folder.h"
#include "validator/formats/arrow/exchange/read_table.h"
#include "validator/formats/arrow/exchange/write_table.h"
#include "validator/formats/hep001/exchange/export_table.h"
#include "validator/formats/hep001/exchange/import_table.h"
#include "validator/formats/hep001/exchange/mapping.h"
#include "validator/formats/hep001/exchange/type_text.h"

namespace hepcheck::exchange {

namespace {

using namespace hepcheck::fuzz;
using testing::Folder;

// --- Random tables -------------------------------------------------------------------------------

// Text inside a list has elements of unknown length: a leaf of fixed bytes cannot represent all
// values of one byte and similar cases; few values avoid that.
Table random_table(Choices& c) {
  Table table{.rows = c.below(12)};
  for (std::uint64_t i = 0, n = c.below(4) + 1; i < n; ++i) {
    Field field{.name = std::format("c{}", i), .type = random_type(c, 3, false), .nullable = true};
    Array array = empty_array(field.type);
    for (std::uint64_t row = 0; row < table.rows; ++row) random_value(c, field.type, true, array);
    table.schema.fields.push_back(std::move(field));
    table.columns.push_back(std::move(array));
  }
  return table;
}

// Names and values of all lengths in some fields; some may have no nulls.
void describe_fields(Choices& c, std::vector<Field>& fields, const std::vector<Array>& arrays) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    for (std::uint64_t k = 0, n = c.below(6) / 3; k < n; ++k)
      fields[i].metadata.emplace_back(std::string(c.below(9), 'k'), std::string(c.below(9), 'v'));
    if (arrays[i].nulls == 0 && fields[i].type.kind != Kind::kNull && c.below(2) == 0)
      fields[i].nullable = false;
    describe_fields(c, fields[i].type.children, arrays[i].children);
  }
}

// The parts that difference() ignores.
bool same_descriptions(const std::vector<Field>& a, const std::vector<Field>& b) {
  return std::ranges::equal(a, b, [](const Field& x, const Field& y) {
    return x.nullable == y.nullable && x.metadata == y.metadata &&
           same_descriptions(x.type.children, y.type.children);
  });
}

// --- Round trips ---------------------------------------------------------------------------------

class Parts : public Source {
 public:
  Parts(const Table& table, std::uint64_t rows) : table_(table), rows_(rows) {}
  const Schema& schema() const override { return table_.schema; }
  Result<std::optional<Batch>> next() override {
    if (at_ == table_.rows) return std::optional<Batch>{};
    const Batch all{.rows = table_.rows, .columns = table_.columns};
    const std::uint64_t count = std::min(rows_, table_.rows - at_);
    at_ += count;
    return slice(table_.schema, all, at_ - count, count);
  }

 private:
  const Table& table_;
  std::uint64_t rows_, at_ = 0;
};

std::string written(const Table& table, std::uint64_t rows, const arrow::WriteOptions& options,
                    const std::string& path) {
  Parts parts(table, rows);
  Result<NewFile> file = NewFile::of(path, {.replace = true});
  if (!file) return file.error().text();
  const auto done = arrow::write_table(parts, *file, options);
  return done ? "" : done.error().text();
}

// The violations found by an examination; empty if there are none.
std::string complaints(const std::string& path, const char* spec) {
  const FileReport report = examine_file(path, std::nullopt, find_specification(spec), {});
  if (report.error) return report.error->text();
  for (const SubjectReport& subject : report.subjects)
    for (const ClauseResult& result : subject.clauses)
      if (result.verdict == Verdict::kFail && result.severity != Severity::kInfo)
        return std::format("{}: {}", result.clause->id, result.findings.front().observed);
  return {};
}

Result<Table> read(const std::string& path) {
  const auto file = open_for_reading(path);
  if (!file) return std::unexpected(file.error());
  auto made = arrow::read_table(Bytes::of_descriptor(file->get(), path), {}, 1 << 30);
  if (!made) return std::unexpected(made.error());
  return std::move(made->table);
}

// One at a time, a few, and about all of them.
std::uint64_t random_step(Choices& c, std::uint64_t rows) {
  const std::uint64_t few = 1 + c.below(5),
                      about = std::max<std::uint64_t>(2, rows) - 1 + c.below(3);
  return c.below(2) == 0 ? few : about;
}

arrow::WriteOptions random_options() {
  return draw("how it is written", [](Choices& c) {
    return arrow::WriteOptions{.stream = c.below(2) == 0,
                               .compression = static_cast<arrow::Compression>(c.below(3)),
                               .most_offset = c.below(2) == 0 ? 0x7FFFFFFFu : 40u};
  });
}

RC_GTEST_PROP(Exchange, TablesRoundTripThroughArrow, ()) {
  const Table table = draw("table", [](Choices& c) {
    Table made = random_table(c);
    describe_fields(c, made.schema.fields, made.columns);
    for (std::uint64_t i = 0, n = c.below(3); i < n; ++i)
      made.schema.metadata.emplace_back(std::format("of the table {}", i), "x");
    return made;
  });
  const Folder folder;
  const std::string path = folder.file("a.arrow");
  const auto rows =
      draw("rows of a batch", [count = table.rows](Choices& c) { return random_step(c, count); });
  const std::string trouble = written(table, rows, random_options(), path);
  // A row that needs larger offsets is refused.
  if (trouble.contains("needs offsets")) RC_DISCARD();
  RC_ASSERT(trouble == "");
  RC_ASSERT(complaints(path, "arrow-columnar-1.0") == "");
  const Result<Table> back = read(path);
  RC_ASSERT(back.has_value());
  RC_ASSERT(difference(*back, table) == "");
  RC_ASSERT(same_descriptions(back->schema.fields, table.schema.fields));
  RC_ASSERT(back->schema.metadata == table.schema.metadata);
}

struct Trip {
  std::string refusal{};  // empty: it was accepted
  Table back{};
};

// An imported table is conformant, and equal when exported.
Trip through_hep001(const Table& table, const char* spec) {
  const Folder folder;
  const hep001::TablePlace place{
      .file = folder.file("a.h5"), .group = "/a/t", .spec = find_specification(spec)};
  const auto imported = hep001::import_table(table, place, {});
  if (!imported) return {.refusal = imported.error().error.text()};
  RC_ASSERT(complaints(place.file, spec) == "");
  const auto rows =
      draw("rows of a batch", [count = table.rows](Choices& c) { return random_step(c, count); });
  const auto source = hep001::open_table(place, {.batch_rows = rows});
  RC_ASSERT(source.has_value());
  Result<Table> back = whole(**source);
  RC_ASSERT(back.has_value());
  RC_ASSERT(difference(*back, table) == "");
  return {.back = std::move(*back)};
}

RC_GTEST_PROP(Exchange, TablesRoundTripThroughHep001, ()) {
  const std::string refusal =
      through_hep001(draw("table", random_table), "hep001-2026-07-09").refusal;
  // A column that leaves no fill value is refused.
  if (!refusal.empty()) RC_ASSERT(refusal.contains("every possible fill value occurs"));
}

RC_GTEST_PROP(Exchange, TablesRoundTripThroughTheOlderHep001, ()) {
  const std::string refusal =
      through_hep001(draw("table", random_table), "hep001-2026-06-16").refusal;
  // And so are lists of lists and of texts, and nulls in lists.
  if (!refusal.empty())
    RC_ASSERT(refusal.contains("every possible fill value occurs") ||
              refusal.contains("cannot be stored in"));
}

// --- Datatypes that Arrow does not have ----------------------------------------------------------

// Properties that Arrow does not determine are stored in the metadata, and restored.
RC_GTEST_PROP(Exchange, DatatypesRoundTrip, ()) {
  const std::string text = draw(
      "datatype", [](Choices& c) { return hep001::type_text(random_datatype(c)).value_or(""); });
  const auto type = hep001::parse_type(text);
  RC_ASSERT(type.has_value());
  const auto mapping = hep001::mapping_of(*type);
  RC_ASSERT(mapping.has_value());
  const bool older = draw("older revision", [](Choices& c) { return c.below(2) == 0; });
  const Table table = draw("table", [text, mapping = *mapping](Choices& c) {
    Table made{.rows = c.below(9)};
    Field field{.name = "x", .type = mapping.type, .nullable = true};
    field.metadata.emplace_back("hep001:type", text);
    Array array = empty_array(field.type);
    for (std::uint64_t row = 0; row < made.rows; ++row) random_element(c, mapping, true, array);
    made.schema.fields.push_back(std::move(field));
    made.columns.push_back(std::move(array));
    return made;
  });
  const Folder folder;
  const std::string path = folder.file("a.arrow");
  RC_ASSERT(written(table, 3, random_options(), path) == "");
  const Result<Table> there = read(path);
  RC_ASSERT(there.has_value());
  const Trip trip = through_hep001(*there, older ? "hep001-2026-06-16" : "hep001-2026-07-09");
  RC_ASSERT(trip.refusal == "");
  RC_ASSERT(difference(trip.back, table) == "");
  const std::string* back = trip.back.schema.fields[0].find("hep001:type");
  const bool plain = !back && mapping->how == hep001::Mapping::How::kCopy;
  RC_ASSERT(plain || (back && *back == text));
}

// 8.6: the narrowest signed integer with a number for each name.
TEST(Exchange, EnumerationsHaveTheNarrowestIntegers) {
  for (const std::uint64_t count : {1, 127, 128, 129, 255, 256, 257, 32767, 32768, 32769}) {
    std::vector<std::pair<std::string, std::int64_t>> members{{"MISSING", -1}};
    for (std::uint64_t i = 0; i < count; ++i)
      members.emplace_back(std::format("n{}", i), static_cast<std::int64_t>(i));
    const auto mapping =
        hep001::mapping_of(hep001::enum_type(hep001::integer_type(4, true), members));
    ASSERT_TRUE(mapping.has_value());
    EXPECT_EQ(mapping->type.labels->values.length, count);
    EXPECT_EQ(mapping->type.width, count - 1 <= 127 ? 1u : count - 1 <= 32767 ? 2u : 4u) << count;
    EXPECT_TRUE(mapping->type.is_signed);
  }
}

// E6: texts of 20 bytes in batches whose offsets reach this limit; none if a single one is too
// long.
TEST(Exchange, OffsetsDivideBatches) {
  for (const std::uint64_t rows : {1, 2, 3, 4})
    for (const std::uint64_t most : {19, 20, 39, 40, 59, 60, 79, 80}) {
      Table table{.rows = rows};
      table.schema.fields.push_back({.name = "x", .type = {.kind = Kind::kText}});
      Array& array = table.columns.emplace_back(empty_array(table.schema.fields[0].type));
      for (std::uint64_t i = 0; i < rows; ++i) {
        array.bytes.resize(array.bytes.size() + 20, std::byte{'x'});
        array.offsets.push_back(array.bytes.size());
        array.push(false);
      }
      const Folder folder;
      Result<NewFile> file = NewFile::of(folder.file("a.arrow"), {});
      ASSERT_TRUE(file.has_value());
      Parts parts(table, rows);
      const auto done = arrow::write_table(parts, *file, {.most_offset = most});
      ASSERT_EQ(done.has_value(), most >= 20) << rows << ' ' << most;
      if (!done) continue;
      // Split into halves recursively: the first is the smaller one.
      const std::uint64_t fit = most / 20;
      const std::uint64_t batches = fit >= rows ? 1 : fit == 1 ? rows : 2;
      EXPECT_EQ(done->batches, batches) << rows << ' ' << most;
    }
}

// So do those of texts inside others: in the second field of a struct, in lists of one or two, and
// in the second column.
TEST(Exchange, OffsetsOfNestedTextsDivideBatches) {
  const Field number{.name = "n", .type = {.kind = Kind::kInteger, .width = 1}};
  const Field text{.name = "s", .type = {.kind = Kind::kText}};
  const Type shapes[] = {{.kind = Kind::kStruct, .children = {number, text}},
                         {.kind = Kind::kStruct, .children = {text, number}},
                         {.kind = Kind::kList, .children = {text}},
                         {.kind = Kind::kFixedList, .width = 1, .children = {text}}};
  constexpr std::uint64_t kRows = 4;
  Array numbers = empty_array(number.type), texts = empty_array(text.type);
  for (std::uint64_t i = 0; i < kRows; ++i) {
    numbers.bytes.push_back(std::byte{1});
    numbers.push(false);
    texts.bytes.resize(texts.bytes.size() + 20, std::byte{'x'});
    texts.offsets.push_back(texts.bytes.size());
    texts.push(false);
  }
  for (const Type& shape : shapes)
    for (const bool second : {false, true}) {
      Table table{.rows = kRows};
      if (second) {
        table.schema.fields.push_back(number);
        table.columns.push_back(numbers);
      }
      table.schema.fields.push_back({.name = "x", .type = shape});
      Array& array = table.columns.emplace_back(empty_array(shape));
      array.length = kRows;
      for (std::size_t k = 0; k < shape.children.size(); ++k)
        array.children[k] = shape.children[k].type.kind == Kind::kText ? texts : numbers;
      if (shape.kind == Kind::kList) array.offsets = {0, 1, 2, 3, 4};
      const Folder folder;
      Result<NewFile> file = NewFile::of(folder.file("a.arrow"), {});
      ASSERT_TRUE(file.has_value());
      Parts parts(table, kRows);
      const auto done = arrow::write_table(parts, *file, {.most_offset = 40});
      ASSERT_TRUE(done.has_value()) << describe(shape);
      EXPECT_EQ(done->batches, 2u) << describe(shape);
    }
}

// By the stored size of a row, plus 8 bytes per column; whole chunks, which import creates with
// half a MiB.
TEST(Exchange, BatchesHave16Mebibytes) {
  constexpr std::uint64_t kWidth = 1 << 15, kChunk = (1 << 19) / kWidth;
  constexpr std::uint64_t kStep = (16 << 20) / (kWidth + 8 + 1) / kChunk * kChunk;
  for (const std::uint64_t rows : {kStep, kStep + 1}) {
    Table table{.rows = rows};
    table.schema.fields.push_back(
        {.name = "x", .type = {.kind = Kind::kFixedBytes, .width = kWidth}});
    Array& array = table.columns.emplace_back();
    array.bytes.resize(rows * kWidth);
    for (std::uint64_t i = 0; i < rows; ++i) array.push(false);
    const Folder folder;
    const hep001::TablePlace place{.file = folder.file("a.h5"),
                                   .group = "/t",
                                   .spec = find_specification("hep001-2026-07-09")};
    const auto imported = hep001::import_table(table, place, {});
    ASSERT_TRUE(imported.has_value()) << imported.error().error.text();
    const auto source = hep001::open_table(place, {});
    ASSERT_TRUE(source.has_value());
    for (std::uint64_t left = rows; left > 0;) {
      const auto batch = (*source)->next();
      ASSERT_TRUE(batch.has_value() && batch->has_value());
      EXPECT_EQ((*batch)->rows, std::min(left, kStep));
      left -= std::min(left, kStep);
    }
  }
}

// And at most 2^20 rows, however short they are.
TEST(Exchange, BatchesHaveAMillionRows) {
  constexpr std::uint64_t kMost = 1 << 20, kRows = kMost + 5;
  Table table{.rows = kRows};
  table.schema.fields.push_back(
      {.name = "x", .type = {.kind = Kind::kInteger, .width = 1, .is_signed = true}});
  Array& array = table.columns.emplace_back();
  array.length = kRows;
  array.bytes.resize(kRows, std::byte{7});
  const Folder folder;
  const hep001::TablePlace place{
      .file = folder.file("a.h5"), .group = "/t", .spec = find_specification("hep001-2026-07-09")};
  const auto imported = hep001::import_table(table, place, {});
  ASSERT_TRUE(imported.has_value()) << imported.error().error.text();
  const auto source = hep001::open_table(place, {});
  ASSERT_TRUE(source.has_value());
  for (const std::uint64_t wanted : {kMost, kRows - kMost}) {
    const auto batch = (*source)->next();
    ASSERT_TRUE(batch.has_value() && batch->has_value());
    EXPECT_EQ((*batch)->rows, wanted);
  }
}

// I6 and E11: the result is written as the same bytes.
RC_GTEST_PROP(Exchange, BytesRoundTripThroughBoth, ()) {
  const Table table = draw("table", random_table);
  const Folder folder;
  const Specification* spec = find_specification("hep001-2026-07-09");
  std::vector<std::string> bytes;
  Table now = table;
  for (int round = 0; round < 3; ++round) {
    const hep001::TablePlace place{
        .file = folder.file(std::format("{}.h5", round)), .group = "/t", .spec = spec};
    const auto imported = hep001::import_table(now, place, {});
    if (!imported && round == 0) RC_DISCARD();
    RC_ASSERT(imported.has_value());
    const auto source = hep001::open_table(place, {});
    RC_ASSERT(source.has_value());
    const std::string path = folder.file(std::format("{}.arrow", round));
    Result<NewFile> file = NewFile::of(path, {});
    RC_ASSERT(file.has_value());
    RC_ASSERT(arrow::write_table(**source, *file, {}).has_value());
    bytes.push_back(path);
    const Result<Table> back = read(path);
    RC_ASSERT(back.has_value());
    now = *back;
  }
  RC_ASSERT(difference(now, table) == "");
  const auto content = [](const std::string& path) {
    const auto file = open_for_reading(path);
    const Bytes all = Bytes::of_descriptor(file->get(), path);
    std::string made(all.size(), '\0');
    all.read(0, std::as_writable_bytes(std::span(made)));
    return made;
  };
  RC_ASSERT(content(bytes[1]) == content(bytes[2]));
}

}  // namespace

}  // namespace hepcheck::exchange
