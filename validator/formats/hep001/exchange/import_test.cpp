#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <format>
#include <limits>

#include "validator/exchange/testing/build.h"
#include "validator/exchange/testing/folder.h"
#include "validator/formats/hep001/exchange/import_table.h"
#include "validator/formats/hep001/exchange/plan.h"
#include "validator/formats/hep001/exchange/type_text.h"
#include "validator/formats/hep001/libhdf5/handle.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hep001 {

namespace {

using namespace exchange::testing;
using exchange::Array;
using exchange::Kind;
using exchange::Metadata;
using exchange::Type;
using Texts = std::vector<std::string>;
using NeutralTable = exchange::Table;

constexpr const char *kNewer = "hep001-2026-07-09", *kOlder = "hep001-2026-06-16";

// "type; fill; attributes" of a dataset.
std::string words(const libhdf5::NewDataset& data) {
  std::string made = type_text(data.type).value_or("?");
  made += "; " + (data.fill ? value_text(data.type, *data.fill).value_or("?") : "none");
  for (const libhdf5::NewAttribute& each : data.attributes)
    made += std::format("; {}={}", each.name, value_text(each.type, each.bytes).value_or("?"));
  return made;
}

std::string words(const libhdf5::NewGroup& group) {
  std::string made = "{";
  for (const auto& member : group.members)
    made += std::visit([](const auto& each) { return each.name + ": " + words(each); }, member) +
            (&member == &group.members.back() ? "" : ", ");
  for (const libhdf5::NewAttribute& each : group.attributes)
    if (each.name != "CLASS" && each.name != "KIND")
      made += std::format("; {}={}", each.name, value_text(each.type, each.bytes).value_or("?"));
  return made + "}";
}

std::string words(const libhdf5::NewTable& table) {
  return std::visit([](const auto& each) { return words(each); }, table.columns.front());
}

std::unique_ptr<Plan> planned(const NeutralTable& table, const char* spec = kNewer) {
  auto plan = std::make_unique<Plan>();
  plan_table(table, revision_of(*find_specification(spec)), std::uint64_t{1} << 30, *plan);
  return plan;
}

bool has(const exchange::Field& field, const std::string& key, const std::string& value) {
  const std::string* found = field.find(key);
  return found && *found == value;
}

// The result of importing the only column, or the reason for its refusal. It is also written, which
// judges it, and is unchanged when it is read again.
std::string stored(const NeutralTable& table, const char* spec = kNewer) {
  const Folder folder;
  const TablePlace place{
      .file = folder.path / "a.h5", .group = "/t", .spec = find_specification(spec)};
  std::unique_ptr<Plan> plan;
  try {
    plan = planned(table, spec);
  } catch (const Unstorable& wrong) {
    const auto refused = import_table(table, place, {});
    EXPECT_TRUE(!refused && refused.error().forbidden);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path));
    return wrong.where + ": " + wrong.why;
  }
  const auto imported = import_table(table, place, {});
  if (!imported) {
    ADD_FAILURE() << imported.error().error.text();
    return "";
  }
  const auto source = open_table(place, {});
  if (!source) {
    ADD_FAILURE() << source.error().error.text();
    return "";
  }
  const auto back = exchange::whole(**source);
  EXPECT_EQ(back ? difference(*back, table) : back.error().text(), "");
  // I6: stated and preserved properties are stated again.
  for (const auto& [key, value] : table.schema.fields[0].metadata)
    EXPECT_TRUE(!back || key == "hep001:fill" || !plan->losses.empty() ||
                has(back->schema.fields[0], key, value))
        << key;
  return words(plan->table);
}

template <class T>
std::string stored_numbers(const std::vector<std::optional<T>>& values, Metadata metadata = {},
                           const char* spec = kNewer) {
  const Type type = std::is_floating_point_v<T> ? Type{.kind = Kind::kFloat, .width = sizeof(T)}
                                                : integer(sizeof(T), std::is_signed_v<T>);
  return stored(one(type, numbers(values), std::move(metadata)), spec);
}

// --- I3: fill values -----------------------------------------------------------------------------

using std::nullopt;

TEST(Fill, IsTheRecommendedOne) {
  EXPECT_EQ(stored_numbers<std::int8_t>({1, nullopt}), "int8; -127");
  EXPECT_EQ(stored_numbers<std::int16_t>({1, nullopt}), "int16; -32767");
  EXPECT_EQ(stored_numbers<std::int32_t>({1, nullopt}), "int32; -2147483647");
  EXPECT_EQ(stored_numbers<std::int64_t>({1, nullopt}), "int64; -9223372036854775807");
  EXPECT_EQ(stored_numbers<std::uint8_t>({1, nullopt}), "uint8; 255");
  EXPECT_EQ(stored_numbers<std::uint16_t>({1, nullopt}), "uint16; 65535");
  EXPECT_EQ(stored_numbers<std::uint32_t>({1, nullopt}), "uint32; 4294967295");
  EXPECT_EQ(stored_numbers<std::uint64_t>({1, nullopt}), "uint64; 18446744073709551615");
  EXPECT_EQ(stored_numbers<float>({1, nullopt}), "float32; 0x1.ep+122");
  EXPECT_EQ(stored_numbers<double>({1, nullopt}), "float64; 0x1.ep+122");
  EXPECT_EQ(stored(one(kText, texts({"ab", nullopt}))), "string(3,nullterm,utf8); ");
}

