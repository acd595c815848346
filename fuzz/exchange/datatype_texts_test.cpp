// Datatypes as text and back, with one character changed each time; datatypes of which one property
// is another, also those that no file has; their values as text; and what becomes of their
// elements. Everything equals the golden file.
#include <gtest/gtest.h>

#include <cstddef>
#include <format>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/table_text.h"
#include "fuzz/exchange/random_tables.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::fuzz {
namespace {

using hep001::Mapping;
using hep001::mapping_of;

using hep001::TypeClass;

constexpr int kDatatypes = 150, kNested = 40, kSequences = 12;

std::vector<std::byte> random_bytes(Choices& c, std::size_t count) {
  std::vector<std::byte> made(count);
  for (std::byte& each : made) {
    const std::uint64_t kind = c.below(4);
    each = static_cast<std::byte>(kind == 0 ? 0 : kind == 1 ? 0xFF : c.bits());
  }
  return made;
}

// Strings and opaque bytes between brackets; the text is for a digest.
std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte each : bytes) text += std::format("{:02x}", std::to_integer<int>(each));
  return text;
}

std::string text_of(const Mapping& mapping) {
  std::string text =
      std::format("{} {} {}", static_cast<int>(mapping.how), hep001::describe(mapping.stored),
                  exchange::describe(mapping.type));
  for (const std::size_t offset : mapping.offsets) text += std::format(" @{}", offset);
  for (const Mapping& part : mapping.parts) text += " [" + text_of(part) + ']';
  return text + '\n';
}

// What three elements become, some of them hidden.
std::string converted(Choices& c, const Mapping& mapping) {
  const std::vector<std::byte> bytes = random_bytes(c, 3 * mapping.stored.size);
  const std::uint8_t hidden[] = {0, static_cast<std::uint8_t>(c.below(2)), 0};
  exchange::Table table{.rows = 3};
  table.schema.fields.push_back({.name = "c", .type = mapping.type});
  Array array = empty_array(mapping.type);
  try {
    hep001::convert(mapping, bytes.data(), mapping.stored.size, 3, {hidden, 1}, array);
  } catch (const hep001::Unconvertible& refusal) {
    return std::format("{}: {}\n", refusal.element, refusal.why);
  }
  table.columns.push_back(std::move(array));
  return conformance::table_text(table);
}

// Everything that exchange says about a datatype; `whole`: that a file can have, so that elements
// can be converted.
std::string all_about(Choices& c, const Datatype& type, bool whole = true) {
  std::string text = hep001::describe(type) + ' ' + hep001::type_text(type).value_or("no text");
  text += hep001::is_truth(type) ? " truth\n" : "\n";
  for (const bool binary : {false, true}) {
    const auto mapping = mapping_of(type, {.binary = binary, .enums_as_numbers = binary});
    text += mapping ? text_of(*mapping) : mapping.error().text() + '\n';
    if (whole && mapping && !has_variable_part(type) && type.size < 1000)
      text += converted(c, *mapping);
  }
  return text;
}

// --- Texts ---------------------------------------------------------------------------------------

std::string parsed(Choices& c, const std::string& text) {
  const auto type = hep001::parse_type(text);
  return type ? text + ": " + all_about(c, *type) : text + " is none\n";
}

// Each character is left out, doubled, or another one; and there is more behind it.
std::string edited_texts(Choices& c, const std::string& text) {
  std::vector<std::string> edits{text, text + ' ', ' ' + text};
  for (std::size_t at = 0; at < text.size(); ++at) {
    edits.push_back(text.substr(0, at));
    edits.push_back(text.substr(0, at) + text.substr(at + 1));
    edits.push_back(text.substr(0, at + 1) + text.substr(at));
    for (const char other : std::string_view("01(,)\"*@=-bx")) {
      edits.push_back(text);
      edits.back()[at] = other;
    }
  }
  std::string all;
  for (const std::string& each : edits) all += parsed(c, each);
  return all;
}

// --- Values --------------------------------------------------------------------------------------

