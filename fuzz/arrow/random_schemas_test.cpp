// The schemas of the valid files of the corpus with one or two other properties of a field: its
// type and each parameter of it, name, nullability, children, dictionary encoding and metadata;
// before the batches of the file. What is reported, and the tables that are read, equal the golden
// file, which has a line for each section.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <format>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/corpus.h"
#include "fuzz/arrow/parts.h"
#include "fuzz/variations/byte_mutations.h"
#include "validator/catalogue/clause.h"
#include "validator/examine_file.h"
#include "validator/fnv1a.h"
#include "validator/formats/arrow/message.h"
#include "validator/formats/arrow/schema.h"
#include "validator/formats/arrow/testing/build.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/random.h"

namespace hepcheck::arrow::random_schemas {
namespace {

using testing::Bytes;
using testing::raw;
using testing::TableOf;
using testing::Tables;
using testing::Text;

// --- To a flatbuffer -----------------------------------------------------------------------------

TableOf table_of(const Type& type) {
  const auto flag = [](bool value) { return raw(static_cast<std::uint8_t>(value)); };
  switch (type.tag) {
    case TypeTag::kInt: return {{{0, raw(type.bit_width)}, {1, flag(type.is_signed)}}};
    case TypeTag::kFloatingPoint:
    case TypeTag::kDate:
    case TypeTag::kInterval:
    case TypeTag::kDuration: return {{{0, raw(type.unit)}}};
    case TypeTag::kDecimal:
      return {{{0, raw(type.precision)}, {1, raw(type.scale)}, {2, raw(type.bit_width)}}};
    case TypeTag::kTime: return {{{0, raw(type.unit)}, {1, raw(type.bit_width)}}};
    case TypeTag::kTimestamp: {
      TableOf made{{{0, raw(type.unit)}}};
      if (!type.timezone.empty()) made.fields.emplace_back(1u, Text{Bytes(type.timezone)});
      return made;
    }
    case TypeTag::kUnion: {
      TableOf made{{{0, raw(type.mode)}}};
      Bytes ids;
      for (const std::int32_t id : type.type_ids) ids += raw(id);
      if (type.has_type_ids) made.fields.emplace_back(1u, testing::Elements{4, ids});
      return made;
    }
    case TypeTag::kFixedSizeBinary:
    case TypeTag::kFixedSizeList: return {{{0, raw(type.size)}}};
    case TypeTag::kMap: return {{{0, flag(type.keys_sorted)}}};
    default: return {};
  }
}

Tables table_of(const std::vector<KeyValue>& pairs) {
  Tables made;
  for (const KeyValue& each : pairs) {
    TableOf& pair = made.emplace_back();
    if (each.key) pair.fields.emplace_back(0u, Text{Bytes(*each.key)});
    if (each.value) pair.fields.emplace_back(1u, Text{Bytes(*each.value)});
  }
  return made;
}

TableOf table_of(const Field& field) {
  TableOf made;
  if (field.name) made.fields.emplace_back(0u, Text{Bytes(*field.name)});
  made.fields.emplace_back(1u, raw(static_cast<std::uint8_t>(field.nullable)));
  made.fields.emplace_back(2u, raw(static_cast<std::uint8_t>(field.type.tag)));
  made.fields.emplace_back(3u, table_of(field.type));
  if (const auto& keys = field.encoding)
    made.fields.emplace_back(4u, TableOf{{{0, raw(keys->id)},
                                          {1, testing::int_type(keys->bit_width, keys->is_signed)},
                                          {2, raw(static_cast<std::uint8_t>(keys->ordered))},
                                          {3, raw(keys->kind)}}});
  Tables children;
  for (const Field& each : field.children) children.push_back(table_of(each));
  made.fields.emplace_back(5u, std::move(children));
  if (!field.metadata.empty()) made.fields.emplace_back(6u, table_of(field.metadata));
  return made;
}

Bytes message_of(const Schema& schema, std::int16_t version) {
  Tables fields;
  for (const Field& each : schema.fields) fields.push_back(table_of(each));
  TableOf made = testing::schema(std::move(fields), schema.endianness == 1);
  if (!schema.metadata.empty()) made.fields.emplace_back(2u, table_of(schema.metadata));
  return testing::message(testing::kSchemaTag, made, {}, version);
}

// --- Changes -------------------------------------------------------------------------------------

void collect(std::vector<Field>& fields, std::vector<Field*>& into) {
  for (Field& each : fields) {
    into.push_back(&each);
    collect(each.children, into);
  }
}

class Change {
 public:
  Change(Schema& schema, std::uint64_t seed) : schema_(schema), random_(seed) {
    collect(schema.fields, fields_);
  }

