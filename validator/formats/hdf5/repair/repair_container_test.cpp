// Every container of the corpus, repaired with and without compaction, and packed, and some as if a
// writer had not closed them: what was changed, what is left and why, and the bytes of the results.
// They equal the golden files: a line for each directory or kind of repair, with the number of
// files that are changed, and a digest of all that it says and makes.
#include "validator/formats/hdf5/repair/repair_container.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <format>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/fnv1a.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/testing/bytes.h"
#include "validator/formats/hdf5/testing/lists.h"
#include "validator/formats/hdf5/testing/private_copy.h"
#include "validator/formats/hdf5/testing/repairs.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/random.h"

namespace hepcheck::hdf5::repairs {
namespace {

namespace fs = std::filesystem;
using testing::bytes_of;
using testing::copy_of;
using testing::marked;
using testing::text_of;

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

// --- Files that a writer did not close
// ------------------------------------------------------------

struct Variant {
  std::string_view name;
  unsigned flags = 5;
  std::ptrdiff_t longer = 0;  // the file, by so many bytes
  std::set<std::string, std::less<>> only{};
  bool compact = false;
};
const Variant kVariants[] = {
    {.name = "under SWMR"},
    {.name = "not under SWMR", .flags = 1},
    {.name = "longer", .longer = 100},
    {.name = "shorter", .longer = -8},
    {.name = "marks only", .longer = 40, .only = {"swmr-superblock-status-closed"}},
    {.name = "one statistic only",
     .only = {"swmr-earray-realized", "swmr-superblock-status-closed"}},
    {.name = "compacted", .longer = 100, .compact = true},
    {.name = "closed and shorter", .flags = 0, .longer = -8},
};

// What a library makes of a file that it opens and closes; the number of the kind.
Result<std::vector<std::byte>> reopened(std::span<const std::byte> image, std::uint64_t kind,
                                        const std::string& other) {
  const std::span bytes = std::as_bytes(std::span(other));
  switch (kind % 3) {
    case 0: return failure("", "it cannot be opened");
    case 1: return std::vector<std::byte>(image.begin(), image.end());
    default: return std::vector<std::byte>(bytes.begin(), bytes.end());
  }
}

TEST(ContainerRepairs, OfUnclosedFilesEqualTheGoldenFile) {
  constexpr std::uintmax_t kLargest = 20'000;
  std::vector<fs::path> files;
  for (const fs::directory_entry& each :
       fs::recursive_directory_iterator(fs::path(HEPCHECK_SOURCE) / "fixtures/hdf5")) {
    const std::string name = each.path().filename().string();
    if (each.path().extension() == ".h5" && each.file_size() <= kLargest &&
        (name.starts_with("swmr-earray-") || name.starts_with("swmr-superblock-") ||
         name.starts_with("h5-free-space-")))
      files.push_back(each.path());
  }
  std::ranges::sort(files);
  const std::string sound =
      golden::file_text(fs::path(HEPCHECK_SOURCE) /
                        "fixtures/hdf5/valid/10.2/swmr-earray-max-index--made-smaller.h5");
  ASSERT_FALSE(sound.empty());
  const Specification &whole = default_revision("hdf5"),
                      &swmr = *find_specification("hdf5-swmr-2013-10-10");
  std::string text;
  for (const Variant& variant : kVariants) {
    Sum sum;
    std::map<std::string, std::size_t> acts;
    for (const fs::path& path : files) {
      const std::string name = path.filename().string();
      std::string image = marked(golden::file_text(path), variant.flags);
      image.resize(
          static_cast<std::size_t>(static_cast<std::ptrdiff_t>(image.size()) + variant.longer));
      const bool of_format = name.starts_with("h5-");
      const ContainerRepair request{.spec = of_format ? &whole : &swmr,
                                    .only = variant.only,
                                    .file = {.examine = {.jobs = 1}},
                                    .compact = variant.compact,
                                    .reopened = [&](std::span<const std::byte> of) {
                                      return reopened(of, fnv1a(name), sound);
                                    }};
      const auto copy = copy_of(image);
      const auto made = repair_container(*copy, "copy", request);
      if (!made) {
        sum.text += made.error().text() + '\n';
        continue;
      }
      sum.add(path, *made, bytes_of(*copy));
      for (const RepairChange& each : made->changes) ++acts[each.act];
    }
    text += std::format("{}: {} of {} changed, {}\n", variant.name, sum.changed, sum.files,
                        golden::digest_of(sum.text));
    for (const auto& [act, times] : acts) text += std::format("  {} {}\n", times, act);
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/repairs_of_unclosed_files.txt"));
}

// The six statistics in the header of each extensible array, any of them too low or too high, and
// sometimes a wrong byte somewhere.
TEST(ContainerRepairs, OfStatisticsEqualTheGoldenFile) {
  constexpr std::size_t kStatistics = 6, kTimes = 6;
  constexpr std::uintmax_t kLargest = 20'000;
  std::map<std::string, Sum> sums;  // by the number of changes
  for (const fs::path& path : testing::containers()) {
    if (fs::file_size(path) > kLargest || !path.string().contains("/valid/")) continue;
    const std::string sound = golden::file_text(path);
    if (!sound.contains("EAHD") || sound.size() < 20) continue;
    const auto length = static_cast<unsigned char>(sound[sound[8] < 2 ? 14 : 10]);
    const auto offset = static_cast<unsigned char>(sound[sound[8] < 2 ? 13 : 9]);
    const std::size_t summed = 12 + kStatistics * length + offset;
    Random random(fnv1a(path.filename().string()));
    for (std::size_t time = 0; time < kTimes; ++time) {
      std::string image = sound;
      std::size_t header = sound.find("EAHD");
      for (; header != sound.npos && header + summed + kChecksum <= sound.size();
           header = sound.find("EAHD", header + 1)) {
        for (std::size_t i = 0; i < kStatistics; ++i) {
          char& lowest = image[header + 12 + i * length];
          if (random.once_in(2)) lowest = static_cast<char>(lowest + 1 - 2 * random.number(2));
        }
        image.replace(
            header + summed, kChecksum,
            number(lookup3(std::as_bytes(std::span(image)).subspan(header, summed)), kChecksum));
      }
      if (random.once_in(4)) ++image[100 + random.below(image.size() - 100)];
      if (random.once_in(3)) image = marked(image, 5);
      ContainerRepair request{.spec = &default_revision("hdf5"), .file = {.examine = {.jobs = 1}}};
      if (random.once_in(4))
        request.only = {"swmr-earray-realized", "swmr-earray-data-block-count"};
      const auto copy = copy_of(image);
      const auto made = repair_container(*copy, "copy", request);
      ASSERT_TRUE(made) << path;
      sums[std::format("{} changes", made->changes.size())].add(path, *made, bytes_of(*copy));
    }
  }
  std::string text;
  for (const auto& [name, sum] : sums)
    text += std::format("{}: {} files, {}\n", name, sum.files, golden::digest_of(sum.text));
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/repairs_of_statistics.txt"));
}

TEST(ContainerRepairs, OfOtherFilesFail) {
  const auto copy = copy_of("no HDF5 file");
  const auto made = repair_container(*copy, "copy", {.spec = &default_revision("hdf5")});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().text(), "copy: not an HDF5 file: the superblock signature is missing");
  EXPECT_EQ(bytes_of(*copy), "no HDF5 file");
}

// A file whose superblock states an end that is far beyond it is left open.
TEST(ContainerRepairs, DoNotMakeAFileMuchLonger) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  for (const std::uint64_t more : {kMost, kMost + 1}) {
    std::string image = testing::superblock(0, kUndefined, 1'000 + more, 48);
    image.resize(1'000);
    image = marked(image, 5);
    const auto copy = copy_of(image);
    const auto made = repair_container(*copy, "copy", {.spec = &default_revision("hdf5")});
    ASSERT_TRUE(made);
    const bool left = more > kMost;
    EXPECT_EQ(made->changes.empty(), left);
    if (!left) continue;
    EXPECT_EQ(bytes_of(*copy), image);
    EXPECT_TRUE(std::ranges::any_of(made->left, [](const RepairLeft& each) {
      return each.why == "its end-of-file address is far beyond its end";
    }));
  }
}

}  // namespace
}  // namespace hepcheck::hdf5::repairs
