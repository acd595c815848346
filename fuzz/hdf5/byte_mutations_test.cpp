// Each byte of every small valid file of the corpus, and some bytes of the larger ones, are
// replaced by their value plus one, minus one, zero and all ones (in the smallest files also with
// each single bit flipped), one at a time and with the checksums repaired. A byte is mutated in the
// first file that has it, with the bytes around it, at its address. The findings about the
// resulting files equal the golden files: golden/SECTION.txt has a line for each file of a section,
// with the number of mutations, the number that violate a clause, and a digest of all findings;
// after these, a line for each clause with the number of mutations that violate it. Files of the
// file format specification are judged by it, and fewer of their bytes are mutated.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <format>
#include <set>
#include <string>
#include <vector>

#include "fuzz/hdf5/mutations.h"
#include "validator/catalogue/clause.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5 {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTiny = 500, kSmall = 1300, kLargest = 40'000;  // bytes
constexpr std::size_t kPlaces = 64;                                   // in a file that is not small
constexpr std::size_t kFewPlaces = 8;  // in a file of the file format specification

// The sections of the file format specification; "4.1" and "FF-III.A" are of the SWMR design.
bool of_file_format(std::string_view section) {
  return section.front() >= 'A' && !section.starts_with("FF-");
}

const Specification& specification_of(std::string_view section) {
  return of_file_format(section) ? default_revision("hdf5")
                                 : *find_specification("hdf5-swmr-2013-10-10");
}

// The replacement values of a byte.
std::set<std::uint8_t> others(std::uint8_t byte, bool each_bit) {
  std::set<std::uint8_t> made = {static_cast<std::uint8_t>(byte + 1),
                                 static_cast<std::uint8_t>(byte - 1), 0, 0xff};
  for (unsigned bit = 0; each_bit && bit < 8; ++bit)
    made.insert(static_cast<std::uint8_t>(byte ^ 1U << bit));
  made.erase(byte);
  return made;
}

// The bytes of a file that are mutated.
std::vector<std::size_t> places(const Image& image, std::string_view section) {
  const std::size_t step = of_file_format(section)  ? 1 + image.size() / kFewPlaces
                           : image.size() <= kSmall ? 1
                                                    : image.size() / kPlaces;
  std::vector<std::size_t> made;
  for (std::size_t at = 0; at < image.size(); at += step) made.push_back(at);
  return made;
}

// The bytes that earlier files have, with those around them: many files begin alike.
class Known {
 public:
  // Whether a byte is new; from then on it is not.
  bool add(const Image& image, std::size_t at) {
    const std::size_t begin = at / kAround * kAround;
    const std::size_t size = std::min(kAround, image.size() - begin);
    return seen_
        .emplace(at, std::string(image.begin() + static_cast<std::ptrdiff_t>(begin),
                                 image.begin() + static_cast<std::ptrdiff_t>(begin + size)))
        .second;
  }

 private:
  static constexpr std::size_t kAround = 16;  // bytes
  std::set<std::pair<std::size_t, std::string>> seen_{};
};

Results results_of_mutations(const Image& image, const std::string& section, Known& known) {
  const Specification& spec = specification_of(section);
  Results results;
  mutate(image, spec, results);
  for (const std::size_t at : places(image, section)) {
    if (!known.add(image, at)) continue;
    for (const std::uint8_t other :
         others(image[at], image.size() <= kTiny && !of_file_format(section))) {
      Image mutated = image;
      mutated[at] = other;
      mutate(std::move(mutated), spec, results);
    }
  }
  return results;
}

// --- All files -----------------------------------------------------------------------------------

const fs::path kSound = HEPCHECK_FIXTURES "/hdf5/valid";

std::vector<std::string> sections() {
  std::vector<std::string> found;
  for (const auto& each : fs::directory_iterator(kSound))
    found.push_back(each.path().filename().string());
  std::ranges::sort(found);
  return found;
}

std::vector<fs::path> files_of(const std::string& section) {
  std::vector<fs::path> found;
  for (const auto& each : fs::directory_iterator(kSound / section))
    if (each.path().extension() == ".h5" && each.file_size() <= kLargest)
      found.push_back(each.path());
  std::ranges::sort(found);
  return found;
}

// The bytes of the sections before this one.
Known known_before(const std::string& section) {
  Known known;
  for (const std::string& each : sections()) {
    if (each == section) break;
    for (const fs::path& path : files_of(each)) {
      const Image image = image_of(path);
      for (const std::size_t at : places(image, each)) known.add(image, at);
    }
  }
  return known;
}

std::string text_of(const std::string& section) {
  std::string text;
  Counts broken;
  Known known = known_before(section);
  for (const fs::path& path : files_of(section)) {
    const Results results = results_of_mutations(image_of(path), section, known);
    text += std::format("{} {}: {} {}\n", path.filename().string(), results.mutations,
                        results.telling, golden::digest_of(results.all));
    for (const auto& [clause, count] : results.broken) broken[clause] += count;
  }
  for (const auto& [clause, count] : broken) text += std::format("  {} {}\n", clause, count);
  return text;
}

class ByteMutations : public testing::TestWithParam<std::string> {};

TEST_P(ByteMutations, ReportsEqualTheGoldenFiles) {
  EXPECT_TRUE(golden::equals(text_of(GetParam()), "fuzz/hdf5/golden/" + GetParam() + ".txt"));
}

INSTANTIATE_TEST_SUITE_P(OfSections, ByteMutations, testing::ValuesIn(sections()));

}  // namespace

}  // namespace hepcheck::hdf5
