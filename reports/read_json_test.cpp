// JSON reports with one value replaced: the error message, or the resulting report, equals the
// golden file.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <format>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "reports/json.h"
#include "validator/catalogue/risk.h"
#include "validator/format.h"
#include "validator/judge.h"
#include "validator/testing/golden_files.h"

namespace fs = std::filesystem;

namespace hepcheck::reports {
namespace {

using Json = nlohmann::ordered_json;

// --- A report with all possible contents ---------------------------------------------------------

SubjectReport full_subject(const Specification& spec) {
  SubjectReport made{.kind = "program", .path = "/t", .spec = &spec};
  made.choice = {.by = ChosenBy::kSign, .sign = "an attribute", .path = "/t/a"};
  made.scope = {"integer"};
  made.notes = {"a note"};
  made.layout = ByteMap{.size = 10, .kinds = {"metadata", "raw data"}, .bytes = {1, 2, 3, 4}};
  const Format& format = format_of(spec);
  for (const FigureWords& words : format.figures)
    made.figures.push_back({std::string(words.key), words.key == format.parts ? 1u : 7u});
  made.parts = {
      {.name = "c",
       .type = "int32",
       .figures = {{"extent", 4}, {"chunks", {}}},
       .labels = {"a label"},
       .missing = {.rows_per_cell = 2, .missing = {1, 0}},
       .strips = {{.kind = "MAP",
                   .path = "/m",
                   .state = "stale",
                   .compared = true,
                   .reason = "why",
                   .unit = "chunk",
                   .differences = Spread::of(2, {{0, 1}, {4, 2}}),
                   .marks = {{"mark", 3}}}},
       .layers = {{.kind = "list", .path = "/l", .figures = {{"nulls", 2}}, .reason = "r"}},
       .answer = format.question.empty() ? "" : "no",
       .reasons = {"a-reason"}}};
  const auto clause = [&](std::size_t i) {
    std::size_t n = 0;
    for (const Clause& each : spec.clauses)
      if (each.subject == Subject::kFile && each.mandatory() && n++ == i) return &each;
    return static_cast<const Clause*>(nullptr);
  };
  made.clauses = ClauseResults({
      {.clause = clause(0),
       .verdict = Verdict::kFail,
       .severity = Severity::kError,
       .examined = 3,
       .findings = {{.object = "/t/c",
                     .attribute = "a",
                     .where = "row 1",
                     .observed = "3",
                     .expected = "4",
                     .hint = "Write 4.",
                     .witness = "a query",
                     .more = 2,
                     .severity = Severity::kError,
                     .known = true}},
       .suppressed = 5,
       .suppressed_known = true},
      {.clause = clause(1),
       .verdict = Verdict::kFail,
       .severity = Severity::kInfo,
       .examined = 1,
       .findings = {{.object = "/t/c", .severity = Severity::kInfo}},
       .lowered = true},
      {.clause = clause(2),
       .verdict = Verdict::kNotChecked,
       .reason = "another is broken",
       .blocked_by = {clause(0)},
       .reason_known = true},
      {.clause = clause(3),
       .verdict = Verdict::kNotChecked,
       .reason = "left out",
       .left_out = LeftOut::kSkip},
      {.clause = clause(4),
       .verdict = Verdict::kNotChecked,
       .reason = "left out",
       .left_out = LeftOut::kDepth},
      {.clause = clause(5), .verdict = Verdict::kPass, .examined = 2},
      {.clause = clause(6), .verdict = Verdict::kNotApplicable},
      {.clause = clause(7),
       .verdict = Verdict::kFail,
       .severity = Severity::kWarning,
       .examined = 1,
       .findings = {{.object = "/t/c", .severity = Severity::kWarning}}},
  });
  decide(made, {});
  made.reason = "a reason";
  return made;
}

Report full_report() {
  Report report{.hepcheck = "1.2.3", .spec = &default_specification()};
  report.stamped = true;
  report.date = "2026-06-16T12:00:00Z";
  report.options = {"--depth full"};
  report.settings = {
      {.file = "hepcheck.toml", .paths = {"a.h5"}, .relaxed = {{"levels", "", "info"}}}};
  for (const Specification& spec : all_specifications())
    if (&spec == report.spec || !format_of(spec).question.empty())
      report.files.push_back({.path = std::format("{}.h5", spec.id),
                              .stamp = FileStamp{.bytes = 4, .sha256 = "0a1b"},
                              .subjects = {full_subject(spec)}});
  const ClauseResults& results = report.files[0].subjects[0].clauses;
  report.settings[0].relaxed = {{"levels", std::string(results[1].clause->id), "info"},
                                {"skip", std::string(results[7].clause->id), "why"}};
  report.files.push_back({.path = "slow.h5",
                          .error = Error{"slow.h5", "the limit of time was reached"},
                          .stop = Stop{.cause = StopCause::kLimit,
                                       .name = "time",
                                       .stage = "opening",
                                       .object = "/o",
                                       .subject = "/s"},
                          .unreadable = {{"/u", "odd"}}});
  report.compared = true;
  const KnownFinding known{.file = "b.h5",
                           .subject = "/t",
                           .clause = "class-value",
                           .object = "/t",
                           .attribute = "CLASS",
                           .where = "row 3",
                           .more = 1,
                           .suppressed = 2,
                           .not_checked = "why"};
  report.gone = {known};
  report.against = {.earlier = "old.json", .fresh = {known}, .gone = {known}, .still = 5};
  return report;
}

std::string written(const Report& report) {
  std::ostringstream out;
  write_json(out, report);
  return std::move(out).str();
}

// --- Results of reading --------------------------------------------------------------------------

// For an accepted report, only a digest of the report written again.
std::string made_of(const Json& json) {
  const Result<Report> read = read_json(json.dump(), "r");
  if (!read) return read.error().text();
  return "taken, " + golden::sha256_of(written(*read)).substr(0, 8);
}

using Pointer = Json::json_pointer;

// Each kind of value once: its position, without the indices of elements.
void collect(const Json& json, const Pointer& at, const std::string& kind,
             std::map<std::string, Pointer>& into) {
  if (!kind.empty()) into.emplace(kind, at);
  if (json.is_object())
    for (const auto& [key, value] : json.items()) collect(value, at / key, kind + '/' + key, into);
  else if (json.is_array())
    for (std::size_t i = 0; i < json.size(); ++i) collect(json[i], at / i, kind + "/*", into);
}

// Words that have a meaning in some key.
constexpr const char* kWords[] = {
    "pass",     "fail",        "not-applicable", "not-checked", "unsupported",    "unchecked",
    "error",    "warning",     "info",           "none",        "skip",           "only",
    "depth",    "not",         "option",         "default",     "auto",           "signal",
    "limit",    "exit",        "MUST",           "SHOULD",      "not conformant", "conformant",
    "accepted", "not decided", "table"};

// The values that replace a value.
std::vector<Json> others(const Json& value) {
  std::vector<Json> made{nullptr,
                         true,
                         false,
                         -1,
                         0,
                         1,
                         3,
                         1.5,
                         UINT64_MAX,
                         "",
                         "x",
                         "a\\nb",
                         Json::array(),
                         Json::object(),
                         Json::array({nullptr}),
                         Json::array({"x"}),
                         Json::array({3}),
                         Json::array({5, 6}),
                         Json{{"x", 1}, {"y", 2}}};
  if (value.is_string() && std::ranges::contains(kWords, value.get<std::string>()))
    made.insert(made.end(), std::begin(kWords), std::end(kWords));
  if (value.is_string() && default_specification().find(value.get<std::string>()))
    made.insert(made.end(), {"class-value", "nrows-uint64", "title-utf8"});
  return made;
}

// "replacement, ...: result", a line for each result that differs.
std::string lines(const Json& whole, const std::string& kind, const Pointer& at) {
  std::vector<std::pair<std::string, std::string>> by_result;
  const auto add = [&](const std::string& what, const Json& json) {
    const std::string result = made_of(json);
    const auto same = std::ranges::find(by_result, result, [](auto& each) { return each.first; });
    if (same == by_result.end())
      by_result.emplace_back(result, what);
    else
      same->second += ' ' + what;
  };
  Json without = whole;
  Json& parent = without[at.parent_pointer()];
  if (parent.is_object())
    parent.erase(at.back());
  else
    parent.erase(std::stoul(at.back()));
  add("nothing", without);
  Json changed = whole;
  for (const Json& other : others(whole[at])) {
    changed[at] = other;
    add(other.dump(), changed);
  }
  if (const Json& value = whole[at]; value.is_array() && !value.empty()) {
    changed[at] = Json::array_t(value.rbegin(), value.rend());
    add("in reverse", changed);
    changed[at] = value;
    changed[at].push_back(value.front());
    add("one of them twice", changed);
  }
  std::string text = kind + '\n';
  for (const auto& [result, what] : by_result) text += std::format(" {}: {}\n", what, result);
  return text;
}

std::string all_lines() {
  const Json whole = Json::parse(written(full_report()));
  EXPECT_TRUE(read_json(whole.dump(), "r"));
  std::map<std::string, Pointer> values;
  collect(whole, Pointer(), "", values);
  std::string text;
  for (const auto& [kind, at] : values) text += lines(whole, kind, at);
  // As written by earlier versions.
  Json earlier = whole;
  earlier.erase("claim");
  for (Json& file : earlier["files"])
    for (Json& table : file["tables"]) {
      table.erase("claim");
      for (Json& clause : table["clauses"]) {
        for (const char* key : {"left_out_by", "lowered"}) clause.erase(key);
        for (Json& finding : clause["findings"]) {
          finding["hint"] = finding["fix"];
          finding.erase("fix");
        }
      }
    }
  return text + "as earlier versions wrote it\n " + made_of(earlier) + '\n';
}

// The risks that a report states are those of its findings, in their order.
TEST(ReadJson, RisksFollowFromTheFindings) {
  Report report = full_report();
  const Specification& spec = *report.files[0].subjects[0].spec;
  std::vector<ClauseResult> results;
  for (const Clause& each : spec.clauses)
    if (is_of_profile(each) && results.size() < 3)
      results.push_back({.clause = &each,
                         .verdict = results.size() == 2 ? Verdict::kPass : Verdict::kFail,
                         .severity = Severity::kInfo,
                         .examined = 1,
                         .findings = {}});
  ASSERT_EQ(results.size(), 3u);
  for (ClauseResult& each : results)
    if (each.verdict == Verdict::kFail)
      each.findings = {{.object = "/t", .observed = "o", .severity = Severity::kInfo}};
  const std::string first(results[0].clause->id), second(results[1].clause->id),
      third(results[2].clause->id);
  report.files[0].subjects[0].clauses = ClauseResults(std::move(results));
  const Json whole = Json::parse(written(report));
  const auto taken = [&](const std::vector<std::string>& risks) {
    Json changed = whole;
    changed["files"][0]["tables"][0]["risks"] = risks;
    return read_json(changed.dump(), "r").has_value();
  };
  EXPECT_EQ(whole["files"][0]["tables"][0]["risks"], Json({first, second}));
  EXPECT_TRUE(taken({first, second}));
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{second, first},
                                                {first, third},
                                                {third, second},
                                                {first},
                                                {},
                                                {first, first},
                                                {first, second, third}})
    EXPECT_FALSE(taken(wrong));
}

// As many as a picture has.
TEST(ReadJson, Cells) {
  for (const std::uint64_t cells : {ByteMap::kMostCells, ByteMap::kMostCells + 1}) {
    Report report = full_report();
    report.files[0].subjects[0].layout =
        ByteMap{.size = 10, .kinds = {"a"}, .bytes = std::vector<std::uint64_t>(cells, 1)};
    EXPECT_EQ(read_json(written(report), "r").has_value(), cells == ByteMap::kMostCells);
  }
}

TEST(ReadJson, InvalidReportsEqualTheGoldenFile) {
  EXPECT_TRUE(golden::equals(all_lines(), "reports/golden/reading.txt"));
}

}  // namespace
}  // namespace hepcheck::reports