TEST(Fill, IsTheStatedOneIfNoValueEqualsIt) {
  EXPECT_EQ(stored_numbers<std::int8_t>({1, nullopt}, {{"hep001:fill", "-1"}}), "int8; -1");
  EXPECT_EQ(stored_numbers<std::int8_t>({1, -1, nullopt}, {{"hep001:fill", "-1"}}), "int8; -127");
  EXPECT_EQ(stored_numbers<std::int8_t>({1, nullopt}, {{"hep001:fill", "300"}}), "int8; -127");
  EXPECT_EQ(stored_numbers<float>({1, nullopt}, {{"hep001:fill", "nan(0x7fc00001)"}}),
            "float32; nan(0x7fc00001)");
  EXPECT_EQ(stored_numbers<float>({1, std::numeric_limits<float>::quiet_NaN(), nullopt},
                                  {{"hep001:fill", "nan(0x7fc00001)"}}),
            "float32; 0x1.ep+122");
  EXPECT_EQ(stored(one(kText, texts({"", nullopt}), {{"hep001:fill", "N"}})),
            "string(1,nullterm,utf8); N");
}

TEST(Fill, IsBeyondTheRangeIfTheRecommendedOneIsAValue) {
  EXPECT_EQ(stored_numbers<std::int8_t>({-127, 5, nullopt}),
            "int8; -128; valid_min=-127; valid_max=5");
  EXPECT_EQ(stored_numbers<std::int8_t>({-128, -127, nullopt}),
            "int8; 127; valid_min=-128; valid_max=-127");
  EXPECT_EQ(stored_numbers<std::uint16_t>({65535, 7}), "uint16; 0; valid_min=7; valid_max=65535");
  EXPECT_EQ(stored_numbers<std::int8_t>({-127, 5}, {{"hep001:fill", "9"}}),
            "int8; 9; valid_min=-127; valid_max=5");
  // A stated one that lies in between.
  EXPECT_EQ(stored_numbers<std::int8_t>({-127, 5}, {{"hep001:fill", "-3"}}),
            "int8; -128; valid_min=-127; valid_max=5");
  constexpr float kSentinel = 0x1.ep+122F, kInfinity = std::numeric_limits<float>::infinity(),
                  kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(stored_numbers<float>({kSentinel, 1}),
            "float32; 0x1.fffffep+127; valid_min=0x1p+0; valid_max=0x1.ep+122");
  // NaN is in no range, wherever it is.
  for (const std::vector<std::optional<float>>& values :
       {std::vector<std::optional<float>>{kNan, kSentinel, 1},
        {kSentinel, kNan, 1},
        {kSentinel, 1, kNan}})
    EXPECT_EQ(stored_numbers<float>(values),
              "float32; 0x1.fffffep+127; valid_min=0x1p+0; valid_max=0x1.ep+122");
  EXPECT_EQ(stored_numbers<float>({kSentinel, kInfinity}),
            "float32; -0x1.fffffep+127; valid_min=0x1.ep+122; valid_max=inf");
  EXPECT_EQ(stored_numbers<float>({kSentinel, 0x1.fffffep+127F, -0x1.fffffep+127F}),
            "float32; inf; valid_min=-0x1.fffffep+127; valid_max=0x1.fffffep+127");
  EXPECT_EQ(stored_numbers<float>({kSentinel, kInfinity, -0x1.fffffep+127F}),
            "float32; -inf; valid_min=-0x1.fffffep+127; valid_max=inf");
  EXPECT_EQ(stored_numbers<float>({kSentinel, kInfinity, -kInfinity}),
            "float32; nan(0x7fc00000); valid_min=-inf; valid_max=inf");
  EXPECT_EQ(stored_numbers<float>({kSentinel, kInfinity, -kInfinity, kNan}),
            "column \"x\": every possible fill value occurs as a value");
}

TEST(Fill, WidensIntegersThatUseTheirWholeRange) {
  EXPECT_EQ(stored_numbers<std::int8_t>({-128, -127, 127, nullopt}),
            "int16; -32767; arrow_type=int8");
  EXPECT_EQ(stored_numbers<std::uint8_t>({0, 255}), "uint16; 65535; arrow_type=uint8");
  EXPECT_EQ(stored_numbers<std::int16_t>({-32768, -32767, 32767}),
            "int32; -2147483647; arrow_type=int16");
  EXPECT_EQ(stored_numbers<std::uint32_t>({0, 4294967295}),
            "uint64; 18446744073709551615; arrow_type=uint32");
  EXPECT_EQ(stored_numbers<std::uint64_t>({0, 18446744073709551615u}),
            "column \"x\": every possible fill value occurs as a value");
  // All except the last few.
  EXPECT_EQ(stored_numbers<std::int64_t>({std::numeric_limits<std::int64_t>::min() + 1,
                                          std::numeric_limits<std::int64_t>::max()}),
            "int64; -9223372036854775808; valid_min=-9223372036854775807; "
            "valid_max=9223372036854775807");
}

