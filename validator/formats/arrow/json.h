// JSON (RFC 8259) in metadata and values of extension types: strictly, and in bounded depth.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hepcheck::arrow {

constexpr std::size_t kMostJsonDepth = 512, kMostJsonSize = std::size_t{1} << 20;

enum class JsonState : std::uint8_t {
  kSound,
  kBroken,
  kTooDeep,  // not examined
};

struct Json {
  enum class Kind : std::uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  std::string text{};                // of a string, without escapes; of a number, as written
  std::vector<Json> elements{};      // of an array; the values of the members of an object
  std::vector<std::string> names{};  // of the members of an object

  // The last member with this name; null if there is none.
  const Json* member(std::string_view name) const;
  // A number without fraction and exponent that 64 bits can hold.
  std::optional<std::int64_t> integer() const;
};

// Whether the text is one value. `into`: receives it; null: it is only checked.
JsonState read_json(std::string_view text, Json* into = nullptr);

}  // namespace hepcheck::arrow
