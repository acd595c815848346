#include "conformance/suite/engine/reply.h"

#include <algorithm>
#include <charconv>
#include <format>

#include "conformance/suite/engine/text.h"

namespace hepcheck::suite {

namespace {

// Maximum nesting, and members of one object. A reply beyond the needs of any datatype or table
// attacks the stack or the time of the suite: members are looked up linearly.
constexpr std::size_t kDeepest = 200, kMostMembers = 1000;

// The reason why a line is not parsed; empty if it is.
std::string_view excessive(std::string_view line) {
  bool quoted = false;
  std::vector<std::size_t> members;  // of each open bracket
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

}  // namespace

bool has(const Json& object, const char* name) {
  return object.is_object() && object.contains(name) && !object.at(name).is_null();
}

const Json& member(const Json& object, const char* name) {
  if (!object.is_object() || !object.contains(name)) throw Malformed{std::format("no {}", name)};
  return object.at(name);
}

std::string text(const Json& object, const char* name) {
  const Json& value = member(object, name);
  if (!value.is_string()) throw Malformed{std::format("{} is not a string", name)};
  return value.get<std::string>();
}

const Json& list(const Json& object, const char* name) {
  const Json& value = member(object, name);
  if (!value.is_array()) throw Malformed{std::format("{} is not an array", name)};
  return value;
}

std::vector<std::string> texts(const Json& object, const char* name) {
  std::vector<std::string> made;
  for (const Json& each : list(object, name)) {
    if (!each.is_string()) throw Malformed{std::format("{} holds what is not a string", name)};
    made.push_back(each.get<std::string>());
  }
  return made;
}

std::uint64_t decimal(const std::string& digits, const char* name) {
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [at, trouble] = std::from_chars(digits.data(), end, number);
  if (trouble != std::errc() || at != end || (digits.size() > 1 && digits[0] == '0'))
    throw Malformed{std::format("{}: \"{}\" is not a decimal string", name, brief(digits, 40))};
  return number;
}

namespace {

std::set<std::string> words(const Json& capabilities, const char* name,
                            std::span<const std::string_view> known, Hello& hello) {
  if (!has(capabilities, name)) return {};
  std::set<std::string> made;
  for (std::string& word : texts(capabilities, name)) {
    if (!std::ranges::contains(known, word))
      hello.unknown.push_back(std::format("{}: {}", name, brief(word, 40)));
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

Reply parse_error(const Json& error) {
  Reply reply;
  reply.error_kind = text(error, "kind");
  reply.message = text(error, "message");
  static constexpr std::string_view kKinds[] = {"refused", "unsupported", "failed"};
  if (!std::ranges::contains(kKinds, reply.error_kind))
    throw Malformed{std::format("kind is \"{}\"", brief(reply.error_kind, 40))};
  reply.kind = reply.error_kind == "refused" ? Reply::Kind::kRefused : Reply::Kind::kError;
  return reply;
}

// The paths of a reply's diagnostics.
std::vector<std::string> diagnosed(const Json& reply) {
  std::vector<std::string> paths;
  if (has(reply, "diagnostics"))
    for (const Json& each : list(reply, "diagnostics")) paths.push_back(text(each, "path"));
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
  Json json = Json::parse(line, nullptr, false);
  if (json.is_discarded()) return nonsense("the reply is not JSON", line);
  if (!json.is_object()) return nonsense("the reply is not a JSON object", line);
  try {
    if (member(json, "id") != Json(id))
      throw Malformed{std::format("the id is not the request's, {}", id)};
    if (json.contains("ok") == json.contains("error"))
      throw Malformed{"it needs either ok or error"};
    Reply reply;
    if (json.contains("error"))
      reply = parse_error(member(json, "error"));
    else
      reply.body = std::move(json.at("ok"));
    if (reply.ok() && !reply.body.is_object()) throw Malformed{"ok is not a JSON object"};
    reply.diagnosed = diagnosed(json);
    return reply;
  } catch (const Malformed& malformed) {
    return nonsense(malformed.why, line);
  }
}

Parsed<Hello> parse_hello(const Json& body, const Vocabulary& vocabulary) {
  return caught("hello", [&] {
    if (member(body, "protocol") != Json(kProtocol))
      throw Malformed{std::format("it uses another protocol than {}", kProtocol)};
    Hello hello;
    hello.name = text(body, "name");
    const Json& can = member(body, "capabilities");
    member(can, "operations");
    hello.can.operations = words(can, "operations", vocabulary.operations, hello);
    hello.can.datatypes = words(can, "datatypes", vocabulary.datatypes, hello);
    hello.can.indexes = words(can, "indexes", vocabulary.indexes, hello);
    hello.can.modes = words(can, "modes", vocabulary.modes, hello);
    hello.can.features = words(can, "features", vocabulary.features, hello);
    if (has(can, "version")) hello.can.major = major_of(text(can, "version"));
    return hello;
  });
}

void require(bool right, const char* what) {
  if (!right) throw Malformed{what};
}

bool is_name(const Json& value) {
  return value.is_string() ||
         (value.is_object() && has(value, "bytes") && value.at("bytes").is_string() &&
          from_base64(value.at("bytes").get<std::string>()));
}

std::string name_of(const Json& name) {
  return name.is_string() ? name.get<std::string>() : name.dump();
}

std::string path_text(const Json& path) {
  std::string text;
  for (const Json& name : path) text += "/" + name_of(name);
  return text.empty() ? "/" : text;
}

std::string key_of(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace hepcheck::suite
