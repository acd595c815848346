#include "conformance/suite/hdf5/contents.h"

#include <algorithm>
#include <format>
#include <map>
#include <set>
#include <unordered_map>

namespace hepcheck::hdf5::suite {

namespace {

const Json& document() {
  static const Json parsed = corpus_document("hdf5/contents.json");
  return parsed;
}

Json parent_of(Json path) {
  if (!path.empty()) path.erase(path.size() - 1);
  return path;
}

// What a program must declare to read values of a datatype.
void add_classes(const Json& type, std::set<std::string>& into) {
  const std::string name = text(type, "class");
  const bool other = has(type, "precision") && (name == "integer" || name == "float");
  const bool variable = name == "string" && type.value("size", Json()).is_string();
  into.insert(other ? "other-" + name : variable ? "vlen-string" : name);
  if (has(type, "base") && name != "enum") add_classes(type.at("base"), into);
  if (has(type, "fields"))
    for (const Json& field : type.at("fields")) add_classes(field.at(1), into);
}

bool declared(const Json& entry, const Capabilities& can) {
  if (!has(entry, "type")) return true;
  std::set<std::string> classes;
  add_classes(entry.at("type"), classes);
  return std::ranges::includes(can.datatypes, classes);
}

// --- The form of a reply ------------------------------------------------------------------------

// The members of datasets and attributes. A program leaves out what it cannot tell.
void check_values(const Json& entry) {
  if (has(entry, "type")) (void)text(entry.at("type"), "class");
  if (has(entry, "shape"))
    for (const std::string& size : texts(entry, "shape")) (void)decimal(size, "shape");
  if (has(entry, "values")) (void)list(entry, "values");
}

void check_form(const Json& object) {
  for (const Json& name : list(object, "path")) require(is_name(name), "path: not a list of names");
  const std::string kind = text(object, "kind");
  const bool whole = !has(object, "refused");
  if (!whole) (void)text(object, "refused");
  require(kind == "group" || kind == "dataset" || kind == "type" || (kind == "unknown" && !whole),
          "kind: not a known one");
  if (kind == "group" && whole) require(has(object, "links"), "a group without links");
  if (has(object, "links"))
    for (const Json& name : list(object, "links"))
      require(is_name(name), "links: not a list of names");
  check_values(object);
  if (has(object, "attributes"))
    for (const Json& attribute : list(object, "attributes")) {
      require(is_name(member(attribute, "name")), "attributes: not a name");
      if (has(attribute, "refused")) (void)text(attribute, "refused");
      check_values(attribute);
    }
}

// --- Datatypes and values -----------------------------------------------------------------------

// A member of a datatype, or what it is without it.
Json member_of(const Json& type, const char* name) {
  if (has(type, name)) return type.at(name);
  if (std::string_view(name) == "precision" && has(type, "size") && type.at("size").is_number())
    return 8 * type.at("size").get<std::uint64_t>();
  return std::string_view(name) == "offset" ? Json(0) : Json();
}

// The order of such floats is neither of those that the protocol has.
bool is_vax(const Json& type) { return type.at("class") == "float" && !has(type, "order"); }

bool same_type(const Json& expected, const Json& got) {
  if (!got.is_object() || !has(got, "class") || got.at("class") != expected.at("class"))
    return false;
  for (const char* name : {"size", "order", "signed", "precision", "offset", "padding", "charset",
                           "tag", "form", "dims"})
    if (has(got, name) && member_of(expected, name) != got.at(name) &&
        !(std::string_view(name) == "order" && is_vax(expected)))
      return false;
  for (const char* name : {"base", "members", "fields"})
    if (has(got, name) && !has(expected, name)) return false;
  if (has(expected, "base") && has(got, "base") && !same_type(expected.at("base"), got.at("base")))
    return false;
  if (has(got, "members") && has(expected, "members")) {
    const auto pairs = [](const Json& list) {
      std::multiset<std::string> made;
      for (const Json& pair : list) made.insert(key_of(pair));
      return made;
    };
    if (pairs(expected.at("members")) != pairs(got.at("members"))) return false;
  }
  if (!has(expected, "fields")) return true;
  if (!has(got, "fields")) return false;
  return std::ranges::equal(expected.at("fields"), got.at("fields"),
                            [](const Json& should, const Json& is) {
                              return is.is_array() && is.size() == 2 && should.at(0) == is.at(0) &&
                                     same_type(should.at(1), is.at(1));
                            });
}

// A value that the file has lost is null, or nothing.
bool same_value(const Json& expected, const Json& got) {
  if (expected.is_object() && expected.contains("damaged")) return got.is_null();
  if (expected.is_array() && got.is_array()) return std::ranges::equal(expected, got, same_value);
  return same(expected, got);
}

// Whether objects of a kind have a member.
bool is_of_kind(std::string_view name, std::string_view kind) {
  if (name == "links") return kind == "group";
  return kind == "dataset" || (kind == "type" && name == "type");
}

// --- A file -------------------------------------------------------------------------------------

class Comparison {
 public:
  Comparison(const std::vector<Contents>& contents, const Capabilities& can)
      : contents_(contents), can_(can), seen_(contents.size()) {}

