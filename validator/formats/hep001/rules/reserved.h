// The reserved name catalogue of HEP001 13.2.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace hepcheck::hep001 {

inline constexpr std::array<std::string_view, 12> kReservedNames{
    "CATEGORIES",    "SEARCH_INDEXES",    "CLASS",     "VERSION",   "NROWS", "TITLE",
    "INDEX_COLUMNS", "SEARCH_INDEX_LIST", "valid_min", "valid_max", "KIND",  "VALUES"};

// Listed in 13.2 too, but as values of KIND, not as names.
inline constexpr std::array<std::string_view, 4> kKindTokens{"CHUNK_MINMAX", "SORTED_ROWS",
                                                             "BITMAP", "CHUNK_BLOOM"};

constexpr bool is_reserved_name(std::string_view name) {
  return std::ranges::contains(kReservedNames, name);
}
constexpr bool is_kind_token(std::string_view name) {
  return std::ranges::contains(kKindTokens, name);
}

}  // namespace hepcheck::hep001
