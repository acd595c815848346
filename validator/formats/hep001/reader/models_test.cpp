// Everything that the reader without the library reads of the tables in the corpus, and the roles
// that each revision gives to its objects. It equals the golden file: a line for each directory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <format>
#include <map>
#include <memory>
#include <optional>
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
    for_each_table(**file,
                   {.table =
                        [&](Table&& table) {
                          ++tables;
                          text += text_of(table.group);
                          for (const Revision& each : all_revisions()) {
                            assign_roles(table, each);
                            text += roles_of(table);
                          }
                        },
                    .unreadable = [&](const Error& each) { text += each.text() + '\n'; },
                    .other = [&](const std::string& at,
                                 const std::string& value) { text += at + ' ' + value + '\n'; }});
  }
  std::string text;
  for (const auto& [folder, all] : folders)
    text += std::format("{}: {} tables, {}\n", folder, all.first, golden::digest_of(all.second));
  EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/models.txt"));
}

}  // namespace
}  // namespace hepcheck::hep001
