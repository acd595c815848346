// How deeply the dotted keys of a TOML text nest. The parser limits nested values by itself, but
// makes one nested table for each part of a key.
#pragma once

#include <cstddef>
#include <string_view>

namespace hepcheck {

// A text that is deeper than this is not given to the parser.
inline constexpr std::size_t kMostKeyParts = 32;

// The largest number of parts that a key, or anything else that is joined by points, has.
std::size_t key_parts_in_toml(std::string_view text);

}  // namespace hepcheck
