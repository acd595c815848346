// Every value of a right reply matters: see engine/testing/changes.h.
#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite/arrow/compare.h"
#include "conformance/suite/arrow/protocol.h"
#include "conformance/suite/engine/testing/changes.h"

namespace hepcheck::arrow::suite {
namespace {

TEST(Replies, OfReadersOfArrow) {
  const Capabilities can{.datatypes = set_of(kDatatypes), .features = set_of(kFeatures)};
  std::vector<Case> described, read;
  std::deque<Content> contents;
  std::vector<const conformance::Fixture*> files;
  std::set<std::string_view> names;  // most files are those of both revisions
  for (const char* revision : {"arrow-columnar-1.0", "arrow-columnar-1.5"})
    for (const conformance::Fixture* fixture : valid_files(revision))
      if (names.insert(fixture->file).second) files.push_back(fixture);
  for (const conformance::Fixture* fixture : files) {
    Result<Content> made =
        read_content(fixture->image, fixture->file, *find_specification(fixture->spec));
    if (!made) continue;
    const Content& content = contents.emplace_back(std::move(*made));
    Json describe{
        {"fields", content.fields}, {"metadata", content.metadata}, {"batches", Json::array()}};
    Json cells{{"batches", Json::array()}};
    for (const BatchContent& batch : content.batches) {
      Json one{{"rows", std::to_string(batch.rows)}, {"null_counts", Json::array()}};
      Json columns = Json::array();
      for (const ColumnContent& column : batch.columns) {
        one["null_counts"].push_back(std::to_string(column.null_count));
        columns.push_back(column.values);
      }
      describe["batches"].push_back(std::move(one));
      cells["batches"].push_back({{"columns", std::move(columns)}});
    }
    if (is_small(describe))
      described.push_back(
          {fixture->file, std::move(describe), judged([&content, &can](const Json& body) {
             const Described got = parse_described(body);
             return description_difference(content, got, can) ||
                    null_count_difference(content, got);
           })});
    if (is_small(cells) && !content.fields.empty() && !content.batches.empty())
      read.push_back(
          {fixture->file, std::move(cells), judged([&content](const Json& body) {
             return value_difference(columns_of(content), parse_columns(body)).has_value();
           })});
  }
  ASSERT_GT(described.size(), 100);
  ASSERT_GT(read.size(), 100);
  std::vector<Foreign> foreign{
      {"fields*",
       "dictionary",
       {{"index", {{"class", "int"}, {"bits", 8}, {"signed", true}}}, {"ordered", false}}}};
  for (const char* type : {"*.type", "*.dictionary.index"})
    for (const auto& [name, value] : {std::pair<const char*, Json>{"bits", 8},
                                      {"signed", true},
                                      {"precision", 7},
                                      {"scale", 0},
                                      {"unit", "s"},
                                      {"timezone", nullptr},
                                      {"size", 1},
                                      {"sorted", false},
                                      {"mode", "dense"},
                                      {"ids", Json::array()}})
      foreign.push_back({type, name, value});
  constexpr Exempt kDescribed[] = {{"", "a member more", kIgnored},
                                   {"batches.#", "a member more", kIgnored},
                                   {"*fields.#", "a member more", kIgnored},
                                   {"*children.#", "a member more", kIgnored},
                                   {"*metadata", "dropped", kNone},
                                   {"*metadata", "null", kNone},
                                   {"*metadata", "reversed", kAnyOrder},
                                   {"*children", "dropped", kNone},
                                   {"*children", "null", kNone},
                                   {"*.name", "dropped", kNone}};
  expect_noticed(described, foreign, kDescribed);
  const Foreign cells[] = {
      {"*.columns.*", "bits", "00"}, {"*.columns.*", "bytes", "AAAA"}, {"*.columns.*", "id", 0}};
  constexpr Exempt kRead[] = {{"", "a member more", kIgnored},
                              {"batches.#", "a member more", kIgnored}};
  expect_noticed(read, cells, kRead);
}

}  // namespace
}  // namespace hepcheck::arrow::suite
