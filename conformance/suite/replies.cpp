#include "conformance/suite/replies.h"

#include <algorithm>
#include <charconv>
#include <format>
#include <span>

#include "conformance/suite/protocol.h"

namespace hepcheck::hep001::suite {

namespace {

// ----------------------------------------------------------------------------- lines

// Brackets within brackets, and members of one object. Whoever has more than any datatype or table
// needs wants our stack or our time: members are looked up one after the other.
constexpr std::size_t kDeepest = 200, kMostMembers = 1000;

// Why a line is not even to be parsed; empty if it is.
std::string_view excessive(std::string_view line) {
  bool quoted = false;
  std::vector<std::size_t> members;  // of each bracket that is open
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      members.push_back(0);
      if (members.size() > kDeepest) return "the reply is nested too deeply";
    } else if (!members.empty() && (c == ']' || c == '}')) {
      members.pop_back();
    } else if (!members.empty() && c == ':' && ++members.back() > kMostMembers) {
      return "the reply has an object of too many members";
    }
  }
  return {};
}

Reply nonsense(std::string_view why, const std::string& line) {
  return {.kind = Reply::Kind::kNonsense,
          .message = std::format("{}; it {}: {}", why, line.size() > 200 ? "begins with" : "is",
                                 line.substr(0, 200))};
}

// ---------------------------------------------------------------------------- members

// Typed access; what is amiss ends up in one sentence.
struct Malformed {
  std::string why;
};

bool has(const Json& object, Key key) {
  return object.is_object() && object.contains(key.name()) && !object.at(key.name()).is_null();
}

const Json& member(const Json& object, Key key) {
  if (!object.is_object() || !object.contains(key.name()))
    throw Malformed{std::format("no {}", key.name())};
  return object.at(key.name());
}

std::string text(const Json& object, Key key) {
  const Json& value = member(object, key);
  if (!value.is_string()) throw Malformed{std::format("{} is not a string", key.name())};
  return value.get<std::string>();
}

std::optional<std::string> optional_text(const Json& object, Key key) {
  if (!has(object, key)) return std::nullopt;
  return text(object, key);
}

const Json& list(const Json& object, Key key) {
  const Json& value = member(object, key);
  if (!value.is_array()) throw Malformed{std::format("{} is not an array", key.name())};
  return value;
}

std::vector<std::string> texts(const Json& object, Key key) {
  std::vector<std::string> made;
  for (const Json& each : list(object, key)) {
    if (!each.is_string())
      throw Malformed{std::format("{} holds what is not a string", key.name())};
    made.push_back(each.get<std::string>());
  }
  return made;
}

// A number as the protocol writes it: digits, no sign, no zeros in front.
std::uint64_t decimal(const std::string& digits, Key key) {
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [at, trouble] = std::from_chars(digits.data(), end, number);
  if (trouble != std::errc() || at != end || (digits.size() > 1 && digits[0] == '0'))
    throw Malformed{std::format("{}: \"{}\" is no decimal string", key.name(), brief(digits, 40))};
  return number;
}

// ------------------------------------------------------------------------------ hello

std::set<std::string> words(const Json& capabilities, Key key,
                            std::span<const std::string_view> known, Hello& hello) {
  if (!has(capabilities, key)) return {};
  std::set<std::string> made;
  for (std::string& word : texts(capabilities, key)) {
    if (!std::ranges::contains(known, word))
      hello.unknown.push_back(std::format("{}: {}", key.name(), brief(word, 40)));
    made.insert(std::move(word));
  }
  return made;
}

