// C++ type names of fields (chapter 8).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hepcheck::rntuple {

// A name with the spelling normalised: std::vector<std::int32_t>.
struct TypeName {
  std::string text{};
  std::string outer{};                   // the part before "<"; of an array "[]"
  std::vector<std::string> arguments{};  // of the template, or the element type of an array
  std::optional<std::uint64_t> size{};   // N of std::array<T,N>, T[N] and std::bitset<N>

  bool in_std() const { return text.starts_with("std::"); }
};

TypeName parse_type(std::string_view name);

}  // namespace hepcheck::rntuple
