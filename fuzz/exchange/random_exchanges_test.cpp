// What becomes of random tables: written as Arrow, stored as HEP001 or refused, exported again, and
// indexed, with other options each time. Everything that is reported equals the golden file, which
// has a line for each family of tables with the number of tables, of those that are refused, and a
// digest.
#include <gtest/gtest.h>

#include <filesystem>
#include <format>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/findings_text.h"
#include "conformance/table_text.h"
#include "fuzz/exchange/random_tables.h"
#include "validator/bytes.h"
#include "validator/catalogue/clause.h"
#include "validator/descriptor.h"
#include "validator/examine_file.h"
#include "validator/exchange/layout.h"
#include "validator/exchange/new_file.h"
#include "validator/exchange/testing/folder.h"
#include "validator/formats/arrow/exchange/read_table.h"
#include "validator/formats/arrow/exchange/write_table.h"
#include "validator/formats/hdf5/testing/map_of.h"
#include "validator/formats/hep001/exchange/export_table.h"
#include "validator/formats/hep001/exchange/import_table.h"
#include "validator/formats/hep001/index_file.h"
#include "validator/formats/tiledb/testing/array_text.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::fuzz {
namespace {

using exchange::Table;
using exchange::testing::Folder;

constexpr std::uint64_t kTables = 100;  // of each family

// --- Tables --------------------------------------------------------------------------------------

void add_column(Choices& c, Table& table, Field field, std::uint64_t nulls) {
  Array array = empty_array(field.type);
  for (std::uint64_t row = 0; row < table.rows; ++row)
    random_value(c, field.type, c.below(4) < nulls, array);
  field.nullable = array.nulls > 0 || c.maybe();
  table.schema.fields.push_back(std::move(field));
  table.columns.push_back(std::move(array));
}

// Columns of such types.
Table columns_of(Choices& c, std::uint64_t rows, const std::function<Type(Choices&)>& type) {
  Table table{.rows = rows};
  for (std::uint64_t i = 0, n = 1 + c.below(3); i < n; ++i)
    add_column(c, table, {.name = std::format("c{}", i), .type = type(c)}, c.below(3));
  return table;
}

// Fixed lists within fixed lists and structs, and structs within them; some can be stored.
Type nested_type(Choices& c, int depth) {
  if (depth == 0) return random_atom(c);
  if (c.below(3) == 0) {
    Type type{.kind = Kind::kStruct};
    for (std::uint64_t i = 0, n = 1 + c.below(3); i < n; ++i)
      type.children.push_back({.name = std::string(1, static_cast<char>('p' + i)),
                               .type = nested_type(c, c.below(4) == 0 ? depth - 1 : 0),
                               .nullable = c.one_in(4)});
    return type;
  }
  Type type{.kind = Kind::kFixedList, .width = 1 + c.below(3)};
  type.children.push_back(
      {.name = "item", .type = nested_type(c, depth - 1), .nullable = c.one_in(4)});
  return type;
}

// The values of its nested arrays are null here and there.
void hide_some(Choices& c, const std::vector<Field>& fields, std::vector<Array>& arrays,
               bool nested) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (nested && fields[i].nullable && arrays[i].length > 0 && c.one_in(3))
      arrays[i].set_null(c.below(arrays[i].length));
    hide_some(c, fields[i].type.children, arrays[i].children, true);
  }
}

// Few bits, so that fill values are rare.
Table narrow(Choices& c) {
  Table table{.rows = 200 + c.below(120)};
  Field field{.name = "x", .type = random_integer(c), .nullable = true};
  if (c.maybe()) field.type = {.kind = Kind::kFixedBytes, .width = 1};
  field.type.width = c.below(4) == 0 ? 2 : 1;
  Array array = empty_array(field.type);
  const std::uint64_t first = c.below(3) * 100;
  for (std::uint64_t row = 0; row < table.rows; ++row) {
    const std::uint64_t value = first + row;
    for (std::uint64_t k = 0; k < field.type.width; ++k)
      array.bytes.push_back(static_cast<std::byte>(value >> 8 * k));
    array.push(c.one_in(9));
  }
  table.schema.fields.push_back(std::move(field));
  table.columns.push_back(std::move(array));
  return table;
}

