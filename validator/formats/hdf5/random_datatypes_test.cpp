// Datatype messages of any structure and version, some of them with a wrong byte or cut: what is
// read of each type, at any depth, and what is reported. It equals the golden file: a line for each
// set of messages, with a digest, and the number of messages that violate each clause.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <format>
#include <random>
#include <string>

#include "validator/formats/hdf5/datatype.h"
#include "validator/formats/hdf5/testing/said.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::random_datatypes {
namespace {

using testing::Zeros;

struct Encoded {
  std::string bytes{};
  std::uint64_t size = 0;  // of an element
};

// Types that are as the format wants them. Calls that are random are statements of their own: the
// order inside an expression depends on the compiler.
class Made {
 public:
  explicit Made(std::uint64_t seed) : random_(seed) {}

  std::string message() {
    std::string made = type(1 + static_cast<unsigned>(below(5)), 0).bytes;
    if (once_in(3)) {
      const std::size_t at = below(std::min<std::size_t>(made.size(), 40));
      made[at] = static_cast<char>(once_in(2) ? made[at] + 1 : below(256));
    }
    if (once_in(12)) made.resize(below(made.size()));
    if (once_in(6)) made += std::string(8, '\0');
    return made;
  }

 private:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  bool once_in(std::uint64_t times) { return below(times) == 0; }

  static std::string head(unsigned type_class, unsigned version, std::uint64_t bits,
                          std::uint64_t size) {
    return number(version << 4 | type_class, 1) + number(bits, 3) + number(size, 4);
  }
  static std::string name(std::uint64_t i, unsigned version) {
    std::string made = "member " + std::string(i % 5, 'x') + static_cast<char>('a' + i);
    made += '\0';
    if (version < 3) made.resize((made.size() + 7) / 8 * 8);
    return made;
  }
  static unsigned bytes_of(std::uint64_t value) {
    unsigned made = 1;
    while (value >>= 8) ++made;
    return made;
  }

  Encoded type(unsigned version, unsigned depth) {
    const std::uint64_t which = below(depth < 3 ? 14 : 8);
    switch (which) {
      case 0:
      case 1: return integer(0, version);
      case 2: return integer(4, version);
      case 3:
        return {head(1, version, 0x3f20, 8) + number(0, 2) + number(64, 2) + number(52, 1) +
                    number(11, 1) + number(0, 1) + number(52, 1) + number(1023, 4),
                8};
      case 4: {
        const std::uint64_t size = 1 + below(9);
        return {head(3, version, below(3) | below(2) << 4, size), size};
      }
      case 5: {
        const std::uint64_t size = 1 + below(9);
        return {head(5, version, 8, size) + std::string("tag\0\0\0\0\0", 8), size};
      }
      case 6:
      case 7: return reference(version);
      case 8:
      case 9: return compound(version, depth);
      case 10: return enumeration(version, depth);
      case 11: {
        const bool text = once_in(2);
        const Encoded base = text ? integer_of(3, version) : type(version, depth + 1);
        return {head(9, version, text ? 1 : 0, 16) + base.bytes, 16};
      }
      default: return array(std::max(version, 2U), depth);
    }
  }
  Encoded integer(unsigned type_class, unsigned version) {
    const std::uint64_t size = std::uint64_t{1} << below(4);
    const std::uint64_t offset = once_in(3) ? below(4) : 0;
    return {head(type_class, version, type_class == 0 && once_in(2) ? 8 : 0, size) +
                number(offset, 2) + number(8 * size - offset, 2),
            size};
  }
  // One byte of text, as the base of a variable-length string.
  static Encoded integer_of(unsigned type_class, unsigned version) {
    return {head(type_class, version, 0, 1), 1};
  }
  Encoded reference(unsigned version) {
    const std::uint64_t kind = below(version >= 4 ? 5 : 2);
    return {head(7, version, kind > 1 ? kind | 0x10 : kind,
                 kind == 1   ? 12
                 : kind == 0 ? 8
                             : 18),
            kind == 1   ? 12U
            : kind == 0 ? 8U
                        : 18U};
  }
  Encoded compound(unsigned version, unsigned depth) {
    const std::uint64_t count = 1 + below(4);
    std::string members;
    std::uint64_t at = 0;
    std::vector<std::pair<std::uint64_t, std::string>> parts;
    for (std::uint64_t i = 0; i < count; ++i) {
      at += below(3);
      std::string dimensions;
      std::uint64_t times = 1;
      if (version == 1) {
        const unsigned rank = static_cast<unsigned>(below(3));
        dimensions = number(rank, 1) + number(0, 11);
        for (unsigned d = 0; d < 4; ++d) {
          const std::uint64_t extent = d < rank ? 1 + below(3) : 0;
          if (d < rank) times *= extent;
          dimensions += number(extent, 4);
        }
      }
      const Encoded member = type(version, depth + 1);
      parts.emplace_back(at, dimensions + member.bytes);
      at += times * member.size;
    }
    const std::uint64_t size = at + below(4);
    for (std::uint64_t i = 0; i < count; ++i)
      members += name(i, version) + number(parts[i].first, version < 3 ? 4 : bytes_of(size)) +
                 parts[i].second;
    return {head(6, version, count, size) + members, size};
  }
  Encoded enumeration(unsigned version, unsigned) {
    const Encoded base = integer(0, version);
    const std::uint64_t count = 1 + below(4);
    std::string names, values;
    for (std::uint64_t i = 0; i < count; ++i) {
      names += name(i, version);
      values += number(i, static_cast<unsigned>(base.size));
    }
    return {head(8, version, count, base.size) + base.bytes + names + values, base.size};
  }
  Encoded array(unsigned version, unsigned depth) {
    const unsigned rank = 1 + static_cast<unsigned>(below(3));
    std::string made = number(rank, 1), order;
    if (version < 3) made += number(0, 3);
    std::uint64_t count = 1;
    for (unsigned d = 0; d < rank; ++d) {
      const std::uint64_t extent = 1 + below(3);
      count *= extent;
      made += number(extent, 4);
      order += number(d, 4);
    }
    if (version < 3) made += order;
    const Encoded base = type(version, depth + 1);
    return {head(10, version, 0, count * base.size) + made + base.bytes, count * base.size};
  }

  std::mt19937_64 random_;
};

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
      const std::string message = Made(1'000 * set + i).message();
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
