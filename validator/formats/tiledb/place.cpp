#include "validator/formats/tiledb/place.h"

#include <algorithm>
#include <format>

#include "validator/shorten.h"
#include "validator/utf8.h"

namespace hepcheck::tiledb {

std::string shown_name(std::string_view name) {
  std::string made;
  const bool text = is_utf8(name);
  for (const char c : name.substr(0, 200)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '"' || c == '\\' || (!text && byte >= 0x80))
      made += std::format("\\x{:02x}", byte);
    else
      made += c;
  }
  return name.size() > 200 ? made + "..." : made;
}

std::string Path::text() const {
  std::string made = up ? up->text() + '.' : std::string();
  made += kind;
  if (index && name)
    made += std::format("[{}:\"{}\"]", *index, shown_name(*name));
  else if (index)
    made += std::format("[{}]", *index);
  return made;
}

std::string Place::object() const {
  std::string made = source ? source->file : std::string();
  if (!path) return made.empty() ? "file" : made;
  if (!made.empty()) made += ':';
  made += path->text();
  if (decoded) made += std::format("+{:#x}", byte);
  return made;
}

std::string Place::where() const {
  if (!decoded) return path ? std::format("byte {}", byte) : std::string();
  std::string made = std::format("decoded byte {}", byte);
  if (!source || source->pieces.empty()) return made;
  auto after = std::ranges::upper_bound(source->pieces, byte, {}, &Piece::begin);
  const Piece& piece = after == source->pieces.begin() ? *after : *std::prev(after);
  if (piece.as_stored)
    return made + std::format(", byte {} of the file", piece.stored + (byte - piece.begin));
  return made + std::format(", in the chunk whose data begin at byte {}", piece.stored);
}

}  // namespace hepcheck::tiledb
