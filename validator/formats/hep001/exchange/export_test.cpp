// What is exported of a column, and why one is refused: the values of any block, nulls, names of
// codes, logical types, lists; and the layout of a table for formats that have one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <format>
#include <limits>
#include <string>
#include <vector>

#include "validator/exchange/layout.h"
#include "validator/formats/hep001/exchange/describe.h"
#include "validator/formats/hep001/exchange/export_column.h"
#include "validator/formats/hep001/exchange/layout.h"
#include "validator/formats/hep001/exchange/type_text.h"
#include "validator/formats/hep001/testing/build.h"
#include "validator/utf8.h"

namespace hepcheck::hep001 {

namespace {

using exchange::Array;
using exchange::Kind;
using Texts = std::vector<std::string>;

const Specification& newer() { return *find_specification("hep001-2026-07-09"); }

// One value of an array in words.
std::string shown(const exchange::Type& type, const Array& array, std::uint64_t i) {
  if (type.kind == Kind::kNull || array.null(i)) return "null";
  if (type.labels)
    return shown(type.labels->type, type.labels->values,
                 static_cast<std::uint64_t>(exchange::integer_at(type, array, i)));
  std::string text;
  const auto elements = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t k = begin; k < end; ++k)
      text += (text.empty() ? "" : " ") + shown(type.children[0].type, array.children[0], k);
    return '[' + text + ']';
  };
  switch (type.kind) {
    case Kind::kInteger: return std::to_string(exchange::integer_at(type, array, i));
    case Kind::kBoolean: return array.bytes[i] == std::byte{0} ? "false" : "true";
    case Kind::kText:
    case Kind::kBytes: return std::string(array.text(i));
    case Kind::kList: return elements(array.offsets[i], array.offsets[i + 1]);
    case Kind::kFixedList: return elements(i * type.width, (i + 1) * type.width);
    case Kind::kStruct:
      for (std::size_t k = 0; k < type.children.size(); ++k)
        text += (text.empty() ? "" : " ") + shown(type.children[k].type, array.children[k], i);
      return '{' + text + '}';
    default: return std::string(array.fixed(i, type.width));
  }
}

struct Exported {
  exchange::Field field{};
  std::string values{};  // or why there are none
  Texts losses{};
};

// A column, `step` rows at a time, or why it is refused.
Exported exported(TableBuilder& t, const std::string& name, std::uint64_t step = 100,
                  bool binary = false) {
  const Table& table = t.finish(newer());
  ColumnContext context{.table = table, .values = t.values, .binary = binary};
  const auto list = table.list_by_name.find(name);
  const auto reader = list != table.list_by_name.end()
                          ? list_reader(context, table.lists[list->second])
                          : column_reader(context, table.columns[table.column_by_name.at(name)]);
  if (!reader) return {.values = "refused: " + reader.error().text()};
  Exported made{.field = (*reader)->field()};
  for (std::uint64_t row = 0; row < *table.nrows; row += step) {
    const std::uint64_t count = std::min(step, *table.nrows - row);
    const auto part = (*reader)->read(row, count);
    if (!part) {
      made.values = "wrong: " + part.error().text();
      break;
    }
    EXPECT_EQ(part->length, count);
    // Texts that are null as well.
    if (made.field.type.kind == Kind::kText) {
      EXPECT_TRUE(is_utf8({reinterpret_cast<const char*>(part->bytes.data()), part->bytes.size()}));
    }
    for (std::uint64_t i = 0; i < count; ++i)
      made.values += (made.values.empty() ? "" : ", ") + shown(made.field.type, *part, i);
  }
  made.losses = std::move(context.losses);
  return made;
}

// A column of one table, in steps of every length.
template <class Make>
std::string values_of(const std::string& name, Make make) {
  std::string all;
  for (const std::uint64_t step : {100, 1, 3, 4, 5, 7}) {
    TableBuilder t("/t", 10);
    make(t);
    const std::string some = exported(t, name, step).values;
    if (all.empty()) all = some;
    EXPECT_EQ(some, all) << step;
  }
  return all;
}

std::string column(const Datatype& type, const Cells& cells, const Cell& fill,
                   std::uint64_t chunk = 0) {
  return values_of("x", [&](TableBuilder& t) { t.add_column("x", type, cells, fill, chunk); });
}