// "1.0"
unsigned major_of(const std::string& version) {
  const std::size_t dot = version.find('.');
  const auto digits = [](std::string_view part) {
    return !part.empty() && part.size() < 9 &&
           part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (dot == std::string::npos || !digits(std::string_view(version).substr(0, dot)) ||
      !digits(std::string_view(version).substr(dot + 1)))
    throw Malformed{std::format("version is \"{}\", not like \"1.0\"", brief(version, 40))};
  return static_cast<unsigned>(std::stoul(version.substr(0, dot)));
}

// -------------------------------------------------------------------------- describe

// What the rest of the suite relies on in a datatype.
void require_type(const Json& type) {
  text(type, "type.class");
  if (type.at("class") == "string") member(type, "type.size");
  if (type.contains("base")) require_type(type.at("base"));
  if (type.contains("fields"))
    for (const Json& field : list(type, "type.fields")) {
      if (!field.is_array() || field.size() != 2) throw Malformed{"a field is not [name, type]"};
      require_type(field.at(1));
    }
}

CategoriesContent parse_categories(const Json& json) {
  const Json& labels = list(json, "categories.labels");
  const Json& ordered = member(json, "categories.ordered");
  if (!ordered.is_boolean()) throw Malformed{"ordered is not true or false"};
  require_type(member(json, "categories.type"));
  return {.type = member(json, "categories.type"),
          .labels = {labels.begin(), labels.end()},
          .ordered = ordered.get<bool>()};
}

// Members are filled one by one: what is thrown while an aggregate is made may be freed twice
// (g++).
ColumnContent parse_column(const Json& json) {
  ColumnContent column;
  column.name = text(json, "column.name");
  column.type = member(json, "column.type");
  require_type(column.type);
  column.units = optional_text(json, "column.units");
  column.units_vocabulary = optional_text(json, "column.units_vocabulary");
  column.description = optional_text(json, "column.description");
  if (has(json, "column.categories"))
    column.categories = parse_categories(member(json, "column.categories"));
  if (has(json, "column.boolean")) {
    const Json& boolean = member(json, "column.boolean");
    if (!boolean.is_boolean()) throw Malformed{"boolean is not true or false"};
    column.boolean = boolean.get<bool>();
  }
  return column;
}

template <class Range, class Name>
void require_distinct(const Range& range, Name name, std::string_view what) {
  std::set<std::string> seen;
  for (const auto& each : range)
    if (!seen.insert(std::invoke(name, each)).second)
      throw Malformed{std::format("{} {} twice", what, brief(std::invoke(name, each), 100))};
}

TableContent parse_table(const Json& json) {
  TableContent table;
  table.path = text(json, "table.path");
  table.version = text(json, "table.version");
  table.rows = decimal(text(json, "table.rows"), "table.rows");
  table.title = optional_text(json, "table.title");
  table.description = optional_text(json, "table.description");
  for (const Json& column : list(json, "table.columns"))
    table.columns.push_back(parse_column(column));
  require_distinct(table.columns, &ColumnContent::name, table.path + " lists the column");
  if (has(json, "table.row_labels")) table.row_labels = texts(json, "table.row_labels");
  return table;
}

// Calls `parse`; what it finds malformed becomes the error, after the operation's name.
template <class Parse>
auto caught(std::string_view operation, Parse parse) -> Parsed<decltype(parse())> {
  try {
    if constexpr (std::is_void_v<decltype(parse())>) {
      parse();
      return {};
    } else {
      return parse();
    }
  } catch (const Malformed& malformed) {
    return std::unexpected(std::format("{}: {}", operation, malformed.why));
  }
}

Reply parse_error(const Json& error) {
  Reply reply;
  reply.error_kind = text(error, "error.kind");
  reply.message = text(error, "error.message");
  static constexpr std::string_view kKinds[] = {"refused", "unsupported", "failed"};
  if (!std::ranges::contains(kKinds, reply.error_kind))
    throw Malformed{std::format("kind is \"{}\"", brief(reply.error_kind, 40))};
  reply.kind = reply.error_kind == "refused" ? Reply::Kind::kRefused : Reply::Kind::kError;
  return reply;
}

// The paths of a reply's diagnostics.
std::vector<std::string> diagnosed(const Json& reply) {
  std::vector<std::string> paths;
  if (has(reply, "reply.diagnostics"))
    for (const Json& each : list(reply, "reply.diagnostics"))
      paths.push_back(text(each, "diagnostic.path"));
  return paths;
}

}  // namespace

std::string Reply::text() const {
  const std::string said = brief(message, 500);
  switch (kind) {
    case Kind::kOk: return "ok";
    case Kind::kRefused: return "refused: " + said;
    case Kind::kError: return std::format("error ({}): {}", error_kind, said);
    case Kind::kCrash: return "crashed: " + said;
    case Kind::kTimeout: return "timed out: " + said;
    case Kind::kTooMuch: return "takes too much: " + said;
    case Kind::kNonsense: return "nonsense: " + said;
    case Kind::kNotAsked: return "not asked: " + said;
  }
  return {};
}

