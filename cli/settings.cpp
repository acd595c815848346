#include "cli/settings.h"

#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <format>
#include <print>

#include "cli/config.h"
#include "cli/suggest.h"
#include "reports/escape.h"
#include "reports/tally.h"

namespace hepcheck::cli {

namespace {

constexpr const char* kUsual = "hepcheck.toml";
// The mark of the top of a work tree: a directory, or a file that names the repository.
constexpr std::array kMarks{".git", ".hg", ".jj", ".svn"};

bool is_ours(const char* path) {
  struct stat status{};
  return lstat(path, &status) == 0 && status.st_uid == geteuid();
}

bool is_there(const char* path) {
  struct stat status{};
  return lstat(path, &status) == 0;
}

// A user who unpacks an archive, or looks into a shared directory, has not chosen the settings file
// in it.
const char* why_not() {
  struct stat status{};
  if (lstat(kUsual, &status) != 0 || !S_ISREG(status.st_mode)) return "it is not a regular file";
  if (std::ranges::none_of(kMarks, is_there))
    return "this directory is not the top of a work tree, as it has no .git, .hg, .jj or .svn";
  if (!is_ours(kUsual) || !is_ours(".") || std::ranges::none_of(kMarks, is_ours))
    return "it, this directory or its work tree belongs to another user";
  return nullptr;
}

std::string shown(const std::string& path) {
  std::error_code trouble;
  const std::filesystem::path whole = std::filesystem::absolute(path, trouble);
  return reports::escaped(trouble ? path : whole.lexically_normal().string());
}

// The path of the settings file in the working directory, if it is used: the directory is the top
// of a work tree of a version control system, and all three belong to the user.
std::optional<std::string> usual_settings() {
  if (!is_there(kUsual)) return std::nullopt;
  const char* const reason = why_not();
  if (!reason) return kUsual;
  std::println(
      stderr,
      "hepcheck: {} is not read: {} (--config {} uses it, --no-config suppresses this message)",
      shown(kUsual), reason, kUsual);
  return std::nullopt;
}

// With `quiet`, only selections and relaxations.
void announce(const Settings& settings, bool quiet) {
  if (quiet && settings.paths.empty() && settings.relaxed.empty()) return;
  const std::string file = shown(settings.file);
  for (const std::string& line : reports::settings_lines(settings))
    std::println(stderr, "hepcheck: {}: {}", file, reports::escaped(line));
}

// The path of the settings file that is used, if any.
std::optional<std::string> settings_for(const ExaminingArguments& arguments) {
  if (arguments.no_config) return std::nullopt;
  return arguments.config.empty() ? usual_settings() : arguments.config;
}

// The skips that apply today.
void adopt_skips(const Config& config, std::span<const Specification* const> specs,
                 ExaminingArguments& arguments, Settings& settings) {
  const std::chrono::year_month_day today(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  for (const Skip& skip : config.skips) {
    clause_set({skip.clause}, specs, "skip");
    if (skip.until && *skip.until < today) {
      std::println(stderr, "hepcheck: the skip of {} ended on {}; the clause is checked again",
                   skip.clause, *skip.until);
      continue;
    }
    const std::string reason =
        skip.until ? std::format("{} (until {})", skip.reason, *skip.until) : skip.reason;
    arguments.skip.push_back(skip.clause);
    arguments.skip_reasons[skip.clause] = reason;
    settings.relaxed.push_back({"skip", skip.clause, reason});
  }
}

// Adds the settings that the command line leaves open; --skip adds to the skips of the file.
// Returns the part for the report: everything that can relax a verdict.
Settings adopt(const Config& config, const std::string& file, const CLI::App& command,
               std::span<const Specification* const> specs, ExaminingArguments& arguments) {
  Settings settings{.file = file};
  // Whether the value of the file is used, which is recorded if it is `mild`.
  const auto fill = [&](const std::string& key, auto& value, const auto& configured, auto mild) {
    if (!configured || command.get_option("--" + key)->count() > 0) return false;
    value = *configured;
    if (mild(*configured)) settings.relaxed.push_back({key, "", std::format("{}", *configured)});
    return true;
  };
  const auto if_word = [](const char* word) {
    return [word](const std::string& value) { return value == word; };
  };
  const auto if_true = [](bool value) { return value; };
  const auto always = [](const auto&) { return true; };
  const auto never = [](const auto&) { return false; };
  fill("fail-on", arguments.fail_on, config.fail_on, if_word("never"));
  fill("depth", arguments.depth, config.depth, if_word("structure"));
  if (fill("baseline", arguments.baseline, config.baseline, always)) {
    arguments.confined_baseline = ConfinedFile{config.folder, *config.baseline};
    arguments.baseline = arguments.confined_baseline->whole();
  }
  fill("reader", arguments.reader, config.reader, never);
  fill("strict", arguments.strict, config.strict, never);
  fill("allow-unchecked", arguments.allow_unchecked, config.allow_unchecked, if_true);
  fill("allow-no-tables", arguments.allow_no_tables, config.allow_no_tables, if_true);
  fill("max-findings", arguments.max_findings, config.max_findings, never);
  if (arguments.paths.empty()) arguments.paths = settings.paths = config.paths;
  if (arguments.output.formats.empty()) {
    arguments.output.formats = config.formats;
    arguments.output.settings_folder = config.folder;
  }
  arguments.levels = config.levels;
  for (const auto& [id, severity] : config.levels) {
    clause_named(known_of(specs), id, "levels");
    if (severity != Severity::kError)
      settings.relaxed.push_back({"levels", id, std::string(to_string(severity))});
  }
  adopt_skips(config, specs, arguments, settings);
  return settings;
}

}  // namespace

std::vector<Settings> adopt_settings(const CLI::App& command,
                                     std::span<const Specification* const> specs,
                                     ExaminingArguments& arguments) {
  const std::optional<std::string> file = settings_for(arguments);
  if (!file) return {};
  const Result<Config> config = read_config(*file);
  if (!config) throw CLI::ValidationError("--config", reports::escaped(config.error().text()));
  Settings settings = adopt(*config, *file, command, specs, arguments);
  announce(settings, arguments.output.quiet);
  return {std::move(settings)};
}

}  // namespace hepcheck::cli