std::string values_of(Choices& c, const Datatype& type) {
  std::string all;
  const auto parse = [&](const std::string& text) {
    const auto value = hep001::parse_value(type, text);
    all += text + ": " + (value ? hex(*value) : "none") + '\n';
  };
  for (int i = 0; i < 4; ++i) {
    const std::vector<std::byte> stored = random_bytes(c, type.variable_length ? 16 : type.size);
    const auto text = hep001::value_text(type, stored);
    all += hex(stored) + ": " + text.value_or("no text") + '\n';
    if (!text) continue;
    parse(*text);
    for (std::size_t at = 0; at < text->size(); ++at) {
      std::string edited = *text;
      edited.erase(at, 1);
      parse(edited);
      for (const char other : std::string_view("0-f.p")) {
        edited = *text;
        edited[at] = other;
        parse(edited);
      }
    }
  }
  for (const char* text : {"",
                           "0",
                           "-0",
                           "1",
                           "-1",
                           "127",
                           "128",
                           "255",
                           "256",
                           "-128",
                           "-129",
                           "18446744073709551615",
                           "18446744073709551616",
                           "-9223372036854775808",
                           "-9223372036854775809",
                           "nan",
                           "-inf",
                           "inf",
                           "0x1p0",
                           "1e400",
                           "1.5",
                           "+1",
                           " 1",
                           "1 ",
                           "TRUE",
                           "A",
                           "text of some length",
                           "00ff",
                           "0"})
    parse(text);
  return all;
}

// --- Properties ----------------------------------------------------------------------------------

using Change = void (*)(Datatype&);
constexpr Change kChanges[] = {
    [](Datatype& t) { t.size = 0; },
    [](Datatype& t) { ++t.size; },
    [](Datatype& t) { t.size = 9; },
    [](Datatype& t) { --t.precision; },
    [](Datatype& t) { ++t.precision; },
    [](Datatype& t) { t.precision = 1; },
    [](Datatype& t) { ++t.bit_offset; },
    [](Datatype& t) { t.order = hep001::ByteOrder::kVax; },
    [](Datatype& t) { t.order = hep001::ByteOrder::kNone; },
    [](Datatype& t) { t.is_signed = !t.is_signed; },
    [](Datatype& t) { t.padding = hep001::StringPadding::kOther; },
    [](Datatype& t) { t.character_set = hep001::CharacterSet::kOther; },
    [](Datatype& t) { t.tag = "a\"b\\"; },
    [](Datatype& t) {
      if (!t.is(TypeClass::kEnum)) t.base.reset();
    },
    [](Datatype& t) { t.dims.clear(); },
    [](Datatype& t) { t.dims.insert(t.dims.begin(), 1); },
    [](Datatype& t) {
      if (!t.dims.empty()) t.dims.front() = 0;
    },
    [](Datatype& t) {
      if (!t.dims.empty()) t.dims.back() = 0;
    },
    [](Datatype& t) {
      if (!t.dims.empty()) t.dims.front() = 0x7FFFFFFF;
    },
    [](Datatype& t) {
      if (!t.dims.empty()) t.dims.front() = 0x80000000;
    },
    [](Datatype& t) { t.members.clear(); },
    [](Datatype& t) {
      if (!t.members.empty()) t.members.push_back(t.members.front());
    },
    [](Datatype& t) {
      if (!t.members.empty()) t.members.pop_back();
    },
    [](Datatype& t) {
      if (!t.members.empty()) t.members.front().type.reset();
    },
    [](Datatype& t) {
      if (!t.members.empty()) t.members.back().name = "\xff";
    },
    [](Datatype& t) {
      if (!t.members.empty()) t.members.back().name.clear();
    },
    [](Datatype& t) {
      if (!t.members.empty()) t.members.front().name = "TRUE";
    },
    [](Datatype& t) {
      if (!t.members.empty()) t.members.back().name = "FALSE";
    },
    [](Datatype& t) {
      if (!t.members.empty()) ++t.members.back().offset;
    },
    [](Datatype& t) { t.cls = TypeClass::kTime; },
    [](Datatype& t) { t.cls = TypeClass::kReference; },
};

