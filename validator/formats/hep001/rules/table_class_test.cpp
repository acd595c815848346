#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

Attribute class_of(std::size_t size, StringPadding padding,
                   CharacterSet set = CharacterSet::kAscii) {
  return attribute("CLASS", fixed_string_type(size, padding, set), Cell("COLUMN_TABLE"));
}

Ids with_class(Attribute cls) {
  return good([&](TableBuilder& t) { t.set("", std::move(cls)); });
}

TEST(ClassPresent, Absent) {
  EXPECT_EQ(good([](TableBuilder& t) { t.erase("", "CLASS"); }), Ids{"class-present"});
}

TEST(ClassPresent, InAnotherSpelling) {
  EXPECT_EQ(good([](TableBuilder& t) {
              t.erase("", "CLASS");
              t.set("", ascii("Class", "COLUMN_TABLE"));
            }),
            Ids{"class-present"});
}

TEST(ClassStringType, Opaque) {
  EXPECT_EQ(with_class(attribute("CLASS", opaque_type(13), Cell("COLUMN_TABLE"))),
            Ids{"class-string-type"});
}

TEST(ClassStringType, EveryOtherClass) {
  Attribute cls = ascii("CLASS", "COLUMN_TABLE");
  for (const TypeClass other :
       {TypeClass::kInteger, TypeClass::kFloat, TypeClass::kBitfield, TypeClass::kTime,
        TypeClass::kEnum, TypeClass::kCompound, TypeClass::kArray, TypeClass::kVlen,
        TypeClass::kReference, TypeClass::kUnknown}) {
    cls.type = {.cls = other, .size = 8};
    cls.type.base = std::make_shared<const Datatype>(integer_type(1, false));
    EXPECT_EQ(with_class(cls), Ids{"class-string-type"}) << static_cast<int>(other);
  }
}

TEST(ClassFixedLength, VariableLength) {
  EXPECT_EQ(with_class(variable_length("CLASS", "COLUMN_TABLE")), Ids{"class-fixed-length"});
}

TEST(ClassSize13, Longer) {
  EXPECT_EQ(with_class(class_of(14, StringPadding::kNullTerm)), Ids{"class-size-13"});
  EXPECT_EQ(with_class(class_of(64, StringPadding::kNullTerm)), Ids{"class-size-13"});
}

TEST(ClassSize13, WithoutSpaceForTheTerminator) {
  const Ids both{"class-size-13", "class-null-terminated"};
  EXPECT_EQ(with_class(class_of(12, StringPadding::kNullTerm)), both);
  EXPECT_EQ(with_class(class_of(12, StringPadding::kNullPad)), both);
}

TEST(ClassNullTerminated, PaddedOtherwise) {
  EXPECT_EQ(with_class(class_of(13, StringPadding::kNullPad)), Ids{"class-null-terminated"});
  EXPECT_EQ(with_class(class_of(13, StringPadding::kSpacePad)), Ids{"class-null-terminated"});
}

TEST(ClassAscii, Utf8) {
  EXPECT_EQ(with_class(class_of(13, StringPadding::kNullTerm, CharacterSet::kUtf8)),
            Ids{"class-ascii"});
}

TEST(ClassScalar, Arrays) {
  const Attribute cls = ascii("CLASS", "COLUMN_TABLE");
  EXPECT_EQ(with_class(shaped(cls, {1})), Ids{"class-scalar"});
  EXPECT_EQ(with_class(shaped(cls, {2})), Ids{"class-scalar"});
  EXPECT_EQ(with_class(without_value(cls)), Ids{"class-scalar"});
}

TEST(ClassValue, AnotherValue) {
  for (const char* value : {"Column_Table", "COLUMN-TABLE", " COLUMN_TABL"})
    EXPECT_EQ(with_class(ascii("CLASS", value)), Ids{"class-value"}) << value;
}

