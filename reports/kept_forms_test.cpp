// Every form of a report, of a few files of the corpus, is as it was: word for word, or for those
// that are long by a digest.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/corpus.h"
#include "reports/formats.h"
#include "validator/format.h"
#include "validator/sha256.h"

namespace fs = std::filesystem;

namespace hepcheck::reports {
namespace {

constexpr std::size_t kLong = 40'000;  // bytes; of what is longer only a digest is kept

// Sound, broken at one place and at several, a warning, an info, and what cannot be checked.
constexpr std::string_view kFiles[] = {
    "valid/10.1/any-dataset-name--misleading-names.h5",
    "invalid/10.2/no-back-pointer--source.h5",
    "invalid/10.5/sorted-fill-tail-placement--empty-strings.h5",
    "valid/6/swmr-chunk-decodes--library-earliest.h5",
    "invalid/2.1/arrow-body-padded-to-8--next-buffer.arrows",
    "invalid/2.8/arrow-fixed-size-list-size-not-negative--minus-1.arrows",
};

const conformance::Fixture* fixture(std::string_view file) {
  for (const conformance::Fixture* each : conformance::files_of_corpus())
    if (each->file == file) return each;
  return nullptr;
}

Report report_of(const ExamineOptions& options) {
  Report report{.hepcheck = "1.2.3", .spec = &default_specification()};
  for (const std::string_view file : kFiles) {
    const conformance::Fixture* const each = fixture(file);
    EXPECT_NE(each, nullptr) << file;
    if (each) report.files.push_back(conformance::examine(*each, options));
  }
  report.files.push_back({.path = "no\ttable <here>.h5"});
  report.files.push_back({.path = "gone.h5", .error = Error{"gone.h5", "no such file"}});
  return report;
}

// Under a baseline and settings, with clauses that were left out, and stamped.
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
  report.gone = {{.file = "gone.h5", .subject = "/t", .clause = "columns-are-datasets"}};
  for (FileReport& file : report.files) {
    file.stamp = {.bytes = 4096, .sha256 = std::string(64, 'a')};
    for (SubjectReport& subject : file.subjects) {
      std::vector<ClauseResult> results(subject.clauses.begin(), subject.clauses.end());
      for (ClauseResult& result : results)
        for (Finding& finding : result.findings) finding.known = !finding.witness.empty();
      subject.clauses = ClauseResults(std::move(results));
    }
  }
  return report;
}

std::string kept_form(const Form& form, const Report& report) {
  std::ostringstream out;
  form.write(out, report);
  std::string text = std::move(out).str();
  if (text.size() <= kLong) return text;
  Sha256 sum;
  sum.add({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
  return std::format("{} bytes, SHA-256 {}\n", text.size(), sum.hexadecimal());
}

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return (std::ostringstream() << in.rdbuf()).str();
}

// Where another text is meant, the folder that the test leaves in the build takes the place of the
// kept one.
void expect_kept(const std::string& name, const Report& report) {
  for (const Form& form : all_forms()) {
    const std::string file = std::string(name).append(".").append(form.name);
    const std::string is = kept_form(form, report), was = text_of(fs::path(HEPCHECK_KEPT) / file);
    if (is == was) continue;
    fs::create_directory("kept");
    std::ofstream(fs::path("kept") / file, std::ios::binary) << is;
    ADD_FAILURE() << "if all that differs is meant: cp " << fs::absolute("kept") / file << ' '
                  << HEPCHECK_KEPT;
    const auto at = std::ranges::mismatch(is, was).in1 - is.begin();
    const std::size_t begin = static_cast<std::size_t>(std::max<std::ptrdiff_t>(at - 80, 0));
    ADD_FAILURE() << "was:\n"
                  << was.substr(std::min(begin, was.size()), 240) << "\nis:\n"
                  << is.substr(begin, 240);
  }
}

TEST(KeptForms, OfFilesAsTheyAre) { expect_kept("plain", report_of({})); }

TEST(KeptForms, UnderABaselineAndSettings) { expect_kept("marked", marked_report()); }

}  // namespace
}  // namespace hepcheck::reports
