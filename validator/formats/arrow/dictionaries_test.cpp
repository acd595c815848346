// Dictionaries: deltas, replacements, dictionaries of dictionaries.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/judge.h"

namespace hepcheck::arrow {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Bytes words(std::int64_t id, std::int32_t count, bool delta = false) {
  Bytes offsets = raw(0);
  for (std::int32_t i = 1; i <= count; ++i) offsets += raw(i);
  const BodyOf body = body_of({"", offsets, Bytes(static_cast<std::size_t>(count), 'w')});
  return message(kDictionaryTag,
                 dictionary_batch(id, record_batch(count, {{count, 0}}, body), delta), body.bytes);
}

Bytes key(std::int32_t value) { return batch(1, {{1, 0}}, {"", raw(value)}); }
Bytes one_field() { return message(kSchemaTag, schema({dictionary(field("d", kUtf8Tag), 1)})); }

TEST(Dictionaries, DeltasAddUp) {
  const Bytes stream = one_field() + words(1, 2) + words(1, 1, true) + words(1, 1, true);
  EXPECT_THAT(broken(stream + key(3)), IsEmpty());
  EXPECT_THAT(first_findings(stream + key(4)),
              ElementsAre("arrow-dictionary-index-in-range: index 4"));
}

TEST(Dictionaries, ReplacementsApplyFromTheirPosition) {
  EXPECT_THAT(broken(one_field() + words(1, 2) + key(1) + words(1, 1) + key(0)), IsEmpty());
  EXPECT_THAT(broken(one_field() + words(1, 2) + words(1, 1) + key(1)),
              ElementsAre("arrow-dictionary-index-in-range"));
  EXPECT_THAT(broken(one_field() + words(1, 1) + words(1, 2) + key(1)), IsEmpty());
  EXPECT_THAT(broken(one_field() + words(1, 2) + words(1, 1) + words(1, 1, true) + key(1)),
              IsEmpty());
}

TEST(Dictionaries, AreIdentifiedByTheirId) {
  EXPECT_THAT(broken(one_field() + words(2, 1) + words(1, 1) + key(0)),
              ElementsAre("arrow-dictionary-id-in-schema"));
  EXPECT_THAT(broken(one_field() + key(0) + words(1, 1)),
              ElementsAre("arrow-stream-dictionary-before-use"));
  // A null needs no value, but the dictionary must exist.
  const Bytes null = batch(1, {{1, 1}}, {raw(std::uint8_t{0}), raw(7)});
  EXPECT_THAT(broken(one_field() + null + words(1, 1)), IsEmpty());
  EXPECT_THAT(broken(one_field() + null), ElementsAre("arrow-stream-dictionary-included"));
  EXPECT_THAT(broken(one_field()), IsEmpty());
}

TEST(Dictionaries, WidthsOfKeys) {
  const auto stream = [](std::int32_t width, bool is_signed, const Bytes& keys) {
    const TableOf field_of = dictionary(field("d", kUtf8Tag), 1, int_type(width, is_signed));
    return message(kSchemaTag, schema({field_of})) + words(1, 200) + batch(2, {{2, 0}}, {"", keys});
  };
  EXPECT_THAT(broken(stream(8, true, {0, 127})), IsEmpty());
  EXPECT_THAT(first_findings(stream(8, true, {0, -56})),
              ElementsAre("arrow-dictionary-index-not-negative: slot 1: index -56"));
  EXPECT_THAT(broken(stream(8, false, {0, -57})),
              ElementsAre("arrow-dictionary-index-signed-preferred"));  // 199
  EXPECT_THAT(first_findings(stream(16, true, raw_all(std::int16_t{200}, std::int16_t{0}))),
              ElementsAre("arrow-dictionary-index-in-range: index 200"));
  EXPECT_THAT(first_findings(stream(64, true, raw_all(std::int64_t{0}, std::int64_t{1} << 40))),
              ElementsAre("arrow-dictionary-index-in-range: index 1099511627776"));
}

// A dictionary of structs whose child is dictionary-encoded.
TEST(Dictionaries, InsideDictionaries) {
  const TableOf inner = dictionary(field("k", kUtf8Tag), 2);
  const Bytes begin =
      message(kSchemaTag, schema({dictionary(field("d", kStructTag, {}, {inner}), 1)}));
  const auto outer = [](std::int32_t inner_key, bool delta = false) {
    const BodyOf body = body_of({"", "", raw_all(0, inner_key)});
    return message(kDictionaryTag,
                   dictionary_batch(1, record_batch(2, {{2, 0}, {2, 0}}, body), delta), body.bytes);
  };
  EXPECT_THAT(broken(begin + words(2, 2) + outer(1) + key(1)), IsEmpty());
  EXPECT_THAT(broken(begin + outer(1) + words(2, 2) + key(1)), IsEmpty());
  EXPECT_THAT(broken(begin + words(2, 2) + outer(2) + key(1)),
              ElementsAre("arrow-dictionary-index-in-range"));
  EXPECT_THAT(broken(begin + words(2, 2) + outer(1) + outer(1, true) + key(3)), IsEmpty());
  EXPECT_THAT(broken(begin + words(2, 2) + outer(1) + outer(2, true) + key(3)),
              ElementsAre("arrow-dictionary-index-in-range"));
  EXPECT_THAT(broken(begin + outer(1) + key(1)), ElementsAre("arrow-stream-dictionary-before-use"));
  // What is replaced before it is used does not count.
  EXPECT_THAT(broken(begin + words(2, 2) + outer(5) + outer(1) + key(1)), IsEmpty());
  EXPECT_THAT(broken(begin + words(2, 2) + outer(5) + key(1) + outer(1) + key(1)),
              ElementsAre("arrow-dictionary-index-in-range"));
  // Keys that are all null, and then some that are not.
  const BodyOf nulls = body_of({"", Bytes(1, '\0'), raw_all(0, 0)});
  const Bytes without = message(
      kDictionaryTag, dictionary_batch(1, record_batch(2, {{2, 0}, {2, 2}}, nulls)), nulls.bytes);
  EXPECT_THAT(broken(begin + words(2, 0) + without + key(1)), IsEmpty());
  EXPECT_THAT(broken(begin + words(2, 0) + without + outer(0, true) + key(1)),
              ElementsAre("arrow-dictionary-index-in-range"));
  const BodyOf negative = body_of({"", "", raw_all(-1, -1)});
  const Bytes below =
      message(kDictionaryTag, dictionary_batch(1, record_batch(2, {{2, 0}, {2, 0}}, negative)),
              negative.bytes);
  EXPECT_THAT(
      broken(begin + words(2, 0) + below + outer(0, true) + key(1)),
      ElementsAre("arrow-dictionary-index-not-negative", "arrow-dictionary-index-in-range"));
  EXPECT_THAT(broken(begin + words(2, 0) + outer(0) + key(1)),
              ElementsAre("arrow-dictionary-index-in-range"));
}

// A dictionary of structs whose children are dictionary-encoded: keys of any of them may be too
// large.
TEST(Dictionaries, SeveralInsideADictionary) {
  constexpr std::int64_t kChildren = 3;
  for (std::int64_t wrong = -1; wrong < kChildren; ++wrong) {
    Tables children;
    std::vector<NodeOf> nodes{{2, 0}};
    std::vector<Bytes> buffers{""};
    Bytes inner;
    for (std::int64_t id = 0; id < kChildren; ++id) {
      children.push_back(dictionary(field("k", kUtf8Tag), id + 2));
      nodes.push_back({2, 0});
      buffers.insert(buffers.end(), {"", raw_all(0, id == wrong ? 7 : 1)});
      inner += words(id + 2, 2);
    }
    const BodyOf body = body_of(buffers);
    const Bytes begin =
        message(kSchemaTag, schema({dictionary(field("d", kStructTag, {}, children), 1)})) + inner +
        message(kDictionaryTag, dictionary_batch(1, record_batch(2, nodes, body)), body.bytes);
    if (wrong < 0)
      EXPECT_THAT(broken(begin + key(1)), IsEmpty());
    else
      EXPECT_THAT(first_findings(begin + key(1)),
                  ElementsAre("arrow-dictionary-index-in-range: index 7"));
  }
}

// A broken dictionary causes no findings about keys, whatever is added to it.
TEST(Dictionaries, BrokenOnes) {
  const BodyOf body = body_of({"", raw_all(0, 1), "w"});
  const Bytes wrong_length =
      message(kDictionaryTag, dictionary_batch(1, record_batch(2, {{1, 0}}, body)), body.bytes);
  EXPECT_THAT(broken(one_field() + wrong_length + key(9)),
              ElementsAre("arrow-batch-column-length"));
  EXPECT_THAT(broken(one_field() + wrong_length + words(1, 1, true) + key(9)),
              ElementsAre("arrow-batch-column-length"));
  EXPECT_THAT(broken(one_field() + wrong_length + words(1, 1) + key(9)),
              ElementsAre("arrow-dictionary-index-in-range", "arrow-batch-column-length"));
}

// Keys of the other byte order, more of them than are examined together.
TEST(Dictionaries, KeysOfTheOtherByteOrder) {
  const TableOf numbers = dictionary(field("d", kIntTag, int_type(8)), 1, int_type(16));
  const BodyOf values = body_of({"", Bytes(2, '\7')});
  const Bytes begin =
      message(kSchemaTag, schema({numbers}, true)) +
      message(kDictionaryTag, dictionary_batch(1, record_batch(2, {{2, 0}}, values)), values.bytes);
  Bytes keys;
  for (int i = 0; i < 64; ++i) keys += big(std::int16_t{1});
  EXPECT_THAT(broken(begin + batch(65, {{65, 0}}, {"", keys + big(std::int16_t{0})})), IsEmpty());
  EXPECT_THAT(first_findings(begin + batch(65, {{65, 0}}, {"", keys + big(std::int16_t{256})})),
              ElementsAre("arrow-dictionary-index-in-range: index 256"));
}

TEST(Dictionaries, OneIdHasOneType) {
  EXPECT_THAT(broken(message(kSchemaTag, schema({dictionary(field("a", kUtf8Tag), 1),
                                                 dictionary(field("b", kIntTag, int_type()), 1)}))),
              ElementsAre("arrow-dictionary-shared-id-same-type"));
}

}  // namespace
}  // namespace hepcheck::arrow
