#include "conformance/suite/engine/testing/changes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <format>
#include <map>
#include <random>
#include <utility>

#include "conformance/suite/engine/difference.h"
#include "validator/wildcard.h"

namespace hepcheck::suite {

namespace {

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

}  // namespace

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
  for (const conformance::Fixture& each : conformance::corpus_of(*find_specification(spec)))
    if (each.valid && !each.asserted) made.push_back(&each);
  return made;
}

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

}  // namespace hepcheck::suite
