// Random tables go out as Arrow, come in as HEP001 and go out again, and stay equal.
#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <format>

#include "fuzz/properties/draw.h"
#include "validator/descriptor.h"
#include "validator/examine_file.h"
#include "validator/exchange/new_file.h"
#include "validator/exchange/table.h"
#include "validator/formats/arrow/exchange/read_table.h"
#include "validator/formats/arrow/exchange/write_table.h"
#include "validator/formats/hep001/exchange/export_table.h"
#include "validator/formats/hep001/exchange/import_table.h"

namespace hepcheck::exchange {

namespace {

using namespace hepcheck::fuzz;

// A folder that goes with the test.
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "exchange-XXXXXX";
    path = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name) const { return path / name; }
};

// --- Random tables -------------------------------------------------------------------------------

// `below`: of a list or an array, where nulls and what is inside have less room.
Type random_type(Choices& c, int depth, bool below) {
  const std::uint64_t kinds = depth > 0 ? 9 : 6;
  switch (below ? c.below(depth > 0 ? 8 : 5) : c.below(kinds)) {
    case 0: return {.kind = Kind::kBoolean};
    case 1:
      return {.kind = Kind::kInteger,
              .width = std::uint64_t{1} << c.below(4),
              .is_signed = c.below(2) == 0};
    case 2: return {.kind = Kind::kFloat, .width = std::uint64_t{2} << c.below(3)};
    case 3: return {.kind = Kind::kText};
    case 4: return {.kind = Kind::kFixedBytes, .width = 1 + c.below(5)};
    case 5:
      if (!below) {
        Type type{.kind = Kind::kInteger, .width = 1, .is_signed = true};
        auto labels = std::make_shared<Labels>();
        labels->type.kind = Kind::kText;
        labels->values = empty_array(labels->type);
        for (std::uint64_t i = 0, n = 1 + c.below(4); i < n; ++i) {
          labels->values.push(false);
          labels->values.bytes.push_back(static_cast<std::byte>('a' + i));
          labels->values.offsets.push_back(i + 1);
        }
        type.labels = std::move(labels);
        type.ordered = c.below(2) == 0;
        return type;
      }
      [[fallthrough]];
    case 6:
    case 7: {
      Type type{.kind = Kind::kList};
      type.children.push_back(
          {.name = "item", .type = random_type(c, depth - 1, true), .nullable = true});
      return type;
    }
    default: {
      Type type{.kind = Kind::kStruct};
      for (std::uint64_t i = 0, n = 1 + c.below(3); i < n; ++i)
        type.children.push_back(
            {.name = std::string(1, static_cast<char>('p' + i)),
             .type = {.kind = Kind::kInteger, .width = std::uint64_t{1} << c.below(4)}});
      return type;
    }
  }
}

void random_value(Choices& c, const Type& type, bool may_be_null, Array& into) {
  const bool null = may_be_null && c.below(4) == 0;
  const auto put = [&](std::uint64_t bits, std::uint64_t width) {
    for (std::uint64_t i = 0; i < width; ++i)
      into.bytes.push_back(static_cast<std::byte>(i < 8 ? bits >> (8 * i) : bits));
  };
  switch (type.kind) {
    case Kind::kBoolean: put(c.below(2), 1); break;
    case Kind::kInteger:
      if (type.labels) {
        put(c.below(type.labels->values.length), 1);
      } else {
        // Those that recommended fill values are among them.
        const std::uint64_t odd[] = {0, 0xFF, 0x81, 0x8001, 0x80000001, 0x8000000000000001, ~0ull};
        put(c.below(3) == 0 ? odd[c.below(7)] : c.bits(), type.width);
      }
      break;
    case Kind::kFloat: put(c.below(3) == 0 ? ~c.below(8) : c.bits(), type.width); break;
    case Kind::kFixedBytes: put(c.bits(), type.width); break;
    case Kind::kText:
      if (!null)
        for (std::uint64_t i = 0, n = c.below(4); i < n; ++i) put('A' + c.below(3), 1);
      into.offsets.push_back(into.bytes.size());
      break;
    case Kind::kList:
      if (!null)
        for (std::uint64_t i = 0, n = c.below(4); i < n; ++i)
          random_value(c, type.children[0].type, true, into.children[0]);
      into.offsets.push_back(into.children[0].length);
      break;
    case Kind::kStruct:
      for (std::size_t k = 0; k < type.children.size(); ++k)
        random_value(c, type.children[k].type, false, into.children[k]);
      break;
    default: break;
  }
  into.push(null);
}

// Text inside a list has an element whose length is not known: a leaf of fixed bytes cannot hold
// all that there is of one byte, and the like; few values keep clear of that.
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

// --- Both ways -----------------------------------------------------------------------------------

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

// What an examination finds wrong; empty if nothing.
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

arrow::WriteOptions random_options() {
  return draw("how it is written", [](Choices& c) {
    return arrow::WriteOptions{.stream = c.below(2) == 0,
                               .compression = static_cast<arrow::Compression>(c.below(3)),
                               .most_offset = c.below(2) == 0 ? 0x7FFFFFFFu : 40u};
  });
}

RC_GTEST_PROP(Exchange, TablesSurviveArrow, ()) {
  const Table table = draw("table", random_table);
  const Folder folder;
  const std::string path = folder.file("a.arrow");
  const auto rows = draw("rows of a batch", [](Choices& c) { return 1 + c.below(5); });
  const std::string trouble = written(table, rows, random_options(), path);
  // A row that is larger than offsets can tell is refused.
  if (trouble.contains("larger than offsets")) RC_DISCARD();
  RC_ASSERT(trouble == "");
  RC_ASSERT(complaints(path, "arrow-columnar-1.0") == "");
  const Result<Table> back = read(path);
  RC_ASSERT(back.has_value());
  RC_ASSERT(difference(*back, table) == "");
}

RC_GTEST_PROP(Exchange, TablesSurviveHep001, ()) {
  const Table table = draw("table", random_table);
  const Folder folder;
  const hep001::TablePlace place{.file = folder.file("a.h5"),
                                 .group = "/a/t",
                                 .spec = find_specification("hep001-2026-07-09")};
  const auto imported = hep001::import_table(table, place, {});
  if (!imported) {
    // A column that leaves no fill value has no place.
    RC_ASSERT(imported.error().error.text().contains("none is left to be the fill value"));
    RC_DISCARD();
  }
  RC_ASSERT(complaints(place.file, "hep001-2026-07-09") == "");
  const auto source = hep001::open_table(place, {.batch_rows = 3});
  RC_ASSERT(source.has_value());
  const Result<Table> back = whole(**source);
  RC_ASSERT(back.has_value());
  RC_ASSERT(difference(*back, table) == "");
}

// I6 and E11: what comes back is written as the same bytes.
RC_GTEST_PROP(Exchange, BytesSurviveBoth, ()) {
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