// --- Nulls and codes -----------------------------------------------------------------------------

// In any byte order, with any number of missing rows in a block.
TEST(Exported, NullsOfEveryBlock) {
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig})
    for (const std::uint64_t chunk : {0, 1, 3, 4, 10})
      for (const std::size_t size : {1, 2, 4, 8}) {
        const Datatype type = integer_type(size, true, order);
        EXPECT_EQ(column(type, {1, 2, -9, 4, -9, -9, 7, 8, 9, -9}, -9, chunk),
                  "1, 2, null, 4, null, null, 7, 8, 9, null");
        EXPECT_EQ(column(type, Cells(10, -9), -9, chunk),
                  "null, null, null, null, null, null, null, null, null, null");
        EXPECT_EQ(column(type, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, -9, chunk),
                  "0, 1, 2, 3, 4, 5, 6, 7, 8, 9");
      }
}

// A null of a float column contains the fill value, whatever equal value was there: another zero,
// or another NaN. The bytes are the same for blocks of any size.
TEST(Exported, NullsOfFloats) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t size : {4, 8})
    for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig})
      for (const double fill : {0.0, -0.0, -9.0, kNan}) {
        const Datatype type = ieee_float_type(size, order);
        const Cells cells{0.0, 1.5, -0.0, -9.0, kNan, 2.5, -9.0, -kNan, 0.0, -3.0};
        std::string all;
        for (const std::uint64_t rows : {100, 1, 2, 3, 4, 7}) {
          TableBuilder t("/t", 10);
          t.add_column("x", type, cells, fill);
          t.values.block_rows = rows;
          t.values.blocks_are_chunks = false;
          const Table& table = t.finish(newer());
          ColumnContext context{.table = table, .values = t.values};
          const auto reader = column_reader(context, table.columns[0]);
          ASSERT_TRUE(reader);
          const auto array = (*reader)->read(0, 10);
          ASSERT_TRUE(array);
          std::string text;
          for (std::uint64_t i = 0; i < 10; ++i) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, array->bytes.data() + i * size, size);
            text += std::format("{}{:x} ", array->null(i) ? "null " : "", bits);
          }
          if (all.empty()) all = text;
          EXPECT_EQ(text, all) << rows;
        }
        // Each null has the bytes of the fill value.
        std::uint64_t bits = 0;
        const std::vector<std::byte> bytes = Cell(fill).stored_as(ieee_float_type(size));
        std::memcpy(&bits, bytes.data(), size);
        for (std::size_t at = 0; (at = all.find("null ", at)) != std::string::npos; at += 5)
          EXPECT_EQ(all.substr(at + 5, all.find(' ', at + 5) - at - 5), std::format("{:x}", bits));
      }
}

// Blocks of many rows are compared 64 at a time.
TEST(Exported, NullsAmongManyRows) {
  constexpr std::uint64_t kRows = 300;
  for (const Datatype& type : {integer_type(4, true), ieee_float_type(8), ieee_float_type(4)})
    for (const std::uint64_t null : {0, 1, 63, 64, 65, 127, 128, 255, 256, 257, 298, 299}) {
      TableBuilder t("/t", kRows);
      Cells cells;
      for (std::uint64_t i = 0; i < kRows; ++i)
        cells.push_back(type.is(TypeClass::kFloat) ? Cell(i == null ? -9.0 : 1.0)
                                                   : Cell(i == null ? -9 : 1));
      t.add_column("x", type, cells, type.is(TypeClass::kFloat) ? Cell(-9.0) : Cell(-9));
      t.values.block_rows = kRows;
      const Table& table = t.finish(newer());
      ColumnContext context{.table = table, .values = t.values};
      const auto reader = column_reader(context, table.columns[0]);
      ASSERT_TRUE(reader);
      const auto array = (*reader)->read(0, kRows);
      ASSERT_TRUE(array);
      EXPECT_EQ(array->nulls, 1u);
      EXPECT_TRUE(array->null(null)) << null;
    }
}

Datatype colours() {
  return enum_type(integer_type(1, true), {{"red", 5}, {"green", -3}, {"MISSING", 7}});
}

