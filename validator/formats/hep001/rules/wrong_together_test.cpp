// What is wrong with one object, or with one attribute, does not hide what is wrong with another.
#include <set>
#include <span>
#include <string>
#include <vector>

#include "validator/formats/hep001/judge.h"
#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

// Every place with a finding, by clause, object, attribute and position.
using Places = std::set<std::string>;

Places places_in(TableBuilder& t) {
  const Specification& spec = *find_specification("hep001-2026-07-09");
  ExamineOptions options;
  options.depth = Depth::kStructure;
  Places made;
  for (const ClauseResult& result : examine(t.finish(spec), t.values, spec, options).clauses)
    for (const Finding& each : result.findings)
      made.insert(std::string(result.clause->id) + ' ' + each.object + ' ' + each.attribute + ' ' +
                  each.where);
  return made;
}

template <class Bend>
Places places(Bend bend) {
  TableBuilder t = newer_table();
  bend(t);
  return places_in(t);
}

// Attributes that belong to no object, or not to most of them.
std::vector<Attribute> odd_attributes(const TableBuilder& t) {
  return {utf8("A source", "x"),
          ascii("CLASS", "DIMENSION_SCALE"),
          utf8("Description", "x"),
          utf8("OFFSETS", "x"),
          utf8("TITLE", "x"),
          utf8("Units", "x"),
          utf8("VERSION", "x"),
          utf8("_index", "ts"),
          utf8("column-order", "ts"),
          utf8("encoding_type", "x"),
          utf8("index_columns", "x"),
          boolean("ordered", true),
          reference("from", t.to("ts")),
          reference("to", t.to("label"))};
}

TEST(WrongTogether, AttributesOfOneObject) {
  const TableBuilder whole = newer_table();
  const std::vector<Attribute> odd = odd_attributes(whole);
  std::size_t found = 0;
  for (const std::string& object : whole.objects()) {
    const auto with = [&](std::span<const Attribute> which) {
      return places([&](TableBuilder& t) {
        for (const Attribute& each : which)
          if (!t.attributes(object).contains(each.name)) t.set(object, each);
      });
    };
    Places wanted;
    for (const Attribute& each : odd) wanted.merge(with({&each, 1}));
    EXPECT_EQ(with(odd), wanted) << object;
    found += wanted.size();
  }
  EXPECT_GT(found, 100u);
}

TEST(WrongTogether, OneAttributeOfEveryObject) {
  const TableBuilder whole = newer_table();
  const std::vector<std::string> objects = whole.objects();
  std::size_t found = 0;
  for (const Attribute& odd : odd_attributes(whole)) {
    const auto with = [&](std::span<const std::string> which) {
      return places([&](TableBuilder& t) {
        for (const std::string& object : which)
          if (!t.attributes(object).contains(odd.name)) t.set(object, odd);
      });
    };
    Places wanted;
    for (const std::string& object : objects) wanted.merge(with({&object, 1}));
    EXPECT_EQ(with(objects), wanted) << odd.name;
    found += wanted.size();
  }
  EXPECT_GT(found, 100u);
}

// The elements of a list of references, wherever they are among the others.
TEST(WrongTogether, ElementsOfLists) {
  const auto targets = [](TableBuilder& t) {
    return std::vector<Reference>{t.to("SEARCH_INDEXES/ts__sorted"), null_reference(),
                                  dangling_reference(), t.to("energy"),
                                  t.to("SEARCH_INDEXES/label__values")};
  };
  for (const auto& [object, name] :
       {std::pair("ts", "SEARCH_INDEX_LIST"), std::pair("", "INDEX_COLUMNS")}) {
    const auto of = [&](const std::vector<std::size_t>& which) {
      Places made;
      for (const std::string& place : places([&](TableBuilder& t) {
             std::vector<Reference> list;
             for (const std::size_t i : which) list.push_back(targets(t)[i]);
             t.set(object, references(name, list));
           }))
        if (place.contains(" element ")) made.insert(place);
      return made;
    };
    std::vector<Places> alone;
    for (std::size_t i = 0; i < 5; ++i) alone.push_back(of({i}));
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t k = 0; k < 5; ++k) {
        if (i == k) continue;
        Places wanted = alone[i];
        for (std::string place : alone[k]) {
          place.replace(place.find(" element 0"), 10, " element 1");
          wanted.insert(place);
        }
        EXPECT_EQ(of({i, k}), wanted) << object << ' ' << i << ' ' << k;
      }
  }
}

// --- What is not judged, and what is -------------------------------------------------------------

Ids ids_of(TableBuilder& t) { return newer_findings_of(t); }

