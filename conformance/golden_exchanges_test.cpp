// The result of exporting each table of the corpus to Arrow, and of importing each Arrow file as a
// table, equals the golden file: a digest of the bytes, or the text of the refusal. So do the
// tables that arrays of TileDB and RNTuples are read as.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <format>
#include <fstream>
#include <map>
#include <string>
#include <utility>

#include "conformance/corpus.h"
#include "conformance/findings_text.h"
#include "conformance/table_text.h"
#include "validator/bytes.h"
#include "validator/descriptor.h"
#include "validator/examine_file.h"
#include "validator/exchange/layout.h"
#include "validator/exchange/testing/folder.h"
#include "validator/formats/arrow/exchange/read_table.h"
#include "validator/formats/arrow/exchange/write_table.h"
#include "validator/formats/hep001/exchange/export_table.h"
#include "validator/formats/hep001/exchange/import_table.h"
#include "validator/formats/rntuple/exchange/read_table.h"
#include "validator/formats/tiledb/exchange/read_array.h"
#include "validator/formats/tiledb/testing/array_text.h"
#include "validator/testing/golden_files.h"

namespace fs = std::filesystem;

namespace hepcheck::conformance {
namespace {

using exchange::testing::Folder;

constexpr std::uint64_t kMemory = std::uint64_t{1} << 28;

// The texts contain no directory.
std::string without(std::string text, const Folder& folder) {
  const std::string path = folder.path.string() + '/';
  for (std::size_t at; (at = text.find(path)) != std::string::npos;) text.erase(at, path.size());
  return text;
}

std::string losses(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& each : all) text += line(" lost: " + each);
  return text;
}

std::string digest_of_file(const std::string& path) {
  return golden::sha256_of(golden::file_text(path)).substr(0, 16);
}

// Exports a table of a file to `path`.
std::string out(const hep001::TablePlace& place, const hep001::ExportOptions& options,
                const arrow::WriteOptions& how, const std::string& path) {
  const auto table = hep001::open_table(place, options);
  if (!table) return line("refused: " + table.error().error.text());
  Result<exchange::NewFile> file = exchange::NewFile::of(path, {});
  if (!file) return line(file.error().text());
  const auto written = arrow::write_table(**table, *file, how);
  if (!written) return line("refused: " + written.error().text());
  return std::format("{} rows, {} columns, {} batches, {}\n", written->rows,
                     (*table)->schema().fields.size(), written->batches, digest_of_file(path)) +
         losses((*table)->losses());
}

Result<arrow::ReadTable> read(const std::string& path, std::uint64_t memory = kMemory) {
  return open_for_reading(path).and_then([&](const Descriptor& file) {
    return arrow::read_table(Bytes::of_descriptor(file.get(), path), {}, memory);
  });
}

// The minimum number of bytes with which it can be read.
std::uint64_t least_memory(const std::string& path) {
  std::uint64_t low = 0, high = kMemory;
  while (low < high) {
    const std::uint64_t middle = (low + high) / 2;
    if (read(path, middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// A small number of rows at a time, compressed, as a stream: the same values.
void expect_the_same_in_pieces(const hep001::TablePlace& place, const Folder& folder) {
  const std::string pieces = folder.file("pieces.arrows");
  const auto all = read(folder.file("out.arrow"));
  ASSERT_TRUE(all) << all.error().text();
  out(place, {.batch_rows = all->table.rows < 1000 ? 3u : 10'007u},
      {.stream = true, .compression = arrow::Compression::kLz4, .most_offset = 40}, pieces);
  if (!fs::exists(pieces)) return;  // a row that is too large
  const auto again = read(pieces);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(exchange::difference(all->table, again->table), "");
}

// Imports an Arrow file as a table, and exports that again.
std::string in(const std::string& path, const Specification* spec, const Folder& folder) {
  const auto read_in = read(path);
  if (!read_in) return line("unreadable: " + read_in.error().text());
  const hep001::TablePlace place{.file = folder.file("in.h5"), .group = "/t", .spec = spec};
  const auto imported = hep001::import_table(read_in->table, place, {});
  if (!imported) return line("refused: " + imported.error().error.text());
  FileReport report = examine_file(place.file, std::nullopt, spec, {});
  // HDF5 writes uninitialised memory after a reference.
  const bool references = read_in->table.schema.find("hep001:index_columns");
  report.path = references ? "with references" : digest_of_file(place.file);
  return std::format("{} rows\n", imported->rows) + losses(read_in->losses) +
         losses(imported->losses) + findings_text(report) +
         "and out: " + out(place, {}, {}, folder.file("again.arrow"));
}

void put(std::span<const std::byte> image, const std::string& path) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(image.data()),
             static_cast<std::streamsize>(image.size()));
}

// --- Other options -------------------------------------------------------------------------------

using Vary = void (*)(hep001::ExportOptions&);
// Without an examination of the values, what they cannot be is met here.
constexpr std::pair<std::string_view, Vary> kExports[] = {
    {"whatever is there",
     [](hep001::ExportOptions& options) {
       options.partial = true;
       options.file.examine.depth = Depth::kStructure;
     }},
    {"unexamined values",
     [](hep001::ExportOptions& options) {
       options.file.examine.depth = Depth::kStructure;
       options.batch_rows = 2;
     }},
    {"bytes and short offsets",
     [](hep001::ExportOptions& options) {
       options.binary = true;
       options.most_offset = 6;
       options.file.examine.depth = Depth::kStructure;
     }},
    {"short values",
     [](hep001::ExportOptions& options) {
       options.file.limits.block_bytes = 40;
       options.file.limits.string_bytes = 4;
       options.file.limits.attribute_bytes = 40;
       options.file.examine.allow_unchecked = true;
       options.partial = true;
     }},
    {"few values",
     [](hep001::ExportOptions& options) {
       options.file.limits.value_bytes = 2'000;
       options.file.examine.depth = Depth::kStructure;
     }},
    {"unlike column", [](hep001::ExportOptions& options) { options.skip.insert("no such"); }},
    {"without a list column", [](hep001::ExportOptions& options) { options.skip = {"tracks"}; }},
};

// Everything about the export of a table: its rows, what they lose, its layout. Some tables claim
// more rows than anybody can read.
std::string exported(const hep001::TablePlace& place, const hep001::ExportOptions& options) {
  constexpr std::uint64_t kMostRows = 20'000;
  const auto table = hep001::open_table(place, options);
  if (!table)
    return std::format("refused {}: {}\n", table.error().forbidden, table.error().error.text());
  const exchange::TableLayout layout = (*table)->layout();
  std::string text =
      losses((*table)->losses()) + layout_text(layout) + tiledb::testing::array_text(layout);
  if (layout.rows > kMostRows) return text;
  const auto rows = exchange::whole(**table);
  return (rows ? table_text(*rows) : line("ends: " + rows.error().text())) + text;
}

class KeptExchanges : public ::testing::Test {
 protected:
  void SetUp() override {
    if (HEPCHECK_HDF5 < 2) GTEST_SKIP() << "HDF5 1 reads and writes other files";
  }
};

TEST_F(KeptExchanges, TablesAsArrow) {
  std::string text;
  for (const Fixture* fixture : files_of_corpus()) {
    if (fixture->format != "hep001") continue;
    text += std::format("[{}]\n", fixture->file);
    for (const Expectation& table : fixture->tables) {
      const Folder folder;
      const hep001::TablePlace place{.file = folder.file("a.h5"), .group = table.group};
      put(fixture->image, place.file);
      const std::string arrow = folder.file("out.arrow");
      text += without(out(place, {}, {}, arrow), folder);
      if (!fs::exists(arrow)) continue;
      expect_the_same_in_pieces(place, folder);
      text += "and in: " + without(in(arrow, find_specification(fixture->spec), folder), folder);
    }
  }
  EXPECT_TRUE(golden::equals(text, "conformance/golden/exchange-out.txt"));
}

// Tables of the corpus, sound or not, exported in two ways each with other options; a line for each
// section and each way.
TEST_F(KeptExchanges, TablesWithOtherOptions) {
  std::map<std::string, std::pair<std::size_t, std::string>> all;
  for (const Fixture* fixture : files_of_corpus()) {
    if (fixture->format != "hep001") continue;
    const Folder folder;
    const std::string path = folder.file("a.h5");
    put(fixture->image, path);
    // The ways of a file do not depend on the others.
    const std::uint64_t number = std::stoull(fixture->sha256.substr(0, 8), nullptr, 16);
    for (const std::size_t which : {number % std::size(kExports), number / 64 % 2}) {
      const auto& [name, vary] = kExports[which];
      for (const Expectation& table : fixture->tables) {
        hep001::ExportOptions options;
        options.file.examine.jobs = 1;
        vary(options);
        auto& [count, text] =
            all[std::format("{} {}", fs::path(fixture->file).parent_path().string(), name)];
        ++count;
        const hep001::TablePlace place{
            .file = path, .group = table.group, .spec = find_specification(fixture->spec)};
        text += without(exported(place, options), folder);
        // In pieces it has the same values, unless they are refused.
        options.batch_rows = 1 + number % 5;
        const std::string pieces = exported(place, options);
        options.batch_rows = 1'000'000;
        const std::string whole = exported(place, options);
        EXPECT_TRUE(pieces == whole || whole.starts_with("ends")) << fixture->file;
        text += without(pieces, folder);
      }
    }
  }
  std::string text;
  for (const auto& [name, each] : all)
    text += std::format("{}: {} {}\n", name, each.first, golden::digest_of(each.second));
  EXPECT_TRUE(golden::equals(text, "conformance/golden/exchange-options.txt"));
}

TEST_F(KeptExchanges, ArrowAsTables) {
  std::string text;
  for (const Fixture* fixture : files_of_corpus()) {
    if (fixture->format != "arrow") continue;
    const Folder folder;
    const std::string path = folder.file("a.arrow");
    put(fixture->image, path);
    text += std::format("[{}]\n{}", fixture->file,
                        without(in(path, &default_specification(), folder), folder));
    if (read(path)) text += std::format("needs {} bytes\n", least_memory(path));
  }
  EXPECT_TRUE(golden::equals(text, "conformance/golden/exchange-in.txt"));
}

TEST(ReadExchanges, ArraysAndRNTuplesAsTables) {
  std::string text;
  for (const Fixture* fixture : files_of_corpus()) {
    if (!fixture->valid) continue;
    const Bytes file = Bytes::of_image(fixture->image, fixture->file);
    if (fixture->format == "tiledb") {
      const auto made = tiledb::read_array(file, {});
      text += std::format("[{}]\n", fixture->file) +
              (made ? table_text(made->table) + losses(made->losses)
                    : line("refused: " + made.error()));
    } else if (fixture->format == "rntuple") {
      const auto read = [&](const rntuple::ReadOptions& options) {
        const auto made = rntuple::read_table(file, std::nullopt, options);
        return made ? table_text(made->table) + losses(made->losses) + losses(made->refused)
                    : line("refused: " + made.error().why);
      };
      text += std::format("[{}]\n", fixture->file) +
              read({.skip = {}, .projected = true, .memory = kMemory});
      std::string others = read({.schema_only = true, .memory = kMemory}) +
                           read({.small_booleans = true, .memory = kMemory});
      for (const std::uint64_t memory : {0, 8, 24, 100, 1'000})
        others += read({.skip = {"x"}, .memory = memory});
      text += std::format("otherwise {}\n", golden::digest_of(others));
    }
  }
  EXPECT_TRUE(golden::equals(text, "conformance/golden/exchange-read.txt"));
}

}  // namespace
}  // namespace hepcheck::conformance
