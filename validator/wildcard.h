// Wildcards in the syntax of shells: * for any text, ? for one character, [...] for one of several.
#pragma once

#include <fnmatch.h>

#include <string>

namespace hepcheck {

// Matches the whole text, slashes included: "valid/8.*" matches "valid/8.5/x.h5". `flags` are those
// of fnmatch.
inline bool fits(const std::string& text, const std::string& pattern, int flags = 0) {
  return ::fnmatch(pattern.c_str(), text.c_str(), flags) == 0;
}

}  // namespace hepcheck
