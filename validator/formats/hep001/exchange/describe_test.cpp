// What an export says of tables and columns with attributes of every name, in every encoding: the
// golden file has a line for each attribute of each column, and of the table.
#include "validator/formats/hep001/exchange/describe.h"

#include <gtest/gtest.h>

#include <format>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hep001/testing/build.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hep001 {
namespace {

constexpr const char* kNames[] = {"valid_min",   "valid_max",   "units",  "units_vocabulary",
                                  "description", "CATEGORIES",  "origin", "arrow_type",
                                  "CLASS",       "VERSION",     "TITLE",  "NROWS",
                                  "GENERATION",  "column-order"};

std::vector<Attribute> encodings(const std::string& name) {
  const Datatype byte = integer_type(1, false), wide = integer_type(4, true, ByteOrder::kBig),
                 real = ieee_float_type(8);
  std::vector<Attribute> made{
      attribute(name, byte, Cell(7)),
      attribute(name, wide, Cell(-7)),
      attribute(name, real, Cell(2.5)),
      attribute(name, real, Cell(std::numeric_limits<double>::quiet_NaN())),
      attribute(name, byte, Cells{7}),
      attribute(name, byte, Cells{7, 8}),
      attribute(name, real, Cells{2.5}),
      attribute(name, fixed_string_type(3, StringPadding::kSpacePad, CharacterSet::kAscii), "ab"),
      attribute(name, fixed_string_type(3, StringPadding::kNullPad, CharacterSet::kUtf8), "\xFF"),
      utf8(name, "text"),
      utf8(name, ""),
      utf8_list(name, {"text"}),
      ascii(name, "text"),
      variable_length(name, "text"),
      boolean(name, true),
      reference(name, {}),
      without_value(attribute(name, byte, Cell(7))),
      shaped(attribute(name, byte, Cell(7)), {1, 1}),
  };
  made.push_back(attribute(name, byte, Cell(7)));
  made.back().unreadable = "it is damaged";
  return made;
}

std::string text_of(const exchange::Metadata& said, const std::vector<std::string>& losses) {
  std::string text;
  for (const auto& [key, value] : said) text += std::format(" {}={}", key, value);
  for (const std::string& each : losses) text += " lost: " + each;
  return text + '\n';
}

TEST(Describe, EqualsTheGoldenFile) {
  TableBuilder t("/t", 2);
  const Datatype text = fixed_string_type(3, StringPadding::kNullTerm, CharacterSet::kUtf8);
  const std::pair<const char*, exchange::Kind> kColumns[] = {
      {"byte", exchange::Kind::kInteger},
      {"real", exchange::Kind::kFloat},
      {"text", exchange::Kind::kText},
  };
  t.add_column("byte", integer_type(1, false), {1, 2}, 255);
  t.add_column("real", ieee_float_type(8), {1.0, 2.0}, 9.0);
  t.add_column("text", text, {"a", "b"}, "");
  std::string all;
  for (const char* name : kNames) {
    std::size_t number = 0;
    for (const Attribute& each : encodings(name)) {
      all += std::format("{} {}\n", name, number++);
      for (const auto& [column, as] : kColumns) {
        Dataset data = t.dataset(column);
        data.attributes.insert_or_assign(name, each);
        exchange::Metadata said;
        std::vector<std::string> losses;
        describe_dataset(data, as, said, losses);
        all += "  " + std::string(column) + text_of(said, losses);
      }
      Table table = t.table;
      table.group.attributes.insert_or_assign(name, each);
      std::vector<std::string> losses;
      const exchange::Metadata said = describe_table(table, {}, losses);
      all += "  table" + text_of(said, losses);
    }
  }
  EXPECT_TRUE(golden::equals(all, "validator/formats/hep001/golden/descriptions.txt"));
}

}  // namespace
}  // namespace hepcheck::hep001
