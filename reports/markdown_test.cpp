// Text of the catalogue in Markdown, and the figures of programs.
#include <gtest/gtest.h>

#include <sstream>

#include "reports/formats.h"
#include "reports/suite_report.h"
#include "validator/format.h"
#include "validator/judge.h"

namespace hepcheck {
namespace {

// What Markdown says about a table that violates a clause.
std::string markdown_of(const char* id) {
  const Specification& spec = *find_specification("hep001-2026-07-09");
  SubjectReport subject{.kind = "table", .path = "/t", .spec = &spec};
  subject.clauses =
      ClauseResults({{.clause = spec.find(id),
                      .verdict = Verdict::kFail,
                      .examined = 1,
                      .findings = {{.object = "/t", .observed = "3", .expected = "4"}}}});
  decide(subject, {});
  Report report{.hepcheck = "1", .spec = &spec};
  report.files.push_back({.path = "a.h5", .subjects = {subject}});
  std::ostringstream out;
  reports::write_markdown(out, report);
  return out.str();
}

TEST(Markdown, TextInBackticksIsNotEscaped) {
  EXPECT_TRUE(markdown_of("column-units-vocabulary-scalar")
                  .contains(": If `units_vocabulary` on a column dataset"));
  EXPECT_TRUE(markdown_of("class-value").contains("exactly COLUMN\\_TABLE, case-sensitive"));
}

// Many tables that conform are folded.
TEST(Markdown, TwentyConformantTablesAreInSight) {
  const Specification& spec = *find_specification("hep001-2026-07-09");
  for (const std::size_t count : {1, 19, 20, 21, 40}) {
    Report report{.hepcheck = "1", .spec = &spec};
    for (std::size_t i = 0; i < count; ++i)
      report.files.push_back({.path = std::to_string(i) + ".h5",
                              .subjects = {{.kind = "table", .path = "/t", .spec = &spec}}});
    std::ostringstream out;
    reports::write_markdown(out, report);
    EXPECT_EQ(out.str().contains("<details>"), count > 20) << count << out.str();
  }
}

// The last line of a report on a program for which one clause fails for each of these reasons.
std::string summary(bool broken, bool advised, bool known) {
  const Specification& spec = default_specification();
  suite::SuiteReport report{
      .role = "reader", .program = "p", .spec = &spec, .files = 4, .requests = 5};
  const auto add = [&](bool mandatory, std::size_t skip) {
    for (const Clause& clause : spec.clauses)
      if (clause.subject == Subject::kConsumer && clause.mandatory() == mandatory &&
          clause.level != Level::kMay && skip-- == 0) {
        report.clauses.push_back({.clause = &clause,
                                  .verdict = Verdict::kFail,
                                  .examined = 1,
                                  .findings = {{.object = "f", .observed = "3"}}});
        return;
      }
  };
  if (broken) add(true, 0);
  if (advised) add(false, 0);
  if (known) {
    add(true, 1);
    report.known.push_back(
        {.clause = std::string(report.clauses.back().clause->id), .reason = "so"});
  }
  suite::apply_known(report);
  std::ostringstream out;
  suite::write(out, report, {});
  const std::string text = out.str();
  const std::size_t at = text.find("reader \"p\": ");
  return at == std::string::npos ? text : text.substr(at + 12, text.find(';', at) - at - 12);
}

TEST(SuiteSummary, NamesOnlyWhatThereIs) {
  const std::string rest = "0 passed, 0 not applicable, 0 not checked";
  EXPECT_EQ(summary(false, false, false), rest);
  EXPECT_EQ(summary(true, false, false), "1 FAILED, " + rest);
  EXPECT_EQ(summary(false, true, false), "1 recommendations not followed, " + rest);
  EXPECT_EQ(summary(false, false, true), "1 known failures, " + rest);
  EXPECT_EQ(summary(true, true, true),
            "1 FAILED, 1 recommendations not followed, 1 known failures, " + rest);
}

}  // namespace
}  // namespace hepcheck
