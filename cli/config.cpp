#include "cli/config.h"

#include <algorithm>
#include <filesystem>
#include <format>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <toml++/toml.hpp>

#include "cli/confined_file.h"
#include "cli/suggest.h"
#include "validator/toml_depth.h"

namespace hepcheck::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = 1 << 20;

[[noreturn]] void wrong(const std::string& text) { throw std::runtime_error(text); }

void only_keys(const toml::table& table, const std::string& where,
               std::initializer_list<std::string_view> known) {
  for (const auto& [key, value] : table) {
    if (std::ranges::find(known, key.str()) != known.end()) continue;
    wrong(std::format("{}unknown key \"{}\"{}", where, key.str(), did_you_mean(key.str(), known)));
  }
}

template <class T>
std::optional<T> value_of(const toml::table& table, const char* key, const char* kind) {
  const toml::node* node = table.get(key);
  if (!node) return std::nullopt;
  const std::optional<T> value = node->value_exact<T>();
  if (!value) wrong(std::format("{} must be {}", key, kind));
  return value;
}

std::optional<std::string> word_of(const toml::table& table, const char* key,
                                   std::initializer_list<std::string_view> allowed) {
  auto value = value_of<std::string>(table, key, "a string");
  if (value && std::ranges::find(allowed, *value) == allowed.end())
    wrong(std::format("{} cannot be \"{}\"{}", key, *value, did_you_mean(*value, allowed)));
  return value;
}

std::vector<std::string> strings_of(const toml::table& table, const char* key) {
  std::vector<std::string> made;
  const toml::node* node = table.get(key);
  if (!node) return made;
  const toml::array* array = node->as_array();
  if (!array) wrong(std::format("{} must be a list of strings", key));
  for (const toml::node& item : *array) {
    const auto text = item.value_exact<std::string>();
    if (!text) wrong(std::format("{} must be a list of strings", key));
    made.push_back(*text);
  }
  return made;
}

Skip skip_of(const toml::table& table) {
  only_keys(table, "skip: ", {"clause", "reason", "until"});
  Skip skip{.clause = value_of<std::string>(table, "clause", "a string").value_or(""),
            .reason = value_of<std::string>(table, "reason", "a string").value_or("")};
  if (skip.clause.empty()) wrong("a skip must name its clause");
  if (skip.reason.find_first_not_of(" \t\n") == std::string::npos)
    wrong(std::format("the skip of {} must have a reason", skip.clause));
  if (const auto until = value_of<toml::date>(table, "until", "a date such as 2027-01-31")) {
    skip.until = std::chrono::year(until->year) / std::chrono::month(until->month) /
                 std::chrono::day(until->day);
  }
  return skip;
}

std::map<std::string, Severity, std::less<>> levels_of(const toml::table& table) {
  std::map<std::string, Severity, std::less<>> made;
  for (const auto& [clause, node] : table) {
    const auto name = node.value_exact<std::string>().value_or("");
    const auto severity = name == "error"     ? Severity::kError
                          : name == "warning" ? Severity::kWarning
                          : name == "info"    ? Severity::kInfo
                                              : Severity::kNone;
    if (severity == Severity::kNone)
      wrong(
          std::format("the level of {} must be \"error\", \"warning\" or \"info\"", clause.str()));
    made.emplace(clause.str(), severity);
  }
  return made;
}

// A pull request may contain the file, so the paths in it must stay inside its directory.
void only_below(const char* key, const std::string& path) {
  if (!is_confined(path))
    wrong(
        std::format("{}: \"{}\" is not the plain name of a file inside the directory of the "
                    "settings; use the command line for other paths",
                    key, path));
}

Config config_of(const toml::table& table, const std::string& file) {
  only_keys(table, "",
            {"paths", "formats", "fail-on", "strict", "depth", "max-findings", "reader",
             "allow-unchecked", "allow-no-tables", "baseline", "skip", "levels"});
  Config config{.folder = fs::path(file).parent_path().string()};
  for (const std::string& path : strings_of(table, "paths"))
    config.paths.push_back((fs::path(config.folder) / path).string());
  config.formats = strings_of(table, "formats");
  for (const std::string& format : config.formats)
    if (const std::size_t equals = format.find('='); equals != format.npos)
      only_below("formats", format.substr(equals + 1));
  config.fail_on = word_of(table, "fail-on", {"must", "should", "never"});
  config.depth = word_of(table, "depth", {"structure", "full"});
  config.reader = word_of(table, "reader", {"own", "libhdf5", "both"});
  config.baseline = value_of<std::string>(table, "baseline", "a string");
  if (config.baseline) only_below("baseline", *config.baseline);
  config.strict = value_of<bool>(table, "strict", "true or false");
  config.allow_unchecked = value_of<bool>(table, "allow-unchecked", "true or false");
  config.allow_no_tables = value_of<bool>(table, "allow-no-tables", "true or false");
  if (const auto most = value_of<std::int64_t>(table, "max-findings", "a number")) {
    if (*most < 0) wrong("max-findings must not be negative");
    config.max_findings = static_cast<std::uint64_t>(*most);
  }
  if (const toml::node* skips = table.get("skip")) {
    const toml::array* list = skips->as_array();
    if (!list || !list->is_array_of_tables()) wrong("skip must be a list of tables: [[skip]]");
    for (const toml::node& each : *list) config.skips.push_back(skip_of(*each.as_table()));
  }
  if (const toml::node* levels = table.get("levels")) {
    if (!levels->is_table()) wrong("levels must be a table: [levels]");
    config.levels = levels_of(*levels->as_table());
  }
  return config;
}

}  // namespace

Result<Config> parse_config(std::string_view text, const std::string& path) {
  if (key_parts_in_toml(text) > kMostKeyParts) return failure(path, "a key has too many parts");
  try {
    return config_of(toml::parse(text, path), path);
  } catch (const toml::parse_error& error) {
    return failure(std::format("{}:{}", path, error.source().begin.line),
                   std::string(error.description()));
  } catch (const std::runtime_error& error) {
    return failure(path, error.what());
  }
}

Result<Config> read_config(const std::string& path) {
  std::string text(kMostBytes + 1, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kMostBytes) return failure(path, "it is too large for a settings file");
  if (in.bad() || !in.eof()) return failure(path, "cannot be read");
  return parse_config(text, path);
}

}  // namespace hepcheck::cli
