#include "conformance/suite/rntuple/contents.h"

#include <algorithm>
#include <format>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace hepcheck::rntuple::suite {

namespace {

const Json& document() {
  static const Json parsed = corpus_document("rntuple/contents.json");
  return parsed;
}

// --- The form of a reply ------------------------------------------------------------------------

// Nothing nests deeper in the corpus; fields below are not looked at.
constexpr int kDeepest = 200;

void check_field(const Json& field, int depth) {
  require(is_name(member(field, "name")), "fields: not a name");
  if (has(field, "type")) (void)text(field, "type");
  if (depth == kDeepest) throw Malformed{"fields: nested too deeply"};
  if (has(field, "fields"))
    for (const Json& each : list(field, "fields")) check_field(each, depth + 1);
}

void check_ntuple(const Json& ntuple) {
  for (const Json& name : list(ntuple, "path")) require(is_name(name), "path: not a list of names");
  if (has(ntuple, "refused")) {
    (void)text(ntuple, "refused");
    return;
  }
  (void)decimal(text(ntuple, "entries"), "entries");
  for (const Json& field : list(ntuple, "fields")) {
    check_field(field, 0);
    if (has(field, "refused"))
      (void)text(field, "refused");
    else
      (void)list(field, "values");
  }
}

// --- Comparison with one description ------------------------------------------------------------

void add_kinds(const Json& field, std::set<std::string>& into) {
  into.insert(text(field, "kind"));
  for (const Json& each : list(field, "fields")) add_kinds(each, into);
}

std::string without_spaces(std::string type) {
  std::erase(type, ' ');
  return type;
}

class Comparison {
 public:
  Comparison(const Json& contents, const Capabilities& can) : contents_(contents), can_(can) {}

  FileContent compare(const Json& ntuples) {
    std::set<std::string> paths;
    for (const Json& got : ntuples) {
      const std::string where = path_text(got.at("path"));
      if (!paths.insert(key_of(got.at("path"))).second)
        wrong(where, "listed twice", "each RNTuple once");
      const auto at = std::ranges::find_if(
          contents_, [&](const Json& each) { return each.at("path") == got.at("path"); });
      if (at == contents_.end())
        wrong(where, "an RNTuple", "nothing");
      else if (has(got, "refused"))
        note(made_.refused, where, got);
      else
        ntuple(*at, got, where);
    }
    for (const Json& each : contents_)
      if (!paths.contains(key_of(each.at("path"))))
        wrong(path_text(each.at("path")), "nothing", "an RNTuple");
    return made_;
  }

 private:
  void wrong(std::string where, std::string observed, std::string expected) {
    if (!made_.wrong) made_.wrong = {std::move(where), std::move(observed), std::move(expected)};
  }

  static void note(std::string& into, const std::string& where, const Json& got) {
    if (into.empty()) into = std::format("{}: {}", where, text(got, "refused"));
  }

  void ntuple(const Json& expected, const Json& got, const std::string& where) {
    if (expected.at("entries") != got.at("entries"))
      wrong(where + " entries", shown(got.at("entries")), shown(expected.at("entries")));
    // Fields that may be missing.
    const auto optional = [&](const Json& field) {
      return field.contains("ignored") || (field.contains("projected") && !can_.has("projected"));
    };
    auto next = expected.at("fields").begin();
    const auto end = expected.at("fields").end();
    for (const Json& field : got.at("fields")) {
      while (next != end && next->at("name") != field.at("name") && optional(*next)) ++next;
      const std::string place = where + " field " + name_of(field.at("name"));
      if (next == end) {
        wrong(place, "a field", "no further field");
        return;
      }
      top(*next++, field, place);
    }
    for (; next != end; ++next)
      if (!optional(*next))
        wrong(where + " field " + name_of(next->at("name")), "nothing", "a field");
  }

  void top(const Json& expected, const Json& got, const std::string& where) {
    description(expected, got, where);
    if (has(got, "refused")) {
      std::set<std::string> kinds;
      add_kinds(expected, kinds);
      const bool readable = expected.contains("values") && !expected.contains("ignored") &&
                            std::ranges::includes(can_.datatypes, kinds);
      note(readable ? made_.refused : made_.excused, where, got);
    } else if (!expected.contains("values")) {
      made_.unjudged = true;
    } else {
      values(expected.at("values"), got.at("values"), where);
    }
  }

  // The name and the type of a field, and those of its subfields.
  void description(const Json& expected, const Json& got, const std::string& where) {
    if (expected.at("name") != got.at("name"))
      wrong(where + " name", shown(got.at("name")), shown(expected.at("name")));
    if (expected.contains("type") && has(got, "type") &&
        without_spaces(text(expected, "type")) != without_spaces(text(got, "type")))
      wrong(where + " type", shown(got.at("type")), shown(expected.at("type")));
    if (!has(got, "fields")) return;
    const Json &should = expected.at("fields"), &is = got.at("fields");
    if (should.size() != is.size())
      return wrong(where + " fields", std::to_string(is.size()), std::to_string(should.size()));
    for (std::size_t i = 0; i < is.size(); ++i)
      description(should[i], is[i], where + "/" + name_of(is[i].at("name")));
  }

  void values(const Json& expected, const Json& got, const std::string& where) {
    if (expected.size() != got.size())
      return wrong(where + " values", std::format("{} values", got.size()),
                   std::format("{} values", expected.size()));
    for (std::size_t i = 0; i < got.size(); ++i)
      if (!same(expected[i], got[i]))
        return wrong(std::format("{} entry {}", where, i), shown(got[i]), shown(expected[i]));
  }

  const Json& contents_;
  const Capabilities& can_;
  FileContent made_{};
};

}  // namespace

FileContent compare(std::string_view file, const Json& body, const Capabilities& can) {
  const Json& ntuples = list(body, "ntuples");
  for (const Json& each : ntuples) check_ntuple(each);
  std::optional<FileContent> best;
  bool unknown = false;
  for (const Json& number : document().at("files").at(std::string(file))) {
    if (number.is_null()) {
      unknown = true;
      continue;
    }
    const Json& contents = document().at("contents").at(number.get<std::size_t>());
    FileContent made = Comparison(contents, can).compare(ntuples);
    if (!made.wrong) return made;
    if (!best) best = std::move(made);
  }
  // What the file has is not known, so that it may be what was read.
  if (unknown || !best) return {.unjudged = true};
  return *best;
}

}  // namespace hepcheck::rntuple::suite
