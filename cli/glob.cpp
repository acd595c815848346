#include "cli/glob.h"

#include <algorithm>
#include <filesystem>

#include "validator/wildcard.h"

namespace hepcheck::cli {

namespace {

namespace fs = std::filesystem;

std::vector<fs::directory_entry> entries(const fs::path& directory) {
  std::vector<fs::directory_entry> found;
  std::error_code trouble;
  for (fs::directory_iterator it(directory.empty() ? "." : directory, trouble);
       !trouble && it != fs::directory_iterator(); it.increment(trouble))
    found.push_back(*it);
  return found;
}

// The matches of the parts of the pattern beginning with `part`, below `base`.
void expand_from(const fs::path& base, std::vector<fs::path>::const_iterator part,
                 std::vector<fs::path>::const_iterator end, std::vector<std::string>& found) {
  std::error_code trouble;
  if (part == end) {
    found.push_back(base.empty() ? "." : base.string());
    return;
  }
  const std::string name = part->string();
  if (!is_pattern(name)) {
    if (fs::exists(base / name, trouble)) expand_from(base / name, part + 1, end, found);
    return;
  }
  if (name == "**") expand_from(base, part + 1, end, found);
  // A directory represents everything below it.
  if (name == "**" && part + 1 == end) return;
  for (const fs::directory_entry& entry : entries(base)) {
    const std::string own = entry.path().filename().string();
    if (name == "**") {
      if (!own.starts_with('.') && !entry.is_symlink(trouble) && entry.is_directory(trouble))
        expand_from(base / own, part, end, found);
    } else if (fits(own, name, FNM_PERIOD)) {
      expand_from(base / own, part + 1, end, found);
    }
  }
}

}  // namespace

bool is_pattern(std::string_view path) { return path.find_first_of("*?[") != path.npos; }

std::vector<std::string> expand(const std::string& pattern) {
  std::vector<std::string> found;
  const fs::path path(pattern);
  const fs::path relative = path.relative_path();
  const std::vector<fs::path> parts(relative.begin(), relative.end());
  expand_from(path.root_path(), parts.begin(), parts.end(), found);
  std::ranges::sort(found);
  const auto repeated = std::ranges::unique(found);
  found.erase(repeated.begin(), repeated.end());
  return found;
}

}  // namespace hepcheck::cli
