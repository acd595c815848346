// What a program replies, and what it says that it can do. It may send anything: what is not in the
// protocol comes back as a sentence that says so.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hepcheck::suite {

using Json = nlohmann::ordered_json;

inline constexpr int kProtocol = 1;

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
  unsigned major = 1;  // of the highest version that it implements
};

template <class T>
using Parsed = std::expected<T, std::string>;  // the error: in what way it is not in the protocol

struct Hello {
  std::string name{};
  Capabilities can{};
  std::vector<std::string> unknown{};  // "operations: apend": words that the protocol does not have
};

// What a protocol lets a hello name.
struct Vocabulary {
  std::span<const std::string_view> operations{}, datatypes{}, indexes{}, modes{}, features{};
};
Parsed<Hello> parse_hello(const Json& body, const Vocabulary& words);

// --- Typed access; what is amiss ends up in one sentence -----------------------------------------

struct Malformed {
  std::string why;
};

bool has(const Json& object, const char* name);  // and it is not null
const Json& member(const Json& object, const char* name);
std::string text(const Json& object, const char* name);
const Json& list(const Json& object, const char* name);
std::vector<std::string> texts(const Json& object, const char* name);
// A number as protocols write it: digits, no sign, no zeros in front.
std::uint64_t decimal(const std::string& digits, const char* name);

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
    return std::unexpected(std::string(operation) + ": " + malformed.why);
  }
}

}  // namespace hepcheck::suite
