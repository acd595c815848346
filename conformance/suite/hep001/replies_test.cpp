// Every value of a right reply matters: see engine/testing/changes.h.
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "conformance/suite/engine/testing/changes.h"
#include "conformance/suite/hep001/compare.h"
#include "conformance/suite/hep001/content.h"
#include "validator/formats/hep001/libhdf5/error.h"

namespace hepcheck::hep001::suite {
namespace {

template <class Text>
Json or_null(const Text& text) {
  return text ? Json(*text) : Json();
}

TEST(Replies, OfReadersOfTables) {
  libhdf5::initialise(false);
  const Capabilities can{.datatypes = set_of(kDatatypes), .features = set_of(kFeatures)};
  std::vector<Case> described, read;
  std::deque<FileContent> contents;
  const Specification& spec = default_revision("hep001");
  for (const conformance::Fixture* fixture : valid_files(spec.id)) {
    auto made = read_content(fixture->image, spec);
    if (!made || made->empty()) continue;
    const auto& content = contents.emplace_back(std::move(*made));
    Json tables = Json::array(), columns_read = Json::array();
    for (const TableContent& table : content) {
      Json columns = Json::array();
      for (const ColumnContent& column : table.columns) {
        Json one{{"name", column.name},
                 {"type", column.type},
                 {"units", or_null(column.units)},
                 {"units_vocabulary", column.units ? or_null(column.units_vocabulary) : Json()},
                 {"description", or_null(column.description)},
                 {"categories", nullptr},
                 {"boolean", or_null(column.boolean)}};
        if (column.categories)
          one["categories"] = {{"type", column.categories->type},
                               {"labels", column.categories->labels},
                               {"ordered", column.categories->ordered}};
        columns.push_back(std::move(one));
        if (&table == &content.front()) {
          Json values{{"name", column.name}};
          if (column.unreadable.empty())
            values["values"] = column.values;
          else
            values["unreadable"] = column.unreadable;
          if (column.categories) values["labels"] = column.labels;
          columns_read.push_back(std::move(values));
        }
      }
      tables.push_back({{"path", table.path},
                        {"version", table.version},
                        {"rows", std::to_string(table.rows)},
                        {"title", or_null(table.title)},
                        {"description", or_null(table.description)},
                        {"columns", std::move(columns)},
                        {"row_labels", table.row_labels}});
    }
    Json description{{"tables", std::move(tables)}};
    if (is_small(description))
      described.push_back(
          {fixture->file, std::move(description), [&content, &can](const Json& body) {
             const Parsed<Description> got = parse_description(body);
             if (!got || !got->refused.empty()) return true;
             auto unread = got->tables;
             for (TableContent& table : unread) table.read = false;
             return !compare(content, unread, can).empty();
           }});
    Json values{{"columns", std::move(columns_read)}};
    if (is_small(values))
      read.push_back({fixture->file, std::move(values), [&content, &can](const Json& body) {
                        FileContent got = content;
                        for (ColumnContent& column : got.front().columns) {
                          column.values.clear();
                          column.labels.clear();
                          column.unreadable = "it is not in the reply";
                        }
                        return !parse_values(body, got.front()) ||
                               !compare(content, got, can).empty();
                      }});
  }
  ASSERT_GT(described.size(), 100);
  ASSERT_GT(read.size(), 100);
  const std::vector<Foreign> foreign = foreign_to_types();
  constexpr Exempt kDescribed[] = {
      {"*", "a member more", kIgnored},
      {"tables", "reversed", kAnyOrder},
      {"*.boolean", "dropped", "it is optional"},
      {"*.boolean", "null", "it is optional"},
      {"*.categories", "dropped", kNone},
      {"*description", "dropped", kNone},
      {"*.title", "dropped", kNone},
      {"*.units", "dropped", kNone},
      {"*.units_vocabulary", "dropped", kNone},
      {"*.units_vocabulary", "no null", "without units a vocabulary has no effect"},
      {"*.row_labels", "dropped", kNone},
      {"*.row_labels", "null", kNone},
      {"*.labels.*.value", "*", kForDisplay}};
  expect_noticed(described, foreign, kDescribed);
  constexpr Exempt kRead[] = {{"*", "a member more", kIgnored},
                              {"columns", "reversed", kAnyOrder},
                              {"*.value", "*", kForDisplay},
                              {"*.unreadable", "another text", kForDisplay}};
  const Foreign cells[] = {{"*.values.*", "bits", "00"}, {"*.values.*", "bytes", "AAAA"}};
  expect_noticed(read, cells, kRead);
}

}  // namespace
}  // namespace hepcheck::hep001::suite
