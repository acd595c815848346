#include "validator/formats/arrow/place.h"

#include <format>

namespace hepcheck::arrow {

namespace {

// A name as displayed in a place: quoted, and truncated if it is very long.
std::string quoted(std::string_view name) {
  constexpr std::size_t kMost = 80;
  std::string made = "\"";
  for (const char c : name.substr(0, kMost)) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + (name.size() > kMost ? "...\"" : "\"");
}

}  // namespace

std::string Path::text() const {
  std::string made = up ? up->text() + "." : "";
  made += kind;
  if (!index) return made;
  made += std::format("[{}", *index);
  if (name) made += ":" + quoted(*name);
  return made + "]";
}

std::string Place::object() const {
  std::string made = path ? path->text() : "/";
  if (buffer) made += std::format(".buffer[{}]", *buffer);
  if (within) made += std::format("+{:#x}", *within);
  return made;
}

std::string Place::where() const { return std::format("byte {}", byte); }

}  // namespace hepcheck::arrow
