// Each field that a structure of a valid file has gets other values, one field at a time and with
// the checksums repaired: in one file of each of several sections, and of the fields with that name
// in the file once the first, once the last, and once one between them. What is reported equals the
// golden file, which has a line for each kind of structure: its fields, the mutations, those that
// violate a clause, and a digest of all findings. And two fields at once of every file, with a line
// for each section.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <format>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/hdf5/mutations.h"
#include "validator/fnv1a.h"
#include "validator/formats/hdf5/repair/repair_container.h"
#include "validator/formats/hdf5/testing/map_of.h"
#include "validator/formats/hdf5/testing/private_copy.h"
#include "validator/formats/hdf5/testing/repairs.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::field_mutations {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargest = 20'000;  // bytes of a file
constexpr std::size_t kSections = 12;     // in which a field is mutated

// "data layout: size 3" and "data layout: size 4" are one field.
std::string without_numbers(std::string name) {
  std::erase_if(name, [](unsigned char each) { return std::isdigit(each) != 0; });
  return name;
}

// By the kind of the structure and the name of the field.
using Named = std::map<std::pair<std::string, std::string>, std::vector<FileField>>;

Named named_fields(const Image& image) {
  Named found;
  const Bytes file = Bytes::of_image(std::as_bytes(std::span(image)), "image");
  const FileMap map = testing::map_of(file, {.fields = true});
  for (const FileField& each : map.fields)
    if (!each.name.empty() && each.size > 0)
      found[{map.kinds[map.ranges[each.range].kind], without_numbers(each.name)}].push_back(each);
  return found;
}

// A number gets its neighbours, zero and all ones; of other bytes, the first and the last change.
std::vector<Image> with_other_values(const Image& image, const FileField& field) {
  std::vector<Image> made;
  const std::size_t at = field.address, size = field.size;
  if (size > 8) {
    for (const std::size_t byte : {at, at + size - 1}) {
      made.push_back(image);
      ++made.back()[byte];
    }
    return made;
  }
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | image[at + i];
  for (const std::uint64_t other : {value + 1, value - 1, std::uint64_t{0}, ~std::uint64_t{0}}) {
    Image changed = image;
    fuzz::put_number(changed, at, size, other);
    if (changed != image) made.push_back(std::move(changed));
  }
  return made;
}

std::vector<fs::path> files_of(const char* folder) {
  std::vector<fs::path> found;
  for (const auto& each : fs::recursive_directory_iterator(folder))
    if (each.path().extension() == ".h5" && each.file_size() <= kLargest)
      found.push_back(each.path());
  std::ranges::sort(found);
  return found;
}

struct OfKind {
  std::set<std::string> fields{};
  Results results{};
};

std::string text_of(const std::map<std::string, OfKind>& kinds) {
  std::string text;
  for (const auto& [name, kind] : kinds)
    text += std::format("{}: {} fields, {} mutations, {} telling, {}\n", name, kind.fields.size(),
                        kind.results.mutations, kind.results.telling,
                        golden::digest_of(kind.results.all));
  return text;
}

TEST(FieldMutations, ReportsEqualTheGoldenFile) {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> sections;
  std::map<std::string, OfKind> kinds;
  for (const fs::path& path : files_of(HEPCHECK_FIXTURES "/hdf5/valid")) {
    const std::string section = path.parent_path().filename().string();
    const Image image = image_of(path);
    for (const auto& [names, fields] : named_fields(image)) {
      std::set<std::string>& before = sections[names];
      if (before.size() >= kSections || before.contains(section)) continue;
      const std::size_t which = before.size() % 3 * (fields.size() - 1) / 2;
      before.insert(section);
      OfKind& kind = kinds[names.first];
      kind.fields.insert(names.second);
      for (Image& changed : with_other_values(image, fields[which]))
        mutate(std::move(changed), default_revision("hdf5"), kind.results);
    }
  }
  EXPECT_TRUE(golden::equals(text_of(kinds), "fuzz/hdf5/golden/of-every-field.txt"));
}

