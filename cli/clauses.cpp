// hepcheck clauses: the catalogue in readable form.
#include <CLI/CLI.hpp>
#include <format>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <print>

#include "cli/commands.h"
#include "cli/coverage.h"
#include "cli/suggest.h"
#include "validator/catalogue/ambiguity.h"
#include "validator/format.h"

namespace hepcheck::cli {

namespace {

// How a clause is checked: the file of its rule, another clause, or not at all, because it binds
// programs.
std::string checked_by(const Specification& spec, const Clause& clause) {
  if (!clause.emitted_as.empty()) return "as " + std::string(clause.emitted_as.front());
  if (clause.subject != Subject::kFile) return "no file can show it";
  if (clause.level == Level::kMay) return "permitted; see fixtures";
  for (const RuleHead& rule : format_of(spec).rules())
    if (rule.clause == clause.id) return std::string(rule.file);
  return "nothing yet";
}

void list(const Specification& spec) {
  std::println("{:<36} {:<7} {:<10} {:<8} {:<8} {}", "ID", "SECTION", "LEVEL", "SUBJECT",
               "SEVERITY", "CHECKED BY");
  for (const Clause& clause : spec.clauses)
    std::println("{:<36} {:<7} {:<10} {:<8} {:<8} {}", clause.id, clause.section,
                 to_string(clause.level), to_string(clause.subject),
                 to_string(clause.default_severity), checked_by(spec, clause));
}

void paragraph(const char* title, std::string_view text) {
  if (!text.empty()) std::println("\n{}\n  {}", title, text);
}

void show(const Specification& spec, const std::string& id) {
  const Clause& clause = clause_named(spec, id, "clause");
  std::println("{}\n  section {}, {}, subject: {}, severity: {}, checked by: {}", clause.id,
               clause.section, to_string(clause.level), to_string(clause.subject),
               to_string(clause.default_severity), checked_by(spec, clause));
  paragraph("Requirement", clause.statement);
  paragraph("How it is checked", clause.check);
  paragraph("Valid edge case", clause.valid_case);
  if (!clause.broken_cases.empty()) {
    std::println("\nBroken by");
    for (const std::string_view broken : clause.broken_cases) std::println("  - {}", broken);
  }
  paragraph("Reading taken", clause.notes);
  bool first = true;
  for (const Ambiguity& ambiguity : ambiguities(spec))
    if (ambiguity.concerns(id)) {
      if (first) std::println("\nDepends on (hepcheck clauses ambiguities)");
      first = false;
      std::println("  - {}: {}", ambiguity.id, ambiguity.question);
    }
}

}  // namespace

void add_clauses(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("clauses", "List and show the clauses of a specification");
  command->require_subcommand(0, 1);
  auto spec = std::make_shared<std::string>(default_specification().id);
  command->add_option("--spec", *spec, "Revision of the specification")->capture_default_str();

  auto* list_command =
      command->add_subcommand("list", "List every clause, one per line (the default)");
  auto* show_command = command->add_subcommand("show", "Show one clause completely");
  auto* coverage = command->add_subcommand("coverage", "Show how each clause is tested");
  auto* ambiguities = command->add_subcommand(
      "ambiguities",
      "List ambiguities in the specification and the interpretation chosen for each");
  auto format = std::make_shared<std::string>("text");
  for (CLI::App* each : {coverage, ambiguities})
    each->add_option("--format", *format, "Output format")
        ->check(one_of({"text", "json"}))
        ->capture_default_str();
  auto* page = command->add_subcommand("page", "Print the page docs/clauses.md");
  auto check = std::make_shared<std::string>();
  page->add_option("--check", *check, "Compare with this file instead")->type_name("FILE");
  auto id = std::make_shared<std::string>();
  show_command->add_option("id", *id, "Clause id")->required()->type_name("ID");
  for (CLI::App* each : {list_command, show_command, coverage, ambiguities, page})
    each->fallthrough();  // --spec may be given in either place
  command->callback([=, &status] {
    status = 0;
    if (coverage->parsed())
      status = print_coverage(specification_named(*spec), *format == "json");
    else if (ambiguities->parsed())
      status = print_ambiguities(specification_named(*spec), *format == "json");
    else if (page->parsed())
      status = write_page(specification_named(*spec), *check);
    else if (show_command->parsed())
      show(specification_named(*spec), *id);
    else if (list_command->parsed() || command->get_subcommands().empty())
      list(specification_named(*spec));
  });
}

}  // namespace hepcheck::cli