// A stray dataset beside one that an index of an unknown family needs.
TEST(WrongTogether, StraysBesideCompanions) {
  for (const char* name : {"SEARCH_INDEXES/a", "SEARCH_INDEXES/z"}) {
    TableBuilder t = newer_table();
    t.add_dataset("SEARCH_INDEXES/companion", integer_type(1, true), {3});
    t.add_dataset("SEARCH_INDEXES/other", integer_type(1, true), {3});
    t.add_dataset(name, integer_type(1, true), {3});
    t.set("SEARCH_INDEXES/ts__minmax", ascii("KIND", "ZONEMAP"));
    t.set("SEARCH_INDEXES/ts__minmax",
          references("levels", {t.to("SEARCH_INDEXES/companion"), t.to("SEARCH_INDEXES/other")}));
    Places strays;
    for (const std::string& place : places_in(t))
      if (place.starts_with("no-stray-dataset")) strays.insert(place);
    EXPECT_EQ(strays, Places{std::string("no-stray-dataset /t/") + name + "  "}) << name;
  }
}

TEST(WrongTogether, IndexesWithoutKindBesideUnlistedOnes) {
  for (const char* broken : {"energy__minmax", "ts__sorted"})
    for (const char* column : {"energy", "label", "name", "ts"}) {
      TableBuilder t = newer_table();
      t.erase(std::string("SEARCH_INDEXES/") + broken, "KIND");
      const bool own = std::string_view(broken).starts_with(column);
      if (own) continue;
      t.erase(column, "SEARCH_INDEX_LIST");
      EXPECT_TRUE(std::ranges::contains(ids_of(t), "index-referenced")) << broken << ' ' << column;
    }
}

// A reference that cannot be judged, because its target may be unread, and one that can.
TEST(WrongTogether, UnreadTargetsBesideWrongOnes) {
  for (const bool first : {true, false}) {
    TableBuilder t = newer_table();
    t.add_dataset("SEARCH_INDEXES/unread", integer_type(1, true), {3});
    const Reference unread = t.to("SEARCH_INDEXES/unread");
    t.child("SEARCH_INDEXES/unread").unreadable = "damaged";
    t.child("SEARCH_INDEXES/unread").dataset.reset();
    const Reference wrong = t.to("energy");
    t.set("ts", references("SEARCH_INDEX_LIST",
                           first ? std::vector{unread, wrong} : std::vector{wrong, unread}));
    EXPECT_TRUE(std::ranges::contains(ids_of(t), "search-index-list-resolves")) << first;
  }
}

TEST(WrongTogether, EmptyReferencesBesideWrongOnes) {
  for (const auto& [empty, wrong] : {std::pair("energy", "ts"), std::pair("ts", "energy")}) {
    TableBuilder t = newer_table();
    t.set(empty, references("CATEGORIES", {}));
    t.set(wrong, reference("CATEGORIES", dangling_reference()));
    EXPECT_TRUE(std::ranges::contains(ids_of(t), "categories-ref-resolves")) << empty;
    t.set(empty, attribute("CATEGORIES", integer_type(8, false), Cell(1)));
    EXPECT_TRUE(std::ranges::contains(ids_of(t), "categories-ref-resolves")) << empty;
  }
}

TEST(WrongTogether, NamesThatAreNotColumns) {
  const auto order = [](const std::vector<std::string>& names) {
    Places made;
    for (const std::string& place :
         places([&](TableBuilder& t) { t.set("", utf8_list("column-order", names)); }))
      if (place.starts_with("column-order-only-columns")) made.insert(place);
    return made.size();
  };
  EXPECT_EQ(order({"ts", "none", "ts", "neither"}), 2u);
  EXPECT_EQ(order({"none", "none", "neither"}), 2u);
  EXPECT_EQ(order({"none", "ts", "none", "neither", "nor this"}), 3u);
}

// The fill value of an enumeration, wherever MISSING is among its members.
TEST(WrongTogether, MembersOfEnumerations) {
  const std::vector<std::pair<std::string, std::int64_t>> members{
      {"A", 0}, {"B", 1}, {"MISSING", 2}};
  for (std::vector<std::size_t> order{0, 1, 2};;) {
    std::vector<std::pair<std::string, std::int64_t>> moved;
    for (const std::size_t i : order) moved.push_back(members[i]);
    for (const std::int64_t fill : {0, 1, 2}) {
      TableBuilder t = newer_table();
      t.add_column("x", enum_type(integer_type(1, true), moved), Cells(16, 2), fill, 4);
      t.list_columns();
      EXPECT_EQ(std::ranges::contains(ids_of(t), "enum-fill-not-ordinary-member"), fill != 2)
          << moved[0].first << ' ' << moved[1].first << ' ' << fill;
    }
    if (!std::ranges::next_permutation(order).found) break;
  }
}

}  // namespace

}  // namespace hepcheck::hep001
