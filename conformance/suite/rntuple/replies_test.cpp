// Every value of a right reply matters: see engine/testing/changes.h.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/suite/engine/testing/changes.h"
#include "conformance/suite/rntuple/contents.h"
#include "conformance/suite/rntuple/protocol.h"

namespace hepcheck::rntuple::suite {
namespace {

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
  const Capabilities can{.datatypes = set_of(kDatatypes), .features = set_of(kFeatures)};
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
      const FileContent made = compare(file, body, can);
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

}  // namespace
}  // namespace hepcheck::rntuple::suite
