// The place of a finding: the file, the path of the part in it, and the byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hepcheck::tiledb {

// A name of a file in a message. Bytes that are no text are shown as what they are.
std::string shown_name(std::string_view name);

// A step of the path; previous steps outlive it. Texts are built only for findings.
struct Path {
  const Path* up = nullptr;
  std::string_view kind{};  // "attribute", "filter"
  std::optional<std::uint64_t> index{};
  std::optional<std::string_view> name{};

  std::string text() const;  // attribute[2:"cell_type"].filter[0]
};

// Where the decoded bytes of a file come from.
struct Piece {
  std::uint64_t begin = 0;   // of the decoded bytes
  std::uint64_t stored = 0;  // the byte of the file where the chunk's data begin
  bool as_stored = false;    // no filter changed them
};

// A file of which findings are reported.
struct Source {
  std::string file{};  // relative to the array; empty for a file on its own
  std::vector<Piece> pieces{};
};

struct Place {
  const Source* source = nullptr;
  const Path* path = nullptr;
  std::uint64_t byte = 0;  // of the file, or of the decoded bytes
  bool decoded = false;

  std::string object() const;  // __schema/__1_1_ab:attribute[2:"cell_type"].fill+0x1a3
  std::string where() const;   // decoded byte 419, in the chunk whose data begin at byte 68
};

}  // namespace hepcheck::tiledb
