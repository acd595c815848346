#include "conformance/suite/arrow/random_tables.h"

#include <gtest/gtest.h>

#include <set>
#include <span>
#include <string>

#include "conformance/suite/arrow/content.h"
#include "conformance/suite/arrow/protocol.h"
#include "validator/catalogue/clause.h"
#include "validator/examine_file.h"

namespace hepcheck::arrow::suite {
namespace {

Capabilities all() {
  return {.datatypes = {std::begin(kDatatypes), std::end(kDatatypes)},
          .features = {"stream", "file"}};
}

// The classes of types, the widths of decimals, and the units of intervals.
void add_types(const Json& fields, std::set<std::string>& types) {
  for (const Json& field : fields) {
    const Json& type = field.at("type");
    std::string name = type.at("class");
    if (name == "decimal") name += std::to_string(type.at("bits").get<int>());
    if (name == "interval") name = type.at("unit");
    types.insert(std::move(name));
    if (field.contains("dictionary")) types.insert("dictionary");
    add_types(field.at("children"), types);
  }
}

// Of images without a finding.
std::set<std::string> sound_types(const Capabilities& can, const std::string& revision) {
  const Specification& spec = *find_specification(revision);
  std::set<std::string> types;
  for (const RandomTable& each : random_tables(can, spec, 1, 150)) {
    const auto image = std::as_bytes(std::span(each.image));
    const FileReport report = examine_image(image, each.name, std::nullopt, &spec, FileOptions{});
    EXPECT_FALSE(report.error) << each.name;
    for (const SubjectReport& subject : report.subjects)
      for (const ClauseResult& clause : subject.clauses) {
        EXPECT_NE(clause.verdict, Verdict::kFail) << each.name << ": " << clause.clause->id;
        EXPECT_NE(clause.verdict, Verdict::kNotChecked) << each.name << ": " << clause.clause->id;
      }
    const Result<Content> content = read_content(image, each.name, spec);
    if (!content) {
      ADD_FAILURE() << content.error().text();
      continue;
    }
    add_types(content->fields, types);
  }
  return types;
}

TEST(RandomTables, AreSoundAndOfAllTypes) {
  std::set<std::string> wanted(std::begin(kDatatypes), std::end(kDatatypes));
  for (const char* name : {"union", "map", "decimal", "interval"}) wanted.erase(name);
  wanted.insert(
      {"decimal32", "decimal64", "decimal128", "decimal256", "year-month", "month-day-nano"});
  EXPECT_EQ(sound_types(all(), "arrow-columnar-1.5"), wanted);
  for (const char* name :
       {"utf8-view", "binary-view", "list-view", "large-list-view", "run-end-encoded", "decimal32",
        "decimal64", "decimal256", "month-day-nano"})
    wanted.erase(name);
  EXPECT_EQ(sound_types(all(), "arrow-columnar-1.0"), wanted);
}

TEST(RandomTables, HaveOnlyDeclaredTypes) {
  Capabilities can = all();
  can.datatypes = {"int", "run-end-encoded", "dictionary"};
  EXPECT_EQ(sound_types(can, "arrow-columnar-1.5"),
            std::set<std::string>({"int", "run-end-encoded"}));
  can.datatypes = {"struct", "map"};
  EXPECT_TRUE(random_tables(can, *find_specification("arrow-columnar-1.5"), 1, 5).empty());
}

TEST(RandomTables, DependOnTheSeedAlone) {
  const Specification& spec = *find_specification("arrow-columnar-1.5");
  const Capabilities can = all();
  const auto three = random_tables(can, spec, 7, 3), one = random_tables(can, spec, 9, 1);
  ASSERT_EQ(three.size(), 3u);
  EXPECT_EQ(three[2].image, one[0].image);
  EXPECT_EQ(three[2].name, one[0].name);
  EXPECT_NE(three[0].image, three[1].image);
}

}  // namespace
}  // namespace hepcheck::arrow::suite