// What a field states about itself, true or not.
void describe(Choices& c, Field& field) {
  constexpr std::pair<std::string_view, std::string_view> kSaid[] = {
      {"hep001:fill", "7"},
      {"hep001:fill", "-1"},
      {"hep001:fill", "x"},
      {"hep001:fill", "nan"},
      {"hep001:valid_min", "0"},
      {"hep001:valid_min", "5"},
      {"hep001:valid_max", "100"},
      {"hep001:valid_max", "nan"},
      {"hep001:units", "GeV"},
      {"hep001:units_vocabulary", "none"},
      {"hep001:description", "a column"},
      {"hep001:attr:origin", "12"},
      {"hep001:attr-type:origin", "uint16"},
      {"hep001:attr:units", "twice"},
      {"hep001:attr:CLASS", "taken"},
      {"hep001:attr:arrow_type", "taken"},
      {"hep001:type", "int16be"},
      {"hep001:type", "float64be"},
      {"hep001:type", "string(5,spacepad,ascii)"},
      {"hep001:type", "string(*,nullterm,utf8)"},
      {"hep001:type", "no type"},
      {"other", "text"},
      {"", "nameless"},
  };
  for (std::uint64_t i = 0, n = c.below(5); i < n; ++i) {
    const auto& [key, value] = c.of(kSaid);
    field.metadata.emplace_back(key, value);
  }
}

Table described(Choices& c) {
  Table table = columns_of(c, c.below(9), [](Choices& choices) {
    return choices.below(4) == 0 ? random_type(choices, 2, false) : random_atom(choices);
  });
  for (Field& field : table.schema.fields) describe(c, field);
  constexpr std::pair<std::string_view, std::string_view> kOfTable[] = {
      {"hep001:version", "1.7"},
      {"hep001:version", "2.0"},
      {"hep001:title", "A title"},
      {"hep001:column_order", "1"},
      {"hep001:index_columns", "[\"c0\"]"},
      {"hep001:index_columns", "[\"c1\", \"c0\"]"},
      {"hep001:index_columns", "[\"none\"]"},
      {"hep001:index_columns", "[c0"},
      {"hep001:attr:_index", "c0"},
      {"hep001:attr:_index", "none"},
      {"hep001:attr:run", "12"},
      {"hep001:attr-type:run", "int32"},
  };
  for (std::uint64_t i = 0, n = c.below(5); i < n; ++i) {
    const auto& [key, value] = c.of(kOfTable);
    table.schema.metadata.emplace_back(key, value);
  }
  return table;
}

// Lists and structs whose items state something.
void describe_items(Choices& c, Field& field) {
  for (Field& each : field.type.children) {
    describe(c, each);
    describe_items(c, each);
  }
}

Table described_items(Choices& c) {
  Table table = columns_of(c, 1 + c.below(9), [](Choices& choices) {
    Type type{.kind = Kind::kList};
    const bool nested = choices.one_in(4);
    type.children.push_back({.name = "item",
                             .type = nested ? random_type(choices, 2, true) : random_atom(choices),
                             .nullable = choices.maybe()});
    return type;
  });
  for (Field& field : table.schema.fields) describe_items(c, field);
  return table;
}

Table with_datatype(Choices& c) {
  Table table{.rows = c.below(90)};
  for (std::uint64_t i = 0, n = 1 + c.below(2); i < n; ++i) {
    const std::string text = hep001::type_text(random_datatype(c)).value_or("");
    const auto type = hep001::parse_type(text);
    const auto mapping = type ? hep001::mapping_of(*type) : Result<hep001::Mapping>();
    if (!type || !mapping) continue;
    Field field{.name = std::format("c{}", i), .type = mapping->type, .nullable = true};
    field.metadata.emplace_back("hep001:type", text);
    Array array = empty_array(field.type);
    const bool nulls = c.maybe();
    for (std::uint64_t row = 0; row < table.rows; ++row) random_element(c, *mapping, nulls, array);
    table.schema.fields.push_back(std::move(field));
    table.columns.push_back(std::move(array));
  }
  return table;
}

Table with_names(Choices& c) {
  constexpr std::string_view kNames[] = {"a",  "b",      "Z",
                                         "10", "9",      "name with spaces",
                                         ".",  "",       "a/b",
                                         "a",  "CLASS",  "SEARCH_INDEXES",
                                         "é",  "_index", "c__CATEGORIES"};
  Table table = columns_of(c, c.below(4), [](Choices& choices) {
    return choices.maybe() ? random_labelled(choices) : random_integer(choices);
  });
  const std::uint64_t most = c.maybe() ? 6 : std::size(kNames);
  for (Field& field : table.schema.fields) field.name = kNames[c.below(most)];
  return table;
}

