// The report of a file does not depend on how it is examined: in this process, by workers in lanes,
// by one worker after another, by its name or from its bytes.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cli/examine_many.h"
#include "conformance/corpus.h"
#include "conformance/findings_text.h"
#include "validator/examine_file.h"
#include "validator/format.h"
#include "validator/isolate/examine.h"
#include "validator/isolate/report_stream.h"

namespace fs = std::filesystem;

namespace hepcheck::conformance {
namespace {

constexpr std::size_t kEach = 8;  // one file in eight

struct Run {
  std::vector<cli::Target> targets{};
  std::string said{};  // the findings of their images
};

fs::path path_of(const Fixture& fixture) {
  return fs::path(HEPCHECK_FIXTURES) / find_specification(fixture.spec)->format / fixture.file;
}

// By specification. Files are named as in the corpus, relative to the directory of their format.
std::map<const Specification*, Run> runs() {
  std::map<const Specification*, Run> made;
  std::size_t number = 0;
  for (const Fixture* fixture : files_of_corpus()) {
    // An empty file is refused by its name, before a format sees it.
    if (number++ % kEach != 0 || fs::is_empty(path_of(*fixture))) continue;
    Run& run = made[find_specification(fixture->spec)];
    run.targets.push_back({.path = fixture->file});
    if (fixture->asserted) run.targets.back().group = fixture->group;
    run.said += findings_text(examine(*fixture));
  }
  return made;
}

// The expected and the read numbers of bytes.
class Counted : public Progress {
 public:
  void expect(std::uint64_t bytes) override { expected_ += bytes; }
  void advance(std::uint64_t bytes) override { done_ += bytes; }
  bool operator==(const Counted& other) const {
    return expected_ == other.expected_ && done_ == other.done_;
  }
  bool nothing() const { return expected_ == 0 || done_ == 0; }

 private:
  std::atomic<std::uint64_t> expected_ = 0, done_ = 0;
};

std::string said_of_files(const Run& run, const Specification* spec, unsigned jobs, bool isolated,
                          Progress& progress) {
  fs::current_path(fs::path(HEPCHECK_FIXTURES) / spec->format);
  FileOptions options;
  options.examine.jobs = jobs;
  options.examine.progress = &progress;
  std::string said;
  for (const FileReport& report : cli::examine_many(
           run.targets, {spec}, options, {.reports = std::uint64_t{1} << 30}, isolated, nullptr))
    said += findings_text(report);
  return said;
}

TEST(Workers, ReportTheSameAsThisProcess) {
  Counted here, alone, in_lanes;
  for (const auto& [spec, run] : runs()) {
    EXPECT_EQ(said_of_files(run, spec, 1, false, here), run.said) << "in this process";
    EXPECT_EQ(said_of_files(run, spec, 1, true, alone), run.said) << "concatenated";
    EXPECT_EQ(said_of_files(run, spec, 2, true, in_lanes), run.said) << "in lanes";
  }
  EXPECT_FALSE(here.nothing());
  EXPECT_TRUE(alone == here) << "concatenated";
  EXPECT_TRUE(in_lanes == here) << "in lanes";
}

// Examining a file in this process instead would be examining it without a sandbox.
TEST(Workers, NoFileIsExaminedWithoutOne) {
  const Fixture* const fixture = files_of_corpus().front();
  const fs::path path = path_of(*fixture);
  const Result<OpenedInput> opened = open_input(path.string(), {});
  ASSERT_TRUE(opened);
  const FileOptions options;
  const Request wanted{
      .spec = find_specification(fixture->spec), .subject = {}, .options = options};
  isolate::ReportReader with, without;
  isolate::examine_isolated(opened->input, wanted, {},
                            [&](std::string_view message) { with.take(message); });
  EXPECT_FALSE(std::move(with).report("file").subjects.empty());

  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};  // no pipe to a worker
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  isolate::examine_isolated(opened->input, wanted, {},
                            [&](std::string_view message) { without.take(message); });
  setrlimit(RLIMIT_NOFILE, &before);
  const FileReport report = std::move(without).report("file");
  EXPECT_TRUE(report.subjects.empty());
  ASSERT_TRUE(report.error);
  EXPECT_TRUE(report.error->cause.starts_with("no process could be started for it"))
      << report.error->cause;
}

}  // namespace
}  // namespace hepcheck::conformance
