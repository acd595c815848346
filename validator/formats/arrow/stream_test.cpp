// Streams that are valid, or broken in one way: only the violated clause is reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validator/bytes.h"
#include "validator/format.h"
#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/judge.h"

namespace hepcheck::arrow {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// 1, 2, null, 4
struct IntColumn {
  std::int64_t length = 4, null_count = 1, rows = 4;
  Bytes validity = raw_all(std::uint8_t{0b1011});
  Bytes values = raw_all(1, 2, 3, 4);
  TableOf type = field("a", kIntTag, int_type());

  Bytes stream() const {
    BodyOf body;
    body.add(validity);
    body.add(values);
    return message(kSchemaTag, schema({type})) +
           message(kRecordTag, record_batch(rows, {{length, null_count}}, body), body.bytes) +
           end_of_stream();
  }
};

struct Utf8Column {
  Bytes offsets = raw_all(0, 2, 2, 5), data = "abcde";

  Bytes stream() const {
    BodyOf body;
    body.add("");
    body.add(offsets);
    body.add(data);
    return message(kSchemaTag, schema({field("s", kUtf8Tag)})) +
           message(kRecordTag, record_batch(3, {{3, 0}}, body), body.bytes) + end_of_stream();
  }
};

struct DictionaryColumn {
  Bytes keys = raw_all(0, 1, 1);
  bool defined = true, delta = false;