  // Pointers to fields hold until children change, so that comes last.
  void make() {
    if (fields_.empty()) return;
    if (random_.once_in(20)) schema_.endianness = static_cast<std::int16_t>(1 - schema_.endianness);
    for (std::uint64_t n = 1 + random_.below(2); n > 1; --n) change(random_.below(6));
    change(random_.below(8));
  }

 private:
  void change(std::uint64_t what) {
    Field& field = *fields_[random_.below(fields_.size())];
    switch (what) {
      case 0: return type(field);
      case 1: return parameter(field.type);
      case 2: return name(field);
      case 3: field.nullable = !field.nullable; return;
      case 4: return encoding(field);
      case 5: return metadata(field);
      default: return children(field);
    }
  }
  // Another type with the same parameters, or the whole type of another field.
  void type(Field& field) {
    if (random_.once_in(3))
      field.type = fields_[random_.below(fields_.size())]->type;
    else
      field.type.tag = static_cast<TypeTag>(1 + random_.number(kKnownTypes));
  }
  void parameter(Type& type) {
    constexpr std::int32_t kWidths[] = {8, 16, 32, 64, 128, 256, 24, 0};
    constexpr std::string_view kZones[] = {"UTC", "", "utc", "Europe/Berlin", "+02:00", "+2", "Z"};
    const auto step = [&] { return random_.once_in(2) ? 1 : -1; };
    switch (type.tag) {
      case TypeTag::kInt:
        if (random_.once_in(2))
          type.is_signed = !type.is_signed;
        else
          type.bit_width = random_.one_of(kWidths);
        return;
      case TypeTag::kDecimal:
        switch (random_.below(3)) {
          case 0: type.bit_width = random_.one_of(kWidths); return;
          case 1: type.scale += step(); return;
          default: type.precision += step(); return;
        }
      case TypeTag::kTime:
        if (random_.once_in(2)) type.bit_width = type.bit_width == 32 ? 64 : 32;
        type.unit = static_cast<std::int16_t>(type.unit + step());
        return;
      case TypeTag::kTimestamp:
        if (random_.once_in(2)) type.unit = static_cast<std::int16_t>(type.unit + step());
        type.timezone = random_.one_of(kZones);
        return;
      case TypeTag::kUnion:
        switch (random_.below(4)) {
          case 0: type.mode = static_cast<std::int16_t>(1 - type.mode); return;
          case 1: type.has_type_ids = !type.has_type_ids; return;
          case 2:
            if (!type.type_ids.empty()) type.type_ids.back() += step();
            return;
          default:
            if (!type.type_ids.empty()) type.type_ids.push_back(type.type_ids.front());
            return;
        }
      case TypeTag::kMap: type.keys_sorted = !type.keys_sorted; return;
      case TypeTag::kFixedSizeBinary:
      case TypeTag::kFixedSizeList: type.size += step(); return;
      default: type.unit = static_cast<std::int16_t>(type.unit + step()); return;
    }
  }
  void name(Field& field) {
    constexpr std::string_view kNames[] = {
        "value", "typed_value", "metadata", "run_ends", "values", "timestamp", "offset_minutes",
        "data",  "shape",       "key",      "entries",  "",       "item",      "\xff"};
    if (random_.once_in(8))
      field.name.reset();
    else
      field.name = random_.one_of(kNames);
  }
  void encoding(Field& field) {
    if (!field.encoding) {
      field.encoding = Encoding{.id = random_.once_in(2) ? 0 : 7};
      return;
    }
    constexpr std::int32_t kWidths[] = {8, 16, 32, 64};
    switch (random_.below(6)) {
      case 0: field.encoding.reset(); return;
      case 1: ++field.encoding->id; return;
      case 2: field.encoding->is_signed = !field.encoding->is_signed; return;
      case 3: field.encoding->ordered = !field.encoding->ordered; return;
      case 4: ++field.encoding->kind; return;
      default: field.encoding->bit_width = random_.one_of(kWidths); return;
    }
  }
  std::string_view keep(std::string text) {
    return *texts_.emplace_back(std::make_unique<std::string>(std::move(text)));
  }
  void metadata(Field& field) {
    constexpr std::string_view kTypes[] = {"arrow.uuid",
                                           "arrow.json",
                                           "arrow.bool8",
                                           "arrow.opaque",
                                           "arrow.fixed_shape_tensor",
                                           "arrow.variable_shape_tensor",
                                           "arrow.parquet.variant",
                                           "arrow.timestamp_with_offset",
                                           "arrow.other",
                                           "own.type"};
    constexpr std::string_view kValues[] = {"",
                                            "{}",
                                            "[]",
                                            "{\"shape\":[2,2]}",
                                            "{\"type_name\":\"a\",\"vendor_name\":\"b\"}",
                                            "{\"shape\":[2],\"permutation\":[0]}"};
    constexpr std::string_view kName = "ARROW:extension:name", kData = "ARROW:extension:metadata";
    std::vector<KeyValue>& pairs = field.metadata;
    if (pairs.empty()) {
      pairs.push_back({.key = kName, .value = random_.one_of(kTypes)});
      if (random_.once_in(2)) pairs.push_back({.key = kData, .value = random_.one_of(kValues)});
      return;
    }
    KeyValue& pair = pairs[random_.below(pairs.size())];
    switch (random_.below(7)) {
      case 0: pairs.pop_back(); return;
      case 1: pairs.push_back(KeyValue(pair)); return;
      case 2: pair.value = random_.one_of(kTypes); return;
      case 3: pair.value = random_.one_of(kValues); return;
      case 4: (random_.once_in(2) ? pair.key : pair.value).reset(); return;
      default: {
        std::string text(pair.value.value_or("{\"shape\":[1,2]}"));
        if (text.empty()) text = "{}";
        constexpr std::string_view kOthers = "012-,]}[\"ex. ";
        const std::size_t at = random_.below(text.size());
        const char other = kOthers[random_.below(kOthers.size())];
        if (random_.once_in(2))
          text.insert(at, 1, other);
        else
          text[at] = other;
        pair.value = keep(std::move(text));
      }
    }
  }
  void children(Field& field) {
    std::vector<Field>& all = field.children;
    if (all.empty() || random_.once_in(5)) {
      const Field other = *fields_[random_.below(fields_.size())];
      all.insert(all.begin() + static_cast<std::ptrdiff_t>(random_.below(all.size() + 1)), other);
      return;
    }
    const std::size_t at = random_.below(all.size());
    if (random_.once_in(3)) {
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
    } else if (random_.once_in(2)) {
      std::swap(all[at], all.front());
    } else {
      const Field copy = all[at];
      all.push_back(copy);
    }
  }