TEST(Exported, NamesOfCodes) {
  EXPECT_EQ(column(colours(), {5, -3, 7, 5, 5, -3, 7, 7, -3, 5}, 7),
            "red, green, null, red, red, green, null, null, green, red");
  // Codes of every width, the least and the largest among them.
  for (const std::size_t size : {1, 2, 4, 8}) {
    const std::int64_t least = std::numeric_limits<std::int64_t>::min() >> (64 - 8 * size);
    const Datatype type = enum_type(integer_type(size, true, ByteOrder::kBig),
                                    {{"least", least}, {"most", ~least}, {"MISSING", 3}});
    Cells cells(10, 3);
    cells[2] = least;
    cells[7] = ~least;
    EXPECT_EQ(column(type, cells, 3),
              "null, null, least, null, null, null, null, most, null, null");
  }
  // A code that is not a member, in any block: numbers, and what is lost.
  for (std::uint64_t row = 0; row < 10; ++row) {
    TableBuilder t("/t", 10);
    Cells cells(10, 5);
    cells[row] = 4;
    t.add_column("x", colours(), cells, 7);
    const Exported made = exported(t, "x");
    EXPECT_EQ(made.field.type.kind, Kind::kInteger);
    EXPECT_FALSE(made.field.type.labels);
    EXPECT_EQ(made.losses,
              Texts{std::format("/t/x (names of the enumeration: row {} has a code that is not a "
                                "member, so numbers are exported)",
                                row)});
  }
}

TEST(Exported, EnumerationsInsideOtherValues) {
  TableBuilder t("/t", 10);
  Datatype type{.cls = TypeClass::kArray, .size = 2, .dims = {2}};
  type.base = std::make_shared<const Datatype>(colours());
  t.add_column("x", type, Cells(10, std::string("\5\5", 2)), std::string("\1\1", 2));
  t.values.set(t.dataset("x").token, std::vector<std::byte>(20, std::byte{5}));
  EXPECT_TRUE(exported(t, "x").values.starts_with("[red red], [red red]"));
  std::vector<std::byte> bytes(20, std::byte{5});
  bytes[13] = std::byte{4};  // of row 6
  t.values.set(t.dataset("x").token, bytes);
  EXPECT_EQ(exported(t, "x").values,
            "wrong: /t/x, row 6: the code 4 is not a member of the enumeration");
}

TEST(Exported, TruthValues) {
  const Datatype truth =
      enum_type(integer_type(1, true), {{"FALSE", 0}, {"TRUE", 1}, {"MISSING", 2}});
  EXPECT_EQ(column(truth, {0, 1, 2, 1, 0, 0, 2, 1, 1, 0}, 2),
            "false, true, null, true, false, false, null, true, true, false");
  for (const std::uint64_t row : {0, 3, 4, 9}) {
    Cells cells(10, 1);
    cells[row] = 3;
    EXPECT_EQ(column(truth, cells, 2),
              std::format("wrong: /t/x, row {}: the value 3 is neither FALSE nor TRUE", row));
  }
}

// --- Categories ----------------------------------------------------------------------------------

void add_categorical(TableBuilder& t, const Cells& codes) {
  t.add_column("x", integer_type(1, true), codes, -1);
  t.add_group("CATEGORIES");
  t.add_dataset("CATEGORIES/c", fixed_string_type(3, StringPadding::kNullPad, CharacterSet::kUtf8),
                {3}, {"a", "bb", "ccc"});
  t.set("x", reference("CATEGORIES", t.to("CATEGORIES/c")));
}

TEST(Exported, Categories) {
  EXPECT_EQ(
      values_of("x", [](TableBuilder& t) { add_categorical(t, {0, 1, 2, -1, 2, 1, 0, -1, 0, 2}); }),
      "a, bb, ccc, null, ccc, bb, a, null, a, ccc");
  for (const std::uint64_t row : {0, 3, 4, 7, 9})
    for (const int code : {3, -2}) {
      Cells codes(10, 1);
      codes[row] = code;
      EXPECT_EQ(values_of("x", [&](TableBuilder& t) { add_categorical(t, codes); }),
                std::format("wrong: /t/x, row {}: the code {} is not one of the 3 categories", row,
                            code));
    }
  TableBuilder t("/t", 10);
  add_categorical(t, Cells(10, 1));
  t.set("x", reference("CATEGORIES", dangling_reference()));
  EXPECT_EQ(exported(t, "x").values, "refused: /t/x: its categories cannot be found");
}

