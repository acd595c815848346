// File name patterns, for shells and configuration files that do not expand them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hepcheck::cli {

bool is_pattern(std::string_view path);  // contains *, ? or [

// The files and directories that match: * ? and [...] within one name, ** any number of
// directories. Sorted; names that begin with a dot match only patterns that begin with a dot.
std::vector<std::string> expand(const std::string& pattern);

}  // namespace hepcheck::cli
