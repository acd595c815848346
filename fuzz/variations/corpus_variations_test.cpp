// The files of the corpus, judged with other options, under tight limits, and with one byte
// changed. What is reported equals the golden files: golden/FORMAT.txt has a line for each section
// and each kind of variation, and golden/FORMAT-limits.txt one for each limit, with the number of
// reports, those that state a violation, those that are not decided, and a digest of all that they
// say.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <format>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/corpus.h"
#include "conformance/findings_text.h"
#include "fuzz/hdf5/checksums.h"
#include "fuzz/variations/limits.h"
#include "validator/examine_file.h"
#include "validator/fnv1a.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::conformance {
namespace {

// --- Options and limits --------------------------------------------------------------------------

using Vary = void (*)(FileOptions&, const Fixture&);

constexpr std::pair<std::string_view, Vary> kVariations[] = {
    {"one finding",
     [](FileOptions& options, const Fixture&) {
       options.examine.max_findings = 1;
       options.examine.describe_columns = false;
     }},
    {"strict",
     [](FileOptions& options, const Fixture&) {
       options.examine.strict = true;
       options.examine.fail_on_should = true;
       options.examine.map_lines = 40;
     }},
    {"structure",
     [](FileOptions& options, const Fixture&) { options.examine.depth = Depth::kStructure; }},
    {"without memory",
     [](FileOptions& options, const Fixture&) { options.examine.memory_limit = 1; }},
    {"little memory",
     [](FileOptions& options, const Fixture&) { options.examine.memory_limit = 600; }},
    {"short values",
     [](FileOptions& options, const Fixture&) {
       options.limits.attribute_bytes = 24;
       options.limits.string_bytes = 4;
       options.limits.block_bytes = 40;
     }},
    {"few objects",
     [](FileOptions& options, const Fixture&) {
       options.limits.attributes = 4;
       options.limits.links = 8;
       options.limits.objects = 6;
       options.limits.subjects = 1;
       options.limits.group_depth = 2;
     }},
    {"few types and chunks",
     [](FileOptions& options, const Fixture&) {
       options.limits.type_depth = 1;
       options.limits.type_members = 2;
       options.limits.chunks = 2;
     }},
    {"few values",
     [](FileOptions& options, const Fixture&) {
       options.limits.value_bytes = 100;
       options.examine.allow_unchecked = true;
     }},
    {"its clause only",
     [](FileOptions& options, const Fixture& fixture) {
       options.examine.only.insert(fixture.clause);
     }},
    {"all but its clause",
     [](FileOptions& options, const Fixture& fixture) {
       options.examine.skip.insert(fixture.clause);
       options.examine.skip_reasons.emplace(fixture.clause, "known");
       options.examine.describe_answers = false;
     }},
};

// --- Bytes ---------------------------------------------------------------------------------------

// One byte of the file is another, and its checksums are those of its bytes again.
std::vector<std::uint8_t> with_another_byte(const Fixture& fixture, std::string_view which) {
  const auto bytes = reinterpret_cast<const std::uint8_t*>(fixture.image.data());
  std::vector<std::uint8_t> image(bytes, bytes + fixture.image.size());
  const std::uint64_t number = fnv1a(std::format("{} {}", fixture.file, which));
  std::uint8_t& byte = image[number / 8 % image.size()];
  const std::array<int, 4> others = {byte + 1, byte - 1, 0xFF, byte ^ (1 << number / 4 % 8)};
  byte = static_cast<std::uint8_t>(others[number % 4]);
  constexpr int kRepairs = 4;
  for (int i = 0; fixture.format == "hep001" && i < kRepairs; ++i) {
    const FileReport report =
        examine_image(std::as_bytes(std::span(image)), fixture.file, std::nullopt,
                      &default_revision("hdf5"), {.examine = {.jobs = 1}});
    if (!fuzz::repair_checksums(image, report)) break;
  }
  return image;
}

// --- All of it -----------------------------------------------------------------------------------

struct Reports {
  std::size_t all = 0, violations = 0, undecided = 0;
  std::string text{};