  Schema& schema_;
  Random random_;
  std::vector<Field*> fields_{};
  std::vector<std::unique_ptr<std::string>> texts_{};
};

TEST(RandomSchemas, ReportsAndTablesEqualTheGoldenFile) {
  constexpr std::uint64_t kVariants = 4;
  constexpr std::string_view kSpecs[] = {"arrow-columnar-1.0", "", "arrow-columnar-1.5",
                                         "arrow-columnar-1.5"};
  fuzz::GoldenResults results;
  for (const conformance::Fixture* fixture : conformance::files_of_corpus()) {
    if (fixture->format != "arrow" || !fixture->valid || fixture->image.size() > 4'000) continue;
    const parts::Parts whole = parts::parts_of(
        {reinterpret_cast<const char*>(fixture->image.data()), fixture->image.size()});
    if (whole.messages.empty()) continue;
    const auto head = std::as_bytes(std::span(whole.messages.front())).subspan(8);
    const auto metadata = std::make_shared<const std::vector<std::byte>>(head.begin(), head.end());
    const auto version = parts::number_at<std::int16_t>(
        whole.messages.front(), 8 + parts::field_at(whole.messages.front().substr(8), 0));
    const std::string section = std::filesystem::path(fixture->file).parent_path().filename();
    for (std::uint64_t variant = 0; variant < kVariants; ++variant) {
      Schema schema = read_schema(header_of(metadata), 100);
      Change change(schema, (fnv1a(fixture->file) >> 8) + variant);
      change.make();
      parts::Parts changed = whole;
      changed.begin.clear();
      changed.footer.clear();
      changed.messages.front() = message_of(schema, version);
      const Bytes made = changed.bytes();
      const auto bytes = std::as_bytes(std::span(made));
      const FileReport report =
          examine_image(bytes, "image", std::nullopt, find_specification(kSpecs[variant]),
                        {.examine = {.jobs = 1}});
      results.add(section, report,
                  fuzz::has_error(report) ? std::string() : parts::table_of(bytes));
    }
  }
  EXPECT_TRUE(golden::equals(results.text(), "fuzz/arrow/golden/random-schemas.txt"));
}

// --- Extension types -----------------------------------------------------------------------------

// A field of an extension type with any storage and metadata, mostly of its own kind.
class Extended {
 public:
  explicit Extended(std::uint64_t seed) : random_(seed) {}

  TableOf field(std::string_view extension) {
    TableOf made = any(std::string(random_.once_in(2) ? "x" : "value"), 3);
    const bool variant = extension.ends_with("variant");
    if (variant && !random_.once_in(6)) {
      Tables parts{part("metadata", 1), part("value", 2), part("typed_value", 3)};
      if (random_.once_in(3)) parts.erase(parts.begin() + random_.number(3));
      made = testing::field("x", testing::kStructTag, {}, std::move(parts));
    }
    constexpr std::string_view kMetadata[] = {
        "",
        "{}",
        "[1]",
        "{",
        R"({"a": 1})",
        R"({"shape": [2, 3]})",
        R"({"shape": [2], "dim_names": ["a"], "permutation": [0]})",
        R"({"shape": [2, 2], "permutation": [1, 0]})",
        R"({"shape": [-1]})",
        R"({"uniform_shape": [null, 2]})",
        R"({"dim_names": ["a", "b"], "uniform_shape": [1]})",
        R"({"permutation": [0, 2]})",
        R"({"type_name": "t", "vendor_name": "v"})",
        R"({"type_name": "t"})",
        R"({"type_name": 3, "vendor_name": "v"})"};
    const bool with_metadata = random_.once_in(2);
    Tables pairs{pair("ARROW:extension:name", extension)};
    if (with_metadata) pairs.push_back(pair("ARROW:extension:metadata", random_.one_of(kMetadata)));
    made.fields.emplace_back(6u, std::move(pairs));
    return made;
  }

 private:
  static TableOf pair(std::string_view key, std::string_view value) {
    return {{{0, Text{Bytes(key)}}, {1, Text{Bytes(value)}}}};
  }
  TableOf part(const Bytes& name, int depth) {
    if (name != "typed_value") return random_.once_in(5) ? any(name, 1) : binary(name);
    return any(name, depth);
  }
  TableOf binary(const Bytes& name) {
    constexpr std::uint8_t kBinary[] = {4, 4, 19, 23};
    const std::uint8_t tag = random_.one_of(kBinary);
    return testing::field(name, tag, {}, {}, random_.once_in(2));
  }

  TableOf any(const Bytes& name, int depth) {
    const bool nullable = !random_.once_in(3);
    const auto made = [&](std::uint8_t tag, TableOf type, Tables children = {}) {
      return testing::field(name, tag, std::move(type), std::move(children), nullable);
    };
    const auto of = [](std::int16_t first, std::int32_t second) {
      return TableOf{{{0, raw(first)}, {1, raw(second)}}};
    };
    switch (random_.below(depth > 0 ? 16 : 9)) {
      case 0: {
        const auto width = static_cast<std::int32_t>(8 << random_.below(4));
        return made(testing::kIntTag, testing::int_type(width, !random_.once_in(4)));
      }
      case 1:
        return made(testing::kFloatTag, {{{0, raw(static_cast<std::int16_t>(random_.below(3)))}}});
      case 2: return made(testing::kUtf8Tag, {});
      case 3: return binary(name);
      case 4: {
        const std::int32_t size = random_.once_in(3) ? 8 : 16;
        return made(15, {{{0, raw(size)}}});
      }
      case 5:
        return made(
            7,
            {{{0, raw(std::int32_t{9})}, {1, raw(std::int32_t{2})}, {2, raw(std::int32_t{128})}}});
      case 6: return made(8, of(static_cast<std::int16_t>(random_.below(2)), 0));
      case 7: return made(9, of(2, 64));
      case 8: {
        TableOf type{{{0, raw(static_cast<std::int16_t>(random_.below(4)))}}};
        if (!random_.once_in(3)) type.fields.emplace_back(1u, Text{"UTC"});
        return made(10, std::move(type));
      }
      case 9:
      case 10: {
        constexpr std::uint8_t kLists[] = {12, 12, 21, 25, 16};
        const std::uint8_t tag = random_.one_of(kLists);
        return made(tag, tag == 16 ? TableOf{{{0, raw(std::int32_t{2})}}} : TableOf(),
                    {element(depth)});
      }
      case 11:
        return made(22, {},
                    {testing::field("run_ends", testing::kIntTag, testing::int_type(), {}, false),
                     any("values", depth - 1)});
      case 12: return testing::dictionary(any(name, depth - 1), 1);
      default: {
        constexpr std::string_view kNames[] = {"value",     "typed_value",    "data", "shape",
                                               "timestamp", "offset_minutes", "other"};
        Tables children;
        for (std::uint64_t n = 1 + random_.below(3); n > 0; --n) {
          const Bytes child(random_.one_of(kNames));
          children.push_back(child == "value" ? binary(child) : any(child, depth - 1));
        }
        return made(testing::kStructTag, {}, std::move(children));
      }
    }
  }
  // Of a list: mostly a part of a variant.
  TableOf element(int depth) {
    if (random_.once_in(2)) return any("item", depth - 1);
    Tables parts{binary("value"), any("typed_value", depth - 1)};
    return testing::field("item", testing::kStructTag, {}, std::move(parts), random_.once_in(4));
  }

  Random random_;
};

TEST(RandomSchemas, ExtensionTypesEqualTheGoldenFile) {
  constexpr std::uint64_t kFields = 300;
  fuzz::GoldenResults results;
  for (const std::string_view name :
       {"arrow.fixed_shape_tensor", "arrow.variable_shape_tensor", "arrow.json", "arrow.uuid",
        "arrow.opaque", "arrow.bool8", "arrow.parquet.variant", "arrow.timestamp_with_offset",
        "arrow.other"})
    for (std::uint64_t i = 0; i < kFields; ++i) {
      const Bytes stream =
          testing::message(testing::kSchemaTag, testing::schema({Extended(i).field(name)})) +
          testing::end_of_stream();
      FileOptions options{.examine = {.jobs = 1}};
      if (i % 4 == 0) options.limits.objects = 1 + i / 4 % 5;  // fields that are read
      results.add(std::string(name),
                  examine_image(std::as_bytes(std::span(stream)), "image", std::nullopt,
                                find_specification("arrow-columnar-1.5"), options),
                  {});
    }
  EXPECT_TRUE(golden::equals(results.text(), "fuzz/arrow/golden/extension-types.txt"));
}

// Several fields of such types, some inside of others, of which any have mistakes; few are read at
// times.
TEST(RandomSchemas, SeveralExtensionTypesEqualTheGoldenFile) {
  constexpr std::uint64_t kSchemas = 900;
  constexpr std::string_view kNames[] = {"arrow.fixed_shape_tensor",
                                         "arrow.variable_shape_tensor",
                                         "arrow.json",
                                         "arrow.uuid",
                                         "arrow.opaque",
                                         "arrow.bool8",
                                         "arrow.parquet.variant",
                                         "arrow.timestamp_with_offset"};
  fuzz::GoldenResults results;
  for (std::uint64_t i = 0; i < kSchemas; ++i) {
    Random random(i);
    Tables fields;
    const std::uint64_t count = 2 + random.below(3);
    const bool alike = random.once_in(3);
    const std::string_view first = random.one_of(kNames);
    for (std::uint64_t n = 0; n < count; ++n) {
      const std::string_view name = alike ? first : random.one_of(kNames);
      TableOf made = Extended(1'000 * i + n).field(name);
      switch (random.below(8)) {
        case 0: made = testing::field("list", testing::kListTag, {}, {std::move(made)}); break;
        case 1: {
          TableOf other = Extended(1'000 * i + 100 + n).field(random.one_of(kNames));
          made = testing::field("struct", testing::kStructTag, {},
                                {std::move(made), std::move(other)});
          break;
        }
        case 2:
          made = testing::dictionary(
              testing::field("keys", testing::kStructTag, {}, {std::move(made)}),
              static_cast<std::int64_t>(n));
          break;
        default: break;
      }
      fields.push_back(std::move(made));
    }
    const Bytes stream = testing::message(testing::kSchemaTag, testing::schema(std::move(fields))) +
                         testing::end_of_stream();
    FileOptions options{.examine = {.jobs = 1}};
    if (random.once_in(5)) options.limits.objects = 1 + random.below(12);
    if (random.once_in(5)) options.examine.max_findings = 1 + random.below(2);
    results.add(std::format("{}{}", count, alike ? " alike" : ""),
                examine_image(std::as_bytes(std::span(stream)), "image", std::nullopt,
                              find_specification("arrow-columnar-1.5"), options),
                {});
  }
  EXPECT_TRUE(golden::equals(results.text(), "fuzz/arrow/golden/several-extensions.txt"));
}

}  // namespace
}  // namespace hepcheck::arrow::random_schemas