// The table attributes that are UTF-8 strings, and some of columns and indexes.
struct AttributePlace {
  const char* object;
  const char* name;
};
constexpr AttributePlace kUtf8Attributes[] = {
    {"", "TITLE"},
    {"", "encoding-type"},
    {"", "description"},
    {"", "encoding-version"},
    {"ts", "units"},
    {"", "units_vocabulary"},
    {"ts", "description"},
    {"ts", "units_vocabulary"},
    {"SEARCH_INDEXES/ts__minmax", "description"},
};

Ids with_text(const AttributePlace& place, std::string_view bytes, StringPadding padding) {
  return good([&](TableBuilder& t) {
    const Datatype type = fixed_string_type(bytes.size(), padding, CharacterSet::kUtf8);
    t.set(place.object, attribute(place.name, type, Cell(bytes)));
  });
}

TEST(Utf8AttributeNotTruncated, CutInsideACodePoint) {
  for (const AttributePlace& place : kUtf8Attributes)
    EXPECT_EQ(with_text(place, "caf\xC3", StringPadding::kNullPad),
              Ids{"utf8-attribute-not-truncated"})
        << place.object << ' ' << place.name;
}

TEST(Utf8AttributeNotTruncated, NotUtf8AtAll) {
  // Overlong, surrogate, beyond U+10FFFF, stray continuation.
  for (const char* bytes : {"\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80"})
    EXPECT_EQ(with_text(kUtf8Attributes[0], bytes, StringPadding::kNullPad),
              Ids{"utf8-attribute-not-truncated"});
}

TEST(Utf8AttributeNotTruncated, WholeCodePoints) {
  for (const char* bytes : {"\xF0\x9F\x93\x88", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF", "\xC2\x80"})
    EXPECT_EQ(with_text(kUtf8Attributes[0], bytes, StringPadding::kNullPad), kNothing);
}

TEST(Utf8AttributeNotTruncated, LeavesUnterminatedStringsToStringPadding) {
  EXPECT_EQ(with_text(kUtf8Attributes[0], "caf\xC3", StringPadding::kNullTerm),
            Ids{"string-padding"});
}

TEST(StringPadding, SpacePadded) {
  for (const AttributePlace& place : kUtf8Attributes)
    EXPECT_EQ(with_text(place, "abc ", StringPadding::kSpacePad), Ids{"string-padding"})
        << place.object << ' ' << place.name;
}

TEST(StringPadding, NullTermWithoutNul) {
  for (const AttributePlace& place : kUtf8Attributes)
    EXPECT_EQ(with_text(place, "abcd", StringPadding::kNullTerm), Ids{"string-padding"})
        << place.object << ' ' << place.name;
}

TEST(StringPadding, NullPaddedToTheLastByte) {
  EXPECT_EQ(with_text(kUtf8Attributes[0], "abcd", StringPadding::kNullPad), kNothing);
}

TEST(StringPadding, AsciiAttributesToo) {
  const auto spaced = [](Attribute a) {
    a.type.padding = StringPadding::kSpacePad;
    std::ranges::replace(a.bytes, std::byte{0}, std::byte{' '});
    return a;
  };
  EXPECT_EQ(good([&](TableBuilder& t) { t.set("", spaced(ascii("VERSION", "1.0"))); }),
            Ids{"string-padding"});
  EXPECT_EQ(good([&](TableBuilder& t) {
              t.set("SEARCH_INDEXES/label__bitmap", spaced(ascii("KIND", "BITMAP")));
            }),
            Ids{"string-padding"});
  EXPECT_EQ(good([&](TableBuilder& t) {
              t.set("SEARCH_INDEXES/name__bloom",
                    spaced(ascii("hash_family", "murmur3_x64_128_double")));
            }),
            Ids{"string-padding"});
}

TEST(StringPadding, OneElementOfColumnOrder) {
  EXPECT_EQ(small([](TableBuilder& t) {
              const Datatype type =
                  fixed_string_type(6, StringPadding::kNullTerm, CharacterSet::kUtf8);
              t.set("", attribute("column-order", type, Cells{"id", "energy"}));
            }),
            Ids{"string-padding"});
}

}  // namespace

}  // namespace hepcheck::hep001
