#include "conformance/suite/session.h"

#include <algorithm>
#include <cstdlib>
#include <format>

namespace hepcheck::hep001::suite {

namespace {

Reply nonsense(std::string why, const std::string& line) {
  if (line.size() > 200)
    why += std::format("; it begins with: {}", line.substr(0, 200));
  else
    why += std::format("; it is: {}", line);
  return {.kind = Reply::Kind::kNonsense, .message = std::move(why)};
}

// Brackets within brackets; whoever nests deeper than any datatype does wants our stack.
constexpr int kDeepest = 200;

bool too_deep(std::string_view line) {
  bool quoted = false;
  int depth = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '\\')
      ++i;
    else if (line[i] == '"')
      quoted = !quoted;
    else if (!quoted && (line[i] == '[' || line[i] == '{') && ++depth > kDeepest)
      return true;
    else if (!quoted && (line[i] == ']' || line[i] == '}'))
      --depth;
  }
  return false;
}

// What a line means as the reply to request `id`.
Reply parse(const std::string& line, std::uint64_t id) {
  if (too_deep(line)) return nonsense("the reply is nested too deeply", line);
  const Json json = Json::parse(line, nullptr, false);
  if (json.is_discarded()) return nonsense("the reply is not JSON", line);
  if (!json.is_object()) return nonsense("the reply is not a JSON object", line);
  if (json.value("id", Json()) != Json(id))
    return nonsense(std::format("the reply does not carry the request's id {}", id), line);
  Reply reply;
  if (const auto list = json.find("diagnostics"); list != json.end() && list->is_array())
    for (const Json& each : *list)
      if (each.is_object() && each.value("path", Json()).is_string())
        reply.diagnosed.push_back(each.at("path").get<std::string>());
  if (json.contains("ok") == json.contains("error"))
    return nonsense("the reply needs either ok or error", line);
  if (json.contains("ok")) {
    reply.body = json.at("ok");
    if (!reply.body.is_object()) return nonsense("ok is not a JSON object", line);
    return reply;
  }
  const Json& error = json.at("error");
  if (!error.is_object() || !error.value("kind", Json()).is_string() ||
      !error.value("message", Json()).is_string())
    return nonsense("error needs kind and message", line);
  reply.error_kind = error.at("kind").get<std::string>();
  reply.message = error.at("message").get<std::string>();
  reply.kind = reply.error_kind == "refused" ? Reply::Kind::kRefused : Reply::Kind::kError;
  return reply;
}

std::set<std::string> strings(const Json& object, const char* key) {
  std::set<std::string> found;
  if (const auto list = object.find(key); list != object.end() && list->is_array())
    for (const Json& each : *list)
      if (each.is_string()) found.insert(each.get<std::string>());
  return found;
}

}  // namespace

std::string Reply::text() const {
  switch (kind) {
    case Kind::kOk: return "ok";
    case Kind::kRefused: return "refused: " + message;
    case Kind::kError: return std::format("error ({}): {}", error_kind, message);
    case Kind::kCrash: return "crashed: " + message;
    case Kind::kTimeout: return "timed out: " + message;
    case Kind::kNonsense: return "nonsense: " + message;
    case Kind::kNotAsked: return "not asked: " + message;
  }
  return {};
}

Reply Session::exchange(Json request, std::chrono::milliseconds patience) {
  const std::uint64_t id = ++requests_;
  Json numbered{{"id", id}};
  numbered.update(std::move(request));
  const std::string line = numbered.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (options_.transcript) options_.transcript("request", line);
  const Exchange exchange = program_.exchange(line, patience);
  Reply reply{.message = exchange.why};
  switch (exchange.ending) {
    case Ending::kAnswered:
      if (options_.transcript) options_.transcript("reply", exchange.line);
      reply = parse(exchange.line, id);
      // Whoever babbles once may be out of step for good: begin anew.
      if (reply.kind == Reply::Kind::kNonsense) program_.stop(std::chrono::milliseconds(0));
      break;
    case Ending::kStartFailed:
    case Ending::kCrashed: reply.kind = Reply::Kind::kCrash; break;
    case Ending::kTimedOut:
      reply.kind = Reply::Kind::kTimeout;
      ++timeouts_;
      break;
    case Ending::kTooLong: reply.kind = Reply::Kind::kNonsense; break;
  }
  numbered["id"] = 1;  // as somebody would send it alone
  reply.request = numbered.dump(-1, ' ', false, Json::error_handler_t::replace);
  return reply;
}

// A process that has just begun loads its libraries first.
Reply Session::greet() {
  return exchange({{"op", "hello"}, {"protocol", kProtocol}},
                  std::max(options_.patience, options_.to_start));
}

Reply Session::hello() {
  Reply reply = greet();
  if (!reply.ok()) return reply;
  if (reply.body.value("protocol", Json()) != Json(kProtocol))
    return {.kind = Reply::Kind::kNonsense,
            .message = std::format("it speaks another protocol than {}", kProtocol)};
  about_ = reply.body;
  name_ = about_.value("name", Json()).is_string() ? about_.at("name").get<std::string>() : "?";
  const Json capabilities = about_.value("capabilities", Json::object());
  can_.operations = strings(capabilities, "operations");
  can_.datatypes = strings(capabilities, "datatypes");
  can_.indexes = strings(capabilities, "indexes");
  can_.modes = strings(capabilities, "modes");
  can_.features = strings(capabilities, "features");
  if (const auto version = capabilities.find("version");
      version != capabilities.end() && version->is_string())
    can_.major = static_cast<unsigned>(std::atoi(version->get_ref<const std::string&>().c_str()));
  return reply;
}

Reply Session::call(Json request) {
  if (timeouts_ >= options_.most_timeouts)
    return {.kind = Reply::Kind::kNotAsked,
            .message = std::format("after {} time-outs", timeouts_)};
  if (!program_.running()) {
    // A process of its own has to be greeted again.
    if (const Reply again = greet(); !again.ok()) return again;
  }
  return exchange(std::move(request), options_.patience);
}

}  // namespace hepcheck::hep001::suite
