// Values of extension types that dictionaries hold: they count where they are used.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/judge.h"

namespace hepcheck::arrow {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Numbers = std::vector<std::int16_t>;
using Indices = std::vector<std::int32_t>;

constexpr std::uint8_t kTimestampTag = 10;

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes made;
  for (const T value : values) made += raw(value);
  return made;
}

TableOf extended(TableOf field, const Bytes& name) {
  const TableOf pair{{{0, Text{"ARROW:extension:name"}}, {1, Text{name}}}};
  field.fields.emplace_back(6u, Tables{pair});
  return field;
}

TableOf minutes() { return field("offset_minutes", kIntTag, int_type(16), {}, false); }

TableOf zoned(const TableOf& offset_minutes) {
  const TableOf utc{{{0, raw(std::int16_t{2})}, {1, Text{"UTC"}}}};
  return extended(field("t", kStructTag, {},
                        {field("timestamp", kTimestampTag, utc, {}, false), offset_minutes}),
                  "arrow.timestamp_with_offset");
}

Bytes opened(const Tables& fields) { return message(kSchemaTag, schema(fields)); }
Bytes encoded() { return opened({zoned(dictionary(minutes(), 1))}); }

Bytes values(const Numbers& numbers, bool delta = false, std::int64_t id = 1) {
  const auto length = static_cast<std::int64_t>(numbers.size());
  const BodyOf body = body_of({"", bytes_of(numbers)});
  return message(kDictionaryTag,
                 dictionary_batch(id, record_batch(length, {{length, 0}}, body), delta),
                 body.bytes);
}

// A batch of `zoned`, whose offsets are encoded.
Bytes uses(const Indices& indices) {
  const auto length = static_cast<std::int64_t>(indices.size());
  return batch(length, {{length, 0}, {length, 0}, {length, 0}},
               {"", "", Bytes(8 * indices.size(), '\0'), "", bytes_of(indices)});
}

std::string judged(const Bytes& stream) {
  return result_of(stream, "arrow-columnar-1.5", "arrow-timestamp-offset-range");
}

TEST(UsedNumbers, CountOnlyWhereTheyAreUsed) {
  EXPECT_EQ(judged(encoded() + values({60, 900, -779, 780, -780}) + uses({0, 2, 3, 0})), "pass 4");
  EXPECT_EQ(judged(encoded() + values({60, 900, 781}) + uses({0, 1, 2, 1})),
            "fail 4: slot 1: 900, index 1 +2");
  EXPECT_EQ(judged(encoded() + values({60, -780}) + uses({0, 0}) + uses({0, 1})),
            "fail 4: slot 1: -780, index 1");
  EXPECT_EQ(judged(encoded() + values({900})), "not applicable");
}

TEST(UsedNumbers, FollowDeltasAndReplacements) {
  const Bytes first = encoded() + values({900, 0});
  EXPECT_EQ(judged(first + values({781, 1}, true) + uses({1, 3})), "pass 2");
  EXPECT_EQ(judged(first + values({1, 781}, true) + uses({1, 2, 3})),
            "fail 3: slot 2: 781, index 3");
  EXPECT_EQ(judged(first + values({1, 781}, true) + uses({3, 0})),
            "fail 2: slot 0: 781, index 3 +1");
  EXPECT_EQ(judged(first + uses({1}) + values({0, 900}) + uses({0})), "pass 2");
  EXPECT_EQ(judged(first + uses({1}) + values({0, 900}) + uses({1})),
            "fail 2: slot 0: 900, index 1");
}

// Of all widths: an unsigned index that would be negative as a signed one, and a negative one,
// which has a finding of its own.
TEST(UsedNumbers, WidthsOfIndices) {
  Numbers many(256, 0);
  many[255] = 900;
  const auto stream = [&](std::int32_t width, bool is_signed, const Bytes& index) {
    return opened({zoned(dictionary(minutes(), 1, int_type(width, is_signed)))}) + values(many) +
           batch(1, {{1, 0}, {1, 0}, {1, 0}}, {"", "", Bytes(8, '\0'), "", index});
  };
  EXPECT_EQ(judged(stream(8, false, "\xff")), "fail 1: slot 0: 900, index 255");
  EXPECT_EQ(judged(stream(8, true, "\xff")), "pass 1");
  EXPECT_EQ(judged(stream(16, true, raw(std::int16_t{255}))), "fail 1: slot 0: 900, index 255");
  EXPECT_EQ(judged(stream(64, true, raw(std::int64_t{255}))), "fail 1: slot 0: 900, index 255");
  EXPECT_EQ(judged(stream(64, false, raw(std::int64_t{254}))), "pass 1");
}

