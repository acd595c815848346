// Every value of a right reply matters: see engine/testing/changes.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "conformance/suite/engine/testing/changes.h"
#include "conformance/suite/hdf5/contents.h"
#include "validator/wildcard.h"

namespace hepcheck::hdf5::suite {
namespace {

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

Json objects_of(const Contents& contents) {
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
  const Capabilities can{.datatypes = set_of(kDatatypes), .features = set_of(kFeatures)};
  std::vector<Case> cases;
  for (const conformance::Fixture* fixture : valid_files("hdf5-file-format-4.0")) {
    const std::vector<Contents> contents = contents_of(fixture->file);
    if (contents.size() != 1 || contents.front().empty()) continue;
    // The order of VAX floats is not compared.
    if (fits(fixture->file, "*/h5-datatype-float-*--vax*") ||
        fits(fixture->file, "*/h5-datatype-float-any-format--many*"))
      continue;
    Json reply{{"objects", objects_of(contents.front())}};
    const auto noticed = judged([contents, &can](const Json& body) {
      const FileContent made = compare(body, contents, can);
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

}  // namespace
}  // namespace hepcheck::hdf5::suite
