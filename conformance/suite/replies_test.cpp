// Every value that a reply carries matters: of right replies about files of the corpus, each value
// is changed in turn, and the judge notices. `kExempt` lists what the protocols leave to programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <format>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "conformance/corpus.h"
#include "conformance/suite/arrow/compare.h"
#include "conformance/suite/arrow/protocol.h"
#include "conformance/suite/engine/file_reader.h"
#include "conformance/suite/hdf5/contents.h"
#include "conformance/suite/hep001/compare.h"
#include "conformance/suite/hep001/content.h"
#include "conformance/suite/rntuple/contents.h"
#include "conformance/suite/rntuple/protocol.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/wildcard.h"

namespace hepcheck::suite {
namespace {

// A right reply, and whether a judge finds fault with one.
struct Case {
  std::string file{};
  Json reply{};
  std::function<bool(const Json&)> noticed{};
};

// What no judge has to notice: places and changes are patterns.
struct Exempt {
  std::string_view places, changes, reason;
};

// A member of the protocol that objects at other places have.
struct Foreign {
  std::string_view places, name;
  Json value;
};

constexpr std::string_view kIgnored = "the protocol does not define it",
                           kLeftOut = "programs leave out what they cannot tell",
                           kNone = "what is not there is null, or empty",
                           kAnyOrder = "the order is not significant",
                           kForDisplay = "it is for display";

// --- Changes ------------------------------------------------------------------------------------

struct Change {
  Json::json_pointer at{};
  std::string place{}, what{};  // "objects.#.kind", "null"
  Json value{};                 // in its place
  bool dropped = false;
};

Json without_element(Json array, std::size_t i) {
  array.erase(i);
  return array;
}

std::string other_text(const std::string& text) {
  const bool digits = !text.empty() && text.size() < 18 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  return digits ? std::to_string(std::stoull(text) + 1) : text + "x";
}

void add_changes(const Json& value, const Json::json_pointer& at, const std::string& place,
                 std::span<const Foreign> foreign, std::vector<Change>& into) {
  const auto add = [&](const char* what, Json changed) {
    into.push_back({.at = at, .place = place, .what = what, .value = std::move(changed)});
  };
  if (value.is_number_integer()) add("another number", value.get<std::int64_t>() + 1);
  if (value.is_boolean()) add("flipped", !value.get<bool>());
  if (value.is_string()) add("another text", other_text(value.get<std::string>()));
  add(value.is_null() ? "no null" : "null", value.is_null() ? Json("0") : Json());
  if (value.is_array()) {
    Json more = value;
    more.push_back(nullptr);
    add("a null more", std::move(more));
    if (!value.empty()) {
      add("the first removed", without_element(value, 0));
      add("the last removed", without_element(value, value.size() - 1));
      Json twice = value;
      twice.push_back(value.back());
      add("the last doubled", std::move(twice));
      Json reversed = value;
      std::ranges::reverse(reversed);
      if (reversed != value) add("reversed", std::move(reversed));
    }
    for (std::size_t i = 0; i < value.size(); ++i)
      add_changes(value[i], at / i, place + ".#", foreign, into);
  }
  if (value.is_object()) {
    Json more = value;
    more["unexpected"] = "0";
    add("a member more", std::move(more));
    for (const Foreign& one : foreign) {
      const std::string name(one.name);
      if (value.contains(name) || !fits(place, std::string(one.places))) continue;
      Json with = value;
      with[name] = one.value;
      add(std::format("with {}", name).c_str(), std::move(with));
    }
    for (const auto& [name, each] : value.items()) {
      const std::string below = place.empty() ? name : place + "." + name;
      into.push_back({.at = at / name, .place = below, .what = "dropped", .dropped = true});
      add_changes(each, at / name, below, foreign, into);
    }
  }
}

Json changed(Json reply, const Change& change) {
  if (change.dropped)
    reply[change.at.parent_pointer()].erase(change.at.back());
  else
    reply[change.at] = change.value;
  return reply;
}

// Asserts that the judge notices the changes of some replies: of each change at a place, this many,
// each in another file.
void expect_noticed(const std::vector<Case>& cases, std::span<const Foreign> foreign,
                    std::span<const Exempt> exempt) {
  constexpr std::size_t kOfEach = 50;
  std::map<std::pair<std::string, std::string>, std::size_t> made;
  std::set<std::size_t> used;
  std::map<std::pair<std::string, std::string>, std::string> holes;
  std::mt19937 random(1);
  for (const Case& each : cases) {
    ASSERT_FALSE(each.noticed(each.reply)) << each.file << " " << shown(each.reply);
    std::vector<Change> changes;
    add_changes(each.reply, Json::json_pointer(), "", foreign, changes);
    std::ranges::shuffle(changes, random);
    std::set<std::pair<std::string, std::string>> here;
    for (const Change& change : changes) {
      const std::pair key{change.place, change.what};
      if (made[key] >= kOfEach || !here.insert(key).second) continue;
      ++made[key];
      if (each.noticed(changed(each.reply, change))) continue;
      const auto at = std::ranges::find_if(exempt, [&](const Exempt& one) {
        return fits(change.place, std::string(one.places)) &&
               fits(change.what, std::string(one.changes));
      });
      if (at != exempt.end())
        used.insert(static_cast<std::size_t>(at - exempt.begin()));
      else
        holes.try_emplace(key, each.file + " " + change.at.to_string());
    }
  }
  for (const auto& [key, file] : holes)
    ADD_FAILURE() << key.first << ": " << key.second << " is not noticed, as in " << file;
  for (std::size_t i = 0; i < exempt.size(); ++i)
    EXPECT_TRUE(used.contains(i)) << "nothing is exempt by " << exempt[i].places << " "
                                  << exempt[i].changes;
  EXPECT_GT(made.size(), 20);
}

// A judge of a body, by a function that may throw `Malformed`.
std::function<bool(const Json&)> judged(std::function<bool(const Json&)> noticed) {
  return [noticed = std::move(noticed)](const Json& body) {
    const Parsed<bool> made = caught("read", [&] { return noticed(body); });
    return !made || *made;
  };
}

std::set<std::string> set_of(std::span<const std::string_view> words) {
  return {words.begin(), words.end()};
}

bool is_small(const Json& reply) { return reply.dump().size() < 4000; }

std::vector<const conformance::Fixture*> valid_files(std::string_view spec) {
  std::vector<const conformance::Fixture*> made;
  for (const conformance::Fixture& each : conformance::corpus())
    if (each.spec == spec && each.valid && !each.asserted) made.push_back(&each);
  return made;
}

// Members of HDF5 datatypes, of which each class has some.
std::vector<Foreign> foreign_to_types() {
  const std::pair<const char*, Json> members[] = {{"size", 7},
                                                  {"order", "big"},
                                                  {"signed", true},
                                                  {"precision", 7},
                                                  {"offset", 1},
                                                  {"charset", "ascii"},
                                                  {"padding", "null-pad"},
                                                  {"tag", "x"},
                                                  {"form", "object"},
                                                  {"dims", Json::array({2})},
                                                  {"base", {{"class", "integer"}}},
                                                  {"members", Json::array()},
                                                  {"fields", Json::array()}};
  std::vector<Foreign> made;
  for (const char* type : {"*.type", "*.type*.base", "*.type*.fields.#.#"})
    for (const auto& [name, value] : members) made.push_back({type, name, value});
  return made;
}

// --- RNTuple ------------------------------------------------------------------------------------

// A field or an RNTuple of contents.json as the reply has it.
Json of_protocol(const Json& described) {
  Json made = Json::object();
  for (const char* name : {"path", "entries", "name", "type", "values"})
    if (described.contains(name)) made[name] = described.at(name);
  made["fields"] = Json::array();
  for (const Json& field : described.at("fields"))
    if (!field.contains("ignored")) made["fields"].push_back(of_protocol(field));
  return made;
}

TEST(Replies, OfReadersOfRNTuples) {
  const Capabilities can{.datatypes = set_of(rntuple::suite::kDatatypes),
                         .features = set_of(rntuple::suite::kFeatures)};
  const Json document = corpus_document("rntuple/contents.json");
  std::vector<Case> cases;
  for (const conformance::Fixture* fixture : valid_files("rntuple-0.2.0.0")) {
    const Json& number = document.at("files").at(fixture->file).back();
    if (number.is_null()) continue;
    Json ntuples = Json::array();
    for (const Json& each : document.at("contents").at(number.get<std::size_t>()))
      ntuples.push_back(of_protocol(each));
    const std::string& file = fixture->file;
    Json reply{{"ntuples", ntuples}};
    const auto noticed = judged([&file, &can](const Json& body) {
      const FileContent made = rntuple::suite::compare(file, body, can);
      return made.wrong || !made.refused.empty();
    });
    if (is_small(reply) && !noticed(reply)) cases.push_back({file, std::move(reply), noticed});
  }
  ASSERT_GT(cases.size(), 100);
  const Foreign foreign[] = {{"*.values.*", "tag", "1"}, {"*.values.*", "bits", "00"}};
  constexpr Exempt kExempt[] = {
      {"", "a member more", kIgnored},           {"ntuples.#", "a member more", kIgnored},
      {"*fields.#", "a member more", kIgnored},  {"ntuples", "reversed", kAnyOrder},
      {"*fields.#.type", "dropped", kLeftOut},   {"*fields.#.type", "null", kLeftOut},
      {"*fields.#.fields", "dropped", kLeftOut}, {"*fields.#.fields", "null", kLeftOut}};
  expect_noticed(cases, foreign, kExempt);
}

// --- HDF5 ---------------------------------------------------------------------------------------

Json without_damage(const Json& value) {
  if (value.is_object() && value.contains("damaged")) return nullptr;
  if (!value.is_structured()) return value;
  Json made = value.is_array() ? Json::array() : Json::object();
  for (const auto& [name, each] : value.items())
    if (value.is_array())
      made.push_back(without_damage(each));
    else
      made[name] = without_damage(each);
  return made;
}

Json objects_of(const hdf5::suite::Contents& contents) {
  Json objects = Json::array();
  std::set<std::size_t> listed;
  std::deque<std::pair<std::size_t, Json>> waiting{{0, Json::array()}};
  for (; !waiting.empty(); waiting.pop_front()) {
    const auto& [number, path] = waiting.front();
    if (!listed.insert(number).second) continue;
    Json object = without_damage(*contents.at(number));
    object["path"] = path;
    if (object.at("kind") == "group" && has(object, "links")) {
      Json names = Json::array();
      for (const Json& link : object.at("links")) {
        names.push_back(link.at(0));
        if (!link.at(1).is_number()) continue;
        Json below = path;
        below.push_back(link.at(0));
        waiting.emplace_back(link.at(1).get<std::size_t>(), std::move(below));
      }
      object["links"] = std::move(names);
    }
    objects.push_back(std::move(object));
  }
  return objects;
}

// Whether the values of some dataset or attribute are not known: it may be refused.
bool has_gaps(const Json& entries) {
  return std::ranges::any_of(entries, [](const Json& entry) {
    const Json kind = entry.value("kind", Json("attribute"));
    return ((kind == "dataset" || kind == "attribute") && !has(entry, "values")) ||
           (has(entry, "attributes") && has_gaps(entry.at("attributes")));
  });
}

TEST(Replies, OfReadersOfHdf5Files) {
  const Capabilities can{.datatypes = set_of(hdf5::suite::kDatatypes),
                         .features = set_of(hdf5::suite::kFeatures)};
  std::vector<Case> cases;
  for (const conformance::Fixture* fixture : valid_files("hdf5-file-format-4.0")) {
    const std::vector<hdf5::suite::Contents> contents = hdf5::suite::contents_of(fixture->file);
    if (contents.size() != 1 || contents.front().empty()) continue;
    // The order of VAX floats is not compared.
    if (fits(fixture->file, "*/h5-datatype-float-*--vax*") ||
        fits(fixture->file, "*/h5-datatype-float-any-format--many*"))
      continue;
    Json reply{{"objects", objects_of(contents.front())}};
    const auto noticed = judged([contents, &can](const Json& body) {
      const FileContent made = hdf5::suite::compare(body, contents, can);
      return made.wrong || !made.refused.empty();
    });
    if (is_small(reply) && !has_gaps(reply.at("objects")))
      cases.push_back({fixture->file, std::move(reply), noticed});
  }
  ASSERT_GT(cases.size(), 300);
  std::vector<Foreign> foreign = foreign_to_types();
  const Foreign others[] = {
      {"objects.#", "links", Json::array()}, {"objects.#", "type", {{"class", "integer"}}},
      {"objects.#", "shape", Json::array()}, {"objects.#", "values", Json::array()},
      {"objects.#", "refused", "no reason"}, {"*.attributes.#", "refused", "no reason"},
      {"*.values.*", "bits", "00"},          {"*.values.*", "bytes", "AAAA"}};
  foreign.insert(foreign.end(), std::begin(others), std::end(others));
  constexpr Exempt kExempt[] = {{"", "a member more", kIgnored},
                                {"objects.#", "a member more", kIgnored},
                                {"*.attributes.#", "a member more", kIgnored},
                                {"*.type", "a member more", kIgnored},
                                {"*.type*.base", "a member more", kIgnored},
                                {"*.type*.fields.#.#", "a member more", kIgnored},
                                {"objects", "reversed", kAnyOrder},
                                {"*.attributes", "reversed", kAnyOrder},
                                {"*.links", "reversed", kAnyOrder},
                                {"*.members", "reversed", kAnyOrder},
                                {"*.type", "dropped", kLeftOut},
                                {"*.shape", "dropped", kLeftOut},
                                {"*.type.*", "dropped", kLeftOut},
                                {"*.type.*", "null", kLeftOut}};
  expect_noticed(cases, foreign, kExempt);
}

// --- Arrow --------------------------------------------------------------------------------------

TEST(Replies, OfReadersOfArrow) {
  using namespace arrow::suite;
  const Capabilities can{.datatypes = set_of(kDatatypes), .features = set_of(kFeatures)};
  std::vector<Case> described, read;
  std::deque<Content> contents;
  const Specification& spec = default_revision("arrow");
  for (const conformance::Fixture* fixture : valid_files(spec.id)) {
    Result<Content> made = read_content(fixture->image, fixture->file, spec);
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

// --- HEP001 -------------------------------------------------------------------------------------

template <class Text>
Json or_null(const Text& text) {
  return text ? Json(*text) : Json();
}

TEST(Replies, OfReadersOfTables) {
  using namespace hep001::suite;
  hep001::libhdf5::initialise(false);
  const Capabilities can{.datatypes = set_of(kDatatypes), .features = set_of(kFeatures)};
  std::vector<Case> described, read;
  std::deque<hep001::suite::FileContent> contents;
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
                        hep001::suite::FileContent got = content;
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
}  // namespace hepcheck::suite
