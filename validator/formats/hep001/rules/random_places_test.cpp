// Random children, elements and bounds, of which each is judged by itself, compared with a simple
// account of which are wrong.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "validator/formats/hep001/judge.h"
#include "validator/formats/hep001/testing/rule_testing.h"
#include "validator/testing/random.h"

namespace hepcheck::hep001::random_places {
namespace {

using Texts = std::vector<std::string>;

// "object attribute where" of the findings of a clause.
Texts places_of(const SubjectReport& report, std::string_view clause) {
  Texts made;
  for (const ClauseResult& result : report.clauses)
    if (result.clause->id == clause)
      for (const Finding& each : result.findings)
        made.push_back(std::format("{} {} {}", each.object, each.attribute, each.where));
  return made;
}

SubjectReport report_of(TableBuilder& t) {
  const Specification& spec = *find_specification("hep001-2026-07-09");
  return examine(t.finish(spec), t.values, spec, {.depth = Depth::kStructure, .jobs = 1});
}

// Datasets of any rank, links and groups, some of which column-order names; the table in itself.
TEST(RandomPlaces, ChildrenOfTheTable) {
  Random random(5101);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    TableBuilder t("/t", 3);
    t.add_column("first", integer_type(4, true), {1, 2, 3}, -1);
    std::vector<std::string> names{"first"};
    Texts rank, foreign, soft, tables, groups, datatypes, linked;
    for (std::uint64_t n = random.below(9); n > 0; --n) {
      const std::string name = std::format("c{}", n);
      const std::string place = "/t/" + name + "  ";
      const bool named = random.once_in(2);
      switch (random.below(8)) {
        case 0: t.add_dataset(name, integer_type(4, true), {3}, {1, 2, 3}); break;
        case 1:
          t.add_dataset(name, integer_type(4, true), {}).space = {};
          rank.push_back(place);
          break;
        case 2:
        case 3:
          t.add_dataset(name, integer_type(4, true), {3, 1 + random.below(2)});
          (named ? rank : foreign).push_back(place);
          break;
        case 4:
          t.add_soft_link(name, "/t/first").soft_target = t.to("first").token;
          (named ? linked : soft).push_back(place);
          break;
        case 5:
          t.add_group(name);
          groups.push_back(place);
          break;
        case 6: {
          Child& itself = t.add_named_datatype(name);
          itself.object = ObjectKind::kGroup;
          itself.token = t.table.group.token;
          tables.push_back(place);
          break;
        }
        default: t.add_named_datatype(name); datatypes.push_back(place);
      }
      if (named) names.push_back(name);
    }
    t.set("", utf8_list("column-order", names));
    const SubjectReport report = report_of(t);
    EXPECT_EQ(places_of(report, "column-rank-1"), rank);
    EXPECT_EQ(places_of(report, "no-multidimensional-dataset"), foreign);
    EXPECT_EQ(places_of(report, "no-soft-link"), soft);
    EXPECT_EQ(places_of(report, "column-hard-link"), linked);
    EXPECT_EQ(places_of(report, "no-nested-table"), tables);
    EXPECT_EQ(places_of(report, "no-user-subgroup"), groups);
    EXPECT_EQ(places_of(report, "no-named-datatype"), datatypes);
  }
}

// Texts that are cut in a code point, without a NUL, or both, among others.
TEST(RandomPlaces, ElementsOfTexts) {
  Random random(5102);
  constexpr std::string_view kElements[] = {"ts",        "caf\xC3", "abcd\xC3\xA9",
                                            "abcde\xC3", "\xFF",    ""};
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    TableBuilder t = newer_table();
    constexpr std::pair<const char*, const char*> kAttributes[] = {
        {"", "column-order"},
        {"", "TITLE"},
        {"ts", "units"},
        {"tracks", "description"},
        {"SEARCH_INDEXES/ts__sorted", "description"}};
    const auto [object, name] = random.one_of(kAttributes);
    const bool terminated = random.once_in(2);
    Cells cells;
    Texts cut;
    std::optional<std::string> unterminated;
    const std::uint64_t count = 2 + random.below(5);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string_view text = random.one_of(kElements);
      cells.emplace_back(text);
      const bool whole = text != "caf\xC3" && text != "abcde\xC3" && text != "\xFF";
      const std::string path = std::string("/t") + (*object ? "/" : "") + object;
      const std::string place = std::format("{} {} element {}", path, name, i);
      if (terminated && text.size() == 6) {
        if (!unterminated) unterminated = place;
      } else if (!whole) {
        cut.push_back(place);
      }
    }
    const StringPadding padding = terminated ? StringPadding::kNullTerm : StringPadding::kNullPad;
    t.set(object, attribute(name, fixed_string_type(6, padding, CharacterSet::kUtf8), cells));
    const SubjectReport report = report_of(t);
    EXPECT_EQ(places_of(report, "utf8-attribute-not-truncated"), cut);
    EXPECT_EQ(places_of(report, "string-padding"), unterminated ? Texts{*unterminated} : Texts{});
  }
}

// Bounds of another form each: the clauses that they violate are the reason why no row is judged.
TEST(RandomPlaces, BoundsOfEveryForm) {
  enum Form : std::uint8_t { kAbsent, kRight, kWide, kArray, kWideArray, kEmpty, kUnread, kForms };
  const auto bound = [](const char* name, int form) {
    const Datatype type =
        form == kWide || form == kWideArray ? integer_type(8, true) : integer_type(2, true);
    Attribute made = attribute(name, type, Cell(5));
    if (form == kArray || form == kWideArray) made = shaped(std::move(made), {1});
    if (form == kEmpty) made = without_value(std::move(made));
    if (form == kUnread) {
      made.unreadable = "it is damaged";
      made.bytes.clear();
    }
    return made;
  };
  for (int min = kAbsent; min < kForms; ++min)
    for (int max = kAbsent; max < kForms; ++max) {
      TableBuilder t = small_table();
      t.add_column("x", integer_type(2, true), {5, 5, 5, 5, 5}, -1);
      t.list_columns();
      Texts violated;
      bool judged = min != kAbsent || max != kAbsent;
      for (const auto& [name, form, clause] : {std::tuple("valid_min", min, "valid-min-"),
                                               std::tuple("valid_max", max, "valid-max-")}) {
        if (form != kAbsent) t.set("x", bound(name, form));
        judged = judged && (form == kAbsent || form == kRight);
        if (form == kArray || form == kWideArray || form == kEmpty)
          violated.push_back(std::string(clause) + "scalar");
        if (form == kWide || form == kWideArray)
          violated.push_back(std::string(clause) + "datatype");
      }
      const bool none = min == kAbsent && max == kAbsent;
      const std::string reason = reason_of(t, "data-within-valid-range");
      EXPECT_EQ(reason.empty(), none || judged) << min << ' ' << max;
      for (const char* clause :
           {"valid-min-scalar", "valid-min-datatype", "valid-max-scalar", "valid-max-datatype"}) {
        const bool wrong = std::ranges::contains(violated, clause);
        EXPECT_EQ(reason.contains(clause), wrong) << min << ' ' << max << ' ' << clause;
        EXPECT_EQ(std::ranges::contains(findings_of(t), clause), wrong) << min << ' ' << max;
      }
    }
}

}  // namespace
}  // namespace hepcheck::hep001::random_places
