#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

// The optional attributes that are scalar fixed-length UTF-8 strings, here and in 8.6 and 10.3.
struct Text {
  const char* clauses;  // common beginning of the three ids
  const char* object;
  const char* name;
};
constexpr Text kTexts[] = {
    {"title", "", "TITLE"},
    {"underscore-index", "", "_index"},
    {"encoding-type", "", "encoding-type"},
    {"encoding-version", "", "encoding-version"},
    {"table-description", "", "description"},
    {"table-units-vocabulary", "", "units_vocabulary"},
    {"units", "ts", "units"},
    {"column-units-vocabulary", "ts", "units_vocabulary"},
    {"column-description", "ts", "description"},
    {"index-description", "SEARCH_INDEXES/ts__minmax", "description"},
};

class OptionalText : public testing::TestWithParam<Text> {
 protected:
  template <class Change>
  static Ids changed(Change change) {
    return good([&](TableBuilder& t) {
      Attribute& a = t.attribute(GetParam().object, GetParam().name);
      a = change(a);
    });
  }
  static Ids only(const char* clause) { return {std::string(GetParam().clauses) + clause}; }
};
INSTANTIATE_TEST_SUITE_P(All, OptionalText, testing::ValuesIn(kTexts), [](const auto& one) {
  std::string name = one.param.clauses;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(OptionalText, Absent) {
  const Ids found = good([](TableBuilder& t) { t.erase(GetParam().object, GetParam().name); });
  const bool index = std::string_view(GetParam().clauses) == "index-description";
  EXPECT_EQ(found, index ? Ids{"description-provenance (info)"} : kNothing);
}

TEST_P(OptionalText, Scalar) {
  EXPECT_EQ(changed([](Attribute a) { return shaped(a, {1}); }), only("-scalar"));
  EXPECT_EQ(changed([](Attribute a) { return shaped(a, {2}); }), only("-scalar"));
  EXPECT_EQ(changed([](Attribute a) { return without_value(a); }), only("-scalar"));
}

TEST_P(OptionalText, FixedString) {
  EXPECT_EQ(changed([](Attribute a) { return variable_length(a.name, *string_value(a)); }),
            only("-fixed-string"));
  EXPECT_EQ(changed([](const Attribute& a) {
              Datatype bytes{.cls = TypeClass::kArray, .size = a.type.size};
              bytes.base = std::make_shared<const Datatype>(integer_type(1, false));
              bytes.dims = {a.type.size};
              return attribute(a.name, bytes, Cell(*string_value(a)));
            }),
            only("-fixed-string"));
}

TEST_P(OptionalText, Utf8) {
  EXPECT_EQ(changed([](Attribute a) {
              a.type.character_set = CharacterSet::kAscii;
              return a;
            }),
            only("-utf8"));
}

TEST_P(OptionalText, OneByteOrATerminatedValueIsAccepted) {
  if (std::string_view(GetParam().clauses) == "underscore-index") return;  // it names a column
  EXPECT_EQ(changed([](const Attribute& a) { return utf8(a.name, "x"); }), kNothing);
  EXPECT_EQ(changed([](const Attribute& a) {
              Attribute made = ascii(a.name, "x");
              made.type.character_set = CharacterSet::kUtf8;
              return made;
            }),
            kNothing);
}

TEST_P(OptionalText, Unreadable) {
  TableBuilder t = good_table();
  t.attribute(GetParam().object, GetParam().name).unreadable = "damaged";
  EXPECT_EQ(findings_of(t), kNothing);
  EXPECT_TRUE(std::ranges::contains(unchecked_in(t), only("-utf8").front()));
}

Ids with_row_index(Attribute labels) {
  return good([&](TableBuilder& t) {
    t.erase("", "_index");
    t.set("", std::move(labels));
  });
}

TEST(IndexColumns1d, OtherShapes) {
  TableBuilder t = good_table();
  const Attribute one = reference("INDEX_COLUMNS", t.to("row_id"));
  EXPECT_EQ(with_row_index(one), Ids{"index-columns-1d"});
  EXPECT_EQ(with_row_index(shaped(one, {1, 2})), Ids{"index-columns-1d"});
  EXPECT_EQ(with_row_index(without_value(one)), Ids{"index-columns-1d"});
}

TEST(IndexColumnsNotNull, OneElement) {
  TableBuilder t = good_table();
  EXPECT_EQ(with_row_index(references("INDEX_COLUMNS", {t.to("row_id"), null_reference()})),
            Ids{"index-columns-not-null"});
}

TEST(IndexColumnsResolveToColumn, OtherTargets) {
  TableBuilder t = good_table();
  for (const Reference& target :
       {dangling_reference(), reference_elsewhere("other.h5"), t.outside("/x"), t.to(""),
        t.to("CATEGORIES/label__CATEGORIES"), t.to("SEARCH_INDEXES")})
    EXPECT_EQ(with_row_index(references("INDEX_COLUMNS", {t.to("row_id"), target})),
              Ids{"index-columns-resolve-to-column"})
        << target.path;
}

TEST(IndexColumnsResolveToColumn, SeveralLevels) {
  TableBuilder t = good_table();
  EXPECT_EQ(with_row_index(references("INDEX_COLUMNS", {t.to("name"), t.to("row_id")})), kNothing);
}

TEST(IndexColumnsResolveToColumn, DuplicateColumnTriggersOnlyAWarning) {
  TableBuilder t = good_table();
  EXPECT_EQ(with_row_index(references("INDEX_COLUMNS", {t.to("row_id"), t.to("row_id")})),
            Ids{"index-columns-resolve-to-column (warning)"});
}

Ids with_order(Attribute order) {
  return small([&](TableBuilder& t) { t.set("", std::move(order)); });
}

TEST(ColumnOrder1d, OtherShapes) {
  const Attribute names = utf8_list("column-order", {"id", "energy"});
  Attribute square = names;
  square.space = simple_space({2, 1});
  EXPECT_EQ(with_order(square), Ids{"column-order-1d"});
  EXPECT_EQ(with_order(utf8("column-order", "id")), Ids{"column-order-1d"});
  EXPECT_EQ(with_order(without_value(names)), Ids{"column-order-1d"});
}

TEST(ColumnOrderFixedString, VariableLength) {
  const Datatype type = variable_string_type(CharacterSet::kUtf8);
  EXPECT_EQ(with_order(attribute("column-order", type, Cells{"id", "energy"})),
            Ids{"column-order-fixed-string"});
}

TEST(ColumnOrderFixedString, References) {
  TableBuilder t = small_table();
  EXPECT_EQ(with_order(references("column-order", {t.to("id"), t.to("energy")})),
            Ids{"column-order-fixed-string"});
}

TEST(ColumnOrderUtf8, Ascii) {
  Attribute names = utf8_list("column-order", {"id", "energy"});
  names.type.character_set = CharacterSet::kAscii;
  EXPECT_EQ(with_order(names), Ids{"column-order-utf8"});
}

TEST(ColumnOrderRecommended, TwoColumns) {
  EXPECT_EQ(small([](TableBuilder& t) { t.erase("", "column-order"); }),
            Ids{"column-order-recommended (info)"});
}

TEST(ColumnOrderRecommended, AmongAttributesThatCannotBeRead) {
  TableBuilder t = small_table();
  t.erase("", "column-order");
  t.group().attributes_unreadable = "bad header";
  EXPECT_EQ(reason_of(t, "column-order-recommended"), "/t: bad header");
}

TEST(ColumnOrderRecommended, OneColumn) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.erase("", "column-order");
              t.remove("energy");
            }),
            kNothing);
}