// What a categories dataset has besides its values is lost, except for the order.
TEST(Exported, AttributesOfCategoriesAreLost) {
  TableBuilder t("/t", 10);
  add_categorical(t, Cells(10, 1));
  t.set("CATEGORIES/c", utf8("author", "a"));
  t.set("CATEGORIES/c", boolean("ordered", true));
  t.set("CATEGORIES/c", utf8("zone", "z"));
  const Exported made = exported(t, "x");
  EXPECT_TRUE(made.field.type.ordered);
  EXPECT_EQ(made.losses, (Texts{"/t/CATEGORIES/c@author", "/t/CATEGORIES/c@zone"}));
}

// Labels that are codes of an enumeration themselves, of which one may be missing.
TEST(Exported, CategoriesThatAreAnEnumeration) {
  TableBuilder t("/t", 10);
  t.add_column("x", integer_type(1, true), {0, 1, 2, 0, 1, 2, 0, 1, 2, -1}, -1);
  t.add_group("CATEGORIES");
  Dataset& labels = t.add_dataset("CATEGORIES/c", colours(), {3}, {-3, 7, 5});
  labels.storage.fill_state = FillState::kUserDefined;
  labels.storage.fill = {std::byte{7}};
  t.set("x", reference("CATEGORIES", t.to("CATEGORIES/c")));
  EXPECT_EQ(exported(t, "x").values, "green, null, red, green, null, red, green, null, red, null");
}

// --- What cannot be exported ---------------------------------------------------------------------

TEST(Refused, ColumnsOfWhichNothingIsKnown) {
  TableBuilder t("/t", 10);
  t.add_column("x", integer_type(1, true), Cells(10, 1), -1);
  t.set("x", utf8("MASK", "m"));
  EXPECT_EQ(exported(t, "x").values,
            "refused: /t/x: an attribute MASK, which is reserved: the fill value alone does not "
            "determine the nulls");
  t.erase("x", "MASK");
  t.dataset("x").unreadable = "damaged";
  EXPECT_EQ(exported(t, "x").values, "refused: /t/x: damaged");
}

TEST(Exported, NullsWithOtherBytes) {
  for (const Datatype& type : {fixed_string_type(2, StringPadding::kNullPad, CharacterSet::kUtf8),
                               variable_string_type(CharacterSet::kUtf8)})
    EXPECT_EQ(column(type, {"a", "\xFF", "b", "\xFF", "c", "d", "\xFF", "e", "f", "\xFF"}, "\xFF"),
              "a, null, b, null, c, d, null, e, f, null");
}

TEST(Refused, TextsThatAreNotUtf8) {
  const Datatype type = fixed_string_type(4, StringPadding::kNullPad, CharacterSet::kUtf8);
  for (const std::uint64_t row : {0, 5, 9}) {
    Cells cells(10, "ab");
    cells[row] = "\xFF";
    EXPECT_EQ(column(type, cells, ""),
              std::format("wrong: /t/x, row {}: a string that is not UTF-8", row));
    TableBuilder t("/t", 10);
    t.add_column("x", type, cells, "");
    EXPECT_EQ(exported(t, "x", 100, /*binary=*/true).field.type.kind, Kind::kBytes);
  }
}

// The narrower type that the logical type names.
TEST(Refused, ValuesThatTheirLogicalTypeDoesNotHave) {
  const auto narrow = [](const Datatype& type, const Cells& cells, const char* meaning) {
    return values_of("x", [&](TableBuilder& t) {
      t.add_column("x", type, cells, -9);
      t.set("x", utf8("arrow_type", meaning));
    });
  };
  EXPECT_EQ(narrow(integer_type(2, true), {1, -128, 127, -9, 0, 0, 0, 0, 0, 0}, "int8"),
            "1, -128, 127, null, 0, 0, 0, 0, 0, 0");
  for (const std::uint64_t row : {0, 5, 9})
    for (const int value : {128, -129}) {
      Cells cells(10, 1);
      cells[row] = value;
      EXPECT_EQ(narrow(integer_type(2, true), cells, "int8"),
                std::format("wrong: /t/x, row {}: {} does not fit the type that arrow_type names",
                            row, value));
    }
  Cells cells(10, 255);
  EXPECT_EQ(narrow(integer_type(2, false), cells, "uint8").substr(0, 8), "255, 255");
  cells[8] = 256;
  EXPECT_EQ(narrow(integer_type(2, false), cells, "uint8"),
            "wrong: /t/x, row 8: 256 does not fit the type that arrow_type names");
}