  Reading compare(const Json& body) {
    const Json& objects = list(body, "objects");
    std::set<std::string> paths;
    for (const Json& each : objects) {
      check_form(each);
      if (!paths.insert(key_of(each.at("path"))).second && !several(each.at("path")))
        wrong(path_text(each.at("path")), "listed twice", "each path once");
      object(each);
    }
    find_missing();
    return std::move(reading_);
  }

 private:
  using Found = std::vector<const Json*>;  // what each description has

  void wrong(std::string where, std::string observed, std::string expected) {
    if (!reading_.wrong)
      reading_.wrong = {std::move(where), std::move(observed), std::move(expected)};
  }

  // Notes a refusal; whether there is one.
  bool refusal(const Json& got, const std::string& where, const Found& found) {
    if (!has(got, "refused")) return false;
    // Values that are not expected may be anywhere, or nowhere.
    const bool excused = std::ranges::any_of(found, [&](const Json* each) {
      return !declared(*each, can_) ||
             (has(got, "type") && (each->contains("name") || each->at("kind") == "dataset") &&
              !has(*each, "values"));
    });
    note(excused ? reading_.excused : reading_.refused, where, got);
    return true;
  }

  static void note(std::string& into, const std::string& where, const Json& got) {
    if (into.empty()) into = std::format("{}: {}", where, got.at("refused").get<std::string>());
  }

  // The object that a path leads to in each description that has it; whether nothing can be said of
  // it in some description.
  std::pair<Found, bool> follow(const Json& path) {
    Found found;
    bool unknown = false;
    for (std::size_t i = 0; i < contents_.size(); ++i) {
      std::size_t at = 0;
      bool there = !contents_[i].empty();
      for (const Json& name : path) {
        const Json& group = *contents_[i].at(at);
        if (group.at("kind") == "group" && !has(group, "links")) unknown = true;
        const Json* link = there ? find_link(group, name) : nullptr;
        there = link && link->at(1).is_number();
        if (!there) break;
        at = link->at(1).get<std::size_t>();
      }
      if (!there) continue;
      found.push_back(contents_[i].at(at));
      seen_[i].insert(at);
    }
    return {found, unknown};
  }

  // Whether several links have this path.
  bool several(const Json& path) {
    if (path.empty()) return false;
    const auto [groups, unknown] = follow(parent_of(path));
    return unknown || std::ranges::any_of(groups, [&](const Json* group) {
             return has(*group, "links") &&
                    std::ranges::count_if(group->at("links"), [&](const Json& link) {
                      return link.at(0) == path.back();
                    }) > 1;
           });
  }

