// The place of a finding: the path from its message, and the byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hepcheck::arrow {

// A step of that path; previous steps outlive it. Texts are built only for findings.
struct Path {
  const Path* up = nullptr;
  std::string_view kind{};  // "batch", "field", "child"
  std::optional<std::uint64_t> index{};
  std::optional<std::string_view> name{};

  std::string text() const;  // batch[3].field[1:"name"].child[0]
};

struct Place {
  const Path* path = nullptr;
  std::optional<unsigned> buffer{};       // of the array, by its layout: 0 is its validity bitmap
  std::optional<std::uint64_t> within{};  // a byte of that buffer after decompression
  std::uint64_t byte = 0;                 // of the file

  std::string object() const;  // batch[3].field[1:"name"].buffer[0]+0x40
  std::string where() const;   // byte 1234
};

}  // namespace hepcheck::arrow
