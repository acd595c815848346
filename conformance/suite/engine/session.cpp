#include "conformance/suite/engine/session.h"

#include <algorithm>
#include <format>
#include <utility>

#include "conformance/suite/engine/text.h"

namespace hepcheck::suite {

// The length of a hello that reports repeat, in characters.
constexpr std::size_t kLongestHello = 10'000;

namespace {

// A request without characters that terminals interpret.
std::string plain(const Json& request) {
  std::string text = request.dump(-1, ' ', true, Json::error_handler_t::replace);
  for (std::size_t at; (at = text.find('\x7f')) != std::string::npos;)
    text.replace(at, 1, "\\u007f");
  return text;
}

}  // namespace

Reply Session::exchange(Json request, std::chrono::milliseconds patience) {
  const std::uint64_t id = ++requests_;
  Json numbered{{"id", id}};
  numbered.update(std::move(request));
  const std::string line = numbered.dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto record = [&](std::string_view what, std::string_view said) {
    if (options_.transcript) options_.transcript(what, said);
  };
  record("request", line);
  Exchange exchange = program_->exchange(line, patience);
  Reply reply{.message = std::move(exchange.why)};
  switch (exchange.ending) {
    case Ending::kAnswered:
      reply = parse_reply(exchange.line, id);
      if (reply.answered()) {
        record("reply", exchange.line);
      } else {
        record("nonsense",
               Json(exchange.line).dump(-1, ' ', false, Json::error_handler_t::replace));
        // A program that sent an unsolicited line may stay out of step: restart it.
        program_->stop(std::chrono::milliseconds(0));
      }
      break;
    case Ending::kStartFailed:
      started_ = false;
      reply.kind = Reply::Kind::kCrash;
      break;
    case Ending::kCrashed: reply.kind = Reply::Kind::kCrash; break;
    case Ending::kTimedOut:
    case Ending::kTooMuch:
      reply.kind =
          exchange.ending == Ending::kTimedOut ? Reply::Kind::kTimeout : Reply::Kind::kTooMuch;
      ++ends_;
      break;
    case Ending::kBabbled: reply.kind = Reply::Kind::kNonsense; break;
  }
  numbered["id"] = 1;  // as anyone would send it separately
  reply.request = plain(numbered);
  return reply;
}

// A new process loads its libraries first.
Reply Session::greet() {
  return exchange({{"op", "hello"}, {"protocol", kProtocol}, {"spec", options_.spec}},
                  std::max(options_.patience, options_.to_start));
}

Reply Session::hello() {
  Reply reply = greet();
  if (!reply.ok()) return reply;
  Parsed<Hello> hello = parse_hello(reply.body, options_.words);
  if (!hello)
    return {.kind = Reply::Kind::kNonsense, .message = hello.error(), .request = reply.request};
  name_ = brief(hello->name, 200);
  about_ = reply.body;
  about_["name"] = name_;
  if (about_.dump(-1, ' ', false, Json::error_handler_t::replace).size() > kLongestHello)
    about_ = {{"name", name_}};
  can_ = std::move(hello->can);
  unknown_ = std::move(hello->unknown);
  return reply;
}

Reply Session::call(Json request) {
  if (ends_ >= options_.most_ends) {
    given_up_ = std::format("it receives no further requests: it had to be ended {} times", ends_);
    return {.kind = Reply::Kind::kNotAsked, .message = given_up_};
  }
  if (!program_->running()) {
    // A new process needs a hello first.
    if (const Reply again = greet(); !again.ok()) return again;
  }
  const std::string operation = request.at("op").get<std::string>();
  Reply reply = exchange(std::move(request), options_.patience);
  Use& use = uses_[operation];
  ++use.asked;
  if (reply.unsupported() && use.unsupported++ == 0) {
    use.request = reply.request;
    use.message = reply.text();
  }
  return reply;
}

std::vector<std::string> notes_on(const Session& session) {
  std::vector<std::string> notes;
  for (const std::string& word : session.unknown())
    if (notes.size() < 20) notes.push_back(std::format("hello contains unknown words: {}", word));
  if (!session.given_up().empty()) notes.push_back(session.given_up());
  for (const auto& [operation, use] : session.uses())
    if (use.unsupported > 0)
      notes.push_back(std::format("{} of {} requests to {} were answered by unsupported, first: {}",
                                  use.unsupported, use.asked, operation, use.message));
  return notes;
}

std::vector<std::string> scope_of(const Capabilities& can, const Vocabulary& words) {
  std::vector<std::string> scope;
  if (std::ranges::any_of(words.datatypes, [&](std::string_view each) {
        return !can.datatypes.contains(std::string(each));
      })) {
    for (std::string datatype : can.datatypes) {
      std::ranges::replace(datatype, '-', ' ');
      scope.push_back(std::move(datatype));
    }
    if (scope.empty()) scope.emplace_back("no datatype");
  }
  const bool both = std::ranges::contains(words.features, "stream") &&
                    std::ranges::contains(words.features, "file");
  if (both && can.has("stream") != can.has("file"))
    scope.emplace_back(can.has("stream") ? "streams only" : "files only");
  return scope;
}

std::vector<BrokenPromise> broken_promises(const Session& session) {
  std::vector<BrokenPromise> broken;
  for (const auto& [operation, use] : session.uses())
    if (session.can().does(operation) && use.unsupported >= use.asked)
      broken.push_back(
          {.observed = std::format("declares {}, and answers each of {} requests by unsupported",
                                   operation, use.asked),
           .expected = "what it declares",
           .request = use.request});
  return broken;
}

}  // namespace hepcheck::suite