// An index beyond the first part of a buffer that is read in parts.
TEST(UsedNumbers, ManyIndices) {
  Indices indices(200'000, 0);
  indices[150'000] = 1;
  indices[199'999] = 1;
  EXPECT_EQ(judged(encoded() + values({0, 900}) + uses(indices)),
            "fail 200000: slot 150000: 900, index 1 +1");
}

// A field without the extension type uses the same dictionary.
TEST(UsedNumbers, OfOneOfTwoFields) {
  const Bytes both =
      opened({dictionary(field("n", kIntTag, int_type(16)), 1), zoned(dictionary(minutes(), 1))}) +
      values({0, 900});
  const auto batch_of = [](std::int32_t plain, std::int32_t zone) {
    return batch(1, {{1, 0}, {1, 0}, {1, 0}, {1, 0}},
                 {"", raw(plain), "", "", Bytes(8, '\0'), "", raw(zone)});
  };
  EXPECT_EQ(judged(both + batch_of(1, 0)), "pass 1");
  EXPECT_EQ(judged(both + batch_of(0, 1)), "fail 1: slot 0: 900, index 1");
}

// Which values of a dictionary are used by values of another one is not recorded.
TEST(UsedNumbers, BelowValuesOfADictionary) {
  const auto row = [](const Bytes& offset) {
    const BodyOf body = body_of({"", "", Bytes(8, '\0'), "", offset});
    return message(kDictionaryTag,
                   dictionary_batch(2, record_batch(1, {{1, 0}, {1, 0}, {1, 0}}, body)),
                   body.bytes);
  };
  const Bytes use = batch(1, {{1, 0}}, {"", raw(0)});
  const Bytes outer = opened({dictionary(zoned(minutes()), 2)});
  EXPECT_EQ(judged(outer + row(raw(std::int16_t{780})) + use), "pass 1");
  EXPECT_THAT(judged(outer + row(raw(std::int16_t{900})) + use),
              StartsWith("not checked: dictionary 2: which parts of its values"));
  EXPECT_EQ(judged(outer + row(raw(std::int16_t{900}))), "not applicable");

  const Bytes two = opened({dictionary(zoned(dictionary(minutes(), 1)), 2)});
  EXPECT_EQ(judged(two + row(raw(0)) + values({780}) + use), "pass 1");
  EXPECT_THAT(judged(two + row(raw(0)) + values({780, 900}) + use),
              StartsWith("not checked: dictionary 1: which of its values are used"));
  EXPECT_THAT(judged(two + values({0}) + row(raw(0)) + use + values({900}) + use),
              StartsWith("not checked: dictionary 1"));
}

TEST(UsedNumbers, TooManyOfThem) {
  const std::size_t most = 65'536;
  EXPECT_EQ(judged(encoded() + values(Numbers(most, 900)) + uses({65'535})),
            "fail 1: slot 0: 900, index 65535");
  const std::string reason =
      "not checked: batch[0].field[0:\"t\"].child[1:\"offset_minutes\"]: its "
      "dictionary has too many such values";
  EXPECT_EQ(judged(encoded() + values(Numbers(most + 1, 900)) + uses({0})), reason);
  EXPECT_EQ(judged(encoded() + values(Numbers(most, 900)) + values({900}, true) + uses({0})),
            reason);
  // What is kept of all dictionaries together.
  Tables fields;
  Bytes dictionaries;
  std::vector<NodeOf> nodes;
  std::vector<Bytes> buffers;
  for (std::int64_t id = 1; id <= 5; ++id) {
    fields.push_back(zoned(dictionary(minutes(), id)));
    dictionaries += values(Numbers(most, 900), false, id);
    nodes.insert(nodes.end(), 3, {1, 0});
    buffers.insert(buffers.end(), {"", "", Bytes(8, '\0'), "", raw(std::int32_t{0})});
  }
  EXPECT_THAT(judged(opened(fields) + dictionaries + batch(1, nodes, buffers)),
              HasSubstr("fail 4: "));
  // A replacement makes room.
  EXPECT_THAT(judged(opened(fields) + dictionaries + values({0}, false, 1) +
                     values(Numbers(most, 900), false, 5) + batch(1, nodes, buffers)),
              HasSubstr("fail 5: "));
}

// --- Tensors -------------------------------------------------------------------------------------

constexpr std::uint8_t kFixedSizeListTag = 16;
constexpr const char *kFits = "arrow-variable-tensor-data-fits-shape",
                     *kHolds = "arrow-variable-tensor-uniform-holds";

struct Tensor {
  std::int32_t elements, rows, columns;
};
using Tensors = std::vector<Tensor>;

TableOf tensor(const Bytes& metadata = {}) {
  const TableOf size_two{{{0, raw(std::int32_t{2})}}};
  TableOf made =
      field("t", kStructTag, {},
            {field("data", kListTag, {}, {field("item", kIntTag, int_type(8))}),
             field("shape", kFixedSizeListTag, size_two, {field("item", kIntTag, int_type())})});
  const auto pair = [](const Bytes& key, const Bytes& value) {
    return TableOf{{{0, Text{key}}, {1, Text{value}}}};
  };
  made.fields.emplace_back(6u, Tables{pair("ARROW:extension:name", "arrow.variable_shape_tensor"),
                                      pair("ARROW:extension:metadata", metadata)});
  return made;
}

struct TensorParts {
  std::vector<NodeOf> nodes{};
  std::vector<Bytes> buffers{};
};

TensorParts parts_of(const Tensors& tensors) {
  const auto length = static_cast<std::int64_t>(tensors.size());
  std::vector<std::int32_t> offsets{0}, sizes;
  for (const Tensor& each : tensors) {
    offsets.push_back(offsets.back() + each.elements);
    sizes.insert(sizes.end(), {each.rows, each.columns});
  }
  const std::int64_t items = offsets.back();
  return {{{length, 0}, {length, 0}, {items, 0}, {length, 0}, {2 * length, 0}},
          {"", "", bytes_of(offsets), "", Bytes(static_cast<std::size_t>(items), '\0'), "", "",
           bytes_of(sizes)}};
}

Bytes tensor_values(const Tensors& tensors, bool delta = false) {
  const TensorParts made = parts_of(tensors);
  const BodyOf body = body_of(made.buffers);
  const auto length = static_cast<std::int64_t>(tensors.size());
  return message(kDictionaryTag, dictionary_batch(1, record_batch(length, made.nodes, body), delta),
                 body.bytes);
}

Bytes used(const Indices& indices) {
  const auto length = static_cast<std::int64_t>(indices.size());
  return batch(length, {{length, 0}}, {"", bytes_of(indices)});
}

std::string tensors_of(const Bytes& stream, const char* clause = kFits) {
  return result_of(stream, "arrow-columnar-1.5", clause);
}

TEST(UsedTensors, CountOnlyWhereTheyAreUsed) {
  const Bytes begin =
      opened({dictionary(tensor(), 1)}) + tensor_values({{6, 2, 3}, {5, 2, 3}, {2, -1, 2}});
  EXPECT_EQ(tensors_of(begin), "not applicable");
  EXPECT_EQ(tensors_of(begin + used({0, 0})), "pass 2");
  EXPECT_EQ(tensors_of(begin + used({0, 1, 2})), "fail 3: slot 1: 5 elements, index 1 +1");
  EXPECT_EQ(
      tensors_of(begin + tensor_values({}, true) + tensor_values({{7, 7, 2}}, true) + used({0, 3})),
      "fail 2: slot 1: 7 elements, index 3");
  EXPECT_EQ(tensors_of(begin + tensor_values({}) + tensor_values({{7, 7, 2}, {4, 2, 2}}, true) +
                       used({1})),
            "pass 1");
}

TEST(UsedTensors, OfAnotherSizeThanTheUniformOne) {
  const Tensors rows{{6, 3, 2}, {6, 2, 3}, {5, 5, 2}};
  const Bytes begin = opened({dictionary(tensor(R"({"uniform_shape": [2, null]})"), 1)});
  EXPECT_EQ(tensors_of(begin + tensor_values(rows) + used({1, 1}), kHolds), "pass 2");
  EXPECT_EQ(tensors_of(begin + tensor_values(rows) + used({1, 0}), kHolds),
            "fail 2: slot 1: size 3 of dimension 0, index 0");
  EXPECT_EQ(tensors_of(begin + tensor_values(rows) + used({1, 0})), "pass 2");
  // Both rules about one value.
  EXPECT_EQ(tensors_of(begin + tensor_values(rows) + used({2}), kHolds),
            "fail 1: slot 0: size 5 of dimension 0, index 2");
  EXPECT_EQ(tensors_of(begin + tensor_values(rows) + used({2})),
            "fail 1: slot 0: 5 elements, index 2");
  // The values were compared with the metadata of the first field.
  const Bytes two = opened({dictionary(tensor(R"({"uniform_shape": [2, null]})"), 1),
                            dictionary(tensor(R"({"uniform_shape": [3, null]})"), 1)});
  EXPECT_THAT(tensors_of(two + tensor_values(rows) +
                             batch(1, {{1, 0}, {1, 0}},
                                   {"", raw(std::int32_t{1}), "", raw(std::int32_t{1})}),
                         kHolds),
              StartsWith("not checked: dictionary 1: its values were compared with other"));
}

TEST(UsedTensors, InOtherPlaces) {
  const auto column = [](const Tensors& tensors) {
    const TensorParts made = parts_of(tensors);
    return batch(static_cast<std::int64_t>(tensors.size()), made.nodes, made.buffers);
  };
  EXPECT_EQ(tensors_of(opened({tensor()}) + column({{6, 2, 3}, {5, 2, 3}})),
            "fail 2: slot 1: 5 elements");
  EXPECT_EQ(tensors_of(opened({tensor()}) + column({})), "not applicable");
  // Below the values of a dictionary.
  const Bytes outer = opened({dictionary(field("s", kStructTag, {}, {tensor()}), 1)});
  const auto row = [](const Tensor& one) {
    TensorParts made = parts_of({one});
    made.nodes.insert(made.nodes.begin(), {1, 0});
    made.buffers.insert(made.buffers.begin(), "");
    const BodyOf body = body_of(made.buffers);
    return message(kDictionaryTag, dictionary_batch(1, record_batch(1, made.nodes, body)),
                   body.bytes);
  };
  EXPECT_EQ(tensors_of(outer + row({6, 2, 3}) + used({0})), "pass 1");
  EXPECT_THAT(tensors_of(outer + row({5, 2, 3}) + used({0})),
              StartsWith("not checked: dictionary 1: which parts of its values"));
}

// Of the values of runs, those count that a slot has; if the run ends are wrong, none is known.
TEST(Tensors, InRuns) {
  constexpr std::uint8_t kRunEndTag = 22;
  const Bytes begin = opened(
      {field("r", kRunEndTag, {}, {field("run_ends", kIntTag, int_type(), {}, false), tensor()})});
  const auto column = [&](std::int64_t length, const Indices& ends) {
    TensorParts made = parts_of({{6, 2, 3}, {5, 2, 3}});
    made.nodes.insert(made.nodes.begin(), {{length, 0}, {2, 0}});
    made.buffers.insert(made.buffers.begin(), {"", bytes_of(ends)});
    return tensors_of(begin + batch(length, made.nodes, made.buffers));
  };
  EXPECT_EQ(column(4, {1, 4}), "fail 2: slot 1: 5 elements");
  EXPECT_EQ(column(1, {1, 4}), "pass 2");
  EXPECT_EQ(column(4, {4, 1}), "not applicable");
  EXPECT_EQ(column(5, {1, 4}), "not applicable");
}

TEST(UsedNumbers, BrokenDictionariesCauseNoMore) {
  EXPECT_EQ(judged(encoded() + uses({0})), "not applicable");
  const BodyOf short_of = body_of({"", raw(std::int16_t{900})});
  const Bytes broken_values = message(
      kDictionaryTag, dictionary_batch(1, record_batch(2, {{2, 0}}, short_of)), short_of.bytes);
  EXPECT_EQ(judged(encoded() + broken_values + uses({0})), "not applicable");
  // Which of the first values are null is not known, and so nothing is said of those that follow.
  const Numbers nine(9, 0);
  const BodyOf cut = body_of({Bytes(1, '\1'), bytes_of(nine)});
  const Bytes unknown =
      message(kDictionaryTag, dictionary_batch(1, record_batch(9, {{9, 8}}, cut)), cut.bytes);
  EXPECT_EQ(judged(encoded() + unknown + values({900}, true) + uses({9})), "not applicable");
}

}  // namespace
}  // namespace hepcheck::arrow
