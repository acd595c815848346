// A file says the same whoever examines it: this process, workers in lanes, one worker after the
// other, with its name or its bytes.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "conformance/corpus.h"
#include "conformance/said.h"
#include "validator/cli/examine_many.h"
#include "validator/format.h"

namespace fs = std::filesystem;

namespace hepcheck::conformance {
namespace {

constexpr std::size_t kEach = 8;  // one file of so many

struct Run {
  std::vector<cli::Target> targets{};
  std::string said{};  // of their images
};

// By specification. Files are named as in the corpus, below the folder of their format.
std::map<const Specification*, Run> runs() {
  std::map<const Specification*, Run> made;
  std::size_t number = 0;
  for (const Fixture* fixture : files_of_corpus()) {
    if (number++ % kEach != 0) continue;
    Run& run = made[find_specification(fixture->spec)];
    run.targets.push_back({.path = fixture->file});
    if (fixture->asserted) run.targets.back().group = fixture->group;
    run.said += said_of(examine(*fixture));
  }
  return made;
}

std::string said_of_files(const Run& run, const Specification* spec, unsigned jobs, bool isolated) {
  fs::current_path(fs::path(HEPCHECK_FIXTURES) / spec->format);
  FileOptions options;
  options.examine.jobs = jobs;
  std::string said;
  for (const FileReport& report : cli::examine_many(
           run.targets, {spec}, options, {.reports = std::uint64_t{1} << 30}, isolated, nullptr))
    said += said_of(report);
  return said;
}

TEST(Workers, SayWhatThisProcessSays) {
  for (const auto& [spec, run] : runs()) {
    EXPECT_EQ(said_of_files(run, spec, 2, true), run.said) << "in lanes";
    EXPECT_EQ(said_of_files(run, spec, 1, false), run.said) << "in this process, from the file";
  }
}

}  // namespace
}  // namespace hepcheck::conformance
