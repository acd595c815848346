#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

TEST(ColumnRank1, ScalarAndNull) {
  for (const Dataspace& space : {Dataspace{}, null_space()})
    EXPECT_EQ(good([&](TableBuilder& t) { t.dataset("passed").space = space; }),
              Ids{"column-rank-1"});
}

TEST(ColumnRank1, ListedInColumnOrder) {
  EXPECT_EQ(good([](TableBuilder& t) { t.dataset("passed").space = simple_space({16, 1}); }),
            Ids{"column-rank-1"});
}

TEST(ColumnRank1, NamedByIndexColumns) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.add_dataset("labels", integer_type(4, true), {5, 1});
              t.set("", references("INDEX_COLUMNS", {t.to("labels")}));
            }),
            Ids{"column-rank-1"});
}

TEST(ColumnRank1, UnreadableDataset) {
  TableBuilder t = good_table();
  t.dataset("passed") = {.name = "passed", .path = "/t/passed", .unreadable = "bad header"};
  EXPECT_TRUE(std::ranges::contains(unchecked_in(t), "column-rank-1"));
}

TEST(EqualExtents, OneColumnLonger) {
  EXPECT_EQ(good([](TableBuilder& t) { t.dataset("passed").space = simple_space({20}); }),
            Ids{"equal-extents"});
}

TEST(ExtentGeNrows, AllColumnsShort) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.dataset("id").space = t.dataset("energy").space = simple_space({4});
            }),
            Ids{"extent-ge-nrows"});
}

TEST(ExtentGeNrows, LargestPossibleNrows) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.set("", attribute("NROWS", integer_type(8, false), Cell(-1)));
            }),
            Ids{"extent-ge-nrows"});
}

TEST(ExtentGeNrows, SomeColumnsShort) {
  EXPECT_EQ(small([](TableBuilder& t) { t.dataset("id").space = simple_space({4}); }),
            (Ids{"equal-extents", "extent-ge-nrows"}));
}

TEST(ExtentGeNrows, EmptyTable) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.dataset("id").space = t.dataset("energy").space = simple_space({0});
              t.set("", attribute("NROWS", integer_type(8, false), Cell(0)));
            }),
            kNothing);
}

// Gives a column of small_table another name, and lists it.
Ids renamed(std::string_view name) {
  return small([&](TableBuilder& t) {
    t.rename("id", name);
    t.list_columns();
  });
}

TEST(ColumnNameUtf8, StrayByte) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.rename("id", "bad\xFF");
              t.erase("", "column-order");
            }),
            (Ids{"column-order-recommended (info)", "column-name-utf8"}));
}

TEST(ColumnNameUtf8, AnyCodePoint) { EXPECT_EQ(renamed("\u03b5 \U0001F4C8 \\x"), kNothing); }

TEST(ColumnNameNotReserved, Catalogue) {
  for (const char* name :
       {"CATEGORIES", "SEARCH_INDEXES", "CLASS", "VERSION", "NROWS", "TITLE", "INDEX_COLUMNS",
        "SEARCH_INDEX_LIST", "valid_min", "valid_max", "KIND", "VALUES"})
    EXPECT_EQ(renamed(name), Ids{"column-name-not-reserved"}) << name;
}

TEST(ColumnNameNotReserved, TokensOfKindTriggerOnlyAWarning) {
  for (const char* name : {"CHUNK_MINMAX", "SORTED_ROWS", "BITMAP", "CHUNK_BLOOM"})
    EXPECT_EQ(renamed(name), Ids{"column-name-not-reserved (warning)"}) << name;
}

TEST(ColumnNameNotReserved, OtherNames) {
  for (const char* name : {"class", "Version", "ordered", "column-order", "encoding-type"})
    EXPECT_EQ(renamed(name), kNothing) << name;
}

TEST(ColumnNameNoLeadingUnderscore, Leading) {
  EXPECT_EQ(renamed("_id"), Ids{"column-name-no-leading-underscore (info)"});
  EXPECT_EQ(renamed("_index"), Ids{"column-name-no-leading-underscore (info)"});
  EXPECT_EQ(renamed("a_b"), kNothing);
}

Datatype one_field(Datatype type) {
  const std::size_t size = type.size;
  return compound_type(
      size,
      {{.name = "x", .type = std::make_shared<const Datatype>(std::move(type)), .value = {}}});
}
Datatype nested(TypeClass cls, Datatype base) {
  Datatype type{.cls = cls, .size = 16};
  type.base = std::make_shared<const Datatype>(std::move(base));
  if (cls == TypeClass::kArray) type.dims = {16 / type.base->size};
  return type;
}
Ids with_field(Datatype field) {
  return small([&](TableBuilder& t) {
    const Datatype type = one_field(std::move(field));
    t.add_column("record", type, Cells(5, std::string(type.size, 'a')),
                 std::string(type.size, 'z'));
    t.list_columns();
  });
}

TEST(CompoundFieldsAtomic, AtomicFields) {
  EXPECT_EQ(with_field(ieee_float_type(8)), kNothing);
  EXPECT_EQ(with_field(nested(TypeClass::kArray, integer_type(4, true))), kNothing);
  EXPECT_EQ(with_field(boolean_type()), kNothing);
}

TEST(CompoundFieldsAtomic, NestedRecord) {
  const Datatype record = one_field(integer_type(4, true));
  EXPECT_EQ(with_field(record), Ids{"compound-fields-atomic (warning)"});
  EXPECT_EQ(with_field(nested(TypeClass::kArray, record)), Ids{"compound-fields-atomic (warning)"});
}

TEST(CompoundFieldsAtomic, SequenceOfRecords) {
  const Datatype sequence = nested(TypeClass::kVlen, one_field(integer_type(4, true)));
  const Ids expected{"compound-fields-atomic", "prefer-fixed-length (info)"};
  EXPECT_EQ(with_field(sequence), expected);
  EXPECT_EQ(with_field(nested(TypeClass::kArray, sequence)), expected);
}

TEST(CompoundFieldsAtomic, SequenceOfNumbers) {
  EXPECT_EQ(with_field(nested(TypeClass::kVlen, integer_type(4, true))),
            (Ids{"compound-fields-atomic (warning)", "prefer-fixed-length (info)"}));
}

TEST(PreferFixedLength, VariableLengthStrings) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.add_column("text", variable_string_type(CharacterSet::kUtf8),
                           {"a", "b", "", "d", "e"}, "");
              t.list_columns();
            }),
            Ids{"prefer-fixed-length (info)"});
}

TEST(PreferFixedLength, RaggedArrays) {
  EXPECT_EQ(small([](TableBuilder& t) {
              const Datatype type = nested(TypeClass::kVlen, integer_type(4, true));
              t.add_column("ragged", type, Cells(5, std::string(16, 'a')), std::string(16, 'z'));
              t.list_columns();
            }),
            Ids{"prefer-fixed-length (info)"});
}

}  // namespace

}  // namespace hepcheck::hep001
