// Everything that the reader without the library reads of the tables in the corpus, and the roles
// that each revision gives to its objects. It equals the golden file: a line for each directory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <format>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/bytes.h"
#include "validator/formats/hep001/model/revision.h"
#include "validator/formats/hep001/model/table.h"
#include "validator/formats/hep001/reader/open_tables.h"
#include "validator/formats/hep001/reader/read_tables.h"
#include "validator/formats/hep001/testing/model_text.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hep001 {
namespace {

namespace fs = std::filesystem;
using model_text::roles_of;
using model_text::text_of;

// All tables of a file, as text.
std::string tables_of(TableFile& file, const std::function<void(Table&, std::string&)>& add) {
  std::string text;
  for_each_table(file,
                 {.table = [&](Table&& table) { add(table, text); },
                  .unreadable = [&](const Error& each) { text += each.text() + '\n'; },
                  .other = [&](const std::string& at,
                               const std::string& value) { text += at + ' ' + value + '\n'; }});
  return text;
}

TEST(Models, OfTheCorpusEqualTheGoldenFile) {
  constexpr std::uintmax_t kLargest = 100'000;
  const fs::path fixtures = fs::path(HEPCHECK_SOURCE) / "fixtures/hep001";
  std::vector<fs::path> paths;
  for (const fs::directory_entry& each : fs::recursive_directory_iterator(fixtures))
    if (each.path().extension() == ".h5" && each.file_size() <= kLargest)
      paths.push_back(each.path());
  std::ranges::sort(paths);
  std::map<std::string, std::pair<std::size_t, std::string>> folders;
  const FileOptions options;
  prepare_readers(options);
  for (const fs::path& path : paths) {
    auto& [tables, text] = folders[path.parent_path().lexically_relative(fixtures).string()];
    const std::string image = golden::file_text(path);
    const Bytes bytes = Bytes::of_image(std::as_bytes(std::span(image)), "file");
    const auto file = open_tables(bytes, options);
    text += path.filename().string() + '\n';
    if (!file) {
      text += file.error().text() + '\n';
      continue;
    }
    text += tables_of(**file, [&](Table& table, std::string& into) {
      ++tables;
      into += text_of(table.group);
      for (const Revision& each : all_revisions()) {
        assign_roles(table, each);
        into += roles_of(table);
      }
    });
  }
  std::string text;
  for (const auto& [folder, all] : folders)
    text += std::format("{}: {} tables, {}\n", folder, all.first, golden::digest_of(all.second));
  EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/models.txt"));
}

// Some files under each limit, from nothing to what they need.
TEST(Models, UnderLimitsEqualTheGoldenFile) {
  constexpr std::pair<const char*, std::uint64_t Limits::*> kLimits[] = {
      {"attributes", &Limits::attributes},     {"attribute-size", &Limits::attribute_bytes},
      {"string-size", &Limits::string_bytes},  {"links", &Limits::links},
      {"objects", &Limits::objects},           {"group-depth", &Limits::group_depth},
      {"type-depth", &Limits::type_depth},     {"subjects", &Limits::subjects},
      {"type-members", &Limits::type_members}, {"chunk-size", &Limits::block_bytes}};
  std::string text;
  for (const char* path :
       {"12/index-content-correct--every-family.h5", "9.2/list-values-form--each-of-the-three.h5",
        "8.7/categories-any-datatype--labels-of-many-datatypes.h5"}) {
    const std::string image =
        golden::file_text(fs::path(HEPCHECK_SOURCE) / "fixtures/hep001/valid" / path);
    ASSERT_NE(image, "") << path;
    const Bytes bytes = Bytes::of_image(std::as_bytes(std::span(image)), "file");
    text += std::format("{}\n", path);
    for (const auto& [name, limit] : kLimits) {
      std::string all;
      std::set<std::string> results;
      for (const std::uint64_t value : {0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 24, 40, 64, 300}) {
        FileOptions options;
        options.limits.*limit = value;
        const auto file = open_tables(bytes, options);
        const std::string result =
            file ? tables_of(**file,
                             [](Table& table, std::string& into) { into += text_of(table.group); })
                 : file.error().text();
        results.insert(result);
        all += result;
      }
      text += std::format("  {}: {} results, {}\n", name, results.size(), golden::digest_of(all));
    }
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/models-limits.txt"));
}

}  // namespace
}  // namespace hepcheck::hep001