TEST(Fill, IsArbitraryIfNoneIsRecommended) {
  EXPECT_EQ(stored(one(kText, texts({"", "A", nullopt}))), "string(2,nullterm,utf8); B");
  EXPECT_EQ(stored(one({.kind = Kind::kFloat, .width = 2}, numbers<std::uint16_t>({0x7BFF, 1}))),
            "float16; 0x1.ff8p+15");
  const Type byte{.kind = Kind::kFixedBytes, .width = 1};
  EXPECT_EQ(stored(one(byte, numbers<std::uint8_t>({0, 2, nullopt}))), "opaque(1,\"\"); 01");
  std::vector<std::optional<std::uint8_t>> all;
  for (int i = 0; i < 256; ++i) all.emplace_back(static_cast<std::uint8_t>(i));
  EXPECT_EQ(stored(one(byte, numbers(all))),
            "column \"x\": every possible fill value occurs as a value");
  Type pair{.kind = Kind::kFixedList, .width = 2};
  pair.children.push_back({.name = "item", .type = integer(1, false)});
  Array pairs;
  pairs.push(false);
  pairs.push(true);
  pairs.children.push_back(numbers<std::uint8_t>({255, 255, 0, 0}));
  EXPECT_EQ(stored(one(pair, pairs)), "array(2,uint8); fefe");
  Type record{.kind = Kind::kStruct};
  record.children.push_back({.name = "p", .type = integer(1, true)});
  record.children.push_back({.name = "q", .type = integer(2, false)});
  Array records;
  records.push(false);
  records.push(true);
  records.children = {numbers<std::int8_t>({-127, 0}), numbers<std::uint16_t>({65535, 0})};
  EXPECT_EQ(stored(one(record, records)), "compound(3,\"p\"@0 int8,\"q\"@1 uint16); 82feff");
}

// A field that may be null stays so, whether it has nulls or not.
TEST(Fill, OfBooleans) {
  const Type type{.kind = Kind::kBoolean};
  const Array whole = numbers<std::uint8_t>({1, 0}), some = numbers<std::uint8_t>({1, nullopt});
  EXPECT_EQ(stored(one(type, whole)), "enum(int8,\"FALSE\"=0,\"TRUE\"=1,\"MISSING\"=2); 2");
  EXPECT_EQ(stored(one(type, some)), "enum(int8,\"FALSE\"=0,\"TRUE\"=1,\"MISSING\"=2); 2");
  EXPECT_EQ(stored(one(type, whole), kOlder), "uint8; 2; valid_min=0; valid_max=1");
  EXPECT_EQ(stored(one(type, some), kOlder), "uint8; 2; valid_min=0; valid_max=1");
}

TEST(Fill, OfBooleansThatWereBytes) {
  const Metadata bytes{{"hep001:type", "uint8"},
                       {"hep001:fill", "255"},
                       {"hep001:valid_min", "0"},
                       {"hep001:valid_max", "1"}};
  const NeutralTable table =
      one({.kind = Kind::kBoolean}, numbers<std::uint8_t>({1, nullopt}), bytes);
  for (const char* spec : {kNewer, kOlder})
    EXPECT_EQ(stored(table, spec), "uint8; 255; valid_min=0; valid_max=1") << spec;
}

TEST(Fill, OfIntegersOfThreeBytes) {
  EXPECT_EQ(stored_numbers<std::int32_t>({1, nullopt}, {{"hep001:type", "int24"}}),
            "int24; -8388607");
}

TEST(Fill, OfAnEmptyColumn) {
  Array nothing;
  nothing.push(false);
  nothing.push(false);
  EXPECT_EQ(stored(one({.kind = Kind::kNull}, nothing)), "int8; -127; arrow_type=null");
}

TEST(Fill, OfKeysIsNotAPositionOfALabel) {
  EXPECT_EQ(stored(one(labelled(integer(1, true), {"a", "b"}), numbers<std::int8_t>({1, nullopt}))),
            "int8; -127");
  EXPECT_EQ(stored(one(labelled(integer(1, false), {"a", "b"}), numbers<std::uint8_t>({1, 0}),
                       {{"hep001:fill", "2"}})),
            "uint8; 2");
  EXPECT_EQ(stored(one(labelled(integer(1, false), {"a", "b"}), numbers<std::uint8_t>({0, 0}),
                       {{"hep001:fill", "1"}})),
            "uint8; 255");
  // For 256 labels no code of one byte is left; for 128 labels the negative codes are.
  std::vector<std::optional<std::string>> labels;
  for (int i = 0; i < 256; ++i) labels.emplace_back(std::to_string(i));
  const NeutralTable wide =
      one(labelled(integer(1, false), labels), numbers<std::uint8_t>({255, nullopt}));
  EXPECT_EQ(words(planned(wide)->table), "uint16; 65535");
  labels.resize(128);
  EXPECT_EQ(stored(one(labelled(integer(1, true), labels), numbers<std::int8_t>({127, nullopt}))),
            "int8; -127");
}

// The original datatype of the keys is kept if it holds them.
TEST(Fill, OfKeysThatTheirOriginalTypeMayNotHold) {
  std::vector<std::optional<std::string>> labels;
  for (int i = 0; i < 200; ++i) labels.emplace_back(std::to_string(i));
  const auto words_of = [&](std::int64_t key, const char* hint) {
    return words(planned(one(labelled(integer(8, true), labels),
                             numbers<std::int64_t>({key, nullopt}), {{"hep001:type", hint}}))
                     ->table);
  };
  EXPECT_EQ(words_of(100, "int8"), "int8; -127");
  EXPECT_EQ(words_of(150, "int8"), "int64; -9223372036854775807");
  EXPECT_EQ(words_of(150, "int16be"), "int16be; -32767");
  EXPECT_EQ(words_of(150, "float32"), "int64; -9223372036854775807");
}

