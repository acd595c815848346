#include "validator/formats/rntuple/place.h"

#include <format>

namespace hepcheck::rntuple {

std::string Path::text() const {
  std::string made = up ? up->text() + "/" : "";
  made += kind;
  if (index) made += std::format("[{}]", *index);
  return made;
}

std::string Place::object() const {
  std::string made = path ? path->text() : "";
  if (made.empty()) made = "/";  // also of an RNTuple without a name
  if (within) made += std::format("+{:#x}", *within);
  return made;
}

std::string Place::where() const { return byte ? std::format("byte {}", *byte) : ""; }

}  // namespace hepcheck::rntuple
