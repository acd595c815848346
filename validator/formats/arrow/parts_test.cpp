// Buffers read in parts, by several threads, have the same results as in memory.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <format>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

#include "validator/descriptor.h"
#include "validator/examine_file.h"
#include "validator/formats/arrow/testing/build.h"

namespace hepcheck::arrow {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

constexpr std::string_view kRevision = "arrow-columnar-1.5";
constexpr std::int64_t kManySlots = 200'000;

// Texts "aaaaaaä", and keys from 0 to 9, all of which are in the dictionary.
struct Columns {
  Bytes offsets{}, data{}, keys{};

  Columns() {
    for (std::int32_t i = 0; i < kManySlots; ++i) {
      offsets += raw(8 * i);
      data += "aaaaaa\xC3\xA4";
      keys += raw(i % 10);
    }
    offsets += raw(static_cast<std::int32_t>(8 * kManySlots));
  }

  Bytes stream() const {
    TableOf coded = field("d", kUtf8Tag);
    coded.fields.emplace_back(4u, dictionary_encoding(0));
    BodyOf values, body;
    values.add("");
    values.add(raw_all(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    values.add("0123456789");
    for (const Bytes& each : {Bytes(), offsets, data, Bytes(), keys}) body.add(each);
    return message(kSchemaTag, schema({field("s", kUtf8Tag), coded})) +
           message(kDictionaryTag, dictionary_batch(0, record_batch(10, {{10, 0}}, values)),
                   values.bytes) +
           message(kRecordTag, record_batch(kManySlots, {{kManySlots, 0}, {kManySlots, 0}}, body),
                   body.bytes) +
           end_of_stream();
  }
};

std::string findings_of(const FileReport& report) {
  std::string text = report.error ? report.error->text() : "";
  for (const SubjectReport& subject : report.subjects)
    for (const ClauseResult& result : subject.clauses)
      for (const Finding& finding : result.findings)
        text += std::string(result.clause->id) + ": " + finding.object + " " + finding.where +
                ": " + finding.observed + " +" + std::to_string(finding.more) + "\n";
  return text;
}

std::string in_memory(const Bytes& stream) {
  const FileOptions options{.examine = {.jobs = 1}};
  return findings_of(examine_image(std::as_bytes(std::span(stream)), "x.arrows", std::nullopt,
                                   find_specification(kRevision), options));
}

std::string in_a_file(const Bytes& stream, unsigned jobs) {
  const std::string path = ::testing::TempDir() + "hepcheck-parts.arrows";
  std::ofstream(path, std::ios::binary) << stream;
  const FileOptions options{.examine = {.jobs = jobs}};
  const std::string text =
      findings_of(examine_file(path, std::nullopt, find_specification(kRevision), options));
  std::remove(path.c_str());
  return text;
}

void expect(const Bytes& stream, const std::string& finding) {
  const std::string memory = in_memory(stream);
  if (finding.empty())
    EXPECT_EQ(memory, "");
  else
    EXPECT_NE(memory.find(finding), std::string::npos) << memory;
  EXPECT_EQ(in_a_file(stream, 1), memory);
  EXPECT_EQ(in_a_file(stream, 3), memory);
}

void expect(const Columns& columns, const std::string& finding) {
  expect(columns.stream(), finding);
}

void put(Bytes& bytes, std::size_t at, const Bytes& with) { bytes.replace(at, with.size(), with); }

TEST(Parts, ValidArrays) { expect(Columns(), ""); }

TEST(Parts, InvalidTexts) {
  for (const std::size_t slot : {0u, 16383u, 16384u, 32767u, 32768u, 199'999u}) {
    Columns columns;
    put(columns.data, 8 * slot + 7, "a");
    expect(columns, "slot " + std::to_string(slot) + ": the byte 0xc3 +0");
  }
}

TEST(Parts, TextsThatBeginInsideACharacter) {
  for (const std::int32_t slot : {1, 16384, 32768, 199'999}) {
    Columns columns;
    put(columns.offsets, 4 * static_cast<std::size_t>(slot), raw(8 * slot - 1));
    expect(columns, "slot " + std::to_string(slot - 1) + ": the byte 0xc3 +1");
  }
}

TEST(Parts, OffsetsThatDescend) {
  for (const std::int32_t slot : {1, 511, 512, 513, 65534, 65535, 65536, 131'070, 199'999}) {
    Columns columns;
    put(columns.offsets, 4 * static_cast<std::size_t>(slot), raw(8 * slot + 9));
    expect(columns, "slot " + std::to_string(slot) + ": offsets");
  }
}

TEST(Parts, Keys) {
  for (const std::size_t slot : {0u, 63u, 64u, 65535u, 65536u, 199'999u}) {
    Columns columns;
    put(columns.keys, 4 * slot, raw(10));
    expect(columns, "index 10");
    put(columns.keys, 4 * slot, raw(-1));
    expect(columns, "slot " + std::to_string(slot) + ": index -1 +0");
  }
}

// The texts of views are read in pieces, each of which is other bytes.
TEST(Parts, DataOfViews) {
  constexpr std::uint8_t kUtf8ViewTag = 24;
  constexpr std::size_t kViews = 60'000, kText = 16;
  Bytes views, data;
  for (std::size_t i = 0; i < kViews; ++i) {
    const Bytes text = std::format("{:011}  \u00e4-", i);
    views += raw(static_cast<std::int32_t>(kText)) + text.substr(0, 4) +
             raw_all(0, static_cast<std::int32_t>(data.size()));
    data += text;
  }
  ASSERT_EQ(data.size(), kViews * kText);
  const auto stream = [&] {
    const BodyOf body = body_of({"", views, data});
    TableOf header = record_batch(kViews, {{kViews, 0}}, body);
    header.fields.emplace_back(4u, Elements{8, raw(std::int64_t{1})});
    return message(kSchemaTag, schema({field("v", kUtf8ViewTag)})) +
           message(kRecordTag, header, body.bytes) + end_of_stream();
  };
  expect(stream(), "");
  for (const std::size_t slot : {0u, 16'383u, 16'384u, 32'768u, 59'999u}) {
    const Bytes before = data;
    data[kText * slot + 14] = 'a';
    expect(stream(), "slot " + std::to_string(slot) + ": byte 13 of the value is 0xc3");
    data = before;
    data[kText * slot + 2] = 'a';
    expect(stream(), "slot " + std::to_string(slot));
    data = before;
  }
}

// Keys of every width, and values of an extension type, of which those that are null are wrong, and
// one that is not.
TEST(Parts, ValuesBesideWrongNulls) {
  constexpr std::size_t kPart = std::size_t{256} << 10;
  for (const std::size_t width : {0u, 1u, 2u, 4u, 8u}) {
    const bool coded = width > 0;
    const std::size_t bytes = coded ? width : 1, slots = 5 * kPart / 2 / bytes + 7;
    Bytes validity((slots + 7) / 8, '\0'), values;
    std::int64_t nulls = 0;
    for (std::size_t i = 0; i < slots; ++i) {
      const bool null = i % 17 == 6;
      nulls += null;
      values += raw(null ? std::int64_t{100} : 1).substr(0, bytes);
      if (!null) validity[i / 8] = static_cast<char>(validity[i / 8] | 1 << i % 8);
    }
    TableOf type = field("v", kIntTag, int_type(8));
    if (coded)
      type = dictionary(type, 0, int_type(static_cast<std::int32_t>(8 * width)));
    else
      type.fields.emplace_back(
          6u, Tables{{{{0, Text{"ARROW:extension:name"}}, {1, Text{"arrow.bool8"}}}}});
    const auto stream = [&] {
      const BodyOf two = body_of({"", Bytes(2, '\1')});
      return message(kSchemaTag, schema({type})) +
             (coded ? message(kDictionaryTag, dictionary_batch(0, record_batch(2, {{2, 0}}, two)),
                              two.bytes)
                    : Bytes()) +
             batch(static_cast<std::int64_t>(slots), {{static_cast<std::int64_t>(slots), nulls}},
                   {validity, values}) +
             end_of_stream();
    };
    expect(stream(), "");
    const std::size_t part = kPart / bytes;
    for (const std::size_t slot :
         {std::size_t{0}, part - 1, part, part + 63, part + 64, 2 * part, slots - 2}) {
      ASSERT_NE(slot % 17, 6u);
      put(values, slot * bytes, raw(std::int64_t{2}).substr(0, bytes));
      expect(stream(), coded ? std::string("index 2") : std::format("slot {}: 2 +0", slot));
      if (coded) {
        put(values, slot * bytes, raw(std::int64_t{-1}).substr(0, bytes));
        expect(stream(), std::format("slot {}: index -1 +0", slot));
      }
      put(values, slot * bytes, raw(std::int64_t{1}).substr(0, bytes));
    }
  }
}

// Threads process 2^20 offsets each. If some of them cannot be read, because the file became
// shorter, nothing is known about the others either.
TEST(Parts, OffsetsThatCannotAllBeRead) {
  constexpr std::int64_t kSlots = (1 << 20) + 100;
  constexpr std::size_t kOffsets = 4 * (kSlots + 1);
  BodyOf body;
  for (const Bytes& each : {Bytes(), Bytes(kOffsets, '\0'), Bytes()}) body.add(each);
  // The offsets are the last bytes of the stream.
  const Bytes stream = message(kSchemaTag, schema({field("s", kUtf8Tag)})) +
                       message(kRecordTag, record_batch(kSlots, {{kSlots, 0}}, body), body.bytes);
  const std::string path = ::testing::TempDir() + "hepcheck-shorter.arrows";
  for (const unsigned jobs : {1u, 3u})
    for (const std::size_t left : {stream.size(), stream.size() - 200, stream.size() - (2 << 20)}) {
      std::ofstream(path, std::ios::binary) << stream;
      const auto file = open_for_reading(path);
      ASSERT_TRUE(file);
      const auto bytes = hepcheck::Bytes::of_descriptor(file->get(), path);
      ASSERT_EQ(::truncate(path.c_str(), static_cast<off_t>(left)), 0);
      const FileReport report = examine_bytes(
          bytes, {.spec = &default_revision("arrow"), .options = {.examine = {.jobs = jobs}}});
      ASSERT_EQ(report.subjects.size(), 1u);
      EXPECT_EQ(report.subjects[0].verdict == SubjectVerdict::kPass, left == stream.size())
          << left << ' ' << findings_of(report);
    }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace hepcheck::arrow
