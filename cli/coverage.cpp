// hepcheck clauses coverage and page: how each clause is tested.
#include "cli/coverage.h"

#include <algorithm>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>
#include <print>
#include <sstream>

#include "conformance/accounting.h"
#include "conformance/suite/suites.h"
#include "validator/catalogue/ambiguity.h"
#include "validator/read_whole.h"

namespace hepcheck::cli {

namespace {

using conformance::Account;
using conformance::ClauseAccount;
using conformance::Fixture;

// The clauses that bind one kind of program, and those that the suites judge.
struct Programs {
  std::vector<std::string_view> judged{}, others{};
};

Programs programs(const Specification& spec, Subject subject) {
  const std::vector<std::string_view> checked = suite::judged_clauses(spec);
  Programs made;
  for (const Clause& clause : spec.clauses)
    if (clause.subject == subject)
      (std::ranges::contains(checked, clause.id) ? made.judged : made.others).push_back(clause.id);
  return made;
}

void print_programs(const Specification& spec) {
  for (const auto& [subject, role] :
       {std::pair{Subject::kProducer, "writer"}, {Subject::kConsumer, "reader"}}) {
    const Programs found = programs(spec, subject);
    const std::size_t all = found.judged.size() + found.others.size();
    if (found.judged.empty()) {
      std::println("Clauses on programs, {} clauses: {}", to_string(subject), all);
      continue;
    }
    std::println(
        "Clauses on programs, {} clauses: {}; hepcheck suite {} has specific checks for {}",
        to_string(subject), all, role, found.judged.size());
    for (const std::string_view id : found.others) std::println("  no specific check: {}", id);
  }
}

void print_text(const Account& account) {
  std::println("{:<36} {:<7} {:<10} {:<5} {:>5} {:>6}  {}", "ID", "SECTION", "LEVEL", "RULE",
               "VALID", "BROKEN", "KILL");
  for (const ClauseAccount& each : account.clauses) {
    if (!each.clause->file_checkable()) continue;
    std::println("{:<36} {:<7} {:<10} {:<5} {:>5} {:>6}  {}", each.clause->id, each.clause->section,
                 to_string(each.clause->level), each.rule ? "yes" : "no", each.valid.size(),
                 each.broken.size(), each.kill ? "yes" : "no");
  }
  const conformance::Counts counts = counts_of(account);
  std::println("\nClauses that a file can violate under their own id: {}", counts.checkable);
  for (const auto& [count, text] : {std::pair{counts.rule, "checked by a rule"},
                                    {counts.valid, "shown at an edge by a valid fixture"},
                                    {counts.broken, "violated by a fixture"},
                                    {counts.kill, "proven by switching the rule off"}})
    std::println("  {:<36} {:>4}  {:5.1f} %", text, count,
                 100.0 * static_cast<double>(count) / static_cast<double>(counts.checkable));
  std::println("Permissions (MAY), with a fixture that uses them: {} of {}", counts.accept.covered,
               counts.accept.total);
  std::println("Clauses reported under another id, with a fixture that shows it: {} of {}",
               counts.aliased.covered, counts.aliased.total);
  print_programs(*account.spec);
  std::println("Clauses in total: {}", account.clauses.size());
  for (const std::string& id : missing(account)) std::println("missing something: {}", id);
  for (const std::string& line : account.disagreements) std::println("disagrees: {}", line);
}

std::string link(const Fixture& fixture) {
  return std::format("[{0}](../fixtures/{1}/{0})", fixture.file, fixture.format);
}

std::string anchor(std::string_view id) { return std::format("[{}](#{})", id, id); }

void write_clause(std::ostream& out, const Specification& spec, const ClauseAccount& each) {
  const Clause& clause = *each.clause;
  out << "\n### " << clause.id << "\n\n"
      << to_string(clause.level) << ", section " << clause.section << ", about the "
      << to_string(clause.subject);
  if (clause.file_checkable())
    out << ", a finding is of severity " << to_string(clause.default_severity);
  out << ".\n\n" << clause.statement << "\n\n- Check: " << clause.check << "\n";
  if (!clause.emitted_as.empty()) {
    out << "- Reported as:";
    for (const std::string_view id : clause.emitted_as) out << " " << anchor(id);
    out << "\n";
  }
  if (!clause.notes.empty()) out << "- Reading: " << clause.notes << "\n";
  for (const Ambiguity& ambiguity : ambiguities(spec))
    if (ambiguity.concerns(clause.id)) out << "- Depends on: " << anchor(ambiguity.id) << "\n";
  for (const Fixture* fixture : each.valid)
    out << "- Holds: " << link(*fixture) << ": " << fixture->shows << "\n";
  for (const Fixture* fixture : each.broken)
    out << "- Broken: " << link(*fixture) << ": " << fixture->shows << "\n";
}

void write_ambiguity(std::ostream& out, const Specification& spec, const Ambiguity& ambiguity) {
  out << "\n### " << ambiguity.id << "\n\nSection " << ambiguity.section << ". "
      << ambiguity.question << "\n\n- Reading: " << ambiguity.reading
      << "\n- Alternative: " << ambiguity.alternative << "\n- Why: " << ambiguity.why
      << "\n- Effect: " << ambiguity.effect << "\n- Clauses:";
  for (const std::string_view id : ambiguity.clauses) out << " " << anchor(id);
  out << "\n";
  for (const Fixture& fixture : conformance::corpus_of(spec))
    if (fixture.ambiguity == ambiguity.id)
      out << "- Fixture: " << link(fixture) << ": " << fixture.shows << "\n";
}

std::string page(const Account& account) {
  std::ostringstream out;
  out << "# The clauses of " << account.spec->id << "\n\n"
      << "Generated by `hepcheck clauses page`; do not edit. " << account.clauses.size()
      << " clauses; the statements are paraphrases, only the specification is normative.\n"
      << "Where it is ambiguous or contradictory, the [ambiguities](#ambiguities) at the end of "
         "the\n"
      << "page state the interpretation.\n";
  std::string_view section;
  for (const ClauseAccount& each : account.clauses) {
    if (each.clause->section != section) {
      section = each.clause->section;
      out << "\n## Section " << section << "\n";
    }
    write_clause(out, *account.spec, each);
  }
  out << "\n## Ambiguities\n\nEach with the interpretation that the clauses use, the alternative, "
         "and the fixtures whose verdict\ndepends on it.\n";
  for (const Ambiguity& ambiguity : ambiguities(*account.spec))
    write_ambiguity(out, *account.spec, ambiguity);
  return out.str();
}

}  // namespace

int print_coverage(const Specification& spec, bool json) {
  const Account account = conformance::take_account(spec);
  if (!json) {
    print_text(account);
    return 0;
  }
  nlohmann::ordered_json made = to_json(account);
  for (const Subject subject : {Subject::kProducer, Subject::kConsumer}) {
    const Programs found = programs(spec, subject);
    made[std::string(to_string(subject))]["judged"] = found.judged.size();
    made[std::string(to_string(subject))]["not_judged"] = found.others;
  }
  std::cout << made.dump(1) << '\n';
  return 0;
}

int write_page(const Specification& spec, const std::string& check) {
  const std::string made = page(conformance::take_account(spec));
  if (check.empty()) {
    std::cout << made;
    return 0;
  }
  if (read_whole(check) == made) return 0;
  std::println(stderr, "hepcheck: {} is out of date: hepcheck clauses page > {}", check, check);
  return 1;
}

}  // namespace hepcheck::cli
