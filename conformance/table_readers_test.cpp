// Tables are read by two readers: the program's own, and libhdf5. Both must return the same, and
// give the same verdicts.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <format>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/two_readers_testing.h"
#include "validator/descriptor.h"
#include "validator/examine_file.h"
#include "validator/formats/hep001/reader/both.h"
#include "validator/formats/hep001/reader/open_tables.h"

using namespace hepcheck;
namespace fs = std::filesystem;

namespace {

// Where one of the readers reads more, and why both are right.
constexpr std::pair<std::string_view, std::string_view> kOneSided[] = {
    // A writer has the file open: libhdf5 reads to the end that the superblock states.
    {"swmr-eof-lags-while-writing--newest-chunk-behind.h5", "addr overflow"},
    // libhdf5 does not recognise an unlimited dimension in 4 bytes.
    {"swmr-superblock-length-size--unlimited-in-4-bytes.h5", "didn't find unlimited dimension"},
    {"swmr-shared-message-form--version-1-and-lengths-of-four.h5",
     "didn't find unlimited dimension"},
    // The text does not require this of a list without entries.
    {"swmr-local-heap-free-list--undefined.h5", ""},
    // libhdf5 requires exact sizes of heap objects, and an address of null values.
    {"h5-vlen-nested--itself.h5", "heap object size does not match"},
    {"h5-vlen-null-allowed--all.h5", "bad heap index"},
    // libhdf5 does not support every mapping. The values of virtual datasets are never read.
    {"h5-virtual-", ""},
    {"h5-risk-virtual-", ""},
    // The container reader does not examine such free space of a heap, and then trusts no link in
    // it.
    {"h5-free-space-heap-row--", "indirect blocks"},
    // libhdf5 2.2 refuses free space in a header that is flagged as shareable, which 1.14 writes.
    {"swmr-ohdr-message-flags--free-space.h5", "flagged as shareable"},
    // Files with errors that libhdf5 overlooks.
    {"lib_bad_offset.h5", "swmr-symbol-name-in-heap"},
    {"lib_tbad_msg_count.h5", "swmr-ohdr-message-count"},
};

bool expected(const fs::path& path, const Error& remark) {
  return std::ranges::any_of(kOneSided, [&](const auto& each) {
    return path.filename().string().starts_with(each.first) && remark.cause.contains(each.second);
  });
}

FileOptions options_with(Reader reader) {
  FileOptions options;
  options.reader = reader;
  options.examine.jobs = 1;
  return options;
}

FileReport examined(const fs::path& path, Reader reader) {
  return examine_file(path, std::nullopt, nullptr, options_with(reader));
}

bool disagrees(const Error& error) { return error.cause.starts_with(hep001::kReadersDisagree); }

// The text of a report without the reasons why something cannot be read, which are those of the
// reader.
std::string without_reasons(const FileReport& report) {
  std::string text;
  for (const SubjectReport& subject : report.subjects) {
    text +=
        std::format("{} {} {}\n", subject.path, to_string(subject.verdict), subject.parts.size());
    for (const ClauseResult& result : subject.clauses) {
      text +=
          std::format("{} {} {}\n", result.clause->id, to_string(result.verdict), result.examined);
      for (const Finding& finding : result.findings)
        text += std::format("  {}@{} {}\n", finding.object, finding.attribute, finding.where);
    }
  }
  return text + (report.error ? "error\n" : "") + std::format("{}", report.unreadable.size());
}

// The first line that differs, of both texts; empty if they are equal.
std::string first_difference(std::string_view a, std::string_view b) {
  if (a == b) return {};
  while (a.substr(0, a.find('\n')) == b.substr(0, b.find('\n'))) {
    a.remove_prefix(a.find('\n') + 1);
    b.remove_prefix(b.find('\n') + 1);
  }
  return std::format("{} and {}", a.substr(0, a.find('\n')), b.substr(0, b.find('\n')));
}

// All values of a dataset, with both readers.
void read_all(hep001::ValueSource& values, const hep001::Dataset& dataset) {
  if (dataset.unreadable || !dataset.extent() || dataset.space.elements() > 2'000'000) return;
  const auto rows = values.stream(dataset, *dataset.extent());
  if (rows) hep001::for_each_block(rows, [](const hep001::Block&) {});
}

void read_below(hep001::TableFile& file, const hep001::Group& group) {
  for (const hep001::Child& child : group.children) {
    if (child.dataset) read_all(file.values(), *child.dataset);
    if (child.group) read_below(file, *child.group);
  }
}

// The root group as a table, and all values in it. Returns whether the file was opened.
bool read_root(const fs::path& path) {
  const FileOptions options = options_with(Reader::kBoth);
  hep001::prepare_readers(options);
  const auto opened = hep001::open_tables(path, options);
  if (!opened) {
    EXPECT_FALSE(opened.error().cause.starts_with(hep001::kReadersContradict)) << path;
    return false;
  }
  hep001::TableFile& file = *opened->file;
  const auto root = hep001::read_table_at(file, "/");
  if (root) read_below(file, root->group);
  for (const Error& remark : file.remarks())
    if (!expected(path, remark)) ADD_FAILURE() << path << ": " << remark.text();
  return true;
}

// Returns how many could be read without a crash of the library.
std::size_t read_roots(const std::vector<fs::path>& paths) {
  std::size_t read = 0;
  for (const fs::path& path : paths) {
    const std::optional<int> status = in_a_child([&] {
      const int before = failures();
      const bool opened = read_root(path);
      std::fflush(nullptr);
      return failures() > before ? 1 : opened ? 0 : 2;
    });
    EXPECT_NE(status.value_or(0), 1) << path;
    read += status == 0;
  }
  return read;
}

TEST(TableReaders, AgreeAboutFixtures) {
  std::size_t tables = 0;
  for (const fs::path& path : files_below(fs::path(HEPCHECK_FIXTURES) / "hep001")) {
    const FileReport both = examined(path, Reader::kBoth);
    const FileReport library = examined(path, Reader::kLibrary);
    for (const Error& error : both.unreadable)
      EXPECT_FALSE(disagrees(error)) << path << ": " << error.text();
    EXPECT_FALSE(both.error && disagrees(*both.error)) << path;
    EXPECT_EQ(first_difference(without_reasons(both), without_reasons(library)), "") << path;
    tables += both.subjects.size();
  }
  EXPECT_GT(tables, 800u);
}

TEST(TableReaders, AgreeAboutContainers) {
  const auto paths = files_below(fs::path(HEPCHECK_FIXTURES) / "hdf5/valid");
  EXPECT_GT(read_roots(paths), paths.size() / 2);
}

TEST(TableReaders, AgreeAboutRealFiles) {
  const fs::path folder = fs::path(HEPCHECK_FIXTURES) / "../../shared/corpus";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "the files are not here";
  std::vector<fs::path> paths;
  for (const char* part : {"hdf5/hdf5", "hdf5/jhdf", "hdf5/pyfive", "foreign", "h5col"})
    if (fs::is_directory(folder / part))
      std::ranges::move(files_below(folder / part), std::back_inserter(paths));
  EXPECT_GT(read_roots(paths), paths.size() / 2);
}

}  // namespace
