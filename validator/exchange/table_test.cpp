#include "validator/exchange/table.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "validator/exchange/meaning.h"
#include "validator/exchange/testing/build.h"

namespace hepcheck::exchange {

namespace {

using namespace testing;

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

TEST(Equality, OfLabelsEqualsThatOfTheValues) {
  const auto among = [](const std::vector<std::optional<std::string>>& values) {
    return labelled(kInt, values);
  };
  const Array keys = numbers<std::int32_t>({0, 1});
  const Table a = one(among({"u", "d"}), keys);
  EXPECT_EQ(difference(a, one(among({"u", "d", "s"}), keys)), "");
  EXPECT_EQ(difference(a, one(among({"d", "u"}), keys)), "column \"x\", row 0");
  EXPECT_EQ(difference(a, one(among({"d", "u"}), numbers<std::int32_t>({1, 0}))), "");
  Type ordered = among({"u", "d"});
  ordered.ordered = true;
  EXPECT_NE(difference(a, one(ordered, keys)), "");
}

// [[1, 2], null, [], [3]]
Array some_lists() { return lists({2, std::nullopt, 0, 1}, numbers<std::int32_t>({1, 2, 3})); }

TEST(Slices, BeginWithTheOffsetZero) {
  const Type type = list_of(kInt);
  const Array part = slice(type, some_lists(), 1, 3);
  EXPECT_EQ(part.offsets, (std::vector<std::uint64_t>{0, 0, 0, 1}));
  EXPECT_EQ(part.nulls, 1u);
  EXPECT_TRUE(part.null(0));
  EXPECT_EQ(integer_at(kInt, part.children[0], 0), 3);
  Array whole = slice(type, some_lists(), 0, 1);
  append(type, whole, part);
  EXPECT_EQ(differ(type, whole, some_lists()), "");
  EXPECT_NE(identity(type, some_lists(), 1), identity(type, some_lists(), 2));
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

// Any slice has the values of its rows, and slices that are appended to each other are the whole.
TEST(Slices, OfAnyRowsHaveTheirValues) {
  constexpr std::uint64_t kRows = 37;
  std::vector<std::optional<std::string>> words;
  std::vector<std::optional<std::int32_t>> values;
  std::vector<std::optional<std::uint8_t>> keys;
  std::vector<std::optional<std::uint64_t>> lengths;
  for (std::uint64_t i = 0; i < kRows; ++i) {
    // Some bytes of the validity bitmap have no null, some only nulls, some both.
    const bool null = i < 16 ? i % 5 == 3 : i >= 24 && (i < 32 || i == 35);
    words.push_back(null ? std::nullopt : std::optional(std::string(i % 4, 'a') + 'x'));
    values.push_back(null ? std::nullopt : std::optional(static_cast<std::int32_t>(i)));
    keys.push_back(null ? std::nullopt : std::optional(static_cast<std::uint8_t>(i % 3)));
    lengths.push_back(null ? std::nullopt : std::optional(i % 3));
  }
  std::vector<std::optional<std::int32_t>> items;
  for (std::int32_t i = 0; i < 40; ++i)
    items.push_back(i % 7 == 2 ? std::nullopt : std::optional(i));
  Type pair{.kind = Kind::kFixedList, .width = 2};
  pair.children.push_back({.name = "item", .type = kInt});
  Array pairs;
  std::vector<std::optional<std::int32_t>> twice;
  for (const auto& value : values) {
    pairs.push(!value);
    twice.insert(twice.end(), {value, 5});
  }
  pairs.children.push_back(numbers(twice));
  Type record{.kind = Kind::kStruct};
  record.children = {{.name = "p", .type = kText}, {.name = "q", .type = kInt}};
  Array records;
  for (const auto& value : values) records.push(!value);
  records.children = {texts(words), numbers(values)};
  const std::pair<Type, Array> all[] = {
      {kText, texts(words)},
      {kInt, numbers(values)},
      {labelled(integer(1, false), {"a", "b", std::nullopt}), numbers(keys)},
      {list_of(kInt), lists(lengths, numbers(items))},
      {pair, pairs},
      {record, records}};
  for (const auto& [type, array] : all)
    for (std::uint64_t first = 0; first <= kRows; ++first)
      for (std::uint64_t count = 0; first + count <= kRows; ++count) {
        const Array part = slice(type, array, first, count);
        ASSERT_EQ(part.length, count);
        std::uint64_t nulls = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
          ASSERT_EQ(identity(type, part, i), identity(type, array, first + i))
              << describe(type) << ' ' << first << ' ' << i;
          nulls += array.null(first + i);
        }
        ASSERT_EQ(part.nulls, nulls);
        if (count % 5 != 1) continue;
        Array whole = slice(type, array, 0, first);
        append(type, whole, part);
        append(type, whole, slice(type, array, first + count, kRows - first - count));
        ASSERT_EQ(differ(type, whole, array), "") << describe(type) << ' ' << first << ' ' << count;
        ASSERT_EQ(whole.nulls, array.nulls);
      }
}

// Values that equal in other types, or at other places, do not have the same form.
TEST(Equality, OfEveryTwoValues) {
  const Type labels = labelled(integer(1, false), {"a", "b", std::nullopt});
  const Array keys = numbers<std::uint8_t>({0, 1, 2, std::nullopt, 7});
  const Array lists_of = lists({2, 1, 0, std::nullopt, 2, 1},
                               numbers<std::int32_t>({1, 2, 1, 2, std::nullopt, std::nullopt}));
  const Array words = texts({"", std::nullopt, "a", "ab", "b"});
  const std::pair<Type, Array> all[] = {{labels, keys}, {list_of(kInt), lists_of}, {kText, words}};
  for (const auto& [type, array] : all)
    for (std::uint64_t i = 0; i < array.length; ++i)
      for (std::uint64_t k = 0; k < array.length; ++k)
        EXPECT_EQ(identity(type, array, i) == identity(type, array, k), i == k)
            << describe(type) << ' ' << i << ' ' << k;
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
