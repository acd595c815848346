// hepcheck explain: one clause, with an example and how to mend it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <print>

#include "validator/catalogue/ambiguity.h"
#include "validator/catalogue/explanation.h"
#include "validator/cli/commands.h"
#include "validator/cli/specifications.h"
#include "validator/cli/suggest.h"

namespace hepcheck::cli {

namespace {

constexpr std::size_t kWidth = 96;

// Folded at spaces and indented.
void paragraph(std::string_view title, std::string_view text) {
  if (text.empty()) return;
  std::println("\n{}", title);
  while (!text.empty()) {
    std::size_t end = text.size();
    if (end > kWidth) {
      end = text.rfind(' ', kWidth);
      if (end == text.npos) end = std::min(text.find(' '), text.size());
    }
    std::println("  {}", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void block(std::string_view title, std::string_view text) {
  if (text.empty()) return;
  std::println("\n{}", title);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::println("    {}", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string why(const Clause& clause, const Explanation& more) {
  if (clause.level == Level::kMay)
    return "It is allowed, so readers and validators must be ready for it and may not complain.";
  return std::string(more.why);
}

// What is to be said about clauses that have no example of their own.
std::string without_example(const Clause& clause) {
  if (!clause.emitted_as.empty())
    return "A file cannot show this apart from " + std::string(clause.emitted_as.front()) +
           ": see hepcheck explain " + std::string(clause.emitted_as.front()) + ".";
  if (clause.subject != Subject::kFile)
    return "No file shows whether it is kept: it binds the programs that " +
           std::string(clause.subject == Subject::kProducer ? "write" : "read") + " tables.";
  return "Nothing to mend. hepcheck fixtures show " + std::string(clause.id) +
         " names files that do this.";
}

void print_text(const Specification& spec, const Clause& clause, const Explanation& more) {
  std::println(
      "{}\n  section {}, {}, binds {}; a breach is {}", clause.id, clause.section,
      to_string(clause.level),
      clause.subject == Subject::kFile ? "files" : std::string(to_string(clause.subject)) + "s",
      clause.default_severity == Severity::kNone ? "no finding"
                                                 : to_string(clause.default_severity));
  paragraph("What it says", clause.statement);
  paragraph("Why it matters", why(clause, more));
  paragraph("How it is checked", clause.check);
  paragraph("Reading taken", clause.notes);
  if (more.fixture.empty()) {
    paragraph("Example", without_example(clause));
  } else {
    block("Broken: " + std::string(more.shows), more.bad);
    block("Right", more.good);
    block("Mended with hepcheck", more.hepcheck);
    block("Mended with h5py", more.python);
    block("Mended in C (results unchecked, datatypes and dataspaces left open, for brevity)",
          more.c);
    std::println("\nThe broken file is {}; hepcheck fixtures export DIR writes it.", more.fixture);
  }
  for (const Ambiguity& ambiguity : ambiguities(spec))
    if (ambiguity.concerns(clause.id))
      paragraph("Open in the text (hepcheck clauses ambiguities): " + std::string(ambiguity.id),
                ambiguity.question);
  std::println("\nThe text: {}", spec.url);
}

void print_json(const Specification& spec, const Clause& clause, const Explanation& more) {
  nlohmann::ordered_json json{{"id", clause.id},
                              {"section", clause.section},
                              {"level", to_string(clause.level)},
                              {"subject", to_string(clause.subject)},
                              {"severity", to_string(clause.default_severity)},
                              {"statement", clause.statement},
                              {"why", why(clause, more)},
                              {"check", clause.check},
                              {"reading", clause.notes},
                              {"url", spec.url}};
  if (!more.fixture.empty())
    json["example"] = {{"fixture", more.fixture},
                       {"shows", more.shows},
                       {"bad", more.bad},
                       {"good", more.good},
                       {"hepcheck", more.hepcheck},
                       {"python", more.python},
                       {"c", more.c}};
  std::println("{}", json.dump(1));
}

}  // namespace

void add_explain(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("explain", "A clause, an example, and how to mend it");
  auto id = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("text");
  command->add_option("id", *id, "Clause id, as findings show it")->required()->type_name("ID");
  command->add_option("--format", *format, "Form of the answer")
      ->check(one_of({"text", "json"}))
      ->capture_default_str();
  auto named = std::make_shared<std::string>(kAutomatic);
  command
      ->add_option("--spec", *named,
                   "Revision of the specification; auto: the newest that has the clause")
      ->type_name("SPEC")
      ->capture_default_str();
  command->callback([id, format, named, &status] {
    Specifications specs = known_of(specifications_named({*named}));
    std::ranges::stable_partition(specs,
                                  [](const Specification* each) { return each->is_default; });
    const Clause& clause = clause_named(specs, *id, "explain");
    const Specification& spec = **std::ranges::find_if(
        specs, [&](const Specification* each) { return each->find(*id) == &clause; });
    (*format == "json" ? print_json : print_text)(spec, clause, *explanation(clause.id));
    status = 0;
  });
}

}  // namespace hepcheck::cli