  static const Json* find_link(const Json& group, const Json& name) {
    if (has(group, "links"))
      for (const Json& link : group.at("links"))
        if (link.at(0) == name) return &link;
    return nullptr;
  }

  void object(const Json& got) {
    const std::string where = path_text(got.at("path"));
    const auto [found, unknown] = follow(got.at("path"));
    if (found.empty()) {
      // A link that is not hard may be refused, too.
      if (got.at("kind") == "unknown")
        note(reading_.excused, where, got);
      else if (unknown)
        reading_.unjudged = true;
      else
        wrong(where, "an object", "nothing");
      return;
    }
    if (!can_.has("committed-types") &&
        std::ranges::all_of(found, [](const Json* each) { return each->at("kind") == "type"; }))
      return;
    const bool refused = refusal(got, where, found);
    if (refused && got.at("kind") == "group") group_refused_ = true;
    if (got.at("kind") == "unknown") {
      group_refused_ = true;
      return;
    }
    Found alike;
    for (const Json* each : found)
      if (each->at("kind") == got.at("kind")) alike.push_back(each);
    if (alike.empty())
      return wrong(where, "a " + got.at("kind").get<std::string>(),
                   "a " + found.front()->at("kind").get<std::string>());
    for (const char* name : {"links", "type", "shape", "values"})
      if (has(got, name) && !is_of_kind(name, text(got, "kind")))
        wrong(std::format("{} {}", where, name), shown(got.at(name)), "nothing");
    if (got.at("kind") == "group")
      links(got, where, alike, refused);
    else
      values(got, where, alike);
    if (can_.has("attributes")) attributes(got, where, alike, refused);
  }

  void links(const Json& got, const std::string& where, const Found& found, bool refused) {
    if (!has(got, "links")) return;
    std::multiset<std::string> names;
    for (const Json& name : got.at("links")) names.insert(key_of(name));
    bool first = true;
    std::multiset<std::string> expected;
    for (const Json* each : found) {
      if (!has(*each, "links")) {
        reading_.unjudged = true;
        return;
      }
      std::multiset<std::string> listed;
      for (const Json& link : each->at("links")) listed.insert(key_of(link.at(0)));
      if (listed == names || (refused && std::ranges::includes(listed, names))) return;
      if (std::exchange(first, false)) expected = listed;
    }
    wrong(where + " links", shown(Json(names)), shown(Json(expected)));
  }

  // The type, shape and values of a dataset, a committed datatype or an attribute.
  void values(const Json& got, const std::string& where, const Found& found) {
    const auto member_as = [&](const char* name, auto alike) {
      if (!got.contains(name)) return;
      const Json* expected = nullptr;
      for (const Json* each : found) {
        if (!each->contains(name)) {
          reading_.unjudged = true;
          return;
        }
        if (alike(each->at(name), got.at(name))) return;
        if (!expected) expected = &each->at(name);
      }
      first_difference(std::format("{} {}", where, name), *expected, got.at(name));
    };
    member_as("type", same_type);
    member_as("shape", [](const Json& a, const Json& b) { return a == b; });
    if (has(got, "refused")) {
      if (has(got, "values")) member_as("values", same_value);
      return;
    }
    if (!has(got, "values")) {
      // Values that are not requested are left out.
      if (std::ranges::all_of(found, [](const Json* each) { return has(*each, "values"); }))
        wrong(where + " values", "nothing", shown(found.front()->at("values")));
      else if (std::ranges::any_of(found, [](const Json* each) { return has(*each, "shape"); }))
        reading_.unjudged = true;
      return;
    }
    member_as("values", same_value);
  }

  void first_difference(std::string where, const Json& expected, const Json& got) {
    if (expected.is_array() && got.is_array() && expected.size() == got.size())
      for (std::size_t i = 0; i < expected.size(); ++i)
        if (!same_value(expected[i], got[i]))
          return wrong(std::format("{} {}", where, i), shown(got[i]), shown(expected[i]));
    wrong(std::move(where), shown(got), shown(expected));
  }