// The row is that of the list in which the item is.
TEST(Refused, ItemsThatTheirLogicalTypeDoesNotHave) {
  for (const std::size_t wrong : {0, 7, 29}) {
    std::vector<std::int16_t> items(30, 5);
    items[wrong] = 300;
    std::vector<std::byte> rows(10 * 16);
    for (std::size_t row = 0; row < 10; ++row) {
      const std::uint64_t count = 3;
      const std::int16_t* const begin = items.data() + 3 * row;
      std::memcpy(rows.data() + 16 * row, &count, sizeof count);
      std::memcpy(rows.data() + 16 * row + 8, &begin, sizeof begin);
    }
    Datatype type{.cls = TypeClass::kVlen, .size = 16};
    type.base = std::make_shared<const Datatype>(integer_type(2, true));
    const std::string none(16, '\0');
    TableBuilder t("/t", 10);
    t.add_column("x", type, Cells(10, none), none);
    t.values.set(t.dataset("x").token, rows);
    t.set("x", utf8("arrow_type", "int8"));
    EXPECT_EQ(exported(t, "x").values,
              std::format("wrong: /t/x, row {}: 300 does not fit the type that arrow_type names",
                          wrong / 3));
  }
}

// --- Lists ---------------------------------------------------------------------------------------

template <class Bend>
std::string tracks(Bend bend) {
  TableBuilder t = newer_table();
  bend(t);
  return exported(t, "tracks").values;
}

TEST(ExportedLists, OfEveryStep) {
  for (const std::uint64_t step : {100, 1, 3, 4, 5, 7}) {
    TableBuilder t = newer_table();
    EXPECT_EQ(exported(t, "tracks", step).values,
              "[1 2], [], [3 4 5], [], null, [6], [], [], [], [7]")
        << step;
    EXPECT_EQ(exported(t, "tags", step).values.substr(0, 4), "[ab]") << step;
  }
}

TEST(ExportedLists, ThatCannotBeUsed) {
  EXPECT_EQ(
      tracks([](TableBuilder& t) { t.store("tracks/OFFSETS", {0, 2, 1, 5, 5, 5, 6, 6, 6, 6, 7}); }),
      "wrong: /t/tracks: OFFSETS decreases");
  EXPECT_EQ(
      tracks([](TableBuilder& t) { t.dataset("tracks/OFFSETS").type = integer_type(8, true); }),
      "refused: /t/tracks: its OFFSETS cannot be used");
  EXPECT_EQ(tracks([](TableBuilder& t) { t.remove("tracks/OFFSETS"); }),
            "refused: /t/tracks: its OFFSETS cannot be used");
  EXPECT_EQ(tracks([](TableBuilder& t) { t.dataset("tracks/MASK").type = integer_type(2, true); }),
            "refused: /t/tracks: its MASK cannot be used");
  EXPECT_EQ(tracks([](TableBuilder& t) { t.set("tracks", ascii("KIND", "LATER")); }),
            "refused: /t/tracks: its KIND is not OFFSETS, so its contents are unknown");
  EXPECT_EQ(tracks([](TableBuilder& t) { t.dataset("tracks/VALUES").unreadable = "damaged"; }),
            "refused: /t/tracks: its VALUES cannot be used");
  EXPECT_EQ(tracks([](TableBuilder& t) {
              t.remove("tracks/VALUES");
              t.add_group("tracks/VALUES");
            }),
            "refused: /t/tracks: its VALUES is not a list");
  TableBuilder t = newer_table();
  t.store("tags/VALUES/CHARS", {97, 98, 255, 97, 97, 97, 97});
  EXPECT_EQ(exported(t, "tags").values, "wrong: /t/tags: a string that is not UTF-8");
}