Reply parse_reply(const std::string& line, std::uint64_t id) {
  if (const std::string_view why = excessive(line); !why.empty()) return nonsense(why, line);
  const Json json = Json::parse(line, nullptr, false);
  if (json.is_discarded()) return nonsense("the reply is not JSON", line);
  if (!json.is_object()) return nonsense("the reply is not a JSON object", line);
  try {
    if (member(json, "reply.id") != Json(id))
      throw Malformed{std::format("the id is not the request's, {}", id)};
    if (json.contains("ok") == json.contains("error"))
      throw Malformed{"it needs either ok or error"};
    Reply reply;
    if (json.contains("error"))
      reply = parse_error(member(json, "reply.error"));
    else
      reply.body = member(json, "reply.ok");
    if (reply.ok() && !reply.body.is_object()) throw Malformed{"ok is not a JSON object"};
    reply.diagnosed = diagnosed(json);
    return reply;
  } catch (const Malformed& malformed) {
    return nonsense(malformed.why, line);
  }
}

Parsed<Hello> parse_hello(const Json& body) {
  return caught("hello", [&] {
    if (member(body, "ok.protocol") != Json(kProtocol))
      throw Malformed{std::format("it speaks another protocol than {}", kProtocol)};
    Hello hello;
    hello.name = text(body, "ok.name");
    const Json& can = member(body, "ok.capabilities");
    member(can, "capabilities.operations");
    hello.can.operations = words(can, "capabilities.operations", kOperations, hello);
    hello.can.datatypes = words(can, "capabilities.datatypes", kDatatypes, hello);
    hello.can.indexes = words(can, "capabilities.indexes", kIndexes, hello);
    hello.can.modes = words(can, "capabilities.modes", kModes, hello);
    hello.can.features = words(can, "capabilities.features", kFeatures, hello);
    if (has(can, "capabilities.version"))
      hello.can.major = major_of(text(can, "capabilities.version"));
    return hello;
  });
}

Parsed<Description> parse_description(const Json& body) {
  return caught("describe", [&] {
    Description made;
    for (const Json& table : list(body, "ok.tables")) made.tables.push_back(parse_table(table));
    require_distinct(made.tables, &TableContent::path, "it lists the table");
    if (has(body, "ok.refused"))
      for (const Json& each : list(body, "ok.refused"))
        made.refused.insert(text(each, "refusal.path"));
    return made;
  });
}

Parsed<void> parse_values(const Json& body, TableContent& into) {
  return caught("read", [&] {
    std::set<std::string> seen;
    for (const Json& json : list(body, "ok.columns")) {
      const std::string name = text(json, "values_of.name");
      const auto at = std::ranges::find(into.columns, name, &ColumnContent::name);
      if (at == into.columns.end())
        throw Malformed{"a column that describe does not list: " + brief(name, 100)};
      if (!seen.insert(name).second) throw Malformed{"twice the column " + brief(name, 100)};
      if (has(json, "values_of.unreadable")) {
        at->unreadable = text(json, "values_of.unreadable");
        continue;
      }
      at->unreadable.clear();
      at->values = list(json, "values_of.values").get<std::vector<Json>>();
      if (has(json, "values_of.labels"))
        at->labels = list(json, "values_of.labels").get<std::vector<Json>>();
    }
  });
}

Parsed<Answer> parse_answer(const Json& body) {
  return caught("query", [&] {
    Answer made;
    for (const std::string& digits : texts(body, "ok.rows")) {
      const std::uint64_t row = decimal(digits, "ok.rows");
      if (!made.rows.empty() && row <= made.rows.back())
        throw Malformed{
            std::format("rows are not in increasing order: {} after {}", row, made.rows.back())};
      made.rows.push_back(row);
    }
    if (has(body, "ok.used"))
      for (std::string& kind : texts(body, "ok.used")) made.used.insert(std::move(kind));
    return made;
  });
}

}  // namespace hepcheck::hep001::suite
