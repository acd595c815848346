// A conversation in the protocol (conformance/protocol.md) with the program under test.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "conformance/suite/content.h"
#include "conformance/suite/program.h"

namespace hepcheck::hep001::suite {

inline constexpr int kProtocol = 1;

struct Reply {
  enum class Kind : std::uint8_t {
    kOk,       // `body` is the value of "ok"
    kRefused,  // it says no: "error" of kind refused
    kError,    // it failed, or does not do this: "error" of any other kind
    kCrash,
    kTimeout,
    kNonsense,
    kNotAsked,  // it was given up on after too many time-outs
  };
  Kind kind = Kind::kOk;
  Json body{};
  std::string error_kind{}, message{};
  std::vector<std::string> diagnosed{};  // paths that it emitted a diagnostic about
  std::string request{};                 // as sent, for reproducing

  bool ok() const { return kind == Kind::kOk; }
  // It answered in the protocol, whatever it said.
  bool answered() const { return kind <= Kind::kError; }
  std::string text() const;  // "refused: VERSION 2.0", "no reply within 10000 ms"
};

struct Capabilities {
  bool has(const std::string& feature) const { return features.contains(feature); }
  bool does(const std::string& operation) const { return operations.contains(operation); }
  std::set<std::string> operations{}, datatypes{}, indexes{}, modes{}, features{};
  unsigned major = 1;  // of the highest revision of HEP001 that it implements
};

class Session {
 public:
  struct Options {
    std::chrono::milliseconds patience{10'000};
    std::chrono::milliseconds to_start{30'000};  // for hello, if it is more
    int most_timeouts = 3;
    std::function<void(std::string_view direction, std::string_view line)> transcript{};
  };
  Session(std::vector<std::string> command, std::vector<std::string> environment, Options options)
      : program_(std::move(command), std::move(environment)), options_(std::move(options)) {}

  // Starts the program and asks what it can do; the reply says why not.
  Reply hello();
  Reply call(Json request);

  const std::string& name() const { return name_; }
  const Json& about() const { return about_; }  // the body of its hello
  const Capabilities& can() const { return can_; }
  std::uint64_t requests() const { return requests_; }
  // Ends the process, in its own time.
  void finish() { program_.stop(options_.patience); }

 private:
  Reply exchange(Json request, std::chrono::milliseconds patience);
  Reply greet();

  Program program_;
  Options options_;
  std::string name_{};
  Json about_{};
  Capabilities can_{};
  std::uint64_t requests_ = 0;
  int timeouts_ = 0;
};

}  // namespace hepcheck::hep001::suite