  void add(std::span<const std::byte> image, const Fixture& fixture, FileOptions options) {
    options.examine.jobs = 1;
    const FileReport report = examine_image(
        image, fixture.file, fixture.asserted ? std::optional(fixture.group) : std::nullopt,
        find_specification(fixture.spec), options);
    ++all;
    bool fails = false, open = report.error || !report.unreadable.empty();
    for (const SubjectReport& subject : report.subjects) {
      fails |= subject.verdict == SubjectVerdict::kFail;
      open |= subject.verdict == SubjectVerdict::kUnchecked;
    }
    violations += fails;
    undecided += open;
    text += findings_text(report);
  }
};

// "valid/3 short values"
using ByKind = std::map<std::string, Reports>;

std::string text_of(const ByKind& kinds) {
  std::string text;
  for (const auto& [name, each] : kinds)
    text += std::format("{}: {} {} {} {}\n", name, each.all, each.violations, each.undecided,
                        golden::digest_of(each.text));
  return text;
}

class CorpusVariations : public ::testing::TestWithParam<const char*> {};

TEST_P(CorpusVariations, ReportsEqualTheGoldenFiles) {
  ByKind kinds;
  std::size_t files = 0;
  for (const Fixture* fixture : files_of_corpus()) {
    if (fixture->format != GetParam() || fixture->image.empty()) continue;
    const std::string section = std::filesystem::path(fixture->file).parent_path().string();
    // Each file is varied in two ways, which do not depend on the other files.
    constexpr std::size_t kAll = std::size(kVariations);
    const std::uint64_t first = fnv1a(fixture->file) >> 8;
    for (const std::size_t which : {first % kAll, (first + 4) % kAll}) {
      FileOptions options;
      kVariations[which].second(options, *fixture);
      kinds[std::format("{} {}", section, kVariations[which].first)].add(fixture->image, *fixture,
                                                                         std::move(options));
    }
    for (const char* which : {"one", "two"}) {
      const std::vector<std::uint8_t> image = with_another_byte(*fixture, which);
      kinds[section + " another byte"].add(std::as_bytes(std::span(image)), *fixture, {});
    }
    ++files;
  }
  EXPECT_GT(files, 100u);
  EXPECT_TRUE(
      golden::equals(text_of(kinds), std::format("fuzz/variations/golden/{}.txt", GetParam())));
}

// --- Each limit ----------------------------------------------------------------------------------

// Each file under some limits, or under one in turn if its format takes longer.
TEST_P(CorpusVariations, EachLimitEqualsTheGoldenFile) {
  constexpr std::uint64_t kValues[] = {0, 1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 40, 64, 100, 300, 1'000};
  const std::string_view format = GetParam();
  const std::size_t step = format == "hep001" || format == "hdf5" ? 37 : 5;
  ByKind kinds;
  for (const Fixture* fixture : files_of_corpus()) {
    if (fixture->format != format || fixture->image.empty()) continue;
    const std::uint64_t number = fnv1a(fixture->file) >> 8;
    for (std::size_t i = number % step; i < std::size(fuzz::kLimits); i += step) {
      const auto& [name, limit] = fuzz::kLimits[i];
      FileOptions options;
      options.limits.*limit =
          kValues[fnv1a(std::format("{} {}", fixture->file, name)) >> 8 & (std::size(kValues) - 1)];
      kinds[std::string(name)].add(fixture->image, *fixture, std::move(options));
    }
  }
  EXPECT_TRUE(
      golden::equals(text_of(kinds), std::format("fuzz/variations/golden/{}-limits.txt", format)));
}

// --- Without a specification ---------------------------------------------------------------------

// As the files are judged if nobody says by what: by the format that is recognised, or the one of
// the container, and by the revision whose features are there.
TEST_P(CorpusVariations, WithoutASpecificationEqualsTheGoldenFile) {
  constexpr std::string_view kSubjects[] = {"/", "/no such", "", "/events"};
  ByKind kinds;
  for (const Fixture* fixture : files_of_corpus()) {
    const std::uint64_t number = fnv1a(fixture->file) >> 8;
    if (fixture->format != GetParam() || fixture->image.empty() || number % 5 > 0) continue;
    Fixture unnamed = *fixture;
    unnamed.spec.clear();
    unnamed.asserted = false;
    kinds["any"].add(unnamed.image, unnamed, {});
    FileOptions options;
    options.allow_no_subjects = number / 5 % 2 == 0;
    unnamed.asserted = number / 10 % 2 == 0;
    unnamed.group = kSubjects[number / 20 % std::size(kSubjects)];
    kinds["a subject"].add(unnamed.image, unnamed, std::move(options));
  }
  EXPECT_TRUE(golden::equals(text_of(kinds),
                             std::format("fuzz/variations/golden/{}-unnamed.txt", GetParam())));
}

// Tables as the specifications of their container judge them, with what is said of each dataset.
TEST(CorpusVariationsAsContainers, ReportsEqualTheGoldenFile) {
  constexpr std::string_view kSpecifications[] = {"hdf5-swmr-2013-10-10", "hdf5-file-format-4.0"};
  ByKind kinds;
  for (const Fixture* fixture : files_of_corpus()) {
    const std::uint64_t number = fnv1a(fixture->file) >> 8;
    if (fixture->format != "hep001" || fixture->image.empty() || number % 3 > 0) continue;
    Fixture container = *fixture;
    container.spec = kSpecifications[number / 3 % std::size(kSpecifications)];
    container.asserted = false;
    const std::string section = std::filesystem::path(fixture->file).parent_path().string();
    kinds[section].add(container.image, container, {});
  }
  EXPECT_TRUE(golden::equals(text_of(kinds), "fuzz/variations/golden/hep001-as-containers.txt"));
}

// Tables read through libhdf5 under tight limits: what its reader refuses, and where.
TEST(CorpusVariationsByLibrary, ReportsEqualTheGoldenFile) {
  if (HEPCHECK_HDF5 < 2) GTEST_SKIP() << "HDF5 1 describes in other words what it cannot read";
  constexpr std::string_view kTight[] = {"short values", "few objects", "few types and chunks",
                                         "few values"};
  ByKind kinds;
  for (const Fixture* fixture : files_of_corpus()) {
    if (fixture->format != "hep001") continue;
    const std::string_view name = kTight[(fnv1a(fixture->file) >> 8) % std::size(kTight)];
    const auto* vary =
        std::ranges::find(kVariations, name, &std::pair<std::string_view, Vary>::first);
    FileOptions options{.reader = Reader::kLibrary};
    vary->second(options, *fixture);
    const std::string section = std::filesystem::path(fixture->file).parent_path().string();
    kinds[std::format("{} {}", section, name)].add(fixture->image, *fixture, std::move(options));
  }
  EXPECT_TRUE(golden::equals(text_of(kinds), "fuzz/variations/golden/hep001-by-libhdf5.txt"));
}

INSTANTIATE_TEST_SUITE_P(OfFormats, CorpusVariations,
                         ::testing::Values("hep001", "hdf5", "arrow", "rntuple", "tiledb"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace hepcheck::conformance