using Make = Table (*)(Choices&);
constexpr std::pair<std::string_view, Make> kFamilies[] = {
    {"any",
     [](Choices& c) {
       return columns_of(c, c.below(12),
                         [](Choices& choices) { return random_type(choices, 3, false); });
     }},
    {"many rows", [](Choices& c) { return columns_of(c, 60 + c.below(140), random_atom); }},
    {"nested",
     [](Choices& c) {
       Table table =
           columns_of(c, 1 + c.below(9), [](Choices& choices) { return nested_type(choices, 2); });
       hide_some(c, table.schema.fields, table.columns, false);
       return table;
     }},
    {"narrow", narrow},
    {"described", described},
    {"datatypes", with_datatype},
    {"names", with_names},
    {"labels",
     [](Choices& c) {
       return columns_of(c, c.below(80), [](Choices& choices) {
         return random_labelled(choices, choices.one_in(8));
       });
     }},
    {"lists",
     [](Choices& c) {
       return columns_of(c, 1 + c.below(20), [](Choices& choices) {
         Type type{.kind = Kind::kList};
         type.children.push_back(
             {.name = "item", .type = random_type(choices, 2, true), .nullable = choices.maybe()});
         return type;
       });
     }},
    {"described items", described_items},
};

// --- What becomes of them ------------------------------------------------------------------------

std::string lines_of(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& each : all) text += each + '\n';
  return text;
}

std::string bytes_of(const std::string& path) {
  return golden::digest_of(golden::file_text(path)) + '\n';
}

// Every byte of its metadata, but for those that HDF5 leaves uninitialised after a reference (11 of
// 18 bytes are used), and for checksums, which depend on them.
std::string metadata_of(const std::string& path) {
  const auto opened = open_for_reading(path);
  const FileMap map =
      hdf5::testing::map_of(Bytes::of_descriptor(opened->get(), path), {.fields = true});
  std::string text = lines_of(map.trouble);
  for (const FileField& field : map.fields) {
    if (field.name.ends_with("checksum")) continue;
    std::string value = field.value;
    if (field.name == "attribute: value" && field.size % 18 == 0)
      for (std::size_t at = 0; at + 36 <= value.size(); at += 36)
        if (value.compare(at, 6, "020008") == 0) std::fill_n(value.begin() + at + 22, 14, '.');
    text += std::format("{} {} {} {}\n", field.address, field.size, field.name, value);
  }
  return golden::digest_of(text) + '\n';
}

// With what the exit status depends on.
std::string refused(const auto& refusal) {
  return std::format("{}: {}\n", refusal.exit_status(), refusal.error.text());
}

class Pieces : public exchange::Source {
 public:
  Pieces(const Table& table, std::uint64_t rows) : table_(table), rows_(rows) {}
  const exchange::Schema& schema() const override { return table_.schema; }
  Result<std::optional<exchange::Batch>> next() override {
    if (at_ == table_.rows) return std::optional<exchange::Batch>{};
    const exchange::Batch all{.rows = table_.rows, .columns = table_.columns};
    const std::uint64_t first = std::exchange(at_, std::min(at_ + rows_, table_.rows));
    return slice(table_.schema, all, first, at_ - first);
  }

 private:
  const Table& table_;
  std::uint64_t rows_, at_ = 0;
};