TEST(Refusals, OfKeysWithoutALabel) {
  for (const int row : {0, 1, 2}) {
    std::vector<std::optional<std::int8_t>> keys{1, nullopt, 0};
    keys[static_cast<std::size_t>(row)] = 2;
    EXPECT_THROW(
        try {
          planned(one(labelled(integer(1, true), {"a", "b"}), numbers(keys)));
        } catch (const Unstorable& wrong) {
          EXPECT_EQ(wrong.why, std::format("row {} has a key without a value", row));
          throw;
        },
        Unstorable);
  }
}

TEST(Refusals, OfValuesLargerThanAFillValue) {
  for (const std::uint64_t width : {65'500, 65'501}) {
    Array array;
    array.bytes.resize(2 * width);
    array.push(false);
    array.push(true);
    const NeutralTable table = one({.kind = Kind::kFixedBytes, .width = width}, array);
    if (width == 65'500) {
      EXPECT_NO_THROW(planned(table));
    } else {
      EXPECT_EQ(stored(table),
                "column \"x\": a value of 65501 bytes is larger than a fill value may be, 65500 "
                "bytes");
    }
  }
}

// Values without any bytes, alone and as parts of others.
TEST(Refusals, OfValuesOfNoBytes) {
  const Type bytes{.kind = Kind::kFixedBytes, .width = 0};
  Array none;
  none.length = 2;
  const auto list_of = [](const Type& type, std::uint64_t width, const Array& items) {
    NeutralTable made = one(
        {.kind = Kind::kFixedList, .width = width, .children = {{.name = "item", .type = type}}},
        Array{});
    made.rows = 2;
    made.columns[0].length = 2;
    made.columns[0].children = {items};
    return made;
  };
  Array no_items;
  NeutralTable plain = one(bytes, none);
  const std::string column = "column \"x\": ";
  EXPECT_EQ(stored(plain), column + "0 bytes cannot be stored in a column");
  for (const char* hint : {"opaque(0,\"\")", "array(0,int32)", "array(2,0,int8)"}) {
    plain.schema.fields[0].metadata = {{"hep001:type", hint}};
    EXPECT_EQ(stored(plain), column + "0 bytes cannot be stored in a column") << hint;
    NeutralTable list = list_of(integer(4, true), 0, no_items);
    list.schema.fields[0].metadata = {{"hep001:type", hint}};
    EXPECT_EQ(stored(list), column + "list of 0<item: int32> cannot be stored in a column") << hint;
  }
  EXPECT_EQ(stored(list_of(integer(4, true), 0, no_items)),
            column + "list of 0<item: int32> cannot be stored in a column");
  EXPECT_EQ(stored(list_of(bytes, 1, none)),
            column + "list of 1<item: 0 bytes> cannot be stored in a column");
}

