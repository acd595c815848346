#include "cli/suggest.h"

#include <CLI/Error.hpp>
#include <algorithm>
#include <charconv>
#include <format>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/glob.h"
#include "validator/catalogue/selection.h"
#include "validator/format.h"

namespace hepcheck::cli {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the distance table; `older` handles swapped neighbours.
  std::vector<std::size_t> older(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], older[j - 2] + 1);
    }
    older = std::exchange(row, std::exchange(next, older));
  }
  return row[b.size()];
}

std::optional<std::string> nearest(std::string_view name,
                                   std::span<const std::string_view> candidates) {
  if (candidates.empty()) return std::nullopt;
  const auto best = std::ranges::min_element(candidates, {}, [&](std::string_view candidate) {
    // A part of a long id is as useful as a near miss.
    return candidate.contains(name) ? std::size_t{1} : edit_distance(name, candidate);
  });
  const bool near = best->contains(name) || edit_distance(name, *best) <= name.size() / 3 + 1;
  // A known word that was not accepted is in the wrong place.
  const bool misplaced = *best == name;
  return near && !misplaced && !name.empty() ? std::optional(std::string(*best)) : std::nullopt;
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates) {
  const auto near = nearest(name, candidates);
  return near ? "; did you mean " + *near + "?" : "";
}

CLI::Validator one_of(std::vector<std::string> words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ",") + word;
  // Help and completion read the words from the description.
  return CLI::Validator(
      [words = std::move(words), all](const std::string& value) {
        if (std::ranges::contains(words, value)) return std::string();
        const std::vector<std::string_view> known(words.begin(), words.end());
        return "\"" + value + "\" is not one of " + all + did_you_mean(value, known);
      },
      "{" + all + "}");
}

#ifdef __cpp_lib_to_chars  // also of floating-point numbers; the commands of WebAssembly have none
CLI::Validator number_within(double least, double most) {
  const std::string bounds = std::format("[{} - {}]", least, most);
  return CLI::Validator(
      [=](const std::string& text) {
        double value = 0;
        const char* const end = text.data() + text.size();
        const auto parsed = std::from_chars(text.data(), end, value);
        const bool within =
            parsed.ec == std::errc() && parsed.ptr == end && value >= least && value <= most;
        return within ? std::string() : std::format("{} is not a number in {}", text, bounds);
      },
      "FLOAT in " + bounds);
}
#endif

namespace {

// "a-b-c": "a-*" and "a-b-*".
void add_families(std::string_view id, std::set<std::string>& into) {
  for (std::size_t dash = id.find('-'); dash != id.npos; dash = id.find('-', dash + 1))
    into.insert(std::string(id.substr(0, dash)) + "-*");
}

}  // namespace

const Specification& specification_named(const std::string& id) {
  if (const Specification* spec = find_specification(id)) return *spec;
  if (const Format* format = find_format(id)) return default_revision(format->name);
  std::vector<std::string_view> known;
  for (const Format* each : all_formats()) known.push_back(each->name);
  for (const Specification& each : all_specifications()) known.push_back(each.id);
  throw CLI::ValidationError("--spec", "no specification \"" + id + "\"" + did_you_mean(id, known));
}

const Clause& clause_named(const Specification& spec, const std::string& id, const char* option) {
  const Specification* const specs[] = {&spec};
  return clause_named(specs, id, option);
}

const Clause& clause_named(std::span<const Specification* const> specs, const std::string& id,
                           const char* option) {
  std::vector<std::string_view> known;
  for (const Specification* spec : specs) {
    if (const Clause* clause = spec->find(id)) return *clause;
    for (const Clause& each : spec->clauses) known.push_back(each.id);
  }
  throw CLI::ValidationError(option, "no clause \"" + id + "\"" + did_you_mean(id, known));
}

std::vector<const Clause*> clauses_named(const Specification& spec, const std::string& word) {
  std::vector<const Clause*> named;
  for (const Clause& clause : spec.clauses)
    if (names(word, clause)) named.push_back(&clause);
  return named;
}

void check_names(std::span<const Specification* const> specs, const std::string& word,
                 const char* option) {
  for (const Specification* spec : specs)
    if (std::ranges::any_of(spec->clauses, [&](const Clause& each) { return names(word, each); }))
      return;
  const bool pattern = is_pattern(word);
  std::set<std::string> known;
  for (const Specification* spec : specs)
    for (const Clause& clause : spec->clauses)
      if (pattern) {
        add_families(clause.id, known);
      } else {
        known.emplace(clause.id);
        known.emplace(clause.section);
      }
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  throw CLI::ValidationError(
      option, std::format("{} \"{}\"{}", pattern ? "no clause matches" : "no clause or section",
                          word, did_you_mean(word, candidates)));
}

}  // namespace hepcheck::cli
