// Unions: chapter 2.10.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/judge.h"

namespace hepcheck::arrow {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Three slots of an int32 and of a text, with the type ids 3 and 7.
struct UnionColumn {
  bool dense = true;
  Bytes ids = {3, 7, 3}, offsets = raw_all(0, 0, 1), text = "ab";
  std::int64_t ints = 2, texts = 2, null_count = 0;
  std::vector<std::int32_t> type_ids = {3, 7};

  Bytes stream() const {
    Bytes raw_ids;
    for (const std::int32_t id : type_ids) raw_ids += raw(id);
    const TableOf type{{{0, raw(static_cast<std::int16_t>(dense))}, {1, Elements{4, raw_ids}}}};
    Bytes starts = raw(0);
    for (std::int32_t i = 1; i <= texts; ++i) starts += raw(i);
    std::vector<Bytes> buffers = {ids};
    if (dense) buffers.push_back(offsets);
    buffers.insert(buffers.end(),
                   {"", Bytes(static_cast<std::size_t>(4 * ints), '\1'), "", starts, text});
    return message(kSchemaTag,
                   schema({field("u", kUnionTag, type,
                                 {field("i", kIntTag, int_type()), field("t", kUtf8Tag)})})) +
           batch(3, {{3, null_count}, {ints, 0}, {texts, 0}}, buffers);
  }
};

TEST(Union, Dense) {
  EXPECT_THAT(broken(UnionColumn().stream()), IsEmpty());
  EXPECT_THAT(first_findings(UnionColumn{.offsets = raw_all(0, 0, 2)}.stream()),
              ElementsAre("arrow-dense-union-offset-in-child: slot 2: offset 2"));
  EXPECT_THAT(first_findings(UnionColumn{.offsets = raw_all(0, -1, 1)}.stream()),
              ElementsAre("arrow-dense-union-offset-in-child: slot 1: offset -1"));
  EXPECT_THAT(broken(UnionColumn{.offsets = raw_all(1, 0, 0)}.stream()),
              ElementsAre("arrow-dense-union-offsets-ascending"));
  // The same slot twice; offsets into different children have no order.
  EXPECT_THAT(broken(UnionColumn{.offsets = raw_all(1, 0, 1)}.stream()), IsEmpty());
  EXPECT_THAT(broken(UnionColumn{.offsets = raw_all(0, 0)}.stream()),
              ElementsAre("arrow-dense-union-offsets-size"));
}

// Each step backwards is counted from the previous offset.
TEST(Union, DescendingDenseOffsets) {
  const UnionColumn column{.ids = {3, 3, 3}, .offsets = raw_all(2, 0, 1), .ints = 3};
  EXPECT_THAT(first_findings(column.stream()),
              ElementsAre("arrow-dense-union-offsets-ascending: slot 1: offset 0 after 2"));
}

// A slot of the child that a null covers and another slot selects is examined.
TEST(Union, DenseSlotsSelectedTwice) {
  const auto stream = [](std::uint8_t validity) {
    const TableOf type{{{0, raw(std::int16_t{1})}, {1, Elements{4, raw(0)}}}};
    const TableOf dense = field("u", kUnionTag, type, {field("t", kUtf8Tag)});
    return message(kSchemaTag, schema({field("s", kStructTag, {}, {dense})})) +
           batch(2,
                 {{2, validity == 3   ? 0
                      : validity == 0 ? 2
                                      : 1},
                  {2, 0},
                  {1, 0}},
                 {raw(validity), Bytes(2, '\0'), raw_all(0, 0), "", raw_all(0, 1), "\xFF"});
  };
  EXPECT_THAT(broken(stream(0b00)), IsEmpty());
  EXPECT_THAT(broken(stream(0b01)), ElementsAre("arrow-utf8-values-valid"));
  EXPECT_THAT(broken(stream(0b10)), ElementsAre("arrow-utf8-values-valid"));
}

// In version V4 a union has its own nulls, below which a type id may have any value.
TEST(Union, NullsOfVersionFour) {
  const auto stream = [](std::uint8_t validity, std::int64_t nulls) {
    const TableOf type{{{0, raw(std::int16_t{0})}, {1, Elements{4, raw(0)}}}};
    const BodyOf body = body_of({raw(validity), {0, 9}, "", raw_all(1, 2)});
    const TableOf header = record_batch(2, {{2, nulls}, {2, 0}}, body);
    const Tables children = {field("i", kIntTag, int_type())};
    return message(kSchemaTag, schema({field("u", kUnionTag, type, children)}), {}, 3) +
           message(kRecordTag, header, body.bytes, 3);
  };
  EXPECT_THAT(broken(stream(0b01, 1)), IsEmpty());
  EXPECT_THAT(broken(stream(0b11, 0)), ElementsAre("arrow-union-type-id-known"));
  EXPECT_THAT(broken(stream(0b10, 1)), ElementsAre("arrow-union-type-id-known"));
}

// A key counts if its child is selected.
TEST(Union, KeysOfDictionaries) {
  const auto stream = [](const Bytes& ids) {
    const TableOf type{{{0, raw(std::int16_t{0})}}};
    const Tables children = {field("i", kIntTag, int_type()), dictionary(field("d", kUtf8Tag), 1)};
    const BodyOf words = body_of({"", raw_all(0, 1), "w"});
    return message(kSchemaTag, schema({field("u", kUnionTag, type, children)})) +
           message(kDictionaryTag, dictionary_batch(1, record_batch(1, {{1, 0}}, words)),
                   words.bytes) +
           batch(2, {{2, 0}, {2, 0}, {2, 0}}, {ids, "", raw_all(1, 2), "", raw_all(0, 7)});
  };
  EXPECT_THAT(broken(stream({1, 0})), IsEmpty());
  EXPECT_THAT(first_findings(stream({0, 1})),
              ElementsAre("arrow-dictionary-index-in-range: index 7"));
}

TEST(Union, TypeIds) {
  EXPECT_THAT(first_findings(UnionColumn{.ids = {3, 0, 7}}.stream()),
              ElementsAre("arrow-union-type-id-known: slot 1: type id 0"));
  EXPECT_THAT(first_findings(UnionColumn{.ids = {3, 7, -1}}.stream()),
              ElementsAre("arrow-union-type-id-known: slot 2: type id -1"));
  EXPECT_THAT(broken(UnionColumn{.ids = {3, 7}}.stream()),
              ElementsAre("arrow-union-type-ids-buffer-size"));
  EXPECT_THAT(broken(UnionColumn{.type_ids = {3, 3}}.stream()),
              ElementsAre("arrow-union-type-ids-unique"));
  EXPECT_THAT(broken(UnionColumn{.type_ids = {3}}.stream()),
              ElementsAre("arrow-union-type-ids-count"));
  EXPECT_THAT(broken(UnionColumn{.type_ids = {3, 128}}.stream()),
              ElementsAre("arrow-union-type-ids-range"));
  EXPECT_THAT(broken(UnionColumn{.null_count = 1}.stream()),
              ElementsAre("arrow-union-null-count-zero"));
}

TEST(Union, Sparse) {
  const UnionColumn sound{.dense = false, .text = "abc", .ints = 3, .texts = 3};
  UnionColumn column = sound;
  EXPECT_THAT(broken(column.stream()), IsEmpty());
  column.ints = 2;
  EXPECT_THAT(broken(column.stream()), ElementsAre("arrow-sparse-union-child-not-shorter"));
  column.ints = 4;
  EXPECT_THAT(broken(column.stream()), ElementsAre("arrow-sparse-union-child-not-longer"));
  // Unselected slots must also have a value of their type.
  column = sound;
  column.text =
      "\xFF"
      "bc";
  EXPECT_THAT(first_findings(column.stream()),
              ElementsAre("arrow-utf8-values-valid: slot 0: the byte 0xff"));
}

}  // namespace
}  // namespace hepcheck::arrow
