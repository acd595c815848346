#include "validator/formats/arrow/testing/judge.h"

#include <gtest/gtest.h>

#include <format>
#include <span>

#include "validator/examine_file.h"
#include "validator/formats/arrow/revision.h"

namespace hepcheck::arrow::testing {

namespace {

FileReport examined(const Bytes& input, const Specification& spec,
                    const FileOptions& options = {}) {
  FileReport report =
      examine_image(std::as_bytes(std::span(input)), "test.arrows", std::nullopt, &spec, options);
  EXPECT_FALSE(report.error);
  return report;
}

std::vector<ClauseResult> failures(const Bytes& input) {
  const FileReport report = examined(input, default_revision("arrow"));
  std::vector<ClauseResult> found;
  for (const SubjectReport& subject : report.subjects)
    for (const ClauseResult& result : subject.clauses)
      if (!result.findings.empty()) found.push_back(result);
  return found;
}

std::string result_in(const FileReport& report, std::string_view clause) {
  for (const SubjectReport& subject : report.subjects)
    for (const ClauseResult& result : subject.clauses) {
      if (result.clause->id != clause) continue;
      switch (result.verdict) {
        case Verdict::kPass: return std::format("pass {}", result.examined);
        case Verdict::kNotChecked: return "not checked: " + result.reason;
        case Verdict::kNotApplicable: return "not applicable";
        default: break;
      }
      const Finding& first = result.findings.front();
      return std::format("fail {}: {}", result.examined, first.observed) +
             (first.more > 0 ? std::format(" +{}", first.more) : "");
    }
  return "no such clause";
}

}  // namespace

std::vector<std::string> broken(const Bytes& input) {
  std::vector<std::string> ids;
  for (const ClauseResult& result : failures(input)) ids.emplace_back(result.clause->id);
  return ids;
}

std::string result_of(const Bytes& input, std::string_view spec, std::string_view clause,
                      const FileOptions& options) {
  return results_of(input, spec, {clause}, options).front();
}

std::vector<std::string> results_of(const Bytes& input, std::string_view spec,
                                    const std::vector<std::string_view>& clauses,
                                    const FileOptions& options) {
  const FileReport report = examined(input, *find_specification(spec), options);
  std::vector<std::string> all;
  for (const std::string_view clause : clauses) all.push_back(result_in(report, clause));
  return all;
}

std::vector<std::string> first_findings(const Bytes& input) {
  std::vector<std::string> all;
  for (const ClauseResult& result : failures(input)) {
    const Finding& first = result.findings.front();
    all.push_back(std::format("{}: {}", result.clause->id, first.observed));
    if (first.more > 0) all.back() += std::format(" +{}", first.more);
  }
  return all;
}

std::string sign_of_revision(const Bytes& input) {
  const FileOptions options;
  const auto bytes = hepcheck::Bytes::of_image(std::as_bytes(std::span(input)), "input");
  const Choice made = choose_revision(bytes, {.options = options}).choice;
  return made.sign + '|' + made.path;
}

}  // namespace hepcheck::arrow::testing