// Each bit of every field of one byte or of three: versions, kinds, flags and counts.
TEST(FieldMutations, OfEachBitEqualTheGoldenFile) {
  std::map<std::pair<std::string, std::string>, std::size_t> files;
  std::map<std::string, OfKind> kinds;
  for (const fs::path& path : files_of(HEPCHECK_FIXTURES "/hdf5/valid")) {
    const Image image = image_of(path);
    for (const auto& [names, fields] : named_fields(image)) {
      const std::size_t size = fields.front().size;
      // One file for each field, and another for the short ones.
      if ((size != 1 && size != 3) || files[names]++ >= (size == 1 ? 2u : 1u)) continue;
      OfKind& kind = kinds[names.first];
      kind.fields.insert(names.second);
      for (unsigned bit = 0; bit < 8 * fields.back().size; ++bit) {
        Image changed = image;
        changed[fields.back().address + bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        mutate(std::move(changed), default_revision("hdf5"), kind.results);
      }
    }
  }
  EXPECT_TRUE(golden::equals(text_of(kinds), "fuzz/hdf5/golden/of-each-bit.txt"));
}

// --- Several defects at once
// ----------------------------------------------------------------------

std::uint64_t value_of(const Image& image, const FileField& field) {
  std::uint64_t value = 0;
  for (std::size_t i = field.size; i-- > 0;) value = value << 8 | image[field.address + i];
  return value;
}

// Two numbers change places, one becomes the other, or both are larger by one.
void change_two(Image& image, const FileField& one, const FileField& other, std::uint64_t how) {
  const std::uint64_t first = value_of(image, one), second = value_of(image, other);
  fuzz::put_number(image, one.address, one.size, how == 2 ? first + 1 : second);
  if (how == 0) fuzz::put_number(image, other.address, other.size, first);
  if (how == 2) fuzz::put_number(image, other.address, other.size, second + 1);
}

std::vector<FileField> numbers_of(const Image& image) {
  std::vector<FileField> numbers;
  for (const auto& [names, fields] : named_fields(image))
    std::ranges::copy_if(fields, std::back_inserter(numbers), [&](const FileField& each) {
      return each.size <= 8 && each.address + each.size <= image.size();
    });
  return numbers;
}

// Any two fields of every valid file; and of every invalid one, which has a defect already.
TEST(FieldMutations, OfTwoFieldsEqualTheGoldenFile) {
  std::string text;
  for (const bool valid : {true, false}) {
    const auto files =
        files_of(valid ? HEPCHECK_FIXTURES "/hdf5/valid" : HEPCHECK_FIXTURES "/hdf5/invalid");
    std::map<std::string, Results> sections;
    for (const fs::path& path : files) {
      const Image image = image_of(path);
      const std::vector<FileField> numbers = numbers_of(image);
      if (numbers.empty()) continue;
      // Another file changes nothing for this one.
      std::mt19937_64 random(fnv1a(path.filename().string()));
      for (int n = valid ? 3 : 2; n > 0; --n) {
        const FileField& one = numbers[random() % numbers.size()];
        const FileField& other = numbers[random() % numbers.size()];
        Image changed = image;
        change_two(changed, one, other, random() % 3);
        mutate(std::move(changed), default_revision("hdf5"),
               sections[path.parent_path().filename().string()]);
      }
    }
    for (const auto& [section, results] : sections)
      text +=
          std::format("{} {}: {} mutations, {} telling, {}\n", valid ? "valid" : "invalid", section,
                      results.mutations, results.telling, golden::digest_of(results.all));
  }
  EXPECT_TRUE(golden::equals(text, "fuzz/hdf5/golden/of-two-fields.txt"));
}

// What repairs and packing make of valid files with another number in one field, with checksums
// that fit, as if a writer had not closed them, and with other bytes behind the end.
TEST(FieldMutations, RepairsEqualTheGoldenFile) {
  std::map<std::string, std::string> sections;
  std::map<std::string, std::size_t> changes;
  for (const fs::path& path : files_of(HEPCHECK_FIXTURES "/hdf5/valid")) {
    std::mt19937_64 random(fnv1a("repair " + path.filename().string()));
    Image image = image_of(path);
    const std::vector<FileField> numbers = numbers_of(image);
    if (numbers.empty()) continue;
    const FileField& field = numbers[random() % numbers.size()];
    const std::uint64_t kind = random();
    fuzz::put_number(image, field.address, field.size,
                     kind % 4 == 0 ? 0 : value_of(image, field) + (kind % 4 == 1 ? 2 : -1));
    repair(image, default_revision("hdf5"));
    std::string bytes(image.begin(), image.end());
    if (kind / 4 % 4 < 2) bytes = testing::marked(bytes, kind / 4 % 4 == 0 ? 5 : 1);
    if (kind / 16 % 4 == 0) bytes += "more bytes";
    const std::string section = path.parent_path().filename().string();
    const auto copy = testing::copy_of(bytes);
    const auto made = repair_container(*copy, "copy",
                                       {.spec = &default_revision("hdf5"),
                                        .file = {.examine = {.jobs = 1}},
                                        .compact = kind / 64 % 2 == 0});
    sections[section] += made ? testing::text_of(*made) : made.error().text();
    sections[section] += golden::digest_of(testing::bytes_of(*copy));
    if (made) changes[section] += made->changes.size();
    const auto packed = testing::copy_of("");
    sections[section] += testing::text_of(
        pack_container(Bytes::of_image(std::as_bytes(std::span(bytes)), "copy"), *packed, {}));
    sections[section] += golden::digest_of(testing::bytes_of(*packed));
  }
  std::string text;
  for (const auto& [section, all] : sections)
    text += std::format("{}: {} changes, {}\n", section, changes[section], golden::digest_of(all));
  EXPECT_TRUE(golden::equals(text, "fuzz/hdf5/golden/repairs-of-fields.txt"));
}

}  // namespace

}  // namespace hepcheck::hdf5::field_mutations