// An error in an element names the list, and one in a narrower element too.
TEST(ExportedLists, ElementsThatTheirLogicalTypeDoesNotHave) {
  EXPECT_EQ(tracks([](TableBuilder& t) {
              t.set("tracks/VALUES", utf8("arrow_type", "int8"));
              t.store("tracks/VALUES", {1, 2, 3, 4, 5, 6, 300, 99});
            }),
            "wrong: /t/tracks: 300 does not fit the type that arrow_type names");
  EXPECT_EQ(tracks([](TableBuilder& t) { t.set("tracks/VALUES", utf8("arrow_type", "int8")); }),
            "[1 2], [], [3 4 5], [], null, [6], [], [], [], [7]");
}

// --- Layouts -------------------------------------------------------------------------------------

std::string words(const exchange::ColumnLayout& column) {
  constexpr const char* kKinds[] = {"integer", "float", "boolean", "text", "opaque"};
  std::string text =
      std::format("{} {} of {}{}{}{} fill", column.name, kKinds[static_cast<int>(column.kind)],
                  column.width, column.is_signed ? " signed" : "", column.utf8 ? " utf8" : "",
                  column.variable ? ", variable" : std::format(", {} a cell", column.count));
  for (const std::byte each : column.fill) text += std::format(" {}", std::to_integer<int>(each));
  if (column.categories) text += std::format(", categories {}", *column.categories);
  if (column.chunk > 0) text += std::format(", chunks of {}", column.chunk);
  for (const exchange::StoredFilter& each : column.filters)
    text += ", " + each.name + (each.level ? ' ' + std::to_string(*each.level) : "");
  return text;
}

exchange::TableLayout layout(TableBuilder& t) {
  const Table& table = t.finish(newer());
  ColumnContext context{.table = table, .values = t.values};
  exchange::Schema schema;
  for (const Column& each : table.columns) {
    const auto reader = column_reader(context, each);
    if (reader)
      schema.fields.push_back((*reader)->field());
    else
      ADD_FAILURE() << reader.error().text();
  }
  for (const ListColumn& each : table.lists)
    schema.fields.push_back({.name = each.name, .type = {.kind = Kind::kList}});
  return layout_of(table, schema, {"lost before"});
}

// The layout of a column of this type, or why it has none.
std::string layout_of_type(const Datatype& type, const std::string& value = {},
                           const std::string& fill = {}) {
  TableBuilder t("/t", 3);
  t.add_column("x", type, Cells(3, value), fill);
  const exchange::TableLayout made = layout(t);
  return made.columns.empty() ? "refused " + made.refused.at(0) : words(made.columns[0]);
}

Datatype array_of(const Datatype& base, std::vector<std::uint64_t> dims) {
  Datatype made{.cls = TypeClass::kArray, .size = base.size};
  for (const std::uint64_t each : dims) made.size *= each;
  made.dims = std::move(dims);
  made.base = std::make_shared<const Datatype>(base);
  return made;
}

TEST(Layouts, OfEveryType) {
  TableBuilder t("/t", 3);
  t.add_column("a", integer_type(4, true), Cells(3, 1), 258);
  t.add_column("b", integer_type(2, false, ByteOrder::kBig), Cells(3, 1), 258);
  t.add_column("c", ieee_float_type(8), Cells(3, 1.0), 0.0);
  t.add_column("d", colours(), Cells(3, 5), 7);
  t.add_column("e", fixed_string_type(4, StringPadding::kSpacePad, CharacterSet::kAscii),
               Cells(3, "ab"), "c");
  t.add_column("f", fixed_string_type(2, StringPadding::kNullPad, CharacterSet::kUtf8),
               Cells(3, "ab"), "", 2);
  const exchange::TableLayout made = layout(t);
  EXPECT_EQ(made.path, "/t");
  EXPECT_EQ(made.rows, 3u);
  Texts columns;
  for (const exchange::ColumnLayout& each : made.columns) columns.push_back(words(each));
  EXPECT_EQ(
      columns,
      (Texts{"a integer of 4 signed, 1 a cell fill 2 1 0 0", "b integer of 2, 1 a cell fill 2 1",
             "c float of 8, 1 a cell fill 0 0 0 0 0 0 0 0",
             "d integer of 1 signed, 1 a cell fill 7", "e text of 1, 4 a cell fill 99 0 0 0",
             "f text of 1 utf8, 2 a cell fill 0 0, chunks of 2"}));
  EXPECT_EQ(made.refused, Texts{});
  EXPECT_EQ(made.losses,
            (Texts{"lost before", "column \"b\": byte order",
                   "column \"d\": names of the members of its enumeration",
                   "column \"e\": padding of strings", "column \"f\": padding of strings"}));
}

