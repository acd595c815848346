// What other commands say of the tables of the corpus: of each of their indexes alone, of the
// values that a repair must keep, and how far a broken table can be reduced. Golden files have a
// line for each section, or for each table that is reduced.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <format>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include "conformance/corpus.h"
#include "conformance/findings_text.h"
#include "validator/bytes.h"
#include "validator/exchange/testing/folder.h"
#include "validator/fnv1a.h"
#include "validator/formats/hep001/index_file.h"
#include "validator/formats/hep001/reduce.h"
#include "validator/formats/hep001/repair/repair.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::conformance {
namespace {

using exchange::testing::Folder;

std::uint64_t number_of(const Fixture& fixture) { return fnv1a(fixture.file) >> 8; }

std::string section_of(const Fixture& fixture) {
  return std::filesystem::path(fixture.file).parent_path().string();
}

// Calls use(fixture) for one of `every` files of this format.
void for_some(std::string_view format, std::uint64_t every, auto use) {
  for (const Fixture* fixture : files_of_corpus())
    if (fixture->format == format && !fixture->image.empty() && number_of(*fixture) % every == 0)
      use(*fixture);
}

// A line for each section, with the number of its files.
class Sections {
 public:
  void add(const Fixture& fixture, const std::string& text) {
    auto& [count, all] = sections_[section_of(fixture)];
    ++count;
    all += text;
  }
  std::string text() const {
    std::string made;
    for (const auto& [name, section] : sections_)
      made += std::format("{}: {} {}\n", name, section.first, golden::digest_of(section.second));
    return made;
  }

 private:
  std::map<std::string, std::pair<std::size_t, std::string>> sections_{};
};

// --- Indexes -------------------------------------------------------------------------------------

constexpr std::pair<std::string_view, hep001::IndexKind> kKinds[] = {
    {"CHUNK_MINMAX", hep001::IndexKind::kChunkMinmax},
    {"SORTED_ROWS", hep001::IndexKind::kSortedRows},
    {"BITMAP", hep001::IndexKind::kBitmap},
    {"CHUNK_BLOOM", hep001::IndexKind::kChunkBloom},
};

// Each index of a file, whether its contents are valid or not.
std::string verified(const std::string& path, const SubjectReport& table) {
  std::string text;
  for (const Part& part : table.parts)
    for (const auto& [name, kind] : kKinds) {
      if (std::ranges::none_of(part.strips, [&](const Strip& strip) { return strip.kind == name; }))
        continue;
      for (const bool stale : {false, true}) {
        FileReport report = hep001::verify_index(
            {.file = path, .group = table.path, .column = part.name, .kind = kind},
            {.file = {.examine = {.jobs = 1}}, .stale = stale});
        report.path = std::format("{} {}", part.name, name);
        text += findings_text(report);
      }
    }
  return text;
}

TEST(Tables, IndexesAreVerifiedAsInTheGoldenFile) {
  Sections sections;
  const Folder folder;
  const std::string path = folder.file("a.h5");
  for_some("hep001", 9, [&](const Fixture& fixture) {
    const FileReport report = examine(fixture, {.jobs = 1});
    if (std::ranges::all_of(report.subjects, [](const SubjectReport& table) {
          return std::ranges::all_of(table.parts,
                                     [](const Part& part) { return part.strips.empty(); });
        }))
      return;
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(fixture.image.data()),
               static_cast<std::streamsize>(fixture.image.size()));
    std::string text;
    for (const SubjectReport& table : report.subjects) text += verified(path, table);
    for (std::size_t at; (at = text.find(path)) != std::string::npos;) text.erase(at, path.size());
    sections.add(fixture, text);
  });
  EXPECT_TRUE(golden::equals(sections.text(), "conformance/golden/indexes-verified.txt"));
}

// --- Values --------------------------------------------------------------------------------------

