// What a program replies, taken apart. It may send anything: what is not in the protocol comes back
// as a sentence that says so.
#pragma once

#include <expected>
#include <set>
#include <string>
#include <vector>

#include "conformance/suite/content.h"

namespace hepcheck::hep001::suite {

struct Reply {
  enum class Kind : std::uint8_t {
    kOk,       // `body` is the value of "ok"
    kRefused,  // it says no: "error" of kind refused
    kError,    // it failed, or does not do this: "error" of another kind
    kCrash,
    kTimeout,
    kTooMuch,  // it was ended because of the memory or storage that it took
    kNonsense,
    kNotAsked,  // it was given up on
  };
  Kind kind = Kind::kOk;
  Json body{};
  std::string error_kind{}, message{};
  std::vector<std::string> diagnosed{};  // paths that it emitted a diagnostic about
  std::string request{};                 // as sent, for reproducing

  bool ok() const { return kind == Kind::kOk; }
  // It answered in the protocol, whatever it said.
  bool answered() const { return kind <= Kind::kError; }
  bool unsupported() const { return kind == Kind::kError && error_kind == "unsupported"; }
  std::string text() const;  // "refused: VERSION 2.0", "no reply within 10000 ms"
};

// What a line means as the reply to request `id`.
Reply parse_reply(const std::string& line, std::uint64_t id);

struct Capabilities {
  bool has(const std::string& feature) const { return features.contains(feature); }
  bool does(const std::string& operation) const { return operations.contains(operation); }
  std::set<std::string> operations{}, datatypes{}, indexes{}, modes{}, features{};
  unsigned major = 1;  // of the highest revision of HEP001 that it implements
};

template <class T>
using Parsed = std::expected<T, std::string>;  // the error: in what way it is not in the protocol

struct Hello {
  std::string name{};
  Capabilities can{};
  std::vector<std::string> unknown{};  // "operations: apend": words that the protocol does not have
};
Parsed<Hello> parse_hello(const Json& body);

struct Description {
  FileContent tables{};
  std::set<std::string> refused{};  // paths
};
Parsed<Description> parse_description(const Json& body);

// Puts the values of a reply to `read` into a table that was described.
Parsed<void> parse_values(const Json& body, TableContent& into);

// The reply to a query.
struct Answer {
  std::vector<std::uint64_t> rows{};
  std::set<std::string> used{};  // families of indexes
};
Parsed<Answer> parse_answer(const Json& body);

}  // namespace hepcheck::hep001::suite
