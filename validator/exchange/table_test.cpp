#include "validator/exchange/table.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "validator/exchange/meaning.h"

namespace hepcheck::exchange {

namespace {

void put(Array& array, std::string_view bytes) {
  const auto more = std::as_bytes(std::span(bytes));
  array.bytes.insert(array.bytes.end(), more.begin(), more.end());
}

Array texts(const std::vector<std::optional<std::string>>& values) {
  Array made = empty_array({.kind = Kind::kText});
  for (const auto& value : values) {
    if (value) put(made, *value);
    made.offsets.push_back(made.bytes.size());
    made.push(!value);
  }
  return made;
}

template <class T>
Array numbers(const std::vector<std::optional<T>>& values) {
  Array made;
  for (const auto& value : values) {
    const T number = value.value_or(T{});
    put(made, {reinterpret_cast<const char*>(&number), sizeof number});
    made.push(!value);
  }
  return made;
}

const Type kText{.kind = Kind::kText};
const Type kInt{.kind = Kind::kInteger, .width = 4, .is_signed = true};
const Type kFloat{.kind = Kind::kFloat, .width = 8};

Type list_of(const Type& type) {
  Type made{.kind = Kind::kList};
  made.children.push_back({.name = "item", .type = type});
  return made;
}

Table one(const Type& type, const Array& array) {
  Table made{.rows = array.length};
  made.schema.fields.push_back({.name = "x", .type = type});
  made.columns.push_back(array);
  return made;
}

std::string differ(const Type& type, const Array& a, const Array& b) {
  return difference(one(type, a), one(type, b));
}

TEST(Equality, OfValuesNullsAndTypes) {
  const Array a = texts({"a", std::nullopt, ""});
  EXPECT_EQ(differ(kText, a, a), "");
  EXPECT_EQ(differ(kText, a, texts({"a", "", std::nullopt})), "column \"x\", row 1");
  EXPECT_EQ(differ(kText, a, texts({"b", std::nullopt, ""})), "column \"x\", row 0");
  EXPECT_EQ(differ(kText, a, texts({"a", std::nullopt})), "3 rows and 2");
  EXPECT_EQ(difference(one(kText, a), one({.kind = Kind::kBytes}, a)),
            "column \"x\": text and bytes");
  Table named = one(kText, a);
  named.schema.fields[0].name = "y";
  EXPECT_EQ(difference(one(kText, a), named), "column 0: \"x\" and \"y\"");
  EXPECT_FALSE(one(kText, a) == named);
}

TEST(Equality, CountsPayloadsOfNanAndNoBytesUnderNulls) {
  const auto nan = [](std::uint64_t bits) { return std::bit_cast<double>(bits); };
  const Array a = numbers<double>({nan(0x7FF8000000000001)});
  EXPECT_EQ(differ(kFloat, a, numbers<double>({nan(0x7FF8000000000001)})), "");
  EXPECT_EQ(differ(kFloat, a, numbers<double>({nan(0x7FF8000000000002)})), "column \"x\", row 0");
  EXPECT_EQ(differ(kFloat, numbers<double>({0.0}), numbers<double>({-0.0})), "column \"x\", row 0");
  Array hidden = numbers<double>({1.0}), other = numbers<double>({2.0});
  hidden.set_null(0);
  other.set_null(0);
  EXPECT_EQ(differ(kFloat, hidden, other), "");
}

TEST(Equality, OfLabelsIsThatOfTheValues) {
  const auto labelled = [](const std::vector<std::optional<std::string>>& values) {
    Type type{.kind = Kind::kInteger, .width = 4, .is_signed = true};
    type.labels = std::make_shared<const Labels>(Labels{.type = kText, .values = texts(values)});
    return type;
  };
  const Array keys = numbers<std::int32_t>({0, 1});
  const Table a = one(labelled({"u", "d"}), keys);
  EXPECT_EQ(difference(a, one(labelled({"u", "d", "s"}), keys)), "");
  EXPECT_EQ(difference(a, one(labelled({"d", "u"}), keys)), "column \"x\", row 0");
  EXPECT_EQ(difference(a, one(labelled({"d", "u"}), numbers<std::int32_t>({1, 0}))), "");
  Type ordered = labelled({"u", "d"});
  ordered.ordered = true;
  EXPECT_NE(difference(a, one(ordered, keys)), "");
}

// [[1, 2], null, [], [3]]
Array lists() {
  Array made = empty_array(list_of(kInt));
  made.children[0] = numbers<std::int32_t>({1, 2, 3});
  made.offsets = {0, 2, 2, 2, 3};
  for (int i = 0; i < 4; ++i) made.push(i == 1);
  return made;
}

TEST(Slices, BeginWithTheOffsetZero) {
  const Type type = list_of(kInt);
  const Array part = slice(type, lists(), 1, 3);
  EXPECT_EQ(part.offsets, (std::vector<std::uint64_t>{0, 0, 0, 1}));
  EXPECT_EQ(part.nulls, 1u);
  EXPECT_TRUE(part.null(0));
  EXPECT_EQ(integer_at(kInt, part.children[0], 0), 3);
  Array whole = slice(type, lists(), 0, 1);
  append(type, whole, part);
  EXPECT_EQ(differ(type, whole, lists()), "");
  EXPECT_NE(identity(type, lists(), 1), identity(type, lists(), 2));
}

TEST(Slices, OfFixedListsAndStructs) {
  Type type{.kind = Kind::kFixedList, .width = 2};
  type.children.push_back({.name = "item", .type = kInt});
  Array array = empty_array(type);
  array.children[0] = numbers<std::int32_t>({1, 2, 3, 4, 5, 6});
  for (int i = 0; i < 3; ++i) array.push(false);
  const Array part = slice(type, array, 1, 2);
  EXPECT_EQ(part.children[0].length, 4u);
  EXPECT_EQ(integer_at(kInt, part.children[0], 0), 3);
  EXPECT_EQ(identity(type, part, 1), identity(type, array, 2));
}

TEST(Integers, OfAnyWidth) {
  const Array bytes = numbers<std::uint8_t>({0xFF});
  EXPECT_EQ(integer_at({.kind = Kind::kInteger, .width = 1, .is_signed = true}, bytes, 0), -1);
  EXPECT_EQ(integer_at({.kind = Kind::kInteger, .width = 1}, bytes, 0), 255);
}

TEST(Meaning, HasUnits) {
  EXPECT_EQ(units_of("date[day]"), "days since 1970-01-01");
  EXPECT_EQ(units_of("timestamp[ns, UTC]"), "ns since 1970-01-01T00:00:00Z");
  EXPECT_EQ(units_of("duration[ms]"), "ms");
  EXPECT_EQ(units_of("decimal128(10, 2)"), "");
}

}  // namespace

}  // namespace hepcheck::exchange
