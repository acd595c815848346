// Text of the catalogue in Markdown, and the figures of programs.
#include <gtest/gtest.h>

#include <sstream>

#include "reports/formats.h"
#include "reports/suite_report.h"
#include "validator/format.h"

namespace hepcheck {
namespace {

TEST(Markdown, TextInBackticksIsNotEscaped) {
  const Clause& known = default_specification().clauses.front();
  Clause clause = known;
  clause.statement = "a_b `c_d*<e>` f*[g] `h|i` j\\k";
  SubjectReport subject{.kind = "table", .path = "/t", .spec = &default_specification()};
  subject.clauses =
      ClauseResults({{.clause = &clause,
                      .verdict = Verdict::kFail,
                      .examined = 1,
                      .findings = {{.object = "/t", .observed = "3", .expected = "4"}}}});
  Report report;
  report.files.push_back({.path = "a.h5", .subjects = {subject}});
  std::ostringstream out;
  reports::write_markdown(out, report);
  EXPECT_TRUE(out.str().contains("a\\_b `c_d*<e>` f\\*\\[g\\] `h|i` j\\\\k")) << out.str();
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
