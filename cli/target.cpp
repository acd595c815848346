#include "cli/target.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <span>

#include "cli/glob.h"
#include "validator/descriptor.h"
#include "validator/format.h"

namespace hepcheck::cli {

namespace {

namespace fs = std::filesystem;

bool is_any(const Specifications& wanted) {
  return wanted.empty() || std::ranges::contains(wanted, nullptr);
}

// Whether a format is one of those that the specifications belong to; a null specification, or
// none, stands for every format.
bool is_wanted(const Format& format, const Specifications& wanted) {
  return is_any(wanted) || std::ranges::any_of(wanted, [&](const Specification* each) {
           return &format_of(*each) == &format;
         });
}

// The suffixes of file names of the formats that are wanted.
std::vector<std::string_view> endings(const Specifications& wanted = {}) {
  std::vector<std::string_view> all;
  for (const Format* format : all_formats())
    for (const std::string_view ending : format->endings)
      if (is_wanted(*format, wanted) && !std::ranges::contains(all, ending)) all.push_back(ending);
  return all;
}

// ".h5, .hdf5 or .hdf"
std::string listed(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += std::string(i == 0 ? "" : i + 1 == words.size() ? " or " : ", ").append(words[i]);
  return text;
}

bool ends_as(const Format& format, const fs::path& path) {
  return std::ranges::contains(format.endings, path.extension().string());
}

// What a few bytes of a file tell.
struct Seen {
  const Format* format = nullptr;
  bool binary = false;
};

Seen look_at(const std::string& path) {
  const Result<Descriptor> file = open_for_reading(path);
  if (!file) return {.binary = true};  // it is examined, and the reason reported
  const Bytes bytes = Bytes::of_descriptor(file->get(), path);
  std::array<std::byte, 4096> begin{};
  const std::size_t size = std::min<std::uint64_t>(begin.size(), bytes.size());
  const std::span<std::byte> part = std::span(begin).first(size);
  Seen seen;
  seen.binary = size > 0 && (!bytes.read(0, part) || std::ranges::any_of(part, [](std::byte each) {
                  return each < std::byte{0x20} && each != std::byte{'\n'} &&
                         each != std::byte{'\r'} && each != std::byte{'\t'} &&
                         each != std::byte{'\f'};
                }));
  // The format of text is not known by its content.
  if (seen.binary) seen.format = recognise(bytes);
  return seen;
}

// Why a file of a directory is not examined; null if it is.
const char* reason_against(const fs::path& path, const Specifications& wanted) {
  const bool any = is_any(wanted);
  for (const Format* format : all_formats())
    if (std::ranges::contains(format->markers, path.filename().string()))
      return "with nothing to judge";
  for (const Format* format : all_formats())
    if (ends_as(*format, path) && is_wanted(*format, wanted)) return nullptr;
  const Seen seen = look_at(path.string());
  if (seen.format) {
    if (is_wanted(*seen.format, wanted)) return nullptr;
    // Another format may recognise the same files, such as the container of a table.
    const Result<Descriptor> file = open_for_reading(path.string());
    if (file) {
      const Bytes bytes = Bytes::of_descriptor(file->get(), path.string());
      for (const Format* format : all_formats())
        if (is_wanted(*format, wanted) && format->recognise(bytes) != Likeness::kNone)
          return nullptr;
    }
    return "of another format";
  }
  if (!seen.binary) return "text, or empty";
  const bool named_otherwise = std::ranges::any_of(
      all_formats(), [&](const Format* format) { return ends_as(*format, path); });
  return any || named_otherwise ? "recognised by no format" : nullptr;
}

std::vector<Target> files_below(const std::string& directory, const Specifications& wanted,
                                Skipped& skipped) {
  std::vector<Target> found;
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
    if (!it->is_regular_file(trouble)) continue;
    // Hidden directories hold what other programs keep there, such as the objects of Git.
    const fs::path inside = it->path().lexically_relative(directory);
    const bool hidden = std::ranges::any_of(
        inside, [](const fs::path& part) { return part.string().starts_with('.'); });
    if (hidden && !std::ranges::contains(endings(), it->path().extension().string())) continue;
    if (const char* const why = reason_against(it->path(), wanted))
      ++skipped[why];
    else
      found.push_back({.path = it->path().string()});
  }
  std::ranges::sort(found, {}, &Target::path);
  if (found.empty())
    found.push_back(
        {.path = directory,
         .error = Error{
             directory,
             "no " + listed(endings(wanted)) + " file in this directory, and no other file " +
                 (is_any(wanted) ? "that is recognised" : "of the format that was asked for")}});
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
  Skipped skipped;
  return targets_of(argument, {}, skipped);
}

std::vector<Target> targets_of(const std::string& argument, const Specifications& wanted,
                               Skipped& skipped) {
  std::error_code trouble;
  if (argument == "-") return {{.path = "-"}};
  if (fs::is_directory(argument, trouble)) {
    if (recognise_directory(argument)) return {{.path = argument}};
    return files_below(argument, wanted, skipped);
  }
  if (fs::exists(argument, trouble)) return {{.path = argument}};
  if (is_pattern(argument)) {
    std::vector<Target> found;
    for (const std::string& match : expand(argument))
      std::ranges::move(targets_of(match, wanted, skipped), std::back_inserter(found));
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
