// Reading and writing again gives the same bytes, for every fixture and for every real file that is
// there; every truncation of them is refused.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "validator/examine_file.h"
#include "validator/formats/tiledb/array.h"

namespace hepcheck::tiledb {
namespace {

namespace fs = std::filesystem;

const Specification& spec() { return default_revision("tiledb"); }

std::vector<std::byte> bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> made;
  if (!fs::is_directory(folder)) return made;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().string();
    const std::string parent = entry.path().parent_path().filename().string();
    if (entry.is_regular_file() &&
        (path.ends_with(".tdb") || parent == "__schema" || parent == "__enumerations"))
      made.push_back(entry.path());
  }
  std::ranges::sort(made);
  return made;
}

fs::path fixtures() { return fs::path(HEPCHECK_SOURCE) / "fixtures/tiledb"; }
fs::path real_files() {
  const char* const shared = std::getenv("HEPCHECK_SHARED");
  return (shared ? fs::path(shared) : fs::path(HEPCHECK_SOURCE).parent_path() / "shared") /
         "corpus/tiledb/arrays";
}

// What is written of the decoded bytes of a file; nothing if it is not completely read.
std::optional<std::vector<std::byte>> written_again(Opened& opened, Notes& notes) {
  if (!opened.decoded || opened.content.size() < 4) return std::nullopt;
  if (load<std::uint32_t>(opened.content.data()) == 0) {
    Enumeration it;
    read_enumeration(opened, notes, it);
    if (!it.whole || it.end != opened.content.size()) return std::nullopt;
    return write_enumeration(it);
  }
  Schema schema;
  if (!read_schema(opened, notes, schema) || schema.reached != Reached::kEnd ||
      schema.end != opened.content.size())
    return std::nullopt;
  return write_schema(schema);
}

std::size_t written_files(const std::vector<fs::path>& files) {
  std::size_t count = 0;
  for (const fs::path& path : files) {
    const auto bytes = bytes_of(path);
    Notes notes(spec(), 100);
    Opened opened;
    open_tile(Bytes::of_image(bytes, path), Limits{}, notes, opened);
    const auto again = written_again(opened, notes);
    if (!again) continue;
    EXPECT_EQ(*again, opened.content) << path;
    ++count;
  }
  return count;
}

TEST(RoundTrip, FixturesAreWrittenAsTheyWereRead) {
  EXPECT_GT(written_files(files_in(fixtures())), 400u);
}

TEST(RoundTrip, RealFilesAreWrittenAsTheyWereRead) {
  const auto files = files_in(real_files());
  if (files.empty()) GTEST_SKIP() << "the files are not here";
  // Two of them are of versions that this text does not describe.
  EXPECT_GT(written_files(files), 60u);
}

bool is_usual(const Tile& tile) {
  const Pipeline& pipeline = tile.pipeline;
  const auto level_1 = std::as_bytes(std::span("\1\1\0\0\0", 5));
  return pipeline.max_chunk == 65536 && pipeline.filters.size() == 1 &&
         pipeline.filters[0].type == kGzip &&
         std::ranges::equal(pipeline.filters[0].options, level_1);
}

// The library of the writers compresses with stock zlib.
TEST(RoundTrip, WholeRealFilesAreWrittenAgain) {
  const auto files = files_in(real_files());
  if (files.empty()) GTEST_SKIP() << "the files are not here";
  if (std::string_view(zlibVersion()).contains("ng")) GTEST_SKIP() << "another zlib";
  std::size_t count = 0;
  for (const fs::path& path : files) {
    const auto bytes = bytes_of(path);
    Notes notes(spec(), 100);
    Opened opened;
    open_tile(Bytes::of_image(bytes, path), Limits{}, notes, opened);
    const auto again = written_again(opened, notes);
    if (!again || !is_usual(opened.tile)) continue;
    EXPECT_EQ(write_tile(opened.tile.version, *again), bytes) << path;
    ++count;
  }
  EXPECT_GT(count, 60u);
}

// Any end of the file before its own is an error, and nothing is read behind it.
void refuse_all_truncations(const std::vector<fs::path>& files) {
  for (const fs::path& path : files) {
    const auto bytes = bytes_of(path);
    FileOptions options;
    options.examine.describe_columns = false;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const FileReport report =
          examine_image(std::span(bytes).first(size), "image", std::nullopt, &spec(), options);
      ASSERT_EQ(report.subjects.size(), 1u) << path << " cut to " << size;
      const SubjectVerdict verdict = report.subjects[0].verdict;
      EXPECT_TRUE(verdict == SubjectVerdict::kFail || verdict == SubjectVerdict::kUnsupported)
          << path << " cut to " << size;
    }
  }
}

TEST(Truncation, NoBeginningOfARealFilePasses) {
  const auto files = files_in(real_files());
  if (files.empty()) GTEST_SKIP() << "the files are not here";
  refuse_all_truncations(files);
}

TEST(Truncation, NoBeginningOfAFixturePasses) {
  std::vector<fs::path> files;
  for (const char* name : {"valid/generic-tile/tiledb-tile-any-pipeline--zstd.tdb",
                           "valid/generic-tile/tiledb-tile-any-pipeline--md5-gzip-sha256.tdb",
                           "valid/dimension-label/tiledb-label-complete--one.tdb",
                           "valid/enumeration/tiledb-enum-complete--colours.tdb"})
    files.push_back(fixtures() / name);
  refuse_all_truncations(files);
}

// The same for the decoded bytes in a tile without filters, whose header is right.
TEST(Truncation, NoBeginningOfASchemaPasses) {
  const auto bytes =
      bytes_of(fixtures() / "valid/generic-tile/tiledb-tile-pipeline-size--no-filter.tdb");
  constexpr std::size_t kHead = 34 + 8 + 8 + 12;  // header, pipeline, count, head of the chunk
  ASSERT_GT(bytes.size(), kHead);
  const std::size_t whole = bytes.size() - kHead;
  const auto put = [](std::vector<std::byte>& into, std::size_t at, std::uint64_t value,
                      std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) into[at + i] = static_cast<std::byte>(value >> (8 * i));
  };
  for (std::size_t size = 0; size < whole; ++size) {
    std::vector<std::byte> cut(bytes.begin(),
                               bytes.begin() + static_cast<std::ptrdiff_t>(kHead + size));
    put(cut, 4, cut.size() - 42, 8);
    put(cut, 12, size, 8);
    put(cut, 50, size, 4);
    put(cut, 54, size, 4);
    const FileReport report = examine_image(cut, "image", std::nullopt, &spec(), {});
    ASSERT_EQ(report.subjects.size(), 1u);
    EXPECT_EQ(report.subjects[0].verdict, SubjectVerdict::kFail) << size;
    std::size_t broken = 0;
    for (const ClauseResult& result : report.subjects[0].clauses) broken += result.findings.size();
    EXPECT_EQ(broken, 1u) << "one finding for a schema cut to " << size;
  }
}

}  // namespace
}  // namespace hepcheck::tiledb
