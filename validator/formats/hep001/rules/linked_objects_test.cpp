// Every object of a table behind a link of another kind, unreadable, of another kind or under a
// second name, alone and with each other object: all results equal the golden file, which has a
// line for each object with the number of clauses that say something, and a digest of what they
// say.
#include <gtest/gtest.h>

#include <format>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/hep001/testing/rule_testing.h"
#include "validator/formats/hep001/testing/said.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hep001 {
namespace {

void to_link(Child& child, Child::LinkKind link, std::string target) {
  child.link = link;
  child.link_target = std::move(target);
  child.dataset.reset();
  child.group.reset();
}

using Change = void (*)(TableBuilder&, const std::string&);
constexpr std::pair<std::string_view, Change> kChanges[] = {
    {"soft link",
     [](TableBuilder& t, const std::string& path) {
       Child& child = t.child(path);
       to_link(child, Child::LinkKind::kSoft, "/elsewhere");
       child.soft_target = std::exchange(child.token, {});
     }},
    {"dangling link",
     [](TableBuilder& t, const std::string& path) {
       Child& child = t.child(path);
       to_link(child, Child::LinkKind::kSoft, "/nowhere");
       child.token = {};
       child.object = ObjectKind::kUnknown;
     }},
    {"external link",
     [](TableBuilder& t, const std::string& path) {
       Child& child = t.child(path);
       to_link(child, Child::LinkKind::kExternal, "other.h5:/x");
       child.token = {};
       child.object = ObjectKind::kUnknown;
     }},
    {"unreadable",
     [](TableBuilder& t, const std::string& path) {
       Child& child = t.child(path);
       child.dataset.reset();
       child.group.reset();
       child.unreadable = "it is damaged";
     }},
    {"named datatype",
     [](TableBuilder& t, const std::string& path) {
       Child& child = t.child(path);
       child.dataset.reset();
       child.group.reset();
       child.object = ObjectKind::kNamedDatatype;
     }},
    {"attributes listed in part",
     [](TableBuilder& t, const std::string& path) { t.attributes_unreadable(path) = "damaged"; }},
    {"second name",
     [](TableBuilder& t, const std::string& path) { t.add_hard_link(path + "__2", path); }},
    {"name in the table",
     [](TableBuilder& t, const std::string& path) { t.add_hard_link("also", path); }},
    {"name in the table, listed",
     [](TableBuilder& t, const std::string& path) {
       t.add_hard_link("also", path);
       t.set("", utf8_list("column-order", {"row_id", "also", "ts", "also"}));
     }},
};

const Specification& newest() { return *find_specification("hep001-2026-07-09"); }

std::vector<std::string> objects_below(const TableBuilder& t) {
  std::vector<std::string> made = t.objects();
  std::erase(made, "");
  return made;
}

TEST(LinkedObjects, EqualTheGoldenFile) {
  std::string text;
  for (const std::string& object : objects_below(newer_table())) {
    for (const auto& [name, change] : kChanges) {
      TableBuilder t = newer_table();
      change(t, object);
      Said said;
      said.add(t, newest());
      text += said.line(std::format("{}, {}", object, name));
    }
    Said said;
    for (const std::string& other : objects_below(newer_table()))
      for (const auto& [first, second] : {std::pair(0, 0), std::pair(3, 3), std::pair(0, 3)}) {
        TableBuilder t = newer_table();
        kChanges[first].second(t, object);
        if (!t.has(other) || other == object) continue;
        kChanges[second].second(t, other);
        said.add(t, newest());
      }
    text += said.line(object + ", with another");
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/linked_objects.txt"));
}

// Lists of up to three references to anything, some to the same.
TEST(ReferenceLists, EqualTheGoldenFile) {
  const auto targets = [](TableBuilder& t) {
    return std::vector<std::pair<std::string_view, Reference>>{
        {"column", t.to("energy")},
        {"index", t.to("SEARCH_INDEXES/ts__minmax")},
        {"list column", t.to("tracks")},
        {"another list column", t.to("tags")},
        {"null", null_reference()},
        {"dangling", dangling_reference()},
        {"elsewhere", reference_elsewhere("other.h5")},
        {"group", t.to("SEARCH_INDEXES")},
    };
  };
  constexpr std::size_t kTargets = 8;
  std::string text;
  for (const auto& [object, name] :
       {std::pair("ts", "SEARCH_INDEX_LIST"), std::pair("", "INDEX_COLUMNS")})
    for (std::size_t first = 0; first < kTargets; ++first) {
      Said said;
      std::string_view of;
      for (std::size_t second = 0; second <= kTargets; ++second)
        for (std::size_t third = 0; third <= kTargets; ++third) {
          TableBuilder t = newer_table();
          const auto all = targets(t);
          of = all[first].first;
          std::vector<Reference> list{all[first].second};
          for (const std::size_t each : {second, third})
            if (each < kTargets) list.push_back(all[each].second);
          t.set(object, references(name, list));
          said.add(t, newest(), Depth::kStructure);
        }
      text += said.line(std::format("{}, first a {}", name, of));
    }
  // The labels of a column at any depth below or beside their group.
  for (const char* path : {"CATEGORIES/x", "CATEGORIES/a/x", "CATEGORIES/a/b/x", "SEARCH_INDEXES/x",
                           "SEARCH_INDEXES/a/x", "x", "other/x"}) {
    TableBuilder t = newer_table();
    for (const char* group : {"CATEGORIES/a", "CATEGORIES/a/b", "SEARCH_INDEXES/a", "other"})
      t.add_group(group);
    t.add_dataset(path, fixed_string_type(2, StringPadding::kNullPad, CharacterSet::kUtf8), {3},
                  {"a", "b", "c"});
    t.set("label", reference("CATEGORIES", t.to(path)));
    Said said;
    said.add(t, newest());
    text += said.line(std::format("CATEGORIES, to {}", path));
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/reference_lists.txt"));
}

}  // namespace
}  // namespace hepcheck::hep001
