// Every container of the corpus, repaired with and without compaction, and packed: what was
// changed, what is left and why, and the bytes of the results. They equal the golden file: a line
// for each directory, with the number of files that each of the three changes, and a digest of all
// that it says and makes.
#include "validator/formats/hdf5/repair/repair_container.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <format>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/formats/hdf5/testing/private_copy.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::repairs {
namespace {

namespace fs = std::filesystem;
using testing::bytes_of;
using testing::copy_of;

std::string text_of(const RepairedSubject& subject) {
  std::string text;
  for (const RepairChange& each : subject.changes)
    text += std::format("{}|{}|{}|{}|{}|{}\n", each.clause, each.object, each.attribute, each.act,
                        each.from, each.to);
  for (const RepairLeft& each : subject.left)
    text += std::format("{}|{}|{}|{}|{}|{}\n", each.clause, each.object, each.where, each.observed,
                        each.expected, each.why);
  for (const std::string& each : subject.notes) text += each + '\n';
  return text;
}

struct Sum {
  std::size_t files = 0, changed = 0;
  std::string text{};

  void add(const fs::path& path, const RepairedSubject& subject, const std::string& bytes) {
    ++files;
    changed += !subject.changes.empty();
    text += path.filename().string() + '\n' + text_of(subject) + golden::digest_of(bytes) + '\n';
  }
};

TEST(ContainerRepairs, EqualTheGoldenFile) {
  constexpr std::uintmax_t kLargest = 20'000;
  std::vector<fs::path> files;
  for (const fs::directory_entry& each :
       fs::recursive_directory_iterator(fs::path(HEPCHECK_SOURCE) / "fixtures/hdf5"))
    if (each.path().extension() == ".h5" && each.file_size() <= kLargest)
      files.push_back(each.path());
  std::ranges::sort(files);
  std::map<std::string, std::map<std::string_view, Sum>> all;
  const Specification &whole = default_revision("hdf5"),
                      &swmr = *find_specification("hdf5-swmr-2013-10-10");
  for (const fs::path& path : files) {
    const std::string folder =
        path.parent_path().lexically_relative(fs::path(HEPCHECK_SOURCE) / "fixtures/hdf5").string();
    const std::string image = golden::file_text(path);
    const bool of_format = !path.filename().string().starts_with("swmr-");
    const ContainerRepair request{.spec = of_format ? &whole : &swmr,
                                  .file = {.examine = {.jobs = 1}}};
    const auto plain = copy_of(image);
    if (const auto made = repair_container(*plain, "copy", request))
      all[folder]["repaired"].add(path, *made, bytes_of(*plain));
    ContainerRepair compacting = request;
    compacting.compact = true;
    const auto compact = copy_of(image);
    if (const auto made = repair_container(*compact, "copy", compacting))
      all[folder]["compacted"].add(path, *made, bytes_of(*compact));
    const auto packed = copy_of("");
    const RepairedSubject made =
        pack_container(Bytes::of_image(std::as_bytes(std::span(image)), "copy"), *packed, Limits());
    all[folder]["packed"].add(path, made, bytes_of(*packed));
  }
  std::string text;
  for (const auto& [folder, kinds] : all) {
    text += folder + ':';
    for (const auto& [kind, sum] : kinds)
      text += std::format(" {} {} of {} {};", kind, sum.changed, sum.files,
                          golden::digest_of(sum.text));
    text += '\n';
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/repairs.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::repairs
