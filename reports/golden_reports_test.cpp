// Checks every report format, over a few fixtures, against golden files; of a long report only a
// digest is in the golden file.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <format>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "reports/formats.h"
#include "reports/former.h"
#include "reports/json.h"
#include "reports/testing/written.h"
#include "reports/text.h"
#include "validator/examine_file.h"
#include "validator/format.h"
#include "validator/judge.h"
#include "validator/testing/golden_files.h"

namespace fs = std::filesystem;

namespace hepcheck::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLong = 40'000;  // bytes; of longer texts only a digest is stored

// A valid table, tables with one and several violations, a warning, an information, clauses that
// cannot be checked, levels, and the risk profile of a sound file.
struct Fixture {
  std::string_view spec, file;
};
constexpr Fixture kFixtures[] = {
    {"hep001-2026-07-09", "valid/10.1/any-dataset-name--misleading-names.h5"},
    {"hep001-2026-07-09", "invalid/10.2/no-back-pointer--source.h5"},
    {"hep001-2026-07-09", "invalid/10.5/sorted-fill-tail-placement--empty-strings.h5"},
    {"hep001-2026-07-09", "valid/12.1/list-tail-arbitrary--nrows-lowered.h5"},
    {"hep001-2026-07-09", "valid/8.4/independent-storage--virtual-dataset.h5"},
    {"hdf5-swmr-2013-10-10", "valid/6/swmr-chunk-decodes--library-earliest.h5"},
    {"arrow-columnar-1.0", "invalid/2.1/arrow-body-padded-to-8--next-buffer.arrows"},
    {"arrow-columnar-1.0", "invalid/2.8/arrow-fixed-size-list-size-not-negative--minus-1.arrows"},
    {"hdf5-file-format-4.0", "invalid/IV.A.2.g/h5-risk-external-link--one.h5"},
};

FileReport examined(const Fixture& fixture, const ExamineOptions& options) {
  const Specification& spec = *find_specification(fixture.spec);
  const std::string image =
      golden::file_text(fs::path(HEPCHECK_FIXTURES) / spec.format / fixture.file);
  EXPECT_FALSE(image.empty()) << fixture.file;
  FileOptions wanted;
  wanted.examine = options;
  return examine_image(std::as_bytes(std::span(image)), std::string(fixture.file), std::nullopt,
                       &spec, wanted);
}

Report report_of(const ExamineOptions& options) {
  Report report{.hepcheck = "1.2.3", .spec = &default_specification()};
  for (const Fixture& fixture : kFixtures) report.files.push_back(examined(fixture, options));
  report.files.push_back({.path = "no\ttable <here>.h5"});
  report.files.push_back({.path = "gone.h5", .error = Error{"gone.h5", "no such file"}});
  const Stop stop{.cause = StopCause::kLimit,
                  .name = "time",
                  .stage = "reading the values of",
                  .object = "/t/x",
                  .subject = "/t"};
  report.files.push_back({.path = "slow.h5", .error = Error{"slow.h5", stop.text()}, .stop = stop});
  report.files.push_back({.path = "half.h5", .unreadable = {{"/u", "a header that is none"}}});
  return report;
}

// With a baseline, settings, skipped clauses and a stamp.
Report marked_report() {
  ExamineOptions options;
  options.skip = {"sorted-unique-order", "arrow-buffer-align-64"};
  options.max_findings = 1;
  Report report = report_of(options);
  report.compared = true;
  report.stamped = true;
  report.date = "2026-06-16T12:00:00Z";
  report.options = {"--skip arrow-buffer-align-64", "--baseline known.json"};
  report.settings = {{.file = "hepcheck.toml",
                      .relaxed = {{"skip", "arrow-buffer-align-64", "the writer is being fixed"}}}};
  report.gone = {{.file = "gone.h5", .subject = "/t", .clause = "column-rank-1"}};
  report.against = {.earlier = "old.json",
                    .fresh = {{.file = "a.h5",
                               .subject = "/t",
                               .clause = "class-value",
                               .object = "/t",
                               .attribute = "CLASS",
                               .where = "row 3"}},
                    .gone = {{.file = "b.h5", .subject = "/t", .clause = "class-value", .more = 4},
                             {.file = "b.h5",
                              .subject = "/u",
                              .clause = "class-value",
                              .not_checked = "a header that is none"}},
                    .still = 5};
  for (FileReport& file : report.files) {
    file.stamp = {.bytes = 4096, .sha256 = std::string(64, 'a')};
    for (SubjectReport& subject : file.subjects) {
      std::vector<ClauseResult> results(subject.clauses.begin(), subject.clauses.end());
      for (ClauseResult& result : results)
        for (Finding& finding : result.findings) finding.known = !finding.witness.empty();
      subject.clauses = ClauseResults(std::move(results));
      decide(subject, options);
    }
  }
  return report;
}

std::string on_a_terminal(const Report& report) {
  std::ostringstream out;
  write_text(out, report, {.colour = true, .terminal = true, .verbose = true});
  return std::move(out).str();
}

std::string golden_text(std::string text) {
  if (text.size() <= kLong) return text;
  return std::format("{} bytes, SHA-256 {}\n", text.size(), golden::sha256_of(text));
}