TEST(Layouts, OfCellsWithManyValues) {
  EXPECT_EQ(layout_of_type(opaque_type(3), "abc", "xyz"),
            "x opaque of 1, 3 a cell fill 120 121 122");
  EXPECT_EQ(
      layout_of_type(array_of(integer_type(2, true), {2, 3}), std::string(12, 'a'), "aAbBcCdDeEfF"),
      "x integer of 2 signed, 6 a cell fill 97 65 98 66 99 67 100 68 101 69 102 70");
  EXPECT_EQ(layout_of_type(array_of(integer_type(2, true, ByteOrder::kBig), {3}),
                           std::string(6, 'a'), "aAbBcC"),
            "x integer of 2 signed, 3 a cell fill 65 97 66 98 67 99");
  EXPECT_EQ(layout_of_type(array_of(opaque_type(2), {2}), "abcd", "wxyz"),
            "x opaque of 1, 4 a cell fill 119 120 121 122");
  EXPECT_EQ(layout_of_type(ieee_float_type(2), "ab", "cd"),
            "refused x: its datatype has no equivalent");
}

// Columns that share their categories, and others.
TEST(Layouts, OfCategories) {
  TableBuilder t("/t", 3);
  t.add_group("CATEGORIES");
  for (const char* name : {"c", "d"})
    t.add_dataset(std::string("CATEGORIES/") + name,
                  fixed_string_type(2, StringPadding::kNullPad, CharacterSet::kUtf8), {2},
                  {"a", "b"});
  t.add_dataset("CATEGORIES/n", integer_type(1, true), {2}, {4, 5});
  t.add_dataset("CATEGORIES/twice",
                fixed_string_type(2, StringPadding::kNullPad, CharacterSet::kUtf8), {3},
                {"a", "b", "a"});
  t.set("CATEGORIES/d", boolean("ordered", true));
  for (const auto& [column, categories] :
       {std::pair("p", "d"), std::pair("q", "c"), std::pair("r", "d"), std::pair("s", "n"),
        std::pair("u", "twice"), std::pair("v", "c")}) {
    t.add_column(column, integer_type(1, true), Cells(3, 1), -1);
    t.set(column, reference("CATEGORIES", t.to(std::string("CATEGORIES/") + categories)));
  }
  const exchange::TableLayout made = layout(t);
  std::vector<std::optional<std::size_t>> of;
  for (const exchange::ColumnLayout& each : made.columns) of.push_back(each.categories);
  using Optional = std::optional<std::size_t>;
  EXPECT_EQ(of, (std::vector<Optional>{0, 1, 0, std::nullopt, std::nullopt, 1}));
  ASSERT_EQ(made.categories.size(), 2u);
  EXPECT_EQ(made.categories[0].name, "d");
  EXPECT_TRUE(made.categories[0].ordered);
  EXPECT_EQ(made.categories[1].name, "c");
  EXPECT_FALSE(made.categories[1].ordered);
  EXPECT_EQ(made.categories[1].values, (Texts{"a", "b"}));
  EXPECT_EQ(made.losses, (Texts{"lost before", "column \"s\": its categories, which are not texts",
                                "column \"u\": its categories, of which two are equal"}));
}

TEST(Layouts, NameWhatTheyLose) {
  TableBuilder t = newer_table();
  t.set("ts", utf8("comment", "x"));
  t.set("", utf8("remark", "x"));
  const exchange::TableLayout made = layout(t);
  EXPECT_EQ(made.rows, 10u);
  const auto loses = [&](const std::string& what) {
    return std::ranges::count(made.losses, what) == 1;
  };
  EXPECT_TRUE(loses("column \"ts\": rows beyond NROWS"));
  EXPECT_TRUE(loses("column \"ts\": comment"));
  EXPECT_TRUE(loses("column \"ts\": valid_min"));
  EXPECT_TRUE(loses("column \"ts\": valid_max"));
  EXPECT_TRUE(loses("search index /t/SEARCH_INDEXES/ts__minmax"));
  EXPECT_TRUE(loses("search index /t/SEARCH_INDEXES/name__bloom"));
  EXPECT_TRUE(std::ranges::contains(made.refused, "tracks: it is a list column"));
  EXPECT_TRUE(std::ranges::contains(made.refused, "tags: it is a list column"));
  EXPECT_TRUE(std::ranges::contains(made.refused, "impedance: its datatype has no equivalent"));
  EXPECT_EQ(made.refused.size(), 3u);
}