std::string digests_text(const Result<std::vector<ValueDigest>>& digests) {
  if (!digests) return line("error: " + digests.error().text());
  std::string text;
  for (const ValueDigest& each : *digests)
    text += line(std::format("{} {} {} {} {}", each.subject, each.path, each.values, each.sha256,
                             each.trouble));
  return text;
}

TEST(Tables, ValuesAreDigestedAsInTheGoldenFile) {
  Sections sections;
  const FileOptions none;
  FileOptions few;
  few.limits.value_bytes = 300;
  const auto digest = [&](const Fixture& fixture) {
    const Bytes file = Bytes::of_image(fixture.image, fixture.file);
    std::map<std::string, std::uint64_t> rows;
    for (const Expectation& table : fixture.tables) {
      for (const char* column : {"/x", "/ts", "/no such"}) rows[table.group + column] = 2;
      sections.add(fixture, digests_text(hep001::digest_tables(file, table.group, none, {})));
    }
    sections.add(fixture, digests_text(hep001::digest_tables(file, std::nullopt, none, rows)));
    sections.add(fixture, digests_text(hep001::digest_tables(file, std::nullopt, few, {})));
    for (const bool references : {false, true})
      sections.add(fixture,
                   digests_text(hep001::digest_datasets(file, none, Reader::kOwn, references)));
  };
  for_some("hep001", 3, digest);
  for_some("hdf5", 20, digest);
  EXPECT_TRUE(golden::equals(sections.text(), "conformance/golden/values.txt"));
}

// Both readers find the same values, where libhdf5 has the filters.
TEST(Tables, ValuesAreTheSameForBothReaders) {
  std::size_t compared = 0;
  for_some("hep001", 9, [&](const Fixture& fixture) {
    if (!fixture.valid) return;
    const Bytes file = Bytes::of_image(fixture.image, fixture.file);
    const auto own = hep001::digest_datasets(file, {}, Reader::kOwn, false),
               library = hep001::digest_datasets(file, {}, Reader::kLibrary, false);
    ASSERT_EQ(own.has_value(), library.has_value()) << fixture.file;
    if (!own) return;
    ASSERT_EQ(own->size(), library->size()) << fixture.file;
    for (std::size_t i = 0; i < own->size(); ++i) {
      if (library->at(i).trouble.contains("is not available")) continue;
      EXPECT_EQ(own->at(i), library->at(i)) << fixture.file << ' ' << own->at(i).path;
      ++compared;
    }
  });
  EXPECT_GT(compared, 200u);
}

// --- Reduced tables ------------------------------------------------------------------------------

TEST(Tables, AreReducedAsInTheGoldenFile) {
  if (HEPCHECK_HDF5 < 2) GTEST_SKIP() << "HDF5 1 writes other files";
  prepare({});  // libhdf5 prints nothing
  std::string text;
  for_some("hep001", 97, [&](const Fixture& fixture) {
    if (fixture.valid || fixture.tables.empty() || fixture.tables[0].fails.empty()) return;
    const Expectation& table = fixture.tables[0];
    const Specification* const spec = find_specification(fixture.spec);
    const FileOptions options{.examine = {.jobs = 1}};
    std::size_t seen = 0;
    const hep001::ReduceWatch watch{.stop = {},
                                    .tried = [&](std::size_t tries, std::size_t) { seen = tries; }};
    const auto reduced =
        hep001::reduce(fixture.image, table.group, *table.fails.begin(), spec, options, watch);
    text += std::format("[{}]\n", fixture.file);
    if (!reduced) {
      text += line(reduced.error().text());
      return;
    }
    EXPECT_FALSE(reduced->stopped);
    EXPECT_LE(seen, reduced->tries);
    text += line(std::format(" {} of {} tries, {} bytes of {} {}", reduced->steps, reduced->tries,
                             reduced->image.size(), fixture.image.size(), reduced->why));
    FileReport report = examine_image(reduced->image, "reduced", table.group, spec, options);
    text += findings_text(report);
  });
  EXPECT_TRUE(golden::equals(text, "conformance/golden/reduced.txt"));
}

}  // namespace
}  // namespace hepcheck::conformance
