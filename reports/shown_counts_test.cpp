// Checks every report format at its limits: reports with as many findings, places, subjects, files
// or bytes as the format shows, one fewer and one more. The golden file has a digest of each text.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <format>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "reports/formats.h"
#include "reports/text.h"
#include "validator/format.h"
#include "validator/judge.h"
#include "validator/testing/golden_files.h"

namespace fs = std::filesystem;

namespace hepcheck::reports {
namespace {

// --- Parts of reports ---------------------------------------------------------------------------

// The mandatory clauses about files, and the others.
std::vector<const Clause*> clauses_of(const Specification& spec, bool mandatory) {
  std::vector<const Clause*> made;
  for (const Clause& clause : spec.clauses)
    if (clause.subject == Subject::kFile && clause.level != Level::kMay &&
        clause.mandatory() == mandatory)
      made.push_back(&clause);
  return made;
}

const Clause* must(std::size_t i) { return clauses_of(default_specification(), true).at(i); }
const Clause* should(std::size_t i) { return clauses_of(default_specification(), false).at(i); }

Finding finding(std::size_t i, Severity severity = Severity::kError) {
  return {.object = std::format("/t/c{}", i),
          .where = std::format("row {}", i),
          .observed = "3",
          .expected = "4",
          .hint = "Write 4.",
          .severity = severity};
}

// A clause with this many findings, which are alike at different places, or all different.
ClauseResult broken(const Clause* clause, std::size_t findings, bool alike = true,
                    Severity severity = Severity::kError) {
  ClauseResult made{.clause = clause, .verdict = Verdict::kFail, .severity = severity};
  for (std::size_t i = 0; i < findings; ++i) {
    made.findings.push_back(finding(i, severity));
    if (!alike) made.findings.back().observed = std::format("{}", 10 + i);
  }
  made.examined = findings;
  return made;
}

ClauseResult passed(const Clause* clause) {
  return {.clause = clause, .verdict = Verdict::kPass, .examined = 7};
}

ClauseResult unchecked(const Clause* clause, std::string reason) {
  return {.clause = clause, .verdict = Verdict::kNotChecked, .reason = std::move(reason)};
}

SubjectReport subject(std::string path, std::vector<ClauseResult> results,
                      const Specification& spec = default_specification()) {
  SubjectReport made{
      .kind = std::string(format_of(spec).subject), .path = std::move(path), .spec = &spec};
  for (const FigureWords& words : format_of(spec).figures)
    made.figures.push_back(
        {std::string(words.key), words.key == format_of(spec).parts ? 0u : 12345u});
  made.clauses = ClauseResults(std::move(results));
  decide(made, {});
  if (made.verdict == SubjectVerdict::kUnchecked) made.reason = "a clause was not checked";
  return made;
}

Report of(std::vector<FileReport> files) {
  return {.hepcheck = "1.2.3", .spec = &default_specification(), .files = std::move(files)};
}

Report of(SubjectReport only) { return of({{.path = "a.h5", .subjects = {std::move(only)}}}); }

Report of(std::vector<ClauseResult> results) { return of(subject("/t", std::move(results))); }

// --- Boundaries ----------------------------------------------------------------------------------

using Make = std::function<Report(std::size_t)>;

struct Boundary {
  std::string name{};
  std::vector<std::size_t> sizes{};
  Make make{};
  bool in_all_forms = false;  // also in formats without any limit
};

Report findings(std::size_t n, bool alike) { return of({broken(must(0), n, alike)}); }

Report broken_clauses(std::size_t n, Severity severity) {
  std::vector<ClauseResult> results;
  for (std::size_t i = 0; i < n; ++i) results.push_back(broken(must(i), 1, true, severity));
  return of(std::move(results));
}

Report advice(std::size_t n) {
  std::vector<ClauseResult> results;
  for (std::size_t i = 0; i < n; ++i)
    results.push_back(broken(should(i), 1, true, Severity::kInfo));
  SubjectReport made = subject("/t", std::move(results));
  decide(made, {.fail_on_should = true});
  return of(std::move(made));
}

// Of two clauses, in addition to a violated one.
Report advice_beside_an_error(std::size_t n) {
  return of({broken(must(0), 1), broken(should(0), n - 1, true, Severity::kInfo),
             broken(should(1), 1, true, Severity::kInfo)});
}

// In addition to a violated clause, which blocks all of them.
Report unchecked_clauses(std::size_t n) {
  std::vector<ClauseResult> results{broken(must(0), 1)};
  for (std::size_t i = 1; i <= n; ++i) {
    results.push_back(unchecked(must(i), "another is broken"));
    results.back().blocked_by = {must(0)};
  }
  results.push_back(unchecked(must(n + 1), "for a reason of its own"));
  return of(std::move(results));
}

Report suppressed(std::size_t n) {
  ClauseResult result = broken(must(0), n > 1 ? 1 : 0);
  result.suppressed = n;
  return of({std::move(result)});
}

// Subjects of suites: their clauses are not about files.
Report of_programs(std::size_t n) {
  std::vector<ClauseResult> results;
  for (const Subject asked : {Subject::kProducer, Subject::kConsumer})
    for (const Clause& clause : default_specification().clauses)
      if (clause.subject == asked && results.size() < n)
        results.push_back(results.size() % 2 == 0 ? broken(&clause, 2) : passed(&clause));
  SubjectReport made = subject("reader", std::move(results));
  made.kind = "program";
  return of(std::move(made));
}

// Known or new findings.
Report of_the_baseline(std::size_t n) {
  std::vector<ClauseResult> results{broken(must(0), 3, false), broken(must(1), 2),
                                    broken(must(2), 1),
                                    broken(should(0), 2, false, Severity::kInfo)};
  for (ClauseResult& result : results)
    for (std::size_t i = 0; i < result.findings.size(); ++i) result.findings[i].known = i < n;
  results[2].suppressed = 4;
  results[2].suppressed_known = n > 1;
  Report report = of(std::move(results));
  report.compared = true;
  for (std::size_t i = 0; i < n; ++i)
    report.gone.push_back(
        {.file = "b.h5", .subject = "/t", .clause = std::string(must(i)->id), .object = "/t/c"});
  return report;
}

Report subjects(std::size_t n, bool fail) {
  std::vector<SubjectReport> made;
  for (std::size_t i = 0; i < n; ++i)
    made.push_back(
        subject(std::format("/t{}", i), {fail ? broken(must(i % 3), 1 + i % 2) : passed(must(0))}));
  return of({{.path = "a.h5", .subjects = std::move(made)}});
}

// Every verdict and claim, this many of each.
Report claims(std::size_t n) {
  std::vector<FileReport> files;
  for (std::size_t i = 0; i < n; ++i) {
    SubjectReport refused = subject("/refused", {unchecked(must(0), "another revision")});
    refused.verdict = SubjectVerdict::kUnsupported;
    refused.reason = "another revision";
    ClauseResult skipped = unchecked(must(1), "left out by --skip");
    skipped.left_out = LeftOut::kSkip;
    SubjectReport scoped = subject("/scoped", {passed(must(0))});
    scoped.scope = {"integer", "float"};
    files.push_back(
        {.path = std::format("f{}.h5", i),
         .subjects = {subject("/good", {passed(must(0))}), std::move(refused), std::move(scoped),
                      subject("/open", {unchecked(must(0), "it cannot be read")}),
                      subject("/accepted", {passed(must(0)), std::move(skipped)}),
                      subject("/bad", {broken(must(0), 2), passed(must(1))}),
                      subject("/warned", {broken(must(0), 1, true, Severity::kWarning)}),
                      subject("/advised", {broken(should(0), 1, true, Severity::kInfo)})}});
  }
  return of(std::move(files));
}

Report one_claim(std::size_t n) {
  Report report = claims(1);
  report.files[0].subjects = {report.files[0].subjects.at(n)};
  return report;
}

Report scoped(std::size_t n) {
  std::vector<SubjectReport> made;
  for (std::size_t i = 0; i < n; ++i) {
    made.push_back(subject(std::format("/s{}", i), {passed(must(0))}));
    made.back().scope = i < 2 ? std::vector<std::string>{"integer"} : std::vector<std::string>{};
  }
  return of({{.path = "a.h5", .subjects = std::move(made)}});
}

// The same clause, with a higher severity in the nth subject than in the others.
Report graver(std::size_t n) {
  std::vector<SubjectReport> made;
  for (std::size_t i = 0; i < 3; ++i)
    made.push_back(
        subject(std::format("/t{}", i),
                {broken(must(0), 1, true, i == n ? Severity::kError : Severity::kWarning),
                 broken(must(1), 1, true, i == n ? Severity::kWarning : Severity::kInfo)}));
  return of({{.path = "a.h5", .subjects = std::move(made)}});
}

// A report on several specifications, with the same path in each.
Report specifications(std::size_t n) {
  Report report = of({{.path = "a.h5"}});
  for (const Specification& spec : all_specifications()) {
    if (report.files[0].subjects.size() == n) break;
    report.files[0].subjects.push_back(
        subject("/t", {broken(clauses_of(spec, true).at(0), 1)}, spec));
  }
  return report;
}

Report good_files(std::size_t n) {
  std::vector<FileReport> files;
  for (std::size_t i = 0; i < n; ++i)
    files.push_back({.path = std::format("f{}.h5", i),
                     .stamp = FileStamp{.bytes = 1 + i * 1234567, .sha256 = "0a1b"},
                     .subjects = {subject("/t", {passed(must(0))})}});
  Report report = of(std::move(files));
  report.stamped = true;
  report.date = "2026-06-16T12:00:00Z";
  return report;
}

Report files_without(std::size_t n) {
  std::vector<FileReport> files;
  for (std::size_t i = 0; i < n; ++i) files.push_back({.path = std::format("f{}.h5", i)});
  return of(std::move(files));
}

// With equal errors, or with a different error each.
Report files_in_trouble(std::size_t n, bool alike) {
  std::vector<FileReport> files;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string path = std::format("f{}.h5", i);
    files.push_back(
        {.path = path, .error = Error{path, alike ? "damaged" : std::format("damaged {}", i)}});
  }
  return of(std::move(files));
}

Report unreadable_objects(std::size_t n, bool subject_too) {
  FileReport file{.path = "a.h5"};
  for (std::size_t i = 0; i < n; ++i)
    file.unreadable.push_back({std::format("/o{}", i), i < 2 ? "odd" : std::format("odd {}", i)});
  if (subject_too) file.subjects = {subject("/t", {passed(must(0))})};
  return of({std::move(file)});
}

const Specification& with_question() {
  return *std::ranges::find_if(all_specifications(), [](const Specification& spec) {
    return !format_of(spec).question.empty();
  });
}

Report answers(std::size_t n) {
  SubjectReport made = subject("/", {}, with_question());
  for (std::size_t i = 0; i < n; ++i)
    made.parts.push_back({.name = std::format("/p{}", i), .answer = i % 2 == 0 ? "yes" : "no"});
  made.parts.push_back({.name = "/not-asked"});
  return of(std::move(made));
}

Report reasons(std::size_t n) {
  SubjectReport made = subject("/", {}, with_question());
  Part part{.name = "/p", .answer = "no"};
  for (std::size_t i = 0; i < n; ++i) {
    part.reasons.push_back(std::format("reason-{}", i));
    part.labels.push_back(std::format("label {}", i));
  }
  made.parts.push_back(std::move(part));
  made.notes.assign(n, "a note");
  return of(std::move(made));
}

// Figures that are known for all, some or none of the subjects.
Report figures(std::size_t n) {
  std::vector<SubjectReport> made;
  for (std::size_t i = 0; i < 3; ++i) {
    made.push_back(subject(std::format("/t{}", i), {passed(must(0))}));
    for (std::size_t f = 0; f < made.back().figures.size(); ++f)
      made.back().figures[f].value =
          i < n ? std::optional<std::uint64_t>(999 * (i + 1) + f) : std::nullopt;
    Part part{.name = "c"};
    for (const FigureWords& words : format_of(default_specification()).part_figures)
      part.figures.push_back({std::string(words.key), 500'000 * i});
    made.back().parts = {part, part};
  }
  return of({{.path = "a.h5", .subjects = std::move(made)}});
}

// Figures under keys that a part, a map or a level already has: a worker may be malicious.
Report figures_named_alike(std::size_t) {
  SubjectReport made = subject("/t", {passed(must(0))});
  const std::vector<Figure> figures{{"name", 1}, {"kind", 2}, {"path", 3}, {"maps", 4}, {"own", 5}};
  made.parts = {{.name = "c",
                 .type = "int8",
                 .figures = figures,
                 .strips = {{.kind = "BITMAP", .path = "/t/b", .marks = figures}},
                 .layers = {{.kind = "OFFSETS", .path = "/t/c/o", .figures = figures}}}};
  return of(std::move(made));
}

Report compared(std::size_t n) {
  Report report = of({broken(must(0), 1)});
  report.against = {.earlier = "old.json", .still = n};
  for (std::size_t i = 0; i < n; ++i)
    for (auto* list : {&report.against->fresh, &report.against->gone})
      list->push_back({.file = "a.h5",
                       .subject = "/t",
                       .clause = std::string(must(0)->id),
                       .object = std::format("/t/c{}", i)});
  report.compared = true;
  report.gone = report.against->gone;
  return report;
}

Report settings(std::size_t n) {
  Report report = of({passed(must(0))});
  Settings made{.file = "hepcheck.toml"};
  for (std::size_t i = 0; i < n; ++i) {
    made.paths.push_back(std::format("data/run {}.h5", i));
    made.relaxed.push_back({.setting = "skip", .clause = "class-value", .value = "an old writer"});
  }
  report.settings = {{.file = "other.toml"}, std::move(made)};
  return report;
}

// Texts of this many bytes.
Report long_text(std::size_t n) {
  ClauseResult result = broken(must(0), 1);
  result.findings[0].observed = std::string(n, 'x');
  return of({std::move(result), broken(must(1), 1)});
}

Report long_troubles(std::size_t n) {
  Report report = files_in_trouble(n / 100, false);
  for (FileReport& file : report.files) file.error->cause += std::string(n % 100, 'x');
  return report;
}

// This many specifications, each with a few files with long names.
Report shared_troubles(std::size_t n) {
  Report report = files_in_trouble(30 * n, true);
  for (std::size_t i = 0; i < report.files.size(); ++i) {
    FileReport& file = report.files[i];
    file.path += std::string(90, 'x');
    file.error = Error{file.path, std::format("damaged {}", i % n)};
  }
  return report;
}

// A hundred clauses of the catalogues, starting at the nth hundred, each violated in a different
// way.
Report clauses_by_the_hundred(std::size_t n) {
  std::vector<SubjectReport> made;
  std::size_t at = 0;
  for (const Specification& spec : all_specifications()) {
    std::vector<ClauseResult> results;
    for (const bool mandatory : {true, false})
      for (const Clause* clause : clauses_of(spec, mandatory))
        if (at++ / 100 == n)
          results.push_back(broken(clause, 1 + at % 2, at % 3 == 0,
                                   mandatory ? Severity::kError : Severity::kWarning));
    if (!results.empty()) made.push_back(subject("/t", std::move(results), spec));
  }
  return of({{.path = "a.h5", .subjects = std::move(made)}});
}

// Names and values that have a meaning in a format, a terminal or a CI log.
Report odd_texts(std::size_t n) {
  constexpr const char* kTexts[] = {"",           " ",
                                    " a ",        "a`b`",
                                    "a|b",        "<b>&\"'",
                                    "[a](b)",     "{{0}}",
                                    "::error::x", "##[group]",
                                    "%0A",        "a,b=c:d",
                                    "\\n",        "\n\r\t",
                                    "\x1b[31m",   "\xff\xfe",
                                    "\u202e",     "\u00e9\u20ac\U0001f600",
                                    "]]>",        "/",
                                    "a//b",       "https://example.org/?a=b&c#d",
                                    "@user #1"};
  const std::string text = kTexts[n];
  const std::vector<const Clause*> clauses = clauses_of(with_question(), true);
  ClauseResult result = broken(clauses.at(0), 1);
  result.findings = {{.object = text,
                      .attribute = text,
                      .where = text,
                      .observed = text,
                      .expected = text,
                      .hint = text,
                      .witness = text}};
  SubjectReport made =
      subject(text, {std::move(result), unchecked(clauses.at(1), text)}, with_question());
  made.notes = {text};
  made.scope = {"integer"};
  made.parts = {{.name = text, .type = text, .labels = {text}, .answer = text, .reasons = {text}}};
  Report report = of({{.path = text, .unreadable = {{text, text}}, .subjects = {std::move(made)}},
                      {.path = text + "2", .error = Error{text + "2", text}}});
  report.settings = {{.file = text, .paths = {text}, .relaxed = {{"skip", text, text}}}};
  report.stamped = true;
  report.date = "2026-06-16T12:00:00Z";
  report.options = {text};
  report.against = {.earlier = text, .fresh = {{.file = text, .subject = text, .clause = "c"}}};
  return report;
}

std::vector<Boundary> boundaries() {
  const auto with = [](auto make, auto arg) {
    return [make, arg](std::size_t n) { return make(n, arg); };
  };
  return {
      {"findings-alike", {1, 2, 3, 4, 5, 6, 7, 303, 304}, with(findings, true)},
      {"findings-of-their-own", {3, 4, 5, 6, 7, 302, 303, 304, 305}, with(findings, false)},
      {"broken-clauses", {1, 2, 5, 6, 7}, with(broken_clauses, Severity::kError)},
      {"warnings", {1, 2}, with(broken_clauses, Severity::kWarning)},
      {"advice", {1, 2}, advice},
      {"advice-beside-an-error", {2, 3, 4, 5}, advice_beside_an_error},
      {"unchecked-clauses", {0, 1, 7, 8, 9, 29, 30, 31}, unchecked_clauses},
      {"suppressed", {1, 2, 1000}, suppressed, true},
      {"of-programs", {1, 2, 100}, of_programs, true},
      {"of-the-baseline", {0, 1, 2, 3}, of_the_baseline, true},
      {"subjects-passing", {1, 2, 19, 20, 21, 200, 201, 202}, with(subjects, false)},
      {"subjects-failing", {2, 20, 21, 201, 400}, with(subjects, true)},
      {"claims", {1, 2}, claims},
      {"one-claim", {0, 1, 2, 3, 4, 5, 6, 7}, one_claim, true},
      {"scoped", {2, 3}, scoped, true},
      {"graver", {0, 1, 2}, graver, true},
      {"specifications", {1, 2, 3, 4}, specifications, true},
      {"good-files", {1, 2, 5, 6, 600}, good_files},
      {"files-without", {1, 2, 3, 4}, files_without},
      {"files-in-trouble",
       {1, 2, 3, 4, 50, 51, 52, 1000, 1001, 1002},
       with(files_in_trouble, true)},
      {"files-each-in-trouble", {2, 3, 4}, with(files_in_trouble, false)},
      {"shared-troubles", {1, 2, 3, 4, 5}, shared_troubles},
      {"unreadable-objects", {1, 2, 3, 4}, with(unreadable_objects, false)},
      {"unreadable-beside-a-subject", {1, 2, 3}, with(unreadable_objects, true)},
      {"answers", {0, 1, 99, 100, 101, 102}, answers},
      {"reasons", {0, 1, 3, 4, 5, 6}, reasons},
      {"figures", {0, 1, 2, 3}, figures, true},
      {"figures-named-alike", {1}, figures_named_alike, true},
      {"compared", {0, 1, 2, 999, 1000, 1001, 1002}, compared},
      {"settings", {0, 1, 1500}, settings},
      {"clauses-by-the-hundred", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, clauses_by_the_hundred, true},
      {"odd-texts",
       {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22},
       odd_texts,
       true}};
}

// --- Golden files --------------------------------------------------------------------------------

using Texts = std::map<std::string, std::string>;  // by the name of the format

// These formats show everything.
bool has_limits(std::string_view form) {
  return !std::ranges::contains(
      std::array{"json", "json-findings", "ndjson", "sarif", "junit-clauses", "gitlab", "earl"},
      form);
}

// Without the explanations of all clauses.
std::string without_help(const std::string& sarif) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(sarif);
  for (auto& rule : json["runs"][0]["tool"]["driver"]["rules"]) rule.erase("help");
  return json.dump(1);
}

Texts texts_of(const Report& report, bool in_all_forms) {
  Texts made;
  for (const Form& form : all_forms()) {
    if (!in_all_forms && !has_limits(form.name)) continue;
    std::ostringstream out;
    form.write(out, report);
    std::string text = std::move(out).str();
    made[std::string(form.name)] = form.name == "sarif" ? without_help(text) : std::move(text);
  }
  for (const auto& [name, style] :
       {std::pair("terminal", TextStyle{.colour = true, .terminal = true}),
        {"terminal-verbose", {.terminal = true, .verbose = true}},
        {"text-verbose", {.verbose = true}}}) {
    std::ostringstream out;
    write_text(out, report, style);
    made[name] = std::move(out).str();
  }
  return made;
}

// A line for each text, with digests.
std::string line_of(const std::string& name, const Texts& texts) {
  std::string line = name + ':';
  for (const auto& [form, text] : texts)
    line += std::format(" {} {}", form, golden::sha256_of(text).substr(0, 8));
  return line + '\n';
}

// Writes the reports that differ to the directory `borders`, next to the digests.
void expect_golden(const std::string& file, const std::map<std::string, Texts>& all) {
  std::string is;
  for (const auto& [name, texts] : all) is += line_of(name, texts);
  const std::string name = "reports/golden/" + file;
  EXPECT_TRUE(golden::equals(is, name));
  const std::string was = golden::file_text(fs::path(HEPCHECK_SOURCE) / name);
  if (is == was) return;
  const fs::path folder = fs::absolute("borders");
  fs::create_directory(folder);
  for (const auto& [border, texts] : all) {
    if (was.contains(line_of(border, texts))) continue;
    for (const auto& [form, text] : texts)
      std::ofstream(folder / (border + '.' + form), std::ios::binary) << text;
    ADD_FAILURE() << border << " differs; the new text is in " << folder;
  }
}

TEST(FormatsAtBoundaries, EqualTheGoldenFile) {
  std::map<std::string, Texts> all;
  for (const Boundary& boundary : boundaries())
    for (const std::size_t size : boundary.sizes)
      all[std::format("{}-{:04}", boundary.name, size)] =
          texts_of(boundary.make(size), boundary.in_all_forms || size == boundary.sizes.back());
  expect_golden("borders.txt", all);
}

std::string written(std::string_view form, const Report& report) {
  std::ostringstream out;
  find_form(form)->write(out, report);
  return std::move(out).str();
}

// A comment on a pull request and a case for a service, both at their maximum length.
TEST(FormatsAtBoundaries, OfBytesEqualTheGoldenFile) {
  std::map<std::string, Texts> all;
  const auto add = [&](const std::string& name, std::string_view form, const Report& report) {
    all[name][std::string(form)] += written(form, report);
  };
  for (std::size_t n = 0; n < 1600; n += 20) {
    add("text-of-a-page", "markdown", long_text(63'000 + n));
    add("troubles-of-a-page", "markdown", long_troubles(4000 + n * 8));
  }
  for (std::size_t n = 5000; n < 6200; ++n) add("text-of-a-case", "junit", long_text(n));
  for (const std::size_t n : {20u, 60u, 61u, 62u, 63u, 64u, 65u, 400u, 2000u})
    add("places-of-a-page", "markdown", compared(n));
  expect_golden("borders-of-bytes.txt", all);
}

// A full page says so, and is never longer than the maximum length of a comment.
TEST(FormatsAtBoundaries, PageFitsIntoAComment) {
  for (std::size_t n = 100; n < 66'000; n += 250) {
    Report report = compared(1500);
    report.files = long_text(n).files;
    report.settings = settings(n / 1000).settings;
    const std::string text = written("markdown", report);
    ASSERT_LE(text.size(), 65'536u) << n;
    ASSERT_TRUE(text.ends_with(std::format("hepcheck 1.2.3, {}\n", report.spec->id))) << n;
  }
}

}  // namespace
}  // namespace hepcheck::reports
