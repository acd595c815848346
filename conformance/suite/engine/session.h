// A conversation with the program under test by a protocol: requests of any operation, after a
// hello.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "conformance/suite/engine/program.h"
#include "conformance/suite/engine/reply.h"

namespace hepcheck::suite {

// How often an operation was requested, and how often the reply was `unsupported`.
struct Use {
  std::uint64_t asked = 0, unsupported = 0;
  std::string request{}, message{};  // of the first that was
};

class Session {
 public:
  struct Options {
    std::chrono::milliseconds patience{10'000};
    std::chrono::milliseconds to_start{30'000};  // for hello, if it is more
    std::string spec{};  // the id of the specification by which it is judged
    Vocabulary words{};  // of the protocol
    int most_ends =
        3;  // number of times that it had to be ended: time-outs, and excessive memory or storage
    // "request" or "reply" and a line of JSON; "nonsense" and malformed output as a JSON string.
    std::function<void(std::string_view what, std::string_view line)> transcript{};
  };
  Session(std::unique_ptr<Partner> program, Options options)
      : program_(std::move(program)), options_(std::move(options)) {}

  // Starts the program and sends hello; the reply states why not.
  Reply hello();
  Reply call(Json request);

  bool started() const { return started_; }  // the program, at least once
  const std::string& name() const { return name_; }
  const Json& about() const { return about_; }  // the body of its hello
  const Capabilities& can() const { return can_; }
  std::uint64_t requests() const { return requests_; }
  const std::map<std::string, Use>& uses() const { return uses_; }
  const std::string& given_up() const { return given_up_; }  // the reason; empty if it is not
  // The words of its hello that the protocol does not define.
  const std::vector<std::string>& unknown() const { return unknown_; }
  // Ends the process after giving it time.
  void finish() { program_->stop(options_.patience); }

 private:
  Reply exchange(Json request, std::chrono::milliseconds patience);
  Reply greet();

  std::unique_ptr<Partner> program_;
  Options options_;
  std::string name_{};
  Json about_{};
  Capabilities can_{};
  std::vector<std::string> unknown_{};
  std::map<std::string, Use> uses_{};
  std::string given_up_{};
  std::uint64_t requests_ = 0;
  int ends_ = 0;
  bool started_ = true;
};

// What a program is judged for, if it declares only some datatypes, or only one of the framings
// `stream` and `file` of a protocol that has both; empty if there is no such restriction.
std::vector<std::string> scope_of(const Capabilities& can, const Vocabulary& words);

// A declared operation for which every reply was `unsupported`.
struct BrokenPromise {
  std::string observed{}, expected{}, request{};
};
std::vector<BrokenPromise> broken_promises(const Session& session);

// Notes about a conversation: undefined words of its hello, unsupported requests.
std::vector<std::string> notes_on(const Session& session);

}  // namespace hepcheck::suite
