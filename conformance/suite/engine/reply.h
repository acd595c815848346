// Parses the replies and capabilities of a program. It may send anything: a violation of the
// protocol becomes a message.
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
    kRefused,  // a refusal: "error" of kind refused
    kError,    // a failure, or not supported: "error" of another kind
    kCrash,
    kTimeout,
    kTooMuch,  // it was ended because it exceeded its memory or storage
    kNonsense,
    kNotAsked,  // it receives no further requests
  };
  Kind kind = Kind::kOk;
  Json body{};
  std::string error_kind{}, message{};
  std::vector<std::string> diagnosed{};  // paths for which it emitted a diagnostic
  std::string request{};                 // as sent, for reproduction

  bool ok() const { return kind == Kind::kOk; }
  // It answered in accordance with the protocol.
  bool answered() const { return kind <= Kind::kError; }
  bool unsupported() const { return kind == Kind::kError && error_kind == "unsupported"; }
  std::string text() const;  // "refused: VERSION 2.0", "no reply within 10000 ms"
};

// Interprets a line as the reply to request `id`.
Reply parse_reply(const std::string& line, std::uint64_t id);

struct Capabilities {
  bool has(const std::string& feature) const { return features.contains(feature); }
  bool does(const std::string& operation) const { return operations.contains(operation); }
  std::set<std::string> operations{}, datatypes{}, indexes{}, modes{}, features{};
  unsigned major = 1;  // of the highest version that it implements
};

template <class T>
using Parsed = std::expected<T, std::string>;  // the error: how it violates the protocol

struct Hello {
  std::string name{};
  Capabilities can{};
  std::vector<std::string>
      unknown{};  // "operations: apend": words that the protocol does not define
};

// The words that a protocol allows in a hello.
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
// A number in the form of protocols: digits, no sign, no leading zeros.
std::uint64_t decimal(const std::string& digits, const char* name);

void require(bool right, const char* what);  // throws `Malformed`

// --- Names of objects: texts, or {"bytes"}
// ---------------------------------------------------------

bool is_name(const Json& value);
std::string name_of(const Json& name);    // for people
std::string path_text(const Json& path);  // the same of a list of names
std::string key_of(const Json& value);    // equal for equal values

// Calls `parse`; a malformed value becomes the error, after the operation's name.
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