  void attributes(const Json& got, const std::string& where, const Found& found, bool refused) {
    if (std::ranges::any_of(found, [](const Json* each) { return !has(*each, "attributes"); })) {
      reading_.unjudged = true;
      return;
    }
    if (!has(got, "attributes")) {
      if (!refused) wrong(where, "no list of attributes", "its attributes");
      return;
    }
    std::multiset<std::string> names;
    for (const Json& attribute : got.at("attributes")) {
      const Json& name = attribute.at("name");
      const std::string place = std::format("{} attribute {}", where, name_of(name));
      Found alike;
      std::size_t most = 0;
      for (const Json* each : found) {
        std::size_t here = 0;
        for (const Json& one : each->at("attributes"))
          if (one.at("name") == name) {
            alike.push_back(&one);
            ++here;
          }
        most = std::max(most, here);
      }
      names.insert(name_of(name));
      if (names.count(name_of(name)) > most) {
        wrong(place, most ? "listed more often than it is there" : "an attribute",
              most ? std::format("{} of this name", most) : "nothing");
        continue;
      }
      (void)refusal(attribute, place, alike);
      values(attribute, place, alike);
    }
    if (refused) return;
    std::string missing;
    for (const Json* each : found) {
      missing.clear();
      for (const Json& one : each->at("attributes"))
        if (!names.contains(name_of(one.at("name")))) missing = name_of(one.at("name"));
      if (missing.empty()) return;
    }
    if (!missing.empty()) wrong(where, "no attribute " + missing, "the attribute");
  }

  // Objects that no path of the reply leads to. Below what is refused, nothing is missing.
  void find_missing() {
    if (group_refused_) return;
    std::string missing;
    for (std::size_t i = 0; i < contents_.size(); ++i) {
      missing.clear();
      for (std::size_t at = 0; at < contents_[i].size(); ++at)
        if (!seen_[i].contains(at) &&
            (contents_[i][at]->at("kind") != "type" || can_.has("committed-types")))
          missing = std::format("{} {}", contents_[i][at]->at("kind").get<std::string>(),
                                path_to(contents_[i], at));
      if (missing.empty()) return;
    }
    if (!missing.empty()) wrong(missing, "nothing", "the object");
  }

  // A path of an object, by the first links that lead to it.
  static std::string path_to(const Contents& contents, std::size_t wanted) {
    std::map<std::size_t, std::string> paths{{0, ""}};
    for (std::size_t round = 0; round < contents.size() && !paths.contains(wanted); ++round)
      for (std::size_t at = 0; at < contents.size(); ++at)
        if (paths.contains(at) && has(*contents[at], "links"))
          for (const Json& link : contents[at]->at("links"))
            if (link.at(1).is_number())
              paths.try_emplace(link.at(1).get<std::size_t>(),
                                paths[at] + "/" + name_of(link.at(0)));
    return wanted == 0 ? "/" : paths[wanted];
  }

  const std::vector<Contents>& contents_;
  const Capabilities& can_;
  std::vector<std::set<std::size_t>> seen_;  // the objects of each description
  bool group_refused_ = false;
  Reading reading_{};
};

}  // namespace

std::vector<Contents> contents_of(std::string_view file) {
  std::vector<Contents> made;
  for (const Json& number : document().at("files").at(std::string(file))) {
    Contents& contents = made.emplace_back();
    for (const Json& object : document().at("contents").at(number.get<std::size_t>()))
      contents.push_back(&document().at("objects").at(object.get<std::size_t>()));
  }
  return made;
}

Reading compare(const Json& body, const std::vector<Contents>& contents, const Capabilities& can) {
  return Comparison(contents, can).compare(body);
}

}  // namespace hepcheck::hdf5::suite