// Enumerations that may be truth values.
std::vector<Datatype> truths() {
  std::vector<Datatype> made;
  for (const std::size_t size : {1, 2, 8})
    for (const bool is_signed : {false, true})
      for (const std::vector<std::pair<std::string, std::int64_t>>& members :
           {std::vector<std::pair<std::string, std::int64_t>>{{"FALSE", 0}, {"TRUE", 1}},
            {{"TRUE", 1}, {"FALSE", 0}},
            {{"FALSE", 0}, {"TRUE", 1}, {"MISSING", 2}},
            {{"FALSE", 0}, {"TRUE", 1}, {"MAYBE", 2}},
            {{"FALSE", 0}, {"TRUE", 1}, {"MISSING", 2}, {"MAYBE", 3}},
            {{"FALSE", 1}, {"TRUE", 0}},
            {{"FALSE", 0}, {"TRUE", 2}},
            {{"FALSE", 0}},
            {{"TRUE", 1}, {"MISSING", 2}}})
        made.push_back(hep001::enum_type(
            hep001::integer_type(size, is_signed, hep001::ByteOrder::kBig), members));
  return made;
}

// Arrays of compounds, and compounds of arrays with gaps between them.
Datatype random_nested(Choices& c) {
  const auto shared = [](Datatype type) {
    return std::make_shared<const Datatype>(std::move(type));
  };
  const auto array_of = [&](const Datatype& base) {
    Datatype made{.cls = TypeClass::kArray, .base = shared(base)};
    made.dims.push_back(1 + c.below(3));
    made.size = made.dims[0] * base.size;
    return made;
  };
  const auto compound_of = [&](auto make) {
    std::vector<hep001::TypeMember> members;
    std::size_t end = 0;
    for (const char* name : {"p", "q"}) {
      end += c.below(3);
      members.push_back({.name = name, .offset = end, .type = shared(make())});
      end += members.back().type->size;
    }
    return hep001::compound_type(end, std::move(members));
  };
  const auto atom = [&] { return random_atomic(c, false); };
  if (c.maybe()) return array_of(compound_of(atom));
  return compound_of([&] { return array_of(atom()); });
}

Datatype sequence_of(Datatype base) {
  return {.cls = TypeClass::kVlen,
          .size = 16,
          .base = std::make_shared<const Datatype>(std::move(base))};
}

TEST(DatatypeTexts, EqualTheGoldenFile) {
  std::string texts, values, properties;
  Noise c(29);
  std::vector<Datatype> types = truths();
  for (int i = 0; i < kDatatypes; ++i) types.push_back(random_datatype(c));
  for (int i = 0; i < kNested; ++i) types.push_back(random_nested(c));
  types.push_back(sequence_of({.cls = TypeClass::kString, .size = 16, .variable_length = true}));
  for (int i = 0; i < kSequences; ++i)
    types.push_back(sequence_of(c.one_in(4) ? sequence_of(random_datatype(c)) : random_nested(c)));
  for (const Datatype& type : types) {
    if (const auto text = hep001::type_text(type)) {
      const auto again = hep001::parse_type(*text);
      ASSERT_TRUE(again) << *text;
      EXPECT_EQ(hep001::type_text(*again), text);
      texts += edited_texts(c, *text);
    }
    values += values_of(c, type);
    properties += all_about(c, type);
    for (const Change change : kChanges) {
      Datatype changed = type;
      change(changed);
      properties += all_about(c, changed, false);
    }
  }
  EXPECT_TRUE(golden::equals(
      std::format("texts: {}\nvalues: {}\nproperties: {}\n", golden::digest_of(texts),
                  golden::digest_of(values), golden::digest_of(properties)),
      "fuzz/exchange/golden/datatypes.txt"));
}

}  // namespace
}  // namespace hepcheck::fuzz