std::string as_arrow(Choices& c, exchange::Source& source, const std::string& path) {
  auto file = exchange::NewFile::of(path, {.replace = true});
  if (!file) return file.error().cause + '\n';
  const auto done = arrow::write_table(source, *file,
                                       {.stream = c.maybe(),
                                        .compression = static_cast<arrow::Compression>(c.below(3)),
                                        .most_offset = c.maybe() ? 0x7FFFFFFFu : 20u});
  if (!done) return "not written: " + done.error().cause + '\n';
  std::string text = std::format("{} {} ", done->rows, done->batches) + bytes_of(path);
  const auto opened = open_for_reading(path);
  const auto read =
      arrow::read_table(Bytes::of_descriptor(opened->get(), path), {}, c.maybe() ? 1 << 24 : 3'000);
  if (!read) return text + "not read: " + read.error().cause + '\n';
  return text + conformance::table_text(read->table) + lines_of(read->losses);
}

std::string exported(Choices& c, const hep001::TablePlace& place, const std::string& arrow) {
  hep001::ExportOptions options{.binary = c.maybe(),
                                .partial = c.maybe(),
                                .batch_rows = c.maybe() ? 0 : 1 + c.below(70),
                                .most_offset = c.maybe() ? 0x7FFFFFFFu : 5u};
  options.file.examine.jobs = 1;
  if (c.one_in(4)) options.skip.insert(std::format("c{}", c.below(3)));
  const auto whole = hep001::open_table(place, options);
  if (!whole) return refused(whole.error());
  const exchange::TableLayout layout = (*whole)->layout();
  std::string text = lines_of((*whole)->losses()) + conformance::layout_text(layout) +
                     tiledb::testing::array_text(layout);
  const auto rows = exchange::whole(**whole);
  text += rows ? conformance::table_text(*rows) : "ends: " + rows.error().cause + '\n';
  const auto again = hep001::open_table(place, options);
  return again ? text + as_arrow(c, **again, arrow) : text;
}

// Of each kind over the first column.
std::string indexed(Choices& c, const hep001::TablePlace& place, const std::string& column) {
  std::string text;
  for (const hep001::IndexKind kind :
       {hep001::IndexKind::kSortedRows, hep001::IndexKind::kChunkMinmax, hep001::IndexKind::kBitmap,
        hep001::IndexKind::kChunkBloom}) {
    const hep001::IndexPlace at{.file = place.file,
                                .group = place.group,
                                .column = column,
                                .kind = kind,
                                .spec = place.spec};
    hep001::IndexOptions options{.max_values = 1 + c.below(100),
                                 .bits_per_value = static_cast<double>(1 + c.below(20)),
                                 .seed = static_cast<std::uint32_t>(c.below(3)),
                                 .date = std::chrono::sys_seconds{}};
    options.file.examine.jobs = 1;
    const auto made = hep001::build_index(at, options);
    text += made ? *made + '\n' : refused(made.error());
    if (made && c.one_in(4)) {  // a second one, or none any more
      const auto dropped =
          c.maybe() ? hep001::drop_index(at, {}) : hep001::build_index(at, options);
      text += dropped ? *dropped + '\n' : refused(dropped.error());
    }
  }
  return text;
}

bool has_labels(const Field& field) {
  return field.type.labels || std::ranges::any_of(field.type.children, has_labels);
}

// A group that is no table, one that does not exist, and no file.
std::string misplaced(hep001::TablePlace place, const Table& table) {
  std::string text;
  const auto try_to = [&](const auto& done) { text += done ? "done\n" : refused(done.error()); };
  const auto both = [&] {
    try_to(hep001::open_table(place, {}));
    try_to(hep001::build_index({.file = place.file,
                                .group = place.group,
                                .column = "none",
                                .kind = hep001::IndexKind::kBitmap,
                                .spec = place.spec},
                               {}));
  };
  both();
  try_to(hep001::import_table(table, place, {}));  // it is there already
  place.group = "/none";
  both();
  place.group = "/";
  both();
  try_to(hep001::import_table(table, place, {}));
  place.group.reset();
  both();
  place.file += " of nobody";
  both();
  return text;
}

struct Outcome {
  std::string text{};
  bool refused = false;
};

Outcome outcome_of(Choices& c, const Table& table, const Folder& folder) {
  Outcome made;
  Pieces pieces(table, 1 + c.below(80));
  made.text = as_arrow(c, pieces, folder.file("in.arrow"));
  const hep001::TablePlace place{
      .file = folder.file("a.h5"),
      .group = c.maybe() ? "/t" : "/deep/in/it",
      .spec = find_specification(c.one_in(3) ? "hep001-2026-06-16" : "hep001-2026-07-09")};
  const auto imported = hep001::import_table(table, place, {});
  if (!imported) {
    made.refused = true;
    made.text += refused(imported.error());
    return made;
  }
  made.text += lines_of(imported->losses) + exported(c, place, folder.file("out.arrow"));
  const bool with_indexes = c.one_in(3);
  if (with_indexes) made.text += indexed(c, place, table.schema.fields[0].name);
  const FileReport report =
      examine_file(place.file, std::nullopt, place.spec, {.examine = {.jobs = 1}});
  made.text += conformance::findings_text(report);
  const bool references = with_indexes || table.schema.find("hep001:index_columns") ||
                          std::ranges::any_of(table.schema.fields, has_labels);
  if (c.one_in(20)) made.text += misplaced(place, table);
  made.text += references ? metadata_of(place.file) : bytes_of(place.file);
  return made;
}

std::string without_folder(std::string text, const Folder& folder) {
  const std::string path = folder.path.string();
  for (std::size_t at; (at = text.find(path)) != std::string::npos;) text.erase(at, path.size());
  return text;
}

TEST(RandomExchanges, ReportsEqualTheGoldenFile) {
  if (HEPCHECK_HDF5 < 2) GTEST_SKIP() << "HDF5 1 writes other files";
  std::string text;
  for (const auto& [name, make] : kFamilies) {
    std::size_t refused = 0;
    std::string all;
    for (std::uint64_t i = 0; i < kTables; ++i) {
      Noise choices((i + 1) * 0x9E3779B97F4A7C15);
      const Table table = make(choices);
      const Folder folder;
      const Outcome outcome = outcome_of(choices, table, folder);
      refused += outcome.refused;
      all += without_folder(outcome.text, folder);
    }
    text += std::format("{}: {} {} {}\n", name, kTables, refused, golden::digest_of(all));
  }
  EXPECT_TRUE(golden::equals(text, "fuzz/exchange/golden/tables.txt"));
}

}  // namespace
}  // namespace hepcheck::fuzz
