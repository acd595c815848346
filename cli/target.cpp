#include "cli/target.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "cli/glob.h"
#include "validator/format.h"

namespace hepcheck::cli {

namespace {

namespace fs = std::filesystem;

// The suffixes of file names of the known formats.
std::vector<std::string_view> endings() {
  std::vector<std::string_view> all;
  for (const Format* format : all_formats())
    for (const std::string_view ending : format->endings)
      if (!std::ranges::contains(all, ending)) all.push_back(ending);
  return all;
}

// ".h5, .hdf5 or .hdf"
std::string listed(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += std::string(i == 0 ? "" : i + 1 == words.size() ? " or " : ", ").append(words[i]);
  return text;
}

std::vector<Target> files_below(const std::string& directory) {
  std::vector<Target> found;
  const std::vector<std::string_view> known = endings();
  std::error_code trouble;
  for (fs::recursive_directory_iterator it(directory, fs::directory_options::skip_permission_denied,
                                           trouble);
       !trouble && it != fs::recursive_directory_iterator(); it.increment(trouble)) {
    if (std::error_code ignored; !it->is_symlink(ignored) && it->is_directory(ignored)) {
      if (!recognise_directory(it->path().string())) continue;
      it.disable_recursion_pending();
      found.push_back({.path = it->path().string()});
      continue;
    }
    if (std::ranges::contains(known, it->path().extension().string()) &&
        it->is_regular_file(trouble))
      found.push_back({.path = it->path().string()});
  }
  std::ranges::sort(found, {}, &Target::path);
  if (found.empty())
    found.push_back({.path = directory,
                     .error = Error{directory, "no " + listed(known) + " file in this directory"}});
  return found;
}

}  // namespace

bool is_url(const std::string& argument) {
  const std::size_t end = argument.find("://");
  return end != std::string::npos && end > 0 &&
         std::ranges::all_of(argument.substr(0, end), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '+' || c == '-' || c == '.';
         });
}

std::vector<Target> targets_of(const std::string& argument) {
  std::error_code trouble;
  if (argument == "-") return {{.path = "-"}};
  if (fs::is_directory(argument, trouble)) {
    if (recognise_directory(argument)) return {{.path = argument}};
    return files_below(argument);
  }
  if (fs::exists(argument, trouble)) return {{.path = argument}};
  if (is_pattern(argument)) {
    std::vector<Target> found;
    for (const std::string& match : expand(argument))
      std::ranges::move(targets_of(match), std::back_inserter(found));
    if (found.empty())
      found.push_back({.path = argument, .error = Error{argument, "no file matches"}});
    return found;
  }
  const std::size_t colon = argument.rfind(":/");
  for (std::size_t at = argument.find(":/"); at != std::string::npos;
       at = argument.find(":/", at + 1))
    if (const std::string file = argument.substr(0, at);
        fs::is_regular_file(file, trouble) || recognise_directory(file))
      return {{.path = argument.substr(0, at), .group = argument.substr(at + 1)}};
  if (is_url(argument)) return {{.path = argument, .error = Error{argument, kNoUrls}}};
  const std::string file = colon == std::string::npos ? argument : argument.substr(0, colon);
  return {{.path = argument, .error = Error{file, "no such file"}}};
}

}  // namespace hepcheck::cli
