// Arrays with wrong values at random places are judged like slot by slot; text like character by
// character.
#include <algorithm>
#include <array>
#include <cstring>
#include <format>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "fuzz/properties/random_values.h"
#include "validator/examine_file.h"
#include "validator/exchange/new_file.h"
#include "validator/exchange/table.h"
#include "validator/exchange/testing/folder.h"
#include "validator/formats/arrow/exchange/write_table.h"
#include "validator/testing/file_text.h"
#include "validator/utf8.h"

namespace hepcheck::arrow {

namespace {

using namespace hepcheck::fuzz;
using exchange::Array;
using exchange::Field;
using exchange::Kind;

// --- Text ----------------------------------------------------------------------------------------

// The code point that begins here and its bytes; none if it is incomplete.
std::uint64_t whole_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::uint64_t size = first < 0x80             ? 1
                             : (first & 0xE0) == 0xC0 ? 2
                             : (first & 0xF0) == 0xE0 ? 3
                             : (first & 0xF8) == 0xF0 ? 4
                                                      : 0;
  if (size == 0 || size > text.size()) return 0;
  std::uint32_t code = size == 1 ? first : first & (0x7F >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return code < kLeast[size] || code > 0x10FFFF || surrogate ? 0 : size;
}

// The length of its well-formed prefix.
std::uint64_t reference(std::string_view text) {
  std::uint64_t at = 0;
  while (at < text.size()) {
    const std::uint64_t size = whole_character(text.substr(at));
    if (size == 0) break;
    at += size;
  }
  return at;
}

std::string random_character(Choices& c) {
  constexpr std::array<std::string_view, 18> kEnds{"a",
                                                   "\x7F",
                                                   "\xC2\x80",
                                                   "\xDF\xBF",
                                                   "\xE0\xA0\x80",
                                                   "\xE0\xBF\xBF",
                                                   "\xED\x80\x80",
                                                   "\xED\x9F\xBF",
                                                   "\xEE\x80\x80",
                                                   "\xEF\xBF\xBF",
                                                   "\xE2\x82\xAC",
                                                   "\xF0\x90\x80\x80",
                                                   "\xF0\xBF\xBF",
                                                   "\xF1\x80\x80",
                                                   "\xF3\xBF\xBF\xBF",
                                                   "\xF4\x8F\xBF\xBF",
                                                   "\xC3\xA9",
                                                   "\xE1\x80\x80"};
  std::string made(kEnds[c.below(kEnds.size())]);
  switch (c.below(8)) {
    case 0: made[c.below(made.size())] = static_cast<char>(c.below(256)); break;
    case 1: made.pop_back(); break;
    case 2: made[c.below(made.size())] ^= static_cast<char>(1 << c.below(8)); break;
    default: break;
  }
  return made;
}

// Blocks of 256 bytes are processed together.
std::string random_text(Choices& c, std::uint64_t pieces) {
  std::string made;
  for (std::uint64_t i = 0, n = c.below(pieces); i < n; ++i) {
    if (c.below(3) == 0) made.append(c.below(2) == 0 ? c.below(9) : 250 + c.below(12), 'x');
    if (c.below(4) == 0)
      for (std::uint64_t k = 0, many = c.below(140); k < many; ++k) made += "\xC3\xA9";
    made += random_character(c);
  }
  return made;
}

RC_GTEST_PROP(Utf8, AgreesWithACheckByCharacter, ()) {
  const std::string text = draw("text", [](Choices& c) { return random_text(c, 6); });
  const auto bytes = std::as_bytes(std::span(text));
  RC_ASSERT(well_formed_utf8(bytes) == reference(text));
  const auto sizes = draw("parts", [](Choices& c) {
    std::vector<std::size_t> made;
    for (std::uint64_t i = 0, n = c.below(9); i < n; ++i)
      made.push_back(c.below(2) == 0 ? 1 + c.below(5) : 250 + c.below(600));
    return made;
  });
  Utf8Check check;
  std::size_t at = 0;
  for (std::size_t i = 0; at < bytes.size(); ++i) {
    const std::size_t left = bytes.size() - at;
    const auto part = bytes.subspan(at, i < sizes.size() ? std::min(left, sizes[i]) : left);
    const bool ascii =
        std::ranges::all_of(part, [](std::byte each) { return each < std::byte{0x80}; });
    RC_ASSERT(check.add(part) == ascii);
    at += part.size();
  }
  RC_ASSERT(check.well_formed() == (reference(text) == text.size()));
}

// --- Values --------------------------------------------------------------------------------------

constexpr const char *kText = "arrow-utf8-values-valid", *kTime = "arrow-time-value-range",
                     *kDate = "arrow-date-milliseconds-whole-days",
                     *kDecimal = "arrow-decimal-value-fits-precision",
                     *kNegative = "arrow-dictionary-index-not-negative",
                     *kRange = "arrow-dictionary-index-in-range",
                     *kNulls = "arrow-field-not-nullable-no-nulls";
using WrongSlots =
    std::map<std::string, std::uint64_t, std::less<>>;  // by clause: the number of slots

// 64 slots are processed together.
std::uint64_t random_rows(Choices& c) {
  constexpr std::array<std::uint64_t, 13> kBoundaries{0,  1,  2,   7,   8,   9,  63,
                                                      64, 65, 127, 128, 129, 200};
  return kBoundaries[c.below(kBoundaries.size())];
}

void put(Array& into, std::int64_t value, std::uint64_t width) {
  for (std::uint64_t i = 0; i < width; ++i)
    into.bytes.push_back(static_cast<std::byte>(value >> 8 * i));
}

struct Number {
  std::int64_t value;
  const char* wrong;  // clause; null if it is correct
};

// A value near the limit of what is allowed.
Number random_number(Choices& c, const exchange::Type& type, std::uint64_t labels) {
  const auto among = [&](std::initializer_list<std::int64_t> all) {
    return all.begin()[c.below(all.size())];
  };
  if (type.labels) {
    const auto last = static_cast<std::int64_t>(labels) - 1;
    const std::int64_t value =
        c.below(30) == 0 ? among({-1, last + 1, 127, -128}) : among({0, last, last / 2});
    return {value, value < 0 ? kNegative : value > last ? kRange : nullptr};
  }
  if (type.meaning.starts_with("time")) {
    const std::int64_t day = type.width == 4 ? 86'400 : 86'400'000'000'000;
    const std::int64_t value =
        among({0, 1, 2, 3, day - 1, c.below(4) == 0 ? day : 5, c.below(4) == 0 ? -1 : 6});
    return {value, value < 0 || value >= day ? kTime : nullptr};
  }
  if (type.meaning.starts_with("date")) {
    const std::int64_t days = among({0, 1, -1, 20'000}) * 86'400'000 +
                              (c.below(20) == 0 ? among({1, -1, 43'200'000}) : 0);
    return {days, days % 86'400'000 != 0 ? kDate : nullptr};
  }
  const std::int64_t most = 999;
  const std::int64_t value =
      among({0, most, -most, 1, c.below(4) == 0 ? most + 1 : 2, c.below(4) == 0 ? -most - 1 : 3});
  return {value, value > most || value < -most ? kDecimal : nullptr};
}

exchange::Type random_leaf_type(Choices& c, bool below) {
  switch (c.below(below ? 4 : 5)) {
    case 0: return {.kind = Kind::kText, .large = c.below(2) == 0};
    case 1: {
      const bool narrow = c.below(2) == 0;
      return {.kind = Kind::kInteger,
              .width = narrow ? 4u : 8u,
              .is_signed = true,
              .meaning = narrow ? "time[s]" : "time[ns]"};
    }
    case 2: return {.kind = Kind::kInteger, .width = 8, .is_signed = true, .meaning = "date[ms]"};
    case 3:
      return {.kind = Kind::kInteger, .width = 8, .is_signed = true, .meaning = "decimal128(3, 0)"};
    default: {
      auto labels = std::make_shared<exchange::Labels>();
      labels->type.kind = Kind::kText;
      labels->values = exchange::empty_array(labels->type);
      for (std::uint64_t i = 0, n = 1 + c.below(3); i < n; ++i) {
        labels->values.bytes.push_back(static_cast<std::byte>('a' + i));
        labels->values.offsets.push_back(i + 1);
        labels->values.push(false);
      }
      return {.kind = Kind::kInteger,
              .width = std::uint64_t{1} << c.below(4),
              .is_signed = true,
              .labels = std::move(labels)};
    }
  }
}

// Slots that a null of a parent covers are not `seen`.
Array random_leaf(Choices& c, const Field& field, const std::vector<bool>& seen,
                  WrongSlots& wrong) {
  Array made = exchange::empty_array(field.type);
  const std::uint64_t labels = field.type.labels ? field.type.labels->values.length : 0;
  const bool few = c.below(2) == 0;  // nulls
  for (const bool each : seen) {
    const bool null = c.below(few ? 80 : 5) == 0;
    const char* why = nullptr;
    if (field.type.kind == Kind::kText) {
      const std::string text = c.below(40) == 0  ? random_text(c, 3)
                               : c.below(2) == 0 ? "xy"
                                                 : "\xC3\xA9";
      if (reference(text) < text.size()) why = kText;
      const auto bytes = std::as_bytes(std::span(text));
      made.bytes.insert(made.bytes.end(), bytes.begin(), bytes.end());
      made.offsets.push_back(made.bytes.size());
    } else {
      const Number number = random_number(c, field.type, labels);
      why = number.wrong;
      put(made, number.value, field.type.width);
    }
    made.push(null);
    if (each && null && !field.nullable) ++wrong[kNulls];
    if (each && !null && why) ++wrong[why];
  }
  return made;
}

struct Column {
  Field field{};
  Array array{};
};

// A leaf, or a list, a struct or a list of two above one, some of them null.
Column random_column(Choices& c, std::uint64_t rows, WrongSlots& wrong) {
  const std::uint64_t parent = c.below(4);
  Field leaf{.name = parent == 2 ? "x" : "item",
             .type = random_leaf_type(c, parent > 0),
             .nullable = c.below(3) > 0};
  if (parent == 0) {
    Column made{.field = leaf};
    made.field.name = "a";
    made.array = random_leaf(c, leaf, std::vector<bool>(rows, true), wrong);
    return made;
  }
  Column made{.field = {.name = "a", .nullable = true}};
  made.field.type.kind = parent == 1 ? Kind::kList : parent == 2 ? Kind::kStruct : Kind::kFixedList;
  if (parent == 3) made.field.type.width = 2;
  made.field.type.children.push_back(leaf);
  made.array = exchange::empty_array(made.field.type);
  std::vector<bool> seen;
  for (std::uint64_t i = 0; i < rows; ++i) {
    const bool null = c.below(4) == 0;
    seen.insert(seen.end(), parent == 1 ? c.below(3) : parent == 2 ? 1 : 2, !null);
    if (parent == 1) made.array.offsets.push_back(seen.size());
    made.array.push(null);
  }
  made.array.children[0] = random_leaf(c, leaf, seen, wrong);
  return made;
}

class Batches : public exchange::Source {
 public:
  Batches(const exchange::Table& table, std::uint64_t rows) : table_(table), rows_(rows) {}
  const exchange::Schema& schema() const override { return table_.schema; }
  Result<std::optional<exchange::Batch>> next() override {
    if (at_ == table_.rows) return std::optional<exchange::Batch>{};
    const std::uint64_t count = std::min(rows_, table_.rows - at_);
    at_ += count;
    return exchange::slice(table_.schema, {.rows = table_.rows, .columns = table_.columns},
                           at_ - count, count);
  }

 private:
  const exchange::Table& table_;
  std::uint64_t rows_, at_ = 0;
};

struct ArrayCase {
  exchange::Table table{};
  WrongSlots wrong{};
};

RC_GTEST_PROP(Arrays, AgreeWithACheckBySlot, ()) {
  const ArrayCase drawn = draw("table", [](Choices& c) {
    ArrayCase made;
    made.table.rows = random_rows(c);
    Column column = random_column(c, made.table.rows, made.wrong);
    made.table.schema.fields.push_back(std::move(column.field));
    made.table.columns.push_back(std::move(column.array));
    return made;
  });
  const auto rows =
      draw("rows of a batch", [](Choices& c) { return c.below(2) == 0 ? 1000 : 60 + c.below(10); });
  const WriteOptions how = draw("how it is written", [](Choices& c) {
    return WriteOptions{.stream = c.below(2) == 0,
                        .compression = static_cast<Compression>(c.below(3))};
  });
  const exchange::testing::Folder folder;
  const std::string path = folder.file("a.arrow");
  Batches batches(drawn.table, rows);
  Result<exchange::NewFile> file = exchange::NewFile::of(path, {});
  RC_ASSERT(file.has_value());
  RC_ASSERT(write_table(batches, *file, how).has_value());
  const FileReport report =
      examine_file(path, std::nullopt, find_specification("arrow-columnar-1.0"), {});
  RC_ASSERT(report.subjects.size() == 1u);
  WrongSlots found;
  for (const ClauseResult& result : report.subjects[0].clauses) {
    if (result.verdict != Verdict::kFail || result.severity == Severity::kInfo) continue;
    std::uint64_t& count = found[std::string(result.clause->id)];
    for (const Finding& each : result.findings) count += 1 + each.more;
    // One finding about a batch as a whole.
    const auto known = drawn.wrong.find(result.clause->id);
    if (known != drawn.wrong.end() && (known->first == kRange || known->first == kNulls))
      count = known->second;
  }
  RC_ASSERT(found == drawn.wrong);
}

// --- Long arrays ---------------------------------------------------------------------------------

// 2^20 slots are processed together, and these by several threads.
constexpr std::uint64_t kPiece = 1 << 20, kLong = kPiece + 3;

// Slots of one letter each, as a file in memory; in `change` their offsets and letters can be
// mutated.
std::vector<std::string> said_of_long(
    const std::function<void(std::span<std::int32_t> offsets, std::span<char> letters)>& change) {
  exchange::Table table{.rows = kLong};
  table.schema.fields.push_back({.name = "a", .type = {.kind = Kind::kText}, .nullable = true});
  Array& array = table.columns.emplace_back(exchange::empty_array(table.schema.fields[0].type));
  std::vector<std::int32_t> offsets(kLong + 1);
  std::iota(offsets.begin(), offsets.end(), 0);
  std::string letters(kLong, 'a');
  change(offsets, letters);
  const auto bytes = std::as_bytes(std::span(letters));
  array.bytes.assign(bytes.begin(), bytes.end());
  array.offsets.assign(offsets.begin(), offsets.end());
  for (std::uint64_t i = 0; i < kLong; ++i) array.push(false);
  const exchange::testing::Folder folder;
  const std::string path = folder.file("a.arrow");
  Result<exchange::NewFile> file = exchange::NewFile::of(path, {});
  Batches batches(table, kLong);
  EXPECT_TRUE(file.has_value() && write_table(batches, *file, {}).has_value());
  std::vector<std::string> findings;
  for (const unsigned jobs : {1u, 2u}) {
    const FileReport report = examine_file(
        path, std::nullopt, find_specification("arrow-columnar-1.0"), {.examine = {.jobs = jobs}});
    std::string text;
    for (const ClauseResult& result : report.subjects.at(0).clauses)
      if (result.verdict == Verdict::kFail && result.severity != Severity::kInfo)
        for (const Finding& each : result.findings)
          text += std::format("{}: {} and {} more", result.clause->id, each.observed, each.more);
    findings.push_back(std::move(text));
  }
  return findings;
}

TEST(LongArrays, AreJudgedAcrossTheBoundariesOfPieces) {
  const auto expect = [](const std::string& text, auto change) {
    EXPECT_EQ(said_of_long(change), (std::vector{text, text}));
  };
  expect("", [](auto, auto) {});
  for (const std::uint64_t slot : {kPiece - 1, kPiece, kPiece + 1, kLong - 1}) {
    SCOPED_TRACE(slot);
    expect(std::format("arrow-utf8-values-valid: slot {}: the byte 0xff and 0 more", slot),
           [&](auto, auto letters) { letters[slot] = '\xFF'; });
    expect("arrow-utf8-values-valid: slot 7: the byte 0xff and 1 more",
           [&](auto, auto letters) { letters[7] = letters[slot] = '\xFF'; });
    expect(std::format("arrow-utf8-values-valid: slot {}: the byte 0xc3 and 1 more", slot - 1),
           [&](auto, auto letters) {
             letters[slot - 1] = '\xC3';
             letters[slot] = '\xA9';
           });
    expect(std::format("arrow-binary-offsets-ascending: slot {}: offsets {}, {} and 0 more", slot,
                       slot, slot - 2),
           [&](auto offsets, auto) { offsets[slot + 1] -= 3; });
    expect("arrow-binary-offsets-ascending: slot 7: offsets 7, 6 and 1 more",
           [&](auto offsets, auto) {
             offsets[8] = 6;
             offsets[slot + 1] -= 3;
           });
  }
  // A single character of two bytes.
  expect("", [](auto offsets, auto letters) {
    letters[kPiece - 1] = '\xC3';
    letters[kPiece] = '\xA9';
    offsets[kPiece] -= 1;
  });
}

// --- Footers -------------------------------------------------------------------------------------

// A table without rows whose fields each have a name and metadata of their own.
struct Named {
  exchange::Table table{};
  std::vector<std::string> names{}, metadata{};

  std::string text(char kind, std::vector<std::string>& into) const {
    return into.emplace_back(std::format("{}{:03}", kind, names.size() + metadata.size()));
  }
};

Field random_named(Choices& c, int depth, Named& all) {
  Field made{.name = all.text('n', all.names), .type = {.kind = Kind::kText}, .nullable = true};
  for (std::uint64_t i = 0, n = c.below(3); i < n; ++i) {
    const std::string key = all.text('k', all.metadata);
    made.metadata.emplace_back(key, all.text('v', all.metadata));
  }
  if (depth == 0 || c.below(3) == 0) return made;
  made.type.kind = c.below(3) == 0 ? Kind::kList : Kind::kStruct;
  for (std::uint64_t i = 0, n = made.type.kind == Kind::kList ? 1 : 1 + c.below(3); i < n; ++i)
    made.type.children.push_back(random_named(c, depth - 1, all));
  return made;
}

// One letter in the last copy, which is that of the footer.
RC_GTEST_PROP(Footers, DifferencesAreFoundAtAnyDepth, ()) {
  const Named drawn = draw("table", [](Choices& c) {
    Named made;
    for (std::uint64_t i = 0, n = 1 + c.below(3); i < n; ++i) {
      made.table.schema.fields.push_back(random_named(c, 3, made));
      made.table.columns.push_back(exchange::empty_array(made.table.schema.fields.back().type));
    }
    const std::string key = made.text('k', made.metadata);
    made.table.schema.metadata.emplace_back(key, made.text('v', made.metadata));
    return made;
  });
  const bool name = draw("a name", [](Choices& c) { return c.below(2) == 0; });
  const std::string text = draw("text", [texts = name ? drawn.names : drawn.metadata](Choices& c) {
    return texts[c.below(texts.size())];
  });
  const exchange::testing::Folder folder;
  const std::string path = folder.file("a.arrow");
  Batches batches(drawn.table, 1);
  Result<exchange::NewFile> file = exchange::NewFile::of(path, {});
  RC_ASSERT(file.has_value());
  RC_ASSERT(write_table(batches, *file, {}).has_value());
  std::string bytes = golden::file_text(path);
  bytes[bytes.rfind(text)] = 'x';
  const FileReport report = examine_image(std::as_bytes(std::span(bytes)), "image", std::nullopt,
                                          find_specification("arrow-columnar-1.0"), {});
  std::vector<std::string_view> failed;
  for (const ClauseResult& result : report.subjects.at(0).clauses)
    if (result.verdict == Verdict::kFail && result.severity != Severity::kInfo)
      failed.push_back(result.clause->id);
  RC_ASSERT(failed == std::vector<std::string_view>{name ? "arrow-footer-schema-equal"
                                                         : "arrow-footer-schema-metadata-equal"});
}

}  // namespace

}  // namespace hepcheck::arrow
