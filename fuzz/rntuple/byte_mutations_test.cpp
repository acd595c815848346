// Each byte of the valid RNTuples of the corpus is replaced, one at a time, and some at several
// places, and the checksums of anchors and envelopes are repaired. What is reported equals the
// golden file, and so does what those files are read as that have no error.
#include "fuzz/variations/byte_mutations.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "conformance/corpus.h"
#include "conformance/table_text.h"
#include "fuzz/rntuple/checksums.h"
#include "validator/formats/rntuple/exchange/read_table.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::fuzz::rntuple {
namespace {

constexpr std::size_t kLargest = 2'500;  // bytes of a file whose bytes are all replaced
constexpr std::uint64_t kMemory = std::uint64_t{1} << 20;

std::string table_of(const Bytes& file) {
  const auto read = hepcheck::rntuple::read_table(
      file, std::nullopt, {.skip = {}, .projected = true, .memory = kMemory});
  if (!read) return read.error().why + '\n';
  std::string text = conformance::table_text(read->table);
  for (const auto* list : {&read->losses, &read->refused})
    for (const std::string& each : *list) text += each + '\n';
  return text;
}

template <class Use>
void each_fixture(const Use& use) {
  for (const conformance::Fixture* fixture : conformance::files_of_corpus())
    if (fixture->format == "rntuple" && fixture->valid && fixture->image.size() <= kLargest)
      use(*fixture, image_of(fixture->image));
}

void examine(const conformance::Fixture& of, Image changed, GoldenResults& into) {
  repair_checksums(changed);
  const auto bytes = std::as_bytes(std::span(changed));
  const FileReport report = examine_image(bytes, "image", std::nullopt, find_specification(of.spec),
                                          {.examine = {.jobs = 1}});
  into.add(std::filesystem::path(of.file).parent_path().filename(), report,
           has_error(report) ? "" : table_of(Bytes::of_image(bytes, "image")));
}

TEST(RNTupleMutations, OfOneByteEqualTheGoldenFile) {
  NewPlaces places;
  GoldenResults results;
  each_fixture([&](const conformance::Fixture& fixture, const Image& image) {
    for (const std::size_t at : places.of(image))
      for (const std::uint8_t other : replacements(image, at)) {
        Image changed = image;
        changed[at] = other;
        examine(fixture, std::move(changed), results);
      }
  });
  EXPECT_TRUE(golden::equals(results.text(), "fuzz/rntuple/golden/bytes.txt"));
}

TEST(RNTupleMutations, OfSeveralPlacesEqualTheGoldenFile) {
  constexpr std::uint64_t kEach = 100;
  GoldenResults results;
  std::uint64_t number = 0;
  each_fixture([&](const conformance::Fixture& fixture, const Image& image) {
    for (std::uint64_t i = 0; i < kEach; ++i) {
      Noise choices = noise_of(number++);
      Image changed = image;
      change_several(choices, changed);
      examine(fixture, std::move(changed), results);
    }
  });
  EXPECT_TRUE(golden::equals(results.text(), "fuzz/rntuple/golden/places.txt"));
}

}  // namespace
}  // namespace hepcheck::fuzz::rntuple
