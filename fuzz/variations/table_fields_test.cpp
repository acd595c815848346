// Fields of the structures that contain a table, the values of attributes among them, get other
// values: one at a time, and most with the checksums repaired. What is reported about the table
// equals the golden file, which has a line for each section with the mutations and a digest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <format>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/choices.h"
#include "fuzz/hdf5/mutations.h"
#include "validator/catalogue/clause.h"
#include "validator/formats/hdf5/testing/map_of.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::fuzz::table_fields {

namespace {

namespace fs = std::filesystem;

using hdf5::Image;
using hdf5::image_of;

constexpr std::uintmax_t kLargest = 20'000;  // bytes of a file
constexpr std::size_t kMutations = 50;       // of a section

// A number becomes one more, one less, all ones or zero; of other bytes, the first or the last
// changes. In turn: few fields of a file differ in their number only.
Image with_another_value(Image image, const FileField& field, std::size_t turn) {
  const std::size_t at = field.address, size = field.size;
  if (size > 8) {
    ++image[turn % 2 == 0 ? at : at + size - 1];
    return image;
  }
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | image[at + i];
  const std::uint64_t others[] = {value + 1, value - 1, ~std::uint64_t{0}, 0};
  put_number(image, at, size, others[turn % 4]);
  return image;
}

void repair(Image& image) { hdf5::repair(image, *find_specification("hdf5-swmr-2013-10-10")); }

// The first small file of each section.
std::vector<fs::path> files() {
  std::vector<fs::path> all, made;
  for (const auto& each : fs::recursive_directory_iterator(HEPCHECK_FIXTURES "/hep001/valid"))
    if (each.path().extension() == ".h5" && each.file_size() <= kLargest)
      all.push_back(each.path());
  std::ranges::sort(all);
  std::set<fs::path> sections;
  for (fs::path& path : all)
    if (sections.insert(path.parent_path()).second) made.push_back(std::move(path));
  return made;
}

TEST(TableFields, ReportsEqualTheGoldenFile) {
  std::string text;
  std::size_t turn = 0;
  for (const fs::path& path : files()) {
    const Image image = image_of(path);
    const FileMap map = hdf5::testing::map_of(
        Bytes::of_image(std::as_bytes(std::span(image)), "image"), {.fields = true});
    std::vector<FileField> fields = map.fields;
    std::erase_if(fields, [](const FileField& each) {
      return each.name.empty() || each.size == 0 || each.name.ends_with("checksum");
    });
    // Others than in the last file.
    const std::size_t step = std::max<std::size_t>(1, fields.size() / kMutations);
    std::string all;
    std::size_t mutations = 0, telling = 0;
    for (std::size_t i = turn % step; i < fields.size(); i += step, ++turn) {
      Image changed = with_another_value(image, fields[i], turn);
      if (changed == image) continue;
      if (turn % 5 != 0) repair(changed);  // otherwise a block is damaged
      ++mutations;
      std::map<std::string, bool> broken;
      hdf5::add(examine_image(std::as_bytes(std::span(changed)), "image", std::nullopt,
                              &default_revision("hep001"), {.examine = {.jobs = 1}}),
                all, broken);
      telling += !broken.empty();
    }
    text +=
        std::format("{}: {} mutations, {} telling, {}\n", path.parent_path().filename().string(),
                    mutations, telling, golden::digest_of(all));
  }
  EXPECT_TRUE(golden::equals(text, "fuzz/variations/golden/table-fields.txt"));
}

// The CLASS of each of four groups is one of several texts of the same size.
TEST(TableFields, OfGroupsThatAreNearlyTables) {
  constexpr std::string_view kClass = "COLUMN_TABLE";
  constexpr std::string_view kTexts[] = {"COLUMN_TABLE", "column_table", "COLUMN TABLE",
                                         "COLUMN-TABEL", "C_O_L_U_M_NX", "DATA_FRAME_X",
                                         "COLUMN_TABL3", "XOLUMN_TABLX", "XXLUMN_TABLX",
                                         "COLUMN12TABL", "123456789012", "------------"};
  const Image image = image_of(
      HEPCHECK_FIXTURES "/hep001/valid/7.4/consumer-units-vocabulary-default--of-four-tables.h5");
  Noise choices(7);
  std::string text;
  for (int i = 0; i < 60; ++i) {
    Image changed = image;
    const std::size_t tables = choices.one_in(6) ? 1 : 0;  // of those that keep it
    std::size_t groups = 0;
    for (auto from = changed.begin();; ++groups) {
      from = std::ranges::search(from, changed.end(), kClass.begin(), kClass.end()).begin();
      if (from == changed.end()) break;
      from = std::ranges::copy(
                 kTexts[groups < tables ? 0 : 1 + choices.below(std::size(kTexts) - 1)], from)
                 .out;
    }
    EXPECT_EQ(groups, 4u);
    repair(changed);
    FileOptions options{.examine = {.jobs = 1}};
    options.allow_no_subjects = choices.one_in(6);
    const FileReport report = examine_image(std::as_bytes(std::span(changed)), "image",
                                            std::nullopt, &default_revision("hep001"), options);
    for (const SubjectReport& subject : report.subjects) text += subject.path + ' ';
    text += (report.error ? report.error->text() : "no error") + '\n';
  }
  EXPECT_TRUE(golden::equals(text, "fuzz/variations/golden/near-tables.txt"));
}

}  // namespace

}  // namespace hepcheck::fuzz::table_fields
