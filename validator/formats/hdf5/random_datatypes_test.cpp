// Datatype messages of any structure and version, some of them with a wrong byte or cut: what is
// read of each type, at any depth, and what is reported. It equals the golden file: a line for each
// set of messages, with a digest, and the number of messages that violate each clause.
#include "validator/formats/hdf5/testing/random_datatypes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <format>
#include <string>

#include "validator/formats/hdf5/datatype.h"
#include "validator/formats/hdf5/testing/said.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::random_datatypes {
namespace {

using testing::Zeros;

std::string text_of(const Datatype& type) {
  std::string text =
      std::format("{} {} {} {} {} {} {} {}:", type_text(*type.nodes), type.size,
                  type.variable_length, type.region_reference, type.attribute_reference,
                  type.all_references, type.sound, type.encoded);
  for (const std::uint32_t each : type.references) text += std::format(" {}", each);
  for (const TypeNode& each : *type.nodes) {
    text += std::format("\n {} {} {} {} {} {} {} {} {} {} {} {} {}", each.at.offset, each.version,
                        each.bits, each.size, each.outer, each.offset, each.precision, each.base,
                        each.elements, each.padding, each.member_reserved, each.array_reserved,
                        each.tag);
    for (const TypeNode::Member& member : each.members)
      text += std::format(" [{} {} {}]", member.offset, member.times, member.type);
  }
  return text + '\n';
}

TEST(RandomDatatypes, ReadingsEqualTheGoldenFile) {
  constexpr std::uint64_t kSets = 20, kMessages = 150;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    testing::Said said;
    std::size_t sound = 0;
    for (std::uint64_t i = 0; i < kMessages; ++i) {
      const std::string message = testing::RandomDatatype(1'000 * set + i).message();
      Zeros zeros;
      zeros.notes.keep_places(20);
      const auto type =
          read_datatype({std::as_bytes(std::span(message)), {"OHDR", 0, 8}}, zeros.file);
      sound += type && type->sound;
      said.all += type ? text_of(*type) : "none\n";
      said.add(zeros.notes);
    }
    text += said.text(set, std::format("{} sound, ", sound));
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/random_datatypes.txt"));
}

// Of an opaque type, the length of its tag is a multiple of eight.
TEST(OpaqueTypes, HaveTagsOfEightBytesEach) {
  for (std::uint64_t length = 0; length <= 24; ++length) {
    const std::string message =
        number(1 << 4 | 5, 1) + number(length, 3) + number(3, 4) + std::string(32, '\0');
    Zeros zeros;
    read_datatype({std::as_bytes(std::span(message)), {"OHDR", 0, 8}}, zeros.file);
    EXPECT_EQ(zeros.found("h5-datatype-opaque-tag-length").empty(), length % 8 == 0) << length;
  }
}

}  // namespace
}  // namespace hepcheck::hdf5::random_datatypes
