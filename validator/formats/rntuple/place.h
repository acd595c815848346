// The place of a finding: the path from its RNTuple, and the byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hepcheck::rntuple {

// A step of that path; previous steps outlive it. Texts are built only for findings.
struct Path {
  const Path* up = nullptr;
  std::string_view kind{};  // the name of the RNTuple, "pagelist", "cluster", "page"
  std::optional<std::uint64_t> index{};

  std::string text() const;  // Staff/pagelist[0]/cluster[0]/column[2]/page[5]
};

struct Place {
  const Path* path = nullptr;
  std::optional<std::uint64_t> within{};  // a byte of that object, uncompressed
  std::optional<std::uint64_t> byte{};    // of the file

  std::string object() const;  // Staff/pagelist[0]/cluster[0]/column[2]/page[5]+0x10
  std::string where() const;   // byte 1234
};

}  // namespace hepcheck::rntuple