// --- What fields and tables say ------------------------------------------------------------------

// Each end of the valid range, an attribute that has no text among others that have one.
// Lists of texts in metadata: any bytes and back, and texts that are no lists.
TEST(Described, ListsOfTexts) {
  using List = std::vector<std::string>;
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  for (const List& texts :
       {List{}, {""}, {"", ""}, {"a"}, {"a", "b c", "\"\\\""}, {all}, {"\n\t\x1f\x7f", "é"}})
    EXPECT_EQ(parse_json_list(json_list(texts)), texts);
  EXPECT_EQ(json_list({"a\"\\", "\x01\x1f "}), R"(["a\"\\","\u0001\u001f "])");
  for (const auto& [text, wanted] : {std::pair<const char*, List>(" [ ] ", {}),
                                     {"[]\n\t", {}},
                                     {R"( [ "a" , "b" ]	)", {"a", "b"}},
                                     {R"(["\n\t\/\"\\\u0041\u00ff"])", {"\n\t/\"\\A\xff"}},
                                     {R"(["]",","])", {"]", ","}}})
    EXPECT_EQ(parse_json_list(text), wanted) << text;
  for (const char* text : {"",
                           " ",
                           "[",
                           "]",
                           "[,]",
                           "[\"a\"",
                           "[\"a\",",
                           "[\"a\",]",
                           "[\"a\" \"b\"]",
                           "[a]",
                           "[\"a]",
                           "[\"a\"]]",
                           "[] x",
                           "\"a\"",
                           "[\"\\",
                           "[\"\\\"]",
                           "[\"\\u\"]",
                           "[\"\\u00\"]",
                           "[\"\\u004\"]",
                           "[\"\\u0141\"]",
                           "[\"\\u00zz\"]",
                           "[\"\\u0041",
                           "[\"\\u0041]",
                           "\r[]"})
    EXPECT_EQ(parse_json_list(text), std::nullopt) << text;
}

TEST(Described, AttributesOfColumns) {
  TableBuilder t("/t", 3);
  t.add_column("x", integer_type(2, true), Cells(3, 1), -9);
  t.set("x", attribute("valid_min", integer_type(2, true), Cell(-5)));
  t.set("x", attribute("valid_max", integer_type(2, true), Cell(6)));
  t.set("x", attribute("a list", integer_type(2, true), Cells{1, 2}));
  t.set("x", utf8("units", "m"));
  t.set("x", utf8("zone", "z"));
  const Exported made = exported(t, "x");
  const exchange::Metadata wanted{{"hep001:fill", "-9"},
                                  {"hep001:valid_min", "-5"},
                                  {"hep001:valid_max", "6"},
                                  {"hep001:units", "m"},
                                  {"hep001:attr:zone", "z"}};
  EXPECT_EQ(made.field.metadata, wanted);
  EXPECT_EQ(made.losses, Texts{"/t/x@a list"});
}

TEST(Described, IndexColumns) {
  TableBuilder t("/t", 3);
  for (const char* name : {"a", "b", "c"})
    t.add_column(name, integer_type(2, true), Cells(3, 1), -9);
  t.set("", references("INDEX_COLUMNS", {t.to("c"), dangling_reference(), t.to("b"), t.to("a")}));
  std::vector<std::string> losses;
  const exchange::Metadata made = describe_table(t.finish(newer()), {"b"}, losses);
  EXPECT_TRUE(std::ranges::contains(
      made, exchange::Metadata::value_type("hep001:index_columns", "[\"c\",\"a\"]")));
  EXPECT_EQ(losses, Texts{"/t@INDEX_COLUMNS: b, which is skipped"});
}

}  // namespace

}  // namespace hepcheck::hep001