// Columns take memory one after the other.
TEST(Refusals, OfMoreMemoryThanTheLimit) {
  NeutralTable table;
  table.rows = 100;
  for (const char* name : {"a", "b", "c"}) {
    table.schema.fields.push_back({.name = name, .type = integer(8, true)});
    table.columns.push_back(
        numbers<std::int64_t>(std::vector<std::optional<std::int64_t>>(100, 1)));
  }
  const auto fits = [&](std::uint64_t memory) {
    Plan plan;
    try {
      plan_table(table, revision_of(*find_specification(kNewer)), memory, plan);
    } catch (const Unstorable& wrong) {
      EXPECT_EQ(wrong.where, "column \"c\"");
      return false;
    }
    return true;
  };
  EXPECT_TRUE(fits(2'400));
  EXPECT_FALSE(fits(2'399));
}

// Each property that cannot be kept is named, and the others are kept.
TEST(Metadata, ThatCannotBeKeptDoesNotHideTheRest) {
  NeutralTable table = one(kInt, numbers<std::int32_t>({1, nullopt}),
                           {{"hep001:attr:SEARCH_INDEX_LIST", "x"},
                            {"first", "1"},
                            {"hep001:attr:first", "again"},
                            {"", "empty"},
                            {"second", "2"},
                            {"hep001:attr:n", "no number"},
                            {"hep001:attr-type:n", "int8"},
                            {"hep001:attr:m", "7"},
                            {"hep001:attr-type:m", "int8"}});
  const auto plan = planned(table);
  EXPECT_EQ(words(plan->table), "int32; -2147483647; first=1; second=2; m=7");
  EXPECT_EQ(plan->losses,
            (Texts{"column \"x\": metadata \"hep001:attr:SEARCH_INDEX_LIST\"",
                   "column \"x\": metadata \"hep001:attr:first\"", "column \"x\": metadata \"\"",
                   "column \"x\": metadata \"hep001:attr:n\""}));
}

// The longest name determines the size, wherever it is.
TEST(Metadata, ColumnOrderHasRoomForEveryName) {
  std::vector<std::string> names{"a", "bbbb", "cc"};
  do {
    NeutralTable table{.rows = 1};
    for (const std::string& name : names) {
      table.schema.fields.push_back({.name = name, .type = kInt});
      table.columns.push_back(numbers<std::int32_t>({1}));
    }
    const auto plan = planned(table);
    std::string order;
    for (const libhdf5::NewAttribute& each : plan->table.attributes)
      if (each.name == "column-order")
        for (std::size_t at = 0; at < each.bytes.size(); at += each.type.size)
          order +=
              std::string(reinterpret_cast<const char*>(each.bytes.data()) + at, each.type.size)
                  .c_str() +
              std::string(" ");
    std::string wanted;
    for (const std::string& name : names) wanted += name + ' ';
    EXPECT_EQ(order, wanted);
  } while (std::ranges::next_permutation(names).found);
}

// Labels that columns share are stored once, unless their order differs.
TEST(Categories, AreSharedByColumnsWithTheSameOrder) {
  NeutralTable table{.rows = 2};
  Type plain = labelled(integer(1, true), {"a", "b"}), ordered = plain;
  ordered.ordered = true;
  const Type other = labelled(integer(1, true), {"a", "b"});
  for (const Type& type : {plain, ordered, plain, ordered, other}) {
    table.schema.fields.push_back(
        {.name = std::string(1, static_cast<char>('p' + table.schema.fields.size())),
         .type = type});
    table.columns.push_back(numbers<std::int8_t>({1, 0}));
  }
  const auto plan = planned(table);
  std::vector<std::optional<std::size_t>> of;
  for (const auto& column : plan->table.columns)
    of.push_back(std::get<libhdf5::NewDataset>(column).categories);
  EXPECT_EQ(of, (std::vector<std::optional<std::size_t>>{0, 1, 0, 1, 2}));
  EXPECT_EQ(plan->table.categories.size(), 3u);
}

TEST(Fill, OfLeavesExistsOnlyForNulls) {
  const Type type = list_of(integer(1, false));
  EXPECT_EQ(stored(one(type, lists({2, nullopt, 0}, numbers<std::uint8_t>({0, 255})))),
            "{VALUES: uint8; none, MASK: enum(int8,\"FALSE\"=0,\"TRUE\"=1); none, "
            "OFFSETS: uint64; none}");
  EXPECT_EQ(stored(one(type, lists({1, 1}, numbers<std::uint8_t>({0, nullopt})))),
            "{VALUES: uint8; 255, MASK: enum(int8,\"FALSE\"=0,\"TRUE\"=1); none, "
            "OFFSETS: uint64; none}");
  EXPECT_EQ(stored(one(type, lists({2, 1}, numbers<std::uint8_t>({0, 255, nullopt})))),
            "{VALUES: uint16; 65535; arrow_type=uint8, "
            "MASK: enum(int8,\"FALSE\"=0,\"TRUE\"=1); none, OFFSETS: uint64; none}");
  EXPECT_EQ(stored(one(list_of({.kind = Kind::kBoolean}),
                       lists({2}, numbers<std::uint8_t>({0, nullopt})))),
            "{VALUES: enum(int8,\"FALSE\"=0,\"TRUE\"=1,\"MISSING\"=2); 2, "
            "MASK: enum(int8,\"FALSE\"=0,\"TRUE\"=1); none, OFFSETS: uint64; none}");
  EXPECT_EQ(stored(one(list_of(kText), lists({2, 1}, texts({"", nullopt, "a"})))),
            "{VALUES: {CHARS: uint8; none, MASK: enum(int8,\"FALSE\"=0,\"TRUE\"=1); none, "
            "OFFSETS: uint64; none}, MASK: enum(int8,\"FALSE\"=0,\"TRUE\"=1); none, "
            "OFFSETS: uint64; none}");
}

// --- Ranges --------------------------------------------------------------------------------------

Metadata range(const std::string& fill, const std::string& min, const std::string& max) {
  Metadata made{{"hep001:fill", fill}};
  if (!min.empty()) made.emplace_back("hep001:valid_min", min);
  if (!max.empty()) made.emplace_back("hep001:valid_max", max);
  return made;
}

TEST(Range, IsKeptEvenIfValuesAreOutside) {
  EXPECT_EQ(stored_numbers<std::int16_t>({0, 9, -5, 14, nullopt}, range("-99", "0", "9")),
            "int16; -99; valid_min=0; valid_max=9");
  // Even the recommended fill value.
  EXPECT_EQ(stored_numbers<std::int16_t>({0, -32767, 14, nullopt}, range("-99", "0", "9")),
            "int16; -99; valid_min=0; valid_max=9");
  EXPECT_EQ(stored_numbers<std::int16_t>({0}, range("-99", "0", "")), "int16; -99; valid_min=0");
  EXPECT_EQ(stored_numbers<std::int16_t>({0}, range("-99", "", "-9")), "int16; -99; valid_max=-9");
  EXPECT_EQ(stored_numbers<std::int16_t>({0}, range("7", "9", "-9")),
            "int16; 7; valid_min=9; valid_max=-9");
  EXPECT_EQ(stored_numbers<double>({0}, range("nan(0x7ff8000000000000)", "0x0p+0", "0x1p+0")),
            "float64; nan(0x7ff8000000000000); valid_min=0x0p+0; valid_max=0x1p+0");
  EXPECT_EQ(stored(one(kText, texts({"b"}), range("", "a", "c"))),
            "string(2,nullterm,utf8); ; valid_min=a; valid_max=c");
  EXPECT_EQ(stored(one(labelled(integer(1, true), {"a", "b"}), numbers<std::int8_t>({1, nullopt}),
                       range("-1", "0", "1"))),
            "int8; -1; valid_min=0; valid_max=1");
}

TEST(Range, IsReportedAsLostIfItContainsTheFillValue) {
  // The stated fill value is a real value, so another one was selected.
  const NeutralTable table =
      one(integer(2, true), numbers<std::int16_t>({7, nullopt}), range("7", "-32768", "5"));
  EXPECT_EQ(stored(table), "int16; -32767");
  EXPECT_EQ(planned(table)->losses, (Texts{"column \"x\": valid_min", "column \"x\": valid_max"}));
  const NeutralTable other =
      one(integer(2, true), numbers<std::int16_t>({7, nullopt}), range("-1", "no number", "5"));
  EXPECT_EQ(stored(other), "int16; -1; valid_max=5");
  EXPECT_EQ(planned(other)->losses, (Texts{"column \"x\": valid_min"}));
}

// --- I4: names -----------------------------------------------------------------------------------

std::string named(const Texts& names, const char* spec = kNewer) {
  NeutralTable table{.rows = 1};
  for (const std::string& name : names) {
    table.schema.fields.push_back({.name = name, .type = kInt});
    table.columns.push_back(numbers<std::int32_t>({1}));
  }
  return stored(table, spec);
}

TEST(Names, AreRefusedNotChanged) {
  const std::string impossible =
      ": column names must not be empty, and must not contain \"/\" or NUL";
  EXPECT_EQ(named({""}), "column \"\": a column must have a name");
  EXPECT_EQ(named({"."}), "column \".\"" + impossible);
  EXPECT_EQ(named({"a/b"}), "column \"a/b\"" + impossible);
  EXPECT_EQ(named({"/"}), "column \"/\"" + impossible);
  EXPECT_EQ(named({std::string("a\0b", 3)}),
            "column \"" + std::string("a\0b", 3) + "\"" + impossible);
  EXPECT_EQ(named({"\xFF"}), "column \"\xFF\"" + impossible);
  EXPECT_EQ(named({"a", "b", "a"}), "column \"a\": another column has the same name");
  EXPECT_EQ(named({"OFFSETS"}), "column \"OFFSETS\": this name is reserved");
  EXPECT_EQ(named({"MASK"}), "column \"MASK\": this name is reserved");
  EXPECT_EQ(named({"CATEGORIES"}, kOlder), "column \"CATEGORIES\": this name is reserved");
  // Names that only the newer revision reserves.
  EXPECT_EQ(named({"OFFSETS"}, kOlder), "int32; -2147483647");
}

TEST(Names, OfAnyOtherKindAreKept) {
  for (const Texts& names :
       {Texts{".."}, Texts{"..."}, Texts{" "}, Texts{"a b", "A b"}, Texts{"é", "e\u0301"},
        Texts{"\u4E16\u754C"}, Texts{"\n"}, Texts{"a."}, Texts{std::string(5000, 'x')},
        Texts{"x__CATEGORIES", "x"}, Texts{"b", "a"}, Texts{"columns", "nrows", "offsets"}})
    EXPECT_EQ(named(names), "int32; -2147483647") << names.front();
}

// --- Unsupported values --------------------------------------------------------------------------

exchange::Type struct_of(std::vector<exchange::Field> fields) {
  Type made{.kind = Kind::kStruct};
  made.children = std::move(fields);
  return made;
}

Array fixed_lists(std::uint64_t rows, Array inside) {
  Array made;
  for (std::uint64_t i = 0; i < rows; ++i) made.push(false);
  made.children.push_back(std::move(inside));
  return made;
}

TEST(Refusals, OfTheOlderRevision) {
  const Array threes = numbers<std::int32_t>({1, nullopt, 3});
  EXPECT_EQ(stored(one(list_of(kText), lists({1}, texts({"a"}))), kOlder),
            "column \"x\": list<item: text> cannot be stored in a column");
  EXPECT_EQ(stored(one(list_of(list_of(kInt)), lists({1}, lists({3}, threes))), kOlder),
            "column \"x\": list<item: list<item: int32>> cannot be stored in a column");
  EXPECT_EQ(stored(one(list_of(kInt), lists({0, 3}, threes)), kOlder),
            "column \"x\": row 1 cannot be stored in variable-length sequence of int32");
  EXPECT_EQ(stored(one(list_of(kInt), lists({1, nullopt}, numbers<std::int32_t>({1}))), kOlder),
            "vlen(int32); ?");
}

TEST(Refusals, OfNullsThatCannotBeRepresented) {
  Type pair{.kind = Kind::kFixedList, .width = 2};
  pair.children.push_back({.name = "item", .type = kInt});
  EXPECT_EQ(stored(one(pair, fixed_lists(2, numbers<std::int32_t>({1, 2, 3, nullopt})))),
            "column \"x\": row 1 cannot be stored in array (2) of int32");
  const Type record = struct_of({{.name = "p", .type = kInt}});
  Array records = fixed_lists(2, numbers<std::int32_t>({nullopt, 1}));
  EXPECT_TRUE(
      stored(one(record, records)).starts_with("column \"x\": row 0 cannot be stored in compound"));
  EXPECT_EQ(stored(one(struct_of({{.name = "s", .type = record}}), fixed_lists(1, records))),
            "column \"x\": struct<s: struct<p: int32>> cannot be stored in a column");
}

TEST(Refusals, OfTextThatNoStringCanRepresent) {
  EXPECT_TRUE(stored(one(kText, texts({"a", std::string("a\0b", 3)})))
                  .starts_with("column \"x\": row 1 cannot be stored in fixed string"));
}

TEST(Refusals, OfListsAsAnIndex) {
  NeutralTable table = one(list_of(kInt), lists({1}, numbers<std::int32_t>({1})));
  table.schema.metadata.emplace_back("hep001:index_columns", "[\"x\"]");
  EXPECT_EQ(stored(table),
            "column \"x\": it is named in hep001:index_columns, and lists have no order");
  NeutralTable other = one(kInt, numbers<std::int32_t>({1}));
  other.schema.metadata.emplace_back("hep001:index_columns", "[\"y\"]");
  EXPECT_EQ(planned(other)->losses, Texts{"the table: metadata \"hep001:index_columns\""});
  other.schema.metadata.back().second = "no list";
  EXPECT_EQ(planned(other)->losses, Texts{"the table: metadata \"hep001:index_columns\""});
}

TEST(Lists, OfTheOlderRevisionKeepTheMeaningOfTheirNumbers) {
  Type time = kInt;
  time.meaning = "time[s]";
  EXPECT_EQ(stored(one(list_of(time), lists({1, 2}, numbers<std::int32_t>({1, 2, 3}))), kOlder),
            "vlen(int32); ?; arrow_type=time[s]; units=s");
  NeutralTable table = one(list_of(kInt), lists({1}, numbers<std::int32_t>({1})));
  table.schema.fields[0].type.children[0].metadata.emplace_back("hep001:units", "m");
  EXPECT_EQ(planned(table, kOlder)->losses, Texts{"column \"x\": metadata of its items"});
  EXPECT_EQ(planned(table)->losses, Texts{});
}

TEST(Strings, HaveVariableLengthBeyondOneKibibyte) {
  EXPECT_EQ(stored(one(kText, texts({std::string(1024, 'a')}))), "string(1025,nullterm,utf8); ");
  EXPECT_TRUE(stored(one(kText, texts({std::string(1025, 'a'), nullopt})))
                  .starts_with("string(*,nullterm,utf8); "));
}

// --- Files that exist already --------------------------------------------------------------------

std::string imported_into(const TablePlace& place, std::int32_t value, bool in_place = false) {
  const auto done =
      import_table(one(kInt, numbers<std::int32_t>({value})), place, {.in_place = in_place});
  return done ? "" : done.error().error.text();
}

std::string value_at(const TablePlace& place) {
  const auto source = open_table(place, {});
  if (!source) return source.error().error.text();
  const auto back = exchange::whole(**source);
  if (!back) return back.error().text();
  return std::to_string(exchange::integer_at(kInt, back->columns[0], 0));
}

// Each group on the way may exist already, or be made.
TEST(Import, IntoAFileBesideOtherTables) {
  for (const bool in_place : {false, true}) {
    const Folder folder;
    const auto place = [&](const char* group) {
      return TablePlace{
          .file = folder.path / "a.h5", .group = group, .spec = find_specification(kNewer)};
    };
    const std::vector<const char*> groups{"/a/b/t", "/u", "/a/c", "/a/b/d/e", "/z/t"};
    for (std::size_t i = 0; i < groups.size(); ++i)
      EXPECT_EQ(imported_into(place(groups[i]), static_cast<std::int32_t>(i), in_place), "");
    for (std::size_t i = 0; i < groups.size(); ++i)
      EXPECT_EQ(value_at(place(groups[i])), std::to_string(i)) << groups[i];
    // What exists is not replaced, and nothing is put below a table.
    for (const char* group : {"/a/b/t", "/u", "/a", "/a/b", "/a/b/d"})
      EXPECT_EQ(imported_into(place(group), 9, in_place),
                std::string(group) + ": it exists already")
          << group;
    for (const auto& [group, above] :
         {std::pair("/u/x", "/u"), std::pair("/a/b/t/x", "/a/b/t"), std::pair("/a/c/x/y", "/a/c")})
      EXPECT_EQ(imported_into(place(group), 9, in_place),
                std::format("{}: {} is a table, and no other table may be below it", group, above));
    for (std::size_t i = 0; i < groups.size(); ++i)
      EXPECT_EQ(value_at(place(groups[i])), std::to_string(i)) << groups[i];
    TablePlace root = place("/");
    EXPECT_EQ(imported_into(root, 9, in_place),
              root.file + ": it exists already; name a group for the table, as FILE:/group");
    root.group.reset();
    EXPECT_EQ(imported_into(root, 9, in_place),
              root.file + ": it exists already; name a group for the table, as FILE:/group");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path), {}), 1);
  }
}

// A table that is the root group has everything below it.
TEST(Import, BelowATableThatIsTheRootGroup) {
  const Folder folder;
  TablePlace place{.file = folder.path / "a.h5", .spec = find_specification(kNewer)};
  EXPECT_EQ(imported_into(place, 1), "");
  place.group = "/t/u";
  EXPECT_EQ(imported_into(place, 2), "/t/u: / is a table, and no other table may be below it");
}

// A group on the way may have another CLASS than that of a table.
TEST(Import, BelowGroupsOfAnyClass) {
  using namespace libhdf5;  // NOLINT(google-build-using-namespace)
  for (const auto& [text, refused] : {std::pair<std::string, bool>{"COLUMN_TABLE", true},
                                      {"NXentry", false},
                                      {"column_table", false},
                                      {"", false}}) {
    const Folder folder;
    TablePlace place{
        .file = folder.path / "a.h5", .group = "/a/b/t", .spec = find_specification(kNewer)};
    ASSERT_EQ(imported_into(place, 1), "");
    {
      const FileHandle file{H5Fopen(place.file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)};
      const ObjectHandle group{H5Oopen(file.get(), "/a", H5P_DEFAULT)};
      const SpaceHandle scalar{H5Screate(H5S_SCALAR)};
      const TypeHandle type{H5Tcopy(text.empty() ? H5T_STD_U8LE : H5T_C_S1)};
      if (!text.empty()) H5Tset_size(type.get(), text.size() + 1);
      const AttributeHandle made{
          H5Acreate2(group.get(), "CLASS", type.get(), scalar.get(), H5P_DEFAULT, H5P_DEFAULT)};
      ASSERT_GE(H5Awrite(made.get(), type.get(), text.c_str()), 0);
    }
    place.group = "/a/b/u";
    EXPECT_EQ(imported_into(place, 2),
              refused ? "/a/b/u: /a is a table, and no other table may be below it" : "")
        << text;
    EXPECT_EQ(value_at(place) == "2", !refused);
  }
}

// Values of every kind, for each datatype that metadata may name: the datatype in which they are
// stored, and what they are when they are read again.
TEST(Import, AsEveryDatatype) {
  const std::pair<const char*, NeutralTable> columns[] = {
      {"int8", one(integer(1, true), numbers<std::int8_t>({1, 0, -128, nullopt}))},
      {"uint16", one(integer(2, false), numbers<std::uint16_t>({1, 0, 65'535}))},
      {"int64",
       one(integer(8, true), numbers<std::int64_t>({1, 0, std::int64_t{1} << 40, nullopt}))},
      {"float", one(kFloat, numbers<double>({1.5, 0.0, nullopt}))},
      {"text", one(kText, texts({"ab", "", "c", nullopt}))},
      {"bytes", one({.kind = Kind::kBytes}, texts({"ab", "", std::string("\0c", 2)}))},
      {"list", one(list_of(kInt), lists({2, 0, 1, nullopt}, numbers<std::int32_t>({1, 0, 300})))},
      {"labels",
       one(labelled(integer(1, true), {"a", "b"}), numbers<std::int8_t>({1, 0, nullopt}))},
      {"list of texts", one(list_of(kText), lists({2, 1}, texts({"a", "", "bc"})))},
  };
  std::string all;
  for (const auto& [kind, plain] : columns) {
    std::string results;
    for (const char* datatype : {"int8",
                                 "int16be",
                                 "uint32",
                                 "int64",
                                 "uint64be",
                                 "int16(12,4)",
                                 "float32",
                                 "float64be",
                                 "string(2,nullpad,utf8)",
                                 "string(1,spacepad,ascii)",
                                 "string(*,nullterm,utf8)",
                                 "opaque(2,\"t\")",
                                 "bitfield8",
                                 "vlen(int8)",
                                 "vlen(int16)",
                                 "vlen(uint8)",
                                 "vlen(int32be)",
                                 "vlen(string(*,nullterm,utf8))",
                                 "array(2,int8)",
                                 "enum(int8,\"a\"=1,\"b\"=0,\"MISSING\"=3)",
                                 "enum(int64be,\"a\"=1,\"b\"=0)",
                                 "enum(int8,\"FALSE\"=0,\"TRUE\"=1)",
                                 "nonsense"}) {
      NeutralTable table = plain;
      table.schema.fields[0].metadata.emplace_back("hep001:type", datatype);
      const Folder folder;
      const TablePlace place{
          .file = folder.path / "a.h5", .group = "/t", .spec = find_specification(kNewer)};
      const auto imported = import_table(table, place, {});
      results += std::format("{}: {}", datatype, imported ? "" : imported.error().error.cause);
      if (!imported) {
        results += '\n';
        continue;
      }
      for (const std::string& each : planned(table)->losses) results += each + ' ';
      results += words(planned(table)->table);
      const auto source = open_table(place, {});
      ASSERT_TRUE(source) << kind << ' ' << datatype;
      const auto back = exchange::whole(**source);
      ASSERT_TRUE(back) << kind << ' ' << datatype;
      results += std::format(" {} {}\n", difference(*back, table),
                             exchange::describe(back->schema.fields[0].type));
    }
    all += std::format("{}\n{}", kind, results);
  }
  EXPECT_TRUE(golden::equals(all, "validator/formats/hep001/golden/imported_datatypes.txt"));
}

// --- E1, E6: round trips in steps of any length --------------------------------------------------

TEST(Export, DoesNotDependOnTheStepSize) {
  NeutralTable table =
      one(list_of(list_of(kText)),
          lists({2, nullopt, 0, 1, 1}, lists({1, 2, 0, nullopt}, texts({"ab", nullopt, ""}))));
  table.schema.fields.push_back({.name = "y", .type = kInt});
  table.columns.push_back(numbers<std::int32_t>({1, nullopt, 3, 4, nullopt}));
  const Folder folder;
  const TablePlace place{
      .file = folder.path / "a.h5", .group = "/t", .spec = find_specification(kNewer)};
  ASSERT_TRUE(import_table(table, place, {}));
  for (const std::uint64_t rows : {1, 2, 4, 5, 6}) {
    const auto source = open_table(place, {.batch_rows = rows});
    ASSERT_TRUE(source);
    const auto back = exchange::whole(**source);
    EXPECT_EQ(back ? difference(*back, table) : back.error().text(), "") << rows;
  }
  for (const auto& [most, levels] :
       {std::pair<std::uint64_t, std::string>{4, "000"}, {3, "100"}, {2, "110"}, {1, "111"}}) {
    const auto source = open_table(place, {.most_offset = most});
    ASSERT_TRUE(source);
    const Type& outer = (*source)->schema().fields[0].type;
    const Type& inner = outer.children[0].type;
    const std::string large{outer.large ? '1' : '0', inner.large ? '1' : '0',
                            inner.children[0].type.large ? '1' : '0'};
    EXPECT_EQ(large, levels) << most;
    const auto back = exchange::whole(**source);
    EXPECT_EQ(back ? difference(*back, table) : back.error().text(), "") << most;
  }
}

}  // namespace

}  // namespace hepcheck::hep001
