// hepcheck explain: clauses, each with an example and a fix.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <print>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/specifications.h"
#include "cli/suggest.h"
#include "validator/catalogue/ambiguity.h"
#include "validator/catalogue/explanation.h"
#include "validator/formats/hep001/repair/acts.h"

namespace hepcheck::cli {

namespace {

constexpr std::size_t kWidth = 96;
// Between clauses.
constexpr std::string_view kRule = "\n----------------------------------------\n\n";

void block(std::string_view title, std::string_view text, std::string_view indent = "    ") {
  if (text.empty()) return;
  std::println("\n{}", title);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::println("{}{}", indent, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void paragraph(std::string_view title, std::string_view text) {
  block(title, broken_at_words(text, kWidth), "  ");
}

// A permission needs none, regardless of similar clauses.
std::string_view fix(const Clause& clause, const Explanation& more) {
  return clause.level == Level::kMay ? std::string_view() : more.fix;
}

// The explanation of clauses without their own example.
std::string without_example(const Clause& clause) {
  if (!clause.emitted_as.empty())
    return "A file cannot show this separately from " + std::string(clause.emitted_as.front()) +
           ": see hepcheck explain " + std::string(clause.emitted_as.front()) + ".";
  if (clause.subject != Subject::kFile)
    return "No file shows whether this is satisfied: the clause binds the programs that " +
           std::string(clause.subject == Subject::kProducer ? "write" : "read") + " tables.";
  if (clause.level != Level::kMay) return "There is no example yet.";
  return "Nothing to fix. hepcheck fixtures show " + std::string(clause.id) +
         " lists files that use this permission.";
}

std::string_view words_of_repair(const Clause& clause) {
  const hep001::Repair* repair = hep001::find_repair(clause.id);
  return repair && clause.file_checkable() ? repair->words : std::string_view();
}

// The commands that fix the example.
std::string commands_of(const Clause& clause, const Explanation& more) {
  std::string text(more.hepcheck);
  if (words_of_repair(clause).empty()) return text;
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text + std::format("hepcheck repair events.h5:/events -o fixed.h5 --only {}", clause.id);
}

void print_text(const Specification& spec, const Clause& clause, const Explanation& more) {
  const std::string section =
      std::format("  section {} of {}, {},", clause.section, spec.id, to_string(clause.level));
  const std::string effect = std::format(
      "binds {}; a violation is {}",
      clause.subject == Subject::kFile ? "files" : std::string(to_string(clause.subject)) + "s",
      clause.default_severity == Severity::kNone ? "no finding"
                                                 : to_string(clause.default_severity));
  constexpr std::size_t kWidest = 100;
  const bool one_line = section.size() + 1 + effect.size() <= kWidest;
  std::println("{}\n{}{}{}", clause.id, section, one_line ? " " : "\n  ", effect);
  paragraph("Requirement", clause.statement);
  paragraph("Why it matters", more.why);
  paragraph("How it is checked", clause.check);
  paragraph("Reading taken", clause.notes);
  if (more.fixture.empty()) {
    paragraph("Example", without_example(clause));
  } else {
    if (more.bad.empty()) paragraph("Example", more.shows);
    block("Broken: " + std::string(more.shows), more.bad);
    block("Right", more.good);
  }
  paragraph("How to fix it", fix(clause, more));
  block("Fix with hepcheck", commands_of(clause, more));
  paragraph("What hepcheck repair does", words_of_repair(clause));
  block("Fix with h5py", more.python);
  block("Fix in C (error handling and closing of datatypes and dataspaces omitted)", more.c);
  paragraph("Side effects of the code", more.effects);
  if (!more.fixture.empty())
    std::println("\nThe broken file is {}; hepcheck fixtures export DIR writes it.", more.fixture);
  for (const Ambiguity& ambiguity : ambiguities(spec))
    if (ambiguity.concerns(clause.id))
      paragraph(
          "Ambiguous in the text (hepcheck clauses ambiguities): " + std::string(ambiguity.id),
          ambiguity.question);
  std::println("\nThe text: {}", spec.url);
}

nlohmann::ordered_json as_json(const Specification& spec, const Clause& clause,
                               const Explanation& more) {
  nlohmann::ordered_json json{{"id", clause.id},
                              {"spec", spec.id},
                              {"section", clause.section},
                              {"level", to_string(clause.level)},
                              {"subject", to_string(clause.subject)},
                              {"severity", to_string(clause.default_severity)},
                              {"statement", clause.statement},
                              {"why", more.why},
                              {"check", clause.check},
                              {"reading", clause.notes},
                              {"fix", fix(clause, more)},
                              {"url", spec.url}};
  if (const std::string_view words = words_of_repair(clause); !words.empty())
    json["repair"] = words;
  if (!more.fixture.empty())
    json["example"] = {{"fixture", more.fixture},   {"shows", more.shows},
                       {"bad", more.bad},           {"good", more.good},
                       {"hepcheck", more.hepcheck}, {"effects", more.effects},
                       {"python", more.python},     {"c", more.c}};
  else if (!more.python.empty())
    json["python"] = more.python;
  return json;
}

// For each format, the newest revision that contains the clause or section: section numbers differ
// between revisions.
Specifications speaking_of(const std::string& word, Specifications specs) {
  std::ranges::stable_partition(specs, &Specification::is_default);
  Specifications speaking;
  for (const Specification* spec : specs)
    if (!std::ranges::contains(speaking, spec->format, &Specification::format) &&
        !clauses_named(*spec, word).empty())
      speaking.push_back(spec);
  return speaking;
}

// Clauses that have no rule yet have no explanation either.
const Explanation& explanation_or_none(std::string_view clause) {
  static constexpr Explanation kNone = [] {
    Explanation none{};
    none.why =
        "This version of hepcheck has no rule for the clause: reports list it as not checked.";
    return none;
  }();
  const Explanation* found = explanation(clause);
  return found ? *found : kNone;
}

void explain(const std::string& word, const Specifications& specs, bool as_document) {
  check_names(specs, word, "explain");
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  std::string_view rule;
  bool only_one = false;
  for (const Specification* spec : speaking_of(word, specs))
    for (const Clause* clause : clauses_named(*spec, word)) {
      const Explanation& more = explanation_or_none(clause->id);
      only_one = clause->id == word;
      if (as_document) {
        all.push_back(as_json(*spec, *clause, more));
      } else {
        std::print("{}", rule);
        print_text(*spec, *clause, more);
        rule = kRule;
      }
    }
  if (as_document) std::println("{}", (only_one ? all.front() : all).dump(1));
}

}  // namespace

void add_explain(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("explain", "Explain clauses, each with an example and a fix");
  auto word = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("text");
  command
      ->add_option("clause", *word,
                   "A clause id, as shown in findings; a pattern such as 'bloom-*'; or a section "
                   "such as 7.3")
      ->required()
      ->type_name("CLAUSES");
  command
      ->add_option("--format", *format, "Output format; json: a list, unless the argument is an id")
      ->check(one_of({"text", "json"}))
      ->capture_default_str();
  auto named = std::make_shared<std::string>(kAutomatic);
  command
      ->add_option("--spec", *named,
                   "Revision of the specification; auto: for each format the newest that contains "
                   "the clause")
      ->type_name("SPEC")
      ->capture_default_str();
  command->callback([word, format, named, &status] {
    explain(*word, known_of(specifications_named({*named})), *format == "json");
    status = 0;
  });
}

}  // namespace hepcheck::cli