TEST(UnderscoreIndexEqualsFirst, OtherNames) {
  for (const char* name : {"ts", "/t/row_id", "Row_id", "", "nothing"})
    EXPECT_EQ(good([&](TableBuilder& t) { t.set("", utf8("_index", name)); }),
              Ids{"underscore-index-equals-first"})
        << name;
}

TEST(UnderscoreIndexEqualsFirst, NotAppliedIfTheReferenceIsBroken) {
  TableBuilder t = good_table();
  t.set("", references("INDEX_COLUMNS", {dangling_reference()}));
  EXPECT_EQ(findings_of(t), Ids{"index-columns-resolve-to-column"});
}

TEST(UnderscoreIndexNamesColumn, OtherNames) {
  for (const char* name : {"nothing", "", "CATEGORIES", "label__CATEGORIES"})
    EXPECT_EQ(good([&](TableBuilder& t) {
                t.erase("", "INDEX_COLUMNS");
                t.set("", utf8("_index", name));
              }),
              Ids{"underscore-index-names-column"})
        << name;
}

TEST(UnderscoreIndexNamesColumn, WithAbsentOrEmptyIndexColumns) {
  EXPECT_EQ(good([](TableBuilder& t) { t.erase("", "INDEX_COLUMNS"); }), kNothing);
  EXPECT_EQ(good([](TableBuilder& t) { t.set("", references("INDEX_COLUMNS", {})); }),
            Ids{"positional-table-omits-index-columns (info)"});
}

}  // namespace

}  // namespace hepcheck::hep001
