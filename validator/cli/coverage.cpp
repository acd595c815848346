// hepcheck clauses coverage and page: what proves that every clause is checked.
#include "validator/cli/coverage.h"

#include <format>
#include <iostream>
#include <nlohmann/json.hpp>
#include <print>
#include <sstream>

#include "conformance/accounting.h"
#include "validator/catalogue/ambiguity.h"
#include "validator/read_whole.h"

namespace hepcheck::cli {

namespace {

using conformance::Account;
using conformance::ClauseAccount;
using conformance::Fixture;

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
  std::println("\nClauses that a file can break under their own id: {}", counts.checkable);
  for (const auto& [count, text] : {std::pair{counts.rule, "checked by a rule"},
                                    {counts.valid, "kept at an edge by a valid fixture"},
                                    {counts.broken, "broken by a fixture"},
                                    {counts.kill, "proven by switching the rule off"}})
    std::println("  {:<36} {:>4}  {:5.1f} %", text, count,
                 100.0 * static_cast<double>(count) / static_cast<double>(counts.checkable));
  std::println("Permissions (MAY), with a fixture that uses them: {} of {}", counts.accept.covered,
               counts.accept.total);
  std::println("Clauses reported under another id, with a fixture that shows it: {} of {}",
               counts.aliased.covered, counts.aliased.total);
  std::println("Left to programs: {} producer clauses, {} consumer clauses; {} clauses in all",
               counts.producer, counts.consumer, account.clauses.size());
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
    if (ambiguity.concerns(clause.id)) out << "- Hangs on: " << anchor(ambiguity.id) << "\n";
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
  for (const Fixture& fixture : conformance::corpus())
    if (fixture.spec == spec.id && fixture.ambiguity == ambiguity.id)
      out << "- Fixture: " << link(fixture) << ": " << fixture.shows << "\n";
}

std::string page(const Account& account) {
  std::ostringstream out;
  out << "# The clauses of " << account.spec->id << "\n\n"
      << "Made by `hepcheck clauses page`; do not edit. " << account.clauses.size()
      << " clauses; the statements are paraphrases, the specification alone is normative.\n"
      << "Where it is open or contradicts itself, the [ambiguities](#ambiguities) at the end of "
         "the\n"
      << "page say how it is read.\n";
  std::string_view section;
  for (const ClauseAccount& each : account.clauses) {
    if (each.clause->section != section) {
      section = each.clause->section;
      out << "\n## Section " << section << "\n";
    }
    write_clause(out, *account.spec, each);
  }
  out << "\n## Ambiguities\n\nEach with the reading that the clauses take, the one they do not, "
         "and the fixtures whose verdict\nhangs on it.\n";
  for (const Ambiguity& ambiguity : ambiguities(*account.spec))
    write_ambiguity(out, *account.spec, ambiguity);
  return out.str();
}

}  // namespace

int print_coverage(const Specification& spec, bool json) {
  const Account account = conformance::take_account(spec);
  if (json)
    std::cout << to_json(account).dump(1) << '\n';
  else
    print_text(account);
  return 0;
}

int write_page(const Specification& spec, const std::string& check) {
  const std::string made = page(conformance::take_account(spec));
  if (check.empty()) {
    std::cout << made;
    return 0;
  }
  if (read_whole(check) == made) return 0;
  std::println(stderr, "hepcheck: {} is not current: hepcheck clauses page > {}", check, check);
  return 1;
}

}  // namespace hepcheck::cli