// Leaves the texts that differ in the build directory; copy them over the golden files to accept
// them.
void expect_golden(const std::string& name, const Report& report) {
  if (HEPCHECK_HDF5 < 2) GTEST_SKIP() << "what it cannot decode, HDF5 1 says in words of its own";
  std::map<std::string, std::string> texts{{name + ".terminal", on_a_terminal(report)}};
  for (const Form& form : all_forms())
    texts[std::string(name).append(".").append(form.name)] = written(form, report);
  for (auto& [file, text] : texts) {
    const std::string is = golden_text(std::move(text));
    EXPECT_TRUE(golden::equals(is, "reports/golden/" + file));
  }
}

// Written reports can be read, and all formats agree with the original.
void expect_read(const Report& report) {
  const Result<Report> read = read_json(written(*find_form("json"), report), "report.json");
  ASSERT_TRUE(read) << read.error().text();
  for (const Form& form : all_forms())
    EXPECT_EQ(written(form, *read), written(form, report)) << form.name;
}

// Every format begins differently; text only where it names its settings.
void expect_told_apart(const Report& report) {
  for (const Form& form : all_forms()) {
    const std::string text = written(form, report).substr(0, kTellingBytes);
    for (const Form& other : all_forms())
      EXPECT_EQ(begins_as(other.name, text),
                form.name == other.name && (form.name != "text" || !report.settings.empty()))
          << form.name << " as " << other.name;
  }
}

TEST(GoldenReports, AreReadAsWritten) {
  expect_read(report_of({}));
  expect_read(marked_report());
}

// Each kind of object once: its position, without the indices of elements.
void collect_objects(const Json& json, const Json::json_pointer& at, const std::string& kind,
                     std::map<std::string, Json::json_pointer>& into) {
  if (json.is_object()) {
    into.emplace(kind, at);
    for (const auto& [key, value] : json.items())
      collect_objects(value, at / key, kind + '/' + key, into);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i)
      collect_objects(json[i], at / i, kind + "/*", into);
  }
}

// The reader rejects unknown keys instead of ignoring them.
TEST(GoldenReports, UnknownKeysAreRefused) {
  Report report = marked_report();
  report.files.erase(report.files.begin() + 4, report.files.begin() + 9);
  const Json whole = Json::parse(written(*find_form("json"), report));
  std::map<std::string, Json::json_pointer> objects;
  collect_objects(whole, Json::json_pointer(), "", objects);
  EXPECT_GT(objects.size(), 15u);
  for (const auto& [kind, at] : objects) {
    Json more = whole;
    more[at]["Unknown key"] = Json::array();  // a number may be a figure
    EXPECT_FALSE(read_json(more.dump(), "report.json")) << kind;
  }
}

TEST(GoldenReports, FormatsAreDistinguished) {
  expect_told_apart(report_of({}));
  expect_told_apart(marked_report());
}

// How many bytes of a report it takes to recognise its format.
TEST(GoldenReports, AreRecognisedByTheirFirstBytes) {
  const auto bytes_needed = [](const Form& form, const Report& report) {
    const std::string text = written(form, report);
    std::size_t size = 0;
    while (size < kTellingBytes && !begins_as(form.name, text.substr(0, size))) ++size;
    return std::pair(std::string(form.name), size);
  };
  std::map<std::string, std::size_t> needed;
  const Report report = marked_report();
  for (const Form& form : all_forms()) needed.insert(bytes_needed(form, report));
  EXPECT_EQ(needed, (std::map<std::string, std::size_t>{{"badge", 38},
                                                        {"badge-svg", 97},
                                                        {"earl", 842},
                                                        {"github", 25},
                                                        {"gitlab", 22},
                                                        {"html", 106},
                                                        {"json", 16},
                                                        {"json-findings", 37},
                                                        {"junit", 67},
                                                        {"junit-clauses", 75},
                                                        {"markdown", 54},
                                                        {"ndjson", 13},
                                                        {"sarif", 198},
                                                        {"text", 33}}));
}

// Reports of other programs in the same formats are not taken for those of this one.
TEST(GoldenReports, OfOtherProgramsAreNotRecognised) {
  const Report report = marked_report();
  for (const Form& form : all_forms()) {
    std::string text = written(form, report);
    if (!std::ranges::contains(std::array{"earl", "html", "json", "junit", "ndjson", "sarif"},
                               std::string_view(form.name)))
      continue;  // the others do not name the program at their beginning
    EXPECT_TRUE(begins_as(form.name, text.substr(0, kTellingBytes))) << form.name;
    for (std::size_t at = 0; (at = text.find("hepcheck", at)) != std::string::npos;)
      text.replace(at, 8, "othertool");
    EXPECT_FALSE(begins_as(form.name, text.substr(0, kTellingBytes))) << form.name;
  }
}

TEST(GoldenReports, EqualTheGoldenFiles) { expect_golden("plain", report_of({})); }

TEST(GoldenReports, EqualTheGoldenFilesWithABaselineAndSettings) {
  expect_golden("marked", marked_report());
}

}  // namespace
}  // namespace hepcheck::reports