  Bytes stream() const {
    TableOf type = field("d", kUtf8Tag);
    type.fields.emplace_back(4u, dictionary_encoding(7));
    BodyOf values, body;
    values.add("");
    values.add(raw_all(0, 1, 2));
    values.add("xy");
    body.add("");
    body.add(keys);
    const Bytes dictionary =
        message(kDictionaryTag, dictionary_batch(7, record_batch(2, {{2, 0}}, values), delta),
                values.bytes);
    return message(kSchemaTag, schema({type})) + (defined ? dictionary : "") +
           message(kRecordTag, record_batch(3, {{3, 0}}, body), body.bytes) + end_of_stream();
  }
};

TEST(Stream, ValidStreams) {
  EXPECT_THAT(broken(IntColumn().stream()), IsEmpty());
  EXPECT_THAT(broken(Utf8Column().stream()), IsEmpty());
  EXPECT_THAT(broken(DictionaryColumn().stream()), IsEmpty());
  EXPECT_THAT(broken(message(kSchemaTag, schema({}))), IsEmpty());
}

TEST(Stream, Framing) {
  EXPECT_THAT(broken(""), ElementsAre("arrow-stream-schema-first"));
  EXPECT_THAT(broken(end_of_stream()), ElementsAre("arrow-stream-schema-first"));
  const Bytes sound = IntColumn().stream(), schema_only = message(kSchemaTag, schema({}));
  EXPECT_THAT(broken(sound + "1234"), ElementsAre("arrow-stream-nothing-after-eos"));
  EXPECT_THAT(broken(schema_only + "123"), ElementsAre("arrow-message-prefix-complete"));
  EXPECT_THAT(broken(schema_only + raw(std::uint32_t{0xFEFFFFFF}) + raw(0)),
              ElementsAre("arrow-message-continuation"));
  EXPECT_THAT(broken(schema_only + raw_all(-1, -1)),
              ElementsAre("arrow-message-metadata-size-positive"));
  EXPECT_THAT(broken(sound.substr(0, sound.size() - 16)),
              ElementsAre("arrow-message-body-in-input"));
  EXPECT_THAT(broken(schema_only + raw_all(-1, 64, 0)),
              ElementsAre("arrow-message-metadata-in-input"));
  EXPECT_THAT(broken(schema_only + schema_only), ElementsAre("arrow-stream-one-schema"));
  EXPECT_THAT(broken(message(kSchemaTag, schema({}), {}, 2)),
              ElementsAre("arrow-message-version-readable"));
  EXPECT_THAT(broken(message(kSchemaTag, schema({}), Bytes(8, '\0'))),
              ElementsAre("arrow-schema-message-no-body"));
}

TEST(Stream, Arrays) {
  IntColumn column;
  column.values.resize(15);
  EXPECT_THAT(broken(column.stream()), ElementsAre("arrow-primitive-data-size"));
  column = {.null_count = 0};
  EXPECT_THAT(broken(column.stream()), ElementsAre("arrow-null-count-exact"));
  column = {.null_count = 5};
  EXPECT_THAT(broken(column.stream()), ElementsAre("arrow-node-null-count-within-length"));
  column = {.null_count = -1};
  EXPECT_THAT(broken(column.stream()), ElementsAre("arrow-node-null-count-not-negative"));
  column = {.length = -4};
  EXPECT_THAT(broken(column.stream()), ElementsAre("arrow-node-length-not-negative"));
  column = {.rows = 5};
  EXPECT_THAT(broken(column.stream()), ElementsAre("arrow-batch-column-length"));
  column = {.validity = ""};
  EXPECT_THAT(broken(column.stream()), ElementsAre("arrow-validity-present"));
  column = {.validity = raw_all(std::uint8_t{0b11011})};
  EXPECT_THAT(broken(column.stream()), ElementsAre("arrow-validity-padding-zero"));
  column = {.type = field("a", kIntTag, int_type(), {}, false)};
  EXPECT_THAT(broken(column.stream()), ElementsAre("arrow-field-not-nullable-no-nulls"));
  column = {.type = field("a", kIntTag, int_type(24))};
  EXPECT_THAT(broken(column.stream()), ElementsAre("arrow-int-width"));
  // 2^62 slots of 4 bytes overflow to 0 bytes in 64 bits.
  column = {.length = std::int64_t{1} << 62, .rows = std::int64_t{1} << 62, .validity = ""};
  column.null_count = 0;
  EXPECT_THAT(broken(column.stream()),
              ElementsAre("arrow-batch-length-within-int31", "arrow-primitive-data-size"));
}

// A body that is incomplete because a buffer lies elsewhere has no finding of its own.
TEST(Stream, BuffersOutsideTheBody) {
  const auto stream = [](std::int64_t offset, std::int64_t length) {
    BodyOf body;
    body.add("");
    body.add(Bytes(256, '\0'));
    body.entries.replace(16, 16, raw_all(offset, length));
    return message(kSchemaTag, schema({field("a", kIntTag, int_type())})) +
           message(kRecordTag, record_batch(64, {{64, 0}}, body), body.bytes);
  };
  EXPECT_THAT(broken(stream(0, 256)), IsEmpty());
  EXPECT_THAT(broken(stream(-64, 256)), ElementsAre("arrow-buffer-offset-not-negative"));
  EXPECT_THAT(broken(stream(0, -256)), ElementsAre("arrow-buffer-length-not-negative"));
  EXPECT_THAT(broken(stream(64, 256)), ElementsAre("arrow-buffer-in-body"));
  EXPECT_THAT(broken(stream(std::int64_t{1} << 62, 256)), ElementsAre("arrow-buffer-in-body"));
  EXPECT_THAT(broken(stream(128, 128)),
              ElementsAre("arrow-primitive-data-size", "arrow-body-no-unreferenced-bytes"));
}

TEST(Stream, Text) {
  EXPECT_THAT(broken(Utf8Column{.data = "abc\xFF"
                                        "e"}
                         .stream()),
              ElementsAre("arrow-utf8-values-valid"));
  // A character of two bytes, with one byte in each of two values.
  EXPECT_THAT(broken(Utf8Column{.data = "a\xC3\xA4"
                                        "de"}
                         .stream()),
              ElementsAre("arrow-utf8-values-valid"));
  EXPECT_THAT(broken(Utf8Column{.data = "\xC3\xA4"
                                        "cde"}
                         .stream()),
              IsEmpty());
  EXPECT_THAT(broken(Utf8Column{.offsets = raw_all(0, 3, 2, 5)}.stream()),
              ElementsAre("arrow-binary-offsets-ascending"));
  EXPECT_THAT(broken(Utf8Column{.offsets = raw_all(0, 2, 2, 6)}.stream()),
              ElementsAre("arrow-binary-offsets-in-data"));
  EXPECT_THAT(broken(Utf8Column{.offsets = raw_all(-1, 2, 2, 5)}.stream()),
              ElementsAre("arrow-binary-first-offset-not-negative"));
  EXPECT_THAT(broken(Utf8Column{.offsets = raw_all(1, 2, 2, 5)}.stream()),
              ElementsAre("arrow-binary-offsets-start-at-zero"));
  EXPECT_THAT(broken(Utf8Column{.offsets = raw_all(0, 2, 2)}.stream()),
              ElementsAre("arrow-binary-offsets-size"));
}

// Several threads examine an array of this size, each a piece of it.
TEST(Stream, LargeArrays) {
  constexpr std::int32_t kPiece = 1 << 20, kSlots = 2 * kPiece + 3;
  std::vector<std::int32_t> offsets(kSlots + 1);
  std::ranges::iota(offsets, 0);
  Bytes data(kSlots, 'a');
  const auto stream = [&] {
    BodyOf body;
    body.add("");
    body.add({reinterpret_cast<const char*>(offsets.data()), 4 * offsets.size()});
    body.add(data);
    return message(kSchemaTag, schema({field("s", kUtf8Tag)})) +
           message(kRecordTag, record_batch(kSlots, {{kSlots, 0}}, body), body.bytes);
  };
  EXPECT_THAT(first_findings(stream()), IsEmpty());
  data.back() = '\xC3';
  EXPECT_THAT(first_findings(stream()),
              ElementsAre("arrow-utf8-values-valid: slot 2097154: the byte 0xc3"));
  // A character with one half in each of two pieces.
  data.back() = 'a';
  data[kPiece - 1] = '\xC3';
  data[kPiece] = '\xA4';
  EXPECT_THAT(first_findings(stream()),
              ElementsAre("arrow-utf8-values-valid: slot 1048575: the byte 0xc3 +1"));
  // Bytes after the first offset of an array must be text, too.
  offsets[0] = 1;
  data[0] = '\xFF';
  EXPECT_THAT(first_findings(stream()),
              ElementsAre("arrow-binary-offsets-start-at-zero: first offset 1",
                          "arrow-utf8-values-valid: slot 1048575: the byte 0xc3 +1"));
  // The first of those in the second and the third piece.
  offsets[0] = 0;
  offsets[kSlots - 1] += 3;
  EXPECT_THAT(
      first_findings(stream()),
      ElementsAre("arrow-binary-offsets-ascending: slot 2097154: offsets 2097157, 2097155"));
  offsets[kPiece + 700] = 7;
  EXPECT_THAT(first_findings(stream()),
              ElementsAre("arrow-binary-offsets-ascending: slot 1049275: offsets 1049275, 7 +1"));
}

TEST(Stream, Dictionaries) {
  EXPECT_THAT(broken(DictionaryColumn{.keys = raw_all(0, 1, 2)}.stream()),
              ElementsAre("arrow-dictionary-index-in-range"));
  EXPECT_THAT(broken(DictionaryColumn{.keys = raw_all(0, -1, 1)}.stream()),
              ElementsAre("arrow-dictionary-index-not-negative"));
  EXPECT_THAT(broken(DictionaryColumn{.defined = false}.stream()),
              ElementsAre("arrow-stream-dictionary-before-use"));
  EXPECT_THAT(broken(DictionaryColumn{.delta = true}.stream()),
              ElementsAre("arrow-dictionary-delta-has-base"));
}

// A null list over a value that is not text: the value is not examined.
TEST(Stream, NullsOfParentsCoverTheirChildren) {
  const auto stream = [](std::uint8_t validity, std::int64_t nulls) {
    BodyOf body;
    body.add(raw(validity));
    body.add(raw_all(0, 1, 2));
    body.add("");
    body.add(raw_all(0, 1, 2));
    body.add("a\xFF");
    return message(kSchemaTag, schema({field("l", kListTag, {}, {field("item", kUtf8Tag)})})) +
           message(kRecordTag, record_batch(2, {{2, nulls}, {2, 0}}, body), body.bytes);
  };
  EXPECT_THAT(broken(stream(0b01, 1)), IsEmpty());
  EXPECT_THAT(broken(stream(0b11, 0)), ElementsAre("arrow-utf8-values-valid"));
}

// A struct whose child has the type of the struct: a length that no buffer supports takes no time.
TEST(Stream, LengthsWithoutBytes) {
  constexpr std::int64_t kMany = std::int64_t{1} << 62;
  BodyOf body;
  body.add("");
  const Bytes stream =
      message(kSchemaTag, schema({field("s", kStructTag, {}, {field("n", kNullTag)})})) +
      message(kRecordTag, record_batch(kMany, {{kMany, 0}, {kMany, kMany}}, body), body.bytes);
  EXPECT_THAT(broken(stream), ElementsAre("arrow-batch-length-within-int31"));
}

// A stream is recognised from its first message, once that is whole.
// Pairs of each kind, in every place that can have some, behind a pair that is sound.
TEST(Stream, CustomMetadata) {
  enum Place { kSchemaMessage, kDictionaryMessage, kBatchMessage, kOfSchema, kOfField };
  using Maybe = std::optional<Bytes>;
  const auto findings = [](Place place, const Maybe& key, const Maybe& value, bool words = false) {
    const auto pairs = [&](Place at) {
      return at == place ? Tables{key_value("sound", "pair"), key_value(key, value)} : Tables();
    };
    TableOf type = dictionary(field("d", kUtf8Tag), 7);
    if (place == kOfField) type.fields.emplace_back(6u, pairs(kOfField));
    TableOf header = schema({type});
    if (place == kOfSchema) header.fields.emplace_back(2u, pairs(kOfSchema));
    const BodyOf values = body_of({"", raw_all(0, 1, 2), "xy"}),
                 body = body_of({"", raw_all(0, 1, 1)});
    std::string text;
    for (const std::string& each : first_findings(
             message(kSchemaTag, header, "", 4, pairs(kSchemaMessage)) +
             message(kDictionaryTag, dictionary_batch(7, record_batch(2, {{2, 0}}, values)),
                     values.bytes, 4, pairs(kDictionaryMessage)) +
             message(kRecordTag, record_batch(3, {{3, 0}}, body), body.bytes, 4,
                     pairs(kBatchMessage)) +
             end_of_stream()))
      if (each.starts_with("arrow-metadata-"))
        text += words ? each : each.substr(0, each.find(':')) + ' ';
    return text;
  };
  for (const Place place :
       {kSchemaMessage, kDictionaryMessage, kBatchMessage, kOfSchema, kOfField}) {
    const bool of_batch = place == kDictionaryMessage || place == kBatchMessage;
    for (const Bytes key : {"ARROW:experimental_compression", "ARROW:experimental", "ARROW",
                            "ARROW:", "ARROWS", "ARROW_note", "arrow:x", "xARROW:", "",
                            "ARROW:extension:name", "ARROW:extension:metadata"}) {
      const bool reserved = key == "ARROW" || key == "ARROW:" || key == "ARROW:experimental" ||
                            (key == "ARROW:experimental_compression" && !of_batch);
      EXPECT_EQ(findings(place, key, "a.b"), reserved ? "arrow-metadata-reserved-namespace " : "")
          << place << ' ' << key;
    }
    const std::string absent = "arrow-metadata-key-and-value-present ";
    EXPECT_EQ(findings(place, std::nullopt, "v"), absent);
    EXPECT_EQ(findings(place, "k", std::nullopt), absent);
    EXPECT_EQ(findings(place, "k\xFF", "v"), "arrow-metadata-utf8 ");
    EXPECT_EQ(findings(place, "k", "v\xFF", true), "arrow-metadata-utf8: the value of \"k\"");
    EXPECT_EQ(findings(place, "k\xFF", "v\xFF", true), "arrow-metadata-utf8: the key");
  }
}

TEST(Stream, IsRecognisedByItsFirstMessage) {
  const auto is_arrow = [](const Bytes& input) {
    const Format* const format =
        recognise(hepcheck::Bytes::of_image(std::as_bytes(std::span(input)), "-"));
    return format && format->name == "arrow";
  };
  const Bytes first = message(kSchemaTag, schema({field("a", kIntTag, int_type())})),
              stream = IntColumn().stream();
  ASSERT_EQ(stream.find(first.substr(0, 8)), 0u);
  for (std::size_t size = 0; size < first.size(); ++size)
    EXPECT_FALSE(is_arrow(first.substr(0, size))) << size;
  EXPECT_TRUE(is_arrow(first));
  EXPECT_TRUE(is_arrow(first + "x"));
  EXPECT_TRUE(is_arrow(stream));
}

// Each byte of the metadata is changed: no crash, and no access outside (with a sanitizer).
TEST(Stream, DamagedMetadata) {
  const Bytes sound = DictionaryColumn().stream();
  std::size_t found = 0;
  for (std::size_t at = 0; at < sound.size(); ++at)
    for (const char value : {'\x00', '\x01', '\x7F', '\xFF'}) {
      Bytes damaged = sound;
      damaged[at] = value;
      found += broken(damaged).size();
    }
  EXPECT_GT(found, sound.size());
}

}  // namespace
}  // namespace hepcheck::arrow
